"""Charts that reach the corners of each kind, beside those of `tests.reports`: facets, bounds, few, many, undefined, overlapping."""

from typing import Any

from percuss.core.sections import Chart
from tests import reports


def rates(**more: Any) -> tuple[dict[str, Any], ...]:
    """Return three rows: a plain one, a simulated one, an undefined one."""
    return (
        {"model": "a/one", "rate": 0.213, "lo": 0.1, "hi": 0.34, "n": 40, "worst": 0.08, "best": 0.61, **more},
        {"model": "b/two", "rate": 0.5, "lo": 0.5, "hi": 0.5, "n": 8, "worst": 0.4, "best": 0.55, "simulated": True, **more},
        {"model": "c/three", "rate": None, "undefined": "nothing was claimed", **more},
    )  # fmt: skip


def chart(kind: Any, rows: Any, /, **fields: Any) -> Chart:
    """Return a chart of rates by model unless told otherwise."""
    given = {"x": "rate", "y": "model", "low": "lo", "high": "hi", **fields}
    return Chart(kind=kind, rows=tuple(rows), **given)


def by_turn(**options: Any) -> Chart:
    """Return two lines over numbers, the ends near each other, one of them cut short."""
    rows: list[dict[str, Any]] = [
        {"turn": turn, "rate": 0.3 + turn / 50 + side / 100, "lo": 0.2, "hi": 0.6, "w": 0.1, "b": 0.8, "model": name}
        for side, name in enumerate(("a/one", "b/two", "c/three"))
        for turn in (1, 2, 3)
    ]  # fmt: skip
    rows[-1] |= {"rate": None}
    return chart("curve", rows, x="turn", y="rate", group="model", x_title="turn", y_title="wrong", options=options)  # fmt: skip


def change(count: int, **fields: Any) -> Chart:
    """Return so many lines from one number to another, every seventh simulated."""
    rows = [
        {"case": f"P-{i}", "from": (i * 7 % 10) / 10, "to": (i * 3 % 10) / 10, "simulated": i % 7 == 0, "arm": "one" if i % 2 else "two"}
        for i in range(count)
    ]  # fmt: skip
    return Chart(kind="dumbbell", rows=tuple(rows), y="case", low="from", high="to", **fields)


def lanes(count: int) -> Chart:
    """Return so many lanes of two states, every fifth simulated."""
    rows = [
        {"lane": f"talk {i}", "start": s, "stop": s + 1 + i % 2, "state": ("right", "wrong")[(i + s) % 2], "simulated": i % 5 == 4}
        for i in range(count)
        for s in range(2)
    ]  # fmt: skip
    return Chart(kind="lifelines", rows=tuple(rows), options={"states": ["wrong", "right"]})


def near(**fields: Any) -> Chart:
    """Return dots whose names would cover each other."""
    rows = [
        {"model": f"m{i}", "x": 0.5 + i / 200, "y": 0.4 + i / 300, "lo": 0.3, "hi": 0.5, "l": 0.4, "r": 0.6, "n": 9}
        for i in range(4)
    ]  # fmt: skip
    rows.append({"model": "far", "x": 0.9, "y": 0.1, "lo": 0.1, "hi": 0.1, "l": 0.9, "r": 0.9, "n": 9})
    return chart("dots", rows, x="x", y="y", group="model", **fields)


def heat(columns: int, **fields: Any) -> Chart:
    """Return a heat map of so many columns and two rows, one cell of few and one undefined."""
    rows: list[dict[str, Any]] = [
        {"arm": f"condition number {i}", "kind": f"kind {j}", "rate": i / 8 - j / 3, "n": 9 + i + j, "side": "left" if j else "right"}
        for i in range(columns)
        for j in range(2)
    ]  # fmt: skip
    rows[-1] |= {"rate": None, "undefined": "no claim"}
    return Chart(kind="heat", rows=tuple(rows), x="arm", y="kind", value="rate", **fields)


