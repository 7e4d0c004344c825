"""Synthetic chest radiographs: drawn parametrically, with exact ground truth, and named synthetic everywhere."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from percuss.protocols.explanation.chest import anatomy, devices, findings
from percuss.protocols.explanation.chest.sample import MIXES, Mix, sample
from percuss.protocols.explanation.chest.zones import PROBES, SIZE
from percuss.protocols.explanation.images.drawing import Canvas
from percuss.protocols.explanation.images.image_edits import Pixels

__all__ = ["MIXES", "PROBES", "Mix", "draw", "sample"]

#: Range of anatomy and pathology; devices lie above it, and 0 is left to occlusions.
_DARKEST, _BRIGHTEST = 8.0, 215.0
_NOISE_SD = 3.0
_COLLIMATED = 13.0
#: The collimator's edge: rows above (apices cut) or below (bases cut).
_APEX_CUT, _BASE_CUT = 0.10, 0.89


def draw(fields: Mapping[str, Any], index: int, *, seed: int, size: int = SIZE) -> Pixels:
    """Draw one synthetic chest.

    Args:
        fields: every field of `fields.FIELDS` (positions only where the device is present).
        index: of the chest; it and the seed set the small differences in position, size and tone.
        seed: root seed.
        size: pixels a side.

    Returns:
        Shape (size, size), uint8, values 8..250: never 0, never coloured, so that every edit shows in the pixels.
    """
    jitter = anatomy.Jitter(seed, index)
    canvas = anatomy.chest(size, jitter)
    findings.congestion(canvas, fields["congestion"], jitter)
    anatomy.heart(canvas, fields["heart"], jitter)
    for side in ("right", "left"):
        findings.opacity(canvas, fields[f"opacity_{side}"], side, jitter)
        findings.atelectasis(canvas, fields[f"atelectasis_{side}"], side, jitter)
        findings.effusion(canvas, fields[f"effusion_{side}"], side, jitter)
        if fields[f"pneumothorax_{side}"]:
            findings.pneumothorax(canvas, side, jitter)
    if fields["nodule"]:
        findings.nodule(canvas, jitter)
    anatomy.clavicles(canvas, rotated=fields["rotated"], jitter=jitter)
    _collimate(canvas, fields["field"])
    noise = jitter.generator("noise").standard_normal(canvas.tones.shape, dtype=np.float32)
    canvas.tones = np.clip(canvas.tones + np.float32(_NOISE_SD) * noise, _DARKEST, _BRIGHTEST)
    devices.devices(canvas, dict(fields), jitter)
    devices.marker(canvas)
    picture: Pixels = np.rint(canvas.tones).astype(np.uint8)
    return picture


def _collimate(canvas: Canvas, field: str) -> None:
    if field == "apex_cut":
        canvas.paint(canvas.band(-1, -1, 2, _APEX_CUT, 1), _COLLIMATED)
    elif field == "base_cut":
        canvas.paint(canvas.band(-1, _BASE_CUT, 2, 2, 1), _COLLIMATED)
