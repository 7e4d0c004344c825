"""The interval policy: which interval a rate, a mean or any function of sums is shown with, and when with none.

It follows from observables alone: c, the effective clusters; e, the clusters with an event and those with a trial that
had none. Many of both: cluster bootstrap, BCa. Fewer: limits from cluster leverage with t quantiles. Too few: a rate
gets a one-sided bound, everything else words. Coverage of each branch: docs/intervals.md, benchmarks/coverage.py.
Source: definitions/grounding.md, version 2, "How sure".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.bootstrap import Statistic, cluster_bootstrap, evaluate
from percuss.stats.clustered import (
    MIN_EVENTS,
    degrees_of_freedom,
    effective_clusters,
    effective_trials,
    event_clusters,
    limits_of,
)
from percuss.stats.dependence import columns_of, index
from percuss.stats.resampling import Method, rows
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray
    from percuss.stats.dependence import Counts

#: Recorded in the method of every estimate; rises when the same data get another interval.
VERSION = 2
#: Effective clusters, and clusters with (and without) an event, from which on the bootstrap holds its level.
MANY_CLUSTERS, MANY_EVENTS = 50, 10
#: Effective clusters below which there is no interval; for events `clustered.MIN_EVENTS`.
MIN_CLUSTERS = 5
#: Draws beyond a limit from which on a bootstrap can place it.
MIN_BEYOND = 10
#: Leverage beyond which a cluster is the sample.
WHOLE = 1 - 1e-12

Way = Literal["bootstrap", "leverage", "none"]


@dataclass(frozen=True, slots=True)
class Support:
    """What the data hold to make an interval from.

    `clusters`: effective ones, (sum n)^2 / sum n^2. `with_event`, `without`: clusters with an event, and with a trial
    that had none. `largest`: share of the trials in the largest cluster.
    """

    clusters: float
    with_event: int
    without: int
    largest: float

    @property
    def events(self) -> int:
        """The scarcer of clusters with an event and without one."""
        return min(self.with_event, self.without)

    @property
    def way(self) -> Way:
        """Which interval these data carry."""
        if self.reason:
            return "none"
        many = self.clusters >= MANY_CLUSTERS and self.events >= MANY_EVENTS
        return "bootstrap" if many else "leverage"

    @property
    def reason(self) -> str:
        """Why there is no interval, "" where there is one."""
        return self.too_few_clusters or _too_few_events(self.with_event, self.without)

    @property
    def too_few_clusters(self) -> str:
        """Why the clusters don't carry an interval, "" where they do."""
        if self.clusters >= MIN_CLUSTERS:
            return ""
        share = f"; the largest holds {100 * self.largest:.0f}%" if self.largest >= 0.5 else ""
        return f"worth {self.clusters:.1f} equal cases, fewer than {MIN_CLUSTERS}{share}"


def _too_few_events(with_event: int, without: int) -> str:
    if min(with_event, without) >= MIN_EVENTS:
        return ""
    which, count = ("with", with_event) if with_event <= without else ("without", without)
    return f"{count} {'case' if count == 1 else 'cases'} {which} an event, fewer than {MIN_EVENTS}"


def support(k: FloatArray, n: FloatArray) -> Support:
    """Return what clusters of k events among n trials carry, shapes (clusters,)."""
    with_event, without = event_clusters(k, n)
    total = float(n.sum())
    largest = float(n.max()) / total if total else 0.0
    return Support(float(effective_clusters(n)), int(with_event), int(without), largest)


def named(method: str) -> str:
    """Return a method with the version of the policy that chose it."""
    return f"{method} (policy {VERSION})"


def enough_draws(B: int, level: float) -> bool:
    """Whether a bootstrap of B draws can place limits of this level."""
    return B * (1 - level) / 2 >= MIN_BEYOND


def is_proportion(columns: FloatArray) -> bool:
    """Whether numerators lie between 0 and their denominators, shape (rows, 2)."""
    return bool((columns[:, 0] >= 0).all() and (columns[:, 0] <= columns[:, 1] + 1e-12).all())


def _ratio(sums: FloatArray) -> FloatArray:
    out: FloatArray = sums[..., 0] / sums[..., 1]
    return out


