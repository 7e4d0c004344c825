"""The words of this room: a name, a reference, and a record that some authority holds."""

from typing import Literal

from percuss.core.strict import Record

__all__ = ["IDENTIFIERS", "Known", "Name", "Reference"]

IDENTIFIERS = ("doi", "pmid", "pmcid", "arxiv", "isbn", "pel", "legal", "url")
"""Kinds of identifier, the strongest first; `issn` names a journal and never a reference."""


class Name(Record):
    """An author. `literal` marks a consortium or body, whose whole name is `family`."""

    family: str
    given: str = ""
    literal: bool = False

    def __str__(self) -> str:
        """Write the name as a BibTeX entry would."""
        if self.literal:
            return f"{{{self.family}}}"
        return f"{self.family}, {self.given}" if self.given else self.family


class Reference(Record):
    """A reference as cited or as recorded; an empty field was not given.

    Args:
        kind: article, chapter, conference, preprint, book, thesis, report, guideline, label, web, legal, other.
        authors: in order; `et_al` says that more were left out.
        year: of publication; None = none was given.
        pages: as printed, dashes made plain ("123-130").
        ids: identifier kind (`IDENTIFIERS`, issn) -> normalised value.
        raw: as written; what a resolver may be sent.
        key: the document's own label: cite key, number in the list.
        start, stop: offsets of the reference in its text; 0, 0 = it stands in no text.
        broken: (field, sentence) pairs: what is malformed whatever any record says.
        doubtful: identifier kind -> its other spelling, where a line's end broke it at a hyphen that may be its own.
    """

    title: str = ""
    authors: tuple[Name, ...] = ()
    et_al: bool = False
    year: int | None = None
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    kind: str = "other"
    ids: dict[str, str] = {}
    raw: str = ""
    key: str = ""
    start: int = 0
    stop: int = 0
    broken: tuple[tuple[str, str], ...] = ()
    doubtful: dict[str, str] = {}


class Known(Record):
    """A record of an authority.

    Args:
        reference: what it says.
        source: who says it ("crossref", "library").
        state: "" for an ordinary record; else retracted, superseded, corrected, concern.
        notice: where the state comes from, in words; "" where it is ordinary.
        years: other years under which it appeared (online first).
        versions: DOIs or arXiv ids of the same work in another version.
        whole: its author list is complete.
        score: the search's own; 1 for an identifier.
        text: the work's abstract or full text, where the record carries it; `text_whole` for all of it.
    """

    reference: Reference
    source: str = "library"
    state: Literal["", "retracted", "superseded", "corrected", "concern"] = ""
    notice: str = ""
    years: tuple[int, ...] = ()
    versions: tuple[str, ...] = ()
    whole: bool = True
    score: float = 1.0
    text: str = ""
    text_whole: bool = False
