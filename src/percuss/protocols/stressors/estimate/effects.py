"""Factorial effects of the stressors: main effects and interactions per metric, with sign-flip tests and Holm (section 8).

E_k = (1/4) sum over the 8 arms of s_k(arm) y(arm): a main effect is the difference of two means of four arms.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import detectable
from percuss.measure.tally import Tally
from percuss.protocols.stressors.estimate.names import BASELINED, METRICS, parts
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL
from percuss.stats.multiplicity import holm
from percuss.stats.policy import of_sums
from percuss.stats.result import Result, missing
from percuss.stats.shifts import DIGITS, mean_shift

__all__ = ["STRESSORS", "contrasts", "effects", "with_holm"]

Floats = NDArray[np.float64]
STRESSORS = ("omission", "contradiction", "delay")
FULL = (*BASELINED, "cfa", "gfa")
HALVES: Mapping[str, str] = {"cdr": "contradiction", "cir": "contradiction", "smr": "delay"}
"""Metrics that exist only with one stressor on: the 2 x 2 of the two others within it."""
SINGULAR = 1e10
"""Condition number from which a resample does not tell the effects apart."""


def contrasts(factors: Sequence[str], arms: Sequence[str]) -> dict[str, Floats]:
    """Return the code of every effect over the arms: products of +1 (on) and -1 (off).

    Args:
        factors: stressors that vary. arms: in the order of the codes.
    """
    codes = {f: np.array([1.0 if f in parts(arm) else -1.0 for arm in arms]) for f in factors}
    out: dict[str, Floats] = {}
    for size in range(1, len(factors) + 1):
        for chosen in combinations(factors, size):
            out["*".join(chosen)] = np.prod([codes[f] for f in chosen], axis=0)
    return out


def effects(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield the effects of every metric that has them, Holm-corrected over effects and metrics within a model and source.

    Args:
        held: the cells. plan: the draws.
    """
    found: list[Estimate] = []
    for metric in METRICS:
        name = metric.quantity.name
        half = HALVES.get(name)
        if name not in FULL and half is None:
            continue
        arms = tuple(a for a in FACTORIAL if half is None or half in parts(a))
        factors = tuple(f for f in STRESSORS if f != half)
        for (cells, _), tally in held.items():
            if cells == name:
                found += _of_tally(tally, metric.quantity, plan, arms, factors)
    yield from with_holm(found, "stressor effects · all effects and metrics")


def _of_tally(
    tally: Tally, quantity: Quantity, plan: Plan, arms: Sequence[str], factors: Sequence[str]
) -> Iterator[Estimate]:
    words = Quantity(
        f"{quantity.name}_effect",
        f"effect on {quantity.label}",
        f"By how many points does switching it on change this: {quantity.question}",
        "neither",
        "points",
        quantity.source,
    )
    codes = contrasts(factors, arms)
    for model in tally.models:
        if not all(tally.has(model, arm) for arm in arms):
            continue
        values, there = _cells(tally, model, arms)
        complete, usable = np.atleast_1d(there.all(axis=1)), np.atleast_1d(there.any(axis=1))
        for effect, code in codes.items():
            result = _effect(tally, values, there, code, list(codes.values()), plan)
            yield estimate_of(
                words, model, f"effect:{effect}", tally.labels, result, plan,
                n=int(complete.sum()), clusters=len({c for c, u in zip(tally.cluster, usable, strict=True) if u}),
                covers=tally.covers, detectable=detectable(result, len(codes)),
                note=f"{int(complete.sum())} of {int(usable.sum())} cases have all {len(arms)} arms",
            )  # fmt: skip


