"""The interval policy for what compares: differences of rates, HDI, and differences of HDI, on shared cases.

Many cases and events in every arm: cluster bootstrap (BCa) on shared draws. Fewer: MOVER of the arms' limits, with the
correlation of their errors over the shared cases. Too few: a value in words, without an interval. A p has no floor, so
that any number of pairs can differ: beyond the reach of the draws it is studentised.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays, bootstrap
from percuss.stats.clustered import (
    MIN_EVENTS,
    degrees_of_freedom,
    influence,
    limits_of,
    shared_correlation,
)
from percuss.stats.dependence import columns_of, index, undefined_because
from percuss.stats.intervals import mover_difference_limits, mover_ratio_limits, p_of_interval
from percuss.stats.policy import (
    MANY_CLUSTERS,
    MANY_EVENTS,
    Support,
    enough_draws,
    is_proportion,
    jackknifed,
    named,
    rate,
    support,
)
from percuss.stats.ratios import ratio
from percuss.stats.resampling import Grouping, Method, rows
from percuss.stats.result import Result, StatsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray
    from percuss.stats.bootstrap import Paired, Statistic
    from percuss.stats.dependence import Counts

#: Correlation of errors that few cases are believed, at most: of two arms inside an HDI, and of two sides of a difference
#: (docs/intervals.md).
MOST_WITHIN, MOST_BETWEEN = 0.5, 0.9
#: Draws past 0 from which on a bootstrap's p is read from them.
MIN_PAST = 10
#: Upper limit of u_g / u_b beyond which u_b is not told from 0: an HDI from -9 says nothing.
MOST_RATIO = 10
SAME = "every case gives the same on both sides"


@dataclass(frozen=True, slots=True, eq=False)
class _Arm:
    """One side: its result, limits for MOVER, what each cluster adds to its error, and what it rests on.

    `limits` are None where nothing can be combined. `df`: degrees of freedom of its variance.
    """

    result: Result
    limits: tuple[float, float] | None
    errors: FloatArray
    df: float
    reason: str
    many: bool


def p_of_draws(value: float, draws: FloatArray, jackknife: FloatArray) -> float:
    """Return the two-sided p of "no difference": BCa inverted at 0, studentised where fewer than 10 draws lie past 0.

    Parameters
    ----------
    value: the difference. draws: shape (B,), finite. jackknife: leave-one-cluster-out values, shape (n_clusters,).
    """
    past = float(min((draws <= 0).sum(), (draws >= 0).sum()))
    if past < MIN_PAST:
        error = float(
            (((jackknife - jackknife.mean()) ** 2).sum() * (len(jackknife) - 1) / len(jackknife)) ** 0.5
        )
        p = float(2 * special.stdtr(len(jackknife) - 1, -abs(value) / error)) if error > 0 else 1.0
        return min(p, 2 * MIN_PAST / len(draws))
    z0, a = bootstrap.bias_and_acceleration(value, draws, jackknife)
    w = float(special.ndtri((np.mean(draws < 0) + np.mean(draws <= 0)) / 2)) - z0
    z = w / (1 + a * w) - z0 if 1 + a * w > 0 else np.sign(w) * np.inf
    return float(min(1.0, 2 * special.ndtr(-abs(z))))


def _rate_arm(columns: FloatArray, by: Grouping, level: float) -> _Arm:
    """One arm of a difference of rates, over all clusters (those without a trial add no error)."""
    per = rows(columns, by["clusters"], by.get("epochs")).sums
    there = per[:, 1] > 0
    errors = np.zeros(len(per))
    result = rate(per[:, 0], per[:, 1], seed=0, B=1, level=level)
    if not there.any():
        return _Arm(result, None, errors, 1.0, result.undefined or "", many=False)
    k, n = per[there].T
    errors[there] = influence(k, n)
    df = float(degrees_of_freedom(n))
    if not is_proportion(per):
        limits = None if result.low is None or result.high is None else (result.low, result.high)
        return _Arm(result, limits, errors, df, result.undefined or "", many=False)
    held = support(k, n)
    limits = None if len(k) < 2 else limits_of(k, n, level)
    return _Arm(result, limits, errors, df, held.reason, many=held.way == "bootstrap")


def _combined(a: _Arm, b: _Arm, level: float) -> Result:
    """Difference of two arms by MOVER; where one carries no interval only value and p."""
    value = (a.result.value or 0.0) - (b.result.value or 0.0)
    n = min(int((a.errors != 0).sum()) or len(a.errors), int((b.errors != 0).sum()) or len(b.errors))
    method = named("MOVER of the arms' limits, correlation over cases, t")
    if a.result.value is None or b.result.value is None:
        reason = f"one side is undefined ({a.result.undefined or b.result.undefined})"
        return Result(value=None, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    same = value == 0 and np.array_equal(a.errors, b.errors)
    if a.limits is None or b.limits is None or same:
        reason = SAME if same else a.reason or b.reason
        return Result(value=value, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    r = min(float(shared_correlation(a.errors, b.errors)), MOST_BETWEEN)
    sides = ((a.result.value, *a.limits), (b.result.value, *b.limits))
    low, high = (float(x) for x in mover_difference_limits(*sides, r))
    p = p_of_interval(value, low, high, level, min(a.df, b.df))
    if reason := a.reason or b.reason:
        return Result(
            value=value, low=None, high=None, level=level, method=method, n=n, undefined=reason,
            p=p if min(len(a.errors), len(b.errors)) >= 2 else None,
        )  # fmt: skip
    return Result(value=value, low=low, high=high, level=level, method=method, n=n, p=p)


def _paired(statistic: Statistic, sums: FloatArray, arms: Sequence[_Arm], how: _How) -> Paired:
    """All pairwise differences: on shared draws where both arms carry a bootstrap, else from their limits.

    Parameters
    ----------
    sums: shape (clusters, arms, m).
    """
    pairs = list(combinations(range(len(arms)), 2))
    drawn = _Drawn(statistic, sums, how) if any(arm.many for arm in arms) and how.enough else None
    results = []
    for i, j in pairs:
        made = drawn.difference(i, j) if drawn is not None and arms[i].many and arms[j].many else None
        results.append(made or _combined(arms[i], arms[j], how.level))
    singles = tuple(
        (drawn.single(i) if drawn is not None and arm.many else None) or arm.result
        for i, arm in enumerate(arms)
    )
    return bootstrap.Paired(singles, bootstrap.with_holm(pairs, results))


@dataclass(frozen=True, slots=True)
class _How:
    seed: int
    B: int
    level: float
    method: Method

    @property
    def enough(self) -> bool:
        return enough_draws(self.B, self.level)


class _Drawn:
    """Draws and leave-one-out values of all arms on the same resamples."""

    def __init__(self, statistic: Statistic, sums: FloatArray, how: _How) -> None:
        self.how, self.n = how, len(sums)
        self.values = bootstrap.evaluate(statistic, sums.sum(axis=0))
        self.left = bootstrap.evaluate(statistic, sums.sum(axis=0) - sums)
        columns = [sums[:, i] for i in range(sums.shape[1])]
        self.draws = bootstrap.bootstrap_draws(statistic, columns, seed=how.seed, B=how.B)

    def single(self, i: int) -> Result | None:
        return self._read(float(self.values[i]), self.draws[:, i], self.left[:, i], difference=False)

    def difference(self, i: int, j: int) -> Result | None:
        value, draws = float(self.values[i] - self.values[j]), self.draws[:, i] - self.draws[:, j]
        return self._read(value, draws, self.left[:, i] - self.left[:, j], difference=True)

    def _read(self, value: float, draws: FloatArray, left: FloatArray, *, difference: bool) -> Result | None:
        """Return the bootstrap's result, None where it has no interval."""
        settings = bootstrap.Settings(level=self.how.level, method=self.how.method)
        read = bootstrap.from_draws(value, draws, settings, self.n, jackknife=left)
        if read.low is None:
            return None
        p = p_of_draws(value, draws[~np.isnan(draws)], left[~np.isnan(left)]) if difference else None
        return replace(read, method=named(read.method), p=p)


