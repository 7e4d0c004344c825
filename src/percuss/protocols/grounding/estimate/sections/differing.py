"""Which models differ, what this protocol adds: pairs whose order by support is another one than by HDI."""

from collections.abc import Iterator

from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.kit.report.build import cell, share, table, text
from percuss.kit.report.context import Report
from percuss.kit.report.differing import differences as kit_differences
from percuss.measure.numbers import written
from percuss.measure.ranks import separates
from percuss.measure.wording import p_words, plural
from percuss.protocols.grounding.estimate.sections.trust import doubt

__all__ = ["differences"]


def differences(report: Report) -> Iterator[Section]:
    """Yield forest, matrix and ranks, then the pairs that support and HDI order differently; nothing below a rule's floors."""
    if doubt(report):
        return
    yield from kit_differences(report)
    rows = [
        {
            "pair": f"{support.model} and {support.versus}", "support": cell(support), "hdi": cell(index),
            "verdict": "inversion: both differences separate" if separates(support) and separates(index)
            else "rank change; not both differences separate",
            "simulated": support.simulated,
        }
        for support, index in _changes(report)
    ]  # fmt: skip
    if rows:
        heads = (
            text("pair"), share("support", "difference in supported claims", "points"),
            share("hdi", "difference in HDI", "ratio"), text("verdict", "what it is"),
        )  # fmt: skip
        yield table("differences", "Do support and HDI rank alike?", heads, rows, answer=_tau(report))


def _changes(report: Report) -> Iterator[tuple[Estimate, Estimate]]:
    arm = report.results.arm
    by_hdi = {(e.model, e.versus): e for e in report.results.pairs("hdi_pooled", arm)}
    for support in report.results.pairs("supported_rate", arm):
        index = by_hdi.get((support.model, support.versus))
        if index is None or index.value is None or support.value is None:
            continue
        if index.value * support.value < 0:
            yield support, index


def _tau(report: Report) -> str:
    tau = next(report.results.all("rank_tau"), None)
    if tau is None or tau.value is None:
        return ""
    p = "" if tau.p is None else f", {p_words(tau.p)}"
    return f"Kendall's tau-b between support with evidence and HDI: {written(tau)}{p}, over {plural(tau.n, 'model')}."
