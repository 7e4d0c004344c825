"""Bars that are piled up to a whole, as SVG for the README's picture: a colour and a letter each, the legend above."""

from collections.abc import Mapping

from percuss.core.sections import Chart
from percuss.report.charts.axes import labelled
from percuss.report.charts.drawing import GLYPH, Canvas
from percuss.report.charts.groups import colours, letters
from percuss.report.palette import LIGHT

__all__ = ["draw_piles"]

_NARROWEST = 14.0
_TICKS = 5


def draw_piles(canvas: Canvas, chart: Chart, left: float, width: float, hatch: str, size: float) -> None:
    """Draw one bar a label, its groups one after the other, with whole labels and a scale in percent.

    Args:
        canvas: drawn on from where it has reached. chart: of kind `bars` with `options.stack`; `x` numbers, `y` labels.
        left, width: of the chart. hatch: fill of what is simulated. size: of text.
    """
    groups = list(dict.fromkeys(str(row.get(chart.group or "", "")) for row in chart.rows))
    fills, known = colours(groups), letters(groups)
    _legend(canvas, fills, known, left, size)
    labels = list(dict.fromkeys(labelled(row, row.get(chart.y)) for row in chart.rows))
    start = left + max(map(len, labels), default=0) * size * GLYPH + 2 * size
    wide = left + width - start
    for label in labels:
        canvas.y += 1.9 * size
        canvas.text(left, label, size=size)
        reached = start
        for row in chart.rows:
            if labelled(row, row.get(chart.y)) != label:
                continue
            group, length = str(row.get(chart.group or "", "")), wide * float(row.get(chart.x) or 0.0)
            top, high = canvas.y - 1.1 * size, 1.5 * size
            canvas.rect(reached, top, length, high, fills[group], canvas.theme.paper)
            if row.get("simulated"):
                canvas.rect(reached, top, length, high, hatch)
            if length >= _NARROWEST:
                canvas.rect(reached + length / 2 - 7, top + 3, 14, high - 6, LIGHT.paper)
                canvas.text(reached + length / 2, known[group], bold=True, size=size - 2, anchor="middle", colour=LIGHT.ink)  # fmt: skip
            reached += length
    canvas.y += 1.7 * size
    for tick in range(_TICKS + 1):
        place = start + wide * tick / _TICKS
        canvas.text(place, f"{100 * tick // _TICKS}%", colour=canvas.theme.soft, size=size - 1, anchor="middle")  # fmt: skip
    canvas.y += 1.4 * size
    canvas.text(start + wide / 2, chart.x_title, colour=canvas.theme.soft, size=size - 1, anchor="middle")


def _legend(
    canvas: Canvas, fills: Mapping[str, str], known: Mapping[str, str], left: float, size: float
) -> None:
    x = left
    canvas.y += size
    for group, fill in fills.items():
        canvas.rect(x, canvas.y - 0.85 * size, size, size, fill)
        words = f"{known[group]}  {group}"
        canvas.text(x + 1.4 * size, words, size=size)
        x += (len(words) + 3) * size * GLYPH + 1.4 * size
