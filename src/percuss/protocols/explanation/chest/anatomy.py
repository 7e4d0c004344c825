"""The chest itself: soft tissue, lungs, ribs, spine, airway, diaphragm, clavicles. Tones 8..215, as a film shows them."""

from functools import lru_cache

import numpy as np

from percuss.core.seeds import generator
from percuss.protocols.explanation.chest.zones import CARINA, CHEST_WIDTH, CTR
from percuss.protocols.explanation.images.drawing import Canvas, Mask, Patch

__all__ = ["FLUID", "Jitter", "chest", "clavicles", "heart", "lung_mask"]

AIR, LUNG, SOFT, FLUID, BONE = 22.0, 68.0, 134.0, 160.0, 206.0


class Jitter:
    """Small seeded differences between chests, by name: a change in one finding moves nothing else.

    Args:
        seed: root seed.
        index: of the chest.
    """

    def __init__(self, seed: int, index: int) -> None:
        self._seed = seed
        self._index = index

    def __call__(self, name: str, spread: float) -> float:
        """Return a number in -spread .. spread."""
        return float(self.generator(name).uniform(-spread, spread))

    def generator(self, name: str) -> np.random.Generator:
        """Return the generator of a named part."""
        return generator(self._seed, "jitter", self._index, name)


def chest(size: int, jitter: Jitter) -> Canvas:
    """Return a chest without heart, findings or devices."""
    canvas = Canvas(_empty_chest(size).copy())
    canvas.add(Patch(slice(None), slice(None), lung_mask(size)), jitter("lung", 2))
    return canvas


@lru_cache(maxsize=4)
def _empty_chest(size: int) -> Mask:
    canvas = Canvas.plain(size, AIR)
    x, y = canvas.x, canvas.y
    shoulder = 0.060 + 0.55 * np.maximum(np.abs(x - 0.5) - 0.18, 0) ** 2
    canvas.paint(canvas.everywhere(shoulder - y, 6), SOFT)
    canvas.paint(canvas.band(0.40, -0.1, 0.60, 0.2, 14), SOFT - 4)
    canvas.paint(canvas.everywhere(0.485 - 0.02 * np.sin(6 * y) - np.abs(x - 0.5), 8), AIR)
    mask = lung_mask(size)
    canvas.paint(Patch(slice(None), slice(None), mask), LUNG)
    _ribs(canvas, mask)
    canvas.paint(canvas.band(0.425, 0.05, 0.575, 1.1, 8), 146)
    canvas.add(canvas.band(0.465, 0.02, 0.535, 1.1, 10), 10)
    for level in np.arange(0.06, 1.0, 0.055):
        canvas.add(canvas.band(0.468, level, 0.532, level + 0.006, 3), -7)
    _airway(canvas)
    canvas.paint(canvas.ellipse(0.585, 0.315, 0.028, 0.045, 6), 150)
    return canvas.tones


@lru_cache(maxsize=4)
def lung_mask(size: int) -> Mask:
    """Return where lung is: 1 inside, soft edge."""
    canvas = Canvas.plain(size, AIR)
    return np.maximum(_lung(canvas, 0.25), _lung(canvas, 0.75))


def _lung(canvas: Canvas, centre: float) -> Mask:
    x, y = canvas.x, canvas.y
    lateral = (x - centre) if centre > 0.5 else (centre - x)
    # A dome above, a slightly bulging flank, a flat dome of the diaphragm below with a deep angle at the flank.
    top = 0.075 + 2.6 * (lateral + 0.03) ** 2 + 45 * np.maximum(np.abs(lateral) - 0.11, 0) ** 3
    dome = 0.895 + 0.9 * (lateral + 0.02) * np.abs(lateral + 0.02)
    floor = np.where(lateral > 0.05, dome + 1.6 * (lateral - 0.05) ** 2, dome)
    walls = np.abs(x - centre) - (0.17 - 0.03 * np.maximum(0.30 - y, 0) * (lateral < 0))
    return canvas.edge(np.maximum(np.maximum(top - y, y - floor), walls), 4)


def _ribs(canvas: Canvas, mask: Mask) -> None:
    x, y = canvas.x, canvas.y
    out = np.abs(x - 0.5)
    whole = slice(None)
    for k in range(9):
        centre = 0.115 + 0.088 * k + 0.33 * (out - 0.10) * (1.25 - out)
        shade = np.exp(-(((y - centre) / 0.013) ** 4)).astype(np.float32)
        canvas.add(Patch(whole, whole, shade * mask), 7)
        canvas.add(Patch(whole, whole, shade * (1 - mask) * (out > 0.42) * (out < 0.47)), 9)


def _airway(canvas: Canvas) -> None:
    canvas.paint(canvas.stroke([(0.5, -0.02), (0.5, CARINA - 0.012)], 0.036, 4), 112)
    canvas.paint(canvas.stroke([(0.5, CARINA - 0.014), (0.45, CARINA + 0.055)], 0.022, 4), 116)
    canvas.paint(canvas.stroke([(0.5, CARINA - 0.014), (0.555, CARINA + 0.050)], 0.020, 4), 116)


def heart(canvas: Canvas, grade: int, jitter: Jitter) -> None:
    """Draw the heart with the cardiothoracic ratio of its grade."""
    half = CTR[grade] * CHEST_WIDTH / 2 + jitter("heart", 0.003)
    canvas.paint(canvas.ellipse(0.50, 0.52, half, 0.13, 4), FLUID + 4)


def clavicles(canvas: Canvas, *, rotated: bool, jitter: Jitter) -> None:
    """Draw both clavicles; rotation moves one head to the midline and the other away."""
    near = "right" if jitter("turn", 1) < 0 else "left"
    for side, sign in (("right", -1), ("left", 1)):
        head = (0.045 if side == near else 0.10) if rotated else 0.07
        start = 0.5 + sign * head
        points = [(start, 0.138), (start + sign * 0.05, 0.126), (start + sign * 0.10, 0.122)]
        canvas.paint(canvas.stroke(points, 0.018, 2), BONE)
