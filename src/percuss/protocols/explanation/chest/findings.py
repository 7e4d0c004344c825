"""What is wrong with the chest, each in its own zone (tones 8..215)."""

import numpy as np

from percuss.protocols.explanation.chest.anatomy import FLUID, Jitter, lung_mask
from percuss.protocols.explanation.chest.zones import zone
from percuss.protocols.explanation.images.drawing import Canvas, Patch

__all__ = ["atelectasis", "congestion", "effusion", "nodule", "opacity", "pneumothorax"]

#: Share of the zone's height that fluid fills, by grade.
_FILL = (0.0, 0.08, 0.25, 0.55, 0.95)
#: Mean tone of the hilar zone above clear lung, by grade.
_HAZE = (0.0, 16.0, 34.0, 54.0, 78.0)
_BLOBS = (0, 1, 2, 4, 7)
_PLATES = (0, 1, 1, 2, 4)


def _outward(side: str) -> int:
    return -1 if side == "right" else 1


def effusion(canvas: Canvas, grade: int, side: str, jitter: Jitter) -> None:
    """Fill the base with fluid whose surface rises towards the flank and tapers towards the middle."""
    if not grade:
        return
    x0, top, x1, bottom = zone("effusion", side)
    rows, columns = canvas.window(x0 - 0.01, top - 0.01, x1 + 0.01, 0.95)
    x, y = canvas.x[rows, columns], canvas.y[rows, columns]
    inward = 1 - np.abs(x - (x0 if side == "right" else x1)) / (x1 - x0)
    taper = np.clip(inward / 0.30, 0, 1)
    rise = _FILL[grade] * (bottom - top) * (0.82 + 0.30 * np.clip(inward, 0, 1) ** 3) * taper * (2 - taper)
    surface = np.maximum(bottom - rise, top + 0.002)
    # Below the zone the fluid covers the costodiaphragmatic angle and ends at the diaphragm.
    below = 0.90 + 0.03 * np.clip(inward - 0.5, 0, 1)
    limits = np.maximum(x0 - x, x - x1)
    body = canvas.edge(np.maximum(limits, np.maximum(surface - y, y - below)), 2)
    lung = lung_mask(canvas.size)[rows, columns]
    canvas.paint(Patch(rows, columns, body * lung), FLUID + jitter(f"fluid_{side}", 3))


def opacity(canvas: Canvas, grade: int, side: str, jitter: Jitter) -> None:
    """Draw soft patches: none, one faint, 2, 4, 7."""
    x0, y0, x1, y1 = zone("opacity", side)
    dice = jitter.generator(f"opacity_{side}")
    places = [(column, row) for row in range(4) for column in range(2)]
    order = dice.permutation(len(places))[: _BLOBS[grade]]
    for k in order:
        column, row = places[int(k)]
        x = x0 + (column + 0.5) / 2 * (x1 - x0) + dice.uniform(-0.003, 0.003)
        y = y0 + (row + 0.5) / 4 * (y1 - y0) + dice.uniform(-0.004, 0.004)
        canvas.add(canvas.blob(x, y, 0.0138), 40 if grade == 1 else 76)


def atelectasis(canvas: Canvas, grade: int, side: str, jitter: Jitter) -> None:
    """Draw plate-like bands: none, one short, 1, 2, 4."""
    x0, y0, x1, y1 = zone("atelectasis", side)
    tilt = 0.010 * _outward(side)
    for k in range(_PLATES[grade]):
        y = y0 + (k + 0.5) / max(_PLATES[grade], 2) * (y1 - y0) + jitter(f"plate_{side}_{k}", 0.003)
        length = 0.40 if grade == 1 else 0.92
        middle, half = (x0 + x1) / 2, (x1 - x0) * length / 2
        line = [(middle - half, y - tilt / 2), (middle + half, y + tilt / 2)]
        canvas.paint(canvas.stroke(line, 0.0105, 1.5), 158)


