"""Rates whose trials come in clusters: how much the clusters are worth, and limits that hold at few of them.

Limits are Wilson's at the number of independent trials that the clusters are worth, with the t quantile of Satterthwaite's
degrees of freedom (CR2); where few cases have an event they reach at least as far as Clopper and Pearson's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.intervals import clopper_pearson_limits, wilson_limits, z_value
from percuss.stats.resampling import rows
from percuss.stats.result import Result, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

#: Clusters with an event (or without one) below which limits are Clopper and Pearson's where those reach further.
FEW_EVENTS = 10
#: Clusters below which a bootstrap carries limits of this module as its alternative.
FEW_CLUSTERS = 20
#: Clusters with an event (or without one) from which on the data show how trials of a cluster hang together.
MIN_EVENTS = 3
#: Nearer to 0 or 1 than this a limit is rounding, not a finding.
EDGE = 1e-6
#: Correlation of trials within a cluster that is taken where too few events show it (docs/intervals.md).
ASSUMED_CORRELATION = 0.2
#: Correlation that is taken at least where sizes are uneven, and what uneven is: effective clusters per cluster below this.
UNEVEN_CORRELATION, UNEVEN = 0.1, 0.75


def effective_clusters(n: FloatArray) -> FloatArray:
    """Return (sum n)^2 / sum n^2 over clusters, shape (clusters, ..) -> (..): equal clusters that would weigh the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        out: FloatArray = np.where((n > 0).any(axis=0), n.sum(axis=0) ** 2 / (n**2).sum(axis=0), 0.0)
    return out


