"""Rates, differences and HDI corrected for a labeller's errors: the machine on every item, people on a random part.

Prediction-powered (Angelopoulos et al. 2023): people's labels set the level, the machine's labels on all items make it
precise. Rogan and Gladen's correction, which takes the errors to be the same in every arm, stands beside it as a note.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.dependence import POOLED
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import detectable
from percuss.stats import Judged, Result, holm, ppi_difference, ppi_hdi, ppi_rate, rogan_gladen

__all__ = ["CORRECTED", "corrected", "unrolled"]

CORRECTED = "corrected"


def unrolled(rows: Sequence[tuple[str, int, int | None, int]]) -> Judged:
    """Return counts as one row an item.

    Args:
        rows: (cluster, machine's label 0 or 1, people's label 0 or 1 or None where nobody looked, how many items).
    """
    times = [count for *_, count in rows]
    human = [np.nan if said is None else float(said) for _, _, said, _ in rows]
    return Judged(
        judge=np.repeat([float(machine) for _, machine, _, _ in rows], times),
        human=np.repeat(np.array(human), times),
        clusters=np.repeat(np.array([cluster for cluster, *_ in rows]), times),
    )


def corrected(
    judged: Mapping[tuple[str, str], Judged],
    quantity: Quantity,
    plan: Plan,
    *,
    arm: str | None,
    baseline: str,
    delta: Quantity | None = None,
) -> Iterator[Estimate]:
    """Yield corrected rates of every model and arm, and of every model in `arm` its fall from `baseline` and its HDI.

    Args:
        judged: (model, arm) -> items; the part that people saw must be a random sample within each.
        quantity: words of the rate.
        plan: level and scoring; nothing is drawn.
        arm: with the evidence; None where no case was posed in it. baseline: without.
        delta: words of the fall; None leaves it out.

    Differences of models in `arm` follow, Holm-corrected in one family.
    """
    errors = _errors(judged.values())
    for (model, at), data in judged.items():
        result = ppi_rate(data, level=plan.level)
        beside = _rogan_gladen(data, errors, plan)
        yield estimate_of(quantity, model, at, CORRECTED, result, plan, note=beside, **_size(data))
    if arm is None:
        return
    models = [model for model, at in judged if at == arm]
    for model in models:
        grounded, bare = judged[model, arm], judged.get((model, baseline))
        if bare is None:
            continue
        if delta is not None:
            fall = ppi_difference(bare, grounded, level=plan.level)
            yield estimate_of(
                delta, model, arm, CORRECTED, fall, plan, baseline=baseline, **_size(bare, grounded)
            )
        index = ppi_hdi(grounded, bare, level=plan.level)
        yield estimate_of(
            POOLED, model, arm, CORRECTED, index, plan, baseline=baseline, **_size(grounded, bare)
        )
    yield from _model_differences({model: judged[model, arm] for model in models}, quantity, plan, arm)


def _model_differences(
    judged: Mapping[str, Judged], quantity: Quantity, plan: Plan, arm: str
) -> Iterator[Estimate]:
    words = quantity.as_difference()
    for simulated in (False, True):
        pairs = [
            (one, other)
            for one, other in combinations(judged, 2)
            if (not plan.simulated.isdisjoint((one, other))) == simulated
        ]
        found = [ppi_difference(judged[one], judged[other], level=plan.level) for one, other in pairs]
        adjusted = iter(holm([result.p for result in found if result.p is not None]))
        for (one, other), result in zip(pairs, found, strict=True):
            yield estimate_of(
                words,
                one,
                arm,
                CORRECTED,
                result,
                plan,
                versus=other,
                p_adjusted=None if result.p is None else next(adjusted),
                family=f"{words.name} · {arm} · {CORRECTED} · {len(pairs)} pairs{' with simulated models' if simulated else ''}",
                detectable=detectable(result, len(pairs)),
                simulated=simulated,
                **_size(judged[one], judged[other]),
            )


def _size(*data: Judged) -> dict[str, Any]:
    """Return n, clusters and what the interval covers, in words."""
    seen = sum(int((~np.isnan(np.asarray(one.human, dtype=np.float64))).sum()) for one in data)
    clusters = {
        name for one in data if one.clusters is not None for name in np.asarray(one.clusters).tolist()
    }
    return {
        "n": sum(len(np.asarray(one.judge)) for one in data),
        "clusters": len(clusters),
        "covers": f"sampling of cases and errors of the labeller ({seen:,} claims labelled by people)",
    }


def _errors(judged: Iterable[Judged]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (machine positive, people positive) and (machine negative, people negative) over all arms together."""
    counts = np.zeros(4, dtype=np.int64)
    for one in judged:
        machine, human = (np.asarray(x, dtype=np.float64) for x in (one.judge, one.human))
        for k, (m, h) in enumerate(((1, 1), (0, 1), (0, 0), (1, 0))):
            counts[k] += int(((machine == m) & (human == h)).sum())
    hit, missed, rejected, alarm = (int(count) for count in counts)
    return (hit, hit + missed), (rejected, rejected + alarm)


def _rogan_gladen(data: Judged, errors: tuple[tuple[int, int], tuple[int, int]], plan: Plan) -> str:
    machine = np.asarray(data.judge)
    if not len(machine):
        return ""
    found: Result = rogan_gladen(
        float(machine.sum()), len(machine), sensitivity=errors[0], specificity=errors[1], level=plan.level
    )
    if found.value is None or found.low is None or found.high is None:
        return f"Rogan-Gladen undefined: {found.undefined}"
    return f"Rogan-Gladen, errors pooled over arms: {found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
