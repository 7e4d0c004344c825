"""What all charts share: which key is the number, how far its axis goes, how its numbers read, and the look."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from percuss.core.sections import Chart, Figure
from percuss.measure.numbers import point, show
from percuss.report.palette import HATCH, LIGHT
from percuss.report.text import visible

__all__ = [
    "LINES",
    "axes",
    "bounds",
    "category",
    "config",
    "domain",
    "fill",
    "in_order",
    "is_number",
    "labelled",
    "number_axis",
    "rows_of",
    "tips",
    "wrapped",
]

Json = dict[str, Any]
LINES = "split(datum.label, '\\n')"
_FONT = "system-ui, -apple-system, Segoe UI, Roboto, sans-serif"
# steps of a round axis end: 0.1, 0.15 .. 1 times a power of ten
_STEPS = (0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


def is_number(value: Any) -> TypeGuard[float]:
    """Tell whether a cell is a number; a truth value isn't."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def axes(chart: Chart) -> tuple[str, str]:
    """Return (key of the number, key of the label): whichever of x and y holds numbers is the number; x, where neither does."""
    if chart.value:
        return chart.value, chart.y if chart.y != chart.value else chart.x
    across, up = (any(is_number(row.get(key)) for row in chart.rows) for key in (chart.x, chart.y))
    return (chart.y, chart.x) if up and not across else (chart.x, chart.y)


def bounds(chart: Chart) -> tuple[str | None, str | None]:
    """Return the keys of the worst cases, or (None, None)."""
    named: Sequence[str] = chart.options.get("bounds", ())
    return (named[0], named[1]) if len(named) == 2 else (None, None)


def domain(chart: Chart, *keys: str | None) -> tuple[float, float]:
    """Return the axis: rates from 0, differences symmetric about 0, ratios from -1 to 1 once one is negative."""
    if chart.options.get("domain"):
        low, high = chart.options["domain"]
        return float(low), float(high)
    numbers = [float(row[key]) for row in chart.rows for key in keys if key and is_number(row.get(key))]
    if not numbers:
        return 0.0, 1.0
    low, high = min(numbers), max(numbers)
    if chart.unit == "ratio" and low < 0 and chart.kind != "forest":
        return -1.0, 1.0
    if chart.unit == "points" or chart.kind == "forest":
        reach = _round_up(max(abs(low), abs(high)))
        return -reach, reach
    top = _round_up(max(high, 0.0))
    if chart.unit == "share" and high <= 1.0:
        top = min(top, 1.0)
    return (-_round_up(-low) if low < 0 else 0.0), top


def _round_up(value: float) -> float:
    """Return a round number at or above a positive one, and 1 for 0."""
    if value <= 0:
        return 1.0
    size = 1.0
    while size < value:
        size *= 10
    while size / 10 >= value:
        size /= 10
    return next(round(step * size, 12) for step in _STEPS if step * size >= value - 1e-12)


def rows_of(chart: Chart, **roles: str | None) -> list[Json]:
    """Return the rows with their roles under fixed names (`_x`, `_low` ..), so that no key needs escaping."""
    out = []
    for row in chart.rows:
        known = {f"_{role}": row.get(key) for role, key in roles.items() if key}
        named = {
            key: visible(cell) if isinstance(cell, str) else cell for key, cell in {**row, **known}.items()
        }
        out.append({**named, "_sim": bool(row.get("simulated")), "_text": _text(chart, row, known)})
    return out


def in_order(chart: Chart, rows: list[Json], key: str) -> list[Json]:
    """Return rows in `options.order` of the labels under `key`; labels that it doesn't name keep their place after."""
    order = {str(label): at for at, label in enumerate(chart.options.get("order", ()))}
    facets = list(dict.fromkeys(row.get(chart.facet) for row in rows)) if chart.facet else []

    def place(row: Json) -> tuple[int, int]:
        facet = facets.index(row.get(chart.facet)) if chart.facet else 0
        return facet, order.get(str(row.get(key)), len(order))

    return sorted(rows, key=place)


def labelled(row: Mapping[str, Any], label: Any) -> str:
    """Return a row's label, which says "simulated" where it is."""
    return f"~ {label} (simulated)" if row.get("simulated") else str("" if label is None else label)


def _text(chart: Chart, row: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    value = known.get("_number", known.get("_value", known.get("_y")))
    if value is not None and not is_number(value):
        return str(value)
    low, high = (row.get(key) if key else None for key in (chart.low, chart.high))
    if low is None or value is None:
        return point(value, chart.unit, undefined=row.get("undefined"))
    return show(Figure(value=value, low=low, high=high, unit=chart.unit))


def number_axis(chart: Chart, field: str, title: str, limits: tuple[float, float] | None = None) -> Json:
    """Return the encoding of the number: its scale, its labels in percent or points, its title."""
    axis: Json = {"title": title or None, "grid": True, "tickCount": 5}
    if chart.unit == "share":
        axis["labelExpr"] = "format(datum.value * 100, '~g') + '%'"
    elif chart.unit == "points":
        axis["labelExpr"] = "format(datum.value * 100, '~g')"
        axis["title"] = f"{title} (points)" if title else "points"
    scale: Json = {"clamp": True, "nice": False}
    if limits:
        scale["domain"] = list(limits)
    return {"field": field, "type": "quantitative", "axis": axis, "scale": scale}


def category(field: str, title: str, order: Sequence[Any] | None, **axis: Any) -> Json:
    """Return the encoding of labels, in the order of the rows unless one is given."""
    look = {"title": title or None, "labelLimit": 260, "ticks": False, "domain": False, **axis}
    return {"field": field, "type": "nominal", "sort": list(order) if order else None, "axis": look}


def wrapped(label: Any, width: int = 13) -> str:
    """Return a label broken into lines, for places under or over columns; `LINES` shows them."""
    return "\n".join(textwrap.wrap(str("" if label is None else label), width, break_long_words=False)) or ""


def fill(otherwise: Any) -> Json:
    """Return a fill that is hatched where the row is simulated."""
    value = otherwise if isinstance(otherwise, dict) else {"value": otherwise}
    return {"condition": {"test": "datum._sim", "value": HATCH}, **value}


def config() -> Json:
    """Return the look of all charts; colours are the light theme's and are exchanged by the page."""
    text = {"labelColor": LIGHT.ink, "titleColor": LIGHT.soft, "labelFont": _FONT, "titleFont": _FONT}
    return {
        "background": None,
        "font": _FONT,
        "view": {"stroke": None},
        "axis": {
            **text, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "gridColor": LIGHT.line,
            "domainColor": LIGHT.rule, "tickColor": LIGHT.rule, "labelPadding": 6,
        },
        "legend": {**text, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
        "header": {**text, "labelFontSize": 13, "titleFontSize": 12, "labelFontWeight": "bold"},
        "text": {"color": LIGHT.ink, "font": _FONT, "fontSize": 12},
    }  # fmt: skip


def tips(chart: Chart, **titles: str) -> list[Json]:
    """Return what a pointer shows: roles by title, and n where the rows have one."""
    shown: list[Json] = [{"field": f"_{role}", "title": title or role} for role, title in titles.items()]
    return shown + ([{"field": "n", "title": "n"}] if any("n" in row for row in chart.rows) else [])
