"""Labels of people and judges from anyone's table: CSV or JSONL, one row an item, rater and metric."""

import csv
import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.judgement import Judgement
from percuss.core.labels import Reason
from percuss.core.ports import RunView
from percuss.core.records import Verdict
from percuss.stats.gates import OUTCOMES

__all__ = ["Judgement", "outcome_of", "read_judgements", "run_judgements"]

_FIELDS = ("item", "rater", "label", "score", "metric", "stratum", "cluster", "outcome", "sham", "pass")
_TRUE = {"1", "true", "yes"}


def read_judgements(path: Path, *, humans: Iterable[str] = ()) -> tuple[Judgement, ...]:
    """Read a table of judgements.

    Args:
        path: `.csv` or `.jsonl` with the columns item, rater, and label or score; optional metric, stratum, cluster,
            outcome, sham, pass.
        humans: raters that are people, where their names do not begin with `human:`.

    Raises:
        BadInput: the first row that cannot be read, by number.
    """
    people = set(humans)
    rows = _csv_rows(path) if path.suffix.lower() == ".csv" else _jsonl_rows(path)
    found = tuple(_judgement(row, people, str(path), number) for number, row in rows)
    if not found:
        raise BadInput("holds no row; expected one row an item and rater", source=str(path))
    seen: set[tuple[str, str, str, int]] = set()
    for number, one in enumerate(found, 1):
        key = (one.item, one.rater, one.metric, one.run_pass)
        if key in seen:
            raise BadInput(
                f"item {one.item!r} has two rows of rater {one.rater!r} for {one.metric!r}; expected one; "
                "number passes in a column `pass`",
                source=str(path),
                line=number,
            )
        seen.add(key)
    return found


def _csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            for row in reader:
                yield (
                    reader.line_num,
                    {key: value for key, value in row.items() if key and value not in (None, "")},
                )
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"cannot be read ({error}); expected CSV in UTF-8", source=str(path)) from error


def _jsonl_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read ({error}); expected JSONL in UTF-8", source=str(path)) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadInput(f"is no JSON ({error.msg})", source=str(path), line=number) from error
        if not isinstance(row, dict):
            raise BadInput(f"got {type(row).__name__}; expected an object", source=str(path), line=number)
        yield number, {key: value for key, value in row.items() if value is not None}


def _judgement(row: dict[str, Any], people: set[str], source: str, line: int) -> Judgement:
    strange = sorted(set(row) - set(_FIELDS))
    if strange:
        raise BadInput(
            f"got the column {strange[0]!r}; expected {', '.join(_FIELDS)}", source=source, line=line
        )
    for name in ("item", "rater"):
        if not str(row.get(name, "")).strip():
            raise BadInput(f"has no {name}; expected a name", source=source, line=line)
    rater = str(row["rater"]).strip()
    rater = f"human:{rater}" if rater in people else rater
    item = str(row["item"]).strip()
    outcome = str(row.get("outcome", "ok"))
    label, score = row.get("label"), _score(row.get("score"), source, line)
    if outcome not in OUTCOMES:
        raise BadInput(
            f"got the outcome {outcome!r}; expected {', '.join(OUTCOMES)}", source=source, line=line
        )
    if outcome == "ok" and (label is None) == (score is None):
        raise BadInput(
            "expected exactly one of label and score (or an outcome that says why not)",
            source=source,
            line=line,
        )
    return Judgement(
        item=item,
        rater=rater,
        metric=str(row.get("metric", "label" if score is None else "score")),
        label=None if label is None or outcome != "ok" else str(label).strip(),
        score=score if outcome == "ok" else None,
        stratum=str(row.get("stratum", "")),
        cluster=str(row.get("cluster", item)),
        outcome=outcome,
        sham=str(row.get("sham", "")).casefold() in _TRUE,
        run_pass=_pass(row.get("pass", 1), source, line),
    )


def _score(value: Any, source: str, line: int) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise BadInput(f"got the score {value!r}; expected a number, or an outcome", source=source, line=line)
    return number


def _pass(value: Any, source: str, line: int) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise BadInput(f"got the pass {value!r}; expected 1, 2 ..", source=source, line=line) from None


def outcome_of(verdict: Verdict) -> str:
    """Return the class of a judgement: which way it failed, or `ok`.

    Args:
        verdict: of any rater; `error` and `refused` are transport, `unparsable:schema` and `:label` are schema.
    """
    if verdict.unscored is None:
        return "ok"
    head, _, finer = verdict.unscored.partition(":")
    if head == Reason.ABSTAINED:
        return "abstain"
    if head == Reason.INVALID_QUOTE:
        return "evidence"
    if head == Reason.UNPARSABLE:
        return "schema" if finer in {"schema", "label"} else "parse"
    return "transport"


def run_judgements(view: RunView, *, aspects: Iterable[str] = ()) -> Iterator[Judgement]:
    """Yield the judgements of a run: people's and machines', of the aspects that people labelled.

    Args:
        view: the run in one scoring, people's labels beside it.
        aspects: None given: those with at least one label of a person.
    """
    rows = [
        (assessed, verdict)
        for assessed in view.assessed()
        for verdict in assessed.verdicts
        if not verdict.unscored or verdict.rater.startswith(("judge:", "human:"))
    ]
    wanted = set(aspects) or {verdict.aspect for _, verdict in rows if verdict.rater.startswith("human:")}
    for assessed, verdict in rows:
        if verdict.aspect not in wanted:
            continue
        rater, _, number = verdict.rater.partition("#")
        yield Judgement(
            item=verdict.subject,
            rater=rater,
            metric=verdict.aspect,
            label=verdict.label,
            score=verdict.score,
            stratum=f"{assessed.response.model} / {assessed.response.arm}",
            cluster=assessed.case.cluster,
            outcome=outcome_of(verdict),
            sham=assessed.response.arm.startswith("sham"),
            run_pass=int(number or 1),
        )
