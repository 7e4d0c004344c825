"""The key of a reference, and whether two references are the same (definitions, "Reference identity")."""

import re

from percuss.protocols.citations.references.identifiers import normalise
from percuss.protocols.citations.references.names import fold, same_person, surname
from percuss.protocols.citations.references.record import IDENTIFIERS, Reference
from percuss.protocols.citations.references.titles import ratio, title_words

__all__ = ["SAME_TITLE", "key_of", "same_reference", "with_derived"]

SAME_TITLE = 0.90
"""Token-set ratio from which two titles are one (definitions/citations, "Reference identity")."""

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)$")


def with_derived(ids: dict[str, str]) -> dict[str, str]:
    """Return identifiers with those that they imply: a DOI of arXiv is the arXiv id, without its version.

    >>> with_derived({"doi": "10.48550/arxiv.2101.00001v2"})["arxiv"]
    '2101.00001'
    """
    match = _ARXIV_DOI.match(ids.get("doi", ""))
    if not match:
        return ids
    number = normalise("arxiv", match.group(1))
    return {**ids, "doi": f"10.48550/arxiv.{number}", "arxiv": ids.get("arxiv", number)}


def key_of(reference: Reference) -> str:
    """Return `kind:value` of the first identifier that a reference has, else its first surname, year and title words.

    >>> key_of(Reference(title="On Sepsis", year=2019))
    'work:|2019|on sepsis'
    """
    ids = with_derived(reference.ids)
    for kind in IDENTIFIERS:
        if ids.get(kind):
            return f"{kind}:{ids[kind]}"
    first = surname(reference.authors[0]) if reference.authors else ""
    return f"work:{first}|{reference.year or ''}|{' '.join(title_words(reference.title))}"


def same_reference(one: Reference, other: Reference) -> bool:
    """Say whether two references are the same: a strong identifier of one kind agrees, else title and year do.

    Two different values of one kind of identifier (DOI, PMID, arXiv) don't part two references whose titles agree: a
    preprint and its article are not the same by identifier but the same work by title; a URL decides only where it
    agrees. Without titles on both sides, surname and year must agree (flag that `ambiguous`).
    """
    first, second = with_derived(one.ids), with_derived(other.ids)
    for kind in IDENTIFIERS:
        if first.get(kind) and second.get(kind):
            if first[kind] == second[kind]:
                return True
            if kind != "url" and not (one.title and other.title):
                return False
    if one.title and other.title:
        years_agree = one.year is None or other.year is None or one.year == other.year
        return years_agree and ratio(one.title, other.title) >= SAME_TITLE and not _other_work(one, other)
    if one.authors and other.authors and one.year is not None:
        first_author, second_author = one.authors[0], other.authors[0]
        alike = surname(first_author) == surname(second_author) or same_person(first_author, second_author)
        return one.year == other.year and alike
    return bool(one.raw) and fold(one.raw) == fold(other.raw)


def _other_work(one: Reference, other: Reference) -> bool:
    """Say whether titles agree only because one's words are all in the other's, in works of different first authors."""
    if not (one.authors and other.authors) or same_person(one.authors[0], other.authors[0]):
        return False
    short, long = sorted((title_words(one.title), title_words(other.title)), key=len)
    return len(short) < len(long) and long[: len(short)] != short
