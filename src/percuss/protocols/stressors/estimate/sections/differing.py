"""Section 2: which models differ, pair by pair."""

from collections.abc import Iterator

from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.ranks import apart_words, ranked
from percuss.protocols.stressors.estimate.names import METRICS, PRIMARY_ARM
from percuss.protocols.stressors.estimate.numbers import COMPARED, PRIMARY
from percuss.protocols.stressors.estimate.sections.shelf import Shelf

__all__ = ["differing"]


def differing(shelf: Shelf) -> Iterator[Section]:
    """Yield a forest a metric and the rank table; nothing where only one model was asked."""
    pairs = shelf.pairs(PRIMARY)
    if not pairs:
        return
    answer = apart_words(pairs, "contradictions noticed")
    for place, name in enumerate(COMPARED):
        held = shelf.pairs(name, together=True) or shelf.pairs(name)
        rows = tuple(
            {
                "pair": f"{e.model} - {e.versus}",
                "value": e.value,
                "low": e.low,
                "high": e.high,
                "p": e.p_adjusted,
                "simulated": e.simulated,
            }
            for e in held
            if e.value is not None
        )
        if not rows:
            continue
        label = next(m.quantity.label for m in METRICS if m.quantity.name == name)
        chart = Chart(
            kind="forest", rows=rows, x="value", y="pair", low="low", high="high", x_title=f"difference in {label}",
            unit="points", alt=f"Difference in {label} for each pair of models, with intervals that hold together.",
        )  # fmt: skip
        yield Section.of(
            "differences", f"How far apart are the models in {label}?", chart, answer if not place else ""
        )
    yield Section.of("differences", "In what order?", _ranks(shelf))


def _ranks(shelf: Shelf) -> Table:
    singles = [e for m in shelf.models if (e := shelf.get(PRIMARY, m, PRIMARY_ARM)) is not None]
    rows = tuple(
        {
            "model": r.model,
            "value": r.value,
            "ranks": str(r.best) if r.best == r.worst else f"{r.best} to {r.worst}",
            "ties": r.letters,
            "simulated": r.model in shelf.simulated,
        }
        for r in ranked(singles, shelf.pairs(PRIMARY), higher_first=True)
    )
    columns = (
        Column(key="model", title="model"),
        Column(key="value", title="contradictions noticed", unit="share", align="right"),
        Column(key="ranks", title="ranks it may hold", align="right"),
        Column(key="ties", title="ties"),
    )
    return Table(
        columns=columns,
        rows=rows,
        note="Models that share a letter are not separable after Holm's correction.",
    )
