"""The audit of a document's references as one HTML file: counts, a filter, each reference beside its record."""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from percuss.report.html.assets import style
from percuss.report.html.environment import environment

__all__ = ["render_audit"]


def render_audit(
    *,
    files: Sequence[str],
    asked: str,
    counts: Mapping[str, int],
    rows: Sequence[Mapping[str, Any]],
    issues: Sequence[Mapping[str, Any]],
    content: Sequence[Mapping[str, Any]],
    notes: Sequence[str] = (),
) -> str:
    """Return the page.

    Args:
        files: names of the documents. asked: who was asked, and what was sent, in words. counts: by name; zeros are left out.
        rows: one a reference, with file, word, status, key, reference, notes, candidate, source.
        notes: what of a file was left alone. issues: file, kind and note. content: file, label, subtype, key, sentence, note, quote.
    """
    script = resources.files("percuss.report.html").joinpath("static/audit.js").read_text("utf-8")
    return environment().get_template("audit.html.j2").render(
        files=", ".join(files), many=len(files) > 1, asked=asked, counts={name: n for name, n in counts.items() if n}, rows=rows, issues=issues,
        content=content, notes=notes, statuses=list(dict.fromkeys(row["status"] for row in rows)), style=style(), script=script,
    )  # fmt: skip
