"""From cells to estimates: rates by arm and type, what passages do, inverse against forward, what is known by heart."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import msgspec
import numpy as np

from percuss.core.errors import UsageError
from percuss.core.records import Cell, Estimate
from percuss.judging.sources import leading
from percuss.kit.estimating import effect_of
from percuss.measure.dependence import hdis
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import arm_differences, model_differences, rates
from percuss.measure.tally import Tally, simulated_of, tallies
from percuss.protocols.textbook.arms import CLOSED, CONTINUATION, PASSAGE, WRONG
from percuss.protocols.textbook.estimate.names import (
    BY_PEOPLE,
    DISTRACTION,
    MEANS,
    MEMORISED,
    PENALTY,
    PER_ANSWER,
    RATE,
    SCORE,
)
from percuss.protocols.textbook.items.item import FORWARD, INVERSE, TYPES
from percuss.protocols.textbook.options import TextbookOptions
from percuss.stats.contrasts import compared_rates
from percuss.stats.multiplicity import bonferroni
from percuss.stats.paired import two_proportion_z
from percuss.stats.result import Result

__all__ = ["estimates", "inverse_penalties"]

Tallies = Mapping[tuple[str, str], Tally]
KNOWN, OTHER = "passages known by heart", "other passages"
PAPER_Z = Quantity(
    "hallucination_two_proportion",
    "difference of wrong answers (two-proportion z, the paper's)",
    "The paper's test of two models, which takes their answers as unrelated although the questions are the same.",
    "neither",
    "points",
)


def estimates(cells: Sequence[Cell], options: TextbookOptions, seed: int) -> Iterator[Estimate]:
    """Yield all estimates of a scoring; the primary one comes first.

    Args:
        cells: of `cells`. options: `resamples`. seed: root seed; models share their resamples.

    Raises:
        UsageError: nothing was checked.
    """
    held = tallies(cells)
    if not held:
        raise UsageError("nothing was checked, so there is nothing to estimate; run the check first")
    plan = Plan(seed=seed, B=options.resamples, scoring=cells[0].scoring, simulated=simulated_of(cells))
    lead = leading([labels for name, labels in held if name == RATE.name])
    found = [
        *_shares(held, plan),
        *_contrasts(held, plan),
        *_by_type(cells, plan),
        *inverse_penalties(cells, plan),
        *_known(cells, plan),
    ]
    marked = [
        msgspec.structs.replace(e, primary=True)
        if (e.name, e.arm, e.labels, e.versus, e.stratum) == (RATE.name, CLOSED, lead, None, None)
        else e
        for e in found
    ]
    yield from sorted(marked, key=lambda e: not e.primary)


def _shares(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    for quantity in (RATE, SCORE, *PER_ANSWER, *BY_PEOPLE, MEMORISED):
        for (name, _), tally in held.items():
            if name == quantity.name:
                yield from rates(tally, quantity, plan, proportion=quantity.name not in MEANS)
                if quantity in (RATE, SCORE):
                    for arm in tally.arms:
                        yield from model_differences(tally, quantity, plan, arm=arm)


def _contrasts(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Yield what the right passage takes away, what another one adds, and the paper's test of models."""
    for (name, _), tally in held.items():
        if name != RATE.name:
            continue
        if {CLOSED, PASSAGE} <= set(tally.arms):
            for e in arm_differences(tally, effect_of(RATE), plan, arm=CLOSED, baseline=PASSAGE):
                yield msgspec.structs.replace(e, arm=PASSAGE, baseline=CLOSED)
            yield from hdis(tally, plan, arm=PASSAGE, baseline=CLOSED)
        if {CLOSED, WRONG} <= set(tally.arms):
            for e in arm_differences(tally, DISTRACTION, plan, arm=CLOSED, baseline=WRONG):
                yield msgspec.structs.replace(e, arm=WRONG, baseline=CLOSED)
        yield from _two_proportions(tally, plan)


