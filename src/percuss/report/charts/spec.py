"""A chart's specification, its form on the page, and its words."""

from collections.abc import Callable

from percuss.core.sections import Chart
from percuss.report.charts.axes import Json, axes, config, is_number
from percuss.report.charts.cells import heat
from percuss.report.charts.lines import curve, slope
from percuss.report.charts.rates import bars, scatter
from percuss.report.charts.spans import dumbbell, lifelines

__all__ = ["alt", "drawn_as", "to_spec"]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_FACET_WIDTH = 300
_MOST_NAMES = 6
_WORDS = {
    "bars": "Bars", "strip": "Dots with intervals", "slope": "Slopes", "curve": "Lines with bands", "heat": "Heat map",
    "dots": "Dots", "matrix": "Matrix of pairs", "forest": "Differences with intervals about zero",
    "dumbbell": "Pairs of dots, from and to", "lifelines": "Swim lanes", "flow": "Flow",
}  # fmt: skip


def drawn_as(chart: Chart) -> str:
    """Return how the page draws a chart: `intervals`, `flow` and `matrix` need no script, `vega` does."""
    if chart.kind in {"flow", "matrix"}:
        return chart.kind
    if chart.kind in {"strip", "forest"}:
        return "intervals"
    if chart.kind == "dots" or (chart.kind == "bars" and not chart.group):
        return "vega" if _both_numbers(chart) else "intervals"
    return "vega"


def to_spec(chart: Chart, *, width: int | None = None) -> Json:
    """Return a chart as a Vega-Lite 6 specification.

    Args:
        chart: rows and roles, of a kind that `drawn_as` gives to Vega.
        width: pixels; None fits the page's column.
    """
    drawing = _drawing(chart)(chart)
    data = drawing.pop("data")
    spec: Json = {"$schema": SCHEMA, "description": alt(chart), "config": config(), "data": {"values": data}}
    if "usermeta" in drawing:
        # room for names beside the lines, which the page takes off the width; Vega's own fitting leaves them out
        spec["usermeta"] = drawing.pop("usermeta")
    if chart.facet:
        facet = {"field": "_facet", "type": "nominal", "title": None, "sort": None}
        for row in data:
            row["_facet"] = row.get(chart.facet)
        return spec | {"facet": facet, "columns": 2, "spec": {"width": width or _FACET_WIDTH, **drawing}}
    return spec | {"width": width or "container", **drawing}


def _drawing(chart: Chart) -> Callable[[Chart], Json]:
    table: dict[str, Callable[[Chart], Json]] = {
        "bars": bars, "dots": scatter, "slope": slope, "curve": curve, "heat": heat, "dumbbell": dumbbell,
        "lifelines": lifelines,
    }  # fmt: skip
    return table[chart.kind]


def _both_numbers(chart: Chart) -> bool:
    return all(any(is_number(row.get(key)) for row in chart.rows) for key in (chart.x, chart.y))


def alt(chart: Chart) -> str:
    """Return the chart in words: the protocol's, or its form and size; simulated rows are always named."""
    words = chart.alt.strip()
    if not words:
        titles = " by ".join(title for title in (chart.x_title, chart.y_title) if title)
        words = f"{_WORDS[chart.kind]}{': ' + titles if titles else ''}, {len(chart.rows)} rows."
    said = _simulated(chart)
    return f"{words} {said}" if said and "simulated" not in words.lower() else words


def _simulated(chart: Chart) -> str:
    """Return which rows are simulated, by name where the names are few."""
    marked = [row for row in chart.rows if row.get("simulated")]
    if not marked:
        return ""
    label = chart.group if chart.group and chart.kind in {"curve", "slope", "dots"} else axes(chart)[1]
    label = "lane" if chart.kind == "lifelines" else chart.facet or label
    names = list(dict.fromkeys(str(row.get(label, "")) for row in marked))
    if len(names) <= _MOST_NAMES and all(names):
        return f"Simulated, hatched: {', '.join(names)}."
    if len(marked) == len(chart.rows):
        return "Everything here is simulated, hatched."
    return f"{len(marked)} of {len(chart.rows)} rows are simulated, hatched."
