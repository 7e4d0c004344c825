"""The first screen as a picture for a page that can't hold HTML: the panel's words and figures, and the chart that leads."""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from percuss.core.sections import Chart, Panel, PanelRow, Section
from percuss.measure.numbers import show
from percuss.report.charts.drawing import Canvas, draw_intervals
from percuss.report.charts.piles import draw_piles
from percuss.report.document import Document, assemble
from percuss.report.heading import heading
from percuss.report.palette import DARK, LIGHT
from percuss.report.text import visible

__all__ = ["picture_words", "render_picture"]

_WIDTH = 1040
_MARGIN = 28
_SIZE = 14
_LINE = 22
# average width of a character of a sans serif, in units of its size
_GLYPH = 0.51
_WIDEST = 230
_GUTTER = 20
# bold is wider
_BOLD = 0.88
_BRACKETS = re.compile(r"\[[^\]]*\]")


@dataclass
class _Canvas(Canvas):
    """A canvas with paragraphs."""

    y: float = _MARGIN

    def paragraph(self, words: str, *, colour: str = "", size: float = _SIZE) -> None:
        """Write words in lines as wide as the picture."""
        for line in textwrap.wrap(words, int((_WIDTH - 2 * _MARGIN) / (size * _GLYPH))):
            self.text(_MARGIN, line, colour=colour, size=size)
            self.y += size * 1.5


def render_picture(manifest: Mapping[str, Any], sections: Iterable[Section], *, dark: bool = False) -> str:
    """Return the first screen as an SVG file: no script, no font, nothing to fetch.

    Args:
        manifest: keys as in `percuss.report`.
        sections: the panel, and the first strip or piled bars, are drawn.
        dark: the dark theme's colours.
    """
    document = assemble("", manifest, (), sections)
    theme = DARK if dark else LIGHT
    canvas = _Canvas(theme)
    canvas.y += _SIZE
    canvas.text(_MARGIN, "What did we find?", bold=True, size=20)
    canvas.y += 1.4 * _LINE
    for words in heading(manifest):
        canvas.paragraph(words, colour=theme.soft, size=13)
    canvas.y += 0.6 * _LINE
    if document.panel is not None:
        _panel(canvas, document.panel)
    lead = _lead_of(document)
    if lead is not None and lead.kind == "bars":
        draw_piles(canvas, lead, _MARGIN, _WIDTH - 2 * _MARGIN, "url(#h)", _SIZE - 1)
    elif lead is not None:
        draw_intervals(canvas, lead, _MARGIN - 8, _WIDTH - 2 * _MARGIN, "url(#h)", _SIZE)
    canvas.y += _LINE if lead is not None else 0
    height = canvas.y + _MARGIN - _LINE / 2
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:g}" width="{_WIDTH}" height="{height:g}" '
        f'role="img" aria-label="{escape(visible(picture_words(document)))}" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif">'
    )
    hatch = (
        '<defs><pattern id="h" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<line x1="1" y1="0" x2="1" y2="6" stroke="{theme.line}" stroke-width="2"/></pattern></defs>'
    )
    ground = f'<rect width="{_WIDTH}" height="{height:g}" rx="8" fill="{theme.paper}" stroke="{theme.line}"/>'
    return "\n".join([head, hatch, ground, *canvas.parts, "</svg>"]) + "\n"


def picture_words(document: Document) -> str:
    """Return what the picture says, for those who don't see it: the answer, or the panel's figures."""
    answer = document.chapter("findings").answer
    if answer or document.panel is None:
        return answer
    rows = (
        f"{row.label}: " + ", ".join(show(shown) for shown in row.figures.values())
        for row in document.panel.rows
    )
    return "; ".join(rows)


def _lead_of(document: Document) -> Chart | None:
    records = (part.record for part in document.chapter("findings").parts)
    charts = [record for record in records if isinstance(record, Chart)]
    return next(
        (c for c in charts if c.kind == "strip" or (c.kind == "bars" and c.options.get("stack"))), None
    )


