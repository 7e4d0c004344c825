"""What an audit returns: one line a reference, what is wrong with the document itself, and what was asked of whom."""

from collections import Counter
from typing import Any, Literal

from percuss.core.strict import Record
from percuss.protocols.citations.references.bibtex import entry
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import FLAGGED, STATUSES, Finding

__all__ = ["AuditReport", "ContentLine", "Issue", "ReferenceLine", "corrected"]

IssueKind = Literal["cited_not_listed", "listed_not_cited", "duplicate", "two_titles", "not_checkable"]


class ReferenceLine(Record):
    """One reference of one document, and what is known of it; `line` in the file from 1, where that is known."""

    file: str
    reference: Reference
    finding: Finding
    line: int = 1

    def row(self) -> dict[str, Any]:
        """Return the line as `--json` writes it."""
        finding = self.finding
        candidate = finding.candidate
        return {
            "file": self.file,
            "key": self.reference.key,
            "status": finding.status,
            "fields": list(finding.fields),
            "compared": list(finding.compared),
            "candidate": None if candidate is None else entry(corrected(self)),
            "source": "" if candidate is None else candidate.source,
            "note": "; ".join(finding.notes),
            "reference": self.reference.raw or self.reference.title,
        }


class Issue(Record):
    """What is wrong with a document whatever any record says."""

    file: str
    kind: IssueKind
    keys: tuple[str, ...]
    note: str


class ContentLine(Record):
    """One sentence with one citation: does the source say it? `label` is yes, no, undecided or not_checkable; `line` as of a reference."""

    file: str
    key: str
    sentence: str
    label: str
    subtype: str = ""
    note: str = ""
    quote: str = ""
    line: int = 1


class AuditReport(Record):
    """An audit.

    Args:
        files: names, in order. lines: one a reference. issues: of the documents. content: with `--content`.
        asked: who was asked ("library x (not complete)", "crossref"). requests, bytes_sent: to resolvers.
        fields_sent: what left this machine, in words; "" = nothing.
        notes: what of a file was left alone, in words: its macros, its scripts.
    """

    files: tuple[str, ...]
    lines: tuple[ReferenceLine, ...] = ()
    issues: tuple[Issue, ...] = ()
    content: tuple[ContentLine, ...] = ()
    asked: tuple[str, ...] = ()
    requests: int = 0
    bytes_sent: int = 0
    fields_sent: str = ""
    notes: tuple[str, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return how many references have each status, how many are flagged, and how many issues of each kind there are."""
        statuses = Counter(line.finding.status for line in self.lines)
        issues: Counter[str] = Counter(issue.kind for issue in self.issues)
        content = Counter(f"content_{line.label}" for line in self.content)
        flagged = sum(line.finding.status in FLAGGED for line in self.lines)
        kinds = ("cited_not_listed", "listed_not_cited", "duplicate", "two_titles")
        return {
            "references": len(self.lines),
            "flagged": flagged,
            **{status: statuses.get(status, 0) for status in STATUSES},
            **{kind: issues.get(kind, 0) for kind in kinds},
            **{
                f"content_{label}": content.get(f"content_{label}", 0)
                for label in ("yes", "no", "undecided", "not_checkable")
            },
        }


def corrected(line: ReferenceLine) -> Reference:
    """Return the entry to paste: the record's fields where it has them, the document's own elsewhere, under its own key."""
    cited, candidate = line.reference, line.finding.candidate
    if candidate is None:
        return cited
    known = candidate.reference
    wrong_ids = "identifier" in line.finding.fields
    return Reference(
        title=known.title or cited.title,
        authors=known.authors or cited.authors,
        et_al=cited.et_al and not known.authors,
        year=known.year or cited.year,
        container=known.container or ("" if "container" in line.finding.fields else cited.container),
        volume=known.volume or cited.volume,
        issue=known.issue or cited.issue,
        pages=known.pages or cited.pages,
        publisher=known.publisher or cited.publisher,
        kind=cited.kind if cited.kind != "other" else known.kind,
        ids={**({} if wrong_ids else cited.ids), **known.ids},
        key=cited.key,
    )
