"""A picture as the simulated reader gets it: decoded bytes, cues found by colour and by black, the grey beneath them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from percuss.protocols.explanation.images.pixels import decoded, dilated

__all__ = ["Box", "Film", "film"]

Box = tuple[float, float, float, float]
#: Red must lead green by this much to be a cue: compression and rounding stay below.
_TINT = 10.0
#: Above this weight of red nothing of the film is left to read.
_OPAQUE = 0.9
#: Devices are brighter than any tissue; a rim around them is mixed with tissue and says nothing.
_DEVICE = 226.0
#: A uniform picture shows nothing.
_FLAT = 1


@dataclass(frozen=True)
class Film:
    """A decoded picture.

    Args:
        grey: tones below any tint, shape (h, w).
        tint: weight of red, 0..1.
        black: pixels that are 0 in every channel.
        readable: pixels that show tissue: not black, not opaque, not device or its rim.
        device: pixels of devices.
        flat: the whole picture is one tone.
    """

    grey: NDArray[np.float32]
    tint: NDArray[np.float32]
    black: NDArray[np.bool_]
    readable: NDArray[np.bool_]
    device: NDArray[np.bool_]
    flat: bool

    def cut(self, box: Box) -> tuple[slice, slice]:
        """Return rows and columns of a box given in fractions."""
        height, width = self.grey.shape
        x0, y0, x1, y1 = box
        rows = slice(round(y0 * height), max(round(y1 * height), round(y0 * height) + 1))
        columns = slice(round(x0 * width), max(round(x1 * width), round(x0 * width) + 1))
        return rows, columns

    def part(self, box: Box) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return tones and readability inside a box."""
        where = self.cut(box)
        return self.grey[where], self.readable[where]

    def hidden(self, box: Box) -> bool:
        """Tell whether at least 60% of a box is black."""
        return self.flat or float(self.black[self.cut(box)].mean()) >= 0.6

    def tinted(self, box: Box) -> bool:
        """Tell whether a box of the questionnaire is marked in colour: a frame along it, or a glow within."""
        where = self.tint[self.cut(box)]
        return float((where > 0.08).mean()) > 0.01

    def strength(self, box: Box) -> float:
        """Return the mean weight of red inside a box."""
        return float(self.tint[self.cut(box)].mean())

    def framed(self, box: Box) -> bool:
        """Tell whether a box has a black frame around a picture that is not black."""
        part = self.black[self.cut(box)]
        inner = part[part.shape[0] // 3 : -part.shape[0] // 3, part.shape[1] // 3 : -part.shape[1] // 3]
        rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
        return float(rim.mean()) > 0.5 and float(inner.mean()) < 0.5


def film(data: bytes) -> Film:
    """Decode a picture and separate cues from tissue.

    Args:
        data: PNG or JPEG bytes, as sent.

    Raises:
        BadInput: not a picture.
    """
    image = decoded(data)
    if image.ndim == 2:
        grey, tint = image.astype(np.float32), np.zeros(image.shape, np.float32)
        black = image == 0
    else:
        green = image[..., 1].astype(np.float32)
        lead = image[..., 0] - green
        tint = np.where(lead > _TINT, lead / 255, 0).astype(np.float32)
        grey = (green / np.maximum(1 - tint, 1 - _OPAQUE)).astype(np.float32)
        black = (image[..., 1] == 0) & (image[..., 2] == 0) & (image[..., 0] == 0)
    device = (grey >= _DEVICE) & (tint < _OPAQUE)
    rim = dilated(device)
    readable = ~black & (tint < _OPAQUE) & ~rim
    flat = bool(int(image.max()) - int(image.min()) <= _FLAT)
    return Film(grey, tint, black, readable, device, flat)
