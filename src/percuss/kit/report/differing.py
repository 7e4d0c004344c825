"""Which models differ: differences pair by pair, a matrix of pairs, and ranks with ties."""

from collections.abc import Iterator, Sequence

from percuss.core.records import Estimate
from percuss.core.sections import Chart, Section
from percuss.kit.report.build import cell, forest, number, row, share, table, text
from percuss.kit.report.context import Report
from percuss.kit.report.outline import Shown
from percuss.measure.numbers import decimals, interval, point
from percuss.measure.ranks import apart_words, ranked, separates

__all__ = ["differences", "matrix", "pair_words", "ranks"]

TIES = "Models that share a letter are not separable after Holm's correction."


def differences(report: Report) -> Iterator[Section]:
    """Yield a forest a number, the matrix of pairs and the rank table; nothing where only one model was asked."""
    outline, results = report.outline, report.results
    if not outline.compared:
        return
    first, rest = outline.compared[0], outline.compared[1:]
    pairs = results.pairs(first.name, first.arm or results.arm)
    if not pairs:
        return
    yield from _forest(report, first, apart_words(pairs, first.words))
    for shown in rest:
        yield from _forest(report, shown, "")
    yield matrix(pairs, first)
    yield ranks(report, first, pairs)


def _forest(report: Report, shown: Shown, answer: str) -> Iterator[Section]:
    results = report.results
    arm = shown.arm or results.arm
    held = results.pairs(shown.name, arm, together=True) or results.pairs(shown.name, arm)
    rows = [row(e, pair=f"{e.model} - {e.versus}") for e in held if e.value is not None]
    if rows:
        drawn = any(one["low"] is not None for one in rows)
        level = (
            f"{100 * held[0].level:.3g}% intervals that hold together over the family"
            if drawn
            else "no interval: too few"
        )
        alt = f"Difference in {shown.words}, each pair of models; {level}."
        yield forest("differences", f"How far apart are the models in {shown.words}?", rows, of=f"difference in {shown.words}", alt=alt, unit=held[0].unit, answer=answer)  # fmt: skip


def matrix(pairs: Sequence[Estimate], shown: Shown) -> Section:
    """Return each model in a row against each in a column: higher, lower, or not separable with what could have been seen."""
    rows = tuple(
        {
            "row": one, "column": other, "value": None if e.value is None else sign * e.value,
            "text": pair_words(e, sign), "simulated": e.simulated,
        }
        for e in pairs
        for one, other, sign in ((e.model, e.versus, 1), (e.versus, e.model, -1))
    )  # fmt: skip
    alt = f"{shown.title[0].upper()}{shown.title[1:]}: each model in a row against each in a column."
    chart = Chart(kind="matrix", rows=rows, x="column", y="row", value="value", unit=pairs[0].unit, alt=alt)
    return Section.of("differences", "Who differs from whom?", chart)


def pair_words(e: Estimate, sign: int) -> str:
    """Return what a cell of the matrix says.

    Args:
        e: a difference, `model` minus `versus`. sign: 1 as it stands, -1 seen from the other model.
    """
    if e.value is None:
        return f"undefined ({e.undefined})"
    if not separates(e) or e.low is None or e.high is None:
        return (
            "not separable"
            if e.detectable is None
            else f"not separable; we could have seen {point(e.detectable, e.unit)}"
        )
    ends = sorted((abs(e.low), abs(e.high))) if e.low * e.high > 0 else [e.low, e.high]
    places = decimals(e.unit, e.value, *ends)
    word = "higher" if sign * e.value > 0 else "lower"
    return f"{word} by {point(abs(e.value), e.unit)} {interval(ends[0], ends[1], e.unit, places)}"


def ranks(report: Report, shown: Shown, pairs: Sequence[Estimate]) -> Section:
    """Return the rank table of a number: value, ranks that no separated pair contradicts, letters shared by ties."""
    singles = {m: e for m in report.results.models if (e := report.value(shown, m)) is not None}
    rows = [
        {
            "model": r.model, "value": cell(singles[r.model]), "ties": r.letters,
            "ranks": str(r.best) if r.best == r.worst else f"{r.best} to {r.worst}",
            "simulated": report.results.is_simulated(r.model),
        }
        for r in ranked(list(singles.values()), pairs, higher_first=not shown.lower_first)
    ]  # fmt: skip
    heads = (
        text("model"),
        share("value", shown.title, shown.unit),
        number("ranks", "ranks it may hold", ""),
        text("ties"),
    )
    return table("differences", "In what order?", heads, rows, note=TIES)
