"""Lines: curves with bands over ordered conditions, slopes between two rankings. Labelled at their ends, no legend."""

from typing import Any

from percuss.core.sections import Chart
from percuss.measure.numbers import point
from percuss.report.charts.axes import (
    LINES,
    Json,
    bounds,
    domain,
    fill,
    is_number,
    labelled,
    number_axis,
    rows_of,
    tips,
    wrapped,
)
from percuss.report.palette import HATCH, LIGHT

__all__ = ["curve", "slope"]

_SHAPES: list[Any] = [
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "stroke",
]
_DASHES: list[Any] = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [10, 4], [1, 3], [6, 2, 1, 2]]
_LABEL_PX = 230
_HEIGHT = 300
_LABEL_HEIGHT = 15
_COLUMN_CHARS = 18


def _lines(chart: Chart) -> tuple[list[Json], list[str], Json]:
    """Return the rows, the groups and the encoding of x."""
    data = rows_of(chart, x=chart.x, y=chart.y, low=chart.low, high=chart.high, group=chart.group)
    for row in data:
        row["_group"] = labelled(row, row.get("_group", ""))
    groups = list(dict.fromkeys(row["_group"] for row in data))
    numeric = all(is_number(row.get("_x")) for row in data)
    axis: Json = {"title": chart.x_title or None, "labelAngle": 0}
    x: Json = {"field": "_x", "type": "quantitative", "axis": axis}
    if not numeric:
        axis["labelExpr"] = LINES
        for row in data:
            row["_x"] = wrapped(row.get("_x"), _COLUMN_CHARS)
        named = [wrapped(label, _COLUMN_CHARS) for label in chart.options.get("order", ())]
        order = named or list(dict.fromkeys(row["_x"] for row in data))
        x = {"field": "_x", "type": "ordinal", "sort": order, "axis": axis, "scale": {"padding": 0.4}}
    last = {}
    for row in data:
        if row.get("_y") is not None:
            last[row["_group"]] = row
    for row in data:
        row["_end"] = row["_begin"] = ""
    for row in last.values():
        row["_end"] = row["_group"]
    return data, groups, x


def curve(chart: Chart) -> Json:
    """Return lines with bands; the first model that isn't simulated carries the accent, the others are grey."""
    data, groups, x = _lines(chart)
    y = number_axis(chart, "_y", chart.y_title, domain(chart, chart.y, chart.low, chart.high, *bounds(chart)))
    accent = chart.options.get("selected") or next((g for g in groups if not g.startswith("~ ")), "")
    tint = {
        "condition": {"test": {"field": "_group", "equal": accent}, "value": LIGHT.accent},
        "value": LIGHT.soft,
    }
    base = {"x": x, "y": y, "detail": {"field": "_group", "type": "nominal"}}
    layers: list[Json] = []
    if chart.low and chart.high:
        band = {**base, "y": {**y, "field": "_low"}, "y2": {"field": "_high"}, "color": tint}
        layers.append({"mark": {"type": "area", "opacity": 0.16}, "encoding": band})
    line = {**base, "color": tint, "strokeDash": _by_group(groups, _DASHES)}
    layers.append({"mark": {"type": "line", "strokeWidth": 2}, "encoding": line})
    hatched = {"condition": [{"test": "datum._sim", "value": HATCH}, tint["condition"]], "value": LIGHT.soft}
    shown = tips(chart, group="", x=chart.x_title, text=chart.y_title)
    dots = {
        "x": x,
        "y": y,
        "shape": _by_group(groups, _SHAPES),
        "fill": hatched,
        "stroke": tint,
        "tooltip": shown,
    }
    layers.append({"mark": {"type": "point", "size": 70, "opacity": 1}, "encoding": dots})
    _spread(data, domain(chart, chart.y, chart.low, chart.high, *bounds(chart)))
    end = {"x": x, "y": {**y, "field": "_label_y"}, "text": {"field": "_end"}}
    layers.append({"mark": {"type": "text", "align": "left", "dx": 8, "limit": _LABEL_PX}, "encoding": end})
    if chart.options.get("sham") is not None:
        rule = {"type": "rule", "color": LIGHT.rule, "strokeDash": [4, 3]}
        layers.append({"mark": rule, "encoding": {"y": {"datum": chart.options["sham"]}}})
    return {"data": data, "height": _HEIGHT, "usermeta": {"left": 0, "right": _room(groups)}, "layer": layers}


