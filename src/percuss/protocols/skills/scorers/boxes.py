"""IoU of boxes: matched one to one for the largest total, and shared out over the larger number, so that extra boxes cost."""

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from percuss.protocols.skills.scorers.score import Score, text_of, unscored
from percuss.protocols.textbook.scoring.normal import normal

__all__ = ["HALF", "Box", "boxes", "boxes_of", "iou"]

HALF = 0.5
"""IoU from which the label of a matched box counts (definitions, section 3)."""
MOST_BOXES = 500


class Box(NamedTuple):
    """A box with its label; x1 < x2 and y1 < y2, in pixels or as shares of the side, as its item declares."""

    x1: float
    y1: float
    x2: float
    y2: float
    label: str = ""


def iou(one: Box, other: Box) -> float:
    """Return the area in common over the area of both.

    >>> round(iou(Box(0, 0, 2, 2), Box(1, 1, 3, 3)), 4)
    0.1429
    """
    wide = min(one.x2, other.x2) - max(one.x1, other.x1)
    high = min(one.y2, other.y2) - max(one.y1, other.y1)
    if wide <= 0 or high <= 0:
        return 0.0
    common = wide * high
    return common / (_area(one) + _area(other) - common)


def _area(box: Box) -> float:
    return (box.x2 - box.x1) * (box.y2 - box.y1)


def boxes(answer: object, right: Sequence[Box], *, relative: bool) -> Score:
    """Score boxes: the matched IoU over max(right boxes, boxes given); `accuracy` beside it is of their labels.

    Args:
        answer: a JSON list of `{"label": .., "box": [x1, y1, x2, y2]}`. right: of the item; () where nothing is there.
        relative: whether the item declares shares of the side; it is never guessed.

    >>> boxes('[{"label": "mass", "box": [0, 0, 2, 2]}]', (Box(0, 0, 2, 2, "mass"),), relative=False).value
    100.0
    """
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    found = boxes_of(text, relative=relative)
    if isinstance(found, Score):
        return found
    if not found and not right:
        return Score(100.0, parts={"accuracy": 100.0}, found={"boxes": []})
    if not found or not right:
        return Score(0.0, parts={"accuracy": 0.0}, found={"boxes": [list(box) for box in found]})
    table = np.array([[iou(one, other) for other in found] for one in right])
    rows, columns = linear_sum_assignment(-table)
    most = max(len(right), len(found))
    named = sum(
        table[i, j] >= HALF and normal(right[i].label) == normal(found[j].label)
        for i, j in zip(rows, columns, strict=True)
    )
    return Score(
        100 * float(table[rows, columns].sum()) / most, parts={"accuracy": 100 * float(named) / most},
        found={"boxes": [list(box) for box in found]},
    )  # fmt: skip


def boxes_of(text: str, *, relative: bool) -> tuple[Box, ...] | Score:
    """Return the boxes of an answer, or why they can't be read.

    Args:
        text: with a JSON list somewhere in it. relative: coordinates are shares of the side, from 0 to 1.
    """
    start, stop = text.find("["), text.rfind("]")
    try:
        held = json.loads(text[start : stop + 1]) if 0 <= start < stop else None
    except (json.JSONDecodeError, RecursionError):
        held = None
    if not isinstance(held, list):
        return unscored("unparsable:no JSON list of boxes")
    if len(held) > MOST_BOXES:
        return unscored(f"unparsable:{len(held):,} boxes; at most {MOST_BOXES} are read")
    made = [_box(each, relative=relative) for each in held]
    wrong = next((each for each in made if isinstance(each, str)), None)
    return unscored(f"unparsable:{wrong}") if wrong else tuple(each for each in made if isinstance(each, Box))


def _box(held: Any, *, relative: bool) -> Box | str:
    """Return a box, or what is wrong with it."""
    name = str(held.get("label", "")) if isinstance(held, dict) else ""
    corners = held.get("box") if isinstance(held, dict) else held
    if not isinstance(corners, list) or len(corners) != 4:
        return "a box that is not [x1, y1, x2, y2]"
    if not all(isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) for x in corners):
        return "a box with a corner that is no number"
    x1, y1, x2, y2 = map(float, corners)
    box = Box(x1, y1, x2, y2, name)
    if box.x1 >= box.x2 or box.y1 >= box.y2:
        return "a box whose first corner is not above and left of its second"
    if relative and max(box.x2, box.y2) > 1:
        return "a box in pixels where shares of the side were asked for"
    return box if min(box.x1, box.y1) >= 0 else "a box with a corner outside of the image"
