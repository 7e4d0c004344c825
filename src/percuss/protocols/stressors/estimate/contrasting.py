"""Paired differences between arms: against baseline, against the arm that has the metric, against the placebo, and by dose."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from percuss.core.records import Estimate
from percuss.measure.pairing import paired
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import detectable
from percuss.measure.tally import Tally
from percuss.protocols.stressors.estimate.effects import with_holm
from percuss.protocols.stressors.estimate.names import BASELINED, METRICS, exists, parts
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, PLACEBOS
from percuss.stats.shifts import mean_shift, paired_shift

__all__ = ["DOSE_LADDERS", "contrasts", "doses"]

Floats = NDArray[np.float64]
REFERENCES: Mapping[str, tuple[str, ...]] = {
    "gdr": ("omission", "delay"), "ir": ("omission", "delay"), "pcr": ("omission", "delay"),
    "cdr": ("contradiction",), "cir": ("contradiction",), "cihsr": ("contradiction",), "cihgr": ("contradiction",),
    "rur": ("contradiction", "delay"), "smr": ("delay",),
}  # fmt: skip
"""Where baseline has no denominator: the arms that adding another stressor is held against."""
DOSE_LADDERS: Mapping[str, tuple[tuple[str, float], ...]] = {
    "omission": (("baseline", 0), ("omission", 1), ("omission:units=2", 2), ("omission:units=3", 3)),
    "contradiction": (("baseline", 0), ("contradiction", 1), ("contradiction:lines=2", 2)),
    "delay": (("baseline", 0), ("delay:turn=2", 1), ("delay", 2), ("delay:turn=4", 3)),
}


def contrasts(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield `<metric>_delta` (arm minus reference) and `<metric>_beyond_placebo` (stressor minus its placebo).

    Args:
        held: the cells. plan: the draws.
    """
    deltas: list[Estimate] = []
    placebos: list[Estimate] = []
    for metric in METRICS:
        q = metric.quantity
        for (cells, _), tally in held.items():
            if cells != q.name:
                continue
            for arm in (*FACTORIAL, *PLACEBOS):
                for reference in _references(q.name, arm):
                    if exists(metric, arm):
                        deltas += _difference(tally, _words(q, "delta"), plan, arm, reference)
            for placebo in PLACEBOS:
                stressor = placebo.removeprefix("placebo_")
                if exists(metric, placebo):
                    placebos += _difference(tally, _words(q, "beyond_placebo"), plan, stressor, placebo)
    yield from with_holm(deltas, "differences between arms · all arms and metrics")
    yield from with_holm(placebos, "stressor beyond placebo · all stressors and metrics")


def _words(q: Quantity, what: str) -> Quantity:
    said = "change in" if what == "delta" else "change beyond the placebo in"
    return Quantity(
        f"{q.name}_{what}",
        f"{said} {q.label}",
        f"By how many points does it differ: {q.question}",
        "neither",
        "points",
        q.name,
    )


def _references(name: str, arm: str) -> Iterator[str]:
    if name in BASELINED or name in {"cfa", "gfa", "dhdr_anchored", "cho_contra"}:
        if arm != "baseline":
            yield "baseline"
        return
    for reference in REFERENCES.get(name, ()):
        if parts(reference) < parts(arm):
            yield reference


def _values(tally: Tally, model: str, arm: str) -> tuple[Floats, NDArray[np.bool_]]:
    num, den = tally.columns(model, arm)
    return np.divide(num, den, out=np.zeros_like(num), where=den > 0), den > 0


def _difference(tally: Tally, words: Quantity, plan: Plan, arm: str, reference: str) -> Iterator[Estimate]:
    for model in tally.models:
        if not (tally.has(model, arm) and tally.has(model, reference)):
            continue
        both = paired(tally, [(model, arm), (model, reference)])
        held = both.tally
        (y, _), (x, _) = _values(held, model, arm), _values(held, model, reference)
        clusters = np.array(held.cluster)
        result = paired_shift(y, x, clusters=clusters, seed=plan.seed, B=plan.B, level=plan.level)
        yield estimate_of(
            words, model, arm, tally.labels, result, plan, baseline=reference, n=len(held.rows),
            clusters=held.n_clusters, covers=tally.covers, detectable=detectable(result), note=both.words,
        )  # fmt: skip


def doses(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield `<metric>_dose`: least-squares slope within a case over the steps of a stressor's ladder.

    Args:
        held: the cells; ladders without their arms are left out. plan: the draws.
    """
    found: list[Estimate] = []
    for metric in METRICS:
        q = metric.quantity
        words = Quantity(f"{q.name}_dose", f"change per step in {q.label}", f"How much does one more step change: {q.question}", "neither", "points", q.name)  # fmt: skip
        for (cells, _), tally in held.items():
            if cells != q.name:
                continue
            for stressor, ladder in DOSE_LADDERS.items():
                steps = [(arm, step) for arm, step in ladder if exists(metric, arm)]
                extra = [arm for arm, _ in steps if ":" in arm] if len(steps) > 1 else []
                climbed = [m for m in tally.models if any(tally.has(m, arm) for arm in extra)]
                found += [_slope(tally, words, plan, m, stressor, steps) for m in climbed]
    yield from with_holm(found, "dose · all ladders and metrics")


def _slope(
    tally: Tally, words: Quantity, plan: Plan, model: str, stressor: str, steps: Sequence[tuple[str, float]]
) -> Estimate:
    held = [(step, *_values(tally, model, arm)) for arm, step in steps if tally.has(model, arm)]
    x = np.array([step for step, _, _ in held])
    y = np.stack([values for _, values, _ in held], axis=1)
    seen = np.stack([there for _, _, there in held], axis=1).all(axis=1)
    centred = x - x.mean()
    slopes = (y[seen] @ centred) / float(centred @ centred) if len(x) > 1 else np.zeros(0)
    clusters = np.array(tally.cluster)[seen] if len(x) > 1 else np.array([], dtype=np.str_)
    result = mean_shift(slopes, clusters=clusters, seed=plan.seed, B=plan.B, level=plan.level)
    note = f"{int(seen.sum())} cases with all {len(x)} steps"
    return estimate_of(
        words, model, f"dose:{stressor}", tally.labels, result, plan, n=int(seen.sum()), covers=tally.covers, note=note,
        clusters=len(set(np.array(tally.cluster)[seen])),
    )  # fmt: skip