def compared_rates(
    num: npt.ArrayLike,
    den: npt.ArrayLike | None = None,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "bca",
) -> Paired:
    """Rates of several arms on the same cases, and all their differences, each with the interval of the policy.

    Parameters
    ----------
    num, den: shape (arms, rows); den None: 1 per case. A case that an arm lacks has num = den = 0 there.
    seed, clusters, epochs, B, level, method: as in `policy.rate`.

    Raises
    ------
    StatsError: fewer than two arms, NaN, unequal shapes.

    H0 of each p: equal rates; Holm over all pairs. Where an arm carries no interval a difference has a value and a p
    (from limits at the assumed correlation), and words in place of its interval.

    """
    a = arrays.matrix("num", num, shape="(arms, rows)")
    b = np.ones_like(a) if den is None else arrays.matrix("den", den, shape="(arms, rows)")
    if a.shape != b.shape:
        raise StatsError(f"num has shape {a.shape} and den {b.shape}; equal shapes were expected")
    if len(a) < 2:
        raise StatsError(f"{len(a)} arms came; at least two were expected")
    by: Grouping = {"clusters": clusters, "epochs": epochs}
    columns = [np.stack([x, y], axis=1) for x, y in zip(a, b, strict=True)]
    arms = [_rate_arm(c, by, level) for c in columns]
    sums = np.stack([rows(c, clusters, epochs).sums for c in columns], axis=1)
    return _paired(ratio, sums, arms, _How(seed, B, level, method))


