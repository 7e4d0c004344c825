"""Labels of people and judges from anyone's table: CSV or JSONL, one row an item, rater and metric."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.judgement import Judgement
from percuss.core.labels import Reason, failure_class
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Verdict
from percuss.exchange.rows import rows
from percuss.stats.gates import OUTCOMES

__all__ = ["outcome_of", "read_judgements", "run_judgements"]

_FIELDS = ("item", "rater", "label", "score", "metric", "stratum", "cluster", "outcome", "sham", "pass")
# What a study's export calls metric, the reason behind an outcome, and what it says beside a label for other readers.
_STUDY = ("aspect", "unscored", "model", "arm", "revision", "active_s", "saved_at", "hidden")
_TRUE = {"1", "true", "yes"}
_FALSE = {"", "0", "false", "no"}
_NOT_A_LABEL = {"nan", "none", "null", "n/a", "na"}
# Reasons that say nothing of the rater: the item was never put, or the run left it out for all raters.
_NOT_PUT = {Reason.TRUNCATED.value, Reason.NOT_APPLICABLE.value}


def read_judgements(path: Path, *, humans: Iterable[str] = ()) -> tuple[Judgement, ...]:
    """Read a table of judgements.

    Args:
        path: a table (`percuss.exchange.rows`) with the columns item, rater, and label or score; optional metric, stratum, cluster,
            outcome, sham, pass.
        humans: raters that are people, where their names do not begin with `human:`.

    Raises:
        BadInput: the first row that cannot be read, by line.
    """
    people, source = set(humans), str(path)
    found: list[Judgement] = []
    seen: set[tuple[str, str, str, int]] = set()
    scales: dict[str, str] = {}
    for line, cells in rows(path):
        row = {key: value for key, value in cells.items() if value not in (None, "")}
        one = _judgement(row, people, source, line)
        key = (one.item, one.rater, one.metric, one.run_pass)
        if key in seen:
            raise BadInput(
                f"item {one.item!r} has two rows of rater {one.rater!r} for {one.metric!r}; expected one; "
                "number passes in a column `pass`",
                source=source,
                line=line,
            )
        seen.add(key)
        kind = "a label" if one.label is not None else "a score" if one.score is not None else ""
        if kind and scales.setdefault(one.metric, kind) != kind:
            raise BadInput(
                f"{one.metric!r} has {kind} here and {scales[one.metric]} before; expected one of them for a metric",
                source=source,
                line=line,
            )
        found.append(one)
    if not found:
        raise BadInput("holds no row; expected one row an item and rater", source=source)
    return tuple(found)


def _judgement(row: dict[str, Any], people: set[str], source: str, line: int) -> Judgement:
    def bad(sentence: str) -> BadInput:
        return BadInput(sentence, source=source, line=line)

    strange = sorted(set(row) - {*_FIELDS, *_STUDY})
    if strange:
        raise bad(f"got the column {strange[0]!r}; expected {', '.join(_FIELDS)}")
    nested = next((name for name, value in row.items() if isinstance(value, (dict, list))), None)
    if nested is not None:
        raise bad(f"got {nested} {row[nested]!r}; expected a text or a number")
    for name in ("item", "rater"):
        if not str(row.get(name, "")).strip():
            raise bad(f"has no {name}; expected a name")
    item, (rater, of_rater) = str(row["item"]).strip(), _rater(str(row["rater"]).strip())
    outcome = str(row.get("outcome", _failure(row.get("unscored")))).strip()
    if outcome not in OUTCOMES:
        raise bad(f"got the outcome {outcome!r}; expected {', '.join(OUTCOMES)}")
    label, score = _label(row.get("label"), bad), _score(row.get("score"), bad)
    if outcome == "ok" and (label is None) == (score is None):
        raise bad("expected exactly one of label and score (or an outcome that says why there is none)")
    if outcome != "ok" and (label is not None or score is not None):
        raise bad(f"has the outcome {outcome!r} and a judgement; expected one of them")
    return Judgement(
        item=item,
        rater=f"human:{rater}" if rater in people else rater,
        metric=str(row.get("metric", row.get("aspect", "label" if score is None else "score"))).strip(),
        label=label,
        score=score,
        stratum=str(row.get("stratum", "")).strip(),
        cluster=str(row.get("cluster", item)).strip(),
        outcome=outcome,
        sham=_sham(row.get("sham", "")),
        run_pass=_pass(row.get("pass", of_rater), bad),
    )


def _rater(name: str) -> tuple[str, int]:
    """Split `judge:model#2` into the judge and its pass; other names stay whole."""
    head, _, number = name.rpartition("#")
    return (head, int(number)) if name.startswith("judge:") and number.isdecimal() else (name, 1)


def _failure(unscored: Any) -> str:
    return "ok" if unscored is None else failure_class(str(unscored))


def _label(value: Any, bad: Any) -> str | None:
    if value is None:
        return None
    text = str(value).strip()
    if not text or text.casefold() in _NOT_A_LABEL:
        raise bad(f"got the label {value!r}; expected a word, or an outcome that says why there is none")
    return text


def _score(value: Any, bad: Any) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise bad(f"got the score {value!r}; expected a number, or an outcome that says why there is none")
    return number


def _pass(value: Any, bad: Any) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not text.isdecimal() or int(text) < 1:
        raise bad(f"got the pass {value!r}; expected 1, 2 ..")
    return int(text)


def _sham(value: Any) -> str:
    text = str(value).strip()
    return "sham" if text.casefold() in _TRUE else "" if text.casefold() in _FALSE else text


def outcome_of(verdict: Verdict) -> str | None:
    """Return the class of a judgement: which way it failed, or `ok`; None where the item was never put to the rater.

    Args:
        verdict: of any rater; a rule that is undecided abstains.
    """
    if verdict.unscored is None:
        return "ok"
    head = verdict.unscored.partition(":")[0]
    if head in _NOT_PUT:
        return None
    return "abstain" if head == Reason.NOT_CHECKABLE else failure_class(verdict.unscored)


def run_judgements(view: RunView, *, aspects: Iterable[str] = ()) -> Iterator[Judgement]:
    """Yield the judgements of a run: people's and machines', of the aspects that people labelled.

    Args:
        view: the run in one scoring, people's labels beside it.
        aspects: () takes those with at least one label of a person.
    """
    held = [(assessed, verdict) for assessed in view.assessed() for verdict in assessed.verdicts]
    wanted = set(aspects) or {verdict.aspect for _, verdict in held if verdict.rater.startswith("human:")}
    for assessed, verdict in held:
        outcome = outcome_of(verdict)
        if verdict.aspect in wanted and outcome is not None:
            yield _of_run(assessed, verdict, outcome)


def _of_run(assessed: ScoredResponse, verdict: Verdict, outcome: str) -> Judgement:
    response = assessed.response
    rater, _, number = verdict.rater.partition("#")
    return Judgement(
        item=verdict.subject,
        rater=rater,
        metric=verdict.aspect,
        label=verdict.label if outcome == "ok" else None,
        score=verdict.score if outcome == "ok" else None,
        stratum=f"{response.model} / {response.arm}",
        cluster=assessed.case.cluster,
        outcome=outcome,
        sham=response.arm if response.arm.startswith("sham") else "",
        run_pass=int(number or 1),
    )
