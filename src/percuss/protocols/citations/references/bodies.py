"""Bodies that sign references: WHO and World Health Organization are one, by the shipped table or by their initials."""

import re
from collections.abc import Collection
from functools import lru_cache
from importlib import resources

from percuss.protocols.citations.references.names import fold

__all__ = ["bodies_in", "body_at_start", "same_bodies", "spelt_out"]

_SMALL = frozenset("the of and for on in to a an against de la des der und et".split())
_SHORT = re.compile(r"(?<![\w-])(?:[A-Z0-9][A-Z]{1,7}|\d[A-Z])(?![\w-])")
_NO_BODIES = frozenset(
    "BMJ JAMA NEJM PLOS MMWR DOI PMID PMCID ISBN ISSN URL HTTP USA HIV AIDS COPD COVID DNA RNA ICU RCT".split()
)
_LONGEST, _HEAD = 8, 120
"""Letters of an acronym that is spelt out by initials; characters within which a body's name ends at the start of a reference."""


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, str], dict[str, str], re.Pattern[str]]:
    """Return acronym -> acronym in lower case, folded name -> the same, and one pattern of all names, the longest first."""
    raw = resources.files("percuss.protocols.citations.references").joinpath("bodies.txt").read_text("utf-8")
    short: dict[str, str] = {}
    names: dict[str, str] = {}
    for line in raw.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        first, *rest = (part.strip() for part in line.split("|"))
        short[first] = first.lower()
        names.update({fold(name): first.lower() for name in rest})
    longest = sorted(names, key=len, reverse=True)
    return short, names, re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b")


@lru_cache(maxsize=4096)
def bodies_in(text: str) -> frozenset[str]:
    """Return the bodies of the table that a text names, by their acronyms in lower case.

    >>> sorted(bodies_in("World Health Organization (2021)")), sorted(bodies_in("NICE NG28"))
    (['who'], ['nice'])
    """
    short, names, pattern = _table()
    written = {short[match[0]] for match in _SHORT.finditer(text) if match[0] in short}
    return frozenset(written | {names[match[0]] for match in pattern.finditer(fold(text))})


def body_at_start(text: str) -> str:
    """Return the body's name with which a text begins, as it is written there; "" where it begins with none.

    >>> body_at_start("National Institute for Health and Care Excellence (2016) Sepsis.")
    'National Institute for Health and Care Excellence'
    """
    _, names, _ = _table()
    ends = [match.start() for match in re.finditer(r"\s?[.(:;,\"“]|\s(?=\d)|$", text[:_HEAD])]
    return next(
        (
            text[:end].rstrip(" .,:;")
            for end in reversed(ends)
            if fold(text[:end]).removeprefix("the ") in names
        ),
        "",
    )


def same_bodies(one: str, other: str) -> bool:
    """Say whether two texts name one body: of the table, or an acronym in one and the words that it begins in the other.

    >>> same_bodies("RCPCH (2020)", "Royal College of Paediatrics and Child Health (2020)")
    True
    """
    first, second = bodies_in(one), bodies_in(other)
    if first and second:
        return bool(first & second)
    named = {match[0] for match in _SHORT.finditer(one) if len(match[0]) > 2} - _NO_BODIES
    if named & {match[0] for match in _SHORT.finditer(other)}:
        return True
    return _by_initials(one, other) or _by_initials(other, one)


def _by_initials(short: str, long: str) -> bool:
    words = [word for word in re.findall(r"[^\W_]+", long) if word.lower() not in _SMALL]
    return any(_run(match[0], words) for match in _SHORT.finditer(short) if len(match[0]) > 2)


def _run(acronym: str, words: list[str]) -> tuple[int, int] | None:
    """Return where words in a row begin with the letters of an acronym; None where they don't."""
    wanted = acronym.lower()
    for start in range(len(words) - len(wanted) + 1):
        if all(words[start + i][0].lower() == letter for i, letter in enumerate(wanted)):
            return start, start + len(wanted)
    return None


def spelt_out(one: str, other: str) -> str:
    """Return a title with those acronyms spelt out whose words stand in the other title.

    >>> spelt_out("Management of COPD", "Management of chronic obstructive pulmonary disease")
    'Management of chronic obstructive pulmonary disease'
    """
    held = set(fold(other).split())
    words = [word for word in re.findall(r"[^\W_]+", other) if word.lower() not in _SMALL]
    short, names, _ = _table()
    known: Collection[str] = {key for name, key in names.items() if f" {name} " in f" {fold(other)} "}

    def written(match: re.Match[str]) -> str:
        acronym = match[0]
        if len(acronym) < 3 or fold(acronym) in held:
            return acronym
        if short.get(acronym) in known:
            return next(n for n, k in names.items() if k == short[acronym] and f" {n} " in f" {fold(other)} ")
        place = _run(acronym, words) if len(acronym) <= _LONGEST else None
        return " ".join(words[place[0] : place[1]]) if place else acronym

    return _SHORT.sub(written, one)