def rate(
    num: npt.ArrayLike,
    den: npt.ArrayLike | None = None,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "bca",
) -> Result:
    """Ratio of sums, sum(num) / sum(den), with the interval that holds its level on such data.

    Parameters
    ----------
    num: shape (rows,), per case the events (or the sum of a score).
    den: shape (rows,), per case the claims; None: 1 per case.
    seed, B, level: of the bootstrap. method: its reading where there are many cases; BCa by the policy.
    clusters, epochs: as in `cluster_bootstrap`.

    Raises
    ------
    StatsError: NaN, unequal lengths, a negative den.

    A rate whose cases are worth fewer than 5, or of which fewer than 3 have an event (or a trial without), gets a
    one-sided bound at (1 + level) / 2: `sided` says which. A mean that is no proportion then has no interval.

    """
    a = arrays.vector("num", num)
    b = np.ones_like(a) if den is None else arrays.vector("den", den, length=len(a))
    if (b < 0).any():
        raise StatsError(f"den holds {b.min():g}; sizes of at least 0 were expected")
    columns = np.stack([a, b], axis=1)
    if not b.sum():
        return missing("nothing was scored", level=level, method=named("no interval"), n=0)
    per = rows(columns, clusters, epochs).sums
    per = per[per[:, 1] > 0]
    if not is_proportion(columns):
        return _mean(per, seed=seed, B=B, level=level, method=method)
    held = support(*per.T)
    if held.way == "bootstrap" and enough_draws(B, level):
        boot = cluster_bootstrap(_ratio, per, seed=seed, B=B, level=level, method=method)
        if boot.low is not None:
            return replace(boot, method=named(boot.method))
    return two_sided(per, level) if held.way != "none" else one_sided(per, held, level)


def two_sided(per: FloatArray, level: float) -> Result:
    """Return a rate with its limits from cluster leverage, sums of shape (clusters, 2)."""
    k, n = per.T
    low, high = limits_of(k, n, level)
    worth = float(effective_trials(k, n, level))
    method = named(f"Wilson, effective n = {worth:.1f}, t on {float(degrees_of_freedom(n)):.1f} df")
    return Result(value=float(k.sum() / n.sum()), low=low, high=high, level=level, method=method, n=len(k))


def one_sided(per: FloatArray, held: Support, level: float) -> Result:
    """Return a rate with the bound on the side where little was seen, sums of shape (clusters, 2)."""
    k, n = per.T
    value = float(k.sum() / n.sum())
    if len(k) < 2 and n.sum() > 1:
        reason = "1 case; nothing shows how cases differ"
        return Result(
            value=value, low=None, high=None, level=level, method=named("no interval"), n=len(k), undefined=reason
        )  # fmt: skip
    low, high = limits_of(k, n, level)
    upper = held.with_event <= held.without
    exact = "Clopper-Pearson" if (n <= 1).all() else "Wilson and Clopper-Pearson at the effective n"
    return Result(
        value=value,
        low=None if upper else low,
        high=high if upper else None,
        level=level,
        method=named(f"one-sided {100 * (1 + level) / 2:g}% bound, {exact}"),
        n=len(k),
        sided="high" if upper else "low",
        notes=(held.reason,),
    )


def _mean(per: FloatArray, *, seed: int, B: int, level: float, method: Method) -> Result:
    """Ratio of sums that is no proportion: no events to count, so the effective clusters decide."""
    return of_sums(_ratio, per, seed=seed, weights=per[:, 1], B=B, level=level, method=method)


