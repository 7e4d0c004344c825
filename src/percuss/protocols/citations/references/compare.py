"""A cited reference beside the record that was found: which fields were compared, which differ, and what is worth a note."""

import re
from typing import Literal

from percuss.core.strict import Record
from percuss.protocols.citations.references.identity import with_derived
from percuss.protocols.citations.references.names import same_person
from percuss.protocols.citations.references.record import Known, Name, Reference
from percuss.protocols.citations.references.titles import ratio, wrong_words
from percuss.protocols.citations.references.venues import is_preprint, same_venue

__all__ = ["TITLE_FLOOR", "Comparison", "Tolerance", "compare", "is_preprint_doi"]

TITLE_FLOOR = 0.85
"""Title ratio from which a record may be the cited one (definitions/citations, "Tolerances")."""


class Tolerance(Record):
    """How exact a reference must be.

    Args:
        title: `ratio`: a title ratio of .85 is right (verdicts of a conversation); `words`: a changed word is wrong
            (audit of a document, where the entry is there to be copied).
        authors: `printed`: each printed author must be an author; `whole`: a list that ends early without "et al." is
            wrong too.
        pages: `first`: the first page must agree; `exact`: both.
    """

    title: Literal["ratio", "words"] = "ratio"
    authors: Literal["printed", "whole"] = "printed"
    pages: Literal["first", "exact"] = "first"


class Comparison(Record):
    """What comparing a reference with one record gave: fields compared, fields that differ, sentences to print."""

    compared: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class _Tally:
    """Collects what was compared, field by field."""

    def __init__(self) -> None:
        self.compared: list[str] = []
        self.differing: list[str] = []
        self.notes: list[str] = []

    def say(self, field: str, *, agrees: bool, note: str = "") -> None:
        self.compared.append(field)
        if not agrees:
            self.differing.append(field)
        if note:
            self.notes.append(note)


def compare(cited: Reference, known: Known, tolerance: Tolerance | None = None) -> Comparison:
    """Compare a cited reference with a record; a field that either side lacks is not compared.

    Args:
        cited: as read. known: a record of an authority. tolerance: None = that of conversations.
    """
    rules, tally, record = tolerance or Tolerance(), _Tally(), known.reference
    _title(cited, record, rules, tally)
    _authors(cited, known, rules, tally)
    _year(cited, known, tally)
    _container(cited, known, tally)
    if cited.volume and record.volume:
        tally.say(
            "volume",
            agrees=_bare(cited.volume) == _bare(record.volume),
            note=""
            if _bare(cited.volume) == _bare(record.volume)
            else f"volume {record.volume}, cited {cited.volume}",
        )
    _pages(cited, record, rules, tally)
    _identifiers(cited, known, tally)
    return Comparison(
        compared=tuple(tally.compared),
        differing=tuple(dict.fromkeys(tally.differing)),
        notes=tuple(tally.notes),
    )


def _title(cited: Reference, record: Reference, rules: Tolerance, tally: _Tally) -> None:
    if not cited.title or not record.title:
        return
    wrong = wrong_words(cited.title, record.title)
    if rules.title == "words":
        tally.say(
            "title", agrees=not wrong, note=f"title differs in: {', '.join(wrong[:6])}" if wrong else ""
        )
        return
    agrees = ratio(cited.title, record.title) >= TITLE_FLOOR
    tally.say(
        "title",
        agrees=agrees,
        note=f"title written with other words: {', '.join(wrong[:6])}" if wrong else "",
    )


def _authors(cited: Reference, known: Known, rules: Tolerance, tally: _Tally) -> None:
    record = known.reference
    if not cited.authors or not record.authors:
        return
    bodies = (
        [name for name in cited.authors if name.literal],
        [name for name in record.authors if name.literal],
    )
    if len(bodies[0]) == len(cited.authors) and not bodies[1]:
        tally.notes.append("cited by a group, recorded under people: authors not compared")
        return
    if len(bodies[1]) == len(record.authors) and not bodies[0]:
        tally.notes.append("recorded under a group, cited by people: authors not compared")
        return
    strangers = _strangers(cited.authors, record.authors)
    if strangers and known.whole:
        named = ", ".join(name.family for name in strangers[:3])
        tally.say("author", agrees=False, note=f"not an author: {named}")
    elif not _first_agrees(cited, record):
        tally.say("author", agrees=False, note=f"first author is {record.authors[0].family}")
    elif (
        rules.authors == "whole" and cited.title and not cited.et_al and known.whole and _short(cited, record)
    ):
        tally.say(
            "author", agrees=False, note=f"{len(cited.authors)} of {len(record.authors)} authors, no et al."
        )
    else:
        tally.say("author", agrees=True)


