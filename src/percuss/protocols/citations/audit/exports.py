"""An audit as HTML (filter, sentence beside its source), SARIF and JUnit for CI."""

import html
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from percuss.protocols.citations.audit.report import AuditReport, ReferenceLine, corrected
from percuss.protocols.citations.references.bibtex import entry
from percuss.protocols.citations.references.status import FLAGGED

__all__ = ["as_html", "as_junit", "as_sarif"]

_LEVELS = {
    "nonexistent": "error",
    "mismatch": "error",
    "retracted": "error",
    "malformed": "warning",
    "concern": "warning",
}


def as_sarif(report: AuditReport) -> bytes:
    """Return SARIF 2.1.0, one result per reference that needs a look and per issue."""
    results: list[dict[str, Any]] = [
        _result(line.finding.word, line.file, f"[{line.reference.key}] {'; '.join(line.finding.notes) or line.finding.word}",
                _LEVELS.get(line.finding.status, "note"), line.reference.start)
        for line in report.lines
        if line.finding.status not in {"found", "not_checkable"}
    ]  # fmt: skip
    results += [_result(issue.kind, issue.file, issue.note, "warning", 0) for issue in report.issues]
    rules = sorted({result["ruleId"] for result in results})
    tool = {"driver": {"name": "percuss citations audit", "rules": [{"id": rule} for rule in rules]}}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": tool, "results": results}],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def _result(rule: str, file: str, message: str, level: str, offset: int) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": file}, "region": {"charOffset": offset, "charLength": 0}}
    return {
        "ruleId": rule.partition(":")[0],
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
    }


def as_junit(report: AuditReport) -> str:
    """Return JUnit XML: a test per reference; flagged and retracted ones fail, unchecked ones are skipped."""
    failed = [line for line in report.lines if line.finding.status in FLAGGED | {"retracted"}]
    skipped = [
        line for line in report.lines if line.finding.status in {"not_checkable", "unreachable", "ambiguous"}
    ]
    rows = [_case(line, fails=line in failed, skips=line in skipped) for line in report.lines]
    head = (
        f'<testsuite name="citations" tests="{len(rows)}" failures="{len(failed)}" skipped="{len(skipped)}">'
    )
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', head, *rows, "</testsuite>", ""))


def _case(line: ReferenceLine, *, fails: bool, skips: bool) -> str:
    name = f"<testcase classname={quoteattr(_clean(line.file))} name={quoteattr(_clean(line.reference.key))}"
    notes = _clean("; ".join(line.finding.notes))
    if fails:
        return (
            f"  {name}><failure message={quoteattr(line.finding.word)}>{escape(notes)}</failure></testcase>"
        )
    return f"  {name}><skipped message={quoteattr(notes)}/></testcase>" if skips else f"  {name}/>"


def _clean(text: str) -> str:
    return "".join(character for character in text if character >= " " or character in "\t\n")


def as_html(report: AuditReport) -> str:
    """Return one self-contained page: counts, a filter by status, each reference with its record, content beside it."""
    counts = {name: n for name, n in report.counts().items() if n}
    rows = "\n".join(_row(line) for line in report.lines)
    issues = "\n".join(f"<li><b>{_e(issue.kind)}</b> {_e(issue.note)}</li>" for issue in report.issues)
    content = "\n".join(
        f'<tr class="s"><td>{_e(each.label)} {_e(each.subtype)}</td><td>[{_e(each.key)}] {_e(each.sentence)}</td>'
        f"<td><details><summary>{_e(each.note)}</summary><blockquote>{_e(each.quote)}</blockquote></details></td></tr>"
        for each in report.content
    )
    options = "".join(
        f"<option>{_e(name)}</option>" for name in dict.fromkeys(line.finding.status for line in report.lines)
    )
    asked = _e("; ".join(report.asked) or "nobody, only the document itself")
    sent = f" Sent: {report.bytes_sent:,} bytes in {report.requests:,} requests." if report.requests else ""
    shown = ", ".join(f"{n} {_e(name)}" for name, n in counts.items())
    return _PAGE.format(
        files=_e(", ".join(report.files)), asked=asked + sent, counts=shown, options=options, rows=rows,
        issues=f"<h2>The document against itself</h2><ul>{issues}</ul>" if issues else "",
        content=f"<h2>Do the sources say it?</h2><table>{content}</table>" if content else "",
    )  # fmt: skip


def _row(line: ReferenceLine) -> str:
    finding = line.finding
    better = ""
    if finding.candidate is not None:
        better = f"<details><summary>record of {_e(finding.candidate.source)}</summary><pre>{_e(entry(corrected(line)))}</pre></details>"
    notes = "<br>".join(_e(note) for note in finding.notes)
    return (
        f'<tr data-status="{_e(finding.status)}"><td><b>{_e(finding.word)}</b></td><td>[{_e(line.reference.key)}] '
        f"{_e(line.reference.raw or line.reference.title)}</td><td>{notes}{better}</td></tr>"
    )


def _e(text: str) -> str:
    return html.escape(text, quote=True)


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Citations of {files}</title>
<style>body{{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}}table{{border-collapse:collapse;width:100%}}
td{{border-top:1px solid #ccc;padding:.4rem;vertical-align:top}}td:first-child{{width:12rem}}pre{{white-space:pre-wrap}}
@media(prefers-color-scheme:dark){{body{{background:#111;color:#eee}}}}</style>
<h1>Citations of {files}</h1><p>Asked: {asked}</p><p>{counts}</p>
<p><label>Show <select id="f"><option value="">all</option>{options}</select></label></p>
<table id="t">{rows}</table>{issues}{content}
<script>document.getElementById("f").onchange=e=>document.querySelectorAll("#t tr").forEach(r=>{{r.hidden=e.target.value&&r.dataset.status!==e.target.value}})</script>
</html>
"""
