"""Bootstrap of ratios of sums: rates over claims, means over cases, and their paired differences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.bootstrap import Difference, Paired, cluster_bootstrap, paired_bootstrap, with_holm
from percuss.stats.clustered import FEW_CLUSTERS, FEW_EVENTS, wilson_clustered
from percuss.stats.intervals import mover_difference, p_from_limits, wilson
from percuss.stats.resampling import Method
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray


def ratio(sums: FloatArray) -> FloatArray:
    """Return first sum over second sum, shape (.., 2) -> (..)."""
    out: FloatArray = sums[..., 0] / sums[..., 1]
    return out


def _columns(num: npt.ArrayLike, den: npt.ArrayLike | None) -> FloatArray:
    a = arrays.vector("num", num)
    b = np.ones_like(a) if den is None else arrays.vector("den", den, length=len(a))
    if (b < 0).any():
        raise StatsError(f"den holds {b.min():g}; sizes of at least 0 were expected")
    return np.stack([a, b], axis=1)


def _is_proportion(columns: FloatArray) -> bool:
    return bool((columns[:, 0] >= 0).all() and (columns[:, 0] <= columns[:, 1]).all())


def _without_events(columns: FloatArray, level: float) -> Result | None:
    """Wilson's interval where a proportion is 0 or 1, else None."""
    k, n = (float(x) for x in columns.sum(axis=0))
    if not _is_proportion(columns) or n == 0 or k not in {0.0, n}:
        return None
    what = "no events" if k == 0 else "events only"
    return replace(wilson(k, n, level=level), method=f"Wilson ({what}: a bootstrap has no width)")


def ratio_bootstrap(
    num: npt.ArrayLike,
    den: npt.ArrayLike | None = None,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "percentile",
    min_clusters: int = 2,
) -> Result:
    """Ratio of sums, sum(num) / sum(den), with an interval over clusters.

    Parameters
    ----------
    num: shape (rows,), per case the events (or the sum of a score).
    den: shape (rows,), per case the claims; None: 1 a case, so that the ratio is the mean of `num`.
    seed, clusters, epochs, B, level, method, min_clusters: as in `cluster_bootstrap`.

    Raises
    ------
    StatsError: NaN, unequal lengths, a negative den.

    A proportion without events (or with nothing else) gets Wilson's interval, and `method` says so: it takes the
    trials as independent, which no data without events can contradict. Fewer than 10 events or 20 clusters:
    `alternative` holds `wilson_clustered`, which covers better there. No den at all is undefined.

    """
    columns = _columns(num, den)
    if columns[:, 1].sum() == 0:
        return missing("nothing was scored", level=level, method="cluster bootstrap", n=0)
    if fallback := _without_events(columns, level):
        return fallback
    boot = cluster_bootstrap(
        ratio,
        columns,
        seed=seed,
        clusters=clusters,
        epochs=epochs,
        B=B,
        level=level,
        method=method,
        min_clusters=min_clusters,
    )
    return _beside(boot, columns, clusters, epochs)


def _beside(
    result: Result, columns: FloatArray, clusters: npt.ArrayLike | None, epochs: npt.ArrayLike | None
) -> Result:
    """Put Wilson at the effective number of trials beside a bootstrap of few events or clusters."""
    k, n = (float(x) for x in columns.sum(axis=0))
    if not _is_proportion(columns) or (min(k, n - k) >= FEW_EVENTS and result.n >= FEW_CLUSTERS):
        return result
    other = wilson_clustered(
        columns[:, 0], columns[:, 1], clusters=clusters, epochs=epochs, level=result.level
    )
    return replace(result, alternative=other)


def ratio_differences(
    num: npt.ArrayLike,
    den: npt.ArrayLike | None = None,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "percentile",
    min_clusters: int = 2,
) -> Paired:
    """Ratios of sums of several arms on the same cases, and all their differences on shared draws.

    Parameters
    ----------
    num, den: shape (arms, rows); den None: 1 a case. A case that an arm lacks has num = den = 0 there.
    seed, clusters, epochs, B, level, method, min_clusters: as in `cluster_bootstrap`.

    Raises
    ------
    StatsError: fewer than two arms, NaN, unequal shapes.

    Where an arm is a proportion without events, its own interval is Wilson's, and its differences combine the
    arms' intervals (`mover_difference`), because the draws of that arm don't vary; their p is never below what
    that interval implies.

    """
    a = arrays.matrix("num", num, shape="(arms, rows)")
    b = [None] * len(a) if den is None else arrays.matrix("den", den, shape="(arms, rows)")
    if len(b) != len(a):
        raise StatsError(f"num has {len(a)} arms and den {len(b)}; equal numbers were expected")
    columns = [_columns(x, y) for x, y in zip(a, b, strict=True)]
    paired = paired_bootstrap(
        ratio,
        columns,
        seed=seed,
        clusters=clusters,
        epochs=epochs,
        B=B,
        level=level,
        method=method,
        min_clusters=min_clusters,
    )
    paired = without_events(paired, [_without_events(c, level) for c in columns])
    named = tuple(
        r if r.method.startswith("Wilson") else _beside(r, c, clusters, epochs)
        for r, c in zip(paired.arms, columns, strict=True)
    )
    return replace(paired, arms=named)


def without_events(paired: Paired, fallbacks: list[Result | None]) -> Paired:
    """Put closed-form intervals where an arm's draws don't vary, in the arm and in its differences.

    Parameters
    ----------
    paired: bootstrap results.
    fallbacks: per arm its interval without a bootstrap, or None where the bootstrap stands.

    """
    arms = tuple(f or r for f, r in zip(fallbacks, paired.arms, strict=True))
    results = [
        _combined(d, arms) if fallbacks[d.first] or fallbacks[d.second] else d.result
        for d in paired.differences
    ]
    return Paired(arms, with_holm([(d.first, d.second) for d in paired.differences], results))


def _combined(d: Difference, arms: tuple[Result, ...]) -> Result:
    """Combine two arms' intervals; p is the larger of the bootstrap's, whose draws vary too little, and theirs."""
    own = mover_difference(arms[d.first], arms[d.second])
    method = "MOVER of the arms' intervals (an arm without events)"
    p = d.result.p
    if p is not None and own.value is not None and own.low is not None and own.high is not None:
        p = max(p, p_from_limits(own.value, own.low, own.high, own.level))
    return replace(own, method=method, n=d.result.n, p=p, dropped=d.result.dropped)
