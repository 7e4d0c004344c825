"""The lung field of a film, found by thresholds and projection profiles: no weights, no learning.

Table S5 of papers/1 gives its boxes on supine intensive-care films; on upright ones its lower boxes lie on the abdomen. So
boxes are scaled to where the lungs are (definitions/explanation, version 2, "Pictures").
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from percuss.protocols.explanation.images import pixels
from percuss.protocols.explanation.images.image_edits import Box, Pixels

__all__ = ["CORNER", "REFERENCE", "fitted", "free_corners", "lung_field", "unfit"]

#: The lung field on which Table S5 lies as it is: that of the synthetic chest, drawn for these very boxes.
REFERENCE: Box = (0.08, 0.08, 0.92, 0.90)
#: A field this near to the reference leaves the boxes alone.
_TOLERANCE = 0.05
_SMALL = 128
#: A lung field is so wide and high at least, in fractions of the picture; less is something else.
_LEAST = (0.35, 0.25)
#: Share of the rows (columns) of a profile that has to be lung for an edge.
_EDGE = 0.12
#: Least share of a region that has to lie within the field and its margin.
_COVERED = 0.5
_MARGIN = 0.10
#: Width and height of a corner that a placebo may lie in: above the shoulders and beside the neck there is no more room.
CORNER = (0.22, 0.10)
#: Share of a corner that has to be surround for it to lie outside the body.
_FREE = 0.9


def lung_field(image: Pixels) -> Box | None:
    """Return the box of both lungs, fractions (x0, y0, x1, y1); None where no two dark fields are found side by side.

    Args:
        image: (h, w), grey, black or white surround.

    Air is darker than the body around it. What is dark and touches the picture's border is surround; of the rest, the
    darkest part by Otsu's threshold on either side of the midline is lung, and profiles give its edges.
    """
    return _box(_dark(image, inside=True, least=0.02))


def free_corners(image: Pixels) -> tuple[Box, ...]:
    """Return the corners of a picture that lie outside the body: dark, and joined to the picture's border.

    Args:
        image: (h, w), grey.
    """
    surround = _dark(image, inside=False, least=0.0)
    height, width = surround.shape
    out = []
    for y in (0.0, round(1 - CORNER[1], 6)):
        for x in (0.0, round(1 - CORNER[0], 6)):
            box = (x, y, round(x + CORNER[0], 6), round(y + CORNER[1], 6))
            rows = slice(int(box[1] * height), int(np.ceil(box[3] * height)))
            columns = slice(int(box[0] * width), int(np.ceil(box[2] * width)))
            if surround[rows, columns].mean() >= _FREE:
                out.append(box)
    return tuple(out)


def _dark(image: Pixels, *, inside: bool, least: float) -> NDArray[np.bool_]:
    """Return the dark areas of a shrunken picture that don't touch its border, or those that do, of a least share of it."""
    height, width = image.shape[:2]
    scale = _SMALL / max(height, width)
    size = (max(16, round(width * scale)), max(16, round(height * scale)))
    shrunk = pixels.smaller(image, size).astype(np.float32)
    small = np.rint(pixels.smoothed(shrunk, bell=True)).astype(np.uint8)
    dark = small < pixels.otsu(small)
    found = np.zeros(dark.shape, np.bool_)
    for (rows, columns), area in pixels.components(dark):
        within = columns.start > 0 and rows.start > 0 and columns.stop < size[0] and rows.stop < size[1]
        if within == inside and area.sum() >= least * dark.size:
            found[rows, columns] |= area
    return found


def _box(lungs: NDArray[np.bool_]) -> Box | None:
    rows, columns = lungs.shape
    halves = (lungs[:, : columns // 2], lungs[:, columns // 2 :])
    if any(half.sum() < 0.03 * lungs.size for half in halves):
        return None
    across, along = lungs.mean(axis=0), lungs.mean(axis=1)
    xs, ys = np.flatnonzero(across >= _EDGE * across.max()), np.flatnonzero(along >= _EDGE * along.max())
    box = (xs[0] / columns, ys[0] / rows, (xs[-1] + 1) / columns, (ys[-1] + 1) / rows)
    if box[2] - box[0] < _LEAST[0] or box[3] - box[1] < _LEAST[1]:
        return None
    return tuple(round(float(edge), 4) for edge in box)  # type: ignore[return-value]


def fitted(regions: Mapping[str, Box], field: Box) -> dict[str, Box]:
    """Return boxes scaled from the reference field to a picture's own; as they are where the two hardly differ.

    Args:
        regions: name -> box on the reference field. field: of the picture.
    """
    if all(abs(a - b) <= _TOLERANCE for a, b in zip(field, REFERENCE, strict=True)):
        return dict(regions)
    return {name: _scaled(box, field) for name, box in regions.items()}


def _scaled(box: Box, field: Box) -> Box:
    def edge(value: float, axis: int) -> float:
        low, high = REFERENCE[axis], REFERENCE[axis + 2]
        own_low, own_high = field[axis], field[axis + 2]
        placed = own_low + (value - low) * (own_high - own_low) / (high - low)
        return round(min(max(placed, 0.0), 1.0), 6)

    x0, y0, x1, y1 = box
    return edge(x0, 0), edge(y0, 1), edge(x1, 0), edge(y1, 1)


def unfit(regions: Mapping[str, Box], field: Box) -> tuple[str, ...]:
    """Return the regions that don't fit a picture: off the body, without extent, or an angle that its box doesn't hold.

    Args:
        regions: name -> box, as they would be marked. field: of the picture.
    """
    return tuple(sorted(name for name, box in regions.items() if not _fits(name, box, field)))


def _fits(name: str, box: Box, field: Box) -> bool:
    x0, y0, x1, y1 = box
    if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
        return False
    wide = (field[0] - _MARGIN, field[1] - _MARGIN, field[2] + _MARGIN, field[3] + _MARGIN)
    across = min(x1, wide[2]) - max(x0, wide[0])
    along = min(y1, wide[3]) - max(y0, wide[1])
    if max(across, 0.0) * max(along, 0.0) < _COVERED * (x1 - x0) * (y1 - y0):
        return False
    # The box of an angle, and of the fluid that gathers there, has to hold the lower edge of the lung.
    angle = name.startswith(("CostodiaphragmaticAngle", "PleuralEffusion"))
    return not angle or y0 <= field[3] <= y1 + _MARGIN / 2
