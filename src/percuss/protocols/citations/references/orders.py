"""Names written out with the surname first: Smith John, Doe A. · Wang Lei, Zhang Xiaoming · SMITH John.

Nothing in one such name tells its order; the names beside it do: one that ends in initials, given names of the shipped list,
surnames that stand first where they are written so, capitals.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

from percuss.protocols.citations.references.names import FAMILIES_FIRST, fold, is_body, parse_name
from percuss.protocols.citations.references.record import Name

__all__ = ["COMMAS", "WRITTEN_OUT", "surname_first"]

_UPPER = r"[A-ZÀ-ÖØ-ÞĀ-Ž]"
_PART = r"(?:(?:van|von|der|den|de|del|della|di|da|dos|la|le|el|al|bin|ter|ten)\s)"
_WORD = rf"(?:[dDlLO]['’])?{_UPPER}[\w’'‐-]{{1,40}}"
_INITIALS = rf"{_UPPER}{{1,3}}|(?:{_UPPER}\.\s?){{1,3}}"
WRITTEN_OUT = re.compile(
    rf"{_PART}{{0,3}}{_WORD}(?:\s{_WORD}){{0,3}}(?:\s(?:{_INITIALS}))?(?=[,.;]|\s?\(|\sand\s|\s&\s|\set\.?\sal\b|$)"
)
"""One name of words and perhaps initials at its end, of which something follows that may stand behind a name."""
COMMAS = re.compile(
    r",\s(.{12,300}?),\s([A-Z][\w.&\- ]{2,80}?),?\s\d{1,4}(?:\s?\(\d{1,4}\))?\s\((?:19|20)\d\d\)"
)
"""What follows names where nothing but commas parts them, title and journal: J. Smith, A. Doe, Rest in sepsis, Lancet 395 (2020) 10-20."""
_ENDS_IN_INITIALS = re.compile(rf"\s(?:{_INITIALS})$")
# JR behind a surname are initials, Jr behind initials is none
_SUFFIX = re.compile(
    rf"(?:\s(?:Jr|Sr|2nd|3rd)\.?|(?<=\s{_UPPER})\sI{{2,3}}|(?<=\s{_UPPER}{_UPPER})\sI{{2,3}})$"
)
_ASIAN = frozenset(FAMILIES_FIRST.lower().split("|"))


@lru_cache(maxsize=1)
def _given() -> frozenset[str]:
    raw = (
        resources.files("percuss.protocols.citations.references")
        .joinpath("given_names.txt")
        .read_text("utf-8")
    )
    return frozenset(word for line in raw.splitlines() if not line.startswith("#") for word in line.split())


def surname_first(written: Sequence[str]) -> tuple[Name, ...] | None:
    """Read names that stand one after another; None where nothing says that surnames stand first.

    Args:
        written: the names in order, groups among them.

    >>> [name.family for name in surname_first(("Smith John", "Doe A"))], surname_first(("John Smith", "Anna Doe"))
    (['Smith', 'Doe'], None)
    """
    people = [each for each in written if not is_body(each)]
    if not people or any(" " not in each for each in people):
        return None
    initialed = [each for each in people if _ENDS_IN_INITIALS.search(each)]
    signs = [_sign(each) for each in people if each not in initialed]
    if any(sign < 0 for sign in signs) and not all(map(_in_capitals, people)):
        return None
    if not initialed and sum(signs) < max(1, len(signs) / 2):
        return None
    return tuple(Name(family=each, literal=True) if is_body(each) else _read(each) for each in written)


def _sign(name: str) -> int:
    """Return 1 where a name's words say that its surname stands first, -1 where they say that it stands last, else 0."""
    words = fold(name).split()
    first = words[0] in _ASIAN or _in_capitals(name) or words[-1] in _given()
    last = words[-1] in _ASIAN or words[0] in _given()
    return int(first) - int(last)


def _in_capitals(name: str) -> bool:
    first, last = name.split(maxsplit=1)[0], name.rsplit(maxsplit=1)[-1].rstrip(".")
    return first.isupper() and len(first) > 2 and (not last.isupper() or len(last) < 3)


def _read(name: str) -> Name:
    """Cut a name before its given names: the known ones and initials at its end, else its last word."""
    words = _SUFFIX.sub("", name).split()
    if fold(words[0]) in _ASIAN and not _ENDS_IN_INITIALS.search(name):
        return Name(family=words[0], given=" ".join(words[1:]))
    cut = len(words)
    while cut > 1 and (re.fullmatch(_INITIALS, words[cut - 1]) or fold(words[cut - 1]) in _given()):
        cut -= 1
    cut = min(cut, len(words) - 1)
    family, given = " ".join(words[:cut]), " ".join(words[cut:])
    return parse_name(name) if not family else Name(family=family, given=given)
