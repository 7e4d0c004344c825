"""The authority that a question is checked against: the bundled library, or the documents that came with the question."""

from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import structs

from percuss.core.ports import Embedder, Hit
from percuss.evidence.search import Corpus
from percuss.protocols.citations.audit.library import Library as Authority
from percuss.protocols.citations.case import Inquiry, Source
from percuss.protocols.citations.library import Document, bundled
from percuss.protocols.citations.references.compare import Tolerance
from percuss.protocols.citations.references.record import Known, Name, Reference
from percuss.protocols.citations.references.status import Answer, Finding, decide

__all__ = [
    "CorpusSearch", "answers_of", "corpus_of", "is_ours", "known_of_document", "look_up", "tolerance_of",
]  # fmt: skip

_EXTRACT = 600

STATES = {"current": "", "superseded": "superseded", "retracted": "retracted"}


def look_up(cited: Reference, inquiry: Inquiry, *, strict: bool) -> Finding:
    """Decide on a reference with the corpus of its question alone.

    Args:
        cited: as extracted. inquiry: whose corpus. strict: both pages must agree.

    In the bundled library, which is complete, an id or DOI of the library that is not there is `nonexistent`; anything else
    outside the corpus is `out_of_corpus`, since nobody was asked who could know.
    """
    return decide(cited, answers_of(cited, inquiry), tolerance=tolerance_of(strict=strict), corpus_only=True)


def answers_of(cited: Reference, inquiry: Inquiry) -> tuple[Answer, ...]:
    """Return what the corpus of a question says of a reference; it is an authority for its own ids alone."""
    authority = corpus_of(inquiry)
    answers = authority.ask(cited)
    if authority.complete and is_ours(cited):
        return answers
    return tuple(_open(answer) for answer in answers)


def tolerance_of(*, strict: bool) -> Tolerance:
    """Return how exact a reference must be; `strict` wants both pages."""
    return Tolerance(pages="exact" if strict else "first")


class CorpusSearch:
    """The corpus of a question as a search, by words and, where an embedder is given, by meaning.

    Args:
        inquiry: whose corpus. embedder: None ranks by words alone.
    """

    id = "corpus"

    def __init__(self, inquiry: Inquiry, embedder: Embedder | None = None) -> None:
        self.held = {f"corpus:{name}": known for name, known in _named(corpus_of(inquiry))}
        hits = [
            Hit(id=url, title=known.reference.title, text=known.text, url=url)
            for url, known in self.held.items()
        ]
        self._corpus = _indexed(tuple(hits)) if embedder is None else Corpus(hits, embedder=embedder)

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k documents, best first, each with the beginning of its text."""
        found = await self._corpus.search(query, k=k)
        return tuple(structs.replace(hit, text=hit.text[:_EXTRACT]) for hit in found)


@lru_cache(maxsize=8)
def _indexed(hits: tuple[Hit, ...]) -> Corpus:
    return Corpus(hits)


def _named(authority: Authority) -> Iterator[tuple[str, Known]]:
    for number, known in enumerate(authority.records):
        if known.text:
            yield known.reference.ids.get("pel") or known.reference.title or str(number), known


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


def is_ours(cited: Reference) -> bool:
    """Say whether a reference claims to be one of the library's: only there the library knows what doesn't exist."""
    return bool(cited.ids.get("pel")) or cited.ids.get("doi", "").startswith("10.5555/pel.")


def _open(answer: Answer) -> Answer:
    return Answer(source=answer.source, by=answer.by, state=answer.state, records=answer.records)
