"""A place that doesn't bear on a question: where the placebo of a mark or cover lies.

The same form as the mark that it stands in for: on the midline between two sides, else outside the body
(definitions/explanation, version 2, "Primary").
"""

from collections.abc import Sequence

from percuss.protocols.explanation.images.image_edits import Box
from percuss.protocols.explanation.images.lungfield import CORNER

__all__ = ["elsewhere", "overlap"]

#: A mark narrower than this share of the width is hard to see and is no placebo of a wide one.
_LEAST_WIDTH = 0.08


def elsewhere(
    boxes: Sequence[Box], *, outside: bool = False, middle: float = 0.5, corners: Sequence[Box] | None = None
) -> Box | None:
    """Return one box of the form of a question's first region on an irrelevant place; None where a film has no such place.

    Args:
        boxes: all regions of the question, fractions.
        outside: never over the body, for covers: the midline is heart and great vessels, and hiding them hides evidence.
        middle: where the midline of the body stands, a fraction of the width.
        corners: those outside the body, where the film was looked at; None where it wasn't: all four.

    The width is cut where the full form would touch a region of the question; the height stays.

    >>> elsewhere([(0.05, 0.70, 0.35, 0.95), (0.65, 0.70, 0.95, 0.95)])
    (0.35, 0.7, 0.65, 0.95)
    """
    x0, y0, x1, y1 = boxes[0]
    width, height = x1 - x0, y1 - y0
    beside = [box for box in boxes if box[1] < y1 and y0 < box[3]]
    right = max([box[2] for box in beside if box[2] <= middle], default=0.0)
    left = min([box[0] for box in beside if box[0] >= middle], default=1.0)
    over = any(box[0] < middle < box[2] for box in beside)
    room = 2 * min(middle - right, left - middle)
    if not outside and not over and min(room, width) >= _LEAST_WIDTH:
        half = min(room, width) / 2
        return round(middle - half, 6), y0, round(middle + half, 6), y1
    if corners is not None:
        return _free(corners, min(width, CORNER[0]), min(height, CORNER[1]), boxes)
    return _corner(min(width, CORNER[0]), min(height, CORNER[1]), boxes)


def _free(corners: Sequence[Box], width: float, height: float, boxes: Sequence[Box]) -> Box | None:
    """Return a box in the first corner outside the body that touches no region, at the picture's edge; None where there is none."""
    for x0, y0, x1, y1 in corners:
        left = 0.0 if x0 == 0 else round(x1 - width, 6)
        top = 0.0 if y0 == 0 else round(y1 - height, 6)
        place = (left, top, round(left + width, 6), round(top + height, 6))
        if not any(overlap(place, box) for box in boxes):
            return place
    return None


def _corner(width: float, height: float, boxes: Sequence[Box]) -> Box:
    """Return the corner of the picture that the regions of a question leave freest; the upper ones first.

    Where every corner lies on a region, an upper one is cut to what lies beside them.
    """
    places = [
        (x, y, round(x + width, 6), round(y + height, 6))
        for y in (0.0, round(1 - height, 6))
        for x in (0.0, round(1 - width, 6))
    ]
    freest = min(places, key=lambda place: sum(overlap(place, box) for box in boxes))
    upper = [box for box in boxes if box[1] < height]
    left, right = min((box[0] for box in upper), default=0.0), max((box[2] for box in upper), default=1.0)
    if not any(overlap(freest, box) for box in boxes) or max(left, 1 - right) < _LEAST_WIDTH:
        return freest
    return (0.0, 0.0, left, height) if left >= 1 - right else (right, 0.0, 1.0, height)


def overlap(one: Box, other: Box) -> float:
    """Return the area that two boxes share, as a share of the picture."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    along = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0.0) * max(along, 0.0)
