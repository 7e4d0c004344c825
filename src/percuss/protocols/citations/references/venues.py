"""Journals and conferences: whether two notations name one venue."""

import re
from functools import lru_cache
from importlib import resources

from percuss.protocols.citations.references.names import fold

__all__ = ["is_preprint", "same_venue"]

_SMALL = frozenset("the of and in on for a an de la du des der und fur et y e del to its at".split())
_EDITION = re.compile(
    r"\b(?:\d{1,3}(?:st|nd|rd|th)|(?:19|20)\d\d|annual|thirty|twenty|forty|first|second|third|\w+(?:ieth|enth))\b"
)
_WRAP = re.compile(
    r"\b(?:proceedings|proc|of|the|in|conference track|main conference|papers|volume \w+|long papers)\b"
)
_PREPRINT = re.compile(r"\b(?:arxiv|corr|abs|biorxiv|medrxiv|preprints?|ssrn|research square|psyarxiv|osf)\b")


def is_preprint(venue: str) -> bool:
    """Say whether a venue is a preprint server."""
    return bool(_PREPRINT.search(fold(venue)))


@lru_cache(maxsize=4096)
def same_venue(one: str, other: str) -> bool:
    """Say whether two notations name one venue: abbreviated, by acronym, by a name of the shipped table.

    >>> same_venue("N Engl J Med", "The New England Journal of Medicine"), same_venue("ICML", "ICLR")
    (True, False)
    """
    first, second = _plain(one), _plain(other)
    if not first or not second or first == second:
        return first == second
    if _canonical(first) == _canonical(second):
        return True
    left, right = first.split(), second.split()
    if _abbreviates(left, right) or _abbreviates(right, left):
        return True
    return _acronym_of(left, right) or _acronym_of(right, left)


def _plain(venue: str) -> str:
    text = re.sub(r"\([^)]{0,80}\)", " ", venue) if not re.fullmatch(r"\([^)]*\)", venue.strip()) else venue
    text = re.sub(r"\b(?:vol|volume|no|pp|pages)\b.*$", "", fold(text.replace("&", " and ")))
    words = [word for word in text.split() if word not in _SMALL]
    return " ".join(words)


@lru_cache(maxsize=4096)
def _canonical(plain: str) -> str:
    table = _table()
    if plain in table:
        return table[plain]
    bare = " ".join(_WRAP.sub(" ", _EDITION.sub(" ", plain)).split())
    if bare in table:
        return table[bare]
    for name, canonical in table.items():
        if len(name.split()) > 3 and f" {name} " in f" {bare} ":
            return canonical
    return bare


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    """Return folded name -> canonical name, from the shipped file of one venue a line, names parted by `|`."""
    raw = resources.files("percuss.protocols.citations.references").joinpath("venues.txt").read_text("utf-8")
    table: dict[str, str] = {}
    for line in raw.splitlines():
        names = [_plain(name) for name in line.split("|") if name.strip()]
        table.update(dict.fromkeys(names, names[0]) if names and not line.startswith("#") else {})
    return table


def _abbreviates(short: list[str], long: list[str]) -> bool:
    """Say whether every word of one begins (or contracts) the word in the same place of the other, none left over."""
    if len(short) != len(long) or len("".join(short)) >= len("".join(long)):
        return False
    return all(_begins(word, whole) for word, whole in zip(short, long, strict=True))


def _begins(word: str, whole: str) -> bool:
    if whole.startswith(word):
        return True
    # contractions keep the first letter and the order: "natl" of "national", "dtsch" of "deutsche"
    place = 0
    for letter in word:
        place = whole.find(letter, place) + 1
        if place == 0:
            return False
    return word[0] == whole[0] and len(word) >= 3


def _acronym_of(short: list[str], long: list[str]) -> bool:
    return (
        len(short) == 1
        and len(long) > 2
        and len(short[0]) == len(long)
        and short[0] == "".join(w[0] for w in long)
    )