def _hdi_arm(per: FloatArray, level: float) -> _Arm:
    """HDI of one model from sums per cluster, shape (clusters, 4), as a side of a difference."""
    u_g, n_g, u_b, n_b = per.sum(axis=0)
    errors, method = (
        np.zeros(len(per)),
        named("MOVER (Wilson limits, effective n), correlation over cases, t"),
    )
    if reason := undefined_because(n_g, u_b, n_b):
        gone = Result(
            value=None, low=None, high=None, level=level, method=method, n=len(per), undefined=reason
        )
        return _Arm(gone, None, errors, 1.0, reason, many=False)
    with_, without = (per[per[:, j + 1] > 0, j : j + 2].T for j in (0, 2))
    held = support(*with_), support(*without)
    value, n = float(1 - (u_g / n_g) / (u_b / n_b)), len(per)
    if min(len(with_[0]), len(without[0])) < 2:
        single = Result(value=value, low=None, high=None, level=level, method=method, n=n, undefined="1 case")
        return _Arm(single, None, errors, 1.0, "1 case", many=False)
    sides = [(float(k.sum() / m.sum()), *limits_of(k, m, level)) for k, m in (with_, without)]
    own = [np.zeros(n), np.zeros(n)]
    for error, (k, m), j in zip(own, (with_, without), (0, 2), strict=True):
        error[per[:, j + 1] > 0] = influence(k, m)
    r = min(float(shared_correlation(own[0], own[1])), MOST_WITHIN)
    low, high = (float(x) for x in mover_ratio_limits(sides[0], sides[1], r))
    errors = (1 - value) * own[1] / sides[1][0] - own[0] / sides[1][0]
    df = min(float(degrees_of_freedom(with_[1])), float(degrees_of_freedom(without[1])))
    arms = zip(held, ("with evidence", "without evidence"), strict=True)
    reason = ratio_reason(tuple(arms), "an unsupported claim") or (
        "" if high <= MOST_RATIO else "the rate without evidence isn't separated from 0"
    )
    limits = (1 - high, 1 - low) if np.isfinite(high) else None
    shown = limits if limits is not None and not reason else (None, None)
    result = Result(
        value=value, low=shown[0], high=shown[1], level=level,
        method=method, n=n, undefined=reason or None,
    )  # fmt: skip
    many = not reason and all(s.clusters >= MANY_CLUSTERS and s.events >= MANY_EVENTS for s in held)
    return _Arm(result, limits, errors, df, reason, many=many)


