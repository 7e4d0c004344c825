"""From cells to estimates: every metric per arm, contrasts, effects, doses, the association, HDI over trajectories."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import UsageError
from percuss.core.labels import JUDGED, Reason
from percuss.core.records import Cell, Estimate
from percuss.measure.dependence import hdis
from percuss.measure.pairing import partners
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import bounds, model_differences, rates
from percuss.measure.tally import Tally, simulated_of, tallies
from percuss.measure.wording import plural
from percuss.protocols.stressors.estimate.anchoring import anchoring
from percuss.protocols.stressors.estimate.contrasting import contrasts, doses
from percuss.protocols.stressors.estimate.counting import EMPTY, ON_LAYOUT
from percuss.protocols.stressors.estimate.effects import effects
from percuss.protocols.stressors.estimate.names import METRICS, PRIMARY_ARM, Metric, arm_words, exists, pooled
from percuss.protocols.stressors.estimate.rightness import rightness
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.scenario.information_flow import UNGROUNDED
from percuss.stats.relative import relative_risk
from percuss.stats.shifts import paired_shift

__all__ = ["PRIMARY", "estimates", "headline"]

Tallies = Mapping[tuple[str, str], Tally]
PRIMARY = "cdr"
COMPARED = ("cdr", "gdr", "rur", "hpr", "fcr", "nfr")
"""Metrics in which models are compared pair by pair, in the arm with all three stressors or the primary arm."""
SIDE = (
    Quantity("unsupported_rate", "unsupported statements", "What share of statements about the patient does the record not support?", "lower"),
    Quantity("lucky_share", "lucky guesses", "Of unsupported statements, what share say rightly what was withheld?", "neither"),
    Quantity("adopted_share", "adopted from the injected line", "Of unsupported statements, what share repeat the injected line?", "neither"),
    Quantity("decided_share", "decided by this source", "What share of statements could be labelled?", "higher"),
)  # fmt: skip
ASSOCIATION = Quantity(
    "association",
    "missed contradiction and persistence (relative risk)",
    "How much more often does a statement made up before the contradiction stay when the contradiction is missed? An association.",
    "neither",
    "ratio",
)


def estimates(cells: Sequence[Cell], options: StressorsOptions, seed: int) -> Iterator[Estimate]:
    """Yield all estimates of a scoring; the primary one, of each model, comes first.

    Args:
        cells: of `cells`. options: `resamples`. seed: root seed; models share their resamples.
    """
    held = tallies(cells)
    if not held:
        raise UsageError("nothing was checked, so there is nothing to estimate; run the check first")
    plan = Plan(seed=seed, B=options.resamples, scoring=cells[0].scoring, simulated=simulated_of(cells))
    labels = headline(held)
    found = list(_all(held, plan))
    marked = [
        msgspec.structs.replace(e, primary=True)
        if (e.name, e.arm, e.labels) == (PRIMARY, PRIMARY_ARM, labels)
        else e
        for e in found
    ]
    yield from sorted(marked, key=lambda e: not e.primary)


def headline(held: Tallies) -> str:
    """Return the label source of the headline: the judge's passes where there are any, else the rules."""
    sources = {labels for _, labels in held}
    return next((source for source in JUDGED if source in sources), RATER)


