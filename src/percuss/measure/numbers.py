"""The one place where a number becomes text: three significant digits, percent for rates, points for differences.

A value and its interval share their decimals: those that give the largest of the three numbers three significant
digits, so that columns align and no bound looks more certain than its estimate.
"""

import math
from collections.abc import Mapping
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Figure

__all__ = [
    "count",
    "decimals",
    "figure",
    "figure_of",
    "interval",
    "p_value",
    "plain",
    "point",
    "show",
    "spread",
    "written",
]

_SCALE = {"share": 100.0, "points": 100.0}
_AFTER = {"share": "%", "points": " points", "usd": " USD", "s": " s", "ms": " ms", "min": " min"}
_BARE = {"", "ratio", "score", "number"}
_MOST_DECIMALS = 6


def decimals(unit: str, *values: float | None) -> int:
    """Return the decimals that give the largest of some numbers three significant digits.

    Args:
        unit: as in `Figure`; a share and a difference of shares are scaled to percent first.
        values: None and zero are passed over.
    """
    if unit == "count":
        return 0
    scaled = [abs(value) * _SCALE.get(unit, 1.0) for value in values if value]
    if not scaled:
        return 0
    largest = max(scaled)
    # 99.96 rounds up to 100.0: decide on the rounded number, not on the raw one.
    magnitude = math.floor(math.log10(float(f"{largest:.3g}")))
    return min(max(2 - magnitude, 0), _MOST_DECIMALS)


def plain(value: float, unit: str, places: int) -> str:
    """Return a number without its unit."""
    if unit == "count" and not float(value).is_integer():
        places = 1
    text = f"{value * _SCALE.get(unit, 1.0):,.{places}f}"
    return text.lstrip("-") if not text.strip("-0.,") else text


def _after(unit: str) -> str:
    if unit in _BARE or unit == "count":
        return ""
    return _AFTER.get(unit, f" {unit}")


def point(value: float | None, unit: str = "share", *, undefined: str | None = None) -> str:
    """Return a number alone, with its unit.

    >>> point(0.04)
    '4.00%'
    >>> point(0.1, "points")
    '10.0 points'
    >>> point(None, "ratio", undefined="no unsupported claim without evidence")
    'undefined (no unsupported claim without evidence)'
    """
    if value is None or not math.isfinite(value):
        return f"undefined ({undefined or 'no reason recorded'})"
    return plain(value, unit, decimals(unit, value)) + _after(unit)


def interval(low: float | None, high: float | None, unit: str, places: int) -> str:
    """Return `[low, high]`, a bound where only one side is known, or a word where there is none.

    A zero-width interval is never shown as one: it claims a certainty that no sample has.

    >>> interval(None, 0.009, "share", 1), interval(0.95, None, "share", 0), interval(0.0, None, "share", 0)
    ('(at most 0.9%)', '(at least 95%)', '(no interval)')
    """
    if (low is None) != (high is None):
        bound, word = (high, "most") if low is None else (low, "least")
        tells = unit != "share" or not (bound is None or (bound < 0.005 if high is None else bound > 0.995))
        if bound is not None and math.isfinite(bound) and tells:
            return f"(at {word} {plain(bound, unit, places)}{_after(unit)})"
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return "(no interval)"
    if low == high:
        return "(no interval: zero width)"
    return f"[{plain(low, unit, places)}, {plain(high, unit, places)}]"


def show(shown: Figure) -> str:
    """Return a figure as it stands in the panel: value, unit, interval; or why it has none.

    >>> show(Figure(value=0.04, low=0.031, high=0.052))
    '4.00% [3.10, 5.20]'
    >>> show(Figure(value=0.32, low=-0.02, high=0.55, unit="ratio"))
    '0.320 [-0.020, 0.550]'
    """
    if shown.value is None or not math.isfinite(shown.value):
        return point(None, undefined=shown.undefined)
    value, spread_ = spread(shown)
    if shown.unit == "count" and shown.low is None:
        return value
    return f"{value} {spread_}"


def spread(shown: Figure) -> tuple[str, str]:
    """Return a defined figure's value with its unit, and its interval, in shared decimals."""
    assert shown.value is not None
    places = decimals(shown.unit, shown.value, shown.low, shown.high)
    value = plain(shown.value, shown.unit, places) + _after(shown.unit)
    return value, interval(shown.low, shown.high, shown.unit, places)


def figure(value: Mapping[str, Any]) -> Figure:
    """Read a figure from a table's cell: a mapping with the key `value`; keys of no figure are left out."""
    return Figure(**{key: value[key] for key in Figure.__struct_fields__ if key in value})


def figure_of(estimate: Estimate) -> Figure:
    """Return an estimate's number as a figure."""
    return Figure(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        unit=estimate.unit,
        n=estimate.n,
        undefined=estimate.undefined,
        simulated=estimate.simulated,
    )


def count(number: float) -> str:
    """Return a count with thousands separated.

    >>> count(5812)
    '5,812'
    """
    return plain(number, "count", 0)


def written(estimate: Estimate) -> str:
    """Return an estimate's value with its interval, or why there is none.

    Args:
        estimate: of any unit.
    """
    return show(figure_of(estimate))


def p_value(p: float | None) -> str:
    """Return a p value in words: never 0, three significant digits, small ones as a bound.

    >>> p_value(0.002)
    '0.002'
    >>> p_value(0.00001)
    'under 0.0001'
    """
    if p is None:
        return "not tested"
    if p < 1e-4:
        return "under 0.0001"
    return f"{p:.3f}" if p >= 1e-3 and round(p, 3) == p else f"{p:.3g}"