def event_clusters(k: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return clusters with an event, and clusters with a trial that had none, shape (clusters, ..) -> (..)."""
    return (k > 0).sum(axis=0).astype(np.float64), (k < n).sum(axis=0).astype(np.float64)


def degrees_of_freedom(n: FloatArray) -> FloatArray:
    """Satterthwaite's degrees of freedom of the CR2 variance of a weighted mean, shape (clusters, ..) -> (..).

    The working model lets a cluster speak with one voice (correlation 1), the one that gives the fewest: with C equal
    clusters it is C - 1, with one large cluster near 1. Bell and McCaffrey (2002), Surv Methodol 28:169;
    Pustejovsky and Tipton (2018), J Bus Econ Stat 36:672, eq. 11.
    """
    h = n / n.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        a = 1 / (1 - h)
        total = (h**2).sum(axis=0)
        # Covariances of residuals are [i = j] h_j^2 - h_i h_j^2 - h_j h_i^2 + h_i h_j total; a weighs both sides.
        own = a * (h**2 - 2 * h**3 + h**2 * total)
        p, q, r = (a * h**2).sum(axis=0), (a * h**4).sum(axis=0), (a * h**3).sum(axis=0)
        every = 2 * p * q + 2 * r**2 - 4 * total * p * r + total**2 * p**2
        apart = every - ((a * (2 * h**3 - total * h**2)) ** 2).sum(axis=0)
        out: FloatArray = own.sum(axis=0) ** 2 / ((own**2).sum(axis=0) + apart)
    return np.where(np.isfinite(out) & (out > 1), out, 1.0)


def influence(k: FloatArray, n: FloatArray) -> FloatArray:
    """Return what each cluster adds to the error of a rate, shape (clusters, ..), its leverage taken out (CR2)."""
    total = n.sum(axis=0)
    h = n / total
    with np.errstate(divide="ignore", invalid="ignore"):
        out: FloatArray = (k - k.sum(axis=0) / total * n) / total / np.sqrt(1 - h)
    return np.where(h < 1, out, 0.0)


def effective_trials(k: FloatArray, n: FloatArray, level: float = 0.95) -> FloatArray:
    """Return the number of independent trials that clustered ones are worth, shape (clusters, ..) -> (..).

    p (1 - p) over the CR2 variance, at most the trials there are, times (z / t)^2 because the variance is itself
    estimated (Korn and Graubard 1998, Surv Methodol 24:193). Where fewer than 3 clusters have an event, or a trial
    without one, nothing shows how trials hang together: at most the trials at a correlation of 0.2. Where sizes are
    uneven the rate may go with the size, which few clusters hide: at most the trials at a correlation of 0.1.
    """
    total = n.sum(axis=0)
    p = k.sum(axis=0) / total
    inside = (p > 0) & (p < 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(inside, p * (1 - p) / (influence(k, n) ** 2).sum(axis=0), total)
    worth = np.minimum(worth, total)
    few = np.minimum(*event_clusters(k, n)) < MIN_EVENTS
    size = (n**2).sum(axis=0) / total
    uneven = np.where(effective_clusters(n) < UNEVEN * (n > 0).sum(axis=0), UNEVEN_CORRELATION, 0.0)
    worth = np.minimum(worth, total / (1 + (size - 1) * np.where(few, ASSUMED_CORRELATION, uneven)))
    t = special.stdtrit(degrees_of_freedom(n), 0.5 + level / 2)
    out: FloatArray = worth * np.where(inside, (z_value(level) / t) ** 2, 1)
    return out


def clustered_limits(k: FloatArray, n: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Limits of a rate at the effective number of trials, shape (clusters, ..) -> (..), two or more clusters.

    Each end is a one-sided bound at (1 + level) / 2. No end is 0 or 1 but where nothing else was seen (`seen_limits`).
    """
    worth = effective_trials(k, n, level)
    events = k.sum(axis=0) / n.sum(axis=0) * worth
    low, high = wilson_limits(events, worth, level)
    least, most = clopper_pearson_limits(np.clip(events, 0, worth), worth, level)
    few = np.minimum(*event_clusters(k, n)) < FEW_EVENTS
    low, high = np.where(few, np.minimum(low, least), low), np.where(few, np.maximum(high, most), high)
    seen_low, seen_high = seen_limits(k, n, level)
    return np.where(low < EDGE, seen_low, low), np.where(high > 1 - EDGE, seen_high, high)


def seen_limits(k: FloatArray, n: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Limits of a rate from the clusters alone that have an event, or a trial without, shape (clusters, ..) -> (..).

    Their share has Clopper and Pearson's lower limit, and each holds at least one: far too wide to be shown, but off 0 and 1
    wherever something else was seen, however little the trials are worth. Of counts that are not whole, just off them.
    """
    cases = (n > 0).sum(axis=0)
    size = n.sum(axis=0) / cases
    whole = ((k == np.rint(k)) & (n == np.rint(n))).all(axis=0)
    ends = []
    for seen in event_clusters(k, n):
        share, _ = clopper_pearson_limits(seen, cases, level)
        ends.append(np.where(seen > 0, np.where(whole, share / size, EDGE), 0.0))
    return ends[0], 1 - ends[1]


def limits_of(k: FloatArray, n: FloatArray, level: float) -> tuple[float, float]:
    """Return `clustered_limits` of one sample, shapes (clusters,), as plain numbers."""
    low, high = clustered_limits(k, n, level)
    return float(low), float(high)


def shared_correlation(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return how the errors of two quantities go together over the same clusters, from their influences, in [-1, 1]."""
    scale = np.sqrt((a**2).sum(axis=0) * (b**2).sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        out: FloatArray = np.where(scale > 0, (a * b).sum(axis=0) / scale, 0.0)
    return np.clip(out, -1, 1)


def wilson_clustered(
    num: npt.ArrayLike,
    den: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> Result:
    """Wilson score interval of a rate whose trials come in clusters.

    Parameters
    ----------
    num, den: events and trials per row, shape (rows,), 0 <= num <= den.
    clusters: label per row; None: each row is a cluster.
    epochs: label per row, as in `cluster_bootstrap`; averaged within their cluster.
    level: confidence level.

    Raises
    ------
    StatsError: num > den, NaN, unequal lengths.

    For few events or few clusters, where the bootstrap is too short; with many of both they agree.
    Sources: Korn and Graubard (1998), Surv Methodol 24:193; Bell and McCaffrey (2002), Surv Methodol 28:169.

    >>> print(wilson_clustered([0, 3, 0, 1, 0, 0], [5, 5, 6, 5, 4, 5]))
    0.1333 [0.0022, 0.5834] 95% Wilson, effective n = 6.6, n = 6

    """
    columns = np.column_stack(arrays.parts(num, den, ("num", "den")))
    if not columns[:, 1].sum():
        return missing("no trials: n is 0", level=level, method="Wilson, effective n", n=0)
    k, n = rows(columns, clusters, epochs).sums.T
    k, n = k[n > 0], n[n > 0]
    if len(k) < 2:
        reason = "1 cluster; at least 2 are needed"
        value = float(k.sum() / n.sum())
        return Result(
            value=value, low=None, high=None, level=level, method="Wilson, effective n", n=1, undefined=reason
        )
    worth = float(effective_trials(k, n, level))
    low, high = clustered_limits(k, n, level)
    return Result(
        value=float(k.sum() / n.sum()),
        low=float(low),
        high=float(high),
        level=level,
        method=f"Wilson, effective n = {worth:.1f}",
        n=len(k),
    )
