"""Wilson's interval for clustered trials: as many independent trials as the clusters are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.intervals import wilson_limits, z_value
from percuss.stats.resampling import rows
from percuss.stats.result import Result, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

#: Events, or trials without one, below which a bootstrap of a rate is too short (docs/intervals.md).
FEW_EVENTS = 10
#: Clusters below which it is.
FEW_CLUSTERS = 20


def effective_trials(k: FloatArray, n: FloatArray, level: float = 0.95) -> FloatArray:
    """Return the number of independent trials that clustered ones are worth, shape (clusters, ..) -> (..).

    Trials over the design effect (at least 1), times (z / t)^2 because the design effect is itself estimated from
    the clusters (Korn and Graubard 1998, Surv Methodol 24:193). Without events nothing shows clustering: all count.
    """
    clusters, total = len(k), n.sum(axis=0)
    p = k.sum(axis=0) / total
    variance = ((k - p * n) ** 2).sum(axis=0) * clusters / (clusters - 1) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where((p > 0) & (p < 1), np.maximum(variance * total / (p * (1 - p)), 1), 1)
    t = float(special.stdtrit(clusters - 1, 0.5 + level / 2))
    shrink = np.where((p > 0) & (p < 1), (z_value(level) / t) ** 2, 1)
    out: FloatArray = total / effect * shrink
    return out


def clustered_limits(k: FloatArray, n: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Wilson limits at the effective number of trials, shape (clusters, ..) -> (..), two or more clusters."""
    worth = effective_trials(k, n, level)
    return wilson_limits(k.sum(axis=0) / n.sum(axis=0) * worth, worth, level)


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
    epochs: label per row, as in `cluster_bootstrap`; summed within their cluster.
    level: confidence level.

    Raises
    ------
    StatsError: num > den, NaN, unequal lengths.

    For few events or few clusters, where the bootstrap is too short; with many of both they agree.
    Sources: Korn and Graubard (1998), Surv Methodol 24:193; Kott and Carr (1997), with Wilson's limits.

    >>> print(wilson_clustered([0, 3, 0, 1, 0, 0], [5, 5, 6, 5, 4, 5]))
    0.1333 [0.0224, 0.5081] 95% Wilson, effective n = 6.8, n = 6

    """
    columns = np.column_stack(arrays.parts(num, den, ("num", "den")))
    if not columns[:, 1].sum():
        return missing("no trials: n is 0", level=level, method="Wilson, effective n", n=0)
    k, n = rows(columns, clusters, epochs).sums.T
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
