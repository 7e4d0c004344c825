"""Patterns and modes as estimates: the value is the share of bootstrap draws that show it, the word stands in `note`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.estimate.pattern import (
    CANT_TELL,
    NOT_MEASURED,
    Floats,
    Reading,
    mode,
    mode_paper,
    pattern,
    patterns,
)
from percuss.stats.bootstrap import bootstrap_draws

__all__ = ["pattern_estimates", "reading_of"]

OVERLAP = "overlap_80"


def reading_of(found: Sequence[Estimate], model: str, arm: str, labels: str) -> Reading:
    """Return the numbers that decide a model's pattern.

    Args:
        found: estimates of the scoring. model: whose. arm: the arm with all the evidence. labels: the label source.
    """

    def get(name: str, where: str, source: str | None) -> Estimate | None:
        for e in found:
            if (e.name, e.model, e.arm, e.stratum) == (name, model, where, None) and source in {
                None,
                e.labels,
            }:
                return e
        return None

    hdi = get("hdi_pooled", arm, labels)
    without = get("unsupported_rate", BASELINE, labels)
    abstention = get("abstention", BASELINE, None)
    overlap = get(OVERLAP, arm, None)
    return Reading(
        hdi=None if hdi is None else hdi.value,
        low=None if hdi is None else hdi.low,
        high=None if hdi is None else hdi.high,
        without=None if without is None else without.value,
        abstention=None if abstention is None else abstention.value,
        overlap=None if overlap is None else overlap.value,
        undefined="one of the arms was not asked" if hdi is None else hdi.undefined or "",
    )


def pattern_estimates(
    held: Mapping[tuple[str, str], Tally], found: Sequence[Estimate], plan: Plan, labels: str, arm: str
) -> Iterator[Estimate]:
    """Yield `pattern`, `pattern_probability`, `mode` and `mode_paper` of every model.

    Args:
        held: the cells. found: estimates made of them. plan: the draws. labels: the headline's source. arm: grounded.
    """
    unsupported = held.get(("unsupported_rate", labels))
    if unsupported is None:
        return
    for model in unsupported.models:
        r = reading_of(found, model, arm, labels)
        shares = _probabilities(held, unsupported, plan, model, arm, r)
        shared: dict[str, Any] = {
            "model": model,
            "arm": arm,
            "labels": labels,
            "scoring": plan.scoring,
            "baseline": BASELINE,
            "simulated": model in plan.simulated,
            "clusters": unsupported.n_clusters,
        }
        yield _pattern(r, shares, plan, shared)
        yield _mode("mode", "mode", mode(r), r, shared)
        yield _mode("mode_paper", "mode, as the paper has it", mode_paper(r), r, shared)
        for other, share in shares.items():
            yield Estimate(
                name="pattern_probability",
                stratum=other,
                label=f"probability of: {other}",
                question="In what share of resamples do the numbers show this pattern?",
                value=share,
                method=f"cluster bootstrap, B = {plan.B}",
                seed=plan.seed,
                **shared,
            )


def _pattern(r: Reading, shares: Mapping[str, float], plan: Plan, shared: dict[str, Any]) -> Estimate:
    word = pattern(r)
    share = shares.get(word)
    return Estimate(
        name="pattern",
        label="pattern",
        question="What do the numbers say together, and in what share of resamples do they say it?",
        value=share,
        undefined=None if share is not None else r.undefined,
        method=f"cluster bootstrap, B = {plan.B}",
        seed=plan.seed,
        note=f"{word}: {r.undefined}" if word == CANT_TELL and r.undefined else word,
        **shared,
    )


def _mode(name: str, label: str, word: str, r: Reading, shared: dict[str, Any]) -> Estimate:
    """A mode in `note`; the value is the HDI that it was read from."""
    reason = None
    if word.startswith("undefined"):
        reason = (
            NOT_MEASURED if NOT_MEASURED in word else r.undefined or "no unsupported claim without evidence"
        )
    return Estimate(
        name=name,
        label=label,
        question="Which of the paper's failure modes do the thresholds name?",
        unit="ratio",
        value=None if reason else r.hdi,
        undefined=reason,
        method="thresholds of papers/0 section 6.1",
        note=word,
        **shared,
    )


def _probabilities(
    held: Mapping[tuple[str, str], Tally], unsupported: Tally, plan: Plan, model: str, arm: str, r: Reading
) -> dict[str, float]:
    """Draw patients once for all ingredients of the pattern."""
    if not (unsupported.has(model, arm) and unsupported.has(model, BASELINE)):
        return {}
    columns = [*unsupported.columns(model, arm), *unsupported.columns(model, BASELINE)]
    abstention = _aligned(held, "abstention", model, BASELINE, unsupported)
    overlap = _aligned(held, OVERLAP, model, arm, unsupported)
    for extra in (abstention, overlap):
        columns.extend(extra if extra is not None else (np.zeros(len(unsupported.rows)),) * 2)
    draws = bootstrap_draws(
        lambda sums: sums[..., 0], [column[:, None] for column in columns], seed=plan.seed, B=plan.B,
        **unsupported.resampling,
    )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        without = draws[:, 2] / draws[:, 3]
        hdi = np.where((without > 0) & (draws[:, 1] > 0), 1 - draws[:, 0] / draws[:, 1] / without, np.nan)
        held_back = None if abstention is None else draws[:, 4] / draws[:, 5]
        overlapping = None if overlap is None else draws[:, 6] / draws[:, 7]
    spans = r.low is not None and r.high is not None and r.low <= 0 <= r.high
    return patterns(hdi, np.nan_to_num(without), held_back, overlapping, spans_zero=spans)


def _aligned(
    held: Mapping[tuple[str, str], Tally], name: str, model: str, arm: str, onto: Tally
) -> tuple[Floats, Floats] | None:
    """Return a tally's columns in the rows of another; None where the number was not measured."""
    tally = next((t for (n, _), t in held.items() if n == name and t.has(model, arm)), None)
    if tally is None:
        return None
    num, den = tally.columns(model, arm)
    at = {row: i for i, row in enumerate(tally.rows)}
    take = [at.get(row) for row in onto.rows]
    return (
        np.array([0.0 if i is None else num[i] for i in take]),
        np.array([0.0 if i is None else den[i] for i in take]),
    )
