"""Controlled edits of a picture: outlined boxes, heat maps, occlusion, blank (papers/1 section 4.1, appendix D).

Boxes are fractions (x0, y0, x1, y1) of width and height, origin top left. Every edit returns a new array; a grey
picture stays grey unless the edit has a colour.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BLANK",
    "BOX_PX",
    "COLOURS",
    "OPACITY",
    "REFERENCE_SIDE",
    "Box",
    "Pixels",
    "blank",
    "heat",
    "mirrored",
    "normalise",
    "occlude",
    "outline",
    "pad_square",
    "pixels",
    "stroke",
]

Box = tuple[float, float, float, float]
Pixels = NDArray[np.uint8]

#: Stroke of a box in pixels (papers/1 appendix D, "We use t=4 in the main experiments").
BOX_PX = 4
#: The side at which the paper's 4 pixels stand; strokes grow with the picture (definitions/explanation, version 2).
REFERENCE_SIDE = 512
#: Opacity of a heat map (papers/1 section 4.1).
OPACITY = 0.5
#: Grey of the blank arm: mid-range, so that no normalisation of a processor turns it into black or white.
BLANK = 128
#: The paper names no colour for its boxes; red is ours, black is selectable.
COLOURS = {"red": (255, 0, 0), "black": (0, 0, 0)}
#: Where the Gaussian of a heat map is cut, in standard deviations (scipy.ndimage's default).
_TRUNCATE = 4.0


def stroke(thickness: int, side: int) -> int:
    """Return a stroke in pixels of a picture: as given at 512 a side, in proportion on others, at least 2.

    Args:
        thickness: at 512 a side; one that is thinner than 2 there stays as it is on small pictures.
        side: shorter side of the picture, in pixels.

    >>> stroke(4, 512), stroke(4, 2500), stroke(4, 100), stroke(1, 512)
    (4, 20, 2, 1)
    """
    return max(min(thickness, 2), round(thickness * side / REFERENCE_SIDE))


def mirrored(box: Box) -> Box:
    """Return the box of the other side: mirrored in x.

    >>> mirrored((0.05, 0.7, 0.35, 0.95))
    (0.65, 0.7, 0.95, 0.95)
    """
    x0, y0, x1, y1 = box
    return (round(1 - x1, 6), y0, round(1 - x0, 6), y1)


def pixels(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Return inclusive-exclusive pixel bounds (x_min, y_min, x_max, y_max), clipped, at least one pixel wide and high.

    The paper clips the exclusive bound to W - 1, which would lose the last column; here it is clipped to W.

    Args:
        box: fractions of width and height.
        width, height: of the picture, in pixels.

    >>> pixels((0.65, 0.7, 1.0, 0.95), 512, 512)
    (332, 358, 512, 487)
    """
    x_min, x_max = _bounds(box[0], box[2], width)
    y_min, y_max = _bounds(box[1], box[3], height)
    return x_min, y_min, x_max, y_max


def _bounds(low: float, high: float, size: int) -> tuple[int, int]:
    # Rounding to 1e-9 first: 0.35 * 100 is 35.000000000000004 in floating point, whose ceiling would be 36.
    first = min(max(math.floor(round(low * size, 9)), 0), size - 1)
    last = min(max(math.ceil(round(high * size, 9)), first + 1), size)
    return first, last


def outline(image: Pixels, boxes: Sequence[Box], *, thickness: int = BOX_PX, colour: str = "red") -> Pixels:
    """Draw each box as a frame, inwards from its edge.

    Args:
        image: (h, w) or (h, w, 3).
        boxes: fractions.
        thickness: stroke in pixels; a stroke wider than half a box fills it.
        colour: a name of `COLOURS`; black keeps a grey picture grey.
    """
    out = image.copy() if colour == "black" else _rgb(image)
    height, width = image.shape[:2]
    ink = np.array(COLOURS[colour] if out.ndim == 3 else COLOURS[colour][0], np.uint8)
    for box in boxes:
        x_min, y_min, x_max, y_max = pixels(box, width, height)
        part = out[y_min:y_max, x_min:x_max]
        part[:thickness] = ink
        part[-thickness:] = ink
        part[:, :thickness] = ink
        part[:, -thickness:] = ink
    return out


