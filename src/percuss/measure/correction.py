"""Rates, differences and HDI corrected for a labeller's errors: the machine on every item, people on a random part.

Prediction-powered (Angelopoulos et al. 2023): people's labels set the level, the machine's labels on all items make it
precise. Rogan and Gladen's correction by the errors of the same arm stands beside it as a note.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core.records import Estimate
from percuss.measure.dependence import POOLED
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import detectable
from percuss.measure.tally import Floats, Tally
from percuss.stats import Judged, holm, ppi_difference, ppi_hdi, ppi_rate, rogan_gladen
from percuss.stats.clustered import effective_trials
from percuss.stats.intervals import mover_difference, p_of_interval
from percuss.stats.resampling import rows
from percuss.stats.result import Result

__all__ = ["CORRECTED", "beside", "corrected", "unrolled"]

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


def beside(machine: Tally, people: Tally) -> dict[tuple[str, str], Judged]:
    """Return, for each model and arm, the machine's score of every case and people's where they looked.

    Args:
        machine, people: cells of one number from both sources. Cases that people saw must be a random part of each arm.
    """
    out: dict[tuple[str, str], Judged] = {}
    seen = {row: at for at, row in enumerate(people.rows)}
    for model, arm in machine.num:
        num, den = machine.columns(model, arm)
        said, looked = people.columns(model, arm)
        places = [(at, seen.get(row)) for at, row in enumerate(machine.rows) if den[at] > 0]
        human = [
            np.nan if there is None or looked[there] <= 0 else said[there] / looked[there]
            for _, there in places
        ]
        if not np.isnan(human).all():
            judge = [num[at] / den[at] for at, _ in places]
            out[model, arm] = Judged(judge, human, [machine.cluster[at] for at, _ in places])
    return out


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
    for (model, at), data in judged.items():
        result = ppi_rate(data, level=plan.level)
        beside = _rogan_gladen(data, plan)
        yield estimate_of(quantity, model, at, CORRECTED, result, plan, note=beside, **_size(data))
    if arm is None:
        return
    models = [model for model, at in judged if at == arm]
    indices: dict[str, Result] = {}
    for model in models:
        grounded, bare = judged[model, arm], judged.get((model, baseline))
        if bare is None:
            continue
        if delta is not None:
            fall = ppi_difference(bare, grounded, level=plan.level)
            yield estimate_of(
                delta, model, arm, CORRECTED, fall, plan, baseline=baseline, **_size(bare, grounded)
            )
        index = indices[model] = ppi_hdi(grounded, bare, level=plan.level)
        yield estimate_of(
            POOLED, model, arm, CORRECTED, index, plan, baseline=baseline, **_size(grounded, bare)
        )
    at_arm = {model: judged[model, arm] for model in models}
    yield from _model_differences(
        at_arm, quantity, plan, arm, lambda one, other: ppi_difference(at_arm[one], at_arm[other], level=plan.level)
    )  # fmt: skip
    held = {model: at_arm[model] for model in indices}
    yield from _model_differences(
        held, POOLED, plan, arm, lambda one, other: _between(indices[one], indices[other], held[one], held[other]), baseline=baseline
    )  # fmt: skip


def _between(one: Result, other: Result, *data: Judged) -> Result:
    """Return the difference of two corrected indices from their limits, as if independent: too wide where models err on the same cases."""
    gap = mover_difference(one, other)
    if gap.value is None or gap.low is None or gap.high is None:
        return gap
    labelled = min(_labelled_clusters(each) for each in data)
    return replace(
        gap, method=f"MOVER of {one.method}", p=p_of_interval(gap.value, gap.low, gap.high, gap.level, labelled - 1)
    )  # fmt: skip


def _labelled_clusters(data: Judged) -> int:
    seen = ~np.isnan(np.asarray(data.human, dtype=np.float64))
    clusters = np.arange(len(seen)) if data.clusters is None else np.asarray(data.clusters)
    return len(set(clusters[seen].tolist()))


def _model_differences(
    judged: Mapping[str, Judged],
    quantity: Quantity,
    plan: Plan,
    arm: str,
    between: Callable[[str, str], Result],
    **fields: Any,
) -> Iterator[Estimate]:
    words = quantity.as_difference()
    for simulated in (False, True):
        pairs = [
            (one, other)
            for one, other in combinations(judged, 2)
            if (not plan.simulated.isdisjoint((one, other))) == simulated
        ]
        found = [between(one, other) for one, other in pairs]
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
                **fields,
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


def _rogan_gladen(data: Judged, plan: Plan) -> str:
    """The correction by errors seen in this very arm, every count at what its clusters are worth."""
    machine, human = (np.asarray(x, dtype=np.float64) for x in (data.judge, data.human))
    if (
        not len(machine)
        or not np.isin(machine, (0, 1)).all()
        or not np.isin(human[~np.isnan(human)], (0, 1)).all()
    ):
        return ""  # scores have no sensitivity
    clusters = np.arange(len(machine)) if data.clusters is None else np.asarray(data.clusters)
    found = rogan_gladen(
        *_worth(machine, clusters, plan.level),
        sensitivity=_worth(machine[human == 1], clusters[human == 1], plan.level),
        specificity=_worth(1 - machine[human == 0], clusters[human == 0], plan.level),
        level=plan.level,
    )
    if found.value is None or found.low is None or found.high is None:
        return f"Rogan-Gladen undefined: {found.undefined}"
    return f"Rogan-Gladen, errors of this arm: {found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _worth(events: Floats, clusters: NDArray[Any], level: float) -> tuple[float, float]:
    """Return events and items, scaled down to the independent items that their clusters are worth."""
    if len(set(clusters.tolist())) < 2:
        return float(events.sum()), float(len(events))
    k, n = rows(np.column_stack([events, np.ones(len(events))]), clusters, None).sums.T
    worth = float(effective_trials(k, n, level))
    return float(events.mean()) * worth, worth
