"""The panel as a piece of HTML, for a notebook's cell; and rows as a small table."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Panel, Section
from percuss.report.document import assemble
from percuss.report.grid import cell_text, grid_of
from percuss.report.heading import heading
from percuss.report.text import visible

__all__ = ["render_fragment", "rows_fragment"]

SHOWN = 10
"""Rows of a table that a cell shows."""


def render_fragment(
    title: str, manifest: Mapping[str, Any], estimates: Sequence[Estimate], sections: Iterable[Section]
) -> str:
    """Return title, the lines above the panel, the panel and the lines under it as HTML without style or script.

    Args:
        title, manifest, estimates, sections: as `render_html` takes them.
    """
    document = assemble(title, manifest, estimates, [s for s in sections if s.kind == "panel"])
    blocks = [f"<h3>{_text(title)}</h3>"]
    blocks += [f"<p>{_text(line)}</p>" for line in heading(document.manifest)]
    panel = document.panel
    if panel is not None:
        blocks += [f"<p>{_text(panel.first)}</p>"] if panel.first else []
        blocks += [_table(panel), *(f"<p>{_text(line)}</p>" for line in panel.lines)]
    return "\n".join(blocks)


def _table(panel: Panel) -> str:
    grid = grid_of(panel)
    assert grid is not None
    head = [column.title for column in grid.columns]
    rows = [
        [cell_text(cell, column.unit) for cell, column in zip(row.cells, grid.columns, strict=True)]
        for row in grid.rows
    ]
    return _html(head, rows)


def rows_fragment(rows: Sequence[Mapping[str, Any]], what: str) -> str:
    """Return the first rows of a table as HTML, and how many there are.

    Args:
        rows: dictionaries with the same keys. what: they are, in the plural.
    """
    shown = rows[:SHOWN]
    said = f"{len(rows):,} {what}" + (f", the first {SHOWN} shown" if len(rows) > SHOWN else "")
    columns = [name for name in (shown[0] if shown else {}) if any(row[name] is not None for row in shown)]
    table = _html(columns, [[cell_text(row[name], "ratio") for name in columns] for row in shown])
    return f"<p>{_text(said)}</p>{table if shown else ''}"


def _html(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{_text(title)}</th>" for title in head)
    body = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _text(text: str) -> str:
    return escape(visible(str(text)))
