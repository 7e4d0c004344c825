"""Section 2: which models differ, by paired differences; never by bars that overlap or don't."""

from collections.abc import Iterator

from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.numbers import point
from percuss.measure.ranks import apart_words, ranked, separates
from percuss.measure.wording import p_words, plural
from percuss.protocols.grounding.estimate.sections.shelf import Shelf, cell

__all__ = ["differing"]

RATE = "unsupported_rate_difference"
INDEX = "hdi_pooled_difference"


def differing(shelf: Shelf) -> Iterator[Section]:
    """Yield forest, matrix and rank table; one sentence where only one model was asked."""
    rate, index = shelf.pairs(RATE), shelf.pairs(INDEX)
    if not rate:
        return
    answer = apart_words(rate, "unsupported claims with evidence")
    yield Section.of(
        "differences",
        "How far apart are the models?",
        _forest(
            shelf.pairs(RATE, together=True) or rate,
            "points",
            "difference in unsupported claims with evidence",
        ),
        answer,
    )
    if index:
        yield Section.of(
            "differences",
            "How far apart are they in HDI?",
            _forest(shelf.pairs(INDEX, together=True) or index, "ratio", "difference in HDI"),
        )
    yield Section.of("differences", "Who differs from whom?", _matrix(rate))
    yield Section.of("differences", "In what order?", _ranks(shelf, rate))
    changes = list(_changes(shelf))
    if changes:
        yield Section.of("differences", "Do support and HDI rank alike?", _change_table(changes), _tau(shelf))


def _forest(pairs: list[Estimate], unit: str, title: str) -> Chart:
    rows = [
        {
            "pair": f"{e.model} - {e.versus}",
            "value": e.value,
            "low": e.low,
            "high": e.high,
            "p": e.p_adjusted,
            "simulated": e.simulated,
        }
        for e in pairs
        if e.value is not None
    ]
    level = f"{100 * pairs[0].level:.3g}%" if pairs else ""
    return Chart(
        kind="forest",
        rows=tuple(rows),
        x="value",
        y="pair",
        low="low",
        high="high",
        x_title=title,
        unit=unit,
        alt=f"{title}, each pair of models, {level} intervals that hold together over the family.",
    )


def _matrix(pairs: list[Estimate]) -> Chart:
    """Row against column: higher, lower, or not separable with what could have been seen."""
    rows = []
    for e in pairs:
        for one, other, sign in ((e.model, e.versus, 1), (e.versus, e.model, -1)):
            rows.append(
                {
                    "row": one,
                    "column": other,
                    "value": None if e.value is None else sign * e.value,
                    "text": _said(e, sign),
                    "simulated": e.simulated,
                }
            )
    return Chart(
        kind="matrix",
        rows=tuple(rows),
        x="column",
        y="row",
        value="value",
        unit="points",
        alt="Unsupported claims with evidence: each model in a row against each in a column.",
    )


def _said(e: Estimate, sign: int) -> str:
    if e.value is None:
        return f"undefined ({e.undefined})"
    if not separates(e):
        seen = "" if e.detectable is None else f"; we could have seen {100 * e.detectable:.1f} points"
        return f"not separable{seen}"
    low, high = sorted((sign * (e.low or 0.0), sign * (e.high or 0.0)))
    word = "higher" if sign * e.value > 0 else "lower"
    if word == "lower":
        low, high = -high, -low
    return f"{word} by {100 * abs(e.value):.1f} points [{100 * low:.1f}, {100 * high:.1f}]"


def _ranks(shelf: Shelf, pairs: list[Estimate]) -> Table:
    singles = [e for model in shelf.models if (e := shelf.get("unsupported_rate", model)) is not None]
    rows = tuple(
        {
            "model": r.model,
            "value": None if r.value is None else r.value,
            "ranks": str(r.best) if r.best == r.worst else f"{r.best} to {r.worst}",
            "ties": r.letters,
            "simulated": r.model in shelf.simulated,
        }
        for r in ranked(singles, pairs, higher_first=False)
    )
    columns = (
        Column(key="model", title="model"),
        Column(key="value", title="unsupported with evidence", unit="share", align="right"),
        Column(key="ranks", title="ranks it may hold", align="right"),
        Column(key="ties", title="ties"),
    )
    return Table(
        columns=columns,
        rows=rows,
        note="Models that share a letter are not separable after Holm's correction.",
    )


def _changes(shelf: Shelf) -> Iterator[tuple[Estimate, Estimate]]:
    """Pairs whose order by support with evidence differs from their order by HDI."""
    by_hdi = {(e.model, e.versus): e for e in shelf.pairs(INDEX)}
    for support in shelf.pairs("supported_rate_difference"):
        index = by_hdi.get((support.model, support.versus))
        if index is None or index.value is None or support.value is None:
            continue
        if index.value * support.value < 0:
            yield support, index


def _change_table(changes: list[tuple[Estimate, Estimate]]) -> Table:
    rows = tuple(
        {
            "pair": f"{support.model} and {support.versus}",
            "support": cell(support),
            "hdi": cell(index),
            "verdict": "inversion: both differences separate"
            if separates(support) and separates(index)
            else "rank change; not both differences separate",
            "simulated": support.simulated,
        }
        for support, index in changes
    )
    columns = (
        Column(key="pair", title="pair"),
        Column(key="support", title="difference in supported claims", align="right"),
        Column(key="hdi", title="difference in HDI", align="right"),
        Column(key="verdict", title="what it is"),
    )
    return Table(columns=columns, rows=rows)


def _tau(shelf: Shelf) -> str:
    tau = next(shelf.all("rank_tau"), None)
    if tau is None or tau.value is None:
        return ""
    p = "" if tau.p is None else f", {p_words(tau.p)}"
    span = (
        ""
        if tau.low is None or tau.high is None
        else f" [{point(tau.low, 'ratio')}, {point(tau.high, 'ratio')}]"
    )
    return f"Kendall's tau-b between support with evidence and HDI: {point(tau.value, 'ratio')}{span}{p}, over {plural(tau.n, 'model')}."
