"""What was put into the patient: tones 235..250, drawn last, so that nothing covers a tube."""

from typing import Any

import numpy as np

from percuss.protocols.explanation.chest.anatomy import Jitter
from percuss.protocols.explanation.chest.zones import PROBES
from percuss.protocols.explanation.images.drawing import Canvas, Patch

__all__ = ["devices", "marker"]

_METAL, _TUBE = 248.0, 240.0
#: Height of the tip: low and high bound, by position.
_ETT = {"too high": (0.100, 0.130), "correctly positioned": (0.190, 0.220), "too low": (0.282, 0.298)}
_CVC = {
    "too high": (0.100, 0.130),
    "correctly positioned": (0.240, 0.280),
    "too low": (0.360, 0.400),
    "turned": (0.270, 0.285),
}


def devices(canvas: Canvas, fields: dict[str, Any], jitter: Jitter) -> None:
    """Draw every device that the fields name."""
    if fields["gastric_tube"]:
        _gastric_tube(canvas)
    if fields["ett"]:
        tip = _tip(_ETT, fields["ett_position"], "ett", jitter)
        canvas.paint(canvas.stroke([(0.5, -0.02), (0.5, tip - 0.006)], 0.0125, 1), _TUBE)
    if fields["cvc"]:
        _cvc(canvas, fields["cvc_position"], jitter)
    if fields["pacemaker"]:
        _pacemaker(canvas)
    for side in ("right", "left"):
        if fields[f"chest_tube_{side}"]:
            _chest_tube(canvas, side)


def _tip(table: dict[str, tuple[float, float]], position: str, name: str, jitter: Jitter) -> float:
    low, high = table[position]
    return (low + high) / 2 + jitter(f"{name}_tip", (high - low) / 2 - 0.002)


def _gastric_tube(canvas: Canvas) -> None:
    canvas.paint(canvas.stroke([(0.53, -0.02), (0.53, 0.84), (0.535, 0.90), (0.55, 0.93)], 0.0078, 1), _TUBE)


def _cvc(canvas: Canvas, position: str, jitter: Jitter) -> None:
    tip = _tip(_CVC, position, "cvc", jitter)
    course = [(0.455, -0.02), (0.475, 0.06), (0.475, tip - 0.003)]
    if position == "turned":
        course = [
            *course[:2],
            (0.475, tip - 0.02),
            (0.463, tip - 0.003),
            (0.447, tip - 0.008),
            (0.438, tip - 0.03),
            (0.438, 0.205),
        ]
    canvas.paint(canvas.stroke(course, 0.0068, 1), _METAL)


def _pacemaker(canvas: Canvas) -> None:
    x0, y0, x1, y1 = PROBES["pacemaker"]
    centre = ((x0 + x1) / 2, (y0 + y1) / 2)
    half = ((x1 - x0) / 2, (y1 - y0) / 2)
    rows, columns = canvas.window(x0 - 0.02, y0 - 0.02, x1 + 0.02, y1 + 0.02)
    across = np.abs(canvas.x[rows, columns] - centre[0]) / half[0]
    along = np.abs(canvas.y[rows, columns] - centre[1]) / half[1]
    case = canvas.edge((across**4 + along**4 - 1) * 0.012, 1.5)
    canvas.paint(Patch(rows, columns, case), _METAL)
    canvas.paint(canvas.ellipse(centre[0] - 0.012, centre[1] + 0.008, 0.018, 0.016, 1.5), 236)
    lead = [
        (0.665, 0.150),
        (0.620, 0.175),
        (0.585, 0.230),
        (0.572, 0.330),
        (0.580, 0.450),
        (0.620, 0.580),
        (0.612, 0.600),
    ]
    canvas.paint(canvas.stroke(lead, 0.0055, 1), _METAL)


def _chest_tube(canvas: Canvas, side: str) -> None:
    course = [(0.035, 0.620), (0.085, 0.590), (0.20, 0.525), (0.29, 0.465), (0.338, 0.442)]
    points = course if side == "right" else [(1 - x, y) for x, y in course]
    canvas.paint(canvas.stroke(points, 0.0105, 1), _TUBE)


def marker(canvas: Canvas) -> None:
    """Draw the letter L beside the patient's left, which is the picture's right."""
    canvas.paint(canvas.stroke([(0.945, 0.035), (0.945, 0.075), (0.967, 0.075)], 0.0085, 1), 240)
