"""The key of a reference, and whether two references are the same (definitions, "Reference identity")."""

import re

from percuss.protocols.citations.references.bodies import bodies_in, same_bodies
from percuss.protocols.citations.references.identifiers import normalise
from percuss.protocols.citations.references.law import same_law
from percuss.protocols.citations.references.names import fold, same_person, surname
from percuss.protocols.citations.references.record import IDENTIFIERS, Reference
from percuss.protocols.citations.references.titles import title_words
from percuss.protocols.citations.references.works import same_case, same_code, same_work

__all__ = ["key_of", "same_reference", "with_derived"]

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
    """Say whether two references are the same: an identifier of one kind or a guideline's number agrees, else title and year do.

    Two different values of one kind of identifier (DOI, PMID, arXiv) don't part two references whose titles agree: a
    preprint and its article are not the same by identifier but the same work by title; a URL decides only where it
    agrees. Without titles on both sides, surname (or body) and year must agree (flag that `ambiguous`).
    """
    first, second = with_derived(one.ids), with_derived(other.ids)
    for kind in IDENTIFIERS:
        if first.get(kind) and second.get(kind):
            if first[kind] == second[kind] or (
                kind == "legal" and (same_law(first[kind], second[kind]) or same_case(one, other))
            ):
                return True
            if kind != "url" and not (one.title and other.title):
                return False
    told = same_code(one, other)
    if told is None and "legal" in {one.kind, other.kind, *first, *second}:
        told = same_case(one, other)
    told = same_work(one, other) if told is None else told
    return _by_hands(one, other) if told is None else told


def _by_hands(one: Reference, other: Reference) -> bool:
    """Say whether author and year agree, where a title is missing; without both the words themselves must be equal."""
    if not one.authors or not other.authors or one.year is None:
        return bool(one.raw) and fold(one.raw) == fold(other.raw)
    if one.year != other.year:
        return False
    first, second = one.authors[0], other.authors[0]
    if surname(first) == surname(second) or same_person(first, second):
        return not (first.literal and second.literal) or not _other_body(one, other)
    return (first.literal or second.literal) and same_bodies(_signed(one), _signed(other))


def _other_body(one: Reference, other: Reference) -> bool:
    """Say whether two bodies whose names end alike are two: Royal College of Physicians, Royal College of Surgeons."""
    first, second = bodies_in(_signed(one)), bodies_in(_signed(other))
    return bool(first and second and not first & second)


def _signed(one: Reference) -> str:
    """Return where a body's name may stand: the words before the title, else the authors."""
    head = one.raw.split(one.title, 1)[0] if one.title and one.title in one.raw else one.raw
    return head if len(head) > 3 else " ".join(name.family for name in one.authors)
