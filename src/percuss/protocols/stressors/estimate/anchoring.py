"""The counterfactual life line: what striking an unsupported statement changes, beyond what striking a supported one does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import detectable, rates
from percuss.measure.tally import Tally
from percuss.protocols.stressors.estimate.names import REPLAY_CELLS
from percuss.protocols.stressors.replaying import REPLAYED, SHAM, STRIKE, arm_of_kind, base_of
from percuss.stats.result import missing
from percuss.stats.shifts import paired_shift

__all__ = ["FEWEST_DRAWS", "anchoring"]

FEWEST_DRAWS = 3
"""Replays of each kind below which nothing is said of a case's anchoring (definitions/stressors.md, version 2)."""
WORDS = {
    "replay_diagnosis": Quantity(
        "causal_anchoring",
        "anchoring of the diagnosis on unsupported statements",
        "How much more often does the final diagnosis change when an unsupported statement is struck than when a supported one is?",
        "lower",
        "points",
    ),
    "replay_evidence": Quantity(
        "causal_anchoring_evidence",
        "anchoring of the evidence on unsupported statements",
        "How much more of the final evidence is gone when an unsupported statement is struck than when a supported one is?",
        "lower",
        "points",
    ),
}
CHANGED = {
    "replay_diagnosis": Quantity("replay_diagnosis", "final diagnosis changes", "In what share of replays does the final diagnosis change?", "neither"),
    "replay_evidence": Quantity("replay_evidence", "final evidence that is gone", "What share of the final evidence is gone in a replay?", "neither"),
}  # fmt: skip


def anchoring(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield the two rates of change, and their difference per case over paired replays; nothing where none was replayed.

    Args:
        held: the cells. plan: the draws.
    """
    for (name, _), tally in held.items():
        if name not in REPLAY_CELLS:
            continue
        for base in sorted({base_of(arm) for _, arm in tally.num}):
            for kind in (arm_of_kind(kind, base) for kind in REPLAYED):
                own = [key for key in tally.num if key[1].partition(":")[0] == kind]
                yield from rates(_of(tally, own).over_arms(kind), CHANGED[name], plan)
            for model in tally.models:
                yield _difference(tally, model, base, WORDS[name], plan)


def _of(tally: Tally, keys: Sequence[tuple[str, str]]) -> Tally:
    return replace(
        tally, num={key: tally.num[key] for key in keys}, den={key: tally.den[key] for key in keys}
    )


def _difference(tally: Tally, model: str, base: str, words: Quantity, plan: Plan) -> Estimate:
    draws = sorted({arm.partition("=")[2] for own, arm in tally.num if own == model and base_of(arm) == base})
    shares, pairs = _paired(tally, model, base, draws)
    seen = pairs > 0
    x, y = (np.divide(side, pairs, out=np.zeros_like(side), where=seen)[seen] for side in shares)
    clusters = np.array(tally.cluster)[seen]
    if len(draws) < FEWEST_DRAWS:
        why = f"{len(draws)} replays of each kind; {FEWEST_DRAWS} or more were expected (--counterfactual {FEWEST_DRAWS})"
        result = missing(why, level=plan.level, method="sign-flip test", n=0)
    else:
        result = paired_shift(x, y, clusters=clusters, seed=plan.seed, B=plan.B, level=plan.level)
    note = f"{int(pairs.sum())} pairs of replays of {int(seen.sum())} cases"
    return estimate_of(
        words, model, arm_of_kind(STRIKE, base), tally.labels, result, plan, baseline=arm_of_kind(SHAM, base), n=int(seen.sum()), clusters=len(set(clusters)),
        covers=tally.covers, detectable=detectable(result), note=note,
    )  # fmt: skip


def _paired(
    tally: Tally, model: str, base: str, draws: Sequence[str]
) -> tuple[tuple[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]:
    """Return what changed per case under both strikes, and pairs of replays: a draw counts where both its replays do."""
    struck, sham, pairs = (np.zeros(len(tally.rows)) for _ in range(3))
    for draw in draws:
        (num, den), (num0, den0) = (
            tally.columns(model, f"{arm_of_kind(kind, base)}:draw={draw}") for kind in REPLAYED
        )
        both = (den > 0) & (den0 > 0)
        struck += np.divide(num, den, out=np.zeros_like(num), where=both)
        sham += np.divide(num0, den0, out=np.zeros_like(num0), where=both)
        pairs += both
    return (struck, sham), pairs
