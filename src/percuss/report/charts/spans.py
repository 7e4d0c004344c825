"""From here to there: dumbbells, swim lanes, and the flow of claims as in CONSORT."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from percuss.core.labels import reason_words
from percuss.core.sections import Chart
from percuss.measure.numbers import point
from percuss.report.charts.axes import (
    LINES,
    Json,
    category,
    domain,
    is_number,
    labelled,
    number_axis,
    rows_of,
    tips,
    wrapped,
)
from percuss.report.charts.cells import SOFT_HATCH, binned
from percuss.report.charts.groups import group_fill, hatching, letter_layers
from percuss.report.palette import HATCH, LIGHT

__all__ = ["Flow", "FlowStep", "dumbbell", "flows", "lifelines"]

_MOST_LANES = 200
_NAMED_LANES = 30
_DUMBBELL_PX = 540
_LANE_CHARS, _LANE_LINE_PX = 42, 14
"""Characters of a line beside a lane, and its height: what a lane quotes is read whole."""


def dumbbell(chart: Chart) -> Json:
    """Return one line a row from an open dot to a filled one, sorted by change; past 200 rows, counts in bins."""
    first, second = chart.options.get("connect") or (chart.low, chart.high)
    data = rows_of(chart, start=first, stop=second, lane=chart.y)
    data = [row for row in data if is_number(row.get("_start")) and is_number(row.get("_stop"))]
    names = chart.options.get("names") or (str(first).replace("_", " "), str(second).replace("_", " "))
    if len(data) > _MOST_LANES and not chart.facet:
        return binned(data, names[0], names[1])
    if not chart.facet:
        data.sort(key=lambda row: (row["_stop"] - row["_start"], row["_start"]))
    for row in data:
        row["_label"] = labelled(row, row.get("_lane", ""))
        row["_text"] = f"{point(row['_start'], chart.unit)} to {point(row['_stop'], chart.unit)}"
    few = len(data) <= _NAMED_LANES
    step = max(4, min(18, _DUMBBELL_PX // max(len(data), 1)))
    across = number_axis(chart, "_start", chart.x_title, domain(chart, first, second))
    words = {"text": f"open: {names[0]}   filled: {names[1]}", "anchor": "start", "fontWeight": "normal"}
    return {
        "data": data,
        "height": {"step": step},
        "title": {**words, "fontSize": 12, "color": LIGHT.soft},
        "encoding": {"y": category("_label", chart.y_title, [row["_label"] for row in data], labels=few)},
        "layer": _dumbbell_layers(chart, data, across, step, few=few),
    }


def _dumbbell_layers(chart: Chart, data: list[Json], across: Json, step: int, *, few: bool) -> list[Json]:
    """Return line, band where it is simulated, open dot and filled dot."""
    shown = tips(chart, label="row", text="value")
    back = {"x": across, "x2": {"field": "_stop"}, "tooltip": shown}
    line = {"type": "rule", "color": LIGHT.rule, "strokeWidth": 1.5 if few else 1}
    dot = {
        "type": "point",
        "size": min(60, step * step),
        "opacity": 1,
        "strokeWidth": 1.5,
        "stroke": LIGHT.accent,
    }
    layers: list[Json] = [{"mark": line, "encoding": back}]
    if any(row["_sim"] for row in data):
        band = {"type": "bar", "fill": SOFT_HATCH, "height": {"band": 0.7}}
        layers.append({"transform": [{"filter": "datum._sim"}], "mark": band, "encoding": back})
    layers.append({"mark": {**dot, "fill": LIGHT.paper}, "encoding": {"x": across, "tooltip": shown}})
    # in a small dot no hatching can be seen: the band says it, and the dot is grey
    filled = {
        "condition": {"test": "datum._sim", "value": HATCH if few else LIGHT.soft},
        "value": LIGHT.accent,
    }
    end = {"x": {**across, "field": "_stop"}, "fill": filled, "tooltip": shown}
    return [*layers, {"mark": dot, "encoding": end}]


def lifelines(chart: Chart) -> Json:
    """Return swim lanes: one bar a state, from start to stop; rows carry lane, start, stop, state, and `said` where the lane quotes in part."""
    data = rows_of(chart, lane="lane", state="state", start="start", stop="stop")
    data = [row for row in data if is_number(row.get("_start")) and is_number(row.get("_stop"))]
    for row in data:
        row["_label"] = wrapped(labelled(row, row.get("_lane", "")), _LANE_CHARS)
        row["_state"] = str(row.get("_state", ""))
        row["_text"] = f"{row['_state']}: {row['_start']} to {row['_stop']}"
    order = list(dict.fromkeys(row["_label"] for row in data))
    few = len(order) <= _NAMED_LANES
    fill = group_fill(data, "_state", chart.options.get("states", ()))
    x = {
        "field": "_start",
        "type": "quantitative",
        "axis": {"title": chart.x_title or None, "tickMinStep": 1},
    }
    bar = {"type": "bar", "height": {"band": 0.7}, "stroke": LIGHT.ink, "strokeWidth": 0.5}
    quoted = [{"field": "said", "title": "said"}] if any("said" in row for row in data) else []
    shown = [*tips(chart, label="row", text="value"), *quoted]
    base = {"x": x, "x2": {"field": "_stop"}, "fill": fill, "tooltip": shown}
    tall = max((label.count("\n") + 1 for label in order), default=1) if few else 1
    named = letter_layers(data, "_start", "_stop") if few else []
    return {
        "data": data,
        "height": {"step": max(22, _LANE_LINE_PX * tall + 6) if few else 8},
        "encoding": {"y": category("_label", chart.y_title, order, labels=few, labelExpr=LINES)},
        "layer": [{"mark": bar, "encoding": base}, *hatching(data, bar, x, "_stop"), *named],
    }


@dataclass(frozen=True)
class FlowStep:
    """A box of the flow: its name, how many reach it, and what leaves before the next, by reason."""

    name: str
    n: int | float | None
    out: tuple[tuple[str, int | float], ...]


@dataclass(frozen=True)
class Flow:
    """One column of boxes; `title` is the facet's."""

    title: str
    steps: tuple[FlowStep, ...]


def flows(chart: Chart) -> tuple[Flow, ...]:
    """Return the boxes of a flow: rows with a reason leave, the others lead on."""
    facets: dict[str, list[Mapping[str, Any]]] = {}
    for row in chart.rows:
        title = labelled(row, row.get(chart.facet)) if chart.facet else ""
        facets.setdefault(title, []).append(row)
    return tuple(Flow(title, _steps(rows)) for title, rows in facets.items())


def _steps(rows: list[Mapping[str, Any]]) -> tuple[FlowStep, ...]:
    onward = [row for row in rows if not row.get("reason")]
    names = list(
        dict.fromkeys(str(name) for row in onward for name in (row.get("from"), row.get("to")) if name)
    )
    out: dict[str, list[tuple[str, int | float]]] = {}
    for row in rows:
        if row.get("reason"):
            source = str(row.get("from", ""))
            out.setdefault(source, []).append((reason_words(str(row["reason"])), row.get("n") or 0))
            if source and source not in names:
                names.append(source)
    steps = []
    for name in names:
        reached = [row.get("n") or 0 for row in onward if str(row.get("to")) == name]
        left = [row.get("n") or 0 for row in onward if str(row.get("from")) == name]
        n = sum(reached) if reached else sum(left) + sum(gone for _, gone in out.get(name, ()))
        steps.append(FlowStep(name, n, tuple(out.get(name, ()))))
    return tuple(steps)
