import math
from itertools import pairwise
from typing import Any, get_args, get_type_hints
from xml.etree import ElementTree as ET

import pytest

from percuss.core.sections import Chart
from percuss.report.charts import alt, drawn_as, to_spec
from percuss.report.charts.axes import _round_up, axes, domain, number_axis
from percuss.report.charts.cells import EMPTY_CELL, matrix_table
from percuss.report.charts.drawing import drawing
from percuss.report.charts.groups import letters
from percuss.report.charts.intervals import interval_chart
from percuss.report.charts.spans import flows, lifelines
from percuss.report.grid import _measured, grid_of
from tests import reports

CHARTS = {
    "strip": reports.strip(),
    "forest": reports.forest(),
    "matrix": reports.matrix(),
    "dumbbell": reports.dumbbell(),
    "curve": reports.depth(),
    "slope": reports.slope(),
    "heat": reports.heat(),
    "bars": reports.stacked(),
    "dots": reports.scatter(),
    "lifelines": reports.lanes(),
    "flow": reports.flow(),
}


VEGA = [kind for kind, chart in CHARTS.items() if drawn_as(chart) == "vega"]
DRAWN = [kind for kind in CHARTS if kind not in VEGA]


def test_every_kind_is_covered() -> None:
    assert set(CHARTS) == set(get_args(get_type_hints(Chart)["kind"]))
    assert all(chart.kind == kind for kind, chart in CHARTS.items())


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [n for part in value.values() for n in numbers(part)]
    if isinstance(value, list | tuple):
        return [n for part in value for n in numbers(part)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize(
    ("unit", "title", "shown", "labels"),
    [
        ("share", "rate", "rate", "format(datum.value * 100, '~g') + '%'"),
        ("points", "fall", "fall (points)", "format(datum.value * 100, '~g')"),
        ("points", "", "points", "format(datum.value * 100, '~g')"),
        ("ratio", "index", "index", None),
        ("ratio", "", None, None),
    ],
)
def test_an_axis_speaks_the_unit_of_its_number(
    unit: str, title: str, shown: str | None, labels: str | None
) -> None:
    made = number_axis(Chart(kind="strip", rows=(), unit=unit), "v", title)
    assert (made["field"], made["axis"]["title"], made["axis"].get("labelExpr")) == ("v", shown, labels)
    assert made["scale"] == {"clamp": True, "nice": False}
    bound = number_axis(Chart(kind="strip", rows=(), unit=unit), "v", title, (0.0, 0.5))
    assert bound["scale"]["domain"] == [0.0, 0.5]


def test_an_axis_ends_at_a_round_number_at_or_above_its_largest() -> None:
    ends = {
        0.03: 0.03,
        0.11: 0.12,
        0.7: 0.8,
        1.0: 1.0,
        1.01: 1.2,
        2.4: 2.5,
        9.9: 10.0,
        10: 10.0,
        10.4: 12.0,
        99: 100.0,
        0: 1.0,
    }
    assert {value: _round_up(value) for value in ends} == ends


def test_ends_of_a_slope_carry_no_unit_of_their_own() -> None:
    """They are of two conditions, which the columns name; in other charts the number has the chart's unit."""
    assert _measured(reports.slope()) == set()
    assert "value" in _measured(Chart(kind="heat", rows=(), value="value"))


@pytest.mark.parametrize("kind", VEGA)
def test_vega_lite_compiles_and_draws(kind: str) -> None:
    converter = pytest.importorskip("vl_convert", reason="figures need the extra `plots`")
    chart = CHARTS[kind]
    spec = to_spec(chart, width=None if chart.facet else 600)
    svg = converter.vegalite_to_svg(spec)
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert "undefined" not in svg or any(row.get("undefined") for row in chart.rows)
    assert all(map(math.isfinite, numbers(spec)))


@pytest.mark.parametrize("kind", CHARTS)
def test_simulated_rows_are_hatched_and_named(kind: str) -> None:
    simulated = tuple({**row, "simulated": True} for row in CHARTS[kind].rows)
    chart = Chart(
        **{field: getattr(CHARTS[kind], field) for field in Chart.__struct_fields__ if field != "rows"},
        rows=simulated,
    )
    assert "simulated" in alt(chart).lower()
    made = str(to_spec(chart)) if kind in VEGA else drawing(chart, "")
    assert "percuss-hatch" in made or kind in {"flow", "slope"}
    grid = grid_of(chart)
    assert grid is not None
    assert all(row.simulated for row in grid.rows)


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("strip", "intervals"),
        ("forest", "intervals"),
        ("matrix", "matrix"),
        ("flow", "flow"),
        ("heat", "vega"),
        ("dots", "vega"),
    ],
)
def test_what_needs_no_script(kind: str, form: str) -> None:
    assert drawn_as(CHARTS[kind]) == form


