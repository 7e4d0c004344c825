"""Bars, and dots in two dimensions."""

from collections.abc import Sequence

from percuss.core.sections import Chart
from percuss.report.charts.axes import (
    Json,
    axes,
    category,
    domain,
    fill,
    in_order,
    is_number,
    labelled,
    number_axis,
    rows_of,
    tips,
)
from percuss.report.charts.groups import group_fill, hatching, letter_layers
from percuss.report.palette import LIGHT

__all__ = ["bars", "scatter"]

_DOT = {"type": "point", "filled": True, "size": 90, "stroke": LIGHT.ink, "strokeWidth": 1, "opacity": 1}
# of the axes: what a name of a dot takes up
_NAME_HEIGHT = 0.05
_NAME_WIDTH = 0.3


def _whisker(low: str, high: str, across: Json, width: float, test: str) -> Json:
    return {
        "transform": [{"filter": test}],
        "mark": {"type": "rule", "strokeWidth": width, "color": LIGHT.ink, "clip": True},
        "encoding": {"x": {**across, "field": low}, "x2": {"field": high}},
    }


_PARTS = "split(replace(datum.label, ', ', ',\\n'), '\\n')"
"""Breaks a label at its first comma (`model, arm`), so that neither part is cut."""


def bars(chart: Chart) -> Json:
    """Return bars from 0, piled up where `options.stack` says so, with whiskers where there is one bar a row."""
    number, label = axes(chart)
    stacked = bool(chart.options.get("stack"))
    data = rows_of(chart, number=number, low=chart.low, high=chart.high, group=chart.group)
    data = in_order(chart, data, label)
    data = _piled([row for row in data if is_number(row.get("_number"))], label, chart.facet, stacked=stacked)
    title = chart.x_title if number == chart.x else chart.y_title
    limits = chart.options.get("domain") or domain(chart, number, chart.low, chart.high)
    if stacked:
        limits = (0.0, max((row["_to"] for row in data), default=1.0))
    across = number_axis(chart, "_from", title, limits)
    broken = any(", " in row["_label"] for row in data)
    encoding: Json = {
        "y": category("_label", "", None, **({"labelExpr": _PARTS, "labelOffset": -6} if broken else {}))
    }
    bar = {"type": "bar", "stroke": LIGHT.ink, "strokeWidth": 1}
    shown = (
        tips(chart, label="row", text="value")
        if not chart.group
        else tips(chart, label="row", group="", text="value")
    )
    fill: Json = group_fill(data, "_group") if chart.group else {"value": LIGHT.accent}
    if chart.group and not stacked:
        encoding["yOffset"] = {"field": "_group", "sort": None}
    base = {"x": across, "x2": {"field": "_to"}, "fill": fill, "tooltip": shown}
    layers: list[Json] = [{"mark": bar, "encoding": base}, *hatching(data, bar, across, "_to")]
    if chart.group:
        layers += letter_layers(data, "_from", "_to")
    if chart.low and chart.high and not stacked:
        layers.append(_whisker("_low", "_high", across, 1.5, "datum._low < datum._high"))
    if chart.options.get("sham") is not None:
        rule = {"type": "rule", "color": LIGHT.rule, "strokeDash": [4, 3]}
        layers.append({"mark": rule, "encoding": {"x": {"datum": chart.options["sham"]}, "y": None}})
    return {"data": data, "height": {"step": 36 if broken else 26}, "encoding": encoding, "layer": layers}


def _piled(rows: list[Json], label: str, facet: str | None, *, stacked: bool) -> list[Json]:
    """Return rows with where their bars begin and end; the drawing leaves no piling to chance."""
    reached: dict[tuple[str, str], float] = {}
    for row in rows:
        row["_label"] = labelled(row, row.get(label))
        row["_group"] = "" if row.get("_group") is None else str(row["_group"])
        pile = (str(row.get(facet)) if facet else "", row["_label"])
        row["_from"] = reached.get(pile, 0.0) if stacked else 0.0
        row["_to"] = row["_from"] + row["_number"]
        reached[pile] = row["_to"]
    return rows


def scatter(chart: Chart) -> Json:
    """Return dots in two dimensions with a cross of intervals: `low`, `high` of y, `options.across` of x."""
    left, right = chart.options.get("across", (None, None))
    data = rows_of(
        chart, x=chart.x, y=chart.y, low=chart.low, high=chart.high, left=left, right=right, group=chart.group
    )
    for row in data:
        row["_label"] = labelled(row, row.get(chart.group) if chart.group else "")
    x = number_axis(chart, "_x", chart.x_title, chart.options.get("x_domain"))
    y = number_axis(chart, "_y", chart.y_title, chart.options.get("domain"))
    layers: list[Json] = []
    rule = {"type": "rule", "strokeWidth": 1.5, "color": LIGHT.soft}
    if chart.low and chart.high:
        up = {"x": x, "y": {**y, "field": "_low"}, "y2": {"field": "_high"}}
        layers.append({"transform": [{"filter": "datum._low < datum._high"}], "mark": rule, "encoding": up})
    if left and right:
        side = {"y": y, "x": {**x, "field": "_left"}, "x2": {"field": "_right"}}
        layers.append(
            {"transform": [{"filter": "datum._left < datum._right"}], "mark": rule, "encoding": side}
        )
    shape = {"field": "_label", "type": "nominal", "legend": None}
    shown = tips(chart, label="row", x=chart.x_title, y=chart.y_title)
    dot = {"x": x, "y": y, "shape": shape, "fill": fill(LIGHT.accent), "tooltip": shown}
    layers.append({"mark": _DOT, "encoding": dot})
    numbers = [row["_x"] for row in data if is_number(row.get("_x"))] or [0.0, 1.0]
    ends = chart.options.get("x_domain") or (min(numbers), max(numbers))
    _place_names(data, ends, y["scale"].get("domain"))
    height: Json = {"field": "_name_y", "type": "quantitative"}
    for align, dx, test in (("left", 9, "<="), ("right", -9, ">")):
        name = {"type": "text", "align": align, "dx": dx, "dy": -9}
        half = [{"filter": f"datum._x {test} {sum(ends) / 2}"}]
        layers.append(
            {"transform": half, "mark": name, "encoding": {"x": x, "y": height, "text": {"field": "_label"}}}
        )
    return {"data": data, "height": 320, "layer": layers}


def _place_names(rows: list[Json], across: Sequence[float], up: Sequence[float] | None) -> None:
    """Set `_name_y`: a name stands at its dot, and moves up until it covers no other name."""
    numbers = [row["_y"] for row in rows if is_number(row.get("_y"))] or [0.0, 1.0]
    low, high = up or (min(0.0, *numbers), max(numbers))
    line, near = (high - low) * _NAME_HEIGHT, (across[1] - across[0]) * _NAME_WIDTH
    placed: list[tuple[float, float]] = []
    for row in sorted(
        (r for r in rows if is_number(r.get("_x")) and is_number(r.get("_y"))), key=lambda r: r["_y"]
    ):
        at = row["_y"]
        while line > 0 and any(abs(x - row["_x"]) <= near and abs(y - at) < line * 0.99 for x, y in placed):
            at += line
        placed.append((row["_x"], at))
        row["_name_y"] = at
