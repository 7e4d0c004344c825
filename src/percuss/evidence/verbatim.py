"""Quotes of an evaluator, found in raw text with offsets (papers/1 section 4.3; decisions in definitions/explanation).

Text is normalised as in section 4.3 (NFKC, straight quotes, no zero-width characters, white space collapsed), but each
character keeps its place, so offsets refer to the raw text. A quote may differ by floor(2%) edits: below 50 characters
it has to be exact, and a longer one that differs in a number, a side, a direction or a negation isn't verbatim, however near it is.
"""

import re
import unicodedata
from collections import Counter

from percuss.text.quotes import locate

__all__ = ["ALLOWED", "find_quote", "normal"]

#: Edits allowed, as a share of the quote's length (papers/1 section 4.3).
ALLOWED = 0.02
_WORD = re.compile(r"[^\W\d_]+|-?\d+(?:[.,]\d+)*|[<>%]")
_TURNS = frozenset(
    "no not none nor never without cannot neither absent present negative positive normal abnormal left right bilateral both unilateral medial lateral "
    "anterior posterior superior inferior proximal distal upper lower apical basal above below over under before after increased decreased increase decrease "
    "increasing decreasing rising falling higher lower larger smaller more less greater fewer most least better worse improved worsened "
    "raised reduced elevated high low mild moderate severe < > %".split()
)
"""Words and signs that turn a statement: negation, side, place, direction, degree."""
_PREFIXES = ("un", "in", "im", "ir", "non", "dis", "ab", "a")
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
    if _turned(wanted, body[found.start : found.stop]):
        return None
    return places[found.start], places[found.stop - 1] + 1, edits


def _turned(quote: str, text: str) -> bool:
    """Whether two wordings differ in a number, or in a word that turns a statement or is turned by its first syllable."""
    here, there = (Counter(_WORD.findall(each.lower())) for each in (quote, text))
    lost, added = here - there, there - here
    if any(word in _TURNS or word[-1].isdigit() for word in (*lost, *added)):
        return True
    return any(_opposite(one, other) or _opposite(other, one) for one in lost for other in added)


def _opposite(one: str, other: str) -> bool:
    """Whether a word is another with a syllable before it that negates or turns it ("unremarkable", "hypertension")."""
    turned = one.startswith("hyper") and other == f"hypo{one[5:]}"
    return turned or any(one == f"{prefix}{other}" for prefix in _PREFIXES)
