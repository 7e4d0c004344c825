"""A table or the data of a chart as columns and rows, for every format that writes tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from percuss.core.sections import Chart, Column, Panel, Prose, Table
from percuss.measure.numbers import count, figure, point, show

__all__ = ["Grid", "GridRow", "cell_text", "grid_of"]

_COUNTS = {"n", "count", "clusters"}
_TITLES = {"low": "lower bound", "high": "upper bound", "simulated": "simulated", "n": "n"}
_UNSHOWN = {"undefined"}


@dataclass(frozen=True)
class GridRow:
    """Cells in the order of the columns."""

    cells: tuple[Any, ...]
    simulated: bool = False


@dataclass(frozen=True)
class Grid:
    """Columns, rows and the note under them."""

    columns: tuple[Column, ...]
    rows: tuple[GridRow, ...]
    note: str = ""


def grid_of(record: Panel | Table | Chart | Prose) -> Grid | None:
    """Return a record as a grid, or None where it is words."""
    match record:
        case Table():
            return _table(record)
        case Chart():
            return _chart(record)
        case Panel():
            return _panel(record)
    return None


def cell_text(cell: Any, unit: str = "") -> str:
    """Return a cell as text: figures with their interval, numbers by unit, None as an empty cell.

    Args:
        cell: text, a number, a truth value, None or a `Figure` as a mapping.
        unit: the column's unit; a figure carries its own.
    """
    if isinstance(cell, Mapping) and "value" in cell:
        return show(figure(cell))
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int) and unit in {"", "count"}:
        return count(cell)
    if isinstance(cell, int | float):
        return point(cell, unit)
    if isinstance(cell, list | tuple):
        return ", ".join(cell_text(part, unit) for part in cell)
    return str(cell)


def _table(table: Table) -> Grid:
    rows = tuple(
        GridRow(tuple(row.get(column.key) for column in table.columns), simulated=bool(row.get("simulated")))
        for row in table.rows
    )
    if not any(row.simulated for row in rows) or any(column.key == "simulated" for column in table.columns):
        return Grid(table.columns, rows, table.note)
    columns = (*table.columns, Column(key="simulated", title="simulated"))
    marked = tuple(GridRow((*row.cells, "simulated" if row.simulated else ""), row.simulated) for row in rows)
    return Grid(columns, marked, table.note)


def _panel(panel: Panel) -> Grid:
    named = [column for column in panel.columns if column.key not in {"model", "label"}]
    loose = dict.fromkeys(
        key for row in panel.rows for key in (*row.figures, *row.words) if key not in {c.key for c in named}
    )
    columns = (Column(key="label", title="model"), *named, *(Column(key=key, title=key) for key in loose))
    rows = tuple(
        GridRow(
            (
                f"~ {row.label} (simulated)" if row.simulated else row.label,
                *(
                    show(row.figures[c.key]) if c.key in row.figures else row.words.get(c.key, "")
                    for c in columns[1:]
                ),
            ),
            simulated=row.simulated,
        )
        for row in panel.rows
    )
    return Grid(columns, rows, " ".join(panel.lines))


def _chart(chart: Chart) -> Grid:
    keys = list(dict.fromkeys(key for row in chart.rows for key in row if key not in _UNSHOWN))
    if not any(row.get("simulated") for row in chart.rows):
        keys = [key for key in keys if key != "simulated"]
    keys.sort(key=lambda key: _place(chart, key))
    columns = tuple(_column(chart, key) for key in keys)
    rows = tuple(
        GridRow(tuple(_chart_cell(row, key) for key in keys), simulated=bool(row.get("simulated")))
        for row in chart.rows
    )
    return Grid(columns, rows)


def _place(chart: Chart, key: str) -> int:
    """Return where a column of a chart's data stands: what it is of, its number, its interval, the rest, simulated."""
    first = [chart.facet, chart.group]
    labels_are_y = any(isinstance(row.get(chart.y), str) for row in chart.rows)
    ends = [chart.y, chart.x] if labels_are_y else [chart.x, chart.y]
    inner = [
        *chart.options.get("connect", ()),
        chart.value,
        chart.low,
        chart.high,
        *chart.options.get("bounds", ()),
    ]
    order = [*first, *ends, *inner]
    if key == "simulated":
        return len(order) + 1
    return order.index(key) if key in order else len(order)


def _column(chart: Chart, key: str) -> Column:
    roles = {chart.x: chart.x_title, chart.y: chart.y_title, chart.low: "", chart.high: ""}
    numeric = any(
        isinstance(row.get(key), int | float) and not isinstance(row.get(key), bool) for row in chart.rows
    )
    unit = "count" if key in _COUNTS else chart.unit if numeric and key in _measured(chart) else ""
    joined: dict[str, str] = dict(
        zip(chart.options.get("connect", ()), chart.options.get("names", ()), strict=False)
    )
    title = joined.get(key) or roles.get(key) or _TITLES.get(key, key.replace("_", " "))
    return Column(key=key, title=title, unit=unit, align="right" if numeric else "left")


def _measured(chart: Chart) -> set[str | None]:
    """Return the keys whose numbers carry the chart's unit."""
    if chart.kind == "slope":
        return set()
    bounds: Sequence[str] = chart.options.get("bounds", ())
    if chart.kind in {"heat", "matrix"}:
        return {chart.value or "value"}
    return {chart.x, chart.y, chart.low, chart.high, chart.value, *bounds, *chart.options.get("connect", ())}


def _chart_cell(row: Mapping[str, Any], key: str) -> Any:
    value = row.get(key)
    if value is None and row.get("undefined") and key in {"x", "y", "value"}:
        return f"undefined ({row['undefined']})"
    return value