def pneumothorax(canvas: Canvas, side: str, jitter: Jitter) -> None:
    """Draw a dark crescent without lung markings beside the thin line of the visceral pleura."""
    x0, y0, x1, y1 = zone("pneumothorax", side)
    flank, inner = (x0, x1) if side == "right" else (x1, x0)
    sign = _outward(side)
    heights = np.linspace(y0, y1, 13)
    down = (heights - y0) / (y1 - y0)
    bow = inner + sign * (0.022 + jitter(f"pleura_{side}", 0.004) + 0.085 * down**2)
    rows, columns = canvas.window(x0 - 0.01, y0 - 0.01, x1 + 0.01, y1 + 0.01)
    x, y = canvas.x[rows, columns], canvas.y[rows, columns]
    beyond = (x - np.interp(y[:, 0], heights, bow)[:, None]) * -sign
    limits = np.maximum((flank - x) * -sign, np.maximum(y0 - y, y - y1))
    lung = lung_mask(canvas.size)[rows, columns]
    canvas.paint(Patch(rows, columns, canvas.edge(np.maximum(beyond, limits), 1.5) * lung), 27)
    line = canvas.stroke(list(zip(bow.tolist(), heights.tolist(), strict=True)), 0.0055, 1.2)
    canvas.paint(
        Patch(line.rows, line.columns, line.mask * lung_mask(canvas.size)[line.rows, line.columns]), 178
    )


def nodule(canvas: Canvas, jitter: Jitter) -> None:
    """Draw one sharp round nodule, radius 6 to 9 pixels, on a drawn side."""
    side = "right" if jitter("nodule_side", 1) < 0 else "left"
    x0, y0, x1, y1 = zone("nodule", side)
    radius = (7.5 + jitter("nodule_radius", 1.5)) / canvas.size
    x = (x0 + x1) / 2 + jitter("nodule_x", (x1 - x0) / 2 - radius - 0.004)
    y = (y0 + y1) / 2 + jitter("nodule_y", (y1 - y0) / 2 - radius - 0.004)
    canvas.paint(canvas.ellipse(x, y, radius, radius, 1.2), 188)


def congestion(canvas: Canvas, grade: int, jitter: Jitter) -> None:
    """Draw hilar vessels, from thin branches (0) to confluent haze (4), on both sides."""
    for side in ("right", "left"):
        x0, y0, x1, y1 = zone("congestion", side)
        sign = _outward(side)
        root = x1 if side == "right" else x0
        rows, columns = canvas.window(x0 - 0.07, y0 - 0.07, x1 + 0.07, y1 + 0.07)
        x, y = canvas.x[rows, columns], canvas.y[rows, columns]
        # Rounded distance: the zone itself is even, around it the haze fades into the lung.
        away = np.hypot(np.maximum(np.maximum(x0 - x, x - x1), 0), np.maximum(np.maximum(y0 - y, y - y1), 0))
        haze = canvas.edge(away - 0.027, 28) * lung_mask(canvas.size)[rows, columns]
        canvas.add(Patch(rows, columns, haze), _HAZE[grade] + jitter(f"haze_{side}", 1.5))
        for k in range(5):
            at = y0 + (k + 0.7) / 5.4 * (y1 - y0)
            reach = root + sign * (0.075 + jitter(f"vessel_{side}_{k}", 0.008))
            fan = at + 0.30 * (at - (y0 + y1) / 2) + jitter(f"fan_{side}_{k}", 0.004)
            width = 0.0042 + 0.0016 * min(grade, 3)
            canvas.add(canvas.stroke([(root, at), (reach, fan)], width, 2.5), 26 - 3 * grade)
        if grade >= 2:
            _septal_lines(canvas, side, grade)


def _septal_lines(canvas: Canvas, side: str, grade: int) -> None:
    x0, y0, x1, y1 = zone("congestion", side)
    for k in range(2 * grade):
        y = y0 + (k + 0.5) / (2 * grade) * (y1 - y0)
        start = x0 if side == "right" else x1
        end = start - _outward(side) * 0.022
        canvas.add(canvas.stroke([(start, y), (end, y + 0.003)], 0.0032, 1.2), 18)
