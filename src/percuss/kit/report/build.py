"""Tables and charts of estimates, made in one line each: raw numbers in, no format."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, Figure, Place, Section, Table
from percuss.measure.numbers import figure_of
from percuss.measure.wording import reasons_words

__all__ = [
    "added_up", "cell", "columns", "dots", "forest", "heat", "number", "reasons_of", "row", "share", "strata", "strip", "table", "text",
]  # fmt: skip

Rows = Iterable[Mapping[str, Any]]


def cell(estimate: Estimate | Figure | None, missing: str = "not measured") -> dict[str, Any]:
    """Return an estimate as a table's cell: its figure, or that it was not measured."""
    found = estimate if isinstance(estimate, Figure) else None if estimate is None else figure_of(estimate)
    return dict(msgspec.to_builtins(found or Figure(undefined=missing)))


def row(e: Estimate, **named: Any) -> dict[str, Any]:
    """Return an estimate as a row of a chart, its names first.

    Args:
        e: defined. named: what it is called, by key.
    """
    held: dict[str, Any] = {**named, "value": e.value, "low": e.low, "high": e.high, "n": e.n}
    if e.p_adjusted is not None:
        held["p"] = e.p_adjusted
    return {**held, "simulated": e.simulated}


def strata(
    found: Iterable[Estimate], key: str, *, order: Sequence[str] = (), words: Callable[[str], str] = str
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the rows of a chart of one number by stratum, and the strata in the order in which they are drawn.

    Args:
        found: estimates; those without a value or a stratum are left out. key: what a stratum is called in a row.
        order: strata in their order, others are left out; none: as they come. words: how a stratum is called.
    """
    defined = [e for e in found if e.value is not None and e.stratum is not None]
    there = dict.fromkeys(str(e.stratum) for e in defined)
    drawn = [each for each in order if each in there] if order else list(there)
    rows = [
        {"model": e.model, key: words(each), "value": e.value, "n": e.n, "simulated": e.simulated}
        for each in drawn
        for e in defined
        if e.stratum == each
    ]
    return rows, [words(each) for each in drawn]


def text(key: str, title: str = "") -> Column:
    """Return a column of words."""
    return Column(key=key, title=title or key)


def number(key: str, title: str = "", unit: str = "count") -> Column:
    """Return a column of numbers."""
    return Column(key=key, title=title or key, unit=unit, align="right")


def share(key: str, title: str, unit: str = "share") -> Column:
    """Return a column of figures."""
    return Column(key=key, title=title, unit=unit, align="right")


def columns(**titles: str) -> tuple[Column, ...]:
    """Return columns of words, key and title each."""
    return tuple(text(key, title) for key, title in titles.items())


def table(
    place: Place, title: str, heads: Sequence[Column], rows: Rows, *, note: str = "", answer: str = ""
) -> Section:
    """Return a table as a section."""
    held = tuple(dict(one) for one in rows)
    return Section.of(place, title, Table(columns=tuple(heads), rows=held, note=note), answer)


def strip(
    place: Place, title: str, rows: Rows, *, of: str, alt: str, y: str = "model", unit: str = "share", answer: str = "",
    **options: Any,
) -> Section:  # fmt: skip
    """Return one number a row, with its interval.

    Args:
        unit: as in `Estimate`.
        place, title, answer: of the section. rows: of `row`. of: what the number is. y: the key that names a row.
        alt: the chart in words. options: as in `Chart`.
    """
    return _spans("strip", place, title, rows, of, alt, y, unit, answer, options)


def forest(
    place: Place, title: str, rows: Rows, *, of: str, alt: str, y: str = "pair", unit: str = "points", answer: str = "",
    group: str | None = None, **options: Any,
) -> Section:  # fmt: skip
    """Return differences about zero, as in `strip`; `group` names the key of a facet of the labels."""
    return _spans("forest", place, title, rows, of, alt, y, unit, answer, options, group)


def _spans(
    kind: Any, place: Place, title: str, rows: Rows, of: str, alt: str, y: str, unit: str, answer: str,
    options: Mapping[str, Any], group: str | None = None,
) -> Section:  # fmt: skip
    held = tuple(dict(one) for one in rows)
    chart = Chart(
        kind=kind, rows=held, x="value", y=y, low="low", high="high", group=group, x_title=of, unit=unit,
        options=dict(options), alt=alt,
    )  # fmt: skip
    return Section.of(place, title, chart, answer)


def dots(
    place: Place, title: str, rows: Rows, *, x: str, y: str, group: str, alt: str, x_title: str = "", y_title: str = "",
    answer: str = "", unit: str = "share", **options: Any,
) -> Section:  # fmt: skip
    """Return dots in groups, with intervals."""
    held = tuple(dict(one) for one in rows)
    chart = Chart(
        kind="dots", rows=held, x=x, y=y, low="low", high="high", group=group, x_title=x_title, y_title=y_title,
        unit=unit, options=dict(options), alt=alt,
    )  # fmt: skip
    return Section.of(place, title, chart, answer)


def heat(
    place: Place, title: str, rows: Rows, *, x: str, y: str, alt: str, order: Sequence[str], down: Sequence[str] = (),
    x_title: str = "", facet: str | None = None, answer: str = "",
) -> Section:  # fmt: skip
    """Return a map of shares with n in each cell.

    Args:
        x_title: title of the axis across.
        place, title, answer: of the section. rows: with `value` and `n`. x, y, facet: keys of the labels. alt: in words.
        order: labels across. down: labels from top to bottom; () takes them as they come.
    """
    held = tuple(dict(one) for one in rows)
    labels = list(down) or list(dict.fromkeys(str(one[y]) for one in held))
    chart = Chart(
        kind="heat", rows=held, x=x, y=y, value="value", facet=facet, x_title=x_title, unit="share",
        options={"rows": labels, "order": list(order)}, alt=alt,
    )  # fmt: skip
    return Section.of(place, title, chart, answer)


def added_up(estimates: Iterable[Estimate]) -> tuple[int, dict[str, int]]:
    """Return how much was scored over several estimates, and what was left out by reason."""
    scored, reasons = 0, dict[str, int]()
    for e in estimates:
        scored += e.n
        for reason, n in e.excluded.items():
            reasons[reason] = reasons.get(reason, 0) + n
    return scored, reasons


def reasons_of(reasons: Mapping[str, int]) -> str:
    """Return reasons with counts, or that there are none."""
    return reasons_words({reason: n for reason, n in reasons.items() if n}) or "none"
