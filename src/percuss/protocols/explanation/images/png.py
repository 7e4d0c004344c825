"""A fast PNG encoder: one row filter for all rows and ISA-L's deflate, so that edits, not encoding, set the pace."""

import struct
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEDIA_TYPE", "encode"]

MEDIA_TYPE = "image/png"
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: PNG specification (third edition), section 9.2: 1 = difference to the pixel on the left, 2 = to the row above.
_FILTERS = {"left": 1, "up": 2}
_COLOUR_TYPES = {1: 0, 3: 2}


def encode(image: NDArray[np.uint8], *, row_filter: Literal["up", "left"] = "up") -> bytes:
    r"""Encode an image as PNG; equal pixels and filter give equal bytes, another filter gives other bytes.

    Args:
        image: shape (height, width) for grey or (height, width, 3) for RGB, uint8. Grey costs a third.
        row_filter: the filter of every row.

    Raises:
        ValueError: another shape or type.

    >>> encode(np.zeros((2, 2), np.uint8))[:4]
    b'\x89PNG'
    """
    if image.dtype != np.uint8 or image.ndim not in {2, 3} or 0 in image.shape:
        raise ValueError(
            f"got an array of shape {image.shape}, {image.dtype}; expected (h, w) or (h, w, 3), uint8"
        )
    height, width = image.shape[:2]
    channels = 1 if image.ndim == 2 else image.shape[2]
    if channels not in _COLOUR_TYPES:
        raise ValueError(f"got {channels} channels; expected 1 or 3")
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    body = _deflate(_filtered(image.reshape(height, width * channels), channels, row_filter))
    return b"".join((_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", body), _chunk(b"IEND", b"")))


def _filtered(rows: NDArray[np.uint8], channels: int, row_filter: str) -> NDArray[np.uint8]:
    out = np.empty((rows.shape[0], rows.shape[1] + 1), np.uint8)
    out[:, 0] = _FILTERS[row_filter]
    if row_filter == "up":
        out[0, 1:] = rows[0]
        np.subtract(rows[1:], rows[:-1], out=out[1:, 1:])
    else:
        out[:, 1 : channels + 1] = rows[:, :channels]
        np.subtract(rows[:, channels:], rows[:, :-channels], out=out[:, channels + 1 :])
    return out


def _deflate(data: NDArray[np.uint8]) -> bytes:
    from isal import isal_zlib  # type: ignore[import-not-found,unused-ignore]

    packed: bytes = isal_zlib.compress(data, 1)
    return packed


def _chunk(name: bytes, data: bytes) -> bytes:
    from isal import isal_zlib

    crc = isal_zlib.crc32(data, isal_zlib.crc32(name))
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc)