def of_sums(
    statistic: Statistic,
    columns: npt.ArrayLike,
    *,
    seed: int,
    weights: npt.ArrayLike | None = None,
    events: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "bca",
) -> Result:
    """Any smooth function of sums with the interval that holds its level on such data.

    Parameters
    ----------
    statistic, columns, clusters, epochs: as in `cluster_bootstrap`.
    weights: shape (rows,), trials of each row; None: the rows weigh the same.
    events: shape (rows,), events among those trials, where the statistic is made of shares; None: nothing to count.
    seed, B, level, method: as in `rate`.

    Raises
    ------
    StatsError: as `cluster_bootstrap`.

    From 50 effective clusters (and 10 with an event, and without one) the bootstrap; from 5 (and 3) the jackknife with a
    t quantile on Satterthwaite's degrees of freedom; below, a value without an interval.

    """
    x = arrays.matrix("columns", columns, shape="(rows, columns)")
    w = np.ones(len(x)) if weights is None else arrays.vector("weights", weights, length=len(x))
    k = w if events is None else arrays.vector("events", events, length=len(x))
    per = rows(np.column_stack([x, k, w]), clusters, epochs).sums
    per = per[per[:, -1] > 0]
    held = support(*per[:, -2:].T)
    of_shares = events is not None and is_proportion(per[:, -2:])
    reason = held.reason if of_shares else held.too_few_clusters
    many = held.clusters >= MANY_CLUSTERS and (not of_shares or held.events >= MANY_EVENTS)
    if not reason and many and enough_draws(B, level):
        boot = cluster_bootstrap(statistic, per[:, :-2], seed=seed, B=B, level=level, method=method)
        return replace(boot, method=named(boot.method))
    return jackknifed(statistic, per[:, :-2], per[:, -1], level, reason)


def hdi_macro(
    counts: Counts,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "bca",
) -> Result:
    """Mean of each cluster's own HDI over the clusters where it is defined, with the interval of the policy.

    Parameters
    ----------
    counts: (u_g, n_g, u_b, n_b), each of shape (rows,).
    seed, clusters, epochs, B, level, method: as in `rate`.

    Raises
    ------
    StatsError: u > n, negative counts, NaN.

    `n` counts the clusters with u_b > 0 and n_g > 0, `n_undefined` the others (definitions/grounding.md, HDI).

    """
    per = rows(columns_of(*counts), clusters, epochs).sums
    with np.errstate(divide="ignore", invalid="ignore"):
        values = index(per)
    values = values[~np.isnan(values)]
    gone = len(per) - len(values)
    if not len(values):
        reason = "no cluster has an unsupported ungrounded claim and a grounded claim"
        return replace(
            missing(reason, level=level, method=named("mean over clusters"), n=0), n_undefined=gone
        )
    columns = np.stack([values, np.ones(len(values))], axis=1)
    found = of_sums(_ratio, columns, seed=seed, B=B, level=level, method=method)
    return replace(possible(found, most=1.0), n_undefined=gone)


def possible(found: Result, *, least: float | None = None, most: float | None = None) -> Result:
    """Return a result whose limit beyond what its number can be is gone: the other one stands as a bound, at (1 + level) / 2.

    Parameters
    ----------
    found: any. least, most: what the number can be; None: anything.
    """
    if found.low is None or found.high is None:
        return found
    if most is not None and found.high >= most > found.low:
        return replace(found, high=None, sided="low")
    if least is not None and found.low <= least < found.high:
        return replace(found, low=None, sided="high")
    return found


def jackknifed(
    statistic: Statistic, sums: FloatArray, weights: FloatArray, level: float, reason: str
) -> Result:
    """Return a function of sums with its jackknife interval over clusters, or a value and the reason why there is none.

    Parameters
    ----------
    sums: shape (clusters, m). weights: shape (clusters,). level: of the interval. reason: why there can't be one, or "".
    """
    value = float(evaluate(statistic, sums.sum(axis=0)[None])[0]) if len(sums) else np.nan
    method = named("jackknife over cases, t")
    if np.isnan(value):
        reason = "the statistic is undefined on this sample"
        return missing(reason, level=level, method=method, n=len(sums))
    left = evaluate(statistic, sums.sum(axis=0) - sums)
    if not reason and np.isnan(left).any():
        reason = "it is undefined without one of the cases"
    elif not reason and np.ptp(left) <= 1e-12 * max(abs(value), 1):
        reason = "every case gives the same value"
    if reason:
        return Result(
            value=value, low=None, high=None, level=level, method=method, n=len(sums), undefined=reason
        )
    error = float(((len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum()) ** 0.5)
    t = float(special.stdtrit(float(degrees_of_freedom(weights)), 0.5 + level / 2))
    return Result(
        value=value, low=value - t * error, high=value + t * error, level=level, method=method, n=len(sums)
    )
