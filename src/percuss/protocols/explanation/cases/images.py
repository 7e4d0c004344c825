"""From bytes of unknown origin to the grey picture that is sent; what is not one picture is a named error."""

import io
from pathlib import Path
from typing import Any

import numpy as np

from percuss.core.errors import BadInput
from percuss.protocols.explanation.images.image_edits import Pixels, normalise

__all__ = ["MAX_SIDE", "MIN_SIDE", "picture"]

#: A radiograph has at most about 5,000 pixels a side; beyond this, decoding alone could exhaust a machine.
MAX_SIDE = 8_192
#: Below this no region of Table S5 has more than a few pixels.
MIN_SIDE = 32
_GREY = {"1", "L", "LA", "I", "I;16", "I;16B", "I;16L", "F"}
_COLOUR = {"RGB", "RGBA", "P", "PA"}


def picture(data: bytes, source: str, *, line: int | None = None) -> Pixels:
    """Return the grey picture of a file, min-max normalised to 0..255 (papers/1 appendix E).

    Args:
        data: PNG, JPEG, TIFF, BMP or WebP bytes.
        source: named in errors.
        line: of the record that named the picture.

    Returns:
        Shape (height, width), uint8.

    Raises:
        BadInput: not a picture, truncated, CMYK, animated, too small or too large.
    """
    from PIL import Image, UnidentifiedImageError

    name = Path(source).name
    try:
        with Image.open(io.BytesIO(data)) as image:
            _refuse(image, name, source, line)
            image.load()
            grey = image if image.mode in _GREY - {"LA", "1"} else image.convert("L")
            return normalise(np.asarray(grey))
    except UnidentifiedImageError as error:
        start = data[:12].decode("latin-1", "replace")
        raise _bad(f"{name} is not a picture (it starts with {start!r})", source, line) from error
    except (OSError, SyntaxError, EOFError, ValueError) as error:
        raise _bad(
            f"{name} cannot be decoded, it seems truncated or damaged ({error})", source, line
        ) from error
    except Image.DecompressionBombError as error:
        raise _bad(f"{name} is too large to decode", source, line) from error


def _refuse(image: Any, name: str, source: str, line: int | None) -> None:
    width, height = image.size
    if max(width, height) > MAX_SIDE:
        raise _bad(f"{name} is {width} x {height} pixels; expected at most {MAX_SIDE} a side", source, line)
    if min(width, height) < MIN_SIDE:
        raise _bad(f"{name} is {width} x {height} pixels; expected at least {MIN_SIDE} a side", source, line)
    if getattr(image, "n_frames", 1) > 1:
        raise _bad(f"{name} is animated ({image.n_frames} frames); expected one picture", source, line)
    if image.mode not in _GREY | _COLOUR:
        raise _bad(f"{name} is {image.mode}; expected a grey or RGB picture", source, line)


def _bad(sentence: str, source: str, line: int | None) -> BadInput:
    return BadInput(f"{sentence}; give a single grey or RGB radiograph", source=source, line=line)
