"""Where on a frontal chest film a finding stands: normalised boxes (x0, y0, x1, y1), origin top left.

The patient's left is on the picture's right. Ten boxes are Table S5 of papers/1; it covers 22 of the 32 questions, the
boxes for the rest are ours (definitions/explanation, "Preprocessing and regions").
"""

from percuss.protocols.explanation.images.image_edits import Box, mirrored

__all__ = ["REGIONS", "around", "region_called"]

_TABLE_S5: dict[str, Box] = {
    "HeartSize": (0.30, 0.35, 0.70, 0.65),
    "PulmonaryCongestion": (0.20, 0.25, 0.80, 0.55),
    "PleuralEffusion_Left": (0.65, 0.70, 0.95, 0.95),
    "PleuralEffusion_Right": (0.05, 0.70, 0.35, 0.95),
    "PulmonaryOpacities_Left": (0.60, 0.20, 0.95, 0.80),
    "PulmonaryOpacities_Right": (0.05, 0.20, 0.40, 0.80),
    "Atelectasis_Left": (0.60, 0.30, 0.90, 0.70),
    "Atelectasis_Right": (0.10, 0.30, 0.40, 0.70),
    "CentralVenousCatheter": (0.40, 0.05, 0.60, 0.30),
    "GastricTube": (0.40, 0.65, 0.60, 0.95),
}
_OURS_RIGHT: dict[str, Box] = {
    "Pneumothorax": (0.05, 0.08, 0.35, 0.30),
    "LungNodule": (0.06, 0.18, 0.42, 0.70),
    "ChestTube": (0.05, 0.35, 0.40, 0.75),
    "Apex": (0.12, 0.03, 0.42, 0.18),
    "CostodiaphragmaticAngle": (0.05, 0.84, 0.30, 0.98),
}
_OURS: dict[str, Box] = {
    "EndotrachealTube": (0.44, 0.0, 0.56, 0.30),
    "CardiacPacemaker": (0.62, 0.08, 0.90, 0.26),
    "Clavicles": (0.35, 0.06, 0.65, 0.18),
}

#: Region -> box.
REGIONS: dict[str, Box] = {
    **_TABLE_S5,
    **{f"{name}_Right": box for name, box in _OURS_RIGHT.items()},
    **{f"{name}_Left": mirrored(box) for name, box in _OURS_RIGHT.items()},
    **_OURS,
}


def region_called(name: str) -> str | None:
    """Return the region of a name, None for another: letters alone count, in any case.

    >>> region_called("pleural effusion right")
    'PleuralEffusion_Right'
    """
    return {_plain(known): known for known in REGIONS}.get(_plain(name))


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalpha())


def around(one: Box, other: Box) -> Box:
    """Return the box around two."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
