"""Geometry of the charts that need no script: dot, whisker, zero line; the template only draws it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from percuss.core.sections import Chart, Figure
from percuss.measure.numbers import plain, point, show
from percuss.report.charts.axes import Json, axes, bounds, domain, in_order, labelled

__all__ = ["IntervalChart", "IntervalRow", "Tick", "interval_chart"]

_MARGIN = 4.0  # percent of the width kept free at both ends, so that dots and arrows aren't cut


@dataclass(frozen=True)
class IntervalRow:
    """One line of the chart; positions in percent of its width, None where there is nothing to draw."""

    label: str
    text: str
    title: str
    dot: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    clipped_low: bool
    clipped_high: bool
    simulated: bool
    heading: str = ""


@dataclass(frozen=True)
class Tick:
    """A value on the axis."""

    at: float
    text: str


@dataclass(frozen=True)
class IntervalChart:
    """Rows, axis and zero line."""

    rows: tuple[IntervalRow, ...]
    ticks: tuple[Tick, ...]
    zero: float | None
    axis_title: str


def interval_chart(chart: Chart) -> IntervalChart:
    """Lay out a strip, forest, bars or dots chart of one number a row.

    Args:
        chart: one of `x` and `y` names the number, the other the row's label; `options.domain` sets the axis,
            `options.bounds` names the keys of the worst cases, `options.zero` draws the zero line.
    """
    key, label = axes(chart)
    keys = _Keys(key, label, chart.low, chart.high, *bounds(chart))
    low, high = domain(chart, key, keys.low, keys.high, keys.bound_low, keys.bound_high)
    span = (high - low) or 1.0

    def at(value: float) -> float:
        share = min(max((value - low) / span, 0.0), 1.0)
        return round(_MARGIN + share * (100 - 2 * _MARGIN), 3)

    previous = None
    rows = []
    for row in _grouped(chart, in_order(chart, list(chart.rows), label), label):
        facet = str(row.get(chart.facet, "")) if chart.facet else ""
        rows.append(_row(row, keys, chart.unit, (low, high), at, facet if facet != previous else ""))
        previous = facet
    zero = at(0.0) if low <= 0.0 <= high else None
    values, places = _scale(chart.unit, low, high)
    sign = "%" if chart.unit == "share" else ""
    ticks = tuple(Tick(at(value), plain(value, chart.unit, places) + sign) for value in values)
    title = chart.x_title if key == chart.x else chart.y_title
    return IntervalChart(tuple(rows), ticks, zero, title)


def _grouped(chart: Chart, rows: list[Json], label: str) -> list[Json]:
    """Return rows whose labels name their group, too, where there are several and the label alone does not tell them apart."""
    group = chart.group
    labels = [row.get(label) for row in rows]
    if group is None or len({row.get(group) for row in rows}) < 2 or len(set(labels)) == len(labels):
        return rows
    return [{**row, label: f"{row.get(label)}, {row.get(group)}"} for row in rows]


@dataclass(frozen=True)
class _Keys:
    number: str
    label: str
    low: str | None
    high: str | None
    bound_low: str | None
    bound_high: str | None


def _row(
    row: Mapping[str, Any],
    keys: _Keys,
    unit: str,
    axis: tuple[float, float],
    at: Callable[[float], float],
    heading: str,
) -> IntervalRow:
    value, low, high = row.get(keys.number), _get(row, keys.low), _get(row, keys.high)
    shown = Figure(value=value, low=low, high=high, unit=unit, undefined=row.get("undefined"))
    text = show(shown) if value is None or not low is high is None else point(value, unit)
    simulated = bool(row.get("simulated"))
    label = labelled(row, row.get(keys.label))
    n = f", n {row['n']:,}" if isinstance(row.get("n"), int) else ""
    ends = _ends(*_bounded(value, low, high), at)
    outer = _ends(_get(row, keys.bound_low), _get(row, keys.bound_high), at)
    return IntervalRow(
        label=label,
        text=text,
        title=f"{label}: {text}{n}",
        dot=at(value) if isinstance(value, int | float) else None,
        low=ends[0],
        high=ends[1],
        bound_low=outer[0],
        bound_high=outer[1],
        clipped_low=low is not None and low < axis[0],
        clipped_high=high is not None and high > axis[1],
        simulated=simulated,
        heading=heading,
    )


def _bounded(value: Any, low: float | None, high: float | None) -> tuple[float | None, float | None]:
    """Return the ends of the line; a bound on one side alone is drawn from the dot to it."""
    if (low is None) == (high is None) or not isinstance(value, int | float):
        return low, high
    return (float(value), high) if low is None else (low, float(value))


def _ends(
    low: float | None, high: float | None, at: Callable[[float], float]
) -> tuple[float | None, float | None]:
    """Return where a line begins and ends; zero width claims a certainty that no sample has and is not drawn."""
    if low is None or high is None or low >= high:
        return None, None
    return at(low), at(high)


def _get(row: Mapping[str, Any], key: str | None) -> float | None:
    value = row.get(key) if key else None
    return float(value) if isinstance(value, int | float) else None


def _scale(unit: str, low: float, high: float) -> tuple[list[float], int]:
    """Return the values on the axis and the decimals that write them: zero is among them, the shortest labels win."""
    scale = 100 if unit in {"share", "points"} else 1

    def values(steps: int) -> list[float]:
        return [low + (high - low) * i / steps for i in range(steps + 1)]

    def places(steps: int) -> int:
        scaled = [scale * value for value in values(steps)]
        return next((p for p in range(4) if all(abs(round(v, p) - v) < 1e-9 for v in scaled)), 9)

    def misses_zero(steps: int) -> bool:
        return low < 0 < high and all(abs(value) > 1e-12 for value in values(steps))

    steps = min((4, 5, 3, 2), key=lambda n: (misses_zero(n), places(n)))
    return values(steps), min(places(steps), 3)