def _strangers(cited: tuple[Name, ...], recorded: tuple[Name, ...]) -> list[Name]:
    """Return the cited names that are no recorded author; each recorded one answers for one cited name."""
    free = list(recorded)
    strangers = []
    for name in cited:
        match = next((each for each in free if same_person(name, each)), None)
        if match is None:
            strangers.append(name)
        else:
            free.remove(match)
    return strangers


def _first_agrees(cited: Reference, record: Reference) -> bool:
    people = [name for name in record.authors if not name.literal]
    firsts = [record.authors[0], *people[:1]]
    return any(same_person(cited.authors[0], name) for name in firsts)


def _short(cited: Reference, record: Reference) -> bool:
    people = [name for name in record.authors if not name.literal]
    return len([name for name in cited.authors if not name.literal]) < len(people)


def _year(cited: Reference, known: Known, tally: _Tally) -> None:
    year = known.reference.year
    if cited.year is None or year is None:
        return
    if cited.year == year or cited.year in known.years:
        tally.say("year", agrees=True)
        return
    doi, other = cited.ids.get("doi"), known.reference.ids.get("doi")
    online_first = abs(cited.year - year) == 1 and bool(doi) and doi == other
    note = f"online first or in an issue a year apart: {year}, cited {cited.year}" if online_first else ""
    tally.say("year", agrees=online_first, note=note or f"year {year}, cited {cited.year}")


def _container(cited: Reference, known: Known, tally: _Tally) -> None:
    record = known.reference
    preprint = is_preprint(record.container) or (not record.container and "arxiv" in with_derived(record.ids))
    if not cited.container:
        return
    if preprint and not is_preprint(cited.container):
        tally.say("container", agrees=False, note=f"known as a preprint only, cited from {cited.container}")
    elif is_preprint(cited.container) and not preprint:
        if record.container:
            tally.notes.append(f"cited as a preprint; published in {record.container}")
    elif record.container and not preprint:
        agrees = same_venue(cited.container, record.container)
        tally.say("container", agrees=agrees, note="" if agrees else f"published in {record.container}")


def _pages(cited: Reference, record: Reference, rules: Tolerance, tally: _Tally) -> None:
    first, second = _range(cited.pages), _range(record.pages)
    if first is None or second is None:
        return
    starts_agree, ends_agree = first[0] == second[0], first[1] == second[1] or not (first[1] and second[1])
    agrees = starts_agree and (ends_agree or rules.pages == "first")
    off = "" if starts_agree and ends_agree else f"pages {record.pages}, cited {cited.pages}"
    tally.say("pages", agrees=agrees, note=off)


def is_month(pages: str) -> bool:
    """Say whether what stands as pages is year and month: so indexes export preprints of medRxiv (pages 2025-08)."""
    return bool(re.fullmatch(r"\s*(?:19|20)\d\d\s?[-‐‑‒–—−]{1,3}\s?(?:0[1-9]|1[0-2])\s*", pages))


def _range(pages: str) -> tuple[str, str] | None:
    """Return first and last page, the last one written out ("1821-8" ends on 1828); "" where there is none."""
    match = re.match(
        r"\s*([A-Za-z]{0,3}\d{1,9})(?:\s?-{1,3}\s?([A-Za-z]{0,3}\d{1,9}))?", re.sub("[‐‑‒–—−]", "-", pages)
    )
    if not match:
        return None
    first, last = match[1].lower(), (match[2] or "").lower()
    if last and last.isdigit() and first.isdigit() and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return first.lstrip("0") or first, last.lstrip("0")


def _identifiers(cited: Reference, known: Known, tally: _Tally) -> None:
    first, second = with_derived(cited.ids), with_derived(known.reference.ids)
    versions = {value.lower() for value in known.versions}
    for kind in ("doi", "pmid", "pmcid", "arxiv", "isbn", "pel", "legal"):
        if not first.get(kind) or not second.get(kind):
            continue
        agrees = first[kind] == second[kind] or first[kind].lower() in versions or kind == "isbn"
        if not agrees and kind == "doi" and (is_preprint_doi(first[kind]) or is_preprint_doi(second[kind])):
            tally.notes.append(f"another version of the work: DOI {second[kind]}, cited {first[kind]}")
            continue
        tally.say(
            "identifier", agrees=agrees, note="" if agrees else f"{kind} {second[kind]}, cited {first[kind]}"
        )


def is_preprint_doi(doi: str) -> bool:
    """Say whether a DOI is one of a preprint server."""
    return doi.startswith(("10.48550/", "10.1101/", "10.21203/rs.", "10.2139/ssrn", "10.31234/", "10.26434/"))


def _bare(text: str) -> str:
    return re.sub(r"\W+", "", text.lower()).lstrip("0")
