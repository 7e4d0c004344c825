"""The panel as text: the same words as at the top of the HTML, in a terminal, a narrow one, or a file."""

import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from percuss.core.records import Estimate
from percuss.core.sections import Panel, PanelRow, Section
from percuss.measure.numbers import show
from percuss.report.document import Chapter, Document, assemble
from percuss.report.grid import cell_text, grid_of
from percuss.report.heading import heading
from percuss.report.text import visible

__all__ = ["panel_lines", "render_terminal"]

_GAP = "  "
_LABELS = {"model", "label"}


@dataclass(frozen=True)
class Line:
    """One line and its rich style."""

    text: str
    style: str = ""


def render_terminal(
    title: str,
    manifest: Mapping[str, Any],
    estimates: Sequence[Estimate],
    sections: Iterable[Section],
    *,
    no_text: bool = False,
    full: bool = False,
    file: TextIO | None = None,
    width: int | None = None,
) -> None:
    """Print the panel, or with `full` every chapter that can be text.

    Args:
        title: printed only with `full`; the panel's first line names the protocol.
        manifest: keys as in `percuss.report`.
        estimates: every estimate of the scoring.
        sections: in the protocol's order.
        no_text: aggregates only.
        full: tables, prose and the data of charts, too.
        file: where to print; None is stdout. Where it isn't a terminal, nothing is coloured or wrapped.
        width: columns to fit into; None is the terminal's, or no limit where there is none.
    """
    stream = file or sys.stdout
    console = Console(file=stream, width=width, highlight=False, emoji=False, markup=False)
    fit = width or (console.width if stream.isatty() else None)
    document = assemble(title, manifest, estimates, sections, no_text=no_text)
    for line in _lines(document, fit, full=full):
        text = visible(line.text)
        console.print(Text(text, style=line.style), soft_wrap=True)


def _lines(document: Document, fit: int | None, *, full: bool) -> list[Line]:
    lines = [Line(document.title, "bold")] if full else []
    if document.no_text:
        lines.append(Line("aggregates only"))
    for text in heading(document.manifest):
        lines += _wrapped(text, fit, style="dim")
    panel = document.panel
    if panel is not None:
        lines += panel_lines(panel, fit)
    if full:
        for chapter in document.shown:
            lines += _chapter_lines(chapter, fit)
    return lines


def panel_lines(panel: Panel, fit: int | None = None) -> list[Line]:
    """Return the panel's lines: a table where it fits, else one block a model."""
    columns = [column for column in panel.columns if column.key not in _LABELS]
    title = next((column.title for column in panel.columns if column.key in _LABELS), "model")
    keys = [column.key for column in columns]
    cells = [[_label(row, keys), *(_cell(row, key) for key in keys)] for row in panel.rows]
    titles = [title, *(column.title for column in columns)]
    # words beside a label run across the columns and don't widen them
    across = [bool(_aside(row, keys)) for row in panel.rows]
    widths = [
        max(
            map(
                cell_len,
                [
                    *_header(name),
                    *(row[i] for row, wide in zip(cells, across, strict=True) if not (wide and i)),
                ],
            )
        )
        for i, name in enumerate(titles)
    ]
    lines = _wrapped(panel.first, fit) if panel.first else []
    if fit is not None and sum(widths) + len(_GAP) * (len(widths) - 1) > fit:
        lines += _stacked(panel, keys, titles[1:], fit)
    else:
        lines += _headers(titles, widths)
        for row, shown in zip(panel.rows, cells, strict=True):
            aside = _aside(row, keys)
            texts = [shown[0], aside] if aside else shown
            lines.append(Line(_GAP.join(_pad(texts, widths)).rstrip(), "dim" if row.simulated else ""))
    for text in panel.lines:
        lines += _wrapped(text, fit)
    return lines


def _pad(texts: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [text + " " * max(0, width - cell_len(text)) for text, width in zip(texts, widths, strict=False)]


def _label(row: PanelRow, keys: Sequence[str]) -> str:
    if not row.simulated:
        return row.label
    return f"~ {row.label}" if _aside(row, keys) else f"~ {row.label} (simulated)"


def _aside(row: PanelRow, keys: Sequence[str]) -> str:
    """Return the words of a row that has no figure for any column: they stand beside its label."""
    if any(key in row.figures or key in row.words for key in keys):
        return ""
    words = ", ".join([*row.words.values(), *(f"{key} {show(shown)}" for key, shown in row.figures.items())])
    return f"simulated, {words}" if row.simulated and not words.startswith("simulated") else words


def _cell(row: PanelRow, key: str) -> str:
    return show(row.figures[key]) if key in row.figures else row.words.get(key, "")


def _header(title: str) -> list[str]:
    """Break a column's title into at most two balanced lines."""
    longest = max((len(word) for word in title.split()), default=1)
    broken = (textwrap.wrap(title, width) for width in count(longest))
    return next(lines for lines in broken if len(lines) <= 2) or [""]


def _headers(titles: Sequence[str], widths: Sequence[int]) -> list[Line]:
    broken = [_header(title) for title in titles]
    deepest = max(len(lines) for lines in broken)
    rows = [[""] * (deepest - len(lines)) + lines for lines in broken]
    return [Line(_GAP.join(_pad(row, widths)).rstrip(), "bold") for row in zip(*rows, strict=True)]


def _stacked(panel: Panel, keys: Sequence[str], titles: Sequence[str], fit: int) -> list[Line]:
    lines = []
    for row in panel.rows:
        lines += _wrapped(_label(row, keys), fit, style="bold")
        aside = _aside(row, keys)
        if aside:
            lines += _wrapped(aside, fit, indent="  ")
            continue
        for key, title in zip(keys, titles, strict=True):
            text = _cell(row, key)
            if text:
                lines += _wrapped(f"{title}: {text}", fit, indent="  ")
    return lines


def _wrapped(text: str, fit: int | None, *, indent: str = "", style: str = "") -> list[Line]:
    if fit is None:
        return [Line(indent + text, style)]
    wrapped = textwrap.wrap(
        text, max(fit, 20), initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False
    )
    return [Line(line, style) for line in wrapped]


def _chapter_lines(chapter: Chapter, fit: int | None) -> list[Line]:
    if not chapter.answer and not chapter.parts:
        return []  # the reader's and the judge's places may hold nothing that is text
    lines = [Line(""), Line(f"{chapter.number}. {chapter.question}", "bold")]
    lines += _wrapped(chapter.answer, fit) if chapter.answer else []
    for part in chapter.parts:
        if part.kind == "panel":
            continue
        lines += [Line(""), Line(part.title, "underline")] if part.title else [Line("")]
        lines += _wrapped(part.answer, fit) if part.answer else []
        grid = grid_of(part.record)
        if grid is None:
            lines += [Line(text) for text in getattr(part.record, "markdown", "").splitlines()]
            continue
        cells = [
            [cell_text(cell, column.unit) for cell, column in zip(row.cells, grid.columns, strict=True)]
            for row in grid.rows
        ]
        titles = [column.title for column in grid.columns]
        widths = [max(cell_len(text) for text in texts) for texts in zip(titles, *cells, strict=True)]
        lines += [Line(_GAP.join(_pad(titles, widths)).rstrip(), "bold")]
        lines += [Line(_GAP.join(_pad(row, widths)).rstrip()) for row in cells]
        lines += _wrapped(grid.note, fit) if grid.note else []
    return lines
