"""Strip, forest, flow and matrix as SVG, for files, the README's picture and what a page saves: no script, nothing cut.

The page and the terminal show the same layouts (`interval_chart`, `flows`, `matrix_table`), so all of them say the same.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from markupsafe import escape

from percuss.core.sections import Chart
from percuss.measure.numbers import count
from percuss.report.charts.axes import Json
from percuss.report.charts.cells import matrix_table
from percuss.report.charts.intervals import IntervalRow, interval_chart
from percuss.report.charts.spans import flows
from percuss.report.charts.spec import alt, drawn_as
from percuss.report.palette import LIGHT, Theme
from percuss.report.text import visible

__all__ = ["GLYPH", "Canvas", "draw_intervals", "drawing", "saved_rows"]

GLYPH = 0.54
"""Average width of a character of a sans serif, in units of its size."""
FONT = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
_SIZE, _LINE, _MARGIN = 12.0, 16.0, 8.0
_WIDEST, _LEAST = 0.36, 150.0


@dataclass
class Canvas:
    """Parts of an SVG and how far down they reach."""

    theme: Theme = LIGHT
    parts: list[str] = field(default_factory=list)
    y: float = _MARGIN

    def text(
        self, x: float, words: str, *, colour: str = "", bold: bool = False, size: float = _SIZE, anchor: str = ""
    ) -> None:  # fmt: skip
        """Write words at the line that the canvas has reached."""
        look = (' font-weight="bold"' if bold else "") + (f' text-anchor="{anchor}"' if anchor else "")
        fill = colour or self.theme.ink
        self.parts.append(
            f'<text x="{x:g}" y="{self.y:g}" font-size="{size:g}" fill="{fill}"{look}>{escape(visible(words))}</text>'
        )

    def rect(self, x: float, y: float, width: float, height: float, fill: str, stroke: str = "") -> None:
        """Draw a box."""
        edge = f' stroke="{stroke}"' if stroke else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{edge}/>'
        )

    def line(
        self, x: float, to: float, y: float, colour: str, width: float, dash: str = "", down: float = 0
    ) -> None:
        """Draw a line from left to right, or `down` from where it begins."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{x:g}" x2="{to:g}" y1="{y:g}" y2="{y + down:g}" stroke="{colour}" stroke-width="{width:g}"{dashed}/>'
        )

    def svg(self, width: float, label: str, defs: str) -> str:
        """Return the whole file, with what its hatching refers to."""
        height = self.y + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
            f'role="img" aria-label="{escape(visible(label))}" font-family="{FONT}"><defs>{defs}</defs>'
            f'<rect width="{width:g}" height="{height:g}" fill="{self.theme.paper}"/>{"".join(self.parts)}</svg>'
        )


def drawing(chart: Chart, defs: str, *, width: float = 620) -> str:
    """Return a strip, forest, flow or matrix as an SVG file.

    Args:
        chart: whose form `drawn_as` says is one of these. defs: the hatching. width: pixels.
    """
    canvas = Canvas()
    form = drawn_as(chart)
    if form == "flow":
        _flow(canvas, chart)
    elif form == "matrix":
        _matrix(canvas, chart, width)
    else:
        draw_intervals(canvas, chart, 0.0, width, "url(#percuss-hatch)")
    return canvas.svg(width, alt(chart), defs)


def saved_rows(chart: Chart) -> Json:
    """Return what a page keeps of a chart that needs no script to be drawn: its rows, to be saved."""
    return {"data": {"values": [dict(row) for row in chart.rows]}}