def test_either_axis_may_hold_the_number() -> None:
    rows = ({"model": "a", "rate": 0.2},)
    assert axes(Chart(kind="strip", rows=rows, x="rate", y="model")) == ("rate", "model")
    assert axes(Chart(kind="strip", rows=rows, x="model", y="rate")) == ("rate", "model")
    assert axes(Chart(kind="strip", rows=({"y": "a", "x": True, "v": 1},), value="v")) == ("v", "y")


@pytest.mark.parametrize(
    ("unit", "values", "expected"),
    [
        ("share", [0.03, 0.17], (0.0, 0.2)),
        ("share", [0.0, 0.97], (0.0, 1.0)),
        ("share", [], (0.0, 1.0)),
        ("share", [0.0], (0.0, 1.0)),
        ("points", [-0.02, 0.11], (-0.12, 0.12)),
        ("ratio", [-0.4, 0.9], (-1.0, 1.0)),
        ("ratio", [-7.0, 0.9], (-1.0, 1.0)),
        ("ratio", [0.4, 0.9], (0.0, 1.0)),
        ("count", [37.0], (0.0, 40.0)),
    ],
)
def test_axes_of_rates_start_at_zero_and_differences_are_centred(
    unit: str, values: list[float], expected: tuple[float, float]
) -> None:
    chart = Chart(kind="strip", rows=tuple({"x": v, "y": "a"} for v in values), unit=unit)
    assert domain(chart, "x") == pytest.approx(expected)


def test_an_interval_past_the_axis_ends_in_an_arrow() -> None:
    laid = interval_chart(reports.forest())
    assert [row.clipped_high for row in laid.rows] == [False, True, False]
    assert not any(row.clipped_low for row in laid.rows)
    assert laid.rows[1].high == 96.0


def test_zero_width_intervals_are_not_drawn() -> None:
    chart = Chart(kind="strip", rows=({"x": 0.0, "y": "a", "low": 0.0, "high": 0.0},), low="low", high="high")
    row = interval_chart(chart).rows[0]
    assert row.dot is not None
    assert row.low is None
    assert row.high is None


def test_the_undefined_row_keeps_its_place_and_reason() -> None:
    row = interval_chart(reports.forest()).rows[2]
    assert row.dot is None
    assert row.text == "undefined (model-d answered nothing)"


def test_bounds_are_drawn_beyond_the_interval() -> None:
    row = interval_chart(reports.specification()).rows[1]
    assert row.bound_low is not None
    assert row.low is not None
    assert row.bound_low < row.low


def test_many_pairs_become_bins() -> None:
    assert len(to_spec(reports.dumbbell(200))["layer"]) == 3
    assert len(to_spec(reports.dumbbell(201))["layer"]) == 1


def test_dumbbells_are_sorted_by_change() -> None:
    rows = to_spec(reports.dumbbell(30))["data"]["values"]
    changes = [row["with"] - row["without"] for row in rows]
    assert changes == sorted(changes)


def test_few_cases_carry_no_colour_and_no_hatching_in_the_heat_map() -> None:
    spec = to_spec(reports.heat())
    few = [row["_few"] for row in spec["data"]["values"]]
    # n = 4, and n = 0 of the undefined cell
    assert few.count(True) == 2
    fill = next(layer["encoding"]["fill"] for layer in spec["layer"] if "fill" in layer.get("encoding", {}))
    assert fill["condition"] == {"test": "datum._few", "value": EMPTY_CELL}


def test_the_flow_adds_up() -> None:
    for flow in flows(reports.flow()):
        made, checked, scored = flow.steps
        assert (made.n, checked.n, scored.n) == (3170, 3170, 2906)
        assert sum(n for _, n in checked.out) == 3170 - 2906


