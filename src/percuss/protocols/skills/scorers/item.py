"""What rules say of an answer to an item, metric by metric."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from percuss.protocols.skills.case import Item, metrics_of
from percuss.protocols.skills.scorers.accuracy import SMALLEST, amount_of, choice, extract, label, multi
from percuss.protocols.skills.scorers.boxes import Box, boxes, boxes_of
from percuss.protocols.skills.scorers.edit import edit_similarity
from percuss.protocols.skills.scorers.labels import Counts, labelled, micro_f1
from percuss.protocols.skills.scorers.points import KeyPoint, points_of, recall
from percuss.protocols.skills.scorers.rubric import Criterion, criteria_of
from percuss.protocols.skills.scorers.score import Score, unscored

__all__ = ["BLANK", "NEEDS_JUDGE", "criteria_for", "criteria_of_kind", "key_points", "scored"]

BLANK = "not_checkable:no reference is held"
NEEDS_JUDGE = "undecided:needs a judge"
CRITERIA = Path(__file__).parents[1] / "catalogue" / "criteria.toml"


def scored(item: Item, text: object) -> dict[str, Score]:
    """Return metric -> what rules say of an answer; a metric that takes a judge, or has no reference, says so.

    Args:
        item: with its references. text: the answer.
    """
    if item.is_blank:
        return dict.fromkeys(metrics_of(item), unscored(BLANK))
    return {name: _BY_METRIC[name](item, text) for name in metrics_of(item)}


def _accuracy(item: Item, text: object) -> Score:
    if item.format == "boxes":
        made = _boxes(item, text)
        return made if made.value is None else Score(made.parts["accuracy"], found=made.found)
    if item.format == "multi":
        return multi(text, item.options, item.answer)
    if item.format == "extract":
        return extract(text, item.answer)
    if item.format == "calc":
        return amount_of(text, item.answer, SMALLEST if item.tolerance is None else item.tolerance)
    if item.format == "class" and not item.options:
        return label(text, item.labels, item.answer)
    return choice(text, item.options, item.answer)


def _boxes(item: Item, text: object) -> Score:
    right = boxes_of(msgspec.json.encode(item.answer).decode(), relative=item.relative)
    if isinstance(right, Score):
        return unscored(f"not_applicable:the item's boxes: {right.reason.partition(':')[2]}")
    return boxes(text, tuple(Box(*box) for box in right), relative=item.relative)


def _micro_f1(item: Item, text: object) -> Score:
    made = labelled(text, item.labels or item.options, item.answer)
    if isinstance(made, Score):
        return made
    alone = micro_f1([made])
    return Score(alone.value, alone.reason, parts=_counted(made))


def _counted(counts: Counts) -> Mapping[str, float]:
    return {"num": 2.0 * counts.hits, "den": 2.0 * counts.hits + counts.extra + counts.missed}


_BY_METRIC: Mapping[str, Callable[[Item, object], Score]] = {
    "accuracy": _accuracy,
    "micro_f1": _micro_f1,
    "iou": _boxes,
    "edit": lambda item, text: edit_similarity(text, item.answer),
    "macro_recall": lambda item, text: recall(text, item.points),
    "judge": lambda _item, _text: unscored(NEEDS_JUDGE),
}


def key_points(item: Item) -> tuple[KeyPoint, ...]:
    """Return the key points of an item; () where it has none."""
    held = points_of(item.points)
    return () if isinstance(held, Score) else held


def criteria_for(item: Item) -> tuple[Criterion, ...]:
    """Return what an answer to an item is judged by: its own criteria, else those of its format."""
    if not item.criteria:
        return criteria_of_kind(item.format)
    held = criteria_of(item.criteria)
    return () if isinstance(held, Score) else held


def criteria_of_kind(kind: str) -> tuple[Criterion, ...]:
    """Return the criteria of a format or of an environment; those of `open` where it has none of its own.

    Args:
        kind: a format, `rag` or `research`.
    """
    held = criteria_of(_defaults().get(kind, _defaults()["open"]))
    return () if isinstance(held, Score) else held


@cache
def _defaults() -> dict[str, list[dict[str, object]]]:
    return tomllib.loads(CRITERIA.read_text(encoding="utf-8"))