def _cells(tally: Tally, model: str, arms: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
    columns = [tally.columns(model, arm) for arm in arms]
    den = np.stack([d for _, d in columns], axis=1)
    num = np.stack([n for n, _ in columns], axis=1)
    return np.divide(num, den, out=np.zeros_like(num), where=den > 0), den > 0


def _effect(
    tally: Tally, values: Floats, there: NDArray[np.bool_], code: Floats, codes: Sequence[Floats], plan: Plan
) -> Result:
    """Per-case contrasts where every case is complete; else least squares with case intercepts on the cells present."""
    complete, usable = there.all(axis=1), there.any(axis=1)
    if not usable.any():
        return missing("no case has this metric in any arm", level=plan.level, method="sign-flip test", n=0)
    clusters = np.array(tally.cluster)
    if complete.sum() == usable.sum():
        each = (values[complete] * code).sum(axis=1) * 2 / len(code)
        return _flipped(each, clusters[complete], plan)
    at = next(place for place, other in enumerate(codes) if other is code)
    return _least_squares(values[usable], there[usable], np.stack(codes, axis=1), at, clusters[usable], plan)


def _flipped(each: Floats, clusters: NDArray[Any], plan: Plan) -> Result:
    return mean_shift(each, seed=plan.seed, clusters=clusters, B=plan.B, level=plan.level)


def _least_squares(
    values: Floats, there: NDArray[np.bool_], design: Floats, at: int, clusters: NDArray[Any], plan: Plan
) -> Result:
    """Effect by least squares: interval of the policy over cases, p by flipping the signs of the cases' scores.

    Centring within the case takes its intercept away, and X'X and X'y then add over cases, so cases can be resampled.
    """
    x, y = _centred(values, there, design)
    k = design.shape[1]
    gram = np.einsum("cai,caj->cij", x, x)
    columns = np.hstack([gram.reshape(len(y), k * k), np.einsum("cai,ca->ci", x, y)])

    def statistic(sums: Floats) -> Floats:
        gram = sums[..., : k * k].reshape(*sums.shape[:-1], k, k)
        sound = np.linalg.cond(gram) < SINGULAR
        safe = np.where(sound[..., None, None], gram, np.eye(k))
        beta = np.linalg.solve(safe, sums[..., k * k :, None])[..., at, 0]
        return np.where(sound, np.round(2 * beta, DIGITS), np.nan)

    result = of_sums(statistic, columns, clusters=clusters, **plan.draws)
    if result.value is None:
        return result
    p = _flipped(_scores(x, y, at), clusters, plan).p
    method = f"least squares with case intercepts, {result.method}, p by sign-flipped scores"
    return dataclasses.replace(result, p=p, method=method)


def _centred(values: Floats, there: NDArray[np.bool_], design: Floats) -> tuple[Floats, Floats]:
    """Return codes (cases, arms, effects) and values (cases, arms), centred within the case; 0 where a cell is absent."""
    on = there.astype(float)
    n = np.maximum(on.sum(axis=1), 1)
    x = (design[None] - (np.einsum("ca,ai->ci", on, design) / n[:, None])[:, None]) * on[..., None]
    y = (values - ((values * on).sum(axis=1) / n)[:, None]) * on
    return x, y


def _scores(x: Floats, y: Floats, at: int) -> Floats:
    """Return what each case adds to an effect, of residuals without it: their signs are exchangeable if there is none.

    Source: Hemerik, Goeman and Finos (2020), J R Stat Soc B 82:841 (effective scores).
    """
    flat, target = x.reshape(-1, x.shape[2]), y.ravel()
    others = np.delete(flat, at, axis=1)
    free = flat[:, at] - others @ np.linalg.lstsq(others, flat[:, at], rcond=None)[0]
    left = target - others @ np.linalg.lstsq(others, target, rcond=None)[0]
    scores: Floats = (free * left).reshape(y.shape).sum(axis=1)
    return scores


def with_holm(found: Sequence[Estimate], family: str) -> Iterator[Estimate]:
    """Yield estimates with Holm's p over those of one model and label source.

    Args:
        found: estimates with their own p, or none. family: what is corrected over, in words.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for at, e in enumerate(found):
        if e.p is not None:
            groups.setdefault((e.model, e.labels), []).append(at)
    adjusted: dict[int, float] = {}
    for held in groups.values():
        adjusted |= dict(zip(held, holm([p for at in held if (p := found[at].p) is not None]), strict=True))
    for at, e in enumerate(found):
        if at in adjusted:
            size = len(groups[e.model, e.labels])
            yield msgspec.structs.replace(e, p_adjusted=adjusted[at], family=f"{family} · {size} tests")
        else:
            yield e
