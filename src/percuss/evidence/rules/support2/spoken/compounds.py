"""A claim of several statements cut into them, where each can be read alone: at a semicolon, a colon, "and she ..", or a comma."""

import re
from collections.abc import Iterator

from percuss.text.cued import Cued

__all__ = ["cut", "head_of"]

_KEPT = Cued(
    r"\b(?:no|not|never|without|nor|neither|none|mother|father|sister|brother|aunt|uncle|family|may|might|could|possible|possibly|probable|suspected|if|risk|planned|stopped|history|rather|instead|than|either|both|between|from|before|after|since|because|although|despite|unless|respectively|together|combined|which|who|whose|that)\b|n['’]t\b"
)
"""Words whose reach a cut at a comma or at "and" could end: such a claim is cut at a full stop's kin alone."""
_STRONG = re.compile(r";\s+|(?<=[a-z)])\.\s+(?=[A-Z])")
_CLAUSE = re.compile(r",?\s(?:and|but)\s(?=(?:he|she|they|it|this|the\spatient|there)\s)|,\s(?:and|but)\s")
_COLON = re.compile(r":\s+")
_COMMA = re.compile(r",\s+|\s+\(|\)(?=\.?$)")
_SO = re.compile(r",?\s(?:so|hence|therefore|thus)(?:\sthat)?\s")
_SUBJECT = re.compile(r"^(?P<of>[A-Za-z][A-Za-z0-9 -]{2,40}?)\s(?:is|was|has|had|are|were)\s")
_IT = re.compile(r"^(?:it|this)\s", re.IGNORECASE)
_DATED = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:on|in|by)\s(?:\d{1,2}\s)?(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|\b(?:yesterday|today|ago|admission|arrival|later|earlier)\b"
)
_SEPARATED = re.compile(r"[;:,(]|\sand\s|\sbut\s|\.\s")
_MOST = 4
_FEWEST_LETTERS = 6
_MOST_WORDS = 7
"""Words of a piece at a comma from which on it is no item of a list."""


def cut(claim: str) -> Iterator[list[str]]:
    """Yield the ways in which a claim can be cut into statements, the surest first.

    Args:
        claim: the claim's text.

    >>> list(cut("Mitral regurgitation is now severe; it was moderate in 2024."))
    [['Mitral regurgitation is now severe', 'Mitral regurgitation was moderate in 2024']]
    """
    text = claim.strip().rstrip(". ")
    if not _SEPARATED.search(text):
        return
    for pattern, strong in ((_STRONG, True), (_CLAUSE, False), (_COLON, False), (_COMMA, False)):
        pieces = [piece.strip(" ,;") for piece in pattern.split(text)]
        pieces = [piece for piece in pieces if piece]
        if not 1 < len(pieces) <= _MOST or min(map(len, pieces)) < _FEWEST_LETTERS:
            continue
        if pattern is _COMMA and any(piece.count(" ") >= _MOST_WORDS for piece in pieces):
            continue
        if strong or not (_KEPT.search(text) or _of_one_day(pieces)):
            yield _resolved(pieces)


def head_of(claim: str) -> str:
    """Return what stands before a conclusion ("..., so any antibiotic is open to her"); "" where there is none.

    Args:
        claim: the claim's text.
    """
    found = _SO.split(claim.strip())
    return f"{found[0]}." if len(found) == 2 and len(found[0]) >= 4 else ""


def _of_one_day(pieces: list[str]) -> bool:
    """Tell whether a day that one piece names may be that of the others too."""
    dated = sum(_DATED.search(piece) is not None for piece in pieces)
    return 0 < dated < len(pieces)


def _resolved(pieces: list[str]) -> list[str]:
    """Return the pieces with "it" written out by the subject of the first."""
    subject = _SUBJECT.match(pieces[0])
    if subject is None:
        return pieces
    return [pieces[0], *(_IT.sub(f"{subject['of']} ", piece) for piece in pieces[1:])]
