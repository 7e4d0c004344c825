"""One self-contained file, written whole or not at all."""

import base64
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from markupsafe import Markup

from percuss.core.errors import RunError
from percuss.core.records import Estimate
from percuss.core.sections import Prose, Section
from percuss.report.aggregates import shown_estimates
from percuss.report.checklist import checklist
from percuss.report.document import UNCARDED, Chapter, Document, Part, assemble, caution
from percuss.report.heading import heading
from percuss.report.html.assets import hatch_defs, scripts_for, style
from percuss.report.html.blocks import Blocks
from percuss.report.html.environment import environment
from percuss.report.methods import facts, methods, records
from percuss.report.palette import LETTERS

__all__ = ["policy", "render_html"]


def render_html(
    title: str,
    manifest: Mapping[str, Any],
    estimates: Sequence[Estimate],
    sections: Iterable[Section],
    *,
    no_text: bool = False,
    out: Path,
    calls: Mapping[str, Any] | None = None,
) -> None:
    """Write the report as one HTML file that asks the network for nothing.

    Args:
        title: the report's title.
        manifest: keys as in `percuss.report`.
        estimates: every estimate of the scoring.
        sections: in the protocol's order; viewers are compressed as they come and never held together.
        no_text: aggregates only.
        out: the file; it appears when it is complete.
        calls: what was sent, for the reader: `texts`, `calls` that point at them, `left`; None shows none.

    Raises:
        RunError: the file cannot be written.
    """
    with _whole(out) as file, tempfile.TemporaryFile("w+", encoding="ascii") as spool:
        blocks = Blocks(spool)
        document = assemble(title, manifest, estimates, sections, no_text=no_text, keep=blocks.add)
        blocks.send(calls)
        for chunk in _stream(document, blocks):
            file.write(chunk)


def _stream(document: Document, blocks: Blocks) -> Iterator[str]:
    scripts = scripts_for(document)
    manifest = document.manifest
    estimates = shown_estimates(document.estimates) if document.no_text else document.estimates
    yield from (
        environment()
        .get_template("report.html.j2")
        .generate(
            document=document,
            manifest=manifest,
            chapters=[_boxed(chapter, document) for chapter in document.shown],
            heading=heading(manifest),
            policy=policy(scripts),
            style=Markup(style()),  # noqa: S704 - our own file
            hatch=Markup(hatch_defs()),  # noqa: S704 - our own string
            scripts=[Markup(script) for script in scripts],  # noqa: S704 - our own and vendored files
            blocks=blocks,
            caution=caution(manifest),
            facts=facts(manifest),
            records=records(manifest, estimates),
            prompts=manifest.get("prompts", ()),
            methods=methods(manifest, estimates),
            checklist=checklist(manifest, estimates),
            letters=LETTERS,
            reader_setup=_reader_setup(manifest),
        )
    )


def _reader_setup(manifest: Mapping[str, Any]) -> str:
    """Return what the reader opens with: the primary pair of conditions and their words."""
    known = [(str(arm.get("name")), str(arm.get("words") or "")) for arm in manifest.get("arms", ())]
    arms = {name: words for name, words in known if words not in {"", name}}
    pair = [*(manifest.get("primary") or {}).get("arms", ()), "", ""]
    return json.dumps({"arms": arms, "left": pair[0], "right": pair[1]})


def _boxed(chapter: Chapter, document: Document) -> Chapter:
    """Return the judge's chapter without what its box says already; others as they are."""
    if chapter.place != "judge" or caution(document.manifest) is None:
        return chapter
    parts = tuple(part for part in chapter.parts if not _only_says(part))
    return replace(chapter, parts=parts, answer=chapter.answer.replace(UNCARDED, "").strip())


def _only_says(part: Part) -> bool:
    return isinstance(part.record, Prose) and part.record.markdown.strip(" >*_\n") == UNCARDED


def policy(scripts: Sequence[str]) -> str:
    """Return the Content-Security-Policy: nothing may be asked for, and only these scripts may run."""
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts) or "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes}"


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@contextmanager
def _whole(out: Path) -> Iterator[TextIO]:
    """Open a file beside `out` that takes its place at the end, or vanishes."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    except OSError as error:
        raise RunError(
            f"cannot write {out}: {error.strerror}; name a folder that exists and is writable"
        ) from error
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        part.replace(out)
    except OSError as error:
        raise RunError(
            f"cannot write {out}: {error.strerror}; free some space or name another place"
        ) from error
    finally:
        part.unlink(missing_ok=True)
