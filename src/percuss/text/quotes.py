"""Find a quoted passage in a text, with offsets, allowing edits of at most 2% of its length (at least one).

The search is exact: by the pigeonhole principle one of k + 1 pieces of the quote stands unchanged in any passage within k
edits, and each place where one stands is aligned by bit-parallel edit distance (Myers 1999). A window search with strides, which
misses most one-character differences, is a known fault of released code.
"""

from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

__all__ = ["Located", "edits_allowed", "locate", "located"]

ALLOWED = 0.02
_FOLD = str.maketrans(
    {
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "‘": "'",
        "’": "'",
        "‚": "'",
        "–": "-",
        "—": "-",
        "−": "-",
    }
    | {"‐": "-", "‑": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u00ad": "-"}
)


class Located(NamedTuple):
    """Where a quote stands: `text[start:stop]`, and how many edits lie between them (case and white space aside)."""

    start: int
    stop: int
    edits: int


def edits_allowed(length: int) -> int:
    """Return how many edits a quote of a length may have: 2% of it, rounded up, so one for short quotes."""
    return max(1, ceil(ALLOWED * length))


def locate(quote: str, text: str, *, edits: int | None = None) -> Located | None:
    """Return the place in a text that is nearest to a quote, or None.

    Args:
        quote: as quoted; case, typographic marks and white space don't count.
        text: where it should stand.
        edits: most insertions, deletions and substitutions; None = 2% of the quote.

    >>> locate("cluster of lymphocytes", "A dense cluster of lymphocites.")
    Located(start=8, stop=30, edits=1)
    """
    wanted, _ = _folded(quote.strip().strip("\"'“”‘’…. "))
    if not wanted:
        return None
    body, places = _folded(text)
    most = edits_allowed(len(wanted)) if edits is None else edits
    exact = body.find(wanted)
    if exact >= 0:
        return Located(places[exact], places[exact + len(wanted) - 1] + 1, 0)
    best: tuple[int, int, int] | None = None
    for low, high in _windows(wanted, body, most):
        found = _align(wanted, body, low, high, most if best is None else best[2] - 1)
        best = found or best
        if best is not None and best[2] <= 1:
            break
    if best is None:
        return None
    start, stop, distance = best
    return Located(places[start], places[stop - 1] + 1, distance)


def located(quote: str, texts: tuple[str, ...] | list[str]) -> tuple[int, Located] | None:
    """Return the number of the text in which a quote stands, and where; the text with fewest edits wins."""
    hits = [
        (found.edits, number, found) for number, text in enumerate(texts) if (found := locate(quote, text))
    ]
    return min(hits)[1:] if hits else None


@lru_cache(maxsize=64)
def _folded(text: str) -> tuple[str, list[int]]:
    """Fold case and marks, leave white space out; return the text with each character's place in the original."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(_FOLD)):
        if not character.isspace():
            low = character.lower()
            characters.append(low if len(low) == 1 else character)
            places.append(place)
    return "".join(characters), places


def _windows(wanted: str, body: str, most: int) -> list[tuple[int, int]]:
    """Return the stretches of the text in which one of k + 1 pieces of the quote stands, merged."""
    pieces = most + 1
    edges = [round(number * len(wanted) / pieces) for number in range(pieces + 1)]
    spans: list[tuple[int, int]] = []
    for first, last in pairwise(edges):
        piece = wanted[first:last]
        at = body.find(piece) if piece else -1
        while at >= 0:
            spans.append((max(0, at - first - most), min(len(body), at - first + len(wanted) + most)))
            at = body.find(piece, at + 1)
    if not all(edges[i] < edges[i + 1] for i in range(pieces)):
        return [(0, len(body))]  # a quote shorter than its allowed edits
    merged: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _align(wanted: str, body: str, low: int, high: int, most: int) -> tuple[int, int, int] | None:
    """Return (start, stop, edits) of the best passage between two places, or None if it needs more than `most`."""
    if most < 0:
        return None
    end, distance = _best_end(wanted, body[low:high])
    if distance > most:
        return None
    stop = low + end
    first = max(low, stop - len(wanted) - distance)
    back, _ = _best_end(wanted[::-1], body[first:stop][::-1], anchored=True)
    return stop - back, stop, distance


def _best_end(wanted: str, body: str, *, anchored: bool = False) -> tuple[int, int]:
    """Return (end, edits) of the substring of `body` nearest to `wanted`; anchored: of the prefix nearest to it.

    Myers' bit-parallel algorithm on Python's integers: one step a character, whatever the number of edits.
    """
    if anchored:
        shortest = max(1, len(wanted) - edits_allowed(len(wanted)) - 1)
        ends = range(min(shortest, len(body)), len(body) + 1)
        scored = ((Levenshtein.distance(wanted, body[:end]), abs(end - len(wanted)), end) for end in ends)
        distance, _, end = min(scored, default=(len(wanted), 0, 0))
        return end, distance
    size = len(wanted)
    masks: dict[str, int] = {}
    for place, character in enumerate(wanted):
        masks[character] = masks.get(character, 0) | 1 << place
    full, top = (1 << size) - 1, 1 << (size - 1)
    plus, minus, score = full, 0, size
    best_end, best = 0, size
    for end, character in enumerate(body, start=1):
        equal = masks.get(character, 0)
        vertical = equal | minus
        horizontal = (((equal & plus) + plus) ^ plus) | equal
        up = minus | (full & ~(horizontal | plus))
        down = plus & horizontal
        if up & top:
            score += 1
        elif down & top:
            score -= 1
        up = (up << 1) & full  # a match may begin anywhere: nothing is carried in
        down = (down << 1) & full
        plus = down | (full & ~(vertical | up))
        minus = up & vertical
        if score < best:
            best_end, best = end, score
    return best_end, best
