"""Rates and means from cells: intervals over clusters, bounds over exclusions, paired differences with Holm."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.pairing import Pairing, paired
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.tally import Floats, Tally
from percuss.stats.bootstrap import Paired
from percuss.stats.contrasts import compared_rates
from percuss.stats.intervals import z_value
from percuss.stats.multiplicity import holm
from percuss.stats.policy import rate
from percuss.stats.result import Result

__all__ = [
    "SIMULTANEOUS",
    "arm_bounds",
    "arm_differences",
    "bounds",
    "compared",
    "detectable",
    "differences",
    "families",
    "family_size",
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
    tally: Tally,
    quantity: Quantity,
    plan: Plan,
    *,
    decided: Decided | None = None,
    proportion: bool = True,
    partner: Mapping[str, str] | None = None,
) -> Iterator[Estimate]:
    """Yield sum(num) / sum(den) for each model and arm of a tally.

    Args:
        tally: the cells.
        quantity: the words.
        plan: how intervals are made.
        decided: (model, arm) -> share that a rule could decide.
        proportion: False for sums of scores, whose bounds over exclusions are not known.
        partner: arm -> the arm that a case must be answered in, too, to count (complete pairs).
    """
    for model in tally.models:
        for arm in tally.arms:
            if not tally.has(model, arm):
                continue
            held = _completed(tally, model, arm, partner or {})
            num, den = held.tally.columns(model, arm)
            result = rate(num, den, **held.tally.resampling, **plan.draws)
            yield estimate_of(
                quantity,
                model,
                arm,
                tally.labels,
                result,
                plan,
                n=held.tally.scored(model, arm),
                clusters=held.tally.clusters_of(model, arm),
                covers=tally.covers,
                excluded=tally.left_out(model, arm),
                bounds=arm_bounds(tally, model, arm) if proportion else None,
                note=held.words,
                decided_share=None if decided is None else decided.get((model, arm)),
            )


def _completed(tally: Tally, model: str, arm: str, partner: Mapping[str, str]) -> Pairing:
    other = partner.get(arm)
    if other is None or not tally.has(model, other):
        return Pairing(tally, len(tally.rows), ((model, arm),), {})
    return paired(tally, [(model, arm), (model, other)])


def arm_bounds(tally: Tally, model: str, arm: str) -> tuple[float, float] | None:
    """Return where a rate could lie had what was left out been scored, and what is missing been answered.

    Args:
        tally: the cells. model, arm: whose.

    Items left out count 0 or 1. A missing answer takes the lowest or the highest rate of a case seen in the arm, and
    the mean number of its items (definitions/grounding.md, version 2, "Which answers are compared").
    """
    num, den = tally.columns(model, arm)
    left, missing = tally.raw[model, arm].left, tally.missing.get((model, arm), 0)
    plain = bounds(float(num.sum()), float(den.sum()), left)
    if not missing or plain is None or not (den > 0).any():
        return plain
    rate_of, size = num[den > 0] / den[den > 0], float(den[den > 0].mean()) * missing
    posed = float(den.sum()) + left
    low, high = (float(edge) * size for edge in (rate_of.min(), rate_of.max()))
    return (plain[0] * posed + low) / (posed + size), (plain[1] * posed + high) / (posed + size)


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
        both = paired(tally, [(model, arm), (model, baseline)])
        held = both.tally
        (num, den), (num_b, den_b) = held.columns(model, arm), held.columns(model, baseline)
        result = compared(np.stack([num_b, num]), np.stack([den_b, den]), held, plan).between(0, 1).result
        yield estimate_of(
            quantity,
            model,
            arm,
            tally.labels,
            result,
            plan,
            baseline=baseline,
            n=held.scored(model, arm) + held.scored(model, baseline),
            clusters=held.n_clusters,
            covers=tally.covers,
            detectable=detectable(result),
            note=both.words,
        )


def compared(num: Floats, den: Floats, tally: Tally, plan: Plan) -> Paired:
    """Return rates and their differences on a tally's cases; undefined where there is no case.

    Args:
        num, den: shape (sides, rows). tally: of the rows. plan: how intervals are made.
    """
    if num.shape[1]:
        return compared_rates(num, den, **tally.resampling, **plan.draws)
    return compared_rates(np.zeros((len(num), 1)), np.zeros((len(num), 1)), **plan.draws)


def model_differences(tally: Tally, quantity: Quantity, plan: Plan, *, arm: str) -> Iterator[Estimate]:
    """Yield all paired differences between models in one arm, Holm-corrected in a named family.

    Args:
        tally: the cells; quantity: the words of the rate; plan: how intervals are made; arm: where to compare.
    """
    for models, only in families([m for m in tally.models if tally.has(m, arm)], plan):
        both = paired(tally, [(m, arm) for m in models if tally.answered(m, arm).any()])
        held = both.tally
        num, den = (np.stack(c) for c in zip(*(held.columns(m, arm) for m in models), strict=True))
        shared: dict[str, Any] = {
            "arm": arm,
            "labels": tally.labels,
            "n": [held.scored(model, arm) for model in models],
            "clusters": held.n_clusters,
            "covers": tally.covers,
            "note": both.words,
            "only_simulated": only,
        }
        made = compared(num, den, held, plan)
        yield from differences(made, models, quantity, plan, **shared)
        size = family_size(models, plan, only_simulated=only)
        if size > 1:
            wide = replace(plan, level=1 - (1 - plan.level) / size)
            together = compared(num, den, held, wide)
            yield from differences(together, models, quantity, wide, stratum=SIMULTANEOUS, **shared)


def families(models: Sequence[str], plan: Plan) -> Iterator[tuple[list[str], bool]]:
    """Yield the models that are paired together: the real ones alone, then all for the pairs with a simulated one.

    Args:
        models: that were asked. plan: says which are simulated.

    What a simulated model failed to answer takes no case from the real ones.
    """
    real = [model for model in models if model not in plan.simulated]
    if len(real) > 1:
        yield real, False
    if len(models) > 1 and len(real) < len(models):
        yield list(models), True


def family_size(models: Sequence[str], plan: Plan, *, only_simulated: bool) -> int:
    """Return over how many pairs intervals hold together: those shown, so that simulated models cost the real ones nothing.

    Args:
        models: that are paired. plan: says which are simulated. only_simulated: pairs of real models are left out.
    """
    real = sum(model not in plan.simulated for model in models)
    pairs = len(models) * (len(models) - 1) // 2
    return pairs - real * (real - 1) // 2 if only_simulated else pairs


def differences(
    made: Paired,
    models: Sequence[str],
    quantity: Quantity,
    plan: Plan,
    *,
    arm: str,
    labels: str,
    n: Sequence[float],
    clusters: int,
    covers: str,
    only_simulated: bool = False,
    **fields: Any,
) -> Iterator[Estimate]:
    """Yield the differences of paired results as estimates with `versus`, p and Holm's p.

    Args:
        made: of `percuss.stats`, in the order of `models`.
        plan: how intervals are made.
        arm: where the models are compared.
        labels: source of the labels.
        clusters: units resampled.
        covers: what the intervals account for.
        fields: further fields of `Estimate`.
        quantity: the words of the quantity compared; n: units scored by model; the rest as in `Estimate`.
        only_simulated: leave the pairs of real models out (see `families`).
    """
    words = quantity.as_difference()
    fakes = {at for at, model in enumerate(models) if model in plan.simulated}
    simulated = [not fakes.isdisjoint((d.first, d.second)) for d in made.differences]
    for pair, fake, p_holm in zip(made.differences, simulated, _holm(made, simulated), strict=True):
        if only_simulated and not fake:
            continue
        first, second, size = models[pair.first], models[pair.second], simulated.count(fake)
        result = pair.result
        if result.value is None:
            result = replace(result, undefined=f"{quantity.label} is undefined for one of the two")
        named = f"{words.name} · {arm} · {labels} · {size} pairs{' with simulated models' if fake else ''}"
        yield estimate_of(
            words, first, arm, labels, result, plan, versus=second, p_adjusted=p_holm, family=named,
            n=round(n[pair.first] + n[pair.second]), clusters=clusters, covers=covers,
            detectable=detectable(result, size), simulated=fake, **fields,
        )  # fmt: skip


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