@pytest.mark.parametrize(("lanes", "named"), [(30, True), (31, False)])
def test_up_to_thirty_lanes_are_named(lanes: int, named: bool) -> None:
    rows = tuple({"lane": f"case {i}", "start": 0, "stop": 1, "state": "supported"} for i in range(lanes))
    drawn = lifelines(Chart(kind="lifelines", rows=rows))
    assert (drawn["height"]["step"] == 22) is named


def test_what_a_lane_quotes_is_read_whole() -> None:
    quote = "The right lung shows a pneumothorax of two centimetres that was not seen on the film of the day before"
    row = {"lane": f"1. {quote}", "said": quote, "start": 1, "stop": 2, "state": "born"}
    drawn = lifelines(Chart(kind="lifelines", rows=(row,)))
    [shown] = drawn["data"]
    assert shown["_label"].replace("\n", " ") == f"1. {quote}"
    assert max(map(len, shown["_label"].splitlines())) <= 42
    assert drawn["height"]["step"] >= 14 * len(shown["_label"].splitlines())
    assert {"field": "said", "title": "said"} in drawn["layer"][0]["encoding"]["tooltip"]


def test_a_flow_that_only_leaves_still_counts() -> None:
    flow = flows(Chart(kind="flow", rows=({"from": "asked", "n": 3, "reason": "refused"},)))[0]
    assert flow.steps[0].n == 3


def test_empty_charts_are_drawn_as_nothing() -> None:
    for kind in CHARTS:
        chart = Chart(kind=kind, rows=())  # type: ignore[arg-type] # the keys are its kinds
        if drawn_as(chart) == "vega":
            assert to_spec(chart)["data"]["values"] == []
        else:
            assert drawing(chart, "").startswith("<svg")


