"""References -> findings -> report: local authorities first, resolvers where they were asked for.

What reads contents and what talks to registries is loaded where it is asked for: it takes longer than 500 references.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from percuss.protocols.citations.audit.coherence import with_faults
from percuss.protocols.citations.audit.document import Document, line_of
from percuss.protocols.citations.audit.issues import issues_of
from percuss.protocols.citations.audit.library import Library
from percuss.protocols.citations.audit.report import AuditReport, ContentLine, ReferenceLine
from percuss.protocols.citations.references.compare import Tolerance, is_preprint_doi
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import Answer, Finding, decide

if TYPE_CHECKING:
    from percuss.protocols.citations.sources.fetch import Pages
    from percuss.protocols.citations.sources.polite import Polite
    from percuss.protocols.citations.sources.resolve import Resolver

__all__ = ["EXACT", "Online", "audit", "check_all", "check_one"]

Watch = Callable[[int, int], None]
"""Told how many references of how many are done."""
EXACT = Tolerance(title="words", authors="whole")
"""An entry of a document is there to be copied: a changed word or a shortened list is wrong."""
_AT_ONCE = 20
_LEFT = "of each reference its own string, title and identifiers; never the document or its name"


class Online:
    """Who may be asked beyond this machine.

    Args:
        resolvers: registries. polite: their shared client, for what was sent. pages: fetches cited URLs; None = never.
    """

    def __init__(
        self, resolvers: "Sequence[Resolver]", polite: "Polite", pages: "Pages | None" = None
    ) -> None:
        self.resolvers = tuple(resolvers)
        self.polite = polite
        self.pages = pages

    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Return what all say of one reference; a cited URL is fetched where nothing else identifies the work."""
        from percuss.protocols.citations.sources.resolve import ask_all

        answers = await ask_all(cited, self.resolvers)
        url = _address(cited)
        if (
            self.pages is not None
            and url
            and not any(answer.records for answer in answers if answer.by != "search")
        ):
            answers = (*answers, await self.pages.ask(cited, url))
        return answers


def _address(cited: Reference) -> str:
    bare = cited.ids.get("url", "")
    if not bare:
        return ""
    return next(
        (word.strip("<>().,;") for word in cited.raw.split() if bare.split("/")[0] in word and "://" in word),
        f"https://{bare}",
    )


async def audit(
    documents: Sequence[Document],
    libraries: Sequence[Library] = (),
    online: Online | None = None,
    *,
    tolerance: Tolerance = EXACT,
    content: bool = False,
    watch: Watch | None = None,
) -> AuditReport:
    """Audit documents.

    Args:
        documents: as read. libraries: local authorities. online: None = nobody is contacted.
        tolerance: how exact a reference must be. content: check sentences against the texts of their sources.
        watch: told after each reference that registries were asked about; None = nobody is.
    """
    cited = [(document, each) for document in documents for each in document.references]
    answers = await _answers([each for _, each in cited], online, watch)
    lines = tuple(
        ReferenceLine(
            file=document.name,
            reference=each,
            finding=check_one(each, libraries, said, tolerance=tolerance),
            line=line_of(document, each.start),
        )
        for (document, each), said in zip(cited, answers, strict=True)
    )
    return AuditReport(
        files=tuple(document.name for document in documents),
        lines=lines,
        issues=tuple(issue for document in documents for issue in issues_of(document)),
        content=tuple(_content(documents, lines)) if content else (),
        asked=_asked(libraries, online),
        requests=online.polite.requests if online else 0,
        bytes_sent=online.polite.bytes_sent if online else 0,
        fields_sent=_LEFT if online else "",
        notes=tuple(f"{document.name} {note}" for document in documents for note in document.notes),
    )


async def _answers(
    cited: Sequence[Reference], online: Online | None, watch: Watch | None
) -> list[tuple[Answer, ...]]:
    if online is None:
        return [()] * len(cited)
    slots = asyncio.Semaphore(_AT_ONCE)
    done = 0

    async def one(reference: Reference) -> tuple[Answer, ...]:
        nonlocal done
        async with slots:
            answers = await online.ask(reference)
        done += 1
        if watch is not None:
            watch(done, len(cited))
        return answers

    return list(await asyncio.gather(*(one(each) for each in cited)))


def _content(documents: Sequence[Document], lines: Sequence[ReferenceLine]) -> Iterable[ContentLine]:
    from percuss.protocols.citations.audit.content import content_lines, text_of_record

    for document in documents:
        by_key = {line.reference.key: line for line in lines if line.file == document.name}
        yield from content_lines(document, by_key, text_of_record)


def _asked(libraries: Sequence[Library], online: Online | None) -> tuple[str, ...]:
    held = [
        f"{each.name} ({len(each):,} records, {'complete' if each.complete else 'not complete'})"
        for each in libraries
    ]
    return (*held, *(each.name for each in (online.resolvers if online else ())))


def check_all(
    cited: Iterable[Reference], libraries: Sequence[Library], *, tolerance: Tolerance = EXACT
) -> list[Finding]:
    """Check references against local authorities, asking nobody."""
    return [check_one(each, libraries, tolerance=tolerance) for each in cited]


def check_one(
    cited: Reference,
    libraries: Sequence[Library],
    answers: Sequence[Answer] = (),
    *,
    tolerance: Tolerance = EXACT,
) -> Finding:
    """Check one reference.

    Args:
        cited: as read. libraries: local authorities. answers: what resolvers said.
        tolerance: how exact it must be.
    """
    local = [answer for library in libraries for answer in library.ask(cited)]
    finding = decide(with_faults(cited), (*local, *answers), tolerance=tolerance)
    return _registrant(cited, finding, libraries)


def _registrant(cited: Reference, finding: Finding, libraries: Sequence[Library]) -> Finding:
    """Doubt a DOI that its record doesn't hold (but perhaps its preprint's), of a registrant that the library never saw."""
    doi, known = cited.ids.get("doi", ""), finding.candidate
    if not doi or known is None or known.source != "library" or "identifier" in finding.fields:
        return finding
    held = known.reference.ids.get("doi", "")
    if held == doi or (held and not is_preprint_doi(held)):
        return finding
    if not libraries or not all(library.strange_registrant(doi) for library in libraries):
        return finding
    what = "the preprint's DOI only" if held else "no DOI"
    note = f"the record has {what}, and no record of {libraries[0].name} has one that begins with {doi.partition('/')[0]}/"
    return structs.replace(
        finding, status="mismatch", fields=(*finding.fields, "identifier"), notes=(*finding.notes, note)
    )
