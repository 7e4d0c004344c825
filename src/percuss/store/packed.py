"""Zstandard for the two binary columns of `calls`; JSON text for every other structured column."""

import sys
import threading
from collections.abc import Hashable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from percuss.core.errors import RunError
from percuss.core.ids import canonical_json

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["LEVEL", "pack", "read_json", "unpack", "write_json", "zstd"]

T = TypeVar("T")

LEVEL = 3
"""Zstandard's own default: replies of 2 kB shrink to a third in some 10 microseconds."""


_OWN = threading.local()


def pack(data: bytes, *, level: int = LEVEL) -> bytes:
    """Compress bytes.

    Args:
        data: any. level: of Zstandard; a higher one than its default only for what is written once and is long.
    """
    if level != LEVEL:
        return bytes(zstd.compress(data, level))
    # One compressor a thread: making one costs six times as much as compressing a reply.
    compressor = getattr(_OWN, "compressor", None)
    if compressor is None:
        compressor = _OWN.compressor = zstd.ZstdCompressor(level=LEVEL)
    packed: bytes = compressor.compress(data, zstd.ZstdCompressor.FLUSH_FRAME)
    return packed


def unpack(data: bytes) -> bytes:
    """Return the bytes that `pack` was given.

    Raises:
        RunError: the bytes are not of `pack` (a damaged row).
    """
    try:
        unpacked: bytes = zstd.decompress(data)
    except zstd.ZstdError as error:
        raise RunError(
            f"a compressed row of the run cannot be read ({error}); run percuss verify to see what else is damaged"
        ) from error
    return unpacked


def write_json(value: Any) -> str:
    """Return a value as canonical JSON text, for a column that any SQL tool can read."""
    return canonical_json(value).decode()


@cache
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    # Making one costs as much as decoding twenty claims.
    return msgspec.json.Decoder(cast("type[Any]", kind))


def read_json(text: str, kind: type[T]) -> T:
    """Return the value of a JSON column as `kind`.

    Raises:
        RunError: the text does not hold such a value (a damaged or hand-edited row).
    """
    try:
        value: T = _decoder(cast("Hashable", kind)).decode(text)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise RunError(
            f"a row of the run does not hold what it should ({error}); run percuss verify to see what else is damaged"
        ) from error
    return value
