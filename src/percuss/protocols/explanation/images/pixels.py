"""Pixels from bytes and back, and the few filters over them: Pillow decodes, numpy and scipy do the rest."""

import io

import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import BadInput

__all__ = [
    "components",
    "decoded",
    "dilated",
    "eroded",
    "grey_of",
    "otsu",
    "smaller",
    "smoothed",
    "thumbnail",
]

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]

_BINOMIAL = np.array([1, 4, 6, 4, 1]) / 16
"""A bell of five pixels: the binomial weights, which add up to one."""


def decoded(data: bytes, *, grey: bool = False) -> Grey:
    """Decode a picture.

    Args:
        data: PNG, JPEG or another format of Pillow. grey: make one channel of it (ITU-R 601-2 luma).

    Returns:
        (h, w) of a grey picture, else (h, w, 3), red first; 16 bits are cut to the upper eight.

    Raises:
        BadInput: the bytes are no picture.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as opened:
            if opened.mode.startswith("I;16"):
                return (np.asarray(opened) >> 8).astype(np.uint8)
            if grey or opened.mode in {"1", "L"}:
                return np.asarray(opened.convert("L"))
            return np.asarray(opened.convert("RGB"))
    except UnidentifiedImageError:
        raise BadInput(
            f"{len(data)} bytes are no picture that can be read; expected PNG, JPEG or the like"
        ) from None
    except (OSError, ValueError) as error:
        raise BadInput(f"a picture of {len(data)} bytes can't be read to its end: {error}") from None


def grey_of(data: bytes) -> Grey:
    """Decode a picture to one channel, which can't be written to.

    Args:
        data: as `decoded` takes it.

    Raises:
        BadInput: the bytes are no picture.
    """
    image = decoded(data, grey=True)
    image.flags.writeable = False
    return image


def thumbnail(data: bytes, *, side: int, quality: int) -> bytes:
    """Return a picture as a WebP no longer than so many pixels on its longer side.

    Args:
        data: as `decoded` takes it. side: pixels. quality: of the WebP, 1 to 100.
    """
    from PIL import Image

    image = Image.fromarray(decoded(data))
    scale = min(1.0, side / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    out = io.BytesIO()
    image.resize(size, Image.Resampling.BOX).save(out, "WEBP", quality=quality)
    return out.getvalue()


def smaller(image: Grey, size: tuple[int, int]) -> Grey:
    """Return an image averaged over the areas of fewer pixels.

    Args:
        image: (h, w). size: (width, height) of the result, pixels.
    """
    from PIL import Image

    return np.asarray(Image.fromarray(image).resize(size, Image.Resampling.BOX))


def smoothed(image: NDArray[np.float32], *, bell: bool = False) -> NDArray[np.float32]:
    """Return the mean of the 5 x 5 pixels around each, mirrored at the edges.

    Args:
        image: (h, w). bell: weigh what is nearer more, by binomial weights.
    """
    from scipy import ndimage

    smooth: NDArray[np.float32]
    if not bell:
        smooth = ndimage.uniform_filter(image, 5, mode="mirror")
        return smooth
    smooth = ndimage.convolve1d(image, _BINOMIAL, axis=0, mode="mirror")
    smooth = ndimage.convolve1d(smooth, _BINOMIAL, axis=1, mode="mirror")
    return smooth


def dilated(mask: Mask) -> Mask:
    """Return where any of the 5 x 5 pixels around is set.

    Args:
        mask: (h, w).
    """
    wide = mask.copy()
    for axis in (0, 1):
        near = wide.copy()
        for step in (1, 2):
            ahead, behind = _shifted(axis, step)
            near[ahead] |= wide[behind]
            near[behind] |= wide[ahead]
        wide = near
    return wide


def eroded(mask: Mask) -> Mask:
    """Return where all of the 5 x 5 pixels around that lie in the picture are set.

    Args:
        mask: (h, w).
    """
    return ~dilated(~mask)


def _shifted(axis: int, step: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    whole = slice(None)
    ahead, behind = slice(step, None), slice(None, -step)
    return ((ahead, whole), (behind, whole)) if axis == 0 else ((whole, ahead), (whole, behind))


def otsu(image: Grey) -> int:
    """Return the level that parts dark from bright with the most variance between them (Otsu 1979).

    Args:
        image: (h, w); the level itself is dark.
    """
    counts = np.bincount(image.ravel(), minlength=256) / image.size
    below, mean = np.cumsum(counts), np.cumsum(counts * np.arange(256))
    parted = (below > 0) & (below < 1)
    between = np.where(
        parted, (mean[-1] * below - mean) ** 2 / np.where(parted, below * (1 - below), 1), -1.0
    )
    return int(np.argmax(between))


def components(mask: Mask) -> list[tuple[tuple[slice, slice], Mask]]:
    """Return the connected areas of a mask (four neighbours): the box of each, and its pixels in that box.

    Args:
        mask: (h, w).
    """
    from scipy import ndimage

    labels, _ = ndimage.label(mask)
    return [(box, labels[box] == number) for number, box in enumerate(ndimage.find_objects(labels), 1)]
