"""FActScore's released files: one file per model, one line per response, atomic facts labelled S, NS or IR by people."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.labels import Reason
from percuss.core.records import Cell
from percuss.exchange.rows import rows

__all__ = ["MEASURES", "factscore_cells", "is_factscore"]

MEASURES = {
    "factscore": (
        "mean share of supported facts per response",
        "What share of a response's facts is supported, on average?",
    ),
    "factscore_relevant": (
        "mean share of supported facts per response, irrelevant facts left out",
        "What share of a response's relevant facts is supported, on average?",
    ),
    "responded": ("responses that say anything", "How often does the model answer at all?"),
}
"""Name of a measure -> label and question."""
_LABELS = {"S": "supported", "NS": "unsupported", "IR": "irrelevant"}
ARM = "all"
GIVEN = "given"
SILENT = f"{Reason.NOT_APPLICABLE.value}:no response"
NOTHING = f"{Reason.NOT_APPLICABLE.value}:no such fact"


def is_factscore(path: Path) -> bool:
    """Tell whether a file has FActScore's layout: `topic` and `annotations` in its first line.

    Args:
        path: a table.
    """
    _, first = next(rows(path), (0, {}))
    return "annotations" in first and "topic" in first


def factscore_cells(path: Path, *, model: str | None = None) -> Iterator[Cell]:
    """Yield, per response, its share of supported facts with and without irrelevant ones, and whether it responded.

    The field's number is the mean over responses, so each response is one cell of denominator 1; a response that says
    nothing (annotations null) is left out of both shares and counted.

    Args:
        path: FActScore's JSONL. model: None takes the file's name.

    Raises:
        BadInput: a label other than S, NS, IR, or a topic that stands twice, by line.

    Source: Min et al. 2023 (FActScore), section 3; the layout as released.
    """
    name, seen = model or path.stem, set[str]()
    for line, row in rows(path):
        topic = str(row.get("topic") or "").strip()
        if not topic or topic in seen:
            raise BadInput(
                f"got the topic {topic!r} again or empty; expected one line per topic",
                source=str(path),
                line=line,
            )
        seen.add(topic)
        counts = _counted(row, path, line)
        yield from _cells(name, topic, counts)


def _counted(row: Mapping[str, Any], path: Path, line: int) -> Counter[str] | None:
    if row.get("annotations") is None:
        return None
    counts: Counter[str] = Counter()
    for part in row["annotations"]:
        for fact in part.get("human-atomic-facts") or ():
            word = str(fact.get("label"))
            if word not in _LABELS:
                raise BadInput(f"got the label {word!r}; expected S, NS or IR", source=str(path), line=line)
            counts[_LABELS[word]] += 1
    return counts


def _cells(model: str, topic: str, counts: Counter[str] | None) -> Iterator[Cell]:
    held = counts or Counter()
    yield _cell("responded", model, topic, float(counts is not None), "")
    for name, labels in (
        ("factscore", tuple(_LABELS.values())),
        ("factscore_relevant", ("supported", "unsupported")),
    ):
        facts = sum(held[label] for label in labels)
        missing = SILENT if counts is None else NOTHING if not facts else ""
        yield _cell(name, model, topic, held["supported"] / facts if facts else 0.0, missing)


def _cell(name: str, model: str, topic: str, share: float, missing: str) -> Cell:
    return Cell(
        name=name,
        model=model,
        arm=ARM,
        labels=GIVEN,
        case_id=topic,
        cluster=topic,
        num=0.0 if missing else share,
        den=0.0 if missing else 1.0,
        excluded={missing: 1} if missing else {},
    )
