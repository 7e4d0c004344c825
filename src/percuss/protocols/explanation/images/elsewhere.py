"""A place that doesn't bear on a question: where the placebo of a mark or cover lies.

The same form as the mark that it stands in for: on the midline between two sides, else outside the body
(definitions/explanation, version 2, "Primary").
"""

from collections.abc import Sequence

from percuss.protocols.explanation.images.image_edits import Box

__all__ = ["elsewhere", "overlap"]

#: A mark narrower than this share of the width is hard to see and is no placebo of a wide one.
_LEAST_WIDTH = 0.08
#: Height of a mark outside the body: above the shoulders and beside the neck there is no more room.
_CORNER = (0.22, 0.10)


def elsewhere(boxes: Sequence[Box], *, outside: bool = False) -> Box:
    """Return one box of the form of a question's first region on an irrelevant place.

    Args:
        boxes: all regions of the question, fractions.
        outside: never over the body, for covers: the midline is heart and great vessels, and hiding them hides evidence.

    The width is cut where the full form would touch a region of the question; the height stays.

    >>> elsewhere([(0.05, 0.70, 0.35, 0.95), (0.65, 0.70, 0.95, 0.95)])
    (0.35, 0.7, 0.65, 0.95)
    """
    x0, y0, x1, y1 = boxes[0]
    width, height = x1 - x0, y1 - y0
    beside = [box for box in boxes if box[1] < y1 and y0 < box[3]]
    right = max([box[2] for box in beside if box[2] <= 0.5], default=0.0)
    left = min([box[0] for box in beside if box[0] >= 0.5], default=1.0)
    over = any(box[0] < 0.5 < box[2] for box in beside)
    room = 2 * min(0.5 - right, left - 0.5)
    if not outside and not over and min(room, width) >= _LEAST_WIDTH:
        half = min(room, width) / 2
        return round(0.5 - half, 6), y0, round(0.5 + half, 6), y1
    return _corner(min(width, _CORNER[0]), min(height, _CORNER[1]), boxes)


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