LONG = tuple(
    {**row, "model": f"{row['model']} of a maker whose name is long enough to be broken, and more"}
    for row in rates()
)
UNEVEN = Chart(
    kind="lifelines",
    rows=tuple({"lane": "talk", "start": a, "stop": b, "state": s} for a, b, s in ((0, 1, "right"), (1, 4, "wrong"), (4, 40, "right"))),
)  # fmt: skip
UNCOUNTED = (
    {"from": "asked", "to": "answered"}, {"from": "asked", "to": "", "reason": "refused"}, {"from": "answered", "to": "scored", "n": 0},
    {"from": "", "to": "", "reason": "lost", "n": 2}, {"to": "alone", "n": 5},
)  # fmt: skip
GROUPED = tuple(
    {"model": f"a/one, {arm}", "label": label, "rate": 0.1 * (i + 1), "lo": 0.05, "hi": 0.4 + i / 10, "n": 30}
    for arm in ("bare", "full")
    for i, label in enumerate(("right", "wrong", "unclear"))
)
DIFFERENCES = (
    {"pair": "b against a", "d": 0.1, "lo": 0.05, "hi": 0.15, "n": 30, "p": 0.012},
    {"pair": "c against a", "d": -0.02, "lo": -0.4, "hi": 0.1, "n": 30, "p": 0.2},
    {"pair": "d against a", "d": 0.31, "lo": None, "hi": None, "n": 3},
)
LEADING = tuple(
    {"arm": arm, "from": source, "to": to, "n": n, **({"reason": why} if why else {})}
    for arm, source, to, n, why in (
        ("bare", "asked", "answered", 40, ""), ("bare", "asked", "", 2, "refused"), ("bare", "answered", "", 3, "cut"),
        ("full", "asked", "answered", 41, ""), ("full", "answered", "scored", 41, ""), ("full", "lost", "", 1, "error"),
    )
)  # fmt: skip
PAIRS = (
    {"x": "a", "y": "b", "d": 0.1, "lo": 0.05, "hi": 0.15, "n": 30},
    {"x": "a", "y": "c", "d": 0.02, "lo": -0.1, "hi": 0.15, "n": 9},
    {"x": "c", "y": "b", "d": None, "undefined": "one pair", "n": 1, "simulated": True},
)
CORNERS: dict[str, Chart] = {
    "strip bounded": chart("strip", rates(), options={"bounds": ["worst", "best"]}, x_title="wrong"),
    "strip by arm": chart("strip", [*rates(arm="bare"), *rates(arm="full")], facet="arm", options={"order": ["c/three", "b/two"]}),
    "strip grouped": chart("strip", [*rates(arm="bare"), *rates(arm="full")], group="arm"),
    "strip of one": chart("strip", rates()[:1], options={"sham": 0.5, "domain": [0, 0.4]}),
    "strip of none": chart("strip", rates()[2:]),
    "strip of ratios": chart("strip", [{**row, "rate": -0.3 if row["rate"] else None} for row in rates()], unit="ratio"),
    "strip of scores": chart("strip", [{"model": "a", "rate": 37.0, "lo": 12.0, "hi": 112.0}], unit="score"),
    "strip of counts": chart("strip", [{"model": "a", "rate": 12}, {"model": "b", "rate": 3}], low=None, high=None, unit="count"),
    "forest": chart("forest", DIFFERENCES, x="d", y="pair", unit="points", x_title="difference"),
    "forest of ratios": chart("forest", DIFFERENCES, x="d", y="pair", unit="ratio"),
    "bars alone": chart("bars", rates(), x_title="share"),
    "bars grouped": chart("bars", GROUPED, group="label", options={"sham": 0.25}, x_title="share"),
    "bars of groups by arm": chart("bars", [{**row, "arm": "x"} for row in GROUPED], group="label", facet="arm"),
    "bars piled": chart("bars", GROUPED, group="label", options={"stack": True, "order": ["a/one, full"]}),
    "heat small": heat(3),
    "heat wide": heat(8, options={"order": ["condition number 2"], "rows": ["kind 1", "kind 0"]}),
    "heat by side": heat(5, facet="side"),
    "heat by side, small": heat(2, facet="side", options={"domain": [0, 1]}),
    "heat of points": heat(3, unit="points"),
    "heat of nothing": heat(1, options={"diverging": True}),
    "curve of numbers": by_turn(bounds=["w", "b"], sham=0.5),
    "curve selected": by_turn(selected="b/two", domain=[0, 1]),
    "slope of rates": chart("slope", [{"by": by, "rate": rate, "model": m} for m, pair in (("a", (0.1, 0.4)), ("b", (0.3, 0.2))) for by, rate in zip(("before", "after"), pair, strict=True)], x="by", y="rate", group="model", options={"rank": False}),
    "dots near": near(unit="score"),
    "dots near, across": near(options={"across": ["l", "r"], "x_domain": [0, 1], "domain": [0, 1]}),
    "dots unnamed": Chart(kind="dots", rows=({"x": 0.1, "y": 0.2}, {"x": 0.3, "y": None}), x="x", y="y"),
    "dots of words": chart("dots", rates()),
    "dumbbell few": change(9, options={"names": ["bare", "full"]}),
    "dumbbell some": change(31, x_title="share", y_title="cases"),
    "dumbbell by arm": change(8, facet="arm"),
    "dumbbell of many": change(201),
    "lanes few": lanes(5),
    "lanes many": lanes(31),
    "flow": Chart(kind="flow", rows=LEADING, facet="arm"),
    "strip of long names": chart("strip", LONG, options={"bounds": ["worst", "best"]}),
    "strip of one-sided bounds": chart("strip", [{"model": "a", "rate": 0.0, "lo": None, "hi": 0.4, "n": 1200}, {"model": "b", "rate": 0.9, "lo": 0.2, "hi": None}], options={"domain": [0.1, 0.8]}),
    "forest by arm": chart("forest", [{**row, "arm": arm} for arm in ("bare", "full") for row in DIFFERENCES], x="d", y="pair", group="arm"),
    "bars of narrow parts": chart("bars", [{**row, "rate": 0.01 if row["label"] == "wrong" else 3.0} for row in GROUPED], group="label", options={"stack": True}, unit="count"),
    "lanes uneven": UNEVEN,
    "flow uncounted": Chart(kind="flow", rows=UNCOUNTED),
    "heat of two words": Chart(kind="heat", rows=tuple({"arm": "abcd efghi", "kind": "abcdefghi klmnop", "rate": 0.2, "n": n, "side": "s"} for n in (9, 10)), x="arm", y="kind", value="rate", facet="side"),
    "heat of sixteen": Chart(kind="heat", rows=tuple({"arm": f"abcdefgh ijklmn{i} op", "kind": "k", "rate": -i / 7, "n": 11} for i in range(6)), x="arm", y="kind", value="rate"),
    "heat of eleven": Chart(kind="heat", rows=tuple({"arm": f"abcdef ghij{i} k", "kind": "k", "rate": i / 7, "n": 11.0} for i in range(7)), x="arm", y="kind", value="rate"),
    "flow alone": Chart(kind="flow", rows=LEADING[:3]),
    "matrix of numbers": Chart(kind="matrix", rows=PAIRS, value="d", low="lo", high="hi", unit="points"),
    "matrix by arm": Chart(kind="matrix", rows=tuple({**row, "arm": "bare"} for row in PAIRS), value="d", facet="arm"),
}  # fmt: skip
EVERY: dict[str, Chart] = {
    **{f"report: {kind}": made for kind, made in (
        ("strip", reports.strip()), ("forest", reports.forest()), ("matrix", reports.matrix()), ("dumbbell", reports.dumbbell()),
        ("curve", reports.depth()), ("slope", reports.slope()), ("heat", reports.heat()), ("bars", reports.stacked()),
        ("dots", reports.scatter()), ("lifelines", reports.lanes()), ("flow", reports.flow()), ("choices", reports.specification()),

    )},
    **CORNERS,
}  # fmt: skip
"""Name -> chart; what is drawn of each stands in goldens/."""
