"""Exact and near duplicates: MinHash over five-word shingles, candidates confirmed by their true Jaccard."""

import re
import zlib
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from percuss.protocols.textbook.ingest.tokens import tokens

__all__ = ["NEAR", "SHINGLE", "duplicates", "jaccard", "shingles"]

NEAR = 0.80
"""Jaccard from which two passages are near duplicates (definitions, "Ingest")."""
SHINGLE = 5
"""Words of a shingle (definitions, "Ingest")."""
_HASHES, _BANDS = 128, 32
_PRIME = np.uint64((1 << 31) - 1)
Codes = NDArray[np.uint64]


def shingles(text: str) -> frozenset[int]:
    """Return the five-word shingles of a text as codes; a shorter text is one shingle."""
    words = [word.lower() for word in tokens(text)]
    if len(words) <= SHINGLE:
        return frozenset({zlib.crc32(" ".join(words).encode())})
    return frozenset(
        zlib.crc32(" ".join(words[at : at + SHINGLE]).encode()) for at in range(len(words) - SHINGLE + 1)
    )


def jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    """Return shared shingles over all shingles of two texts; 1 for two without any."""
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def duplicates(texts: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Return which texts repeat an earlier one: place -> (place of the earlier one, `exact` or `near`).

    Args:
        texts: in the order in which they are kept; the first of each kind stays.

    An earlier text that fell itself still makes later ones fall, so that a chain leaves its first link alone.
    """
    found: dict[int, tuple[int, str]] = {}
    seen: dict[str, int] = {}
    for at, text in enumerate(texts):
        bare = re.sub(r"\W+", " ", text.lower()).strip()
        if bare in seen:
            found[at] = (seen[bare], "exact")
        else:
            seen[bare] = at
    kept = [at for at in range(len(texts)) if at not in found]
    held = {at: shingles(texts[at]) for at in kept}
    buckets: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)
    for at in kept:
        keys = [(band, row.tobytes()) for band, row in enumerate(_signature(held[at]).reshape(_BANDS, -1))]
        earlier = sorted({other for key in keys for other in buckets[key]})
        match = next((other for other in earlier if jaccard(held[at], held[other]) >= NEAR), None)
        if match is not None:
            found[at] = (match, "near")
        for key in keys:
            buckets[key].append(at)
    return found


def _signature(held: frozenset[int]) -> Codes:
    """Return the MinHash signature, shape (128,)."""
    codes = np.fromiter(held, dtype=np.uint64, count=len(held)) % _PRIME
    a, b = _coefficients()
    made: Codes = ((a[:, None] * codes[None, :] + b[:, None]) % _PRIME).min(axis=1)
    return made


def _coefficients() -> tuple[Codes, Codes]:
    draws = np.random.default_rng(20_250_401)  # fixed: signatures of two runs are the same
    return draws.integers(1, int(_PRIME), _HASHES, dtype=np.uint64), draws.integers(
        0, int(_PRIME), _HASHES, dtype=np.uint64
    )
