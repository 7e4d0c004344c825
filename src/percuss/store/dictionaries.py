"""Calls of a model share most of their words: what earlier ones said is the dictionary that later ones are packed with.

A dictionary is some calls of the model as they were, kept once in the run. Which one a packed row needs stands before it.
"""

import sqlite3
import threading
from functools import lru_cache
from hashlib import blake2b

from percuss.core.errors import RunError
from percuss.store.packed import LEVEL, pack, unpack, zstd

__all__ = ["pack_call", "unpack_call"]

MADE_AT = frozenset({16, 256, 1_024, 4_096})
"""After so many calls of a model its dictionary is made, and made anew: a run's first calls are of few cases and arms."""
SAMPLES, BYTES = 256, 65_536
"""Of the last so many calls at most, so long at most: what lies further back costs more to point at than to say again."""
_SHARE = 0.15
"""A call that packs to less than this of its size alone tells a dictionary nothing new."""
_LEVEL = 9
"""Of what is packed with a dictionary: a tenth smaller than at 3, in 20 microseconds more."""
_MARK, _ID = b"\x01", 8
_OWN = threading.local()


def pack_call(
    db: sqlite3.Connection, model: str, request: bytes, reply: bytes | None
) -> tuple[bytes, bytes | None]:
    """Return a call's request and reply compressed, with the model's dictionary where the run has one.

    Args:
        db: connection to the run, in a transaction. model: its id. request, reply: as they are; None: it failed.
    """
    seen, name = db.execute(
        "INSERT INTO dictionary_use (model, calls) VALUES (?, 1) "
        "ON CONFLICT (model) DO UPDATE SET calls = calls + 1 RETURNING calls, dictionary",
        (model,),
    ).fetchone()
    if seen in MADE_AT:
        name = _made(db, model) or name
        db.execute("UPDATE dictionary_use SET dictionary = ? WHERE model = ?", (name, model))
    if name is None:
        return pack(request), None if reply is None else pack(reply)
    known = _known(db, name)
    return _packed(request, known, name), None if reply is None else _packed(reply, known, name)


def unpack_call(db: sqlite3.Connection, data: bytes) -> bytes:
    """Return the bytes of a call's request or reply.

    Raises:
        RunError: a damaged row, or its dictionary is gone.
    """
    if not data.startswith(_MARK):
        return unpack(data)
    start = len(_MARK) + _ID
    try:
        return bytes(zstd.decompress(data[start:], zstd_dict=_known(db, data[len(_MARK) : start])))
    except zstd.ZstdError as error:
        raise RunError(
            f"a compressed row of the run cannot be read ({error}); run percuss verify to see what else is damaged"
        ) from error


def _packed(data: bytes, known: zstd.ZstdDict, name: bytes) -> bytes:
    # One compressor a thread, as in `pack`: making one costs more than compressing a reply.
    held: tuple[bytes, zstd.ZstdCompressor] | None = getattr(_OWN, "compressor", None)
    if held is None or held[0] != name:
        held = _OWN.compressor = (name, zstd.ZstdCompressor(level=_LEVEL, zstd_dict=known.as_digested_dict))
    return _MARK + name + bytes(held[1].compress(data, zstd.ZstdCompressor.FLUSH_FRAME))


def _made(db: sqlite3.Connection, model: str) -> bytes | None:
    """Make a dictionary of a model's last calls and keep it; return its name, or None where there are none."""
    rows = db.execute(
        "SELECT request, reply FROM calls WHERE model = ? AND reply IS NOT NULL ORDER BY rowid DESC LIMIT ?",
        (model, SAMPLES),
    ).fetchall()
    content = b""
    for row in rows:
        said = b"".join(unpack_call(db, column) for column in row)
        if len(content) + len(said) > BYTES:
            continue
        packed = zstd.compress(said, LEVEL, zstd_dict=_raw(content)) if content else said
        if len(packed) > _SHARE * len(zstd.compress(said, LEVEL)):
            content = said + content
    if not content:
        return None
    name = blake2b(content, digest_size=_ID).digest()
    db.execute("INSERT OR IGNORE INTO dictionaries (name, content) VALUES (?,?)", (name, pack(content)))
    return name


def _raw(content: bytes) -> zstd.ZstdDict:
    return zstd.ZstdDict(content, is_raw=True)


def _known(db: sqlite3.Connection, name: bytes) -> zstd.ZstdDict:
    row = db.execute("SELECT content FROM dictionaries WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise RunError("a call's dictionary is missing from the run; restore the folder from a copy")
    return _unpacked(row[0])


@lru_cache(maxsize=64)
def _unpacked(content: bytes) -> zstd.ZstdDict:
    """Made once: it costs more than packing a hundred calls."""
    return _raw(unpack(content))
