"""An audit for other programs: SARIF and JUnit for CI, and what its HTML page shows as plain data."""

from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from percuss.protocols.citations.audit.report import AuditReport, ContentLine, ReferenceLine
from percuss.protocols.citations.references.status import FLAGGED

__all__ = ["as_junit", "as_sarif", "page_of"]

_LEVELS = {
    "nonexistent": "error",
    "mismatch": "error",
    "retracted": "error",
    "malformed": "warning",
    "concern": "warning",
}


def as_sarif(report: AuditReport) -> bytes:
    """Return SARIF 2.1.0, one result per reference that needs a look, per issue and per sentence that its source doesn't hold."""
    results: list[dict[str, Any]] = [
        _result(line.finding.word, line.file, f"[{line.reference.key}] {'; '.join(line.finding.notes) or line.finding.word}",
                _LEVELS.get(line.finding.status, "note"), line.line)
        for line in report.lines
        if line.finding.status not in {"found", "not_checkable"}
    ]  # fmt: skip
    results += [_result(issue.kind, issue.file, issue.note, "warning", 1) for issue in report.issues]
    results += [
        _result(f"content_{line.subtype}", line.file, _denied(line), "error", line.line)
        for line in _denials(report)
    ]
    rules = sorted({result["ruleId"] for result in results})
    tool = {"driver": {"name": "percuss citations audit", "rules": [{"id": rule} for rule in rules]}}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": tool, "results": results}],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def _result(rule: str, file: str, message: str, level: str, line: int) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": file}, "region": {"startLine": line}}
    return {
        "ruleId": rule.partition(":")[0],
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
    }


def _denials(report: AuditReport) -> list[ContentLine]:
    """Return the sentences that their sources don't hold."""
    return [line for line in report.content if line.label == "no"]


def _denied(line: ContentLine) -> str:
    return f"[{line.key}] {line.subtype}: {line.sentence} ({line.note})"


def as_junit(report: AuditReport) -> str:
    """Return JUnit XML: a test per reference and per sentence that was checked.

    Flagged and retracted references fail, and sentences that their sources don't hold; what was not checked is skipped.
    """
    failed = [line for line in report.lines if line.finding.status in FLAGGED | {"retracted"}]
    skipped = [
        line for line in report.lines if line.finding.status in {"not_checkable", "unreachable", "ambiguous"}
    ]
    rows = [_case(line, fails=line in failed, skips=line in skipped) for line in report.lines]
    rows += map(_sentence, report.content)
    fails = len(failed) + len(_denials(report))
    skips = len(skipped) + sum(line.label not in {"yes", "no"} for line in report.content)
    head = f'<testsuite name="citations" tests="{len(rows)}" failures="{fails}" skipped="{skips}">'
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', head, *rows, "</testsuite>", ""))


def _case(line: ReferenceLine, *, fails: bool, skips: bool) -> str:
    name = f"<testcase classname={quoteattr(_clean(line.file))} name={quoteattr(_clean(line.reference.key))}"
    notes = _clean("; ".join(line.finding.notes))
    if fails:
        return (
            f"  {name}><failure message={quoteattr(line.finding.word)}>{escape(notes)}</failure></testcase>"
        )
    return f"  {name}><skipped message={quoteattr(notes)}/></testcase>" if skips else f"  {name}/>"


def _sentence(line: ContentLine) -> str:
    name = quoteattr(_clean(f"{line.key}: {line.sentence}"))
    case = f"<testcase classname={quoteattr(_clean(line.file))} name={name}"
    if line.label == "no":
        return f"  {case}><failure message={quoteattr(line.subtype)}>{escape(_clean(line.note))}</failure></testcase>"
    return (
        f"  {case}/>"
        if line.label == "yes"
        else f"  {case}><skipped message={quoteattr(_clean(line.note))}/></testcase>"
    )


def _clean(text: str) -> str:
    return "".join(character for character in text if character >= " " or character in "\t\n")


def page_of(report: AuditReport) -> dict[str, Any]:
    """Return what the HTML page of an audit shows, as plain data."""
    sent = f" Sent: {report.bytes_sent:,} bytes in {report.requests:,} requests." if report.requests else ""
    return {
        "files": list(report.files),
        "asked": ("; ".join(report.asked) or "nobody, only the document itself") + "." + sent,
        "notes": list(report.notes),
        "counts": report.counts(),
        "rows": [{**line.row(), "word": line.finding.word} for line in report.lines],
        "issues": [{"file": issue.file, "kind": issue.kind, "note": issue.note} for issue in report.issues],
        "content": [msgspec.to_builtins(line) for line in report.content],
    }