def _all(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    for metric in METRICS:
        for (name, _), tally in held.items():
            if name == metric.quantity.name:
                yield from _per_arm(tally, metric, plan)
            elif name == pooled(metric.quantity.name):
                yield from rates(tally, _pooled_words(metric), plan)
    for quantity in SIDE:
        for (name, _), tally in held.items():
            if name == quantity.name:
                partner = (
                    partners(tally.arms, ("baseline",), UNGROUNDED) if name == "unsupported_rate" else None
                )
                yield from rates(tally, quantity, plan, partner=partner)
    for name in COMPARED:
        for (cells, _), tally in held.items():
            if cells == name:
                metric = next(m for m in METRICS if m.quantity.name == name)
                arm = PRIMARY_ARM if exists(metric, PRIMARY_ARM) else "omission+contradiction+delay"
                yield from model_differences(tally, metric.quantity, plan, arm=arm)
    yield from contrasts(held, plan)
    yield from effects(held, plan)
    yield from doses(held, plan)
    yield from _association(held, plan)
    yield from _counterfactual(held, plan)
    yield from anchoring(held, plan)
    yield from rightness(held, plan)
    for (name, _), tally in held.items():
        if name == "unsupported_rate" and UNGROUNDED in tally.arms:
            yield from hdis(tally, plan, arm="baseline", baseline=UNGROUNDED)


def _pooled_words(metric: Metric) -> Quantity:
    q = metric.quantity
    return Quantity(pooled(q.name), f"{q.label}, pooled over items", q.question, q.better)


def _per_arm(tally: Tally, metric: Metric, plan: Plan) -> Iterator[Estimate]:
    """A plain mean over applicable cases; what cannot apply is no exclusion that a bound could move over."""
    for e in rates(tally, metric.quantity, plan):
        unscored = {r: n for r, n in e.excluded.items() if not r.startswith(Reason.NOT_APPLICABLE.value)}
        limits = None if e.value is None else bounds(e.value * e.n, e.n, sum(unscored.values()))
        note = "; ".join(part for part in (e.note, metric.bound if e.labels == RATER else "") if part)
        undefined = None if e.value is not None else _why(metric, e)
        yield msgspec.structs.replace(e, bounds=limits, note=note, undefined=undefined)


def _why(metric: Metric, e: Estimate) -> str:
    if not exists(metric, e.arm):
        return f"never applicable: {arm_words(e.arm)} lacks {' and '.join(metric.needs)}"
    if not e.excluded:
        return "no case was posed"
    reason = max(e.excluded, key=lambda r: e.excluded[r])
    cases = f"in any of {plural(sum(e.excluded.values()), 'case')}"
    if reason.startswith(ON_LAYOUT):
        return reason.partition(":")[2]
    return f"nothing to count {cases}" if reason == EMPTY else f"not applicable {cases} ({reason})"


def _association(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """P(a live hallucination persists | contradiction missed) / P(.. | flagged), over all arms with a contradiction."""
    for (name, labels), missed in held.items():
        noticed = held.get(("persist_flagged", labels))
        if name != "persist_unflagged" or noticed is None:
            continue
        rows = tuple(dict.fromkeys((*missed.rows, *noticed.rows)))
        cluster = dict(zip(missed.rows, missed.cluster, strict=True)) | dict(
            zip(noticed.rows, noticed.cluster, strict=True)
        )
        for model in missed.models:
            columns = [c for tally in (missed, noticed) for c in _summed(tally, model, rows)]
            result = relative_risk(
                *columns, seed=plan.seed, clusters=[cluster[r] for r in rows], B=plan.B, level=plan.level
            )
            yield estimate_of(
                ASSOCIATION, model, "all with contradiction", labels, result, plan,
                n=round(float(columns[1].sum() + columns[3].sum())), clusters=len(set(cluster.values())), covers=missed.covers,
                note=f"missed {columns[0].sum():.0f} of {columns[1].sum():.0f}, flagged {columns[2].sum():.0f} of {columns[3].sum():.0f}",
            )  # fmt: skip


def _summed(tally: Tally, model: str, rows: Sequence[str]) -> Iterator[NDArray[np.float64]]:
    at = {row: place for place, row in enumerate(tally.rows)}
    for side in (0, 1):
        total = sum((tally.columns(model, arm)[side] for arm in tally.arms), np.zeros(len(tally.rows)))
        yield np.array([total[at[row]] if row in at else 0.0 for row in rows])


def _counterfactual(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Yield what a contradiction induces: beyond the same quantity at the same turn in the paired arm without it."""
    for (name, labels), tally in held.items():
        if name not in {"cihsr", "cihgr"}:
            continue
        without = held.get((f"{name}_without", labels))
        metric = next(m for m in METRICS if m.quantity.name == name)
        words = Quantity(f"{name}_excess", f"{metric.quantity.label} beyond what happens without one", metric.quantity.question, "neither", "points")  # fmt: skip
        if without is None:
            continue
        at = {row: place for place, row in enumerate(without.rows)}
        place = np.array([at.get(row, -1) for row in tally.rows])
        for model, arm in tally.num:
            other = "+".join(p for p in arm.split("+") if p != "contradiction") or "baseline"
            if "contradiction" not in arm.split("+") or not without.has(model, other):
                continue
            (num, den), (num0, den0) = tally.columns(model, arm), without.columns(model, other)
            both = (den > 0) & (place >= 0) & (den0[place] > 0)
            if not both.any():
                continue
            clusters = np.array(tally.cluster)[both]
            shares = (num / np.maximum(den, 1))[both], (num0 / np.maximum(den0, 1))[place][both]
            result = paired_shift(*shares, clusters=clusters, seed=plan.seed, B=plan.B, level=plan.level)
            yield estimate_of(
                words, model, arm, labels, result, plan, baseline=other, n=int(both.sum()), clusters=int(both.sum()), covers=tally.covers
            )  # fmt: skip
