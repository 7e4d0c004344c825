"""Soft drawing on a grey canvas: patches with smooth edges, in fractions of the picture's size."""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Canvas", "Mask", "Patch"]

Mask = NDArray[np.float32]


class Patch(NamedTuple):
    """A mask (1 = inside, soft edge) on a window of the canvas."""

    rows: slice
    columns: slice
    mask: Mask


@lru_cache(maxsize=8)
def _grid(size: int) -> tuple[Mask, Mask]:
    centre = (np.arange(size, dtype=np.float32) + np.float32(0.5)) / np.float32(size)
    x, y = np.meshgrid(centre, centre)
    x.flags.writeable = y.flags.writeable = False
    return x, y


class Canvas:
    """A square grey picture under construction.

    Args:
        tones: shape (size, size), float32; the canvas owns it.
    """

    def __init__(self, tones: Mask) -> None:
        self.size = tones.shape[0]
        self.x, self.y = _grid(self.size)
        self.tones = tones

    @classmethod
    def plain(cls, size: int, tone: float) -> "Canvas":
        """Return an even canvas of `size` pixels a side."""
        return cls(np.full((size, size), tone, np.float32))

    def window(self, x0: float, y0: float, x1: float, y1: float) -> tuple[slice, slice]:
        """Return rows and columns that hold a box given in fractions."""

        def span(low: float, high: float) -> slice:
            first = min(max(math.floor(low * self.size), 0), self.size)
            return slice(first, min(max(math.ceil(high * self.size), first), self.size))

        return span(y0, y1), span(x0, x1)

    def edge(self, distance: NDArray[np.floating], softness_px: float = 1.0) -> Mask:
        """Return a mask: 1 where a signed distance (fractions, negative inside) is negative, soft at 0."""
        ramp = np.float32(self.size / max(softness_px, 1e-3))
        inside: Mask = np.clip(np.float32(0.5) - distance.astype(np.float32) * ramp, 0, 1)
        return inside

    def paint(self, patch: Patch, tone: float) -> None:
        """Cover with a tone where the mask is 1."""
        part = self.tones[patch.rows, patch.columns]
        part += patch.mask * (np.float32(tone) - part)

    def add(self, patch: Patch, amount: float) -> None:
        """Lighten (or darken) by an amount where the mask is 1."""
        self.tones[patch.rows, patch.columns] += patch.mask * np.float32(amount)

    def everywhere(self, distance: NDArray[np.floating], softness_px: float = 1.0) -> Patch:
        """Return the patch of a signed distance given for the whole canvas."""
        return Patch(slice(None), slice(None), self.edge(distance, softness_px))

    def ellipse(self, x: float, y: float, rx: float, ry: float, softness_px: float = 2.0) -> Patch:
        """Return the patch of an ellipse."""
        margin = 2 * softness_px / self.size
        rows, columns = self.window(x - rx - margin, y - ry - margin, x + rx + margin, y + ry + margin)
        across = (self.x[rows, columns] - np.float32(x)) / np.float32(rx)
        along = (self.y[rows, columns] - np.float32(y)) / np.float32(ry)
        radius = np.sqrt(across * across + along * along)
        return Patch(rows, columns, self.edge((radius - 1) * np.float32(min(rx, ry)), softness_px))

    def blob(self, x: float, y: float, sigma: float) -> Patch:
        """Return a Gaussian spot of maximum 1."""
        reach = 4.5 * sigma
        rows, columns = self.window(x - reach, y - reach, x + reach, y + reach)
        square = (self.x[rows, columns] - np.float32(x)) ** 2 + (self.y[rows, columns] - np.float32(y)) ** 2
        return Patch(rows, columns, np.exp(square * np.float32(-0.5 / sigma**2)))

    def band(self, x0: float, y0: float, x1: float, y1: float, softness_px: float = 1.0) -> Patch:
        """Return the patch of an upright rectangle."""
        margin = 2 * softness_px / self.size
        rows, columns = self.window(x0 - margin, y0 - margin, x1 + margin, y1 + margin)
        x, y = self.x[rows, columns], self.y[rows, columns]
        across = np.maximum(np.float32(x0) - x, x - np.float32(x1))
        along = np.maximum(np.float32(y0) - y, y - np.float32(y1))
        return Patch(rows, columns, self.edge(np.maximum(across, along), softness_px))

    def stroke(self, points: Sequence[tuple[float, float]], width: float, softness_px: float = 1.0) -> Patch:
        """Return the patch of a line through points, with round ends.

        Args:
            points: (x, y) in fractions.
            width: of the line, in fractions.
            softness_px: width of the soft edge, in pixels.
        """
        margin = width / 2 + 2 * softness_px / self.size
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        rows, columns = self.window(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)
        x, y = self.x[rows, columns], self.y[rows, columns]
        nearest = np.full(x.shape, np.float32(9))
        for (ax, ay), (bx, by) in pairwise(points):
            dx, dy = np.float32(bx - ax), np.float32(by - ay)
            along = ((x - np.float32(ax)) * dx + (y - np.float32(ay)) * dy) / max(
                dx * dx + dy * dy, np.float32(1e-12)
            )
            along = np.clip(along, 0, 1)
            away = (x - (np.float32(ax) + along * dx)) ** 2 + (y - (np.float32(ay) + along * dy)) ** 2
            np.minimum(nearest, away, out=nearest)
        return Patch(rows, columns, self.edge(np.sqrt(nearest) - np.float32(width / 2), softness_px))
