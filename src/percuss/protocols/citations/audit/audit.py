"""References -> findings: local authorities first, resolvers where they were asked for."""

from collections.abc import Iterable, Sequence

from msgspec import structs

from percuss.protocols.citations.audit.coherence import with_faults
from percuss.protocols.citations.audit.library import Library
from percuss.protocols.citations.references.compare import Tolerance, is_preprint_doi
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import Answer, Finding, decide

__all__ = ["EXACT", "check_all", "check_one"]

EXACT = Tolerance(title="words", authors="whole")
"""An entry of a document is there to be copied: a changed word or a shortened list is wrong."""


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
    if not doi or known is None or "identifier" in finding.fields:
        return finding
    held = known.reference.ids.get("doi", "")
    if held == doi or (held and not is_preprint_doi(held)):
        return finding
    if not libraries or not all(library.strange_registrant(doi) for library in libraries):
        return finding
    note = f"the record has {'the preprint’s DOI only' if held else 'no DOI'}, and no record of {libraries[0].name} has one that begins with {doi.partition('/')[0]}/"
    return structs.replace(
        finding, status="mismatch", fields=(*finding.fields, "identifier"), notes=(*finding.notes, note)
    )