def _two_proportions(tally: Tally, plan: Plan) -> Iterator[Estimate]:
    """Yield the paper's two-proportion z with Bonferroni for each pair of models, closed book (paper, section 3.6)."""
    models = [m for m in tally.models if tally.has(m, CLOSED) and tally.raw[m, CLOSED].den.sum() > 0]
    pairs = list(combinations(models, 2))
    made = []
    for one, other in pairs:
        (k1, n1), (k2, n2) = (
            (float(tally.raw[m, CLOSED].num.sum()), float(tally.raw[m, CLOSED].den.sum()))
            for m in (one, other)
        )
        made.append(two_proportion_z(k1, n1, k2, n2))
    adjusted = bonferroni([1.0 if result.p is None else result.p for result in made])
    for (one, other), result, p in zip(pairs, made, adjusted, strict=True):
        yield estimate_of(
            PAPER_Z, one, CLOSED, tally.labels, result, plan, versus=other, p_adjusted=None if result.p is None else float(p),
            family=f"{PAPER_Z.name} · {tally.labels} · {len(pairs)} pairs, Bonferroni", clusters=tally.n_clusters,
            covers="sampling of answers as if models had answered different questions",
            simulated=bool(plan.simulated & {one, other}),
        )  # fmt: skip


def _by_type(cells: Sequence[Cell], plan: Plan) -> Iterator[Estimate]:
    """Yield rate and score of each type under its name."""
    for quantity in (RATE, SCORE):
        own = [cell for cell in cells if cell.name == quantity.name]
        for kind in TYPES:
            for tally in tallies(cell for cell in own if cell.stratum == kind).values():
                for e in rates(tally, quantity, plan, proportion=quantity.name not in MEANS):
                    yield msgspec.structs.replace(e, stratum=kind)


def inverse_penalties(cells: Sequence[Cell], plan: Plan) -> Iterator[Estimate]:
    """Yield the inverse types' rate minus the forward ones', over passages that have both where there are any.

    Args:
        cells: with the type as stratum and the passage as cluster. plan: of the intervals.
    """
    wanted = {*INVERSE, *FORWARD.values()}
    own = [cell for cell in cells if cell.name == RATE.name and cell.stratum in wanted]
    kinds = {cell.case_id: cell.stratum for cell in own}
    for (_, labels), tally in tallies(own).items():
        inverse = np.array([kinds[row] in INVERSE for row in tally.rows])
        for model in tally.models:
            for arm in tally.arms:
                if tally.has(model, arm):
                    yield _penalty_of(tally, inverse, model, arm, labels, plan)


def _penalty_of(tally: Tally, inverse: np.ndarray, model: str, arm: str, labels: str, plan: Plan) -> Estimate:
    num, den = tally.columns(model, arm)
    clusters = np.array(tally.cluster)
    both = set(clusters[inverse & (den > 0)]) & set(clusters[~inverse & (den > 0)])
    keep = np.array([name in both for name in clusters]) if both else den > 0
    note = (
        f"paired by passage, {len(both)} with both forms" if both else "unpaired: no passage has both forms"
    )
    sides = [np.where(side & keep, column, 0.0) for column in (num, den) for side in (inverse, ~inverse)]
    if not all(side.any() for side in sides[2:]):
        result = Result(
            value=None, low=None, high=None, level=plan.level, method="none", n=0,
            undefined="no scored answer to an inverse or to a forward open question",
        )  # fmt: skip
    else:
        made = compared_rates(np.stack(sides[:2]), np.stack(sides[2:]), clusters=clusters, **plan.draws)
        result = made.between(0, 1).result
    return estimate_of(
        PENALTY, model, arm, labels, result, plan, n=round(float(den[keep].sum())), clusters=len(both) or tally.n_clusters,
        covers=tally.covers, note=note,
    )  # fmt: skip


def _known(cells: Sequence[Cell], plan: Plan) -> Iterator[Estimate]:
    """Yield closed-book rates of passages known by heart and of the others, apart for each model."""
    heart = {
        (cell.model, cell.cluster): cell.num > 0
        for cell in cells
        if cell.name == MEMORISED.name and cell.arm == CONTINUATION and cell.den
    }
    if not heart:
        return
    own = [
        cell
        for cell in cells
        if cell.name == RATE.name and cell.arm == CLOSED and (cell.model, cell.cluster) in heart
    ]
    for words, wanted in ((KNOWN, True), (OTHER, False)):
        for tally in tallies(cell for cell in own if heart[cell.model, cell.cluster] == wanted).values():
            for e in rates(tally, RATE, plan):
                yield msgspec.structs.replace(e, stratum=words)
