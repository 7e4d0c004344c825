"""Sentence vectors of a corpus, made once: batches by length, kept beside the passages and found again by content."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from percuss.core.ids import b2
from percuss.core.ports import Embedder

__all__ = ["FILE", "embedded"]

FILE = "vectors.npz"
"""Where vectors are kept, beside passages.jsonl: keys and rows, as float16."""
_SAVED_EVERY = 2_048
Rows = NDArray[np.float32]
Heard = Callable[[int, int], None]


async def embedded(
    texts: Sequence[str], embedder: Embedder, folder: Path, *, heard: Heard | None = None
) -> dict[str, Rows]:
    """Return text -> unit vector, shape (d,).

    Args:
        texts: sentences; the same one twice is embedded once. embedder: its id and pin are part of a vector's key.
        folder: where vectors are kept. heard: told how many of how many are done.

    What was embedded before is read from the folder; an interrupted start loses at most the last 2,048.
    """
    known = _read(folder / FILE)
    pin = f"{embedder.id} {getattr(embedder, 'pin', '')}"
    keys = {text: b2(pin, text) for text in dict.fromkeys(texts)}
    missing = sorted((text for text, key in keys.items() if key not in known), key=len)
    done = len(keys) - len(missing)
    for at in range(0, len(missing), _SAVED_EVERY):
        part = missing[at : at + _SAVED_EVERY]
        for text, row in zip(part, await _rows(part, embedder.embed), strict=True):
            known[keys[text]] = row
        _write(folder / FILE, known)
        if heard is not None:
            heard(done + at + len(part), len(keys))
    return {text: np.asarray(known[key], dtype=np.float32) for text, key in keys.items()}


async def _rows(texts: list[str], embed: Callable[[Sequence[str]], Awaitable[Rows]]) -> Rows:
    """Return unit vectors, rounded as they are kept so that a first and a second ingest see the same numbers."""
    rows = await embed(texts)
    return np.asarray(rows, dtype=np.float16)


def _read(path: Path) -> dict[str, Rows]:
    if not path.is_file():
        return {}
    try:
        with np.load(path, allow_pickle=False) as held:
            return dict(zip(held["keys"].tolist(), held["rows"], strict=True))
    except (ValueError, OSError, KeyError):
        return {}  # a broken file is no reason to stop: its vectors are made again


def _write(path: Path, known: dict[str, Rows]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez(part, keys=np.array(list(known)), rows=np.stack(list(known.values())).astype(np.float16))
    part.replace(path)
