"""Named groups inside bars: a colour, and a letter in the bar and in the legend, so that grey print says the same."""

from collections.abc import Sequence

from percuss.report.charts.axes import Json
from percuss.report.palette import HATCH, LETTERS, LIGHT

__all__ = ["colours", "group_fill", "hatching", "letter_layers", "letters"]

_SERIES = ("#0072B2", "#E69F00", "#D55E00", "#6B7280", "#CC79A7", "#7FB2DA", "#08406E", "#9A6700")
_LEGEND_COLUMNS = 3
# share of the axis below which a letter doesn't fit into its bar
_NARROWEST = 0.025


def letters(groups: Sequence[str]) -> dict[str, str]:
    """Return each group's letter: a verdict's own, else the first of its characters that is free, else a number."""
    taken = {group: LETTERS[group] for group in groups if group in LETTERS}
    for number, group in enumerate(groups, 1):
        if group not in taken:
            free = (c.upper() for c in group if c.isalnum() and c.upper() not in taken.values())
            taken[group] = next(free, str(number))
    return taken


def colours(groups: Sequence[str]) -> dict[str, str]:
    """Return each group's colour: a verdict keeps its own everywhere."""
    spare = [
        colour for colour in _SERIES if colour not in {LIGHT.marks[g] for g in groups if g in LIGHT.marks}
    ]
    picked = [LIGHT.marks[g] if g in LIGHT.marks else spare.pop(0) if spare else LIGHT.rule for g in groups]
    return dict(zip(groups, picked, strict=True))


def group_fill(rows: Sequence[Json], field: str, order: Sequence[str] = ()) -> Json:
    """Return the fill by group, and mark each row with its letter (`_letter`).

    Args:
        rows: changed in place.
        field: holds the group's name.
        order: groups that come first, so that charts beside each other colour them alike; the others follow.
    """
    groups = list(dict.fromkeys((*order, *(str(row.get(field, "")) for row in rows))))
    known = letters(groups)
    for row in rows:
        row["_letter"] = known[str(row.get(field, ""))]
    names = "{" + ",".join(f"{_quoted(group)}:{_quoted(letter)}" for group, letter in known.items()) + "}"
    legend = {
        "orient": "top",
        "columns": _LEGEND_COLUMNS,
        "labelExpr": f"{names}[datum.label] + '  ' + replace(datum.label, /_/g, ' ')",
    }
    shown = colours(groups)
    scale = {"domain": list(shown), "range": list(shown.values())}
    return {"field": field, "type": "nominal", "scale": scale, "title": None, "legend": legend}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ")
    return f"'{escaped}'"


def letter_layers(rows: Sequence[Json], start: str, stop: str) -> list[Json]:
    """Return the layers that write each bar's letter in its middle, with a light edge that any fill shows.

    Args:
        rows: changed in place: `_mid`, and an empty letter where a bar is too narrow.
        start: field of the bar's beginning.
        stop: field of its end.
    """
    reach = max((float(row[stop]) for row in rows), default=1.0) or 1.0
    for row in rows:
        row["_mid"] = (row[start] + row[stop]) / 2
        if row[stop] - row[start] < _NARROWEST * reach:
            row["_letter"] = ""
    where = {"x": {"field": "_mid", "type": "quantitative"}, "text": {"field": "_letter"}}
    edge = {
        "type": "text",
        "fontWeight": "bold",
        "fontSize": 11,
        "stroke": "#FFFFFE",
        "strokeWidth": 3,
        "strokeJoin": "round",
    }
    return [
        {"mark": edge, "encoding": where},
        {
            "mark": {"type": "text", "fontWeight": "bold", "fontSize": 11, "color": "#1F2329"},
            "encoding": where,
        },
    ]


def hatching(rows: Sequence[Json], bar: Json, across: Json, stop: str) -> list[Json]:
    """Return the layer that hatches simulated bars, or none."""
    if not any(row["_sim"] for row in rows):
        return []
    over = {**bar, "fill": HATCH, "fillOpacity": 0.6}
    encoding = {"x": across, "x2": {"field": stop}}
    return [{"transform": [{"filter": "datum._sim"}], "mark": over, "encoding": encoding}]
