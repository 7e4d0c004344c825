"""Rates and means from cells: intervals over clusters, bounds over exclusions, paired differences with Holm."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.tally import Tally
from percuss.stats.bootstrap import Paired
from percuss.stats.contrasts import compared_rates
from percuss.stats.intervals import z_value
from percuss.stats.multiplicity import holm
from percuss.stats.policy import rate
from percuss.stats.result import Result

__all__ = [
    "SIMULTANEOUS",
    "arm_differences",
    "bounds",
    "detectable",
    "differences",
    "model_differences",
    "rates",
]

POWER = 0.80
SIMULTANEOUS = "simultaneous"  # stratum of intervals that hold together over a family (Bonferroni)
Decided = Mapping[tuple[str, str], float]


def bounds(num: float, den: float, excluded: float) -> tuple[float, float] | None:
    """Return where a rate could lie had all excluded items counted 0, or all 1; None where nothing was posed.

    Args:
        num, den: events and scored items; excluded: items left out.

    >>> bounds(10, 100, 25)
    (0.08, 0.28)
    """
    posed = den + excluded
    return None if posed <= 0 else (num / posed, (num + excluded) / posed)


def detectable(result: Result, tests: int = 1) -> float | None:
    """Return the difference that these data would have shown with 80% power, from the interval's width.

    Args:
        result: a difference with its interval.
        tests: size of the family; the level is shared out over it.

    (z_{1 - a/2m} + z_{.80}) SE with SE read off the interval: an approximation for planning, not a test.
    """
    if result.low is None or result.high is None:
        return None
    error = (result.high - result.low) / (2 * z_value(result.level))
    return (z_value(1 - (1 - result.level) / tests) + z_value(2 * POWER - 1)) * error


def rates(
    tally: Tally, quantity: Quantity, plan: Plan, *, decided: Decided | None = None, proportion: bool = True
) -> Iterator[Estimate]:
    """Yield sum(num) / sum(den) for each model and arm of a tally.

    Args:
        tally: the cells.
        quantity: the words.
        plan: how intervals are made.
        decided: (model, arm) -> share that a rule could decide.
        proportion: False for sums of scores, whose bounds over exclusions are not known.
    """
    for model in tally.models:
        for arm in tally.arms:
            if not tally.has(model, arm):
                continue
            num, den = tally.columns(model, arm)
            result = rate(num, den, **tally.resampling, **plan.draws)
            left = tally.left_out(model, arm)
            yield estimate_of(
                quantity,
                model,
                arm,
                tally.labels,
                result,
                plan,
                n=tally.scored(model, arm),
                clusters=tally.clusters_of(model, arm),
                covers=tally.covers,
                excluded=left,
                bounds=bounds(float(num.sum()), float(den.sum()), tally.raw[model, arm].left)
                if proportion
                else None,
                decided_share=None if decided is None else decided.get((model, arm)),
            )


def arm_differences(
    tally: Tally, quantity: Quantity, plan: Plan, *, arm: str, baseline: str
) -> Iterator[Estimate]:
    """Yield, for each model, its rate in `baseline` minus its rate in `arm`, paired over cases.

    Args:
        tally: the cells; quantity: the words of the difference; plan: how intervals are made.
        arm: the arm subtracted; baseline: the arm it is subtracted from.
    """
    for model in tally.models:
        if not (tally.has(model, arm) and tally.has(model, baseline)):
            continue
        (num, den), (num_b, den_b) = tally.columns(model, arm), tally.columns(model, baseline)
        paired = compared_rates(
            np.stack([num_b, num]), np.stack([den_b, den]), **tally.resampling, **plan.draws
        )
        result = paired.between(0, 1).result
        yield estimate_of(
            quantity,
            model,
            arm,
            tally.labels,
            result,
            plan,
            baseline=baseline,
            n=tally.scored(model, arm) + tally.scored(model, baseline),
            clusters=tally.n_clusters,
            covers=tally.covers,
            detectable=detectable(result),
        )


def model_differences(tally: Tally, quantity: Quantity, plan: Plan, *, arm: str) -> Iterator[Estimate]:
    """Yield all paired differences between models in one arm, Holm-corrected in a named family.

    Args:
        tally: the cells; quantity: the words of the rate; plan: how intervals are made; arm: where to compare.
    """
    models = [model for model in tally.models if tally.has(model, arm)]
    if len(models) < 2:
        return
    stacked = [np.stack(columns) for columns in zip(*(tally.columns(m, arm) for m in models), strict=True)]
    shared: dict[str, Any] = {
        "arm": arm,
        "labels": tally.labels,
        "n": [tally.scored(model, arm) for model in models],
        "clusters": tally.n_clusters,
        "covers": tally.covers,
    }
    paired = compared_rates(stacked[0], stacked[1], **tally.resampling, **plan.draws)
    yield from differences(paired, models, quantity, plan, **shared)
    if len(paired.differences) > 1:
        wide = replace(plan, level=1 - (1 - plan.level) / len(paired.differences))
        together = compared_rates(stacked[0], stacked[1], **tally.resampling, **wide.draws)
        yield from differences(together, models, quantity, wide, stratum=SIMULTANEOUS, **shared)


def differences(
    paired: Paired,
    models: Sequence[str],
    quantity: Quantity,
    plan: Plan,
    *,
    arm: str,
    labels: str,
    n: Sequence[float],
    clusters: int,
    covers: str,
    **fields: Any,
) -> Iterator[Estimate]:
    """Yield the differences of paired results as estimates with `versus`, p and Holm's p.

    Args:
        plan: how intervals are made.
        arm: where the models are compared.
        labels: source of the labels.
        clusters: units resampled.
        covers: what the intervals account for.
        fields: further fields of `Estimate`.
        paired: of `percuss.stats`, in the order of `models`.
        quantity: the words of the quantity compared; n: units scored by model; the rest as in `Estimate`.
    """
    words = quantity.as_difference()
    fakes = {at for at, model in enumerate(models) if model in plan.simulated}
    simulated = [not fakes.isdisjoint((d.first, d.second)) for d in paired.differences]
    for pair, fake, p_holm in zip(paired.differences, simulated, _holm(paired, simulated), strict=True):
        first, second, size = models[pair.first], models[pair.second], simulated.count(fake)
        result = pair.result
        if result.value is None:
            result = replace(result, undefined=f"{quantity.label} is undefined for one of the two")
        named = f"{words.name} · {arm} · {labels} · {size} pairs{' with simulated models' if fake else ''}"
        yield estimate_of(
            words,
            first,
            arm,
            labels,
            result,
            plan,
            versus=second,
            p_adjusted=p_holm,
            family=named,
            n=round(n[pair.first] + n[pair.second]),
            clusters=clusters,
            covers=covers,
            detectable=detectable(result, size),
            simulated=fake,
            **fields,
        )


def _holm(paired: Paired, simulated: Sequence[bool]) -> list[float | None]:
    """Correct within two families, so that simulated reference rows cost the real models nothing."""
    adjusted: list[float | None] = [None] * len(simulated)
    for family in (False, True):
        raw = {
            at: pair.result.p
            for at, (pair, fake) in enumerate(zip(paired.differences, simulated, strict=True))
            if fake == family and pair.result.p is not None
        }
        for at, p in zip(raw, holm(list(raw.values())), strict=True):
            adjusted[at] = p
    return adjusted
