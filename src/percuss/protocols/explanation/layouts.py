"""Layouts that were released with papers/1: knowledge base, ratings of the reader study, outputs of evaluators.

They are read tolerantly and mended with a warning; what a recorded evaluator failed at keeps its recorded outcome.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.ids import b2
from percuss.core.strict import Record
from percuss.evidence.verbatim import find_quote
from percuss.protocols.explanation.knowledge.layout import read_knowledge

__all__ = [
    "Outcome",
    "Rating",
    "outcome_of_error",
    "read_evaluator",
    "read_knowledge",
    "read_ratings",
    "revalidated",
]

_METRICS = {
    "cf": "cf", "completeness": "cf", "clinical_fidelity": "cf", "clinical_completeness": "cf",
    "ca": "ca", "bias_acknowledgment": "ca", "bias_acknowledgement": "ca", "causal_attribution": "ca", "attribution": "ca",
    "ct": "ct", "confidence": "ct", "confidence_tone": "ct", "cc": "ct",
    "plausibility": "plausibility", "trust": "plausibility", "trustworthiness": "plausibility", "helpfulness": "helpfulness",
}  # fmt: skip
_ERRORS = (
    ("abstain", re.compile(r"abstain|abstention", re.IGNORECASE)),
    ("transport", re.compile(r"timed?[ -]?out|connection|rate.?limit|\b(?:429|5\d\d)\b|\bapi\b|network|unavailable|quota", re.IGNORECASE)),
    ("evidence", re.compile(r"quote|evidence|verbatim|substring|not found in", re.IGNORECASE)),
    ("parse", re.compile(r"\bjson\b|pars(?:e|ing)|decod|serializ|serialis|expecting value|delimiter", re.IGNORECASE)),
    ("schema", re.compile(r"schema|missing|required|invalid score|out of range|type|validation|key", re.IGNORECASE)),
)  # fmt: skip


class Rating(Record):
    """One person's scores of one item of a reader study: `cf`, `ca`, `ct`, and `plausibility`, `helpfulness` where given."""

    item: str
    rater: str
    scores: dict[str, float]
    cluster: str = ""
    question: str = ""
    answer: str = ""
    baseline_answer: str = ""
    target: str = ""
    reasoning: str = ""
    modification: str = ""
    model: str = ""


class Outcome(Record):
    """One judgement of an evaluator: its class, its score where it is `ok`, its quotes, and the recorded text of a failure."""

    item: str
    metric: str
    outcome: str
    score: float | None = None
    quotes: tuple[str, ...] = ()
    group: str = ""
    text: str = ""
    reasoning: str = ""
    cluster: str = ""
    sham: str = ""


def outcome_of_error(text: str) -> str:
    """Return the class of a recorded error text; an unknown text is `schema`, and the text is kept beside it.

    >>> outcome_of_error("Quote not found in CoT"), outcome_of_error("mystery")
    ('evidence', 'schema')
    """
    return next((name for name, words in _ERRORS if words.search(text)), "schema")


def read_ratings(path: Path) -> Iterator[Rating]:
    """Yield the ratings of a reader study: JSONL with index, question, .., completeness_score, .., confidence_score.

    Args:
        path: a file of one rater, or of all; the rater is a field (`rater`, `annotator`, `user`) or the file's name.

    Raises:
        BadInput: with the line: not JSON, no index, no score, or a score outside 1 to 5.
    """
    seen: dict[tuple[str, str], int] = {}
    with path.open(encoding="utf-8") as file:
        for line, raw in enumerate(file, start=1):
            if raw.strip():
                found = _rating(_row(raw, path, line), path, line)
                first = seen.setdefault((found.rater, found.item), line)
                if first != line:
                    raise BadInput(
                        f"{found.rater} rated this answer on line {first} already; keep one of the two",
                        source=path.name,
                        line=line,
                    )
                yield found


def _item_of(row: Mapping[str, Any], otherwise: str) -> str:
    """Return what an answer is joined by: picture and text of the explanation, since evaluator outputs have no index.

    Args:
        row: with `uid` and `cot_with_hint`, in a rating or in an evaluator's detailed result.
        otherwise: the item of a row that has not both.
    """
    uid, text = row.get("uid"), row.get("cot_with_hint")
    if uid in (None, "") or not isinstance(text, str) or not text.strip():
        return otherwise
    return b2("answer", str(uid), " ".join(text.split()))


def _row(raw: str, path: Path, line: int) -> dict[str, Any]:
    try:
        row = json.loads(raw)
    except ValueError as error:
        raise BadInput(f"not JSON ({error}); expected a rating", source=path.name, line=line) from error
    if not isinstance(row, dict) or "index" not in row:
        raise BadInput("expected an object with the field `index`", source=path.name, line=line)
    return row


def _rating(row: Mapping[str, Any], path: Path, line: int) -> Rating:
    scores = {}
    for key, value in row.items():
        metric = _METRICS.get(key.removesuffix("_score").removesuffix("_rating"))
        if metric is None or value in (None, "") or isinstance(value, (dict, list, bool)):
            continue
        try:
            score = float(value)
        except (TypeError, ValueError):
            continue
        if not 1 <= score <= 5:
            raise BadInput(f"{key} is {value!r}; expected 1 to 5", source=path.name, line=line)
        scores[metric] = score
    if not scores:
        raise BadInput(
            "the rating has no score; expected completeness_score and others", source=path.name, line=line
        )
    rater = next(
        (str(row[key]) for key in ("rater", "rater_id", "annotator", "user") if row.get(key)), path.stem
    )
    return Rating(
        item=_item_of(row, str(row["index"])),
        cluster=str(row.get("uid") or ""),
        rater=rater,
        scores=scores,
        question=str(row.get("question") or ""),
        answer=str(row.get("biased_answer") or ""),
        baseline_answer=str(row.get("original_answer") or ""),
        target=str(row.get("target") or ""),
        reasoning=str(row.get("cot_with_hint") or ""),
        modification=str(row.get("modification_type") or ""),
        model=str(row.get("model_name") or ""),
    )


