"""The hallucination dependence index from cells of unsupported claims: per model and depth, and between models."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import SIMULTANEOUS, differences
from percuss.measure.tally import Floats, Tally
from percuss.stats.contrasts import compared_hdis
from percuss.stats.policy import hdi_macro

__all__ = ["MACRO", "POOLED", "hdi_bounds", "hdis", "model_hdi_differences"]

POOLED = Quantity(
    "hdi_pooled",
    "HDI, pooled over claims",
    "What share of the claims that are unsupported without evidence does the evidence take away?",
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
    """Yield pooled and macro HDI of every model that was asked with and without evidence.

    Args:
        unsupported: cells of unsupported claims over scored claims.
        plan: how intervals are made.
        arm, baseline: the arms with and without evidence.
    """
    for model in unsupported.models:
        if not (unsupported.has(model, arm) and unsupported.has(model, baseline)):
            continue
        counts = _counts(unsupported, model, arm, baseline)
        pooled = compared_hdis([counts], **unsupported.resampling, **plan.draws).arms[0]
        left_g, left_b = unsupported.left_out(model, arm), unsupported.left_out(model, baseline)
        totals = [float(column.sum()) for column in counts]
        shared = {
            "baseline": baseline,
            "covers": unsupported.covers,
            "excluded": {r: left_g.get(r, 0) + left_b.get(r, 0) for r in sorted({*left_g, *left_b})},
        }
        yield estimate_of(
            POOLED,
            model,
            arm,
            unsupported.labels,
            pooled,
            plan,
            n=unsupported.scored(model, arm) + unsupported.scored(model, baseline),
            clusters=unsupported.n_clusters,
            bounds=hdi_bounds(
                (totals[0], totals[1], unsupported.raw[model, arm].left),
                (totals[2], totals[3], unsupported.raw[model, baseline].left),
            ),
            **shared,
        )
        macro = hdi_macro(counts, **unsupported.resampling, **plan.draws)
        undefined = f"undefined in {macro.n_undefined} of {unsupported.n_clusters} cases"
        yield estimate_of(
            MACRO, model, arm, unsupported.labels, macro, plan, clusters=macro.n, note=undefined, **shared
        )


def model_hdi_differences(unsupported: Tally, plan: Plan, *, arm: str, baseline: str) -> Iterator[Estimate]:
    """Yield all paired differences of pooled HDI between models, Holm-corrected (papers/0, Table 8).

    Args:
        unsupported, plan, arm, baseline: as in `hdis`.
    """
    models = [m for m in unsupported.models if unsupported.has(m, arm) and unsupported.has(m, baseline)]
    if len(models) < 2:
        return
    counts = [_counts(unsupported, model, arm, baseline) for model in models]
    paired = compared_hdis(counts, **unsupported.resampling, **plan.draws)
    shared: dict[str, Any] = {
        "arm": arm,
        "labels": unsupported.labels,
        "n": [unsupported.scored(m, arm) + unsupported.scored(m, baseline) for m in models],
        "clusters": unsupported.n_clusters,
        "covers": unsupported.covers,
        "baseline": baseline,
    }
    yield from differences(paired, models, POOLED, plan, **shared)
    if len(paired.differences) > 1:
        wide = replace(plan, level=1 - (1 - plan.level) / len(paired.differences))
        together = compared_hdis(counts, **unsupported.resampling, **wide.draws)
        yield from differences(together, models, POOLED, wide, stratum=SIMULTANEOUS, **shared)


def _counts(tally: Tally, model: str, arm: str, baseline: str) -> tuple[Floats, Floats, Floats, Floats]:
    return (*tally.columns(model, arm), *tally.columns(model, baseline))
