"""The report as Markdown: panel, tables and the data of charts; what needs a browser is left to the HTML."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Panel, Prose, Section
from percuss.report.charts import alt
from percuss.report.checklist import checklist
from percuss.report.document import Chapter, Document, Part, assemble, caution
from percuss.report.grid import Grid, cell_text, grid_of
from percuss.report.heading import heading
from percuss.report.methods import facts, methods, records
from percuss.report.text import visible

__all__ = ["escaped", "render_markdown"]

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&$])")


def render_markdown(
    title: str,
    manifest: Mapping[str, Any],
    estimates: Sequence[Estimate],
    sections: Iterable[Section],
    *,
    no_text: bool = False,
) -> str:
    """Return the report as GitHub-flavoured Markdown; every word of a model is escaped.

    Args:
        title: the report's title.
        manifest: keys as in `percuss.report`.
        estimates: every estimate of the scoring.
        sections: in the protocol's order.
        no_text: aggregates only.
    """
    document = assemble(title, manifest, estimates, sections, no_text=no_text)
    blocks = [f"# {escaped(title)}"]
    if no_text:
        blocks.append("aggregates only")
    for chapter in document.shown:
        blocks += _chapter(chapter, document)
    return "\n\n".join(blocks) + "\n"


def _chapter(chapter: Chapter, document: Document) -> list[str]:
    judged = chapter.place == "judge" and bool(document.manifest.get("judge"))
    blocks = [f"## {chapter.number}. {escaped(chapter.question)}"]
    if chapter.answer:
        blocks.append(escaped(chapter.answer))
    if judged and (warned := caution(document.manifest)) is not None:
        blocks.append(f"**{warned[0]}**")
    for part in chapter.parts:
        blocks += _part(part, document)
    if chapter.place == "how":
        blocks += _how(document)
    if chapter.place == "read" and document.viewers:
        blocks.append("The cases are in the HTML report.")
    return blocks


def _part(part: Part, document: Document) -> list[str]:
    blocks = [f"### {escaped(part.title)}"] if part.title else []
    blocks += [escaped(part.answer)] if part.answer else []
    record = part.record
    if isinstance(record, Panel):
        grid = grid_of(record)
        assert grid is not None
        lines = "  \n".join(escaped(line) for line in heading(document.manifest))
        return [*blocks, lines, table(Grid(grid.columns, grid.rows)), *map(escaped, record.lines)]
    if isinstance(record, Prose):
        return [*blocks, visible(record.markdown)]
    grid = grid_of(record)
    assert grid is not None
    note = alt(record) if part.kind == "chart" else grid.note  # type: ignore[arg-type] # kind says which record
    return [*blocks, table(grid), *([escaped(note)] if note else [])]


def _how(document: Document) -> list[str]:
    blocks = ["\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in facts(document.manifest))]
    for record in records(document.manifest, document.estimates):
        blocks += [f"### {escaped(record.title)}", table(record.grid)]
    blocks += ["### Methods paragraph", escaped(methods(document.manifest, document.estimates))]
    blocks += ["### Reporting checklist", table(checklist(document.manifest, document.estimates))]
    commands = document.manifest.get("commands")
    if commands:
        blocks += [
            "### To repeat it",
            "\n".join(f"    {visible(part)}" for line in commands for part in str(line).splitlines()),
        ]
    return [block for block in blocks if block]


def table(grid: Grid) -> str:
    """Return a grid as a pipe table."""
    head = [escaped(column.title) or " " for column in grid.columns]
    rule = ["---:" if column.align == "right" else "---" for column in grid.columns]
    body = [
        [escaped(cell_text(cell, column.unit)) for cell, column in zip(row.cells, grid.columns, strict=True)]
        for row in grid.rows
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *body])


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(visible(text).split()))