def heat(image: Pixels, boxes: Sequence[Box], *, opacity: float = OPACITY) -> Pixels:
    """Blend red over each box with a Gaussian fall-off; where boxes meet, the stronger wins.

    The mask is the filled box blurred by sigma (h / 4, w / 4), reflected at the border, divided by its maximum. A box
    is separable, so the mask is the outer product of two one-dimensional profiles.

    Args:
        image: (h, w) or (h, w, 3).
        boxes: fractions.
        opacity: weight of red where the mask is 1.
    """
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.float32)
    for box in boxes:
        x_min, y_min, x_max, y_max = pixels(box, width, height)
        np.maximum(mask, np.outer(_profile(height, y_min, y_max), _profile(width, x_min, x_max)), out=mask)
    mask *= np.float32(opacity)
    red = mask * np.float32(255)
    if image.ndim == 2:
        faded = image - image * mask
        out = np.empty((height, width, 3), np.uint8)
        out[..., 0] = faded + red + np.float32(0.5)
        faded += np.float32(0.5)
        out[..., 1] = faded
        out[..., 2] = out[..., 1]
        return out
    blended = image * (1 - mask)[..., None]
    blended[..., 0] += red
    coloured: Pixels = (blended + np.float32(0.5)).astype(np.uint8)
    return coloured


@lru_cache(maxsize=256)
def _profile(size: int, low: int, high: int) -> NDArray[np.float32]:
    sigma = (high - low) / 4
    radius = int(_TRUNCATE * sigma + 0.5)
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    line = np.zeros(size)
    line[low:high] = 1.0
    blurred = np.convolve(np.pad(line, radius, mode="symmetric"), kernel / kernel.sum(), mode="valid")
    profile: NDArray[np.float32] = (blurred / blurred.max()).astype(np.float32)
    return profile


def occlude(image: Pixels, boxes: Sequence[Box]) -> Pixels:
    """Fill each box with black."""
    out = image.copy()
    height, width = image.shape[:2]
    for box in boxes:
        x_min, y_min, x_max, y_max = pixels(box, width, height)
        out[y_min:y_max, x_min:x_max] = 0
    return out


def blank(image: Pixels) -> Pixels:
    """Return a uniform grey picture of the same size."""
    return np.full(image.shape[:2], BLANK, np.uint8)


def normalise(image: NDArray[np.generic]) -> Pixels:
    """Stretch a grey picture to 0..255 by its own minimum and maximum (papers/1 appendix E).

    A constant picture stays constant (its value clipped to 0..255).

    Args:
        image: (h, w), any real type.
    """
    values = image.astype(np.float32)
    low, high = float(values.min()), float(values.max())
    if high <= low:
        return np.full(values.shape, np.uint8(min(max(low, 0.0), 255.0)), np.uint8)
    stretched: Pixels = np.clip((values - low) * (255.0 / (high - low)), 0, 255).astype(np.uint8)
    return stretched


def pad_square(image: Pixels) -> Pixels:
    """Pad the shorter side evenly with the picture's mean colour; it comes after an edit, never before."""
    height, width = image.shape[:2]
    side = max(height, width)
    mean = np.rint(image.reshape(-1, *image.shape[2:]).mean(axis=0)).astype(np.uint8)
    out = np.empty((side, side, *image.shape[2:]), np.uint8)
    out[...] = mean
    top, left = (side - height) // 2, (side - width) // 2
    out[top : top + height, left : left + width] = image
    return out


def _rgb(image: Pixels) -> Pixels:
    return np.repeat(image[:, :, None], 3, axis=2) if image.ndim == 2 else image.copy()
