"""An audit in the terminal and as JSON."""

import msgspec

from percuss.protocols.citations.audit.report import AuditReport, ContentLine, ReferenceLine, corrected
from percuss.protocols.citations.references.bibtex import entry

__all__ = ["as_json", "as_text", "corrected_bibtex"]

_ORDER = (
    "nonexistent", "mismatch", "retracted", "concern", "malformed", "superseded", "corrected", "not_located", "ambiguous",
    "unreachable", "out_of_corpus", "not_checkable", "found",
)  # fmt: skip
_WORDS = {
    "nonexistent": "its authority has no such record",
    "not_located": "in none of the sources asked; that is no proof that it doesn't exist",
    "unreachable": "a source that would know could not be asked",
    "not_checkable": "nobody was asked: give --library or --resolve",
}


def as_json(report: AuditReport) -> bytes:
    """Return a list, one object a reference; with contents checked, `content` lists the sentences that cite it."""
    said: dict[tuple[str, str], list[ContentLine]] = {}
    for each in report.content:
        said.setdefault((each.file, each.key), []).append(each)
    rows = [
        {
            **line.row(),
            **({"content": said.get((line.file, line.reference.key), [])} if report.content else {}),
        }
        for line in report.lines
    ]
    return msgspec.json.format(msgspec.json.encode(rows), indent=1)


def as_text(report: AuditReport, *, width: int = 110, every: bool = False) -> str:
    """Return the audit for a terminal: counts first, then what needs a look, the gravest first.

    Args:
        report: of the audit.
        width: of a line. every: references that were found are listed too.
    """
    counts = report.counts()
    lines = [
        f"{', '.join(report.files)}: {counts['references']} reference{'' if counts['references'] == 1 else 's'}"
    ]
    lines.append("  asked: " + ("; ".join(report.asked) or "nobody, only the document itself"))
    lines += [f"  {note}" for note in report.notes]
    if not counts["references"]:
        lines.append("  no reference was found: no list, no entry, no DOI and no address")
    if report.requests or report.fields_sent:
        what = report.fields_sent if report.requests else "every answer was kept from before"
        lines.append(f"  sent: {report.bytes_sent:,} bytes in {report.requests:,} requests ({what})")
    lines += [
        f"  {counts[status]:5} {status:14} {_WORDS.get(status, '')}".rstrip()
        for status in _ORDER
        if counts[status]
    ]
    ordered = sorted(report.lines, key=lambda line: _ORDER.index(line.finding.status))
    quiet = set() if every else {"found", "not_checkable"}
    for line in ordered:
        if line.finding.status not in quiet:
            lines += ["", *_lines(line, width, many=len(report.files) > 1)]
    if report.issues:
        lines += ["", "The document against itself"]
        many = len(report.files) > 1
        lines += [
            _cut(f"  {f'{issue.file} ' if many else ''}{issue.kind}: {issue.note}", width)
            for issue in report.issues
        ]
    if report.content:
        lines += ["", *_content(report, width)]
    return "\n".join(lines)


def _lines(line: ReferenceLine, width: int, *, many: bool) -> list[str]:
    where = f"{line.file} " if many else ""
    whole = line.reference.kind == "legal" and line.reference.raw  # a case has no title to be cut out
    shown = whole or line.reference.title or line.reference.raw
    out = [_cut(f"{where}[{line.reference.key}] {line.finding.word}: {shown}", width)]
    out += [_cut(f"    {note}", width) for note in line.finding.notes]
    candidate = line.finding.candidate
    if candidate is not None and line.finding.status == "mismatch":
        known = candidate.reference
        people = ", ".join(name.family for name in known.authors[:3]) + (
            " et al." if len(known.authors) > 3 else ""
        )
        out.append(
            _cut(
                f"    {candidate.source} has: {people} ({known.year or '?'}). {known.title}. {known.container}",
                width,
            )
        )
    return out


def _content(report: AuditReport, width: int) -> list[str]:
    counts = report.counts()
    words = ", ".join(
        f"{counts[f'content_{label}']} {label}" for label in ("yes", "no", "undecided", "not_checkable")
    )
    out = [f"Do the sources say it? {words} (by rule; undecided is no verdict)"]
    for line in report.content:
        if line.label == "no":
            where = f"{line.file} " if len(report.files) > 1 else ""
            out += [
                _cut(f"  {where}[{line.key}] {line.subtype}: {line.sentence}", width),
                _cut(f"      {line.note}", width),
            ]
    return out


def _cut(text: str, width: int) -> str:
    flat = (
        " ".join(text.split())
        if not text.startswith(" ")
        else text[: len(text) - len(text.lstrip())] + " ".join(text.split())
    )
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def corrected_bibtex(report: AuditReport) -> str:
    """Return all references as BibTeX, those with a record corrected; a comment says what was changed."""
    out = []
    for line in report.lines:
        if line.finding.status == "mismatch":
            out.append(f"% {line.reference.key}: corrected in {', '.join(line.finding.fields)}")
            out.append(entry(corrected(line)))
        else:
            out.append(f"% {line.reference.key}: {line.finding.word}, as cited")
            out.append(entry(line.reference))
    return "\n\n".join(out) + "\n"
