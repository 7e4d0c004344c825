"""The human ceiling: how well each rater agrees with the consensus of the others (Moll et al. 2025, appendix F)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats.bootstrap import Settings, from_draws
from percuss.stats.ranks import ItemResamples, Tau
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray


def standardise(scores: npt.ArrayLike) -> FloatArray:
    """Return each rater's z-scores over the items they scored, shape (items, raters).

    Parameters
    ----------
    scores: shape (items, raters), NaN where not scored.

    Raises
    ------
    StatsError: infinite scores, not two dimensions.

    The divisor of the standard deviation is the number of scored items (definitions/explanation.md). A rater whose
    scores are all equal carries no order and becomes NaN throughout.

    """
    x = np.asarray(scores, dtype=np.float64)
    if x.ndim != 2 or np.isinf(x).any():
        raise StatsError(
            f"scores have shape {x.shape}; finite scores (items, raters), NaN where missing, were expected"
        )
    given = ~np.isnan(x)
    n = np.maximum(given.sum(axis=0), 1)
    centred = x - np.where(given, x, 0).sum(axis=0) / n
    spread = np.sqrt((np.where(given, centred, 0) ** 2).sum(axis=0) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        out: FloatArray = np.where(spread > 1e-12, centred / spread, np.nan)
    return out


def consensus(scores: npt.ArrayLike) -> FloatArray:
    """Return the mean z-score of each item over the raters who scored it, shape (items,), NaN where none did.

    Parameters
    ----------
    scores: as in `standardise`.

    Raises
    ------
    StatsError: as `standardise`.

    """
    return _mean(standardise(scores))


def _mean(z: FloatArray) -> FloatArray:
    given = ~np.isnan(z)
    with np.errstate(invalid="ignore"):
        out: FloatArray = np.where(
            given.any(axis=1), np.nansum(z, axis=1) / np.maximum(given.sum(axis=1), 1), np.nan
        )
    return out


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Tau-b of each rater against the others, and the mean over the raters where it is defined."""

    raters: tuple[Result, ...]
    mean: Result

    @property
    def range(self) -> tuple[float, float] | None:
        """Lowest and highest rater, as in Moll et al. 2025, section 6.1."""
        values = [r.value for r in self.raters if r.value is not None]
        return (min(values), max(values)) if values else None

    def __str__(self) -> str:
        """Print mean, interval and range in one line."""
        spread = "" if self.range is None else f"; raters from {self.range[0]:.3f} to {self.range[1]:.3f}"
        return f"{self.mean}{spread}"


def leave_one_out_ceiling(
    scores: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Ceiling:
    """Kendall's tau-b of each rater with the consensus of the remaining raters on the items they scored.

    Parameters
    ----------
    scores: shape (items, raters), NaN where not scored; at least two raters.
    seed, B: of the bootstrap over items, shared by all raters.
    clusters: label per item.
    level: confidence level.

    Raises
    ------
    StatsError: fewer than two raters, infinite scores.

    Raters whose scores are all equal are undefined and leave the consensus; `mean.n_undefined` counts them. The
    consensus is made once, not per resample. Source: Moll et al. 2025, appendix F, Table S10.

    """
    z = standardise(scores)
    if z.shape[1] < 2:
        raise StatsError(f"{z.shape[1]} rater came; a ceiling needs at least two")
    settings = Settings(level=level)
    resamples = ItemResamples(len(z), clusters, B, seed)
    singles: list[Result] = []
    draws: list[FloatArray] = []
    for rater in range(z.shape[1]):
        result, own = _against_others(z, rater, resamples, settings)
        singles.append(result)
        if own is not None:
            draws.append(own)
    return Ceiling(tuple(singles), _mean_of(singles, draws, settings, resamples.n_clusters))


def _against_others(
    z: FloatArray, rater: int, resamples: ItemResamples, settings: Settings
) -> tuple[Result, FloatArray | None]:
    others = _mean(np.delete(z, rater, axis=1))
    both = ~np.isnan(z[:, rater]) & ~np.isnan(others)
    x, y = z[both, rater], others[both]
    method = "Kendall tau-b against the other raters"
    if not both.any() or np.ptp(x) == 0 or np.ptp(y) == 0:
        reason = "the rater or the others don't vary on shared items"
        return missing(reason, level=settings.level, method=method, n=int(both.sum())), None
    tau = Tau(x, y)
    draws = resamples.apply(lambda w: tau(w[:, both]))
    r = from_draws(float(tau(np.ones(len(x)))), draws, settings, resamples.n_clusters)
    return replace(r, method=f"{method}, {r.method}", n=len(x)), draws


def _mean_of(singles: list[Result], draws: list[FloatArray], settings: Settings, k: int) -> Result:
    values = [r.value for r in singles if r.value is not None]
    n_undefined = len(singles) - len(values)
    if not draws:
        return missing("no rater varies", level=settings.level, method="leave-one-out ceiling", n=0)
    r = from_draws(float(np.mean(values)), np.mean(draws, axis=0), settings, k)
    return replace(
        r, method=f"leave-one-out ceiling, mean of {len(values)} raters, {r.method}", n_undefined=n_undefined
    )
