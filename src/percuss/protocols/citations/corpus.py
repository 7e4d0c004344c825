"""The authority that a question is checked against: the bundled library, or the documents that came with the question."""

from functools import cache

from percuss.protocols.citations.audit.library import Library as Authority
from percuss.protocols.citations.case import Inquiry, Source
from percuss.protocols.citations.library import Document, bundled
from percuss.protocols.citations.references.compare import Tolerance
from percuss.protocols.citations.references.record import Known, Name, Reference
from percuss.protocols.citations.references.status import Answer, Finding, decide

__all__ = ["corpus_of", "known_of_document", "look_up"]

STATES = {"current": "", "superseded": "superseded", "retracted": "retracted"}


def look_up(cited: Reference, inquiry: Inquiry, *, strict: bool) -> Finding:
    """Decide on a reference with the corpus of its question alone.

    Args:
        cited: as extracted. inquiry: whose corpus. strict: both pages must agree.

    In the bundled library, which is complete, an id or DOI of the library that is not there is `nonexistent`; anything else
    outside the corpus is `out_of_corpus`, since nobody was asked who could know.
    """
    authority = corpus_of(inquiry)
    answers = authority.ask(cited)
    if not (authority.complete and _is_ours(cited)):
        answers = tuple(_open(answer) for answer in answers)
    return decide(cited, answers, tolerance=Tolerance(pages="exact" if strict else "first"), corpus_only=True)


def corpus_of(inquiry: Inquiry) -> Authority:
    """Return the corpus of a question."""
    return _bundled() if inquiry.bundled else Authority(map(_known_of_source, inquiry.sources), name="corpus")


@cache
def _bundled() -> Authority:
    library = bundled()
    return Authority(
        map(known_of_document, library.documents), complete=library.complete, name="bundled library"
    )


def known_of_document(document: Document) -> Known:
    """Return a document of the library as the record of an authority."""
    first, last = document.pages
    bodies = tuple(Name(family=part.strip(), literal=True) for part in document.organisation.split(","))
    reference = Reference(
        title=document.title, authors=bodies, year=document.year,
        container=document.container, volume=str(document.volume), pages=f"{first}-{last}", kind="guideline",
        ids={"doi": document.doi, "pel": document.id},
    )  # fmt: skip
    state = STATES[document.status]
    notice = f"superseded by {document.superseded_by}" if document.superseded_by else ""
    return Known(
        reference=reference, source="bundled library", state=state, notice=notice, text=document.text, text_whole=True  # type: ignore[arg-type]
    )  # fmt: skip


def _known_of_source(source: Source) -> Known:
    ids = {"doi": source.doi} if source.doi else {}
    return Known(
        reference=Reference(title=source.title, ids=ids),
        source="corpus",
        text=source.text,
        text_whole=source.whole,
    )


def _is_ours(cited: Reference) -> bool:
    """Say whether a reference claims to be one of the library's: only there the library knows what doesn't exist."""
    return bool(cited.ids.get("pel")) or cited.ids.get("doi", "").startswith("10.5555/pel.")


def _open(answer: Answer) -> Answer:
    return Answer(source=answer.source, by=answer.by, state=answer.state, records=answer.records)