def ratio_reason(sides: Sequence[tuple[Support, str]], event: str) -> str:
    """Return why a ratio of rates has no interval, "" where it has: it rests on cases with an event on each side.

    Parameters
    ----------
    sides: what each carries, and where that is in words. event: what is counted, with its article.
    """
    for held, where in sides:
        if held.too_few_clusters:
            return f"{where}: {held.too_few_clusters}"
        if held.with_event < MIN_EVENTS:
            cases = "case has" if held.with_event == 1 else "cases have"
            return f"{held.with_event} {cases} {event} {where}, fewer than {MIN_EVENTS}"
    return ""


def compared_hdis(
    arms: Sequence[Counts],
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "bca",
) -> Paired:
    """Pooled HDI of models on the same cases, and all their paired differences, each with the interval of the policy.

    Parameters
    ----------
    arms: per model (u_g, n_g, u_b, n_b), each of shape (rows,), the same cases in the same order.
    seed, clusters, epochs, B, level, method: as in `policy.rate`.

    Raises
    ------
    StatsError: u > n, negative counts, NaN, different numbers of cases.

    One model gives its HDI and no differences. H0 of each p: equal HDI; Holm over all pairs. Source: Gonehal et al. 2026, eq. 1,
    appendix E and Table 8 (whose p has a floor); definitions/grounding.md, version 2.

    """
    sums = np.stack([rows(columns_of(*arm), clusters, epochs).sums for arm in arms], axis=1)
    made = [_hdi_arm(sums[:, i], level) for i in range(sums.shape[1])]
    return _paired(index, sums, made, _How(seed, B, level, method))


def compared_sums(
    statistic: Statistic,
    arms: Sequence[npt.ArrayLike],
    *,
    weights: Sequence[npt.ArrayLike],
    events: Sequence[npt.ArrayLike] | None = None,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "bca",
) -> Paired:
    """Any smooth function of sums in several arms on the same cases, and all differences, with the policy's intervals.

    Parameters
    ----------
    statistic, arms: as in `paired_bootstrap`. weights, events: per arm, as in `policy.of_sums`.
    seed, clusters, B, level, method: as in `policy.rate`.

    Raises
    ------
    StatsError: fewer than two arms, NaN, unequal shapes.

    H0 of each p: the statistic is equal in both arms; Holm over all pairs.

    """
    if len(arms) < 2:
        raise StatsError(f"{len(arms)} arms came; at least two were expected")
    how = _How(seed, B, level, method)
    k = weights if events is None else events
    columns = [np.column_stack([x, e, w]) for x, e, w in zip(arms, k, weights, strict=True)]
    sums = np.stack([rows(each, clusters, None).sums for each in columns], axis=1)
    made = [_sums_arm(statistic, sums[:, i], level, counted=events is not None) for i in range(len(arms))]
    return _paired(statistic, sums[..., :-2], made, how)


def _sums_arm(statistic: Statistic, per: FloatArray, level: float, *, counted: bool) -> _Arm:
    """One side from sums per cluster, shape (clusters, m + 2): the last two are events and trials."""
    there = per[:, -1] > 0
    held = support(*per[there, -2:].T)
    reason = held.reason if counted else held.too_few_clusters
    result = jackknifed(statistic, per[there, :-2], per[there, -1], level, reason)
    errors = np.zeros(len(per))
    if result.value is None:
        return _Arm(result, None, errors, 1.0, result.undefined or "", many=False)
    total = per[there, :-2].sum(axis=0)
    left = bootstrap.evaluate(statistic, total - per[there, :-2])
    errors[there] = np.nan_to_num(result.value - left)
    limits = None if result.low is None or result.high is None else (result.low, result.high)
    many = not reason and held.clusters >= MANY_CLUSTERS and (not counted or held.events >= MANY_EVENTS)
    df = float(degrees_of_freedom(per[there, -1]))
    return _Arm(result, limits, errors, df, result.undefined or "", many=many)
