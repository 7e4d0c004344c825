"""1 - normalised edit distance: how much of a text was read as it stands there."""

import unicodedata

from rapidfuzz.distance import Levenshtein

from percuss.protocols.skills.scorers.score import Score, text_of, unscored

__all__ = ["edit_similarity", "squeezed"]


def squeezed(text: str) -> str:
    """Return a text in NFKC with its white space collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def edit_similarity(answer: object, right: object) -> Score:
    """Return 100 (1 - Levenshtein / longer length); two empty texts are the same.

    Args:
        answer: the text as it was read; empty only where the item is empty. right: as it stands there.

    >>> edit_similarity("Hb 12.5  g/dl", "Hb 12.5 g/dL").parts["distance"]
    1.0
    """
    if not isinstance(right, str):
        return unscored("not_applicable:the item has no text")
    wanted = squeezed(right)
    if isinstance(answer, str) and not squeezed(answer) and not wanted:
        return Score(100.0, parts={"distance": 0.0})
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    read = squeezed(text)
    distance = Levenshtein.distance(read, wanted)
    return Score(100 * (1 - distance / max(len(read), len(wanted))), parts={"distance": float(distance)})
