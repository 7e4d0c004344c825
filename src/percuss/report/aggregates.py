"""`--no-text`: aggregates only. No quotation leaves, and no number that fewer than eleven cases stand behind.

Eleven is the smallest cell that US health agencies publish (CMS cell size suppression policy). Totals beside a
hidden cell are kept: whoever must rule out subtraction, too, publishes the panel alone.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from percuss.core.records import Estimate
from percuss.core.sections import Chart, Figure, Panel, PanelRow, Prose, Table

__all__ = ["SMALLEST", "few", "shown_estimates", "without_text"]

SMALLEST = 11
_HIDDEN = f"hidden: n under {SMALLEST}"
# A column of one of these units holds words of a model or of a record.
_QUOTES = {"text", "quote", "example"}
_SINGLE = {"dumbbell", "lifelines"}


def without_text(record: Panel | Table | Chart | Prose) -> Panel | Table | Chart | Prose:
    """Return a section's record without quotations and small cells."""
    match record:
        case Panel():
            return _panel(record)
        case Table():
            return _table(record)
        case Chart():
            return _chart(record)
        case Prose():
            lines = [line for line in record.markdown.splitlines() if not line.lstrip().startswith(">")]
            return Prose(markdown="\n".join(lines))


def few(n: Any) -> bool:
    """Tell whether a count is too small to show; a count that isn't given hides nothing."""
    return isinstance(n, int | float) and not isinstance(n, bool) and 0 < n < SMALLEST


def shown_estimates(estimates: tuple[Estimate, ...]) -> tuple[Estimate, ...]:
    """Return estimates with the numbers of small cells hidden."""
    return tuple(
        msgspec.structs.replace(
            e,
            value=None,
            low=None,
            high=None,
            sided="both",
            undefined=_HIDDEN,
            bounds=None,
            excluded={},
            p=None,
            p_adjusted=None,
        )
        if few(e.n)
        else e
        for e in estimates
    )


def _panel(panel: Panel) -> Panel:
    rows = tuple(
        PanelRow(
            label=row.label,
            simulated=row.simulated,
            words=row.words,
            figures={key: _figure(shown) for key, shown in row.figures.items()},
        )
        for row in panel.rows
    )
    return Panel(columns=panel.columns, rows=rows, lines=panel.lines, first=panel.first)


def _figure(shown: Figure) -> Figure:
    if not few(shown.n):
        return shown
    return Figure(unit=shown.unit, undefined=_HIDDEN, simulated=shown.simulated)


def _table(table: Table) -> Table:
    columns = tuple(column for column in table.columns if column.unit not in _QUOTES)
    counts = {column.key for column in columns if column.unit == "count"}
    kept = {column.key for column in columns}
    rows = tuple(
        {
            key: _cell(cell, counted=key in counts, row=row)
            for key, cell in row.items()
            if key in kept | {"simulated"}
        }
        for row in table.rows
    )
    return Table(columns=columns, rows=rows, note=table.note)


def _cell(cell: Any, *, counted: bool, row: Mapping[str, Any]) -> Any:
    if isinstance(cell, Mapping):
        hide = few(cell.get("n", row.get("n")))
        return (
            {"value": None, "unit": cell.get("unit", "share"), "undefined": _HIDDEN} if hide else dict(cell)
        )
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return cell
    return _HIDDEN if (counted and few(cell)) or few(row.get("n")) else cell


def _chart(chart: Chart) -> Chart:
    """Drop rows of few cases; in charts of single cases every row without `n` is one."""
    single = chart.kind in _SINGLE
    rows = tuple(
        {key: value for key, value in row.items() if key not in _QUOTES}
        for row in chart.rows
        if not few(row.get("n", 1 if single else None))
    )
    hidden = len(chart.rows) - len(rows)
    alt = f"{chart.alt} {hidden} rows hidden (n under {SMALLEST})." if hidden else chart.alt
    return msgspec.structs.replace(chart, rows=rows, alt=alt.strip())
