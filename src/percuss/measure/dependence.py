"""The hallucination dependence index from cells of unsupported claims: per model and depth, and between models."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.pairing import paired
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import SIMULTANEOUS, arm_bounds, differences, families, family_size
from percuss.measure.tally import Floats, Tally
from percuss.stats.bootstrap import Paired
from percuss.stats.contrasts import compared_hdis
from percuss.stats.policy import hdi_macro

__all__ = ["ALL", "MACRO", "POOLED", "hdi_bounds", "hdis", "model_hdi_differences"]

POOLED = Quantity(
    "hdi_pooled",
    "HDI, pooled over claims",
    "What share of the claims that are unsupported without evidence does the evidence take away?",
    "neither",
    "ratio",
)
ALL = Quantity(
    "hdi_all",
    "HDI, all answers",
    "The same over every answer, also those whose twin in the other arm is missing: how far does that move it?",
    "neither",
    "ratio",
)
MACRO = Quantity(
    "hdi_macro",
    "HDI, mean over cases",
    "Averaged over the cases where it is defined, what share of unsupported claims does the evidence take away?",
    "neither",
    "ratio",
)


NO_PAIR = "no case was answered and scored in both arms"


def hdi_bounds(
    grounded: tuple[float, float, float], ungrounded: tuple[float, float, float]
) -> tuple[float, float] | None:
    """Return the worst cases of HDI over exclusions; None where one of them is undefined.

    Args:
        grounded, ungrounded: unsupported, scored and excluded claims of the arm.

    >>> hdi_bounds((1, 100, 0), (50, 100, 0))
    (0.98, 0.98)
    """
    (u_g, n_g, e_g), (u_b, n_b, e_b) = grounded, ungrounded
    if n_g + e_g <= 0 or u_b <= 0:
        return None
    low = 1 - ((u_g + e_g) / (n_g + e_g)) / (u_b / (n_b + e_b))
    high = 1 - (u_g / (n_g + e_g)) / ((u_b + e_b) / (n_b + e_b))
    return low, high


def hdis(unsupported: Tally, plan: Plan, *, arm: str, baseline: str) -> Iterator[Estimate]:
    """Yield HDI of every model that was asked with and without evidence: pooled and macro on complete pairs, and of all.

    Args:
        unsupported: cells of unsupported claims over scored claims.
        plan: how intervals are made.
        arm, baseline: the arms with and without evidence.

    A case enters if both of its answers are done and checked; `hdi_all` takes every answer, paired or not.
    """
    for model in unsupported.models:
        if not (unsupported.has(model, arm) and unsupported.has(model, baseline)):
            continue
        both = paired(unsupported, [(model, arm), (model, baseline)])
        held = both.tally
        left_g, left_b = unsupported.left_out(model, arm), unsupported.left_out(model, baseline)
        shared: dict[str, Any] = {
            "baseline": baseline,
            "covers": unsupported.covers,
            "excluded": {r: left_g.get(r, 0) + left_b.get(r, 0) for r in sorted({*left_g, *left_b})},
        }
        labels = unsupported.labels
        bounds = _bounds(unsupported, model, arm, baseline)
        sizes: dict[str, Any] = {
            "n": held.scored(model, arm) + held.scored(model, baseline),
            "clusters": held.n_clusters,
            "note": both.words,
        }
        pooled = _compared([model], held, plan, arm, baseline).arms[0]
        whole = _compared([model], unsupported, plan, arm, baseline).arms[0]
        if not held.rows:
            pooled = replace(pooled, undefined=whole.undefined if whole.value is None else NO_PAIR)
        yield estimate_of(POOLED, model, arm, labels, pooled, plan, bounds=bounds, **sizes, **shared)
        sizes = {
            "n": unsupported.scored(model, arm) + unsupported.scored(model, baseline),
            "clusters": unsupported.n_clusters,
        }
        yield estimate_of(ALL, model, arm, labels, whole, plan, bounds=bounds, **sizes, **shared)
        yield _macro(held, model, arm, baseline, plan, shared)


def _macro(held: Tally, model: str, arm: str, baseline: str, plan: Plan, shared: dict[str, Any]) -> Estimate:
    if held.rows:
        macro = hdi_macro(_counts(held, model, arm, baseline), **held.resampling, **plan.draws)
    else:
        macro = hdi_macro((np.zeros(1),) * 4, **plan.draws)
    note = f"undefined in {macro.n_undefined if held.rows else 0} of {held.n_clusters} cases"
    return estimate_of(MACRO, model, arm, held.labels, macro, plan, clusters=macro.n, note=note, **shared)


def _compared(models: Sequence[str], held: Tally, plan: Plan, arm: str, baseline: str) -> Paired:
    """HDI of models and their differences on a tally's cases; undefined where there is no case."""
    if held.rows:
        counts = [_counts(held, model, arm, baseline) for model in models]
        return compared_hdis(counts, **held.resampling, **plan.draws)
    return compared_hdis([(np.zeros(1),) * 4 for _ in models], **plan.draws)


def _bounds(tally: Tally, model: str, arm: str, baseline: str) -> tuple[float, float] | None:
    """Worst cases of HDI over what was left out and over missing answers: those of the rates, the one against the other."""
    grounded, bare = arm_bounds(tally, model, arm), arm_bounds(tally, model, baseline)
    if grounded is None or bare is None or bare[0] <= 0:
        return None
    return 1 - grounded[1] / bare[0], 1 - grounded[0] / bare[1]


def model_hdi_differences(unsupported: Tally, plan: Plan, *, arm: str, baseline: str) -> Iterator[Estimate]:
    """Yield all paired differences of pooled HDI between models, Holm-corrected (papers/0, Table 8).

    Args:
        unsupported, plan, arm, baseline: as in `hdis`.

    Models are compared on the cases that all of them answered in both arms.
    """
    asked = [m for m in unsupported.models if unsupported.has(m, arm) and unsupported.has(m, baseline)]
    for models, only in families(asked, plan):
        sides = [(m, at) for m in models for at in (arm, baseline) if unsupported.answered(m, at).any()]
        both = paired(unsupported, sides)
        held = both.tally
        shared: dict[str, Any] = {
            "arm": arm,
            "labels": unsupported.labels,
            "n": [held.scored(m, arm) + held.scored(m, baseline) for m in models],
            "clusters": held.n_clusters,
            "covers": unsupported.covers,
            "baseline": baseline,
            "note": both.words,
            "only_simulated": only,
        }
        made = _compared(models, held, plan, arm, baseline)
        yield from differences(made, models, POOLED, plan, **shared)
        size = family_size(models, plan, only_simulated=only)
        if size > 1:
            wide = replace(plan, level=1 - (1 - plan.level) / size)
            together = _compared(models, held, wide, arm, baseline)
            yield from differences(together, models, POOLED, wide, stratum=SIMULTANEOUS, **shared)


def _counts(tally: Tally, model: str, arm: str, baseline: str) -> tuple[Floats, Floats, Floats, Floats]:
    return (*tally.columns(model, arm), *tally.columns(model, baseline))
