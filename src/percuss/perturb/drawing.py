"""Soft drawing on a grey canvas: masks with smooth edges, in fractions of the picture's size."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["Canvas", "Mask"]

Mask = NDArray[np.float32]


@lru_cache(maxsize=8)
def _grid(size: int) -> tuple[Mask, Mask]:
    centre = (np.arange(size, dtype=np.float32) + np.float32(0.5)) / np.float32(size)
    x, y = np.meshgrid(centre, centre)
    x.flags.writeable = y.flags.writeable = False
    return x, y


class Canvas:
    """A square grey picture under construction.

    Args:
        size: pixels a side.
        tone: grey to start from, 0..255.
    """

    def __init__(self, size: int, tone: float) -> None:
        self.size = size
        self.x, self.y = _grid(size)
        self.tones = np.full((size, size), tone, np.float32)

    def edge(self, distance: Mask, softness_px: float = 1.0) -> Mask:
        """Return a mask: 1 where a signed distance (fractions, negative inside) is negative, soft at 0."""
        ramp = np.float32(self.size / max(softness_px, 1e-3))
        inside: Mask = np.clip(np.float32(0.5) - distance * ramp, 0, 1)
        return inside

    def paint(self, mask: Mask, tone: float) -> None:
        """Cover with a tone where the mask is 1."""
        self.tones += mask * (np.float32(tone) - self.tones)

    def add(self, mask: Mask, amount: float) -> None:
        """Lighten (or darken) by an amount where the mask is 1."""
        self.tones += mask * np.float32(amount)

    def ellipse(self, x: float, y: float, rx: float, ry: float, softness_px: float = 2.0) -> Mask:
        """Return the mask of an ellipse."""
        radius = np.sqrt(((self.x - np.float32(x)) / np.float32(rx)) ** 2 + ((self.y - np.float32(y)) / np.float32(ry)) ** 2)
        return self.edge((radius - 1) * np.float32(min(rx, ry)), softness_px)

    def blob(self, x: float, y: float, sigma: float) -> Mask:
        """Return a Gaussian spot of maximum 1."""
        square = (self.x - np.float32(x)) ** 2 + (self.y - np.float32(y)) ** 2
        spot: Mask = np.exp(square * np.float32(-0.5 / sigma**2))
        return spot

    def band(self, x0: float, y0: float, x1: float, y1: float, softness_px: float = 1.0) -> Mask:
        """Return the mask of an upright rectangle."""
        across = np.maximum(np.float32(x0) - self.x, self.x - np.float32(x1))
        along = np.maximum(np.float32(y0) - self.y, self.y - np.float32(y1))
        return self.edge(np.maximum(across, along), softness_px)

    def stroke(self, points: Sequence[tuple[float, float]], width: float, softness_px: float = 1.0) -> Mask:
        """Return the mask of a line through points, with round ends.

        Args:
            points: (x, y) in fractions.
            width: of the line, in fractions.
            softness_px: width of the soft edge, in pixels.
        """
        half = width / 2
        out = np.zeros((self.size, self.size), np.float32)
        for (ax, ay), (bx, by) in zip(points, points[1:], strict=False):
            rows, columns = self._window(ax, ay, bx, by, half + 2 * softness_px / self.size)
            x, y = self.x[rows, columns], self.y[rows, columns]
            dx, dy = bx - ax, by - ay
            along = ((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-12)
            along = np.clip(along, 0, 1)
            distance = np.hypot(x - (ax + along * dx), y - (ay + along * dy)) - half
            part = self.edge(distance.astype(np.float32), softness_px)
            np.maximum(out[rows, columns], part, out=out[rows, columns])
        return out

    def _window(self, ax: float, ay: float, bx: float, by: float, margin: float) -> tuple[slice, slice]:
        def span(p: float, q: float) -> slice:
            low = int(np.floor((min(p, q) - margin) * self.size))
            high = int(np.ceil((max(p, q) + margin) * self.size)) + 1
            return slice(max(low, 0), max(min(high, self.size), 0))

        return span(ay, by), span(ax, bx)