@pytest.mark.parametrize("kind", DRAWN)
def test_one_layout_is_drawn_whole_on_the_page_and_in_the_file(kind: str) -> None:
    svg = ET.fromstring(drawing(CHARTS[kind], "", width=420))
    said = " ".join("".join(part.itertext()) for part in svg.iter("{http://www.w3.org/2000/svg}text"))
    texts = {
        "flow": lambda c: [step.name for flow in flows(c) for step in flow.steps],
        "matrix": lambda c: [cell.text for row in matrix_table(c).rows for cell in row.cells if cell.text],
    }.get(kind, lambda c: [part for row in interval_chart(c).rows for part in (row.label, row.text)])(
        CHARTS[kind]
    )
    assert texts
    squeezed = "".join(said.split())
    for text in texts:
        assert "".join(text.split())[:12] in squeezed, text
    assert "NaN" not in said
    rights = [float(part.get("x", 0)) for part in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert max(rights) < 420


def test_rows_of_several_groups_name_their_group() -> None:
    rows = tuple({"x": 0.1, "y": arm, "g": model} for arm in ("a", "b") for model in ("m", "n"))
    chart = Chart(kind="dots", rows=rows, group="g")
    assert [row.label for row in interval_chart(chart).rows] == ["a, m", "a, n", "b, m", "b, n"]


@pytest.mark.parametrize("kind", VEGA)
def test_small_multiples(kind: str) -> None:
    converter = pytest.importorskip("vl_convert", reason="figures need the extra `plots`")
    whole = CHARTS[kind]
    rows = tuple({**row, "half": half} for half in ("first half", "second half") for row in whole.rows)
    fields = {name: getattr(whole, name) for name in Chart.__struct_fields__ if name not in {"rows", "facet"}}
    chart = Chart(**fields, rows=rows, facet="half")
    spec = to_spec(chart)
    assert {row["_facet"] for row in spec["data"]["values"]} == {"first half", "second half"}
    svg = converter.vegalite_to_svg(spec)
    assert "first half" in svg
    assert "second half" in svg
    assert "NaN" not in svg
    for row in spec["data"]["values"]:
        assert row["_facet"] == row["half"]


def test_a_matrix_names_its_facet_in_the_row() -> None:
    rows = tuple({"x": "a", "y": "b", "text": part, "part": part} for part in ("one", "two"))
    table = matrix_table(Chart(kind="matrix", rows=rows, facet="part"))
    assert [(row.label, row.cells[0].text) for row in table.rows] == [("one: b", "one"), ("two: b", "two")]


def test_a_hostile_group_is_only_a_name() -> None:
    converter = pytest.importorskip("vl_convert", reason="figures need the extra `plots`")
    hostile = "'] + alert(1) + ['\\"
    rows = ({"x": 0.5, "y": "m", "g": hostile}, {"x": 0.5, "y": "m", "g": "__proto__"})
    svg = converter.vegalite_to_svg(
        to_spec(Chart(kind="bars", rows=rows, group="g", options={"stack": True}), width=400)
    )
    assert "alert(1)" in svg


def test_piled_bars_begin_where_the_last_ended() -> None:
    rows = to_spec(reports.stacked())["data"]["values"]
    for one, following in pairwise(rows):
        if one["_label"] == following["_label"]:
            assert one["_to"] == following["_from"]
    assert max(row["_to"] for row in rows) == pytest.approx(1.0)


def test_groups_have_letters_of_their_own() -> None:
    assert letters(["supported", "unreachable", "invented", "unsupported", "!"]) == {
        "supported": "S",
        "unsupported": "U",
        "unreachable": "N",
        "invented": "I",
        "!": "5",
    }


def test_names_of_dots_cover_no_other() -> None:
    rows = tuple({"x": 0.5, "y": 0.2, "g": name} for name in "abc")
    names = [row["_name_y"] for row in to_spec(Chart(kind="dots", rows=rows, group="g"))["data"]["values"]]
    assert names == pytest.approx([0.2, 0.21, 0.22])


def test_differences_in_a_heat_map_are_centred() -> None:
    rows = ({"x": "a", "y": "b", "value": -0.1, "n": 20}, {"x": "a", "y": "c", "value": 0.3, "n": 20})
    layers = to_spec(Chart(kind="heat", rows=rows, unit="points"))["layer"]
    scale = layers[1]["encoding"]["fill"]["scale"]
    assert scale["domain"] == pytest.approx([-0.3, -0.15, 0.0, 0.15, 0.3])


def test_groups_beside_each_other() -> None:
    rows = tuple({"x": 0.2, "y": "m", "g": g, "lo": 0.1, "hi": 0.3} for g in ("defence", "over-refusal"))
    spec = to_spec(Chart(kind="bars", rows=rows, group="g", low="lo", high="hi", options={"sham": 0.25}))
    assert spec["encoding"]["yOffset"]["field"] == "_group"
    assert [(row["_from"], row["_to"]) for row in spec["data"]["values"]] == [(0.0, 0.2), (0.0, 0.2)]
    assert len(spec["layer"]) == 5
    assert spec["layer"][-1]["encoding"]["x"]["datum"] == 0.25


def test_a_level_can_be_drawn_across_a_curve() -> None:
    chart = reports.depth()
    fields = {name: getattr(chart, name) for name in Chart.__struct_fields__ if name != "options"}
    assert to_spec(Chart(**fields, options={"sham": 0.3}))["layer"][-1]["encoding"]["y"]["datum"] == 0.3


def test_a_matrix_of_numbers_shows_intervals_and_reasons() -> None:
    rows = (
        {"x": "a", "y": "b", "value": 0.1, "lo": 0.05, "hi": 0.2, "n": 12},
        {"x": "a", "y": "c", "undefined": "no pair"},
        {"x": "b", "y": "c", "value": 7, "n": 3},
    )
    table = matrix_table(Chart(kind="matrix", rows=rows, unit="points", low="lo", high="hi"))
    texts = {
        (row.label, column): cell
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
    }
    assert texts["b", "a"].text == "10.0 points [5.0, 20.0]"
    assert texts["b", "a"].note == "n 12"
    assert texts["c", "a"].text == "undefined (no pair)"
    assert texts["c", "b"].few
    assert texts["b", "b"].text == ""


def test_rows_stand_in_the_order_asked_for_within_their_facet() -> None:
    rows = tuple({"x": 0.1, "y": m, "f": f, "simulated": m == "c"} for f in "zy" for m in "abc")
    chart = Chart(kind="strip", rows=rows, facet="f", options={"order": ["c", "a"]})
    laid = interval_chart(chart)
    assert [row.label for row in laid.rows] == ["~ c (simulated)", "a", "b"] * 2
    assert [row.heading for row in laid.rows] == ["z", "", "", "y", "", ""]


@pytest.mark.parametrize("reach", [0.6, 1.5, 2.5, 4.0])
def test_ticks_say_where_they_stand(reach: float) -> None:
    """An axis from -1.5 to 1.5 once said -2, 0, 0, 2."""
    rows = ({"pair": "a - b", "value": reach * 0.9, "low": 0.1, "high": reach},)
    chart = Chart(kind="forest", rows=rows, x="value", y="pair", low="low", high="high", unit="ratio")
    low, high = domain(chart, "value", "low", "high")
    laid = interval_chart(chart)
    left, right = laid.ticks[0], laid.ticks[-1]
    for tick in laid.ticks:
        share = (tick.at - left.at) / (right.at - left.at)
        assert float(tick.text) == pytest.approx(low + share * (high - low), abs=0.005)
    assert any(float(tick.text) == 0 for tick in laid.ticks)


def test_data_of_a_chart_begin_with_what_they_are_of() -> None:
    grid = grid_of(reports.forest())
    assert grid is not None
    chart = reports.forest()
    assert [column.key for column in grid.columns][:4] == [chart.y, chart.x, chart.low, chart.high]
    pair = {"connect": ["without", "with"], "names": ["without evidence", "with evidence"]}
    rows = ({"case": "a", "simulated": True, "with": 0.1, "without": 0.8},)
    dumbbell = grid_of(Chart(kind="dumbbell", rows=rows, x="with", y="case", unit="share", options=pair))
    assert dumbbell is not None
    assert [(c.key, c.unit) for c in dumbbell.columns[1:3]] == [("with", "share"), ("without", "share")]
    assert {c.title for c in dumbbell.columns[1:3]} == set(pair["names"])


def test_names_at_the_ends_of_lines_keep_apart() -> None:
    rows = tuple(
        {"arm": arm, "model": model, "value": 0.9 if arm == "without" else 0.02 + at / 1000}
        for at, model in enumerate(("a", "b", "c"))
        for arm in ("without", "with")
    )
    chart = Chart(
        kind="curve", rows=rows, x="arm", y="value", group="model", unit="share",
        options={"order": ["without", "with"]},
    )  # fmt: skip
    spec = to_spec(chart, width=600)
    ends = sorted(row["_label_y"] for row in spec["data"]["values"] if row["_end"])
    assert len(ends) == 3
    assert min(b - a for a, b in pairwise(ends)) >= 0.045  # fifteen pixels of three hundred, axis to 0.9


def test_a_cell_of_ten_has_its_colour_and_one_of_nine_has_none() -> None:
    rows = tuple({"x": f"c{n}", "y": "a", "value": 0.5, "n": n} for n in (9, 10))
    shown = to_spec(Chart(kind="heat", rows=rows, unit="share"))["data"]["values"]
    assert [row["_few"] for row in shown] == [True, False]


def test_bars_break_a_label_of_two_parts_so_that_neither_is_cut() -> None:
    rows = tuple({"x": 0.5, "y": f"embedded/a-model-with-a-long-name, {arm}"} for arm in ("with", "without"))
    axis = to_spec(Chart(kind="bars", rows=rows, x="x", y="y", unit="share"))["encoding"]["y"]["axis"]
    assert axis["labelExpr"].startswith("split(replace(datum.label, ', '")
    plain = to_spec(Chart(kind="bars", rows=({"x": 0.5, "y": "a"},), x="x", y="y", unit="share"))
    assert "labelExpr" not in plain["encoding"]["y"]["axis"]


def test_long_labels_beside_a_heat_map_are_broken_into_lines_in_their_order() -> None:
    long = "what share of missing information is named as missing or asked for"
    rows = [{"x": "a", "y": name, "value": 0.2, "n": 30} for name in ("short", long)]
    spec = to_spec(Chart(kind="heat", rows=tuple(rows), x="x", y="y", value="value", unit="share", options={"rows": [long, "short"]}))  # fmt: skip
    labels = {row["_y"] for row in spec["data"]["values"]}
    first, second = spec["encoding"]["y"]["sort"]
    assert labels == {first, second}
    assert second == "short"
    assert first.split() == long.split()
    assert max(map(len, first.splitlines())) <= 30
    assert spec["encoding"]["y"]["axis"]["labelExpr"] == "split(datum.label, '\\n')"
