"""The hallucination dependence index (Gonehal et al. 2026, eq. 1): the share of unsupported claims that evidence takes away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays, resampling
from percuss.stats.bootstrap import Paired, cluster_bootstrap, paired_bootstrap
from percuss.stats.clustered import FEW_CLUSTERS, FEW_EVENTS, clustered_limits
from percuss.stats.intervals import mover_ratio, mover_ratio_limits
from percuss.stats.ratios import ratio, without_events
from percuss.stats.resampling import Method
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

    Counts = tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]

#: Resamples of the paper's intervals (Gonehal et al. 2026, appendix E).
B_PAPER = 2_000


def index(sums: FloatArray) -> FloatArray:
    """Return 1 - (U_g / N_g) / (U_b / N_b) of sums, shape (.., 4) -> (..); undefined where U_b or N_g is 0."""
    u_g, n_g, u_b, n_b = np.moveaxis(sums, -1, 0)
    out: FloatArray = np.where((u_b > 0) & (n_g > 0), 1 - (u_g / n_g) / (u_b / n_b), np.nan)
    return out


def columns_of(u_g: npt.ArrayLike, n_g: npt.ArrayLike, u_b: npt.ArrayLike, n_b: npt.ArrayLike) -> FloatArray:
    """Return checked counts side by side, shape (rows, 4)."""
    grounded, baseline = arrays.parts(u_g, n_g, ("u_g", "n_g")), arrays.parts(u_b, n_b, ("u_b", "n_b"))
    if len(grounded[0]) != len(baseline[0]):
        raise StatsError(
            f"{len(grounded[0])} grounded rows and {len(baseline[0])} baseline rows; the same cases were expected"
        )
    return np.stack([*grounded, *baseline], axis=1)


def hdi_mover(u_g: float, n_g: float, u_b: float, n_b: float, *, level: float = 0.95) -> Result:
    """HDI of four totals with a MOVER interval, for few events.

    Parameters
    ----------
    u_g, n_g: unsupported and all claims with the evidence.
    u_b, n_b: without it; u_b = 0 is undefined.
    level: confidence level.

    Raises
    ------
    StatsError: u > n, negative or non-finite counts.

    It takes claims as independent; `hdi_pooled` resamples patients. Source: Donner and Zou (2012) on Gonehal et al. 2026, eq. 1.

    """
    r = mover_ratio(u_g, n_g, u_b, n_b, level=level)
    if r.value is None or r.low is None or r.high is None:
        return replace(r, undefined=undefined_because(n_g, u_b, n_b) or r.undefined)
    return replace(r, value=1 - r.value, low=1 - r.high, high=1 - r.low)


def undefined_because(n_g: float, u_b: float, n_b: float) -> str | None:
    """Return why HDI of such totals is undefined, None where it is defined."""
    if n_g == 0 or n_b == 0:
        return f"no claims {'with' if n_g == 0 else 'without'} evidence"
    return "no unsupported claim without evidence" if u_b == 0 else None


def _mover(
    columns: FloatArray, clusters: npt.ArrayLike | None, epochs: npt.ArrayLike | None, level: float
) -> Result:
    """MOVER with Wilson limits at the effective number of claims of each arm."""
    per = resampling.rows(columns, clusters, epochs).sums
    if len(per) < 2:
        return hdi_mover(*(float(x) for x in columns.sum(axis=0)), level=level)
    u_g, n_g, u_b, n_b = per.sum(axis=0)
    low, high = mover_ratio_limits(
        (u_g / n_g, *clustered_limits(per[:, 0], per[:, 1], level)),
        (u_b / n_b, *clustered_limits(per[:, 2], per[:, 3], level)),
    )
    return Result(
        value=float(1 - (u_g / n_g) / (u_b / n_b)),
        low=1 - float(high),
        high=1 - float(low),
        level=level,
        method="MOVER (Wilson limits, effective n)",
        n=len(per),
    )


def _without_events(
    columns: FloatArray, clusters: npt.ArrayLike | None, epochs: npt.ArrayLike | None, level: float
) -> Result | None:
    """MOVER where no grounded claim is unsupported, so that the draws of HDI are all 1; None elsewhere."""
    u_g, n_g, u_b, n_b = (float(x) for x in columns.sum(axis=0))
    if u_g > 0 or undefined_because(n_g, u_b, n_b):
        return None
    own = _mover(columns, clusters, epochs, level)
    return replace(own, method="MOVER (no unsupported grounded claim: a bootstrap has no width)")


def _beside(
    result: Result, columns: FloatArray, clusters: npt.ArrayLike | None, epochs: npt.ArrayLike | None
) -> Result:
    """Name the reason of an undefined HDI, and put MOVER beside a bootstrap of few events or clusters."""
    u_g, n_g, u_b, n_b = (float(x) for x in columns.sum(axis=0))
    if reason := undefined_because(n_g, u_b, n_b):
        return missing(reason, level=result.level, method=result.method, n=result.n)
    if "MOVER" in result.method or (min(u_g, u_b) >= FEW_EVENTS and result.n >= FEW_CLUSTERS):
        return result
    return replace(result, alternative=_mover(columns, clusters, epochs, result.level))


def hdi_pooled(
    u_g: npt.ArrayLike,
    n_g: npt.ArrayLike,
    u_b: npt.ArrayLike,
    n_b: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = B_PAPER,
    level: float = 0.95,
    method: Method = "percentile",
) -> Result:
    """HDI of counts summed over all cases, with an interval over clusters.

    Parameters
    ----------
    u_g, n_g: shape (rows,), per case the unsupported and all claims with the evidence.
    u_b, n_b: the same cases without it.
    seed, clusters, epochs, B, level, method: as in `cluster_bootstrap`.

    Raises
    ------
    StatsError: u > n, negative counts, NaN, different numbers of cases.

    Undefined where no ungrounded claim is unsupported. Resamples without one are dropped and counted; above 1% of
    B the interval is undefined. Fewer than 10 unsupported claims in an arm, or 20 clusters: `alternative` holds MOVER.
    Source: Gonehal et al. 2026, eq. 1 and appendix E; definitions/grounding.md, HDI.

    """
    columns = columns_of(u_g, n_g, u_b, n_b)
    if fallback := _without_events(columns, clusters, epochs, level):
        return fallback
    boot = cluster_bootstrap(
        index, columns, seed=seed, clusters=clusters, epochs=epochs, B=B, level=level, method=method
    )
    return _beside(boot, columns, clusters, epochs)


def hdi_macro(
    u_g: npt.ArrayLike,
    n_g: npt.ArrayLike,
    u_b: npt.ArrayLike,
    n_b: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = B_PAPER,
    level: float = 0.95,
    method: Method = "percentile",
) -> Result:
    """Mean of each cluster's own HDI over the clusters where it is defined.

    Parameters
    ----------
    u_g, n_g, u_b, n_b, seed, clusters, B, level, method: as in `hdi_pooled`; epochs of a cluster are summed.

    Raises
    ------
    StatsError: as in `hdi_pooled`.

    `n` counts the clusters with u_b > 0 and n_g > 0, `n_undefined` the others. It estimates something else than the
    pooled HDI: at low u_b most clusters are undefined (definitions/grounding.md, HDI), so it is never the headline.

    """
    per = resampling.rows(columns_of(u_g, n_g, u_b, n_b), clusters, None).sums
    with np.errstate(divide="ignore", invalid="ignore"):
        values = index(per)
    defined = ~np.isnan(values)
    n_undefined = int((~defined).sum())
    if not defined.any():
        reason = "no cluster has an unsupported ungrounded claim and a grounded claim"
        return replace(
            missing(reason, level=level, method="mean over clusters", n=0), n_undefined=n_undefined
        )
    columns = np.stack([np.where(defined, values, 0), defined], axis=1)
    boot = cluster_bootstrap(ratio, columns, seed=seed, B=B, level=level, method=method)
    return replace(boot, n=int(defined.sum()), n_undefined=n_undefined)


@dataclass(frozen=True, slots=True)
class Hdi:
    """Pooled HDI, the headline, and the mean over clusters beside it."""

    pooled: Result
    macro: Result

    def __str__(self) -> str:
        """Print both in one line."""
        return f"HDI pooled {self.pooled}; macro {self.macro}, undefined in {self.macro.n_undefined}"


def hdi(
    u_g: npt.ArrayLike,
    n_g: npt.ArrayLike,
    u_b: npt.ArrayLike,
    n_b: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = B_PAPER,
    level: float = 0.95,
    method: Method = "percentile",
) -> Hdi:
    """Hallucination dependence index, pooled and macro.

    Parameters
    ----------
    u_g, n_g, u_b, n_b, seed, clusters, epochs, B, level, method: as in `hdi_pooled`.

    Raises
    ------
    StatsError: as in `hdi_pooled`.

    >>> print(hdi([0, 1, 0] * 9, [5, 6, 5] * 9, [2, 4, 1] * 9, [5, 5, 4] * 9, seed=1).pooled.alternative)
    0.8750 [0.7538, 0.9454] 95% MOVER (Wilson limits, effective n), n = 27

    """
    if epochs is not None and clusters is None:
        raise StatsError("epochs came without clusters; pass the case of each row as its cluster")
    pooled = hdi_pooled(
        u_g, n_g, u_b, n_b, seed=seed, clusters=clusters, epochs=epochs, B=B, level=level, method=method
    )
    macro = hdi_macro(u_g, n_g, u_b, n_b, seed=seed, clusters=clusters, B=B, level=level, method=method)
    return Hdi(pooled, macro)


def hdi_differences(
    arms: Sequence[Counts],
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = B_PAPER,
    level: float = 0.95,
    method: Method = "percentile",
) -> Paired:
    """Pooled HDI of several models (or depths) on the same cases, and all their paired differences.

    Parameters
    ----------
    arms: per model (u_g, n_g, u_b, n_b), each of shape (rows,), the same cases in the same order.
    seed, clusters, epochs, B, level, method: as in `hdi_pooled`.

    Raises
    ------
    StatsError: as in `hdi_pooled`; fewer than two arms.

    H0 of each p: equal HDI. p has the floor 1/B and Holm's correction over all pairs. A model without unsupported
    grounded claims has MOVER limits, also in its differences. Source: Gonehal et al. 2026, appendix E, Table 8.

    """
    columns = [columns_of(*arm) for arm in arms]
    paired = paired_bootstrap(
        index, columns, seed=seed, clusters=clusters, epochs=epochs, B=B, level=level, method=method
    )
    paired = without_events(paired, [_without_events(c, clusters, epochs, level) for c in columns])
    named = tuple(_beside(r, c, clusters, epochs) for r, c in zip(paired.arms, columns, strict=True))
    return replace(paired, arms=named)


def hdi_difference(
    a: Counts,
    b: Counts,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = B_PAPER,
    level: float = 0.95,
    method: Method = "percentile",
) -> Result:
    """Pooled HDI of `a` minus that of `b` on the same cases.

    Parameters
    ----------
    a, b: (u_g, n_g, u_b, n_b), each of shape (rows,).
    seed, clusters, epochs, B, level, method: as in `hdi_differences`.

    Raises
    ------
    StatsError: as in `hdi_differences`.

    """
    paired = hdi_differences(
        [a, b], seed=seed, clusters=clusters, epochs=epochs, B=B, level=level, method=method
    )
    return paired.between(0, 1).result