def _wrapped(words: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(words, max(6, int(width / (size * GLYPH)))) or [""]


def draw_intervals(
    canvas: Canvas, chart: Chart, left: float, width: float, hatch: str, size: float = _SIZE
) -> None:
    """Draw dots with their lines, whole labels and whole numbers: beside the lines where there is room, else above them.

    Args:
        canvas: drawn on from where it has reached. left, width: of the chart. hatch: fill of what is simulated. size: of text.
    """
    laid, theme = interval_chart(chart), canvas.theme
    longest = max((len(row.label) for row in laid.rows), default=0) * size * GLYPH
    named = min(longest, _WIDEST * width) + _MARGIN
    told = max([*(len(row.text) for row in laid.rows), 10]) * size * GLYPH + 2 * _MARGIN
    beside = width - named - told >= _LEAST
    start = left + named + _MARGIN if beside else left + 2 * _MARGIN
    stop = left + width - (told if beside else 2 * _MARGIN)
    top = canvas.y

    def at(percent: float) -> float:
        return start + (stop - start) * percent / 100

    for row in laid.rows:
        _row(canvas, row, left, (named if beside else width - 2 * _MARGIN), size, beside=beside)
        lane = (
            canvas.y if not beside else canvas.y - 1.25 * size * (len(_wrapped(row.label, named, size)) - 1)
        )
        _interval(canvas, row, (start, stop), lane - 4, at, hatch)
        if beside:
            canvas.parts.append(_at(stop + _MARGIN, lane, row.text, theme.soft, size))
        canvas.y += 0.4 * size
        if laid.zero is not None and not beside:
            canvas.line(at(laid.zero), at(laid.zero), lane - 10, theme.rule, 1, "3 3", down=12)
    if laid.zero is not None and beside:
        canvas.line(at(laid.zero), at(laid.zero), top, theme.rule, 1, "3 3", down=canvas.y - top)
    canvas.y += 1.4 * size
    for tick in laid.ticks:
        canvas.text(at(tick.at), tick.text, colour=theme.soft, size=size - 1, anchor="middle")
    canvas.y += 1.4 * size
    canvas.text((start + stop) / 2, laid.axis_title, colour=theme.soft, size=size - 1, anchor="middle")


def _row(canvas: Canvas, row: IntervalRow, left: float, width: float, size: float, *, beside: bool) -> None:
    """Write a row's label; without room for them beside the line, its number, too."""
    if row.heading:
        canvas.y += 1.5 * size
        canvas.text(left + _MARGIN, row.heading, bold=True, size=size)
    for number, words in enumerate(_wrapped(row.label, width, size)):
        canvas.y += 1.25 * size if number else 1.5 * size
        canvas.text(left + _MARGIN, words, size=size)
    if not beside:
        for words in _wrapped(row.text, width, size):
            canvas.y += 1.25 * size
            canvas.text(left + _MARGIN, words, colour=canvas.theme.soft, size=size)
        canvas.y += 1.25 * size


def _at(x: float, y: float, words: str, fill: str, size: float) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}">{escape(visible(words))}</text>'


def _interval(
    canvas: Canvas, row: IntervalRow, ends: tuple[float, float], y: float, place: Callable[[float], float], hatch: str
) -> None:  # fmt: skip
    theme = canvas.theme
    canvas.line(*ends, y, theme.line, 1)
    for low, high, wide in ((row.bound_low, row.bound_high, 1.0), (row.low, row.high, 3.0)):
        if low is not None and high is not None:
            canvas.line(place(low), place(high), y, theme.ink, wide, "4 3" if row.simulated else "")
    for clipped, x, arrow in ((row.clipped_low, ends[0] - 6, "◀"), (row.clipped_high, ends[1] - 2, "▶")):
        if clipped:
            canvas.parts.append(_at(x, y + 4, arrow, theme.ink, 9))
    if row.dot is not None:
        fill = hatch if row.simulated else theme.accent
        canvas.parts.append(
            f'<circle cx="{place(row.dot):g}" cy="{y:g}" r="5" fill="{fill}" stroke="{theme.ink}"/>'
        )


def _flow(canvas: Canvas, chart: Chart) -> None:
    for column in flows(chart):
        if column.title:
            canvas.y += 1.4 * _LINE
            canvas.text(_MARGIN, column.title, bold=True)
        for step in column.steps:
            canvas.y += _LINE
            canvas.text(2 * _MARGIN, f"{step.name}: {count(step.n or 0)}")
            for reason, n in step.out:
                canvas.y += _LINE
                canvas.text(6 * _MARGIN, f"left out, {reason}: {count(n)}", colour=canvas.theme.soft)


def _matrix(canvas: Canvas, chart: Chart, width: float) -> None:
    table, theme = matrix_table(chart), canvas.theme
    wide = (width - 2 * _MARGIN) / (len(table.columns) + 1)
    lines = [("", [(name, False) for name in table.columns])]
    lines += [
        (row.label, [(f"{c.text} {c.note}".strip(), c.simulated) for c in row.cells]) for row in table.rows
    ]
    for at, (label, cells) in enumerate(lines):
        broken = [
            _wrapped(words, wide - 2 * _MARGIN, _SIZE - 1)
            for words in (label, *(words for words, _ in cells))
        ]
        height, top = max(map(len, broken)) * _LINE + _MARGIN, canvas.y
        for column, words in enumerate(broken):
            x = _MARGIN + column * wide
            marked = bool(column and cells[column - 1][1])
            canvas.rect(
                x, top, wide, height, "url(#percuss-hatch-soft)" if marked else theme.paper, theme.line
            )
            for number, part in enumerate(words):
                canvas.y = top + (number + 1) * _LINE
                canvas.text(x + _MARGIN, part, bold=not (at and column), size=_SIZE - 1)
        canvas.y = top + height