def _panel(canvas: _Canvas, panel: Panel) -> None:
    columns = [column for column in panel.columns if column.key not in {"model", "label"}]
    keys = [column.key for column in columns]
    rows = [[_label(row), *(_cell(row, key) for key in keys)] for row in panel.rows]
    titles = ["model", *(column.title for column in columns)]
    widths = _widths(titles, rows)
    if panel.first:
        canvas.paragraph(panel.first)
        canvas.y += 0.5 * _LINE
    canvas.y += _cells(canvas, titles, widths, colour=canvas.theme.soft, size=12) - 0.55 * _LINE
    for row, cells in zip(panel.rows, rows, strict=True):
        canvas.line(_MARGIN, _WIDTH - _MARGIN, canvas.y, canvas.theme.line, 1)
        across = not any(cells[1:])
        shown = [cells[0], ", ".join(row.words.values())] if across else cells
        spread = [widths[0], sum(widths[1:])] if across else widths
        height = max(len(lines) for lines in _broken(shown, spread, _SIZE)) * _SIZE * 1.4 + 10
        if row.simulated:
            canvas.rect(_MARGIN, canvas.y + 1, _WIDTH - 2 * _MARGIN, height - 2, "url(#h)")
        canvas.y += _SIZE + 7
        _cells(canvas, shown, spread, bold=True)
        canvas.y += height - _SIZE - 7
    canvas.line(_MARGIN, _WIDTH - _MARGIN, canvas.y, canvas.theme.line, 1)
    canvas.y += _LINE
    for words in panel.lines:
        canvas.paragraph(words, size=13)
    canvas.y += 0.5 * _LINE


def _cells(
    canvas: _Canvas,
    cells: Sequence[str],
    widths: Sequence[float],
    *,
    colour: str = "",
    size: float = _SIZE,
    bold: bool = False,
) -> float:
    """Write cells beside each other, the first one bold if asked, and return their height."""
    top, x = canvas.y, float(_MARGIN)
    broken = _broken(cells, widths, size)
    for i, (lines, width) in enumerate(zip(broken, widths, strict=True)):
        for number, words in enumerate(lines):
            canvas.y = top + number * size * 1.4
            canvas.text(x, words, colour=colour, size=size, bold=bold and i == 0)
        x += width
    canvas.y = top
    return max(map(len, broken)) * size * 1.4


def _kept(found: re.Match[str]) -> str:
    """Return an interval that no line break tears."""
    return found[0].replace(" ", "\N{NO-BREAK SPACE}")


def _broken(cells: Sequence[str], widths: Sequence[float], size: float) -> list[list[str]]:
    chars = [max(8, int((width - _GUTTER) / (size * _GLYPH))) for width in widths]
    lines = [
        textwrap.wrap(_BRACKETS.sub(_kept, words), most, break_long_words=False) or [""]
        for words, most in zip(cells[1:], chars[1:], strict=True)
    ]
    return [_name(cells[0], int(chars[0] * _BOLD)), *lines]


def _name(label: str, most: int) -> list[str]:
    """Break a model's name after a slash or a hyphen, where it is too long for its column."""
    lines = [""]
    for part in re.split(r"(?<=[/\- ])", label):
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return lines


def _label(row: PanelRow) -> str:
    return f"~ {row.label} (simulated)" if row.simulated else row.label


def _cell(row: PanelRow, key: str) -> str:
    return show(row.figures[key]) if key in row.figures else row.words.get(key, "")


def _widths(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[float]:
    """Return the columns' widths: as wide as the longest cell, up to a limit, then stretched to the picture."""
    natural = [
        min(
            _WIDEST,
            max(max(map(len, title.split())) * 12, *(len(row[i]) * _SIZE for row in rows)) * _GLYPH + _GUTTER,
        )
        for i, title in enumerate(titles)
    ]
    stretch = (_WIDTH - 2 * _MARGIN) / sum(natural)
    return [width * stretch for width in natural]