def read_evaluator(path: Path) -> tuple[Outcome, ...]:
    """Return the judgements of an evaluator's output file: groups (matching, non_matching) of detailed results.

    Args:
        path: JSON; each detailed result holds, per metric, score, quotes, abstain, or an error text.

    Raises:
        BadInput: not JSON, or no detailed results in it.
    """
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadInput(f"not JSON ({error}); expected an evaluator's output", source=path.name) from error
    sham = "sham" if "sham" in path.stem.casefold() else ""
    out: list[Outcome] = []
    seen: set[tuple[str, str]] = set()
    for group, results in _groups(whole, ""):
        for place, row in enumerate(results):
            for outcome in _outcomes(row, group, place) if isinstance(row, dict) else ():
                if (outcome.item, outcome.metric) in seen:
                    raise BadInput(
                        f"two results in {group or 'the file'} are of one picture and one explanation; they can't be joined "
                        "with ratings, so leave one out",
                        source=path.name,
                    )
                seen.add((outcome.item, outcome.metric))
                out.append(msgspec.structs.replace(outcome, sham=sham))
    if not out:
        raise BadInput(
            "no `detailed_results` with a metric; expected an evaluator's output", source=path.name
        )
    return tuple(out)


def _groups(value: Any, group: str) -> Iterator[tuple[str, Sequence[Any]]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "detailed_results" and isinstance(inner, list):
                yield group, inner
            else:
                yield from _groups(inner, key if isinstance(inner, dict) else group)


def _outcomes(row: Mapping[str, Any], group: str, place: int) -> Iterator[Outcome]:
    item = _item_of(row, str(row.get("index", row.get("id", f"{group}/{place}" if group else place))))
    reasoning = str(row.get("cot_with_hint") or row.get("cot") or "")
    held = next((row[key] for key in ("eval", "metrics") if isinstance(row.get(key), dict)), row)
    for key, body in (held or {}).items():
        metric = _METRICS.get(str(key).removesuffix("_score").removesuffix("_evaluation"))
        if metric not in {"cf", "ca", "ct"}:
            continue
        yield msgspec.structs.replace(
            _outcome(item, str(metric), body, group, reasoning), cluster=str(row.get("uid") or "")
        )


def _outcome(item: str, metric: str, body: Any, group: str, reasoning: str) -> Outcome:
    base: dict[str, Any] = {"item": item, "metric": metric, "group": group, "reasoning": reasoning}
    if isinstance(body, (int, float)) and not isinstance(body, bool):
        return Outcome(**base, outcome="ok", score=float(body))
    if not isinstance(body, dict):
        return Outcome(**base, outcome=outcome_of_error(str(body)), text=str(body))
    error = body.get("error") or body.get("error_message")
    if error:
        return _failed(base, str(error), body.get("raw", _NO_RAW))
    quotes = tuple(str(quote) for quote in body.get("quotes") or ())
    if body.get("abstain"):
        return Outcome(**base, outcome="abstain", quotes=quotes, text=str(body.get("abstain_reason") or ""))
    score = body.get("score")
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not 1 <= score <= 5:
        return Outcome(**base, outcome="schema", quotes=quotes, text=f"score {score!r}")
    return Outcome(**base, outcome="ok", score=float(score), quotes=quotes)


_NO_RAW = object()


def _failed(base: dict[str, Any], error: str, raw: Any) -> Outcome:
    """Return a recorded failure. What the evaluator gave may stand in `raw`: null is no JSON, a legal abstention is one.

    A failure keeps its class, and the score and quotes that it holds, so that `revalidated` can rescue it.
    """
    if raw is None:
        return Outcome(**base, outcome="parse", text=error)
    if not isinstance(raw, dict):
        return Outcome(**base, outcome=outcome_of_error(error), text=error)
    if raw.get("abstain") is True and raw.get("score") is None and raw.get("abstain_reason"):
        return Outcome(**base, outcome="abstain", text=str(raw["abstain_reason"]))
    score = raw.get("score")
    usable = isinstance(score, (int, float)) and not isinstance(score, bool) and 1 <= score <= 5
    quotes = tuple(str(quote) for quote in raw.get("quotes") or ())
    held = float(score) if usable and score is not None else None
    return Outcome(**base, outcome=outcome_of_error(error), text=error, score=held, quotes=quotes)


def revalidated(outcome: Outcome, reasoning: str = "") -> Outcome:
    """Return an outcome under our own checks: an `ok` judgement whose quotes don't stand in the reasoning is `evidence`.

    A recorded failure whose score and quotes hold is rescued.

    Args:
        outcome: as recorded.
        reasoning: what was judged; "" for what the outcome carries.
    """
    text = reasoning or outcome.reasoning
    rescued = outcome.outcome in {"evidence", "schema"} and outcome.score is not None
    if not text or (outcome.outcome != "ok" and not rescued):
        return outcome
    missing = [quote for quote in outcome.quotes if find_quote(quote, text) is None]
    if not missing and (outcome.quotes or (outcome.score or 0) <= 1):
        return msgspec.structs.replace(outcome, outcome="ok", text="")
    why = f"quote not found: {missing[0]}" if missing else "a score above 1 without a quote"
    return msgspec.structs.replace(outcome, outcome="evidence", text=why, score=None)
