"""Labelled claims of other tools as cells: CSV or JSONL, one row a claim."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError
from percuss.core.labels import SUPPORT_LABELS, Support
from percuss.core.records import Cell

__all__ = ["FIELDS", "claim_cells", "table_rows"]

FIELDS = ("case", "arm", "label", "model", "cluster", "epoch")
_SYNONYMS = {
    "s": "supported", "support": "supported", "supports": "supported", "entailed": "supported", "entailment": "supported",
    "ns": "unsupported", "not supported": "unsupported", "refuted": "unsupported", "contradicted": "unsupported",
    "contradiction": "unsupported", "hallucinated": "unsupported", "partially supported": "partial", "neutral": "unknown",
    "not enough info": "unknown", "ir": "irrelevant", "irrelevant": "irrelevant",
}  # fmt: skip


def table_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, row) of a CSV or JSONL file.

    Raises:
        BadInput: the file or a line cannot be read.
    """
    try:
        file = path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror}); check the path", source=str(path)) from error
    with file:
        if path.suffix.lower() == ".csv":
            reader = csv.DictReader(file)
            for row in reader:
                yield reader.line_num, dict(row)
            return
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, _object(line, str(path), number)


def _object(line: str, source: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"is no JSON ({error.msg}); expected one object a line", source=source, line=number
        ) from error
    if not isinstance(row, dict):
        raise BadInput(f"got {type(row).__name__}; expected an object", source=source, line=number)
    return row


def claim_cells(path: Path, *, mapping: Mapping[str, str]) -> tuple[Cell, ...]:
    """Read labelled claims as cells `unsupported` and `supported`, one a case, arm, model and epoch.

    Args:
        path: CSV or JSONL with the columns case, arm, label; optional model, cluster, epoch.
        mapping: field -> the column's own name.

    Returns:
        Cells whose excluded items are claims with labels outside the four (`not_applicable:<label>`), by reason.

    Raises:
        UsageError: a field that there is not; BadInput: the first row that cannot be read.
    """
    strange = sorted(set(mapping) - set(FIELDS))
    if strange:
        raise UsageError(f"--map got the field {strange[0]!r}; expected {', '.join(FIELDS)}")
    counts: dict[tuple[str, str, str, int], Counter[str]] = {}
    clusters: dict[str, str] = {}
    for line, row in table_rows(path):
        field = {name: row.get(mapping.get(name, name)) for name in FIELDS}
        for name in ("case", "arm", "label"):
            if field[name] in (None, ""):
                column = mapping.get(name, name)
                raise BadInput(
                    f"has no {column!r}; expected a value (or --map {name}=COLUMN)",
                    source=str(path),
                    line=line,
                )
        label = str(field["label"]).strip().casefold()
        label = _SYNONYMS.get(label, label)
        key = (
            str(field["model"] or "model"),
            str(field["arm"]),
            str(field["case"]),
            _epoch(field["epoch"], path, line),
        )
        counts.setdefault(key, Counter())[label] += 1
        clusters.setdefault(str(field["case"]), str(field["cluster"] or field["case"]))
    if not counts:
        raise BadInput("holds no claim; expected one row a claim", source=str(path))
    return tuple(cell for key, found in counts.items() for cell in _cells(key, found, clusters))


def _epoch(value: Any, path: Path, line: int) -> int:
    if value in (None, ""):
        return 0
    try:
        return int(value)
    except (TypeError, ValueError):
        raise BadInput(f"got the epoch {value!r}; expected 0, 1, 2 ..", source=str(path), line=line) from None


def _cells(
    key: tuple[str, str, str, int], found: Counter[str], clusters: Mapping[str, str]
) -> Iterator[Cell]:
    model, arm, case, epoch = key
    scored = sum(found[label] for label in SUPPORT_LABELS)
    excluded = {
        f"not_applicable:{label}": n for label, n in sorted(found.items()) if label not in SUPPORT_LABELS
    }
    for name in (Support.UNSUPPORTED.value, Support.SUPPORTED.value):
        yield Cell(
            name=name,
            model=model,
            arm=arm,
            labels="given",
            case_id=case,
            epoch=epoch,
            cluster=clusters[case],
            num=float(found[name]),
            den=float(scored),
            excluded=excluded,
        )
