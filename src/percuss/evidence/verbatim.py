"""Quotes of an evaluator, found in raw text with offsets (papers/1 section 4.3; decisions in definitions/explanation).

Text is normalised as in section 4.3 (NFKC, straight quotes, no zero-width characters, white space collapsed), but each
character keeps its place, so offsets refer to the raw text. A quote may differ by floor(2%) edits: below 50 characters
it has to be exact.
"""

import unicodedata

from percuss.text.quotes import locate

__all__ = ["ALLOWED", "find_quote", "normal"]

#: Edits allowed, as a share of the quote's length (papers/1 section 4.3).
ALLOWED = 0.02
_DROPPED = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_MARKS = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'"}


def normal(text: str) -> tuple[str, list[int]]:
    """Return a text normalised, with each character's place in the original.

    >>> normal("a\u00a0\u200b “b”")
    ('a "b"', [0, 1, 4, 5, 6])
    """
    out: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character in _DROPPED:
            continue
        for piece in unicodedata.normalize("NFKC", _MARKS.get(character, character)):
            plain = " " if piece.isspace() else piece
            if plain == " " and (not out or out[-1] == " "):
                continue
            out.append(plain)
            places.append(place)
    while out and out[-1] == " ":
        out.pop()
        places.pop()
    return "".join(out), places


def find_quote(quote: str, text: str) -> tuple[int, int, int] | None:
    """Return where a quote stands: start and stop in the raw text, and edits; None where it doesn't.

    Args:
        quote: as the evaluator wrote it.
        text: the raw reasoning.
    """
    from rapidfuzz.distance import Levenshtein

    wanted, _ = normal(quote)
    body, places = normal(text)
    if not wanted:
        return None
    allowed = int(ALLOWED * len(wanted))
    at = body.find(wanted)
    if at >= 0:
        return places[at], places[at + len(wanted) - 1] + 1, 0
    if allowed == 0:
        return None
    found = locate(wanted, body, edits=allowed)
    if found is None:
        return None
    # The search folds case and white space and leaves marks at the quote's ends out; the rule doesn't fold.
    edits = Levenshtein.distance(wanted.strip("\"'. "), body[found.start : found.stop], score_cutoff=allowed)
    if edits > allowed:
        return None
    return places[found.start], places[found.stop - 1] + 1, edits
