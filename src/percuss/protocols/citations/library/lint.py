"""What is wrong in a library and its seeds: ids, dates, lengths, facts, near duplicates, answers that are not there."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from percuss.protocols.citations.library.documents import Document, Library
from percuss.protocols.citations.library.seeds import Seed

__all__ = ["lint"]

DOMAINS = frozenset({"medical_guidelines", "research_questions", "legal_cases", "coding"})
# No registered DOI begins with 10.5555/pel., and no guideline body uses PEL and four digits.
_ID = re.compile(r"PEL-\d{4}")
_FEWEST_FACTS = 6
_SHORTEST, _LONGEST = 60, 400
_EARLIEST, _LATEST = 2005, 2026
# Shared eight-word runs, as a share of the shorter document.
_MOST_SHARED = 0.10
_WORDS_A_RUN = 8


def lint(library: Library, seeds: Iterable[Seed]) -> tuple[str, ...]:
    """Return one sentence per fault; none where library and seeds are sound.

    Args:
        library: as loaded.
        seeds: over that library.
    """
    documents = {document.id: document for document in library.documents}
    found = [*_unique(library.documents), *_duplicates(library.documents), *_page_overlaps(library.documents)]
    for document in library.documents:
        found += [f"{document.id}: {fault}" for fault in _document(document, documents)]
    return (*found, *_seeds(tuple(seeds), documents))


def _unique(documents: tuple[Document, ...]) -> Iterator[str]:
    for name in ("id", "doi", "title"):
        counts = Counter(str(getattr(document, name)).lower() for document in documents)
        yield from (
            f"{value}: {count} documents have this {name}" for value, count in counts.items() if count > 1
        )


def _document(document: Document, documents: dict[str, Document]) -> Iterator[str]:
    if not _ID.fullmatch(document.id):
        yield "its id is not PEL- and four digits"
    if document.doi != f"10.5555/pel.{document.id[4:]}":
        yield "its DOI does not follow from its id"
    if not _EARLIEST <= document.year <= _LATEST:
        yield f"its year {document.year} is out of range"
    if document.domain not in DOMAINS:
        yield f"there is no domain {document.domain}"
    words = sum(len(part.text.split()) for part in document.sections)
    if not _SHORTEST <= words <= _LONGEST:
        yield f"it has {words} words"
    if [part.number for part in document.sections] != [str(n + 1) for n in range(len(document.sections))]:
        yield "its sections are not numbered in order"
    if document.pages[1] - document.pages[0] + 1 != len(document.sections):
        yield "it has not one page per section"
    if len(document.facts) < _FEWEST_FACTS and document.status == "current":
        yield f"it has {len(document.facts)} facts"
    if len(set(document.facts)) < len(document.facts):
        yield "it states a fact twice"
    yield from _standing(document, documents)


def _standing(document: Document, documents: dict[str, Document]) -> Iterator[str]:
    if (document.status == "superseded") != (document.superseded_by is not None):
        yield "superseded and superseded_by do not go together"
    if document.superseded_by is not None:
        successor = documents.get(document.superseded_by)
        if successor is None or successor.status != "current" or successor.year <= document.year:
            yield "what supersedes it is not a later current document"
    if document.status != "current" and document.sections[0].title != "Notice":
        yield "it does not open with a notice of its status"


def _duplicates(documents: tuple[Document, ...]) -> Iterator[str]:
    runs = {document.id: _runs(document) for document in documents}
    for (one, left), (other, right) in combinations(runs.items(), 2):
        shared = len(left & right) / max(1, min(len(left), len(right)))
        if shared > _MOST_SHARED:
            yield f"{one} and {other} share {shared:.0%} of their wording"


def _runs(document: Document) -> frozenset[tuple[str, ...]]:
    words = " ".join(part.text for part in document.sections).lower().split()
    return frozenset(tuple(words[n : n + _WORDS_A_RUN]) for n in range(len(words) - _WORDS_A_RUN + 1))


def _page_overlaps(documents: tuple[Document, ...]) -> Iterator[str]:
    for one, other in combinations(documents, 2):
        if one.volume == other.volume and one.pages[0] <= other.pages[1] and other.pages[0] <= one.pages[1]:
            yield f"{one.id} and {other.id} stand on the same pages"


def _seeds(seeds: tuple[Seed, ...], documents: dict[str, Document]) -> Iterator[str]:
    for name in ("id", "question"):
        counts = Counter(str(getattr(seed, name)) for seed in seeds)
        yield from (
            f"{value}: {count} seeds have this {name}" for value, count in counts.items() if count > 1
        )
    for seed in seeds:
        if bool(seed.documents) == bool(seed.unanswerable):
            yield f"{seed.id}: it names no document and no reason, or both"
        yield from (f"{seed.id}: there is no {name}" for name in seed.documents if name not in documents)
        if seed.domain not in DOMAINS:
            yield f"{seed.id}: there is no domain {seed.domain}"
        if not all(text.endswith(("?", ".")) for text in (seed.question, *seed.follow_ups)):
            yield f"{seed.id}: a question does not end"
        yield from _answered(seed, documents)


def _answered(seed: Seed, documents: dict[str, Document]) -> Iterator[str]:
    """Check that each named document is about the question, and that none is where a seed says so."""
    asked = _topic(seed.question + " " + " ".join(seed.follow_ups))
    for name in seed.documents:
        document = documents.get(name)
        if document is not None and not asked & _topic(document.title + " " + document.text):
            yield f"{seed.id}: nothing in {name} is about the question"
    if seed.unanswerable:
        subject = _topic(seed.unanswerable.rsplit(" on ", 1)[-1])
        for document in documents.values():
            if subject and subject <= _topic(document.text):
                yield f"{seed.id}: {document.id} is about what the library is said not to hold"


def _topic(text: str) -> frozenset[str]:
    return frozenset(word.rstrip("s") for word in re.findall(r"[a-z][a-z-]{4,}", text.lower()))
