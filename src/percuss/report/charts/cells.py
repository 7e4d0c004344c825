"""Cells: heat maps with number and n, matrices of pairs, and counts in two-dimensional bins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from percuss.core.sections import Chart, Figure
from percuss.measure.numbers import count, point, show
from percuss.report.charts.axes import LINES, Json, category, is_number, rows_of, tips, wrapped
from percuss.report.palette import DIVERGING, LIGHT

__all__ = ["FEW", "Cell", "Matrix", "MatrixRow", "binned", "heat", "matrix_table"]

FEW = 10
SOFT_HATCH = "url(#percuss-hatch-soft)"
# cells keep their light colours in the dark theme, too: so does the text on them
INK_ON_CELL = "#1F2329"
EMPTY_CELL = "#F6F7FA"
_BINS = 10
# a small heat map has room for so many labels that stand flat beside each other
_FLAT = 4
# more columns than this leave a label the width of one word
_WIDE = 6
# a label beside its row is broken into lines of so many characters; three of them fit beside a cell
_BESIDE = 30
_TURNED: Json = {"labelAngle": -40, "labelAlign": "right", "labelLimit": 190}


def heat(chart: Chart) -> Json:
    """Return a heat map; each cell holds number and n, is hatched where it is simulated and left without colour where n is under 10."""
    key = chart.value or "value"
    data = rows_of(chart, x=chart.x, y=chart.y, value=key)
    numbers = [row["_value"] for row in data if is_number(row.get("_value"))]
    diverging = bool(chart.options.get("diverging", chart.unit == "points"))
    limits = chart.options.get("domain") or _limits(numbers, diverging=diverging)
    columns = {str(row.get("_x")) for row in data}
    turned = bool(chart.facet) and len(columns) > _FLAT
    chars = 60 if turned else 9 if chart.facet else 16 if len(columns) <= _WIDE else 11
    for row in data:
        n = row.get("n")
        row["_x"], row["_few"] = wrapped(row.get("_x"), chars), is_number(n) and n < FEW
        row["_y"] = wrapped(row.get("_y"), _BESIDE)
        row["_note"] = f"n {count(n)}" if is_number(n) else ""
        row["_short"] = row["_text"] if is_number(row.get("_value")) else "undefined"
    order = [wrapped(label, chars) for label in chart.options.get("order", ())]
    down = [wrapped(label, _BESIDE) for label in chart.options.get("rows", ())]
    colours = DIVERGING if diverging else LIGHT.ramp
    scale = {"domain": _stops(limits, colours), "range": list(colours)}
    colour = {"field": "_value", "type": "quantitative", "scale": scale, "legend": None}
    fill = {"condition": {"test": "datum._few", "value": EMPTY_CELL}, **colour}
    shown = tips(chart, y=chart.y_title, x=chart.x_title, text="value")
    return {
        "data": data,
        "height": {"step": 46},
        "encoding": {
            "x": category(
                "_x", chart.x_title, order, **(_TURNED if turned else {"labelAngle": 0, "labelExpr": LINES})
            ),
            "y": category("_y", chart.y_title, down, labelExpr=LINES),
        },
        "layer": _cell_layers(data, {"fill": fill, "tooltip": shown}),
    }


def _cell_layers(data: Sequence[Json], encoding: Json) -> list[Json]:
    """Return ground, colour, hatching, number and n, from back to front."""
    cell = {"type": "rect", "stroke": LIGHT.paper, "strokeWidth": 2}
    layers: list[Json] = [{"mark": {**cell, "fill": EMPTY_CELL}}, {"mark": cell, "encoding": encoding}]
    if any(row["_sim"] for row in data):
        over = {**cell, "fill": SOFT_HATCH, "fillOpacity": 0.55}
        layers.append({"transform": [{"filter": "datum._sim"}], "mark": over})
    for field, look in (("_short", {"dy": -6, "fontWeight": "bold"}), ("_note", {"dy": 10, "fontSize": 10})):
        written = {"text": {"field": field}, "color": {"value": INK_ON_CELL}}
        layers.append({"mark": {"type": "text", **look}, "encoding": written})
    return layers


def _stops(limits: Sequence[float], colours: Sequence[str]) -> list[float]:
    """Return where on the axis each colour stands."""
    low, high = limits
    return [low + (high - low) * i / (len(colours) - 1) for i in range(len(colours))]


def _limits(numbers: list[float], *, diverging: bool) -> tuple[float, float]:
    if not numbers:
        return 0.0, 1.0
    if diverging:
        reach = max(abs(number) for number in numbers) or 1.0
        return -reach, reach
    return min(0.0, *numbers), max(numbers) or 1.0


@dataclass(frozen=True)
class Cell:
    """One cell of a matrix, in words."""

    text: str = ""
    note: str = ""
    simulated: bool = False
    few: bool = False


@dataclass(frozen=True)
class MatrixRow:
    """A row's label and its cells."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Matrix:
    """A matrix in words: what each pair says."""

    columns: tuple[str, ...]
    rows: tuple[MatrixRow, ...]


def matrix_table(chart: Chart) -> Matrix:
    """Return a matrix as a table: a cell is the row's `text`, or its number with its interval."""
    columns = tuple(dict.fromkeys(str(row.get(chart.x, "")) for row in chart.rows))
    labels = tuple(dict.fromkeys(_row_label(chart, row) for row in chart.rows))
    cells = {(_row_label(chart, row), str(row.get(chart.x, ""))): _cell(chart, row) for row in chart.rows}
    rows = (
        MatrixRow(label, tuple(cells.get((label, column), Cell()) for column in columns)) for label in labels
    )
    return Matrix(columns, tuple(rows))


def _row_label(chart: Chart, row: Mapping[str, Any]) -> str:
    label = str(row.get(chart.y, ""))
    return f"{row.get(chart.facet)}: {label}" if chart.facet else label


def _cell(chart: Chart, row: Mapping[str, Any]) -> Cell:
    value, n = row.get(chart.value or "value"), row.get("n")
    if row.get("text"):
        text = str(row["text"])
    elif is_number(value) and chart.low:
        text = show(
            Figure(value=value, low=row.get(chart.low), high=row.get(chart.high or ""), unit=chart.unit)
        )
    elif is_number(value) or value is None:
        text = point(value, chart.unit, undefined=row.get("undefined"))
    else:
        text = str(value)
    simulated = bool(row.get("simulated"))
    notes = [f"n {count(n)}"] if is_number(n) else []
    notes += ["simulated"] if simulated else []
    return Cell(text, ", ".join(notes), simulated, few=is_number(n) and n < FEW)


def binned(data: list[Json], x_title: str, y_title: str) -> Json:
    """Return counts of rows in bins of `_start` and `_stop`, for more pairs than lines can show."""
    bins = {"bin": {"maxbins": _BINS}, "type": "quantitative"}
    return {
        "data": data,
        "height": 300,
        "encoding": {
            "x": {"field": "_start", **bins, "title": x_title},
            "y": {"field": "_stop", **bins, "title": y_title},
        },
        "layer": [
            {
                "mark": "rect",
                "encoding": {
                    "fill": {"aggregate": "count", "scale": {"range": list(LIGHT.ramp)}, "title": "cases"}
                },
            },
        ],
    }