def _spread(data: list[Json], limits: tuple[float, float]) -> None:
    """Give each name at a line's end a height of its own (`_label_y`), as near to its line as the others leave room."""
    low, high = limits
    gap = (high - low) * _LABEL_HEIGHT / _HEIGHT
    ends = sorted((row for row in data if row["_end"]), key=lambda row: row["_y"])
    at = low - gap
    for row in ends:
        at = row["_label_y"] = max(row["_y"], at + gap)
    at = high + gap
    for row in reversed(ends):
        at = row["_label_y"] = min(row["_label_y"], at - gap)


def _by_group(groups: list[str], looks: list[Any]) -> Json:
    """Return the encoding that gives each group a look of its own, beginning again where there are more groups."""
    spread = [looks[i % len(looks)] for i in range(max(len(groups), 1))]
    scale = {"domain": groups, "range": spread}
    return {"field": "_group", "type": "nominal", "legend": None, "scale": scale}


def slope(chart: Chart) -> Json:
    """Return lines between rankings, named at both ends; rows that `options.quiet` names are thin grey."""
    data, groups, x = _lines(chart)
    quiet = chart.options.get("quiet")
    ranks = bool(chart.options.get("rank", True))
    ends: dict[str, list[Json]] = {}
    for row in data:
        row["_quiet"] = bool(quiet and row.get(quiet))
        ends.setdefault(row["_group"], []).append(row)
    for name, rows in ends.items():
        rows[0]["_begin"] = f"{name}  {_short(chart, rows[0], ranks=ranks)}"
        rows[-1]["_end"] = f"{_short(chart, rows[-1], ranks=ranks)}  {name}"
    y: Json = {**number_axis(chart, "_y", ""), "axis": None}
    y["scale"] = {"reverse": ranks, "zero": False, "padding": 12}
    x = {**x, "scale": {"padding": 0.05}}
    tint = {"condition": {"test": "datum._quiet", "value": LIGHT.rule}, "value": LIGHT.ink}
    width = {"condition": {"test": "datum._quiet", "value": 1}, "value": 2.5}
    detail = {"field": "_group", "type": "nominal"}
    shown = tips(chart, group="", x=chart.x_title, y=chart.y_title)
    dots = {"x": x, "y": y, "fill": fill(LIGHT.soft), "stroke": {"value": LIGHT.soft}, "tooltip": shown}
    layers: list[Json] = [
        {"mark": "line", "encoding": {"x": x, "y": y, "detail": detail, "color": tint, "strokeWidth": width}},
        {"mark": {"type": "point", "size": 60, "opacity": 1}, "encoding": dots},
    ]
    for field, align, dx in (("_begin", "right", -10), ("_end", "left", 10)):
        text = {"type": "text", "align": align, "dx": dx, "limit": _LABEL_PX}
        layers.append({"mark": text, "encoding": {"x": x, "y": y, "text": {"field": field}}})
    room = _room(groups) + 30
    names = {"left": room, "right": room}
    return {"data": data, "height": max(60, 34 * len(groups)), "usermeta": names, "layer": layers}


def _short(chart: Chart, row: Json, *, ranks: bool) -> str:
    return f"{row['_y']:g}" if ranks and is_number(row.get("_y")) else point(row.get("_y"), chart.unit)


def _room(groups: list[str]) -> float:
    """Return the pixels that the longest name at a line's end needs."""
    return min(_LABEL_PX, 8 + 6.5 * max(map(len, groups), default=0))
