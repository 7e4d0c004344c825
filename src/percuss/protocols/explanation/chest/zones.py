"""Where the synthetic chest draws each thing: disjoint zones in fractions of the picture (definitions/explanation).

Given for the patient's right, which is the picture's left; `left(..)` mirrors in x.
"""

from percuss.protocols.explanation.images.image_edits import Box, mirrored

__all__ = ["CARINA", "CHEST_WIDTH", "CTR", "PROBES", "RIGHT", "SIZE", "zone"]

#: Pixels a side.
SIZE = 512
#: Inner width of the chest, the denominator of the cardiothoracic ratio.
CHEST_WIDTH = 0.84
#: Cardiothoracic ratio by heart grade.
CTR = (0.45, 0.51, 0.57, 0.65)
CARINA = 0.27

#: Zone -> box on the patient's right.
RIGHT: dict[str, Box] = {
    "lung": (0.08, 0.08, 0.42, 0.90),
    "apex": (0.14, 0.06, 0.40, 0.10),
    "angle": (0.08, 0.89, 0.14, 0.93),
    "pneumothorax": (0.09, 0.11, 0.22, 0.21),
    "nodule": (0.12, 0.24, 0.28, 0.31),
    "congestion": (0.30, 0.26, 0.40, 0.38),
    "opacity": (0.10, 0.34, 0.21, 0.55),
    "atelectasis": (0.11, 0.58, 0.20, 0.68),
    "effusion": (0.08, 0.71, 0.34, 0.88),
    "chest_tube": (0.05, 0.43, 0.35, 0.64),
}
#: Zones of what has no side.
_MIDDLE: dict[str, Box] = {
    "heart": (0.22, 0.51, 0.78, 0.53),
    "clavicles": (0.37, 0.11, 0.63, 0.15),
    "ett": (0.49, 0.0, 0.51, 0.30),
    "gastric_tube": (0.52, 0.65, 0.54, 0.93),
    "cvc": (0.46, 0.05, 0.49, 0.40),
    "cvc_hook": (0.42, 0.15, 0.455, 0.30),
    "pacemaker": (0.66, 0.12, 0.76, 0.20),
}


def zone(name: str, side: str) -> Box:
    """Return a sided zone.

    Args:
        name: a key of `RIGHT`.
        side: `right` or `left`, of the patient.
    """
    return RIGHT[name] if side == "right" else mirrored(RIGHT[name])


#: Every zone by full name (`effusion_left`, `heart`): what the simulated reader is told of the anatomy.
PROBES: dict[str, Box] = {
    **{f"{name}_{side}": zone(name, side) for name in RIGHT for side in ("right", "left")},
    **_MIDDLE,
}
