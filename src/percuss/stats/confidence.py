"""Confidence calibration: how far stated confidence lies above or below clinical fidelity (Moll et al. 2025, section 4.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.bootstrap import Settings, from_draws
from percuss.stats.resampling import Resamples, rows
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

#: Penalties of over- and underconfidence (Moll et al. 2025, section 4.2).
ALPHA, BETA = 1.092, 0.728
#: Their ratio, from reader vignettes (Moll et al. 2025, appendix G).
RHO = 1.5
#: Largest scale searched (definitions/explanation.md).
KAPPA_MAX = 4.0


def _scores(cf: npt.ArrayLike, ct: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    f = arrays.vector("cf", cf)
    t = arrays.vector("ct", ct, length=len(f))
    for name, x in (("cf", f), ("ct", t)):
        if x.size and (x.min() < 0 or x.max() > 1):
            raise StatsError(
                f"{name} runs from {x.min():g} to {x.max():g}; normalised scores from 0 to 1 were expected"
            )
    return f, t


def confidence_calibration(
    cf: npt.ArrayLike, ct: npt.ArrayLike, *, alpha: float = ALPHA, beta: float = BETA
) -> FloatArray:
    """Confidence calibration per item: 1 - min(1, alpha max(0, CT - CF) + beta max(0, CF - CT)).

    Parameters
    ----------
    cf, ct: normalised clinical fidelity and confidence tone, shape (n,), 0 to 1.
    alpha, beta: penalties of over- and underconfidence.

    Returns
    -------
    Shape (n,), 0 to 1.

    Raises
    ------
    StatsError: scores outside 0 to 1, NaN, unequal lengths.

    Source: Moll et al. 2025, section 4.2.

    >>> confidence_calibration([0, 0.5, 0.75, 1], [1, 0.75, 0.5, 0]).round(3).tolist()
    [0.0, 0.727, 0.818, 0.272]

    """
    f, t = _scores(cf, ct)
    out: FloatArray = 1 - np.minimum(1, alpha * np.maximum(0, t - f) + beta * np.maximum(0, f - t))
    return out


@dataclass(frozen=True, slots=True)
class ConfidenceFit:
    """Fitted penalties with bootstrap intervals, and how well they reproduce the target."""

    kappa: Result
    alpha: Result
    beta: Result
    mse: float | None
    share_without_penalty: float
    share_clipped: float | None

    def __str__(self) -> str:
        """Print both penalties in one line."""
        if self.mse is None:
            return str(self.kappa)
        return f"alpha {self.alpha}; beta {self.beta}; MSE {self.mse:.4f}"


class _Loss:
    """Squared error of 1 - min(1, kappa P) against a target, minimised exactly over kappa.

    Between the values 1 / P at which items clip it is a parabola, so the minimum is the best of one point a piece.
    Sums of three columns per distinct P carry it: items, (1 - target), (1 - target)^2.
    """

    def __init__(self, penalty: FloatArray, target: FloatArray) -> None:
        self.levels, self.code = np.unique(penalty, return_inverse=True)
        miss = 1 - target
        kinds = np.eye(len(self.levels))[self.code]
        self.columns = np.concatenate([kinds, kinds * miss[:, None], kinds * (miss**2)[:, None]], axis=1)
        breaks = 1 / self.levels[self.levels > 0]
        self.edges = np.unique(np.concatenate([[0.0], breaks[breaks < KAPPA_MAX], [KAPPA_MAX]]))

    def best(self, sums: FloatArray) -> FloatArray:
        """Return the minimising kappa, shape (.., 3 levels) -> (..), NaN where no item has a penalty."""
        count, miss, _ = np.split(sums, 3, axis=-1)
        candidates = []
        for low, high in zip(self.edges[:-1], self.edges[1:], strict=True):
            open_ = (self.levels > 0) & (self.levels * high <= 1 + 1e-12)
            curve = (count * self.levels**2)[..., open_].sum(axis=-1)
            slope = (miss * self.levels)[..., open_].sum(axis=-1)
            with np.errstate(divide="ignore", invalid="ignore"):
                inside = np.where(curve > 0, slope / curve, high)
            candidates.append(np.clip(inside, low, high))
        at = np.stack(candidates, axis=-1)
        loss = np.stack([self.mean_square(sums, at[..., i]) for i in range(at.shape[-1])], axis=-1)
        chosen = np.take_along_axis(at, np.argmin(loss, axis=-1)[..., None], axis=-1)[..., 0]
        out: FloatArray = np.where(count[..., self.levels > 0].sum(axis=-1) > 0, chosen, np.nan)
        return out

    def mean_square(self, sums: FloatArray, kappa: FloatArray) -> FloatArray:
        """Return the mean squared error at kappa, shapes (.., 3 levels), (..) -> (..)."""
        count, miss, square = np.split(sums, 3, axis=-1)
        loss = np.minimum(1, kappa[..., None] * self.levels)
        total = (square - 2 * loss * miss + loss**2 * count).sum(axis=-1)
        out: FloatArray = total / count.sum(axis=-1)
        return out


def fit_confidence_constants(
    cf: npt.ArrayLike,
    ct: npt.ArrayLike,
    target_cc: npt.ArrayLike,
    *,
    seed: int,
    rho: float = RHO,
    clusters: npt.ArrayLike | None = None,
    B: int = 1_000,
    level: float = 0.95,
) -> ConfidenceFit:
    """Fit the scale kappa of confidence calibration to readers: alpha = rho kappa, beta = kappa.

    Parameters
    ----------
    cf, ct: normalised scores of the evaluator, shape (n,), 0 to 1.
    target_cc: calibration that readers gave, shape (n,), 0 to 1.
    seed, B, level: of the percentile bootstrap over items or `clusters` (Moll et al. 2025: B = 1,000).
    rho: ratio of the penalties.
    clusters: label per item.

    Raises
    ------
    StatsError: scores outside 0 to 1, NaN, unequal lengths, rho not positive.

    kappa in (0, 4] minimises the squared error, exactly. Undefined where no item has CT different from CF.
    Source: Moll et al. 2025, appendix G (kappa 0.728, alpha 1.092).

    """
    f, t = _scores(cf, ct)
    target, _ = _scores(target_cc, target_cc)
    if len(target) != len(f) or not rho > 0:
        raise StatsError(
            f"{len(target)} targets beside {len(f)} scores, rho {rho:g}; equal numbers, rho > 0 were expected"
        )
    penalty = rho * np.maximum(0, t - f) + np.maximum(0, f - t)
    zero = float(np.mean(penalty == 0)) if len(f) else 1.0
    method = f"least squares, rho = {rho:g}"
    if zero == 1:
        gone = missing("no item has a penalty, so the scale is free", level=level, method=method, n=len(f))
        return ConfidenceFit(gone, gone, gone, None, zero, None)
    loss = _Loss(penalty, target)
    grouped = rows(loss.columns, clusters, None)
    total = grouped.sums.sum(axis=0)
    value = float(loss.best(total))
    if value == 0:
        gone = missing(
            "the best scale is 0: the target shows no penalty", level=level, method=method, n=len(f)
        )
        return ConfidenceFit(gone, gone, gone, None, zero, None)
    draws = Resamples(grouped.n_clusters, arrays.draws(B), seed).apply(loss.best, grouped.sums)
    kappa = from_draws(value, draws, Settings(level=level), grouped.n_clusters)
    kappa = replace(kappa, method=f"{method}, {kappa.method}")
    mse = max(float(loss.mean_square(total, np.asarray(value))), 0.0)
    return ConfidenceFit(kappa, _scaled(kappa, rho), kappa, mse, zero, float(np.mean(value * penalty >= 1)))


def _scaled(r: Result, factor: float) -> Result:
    value, low, high = (None if v is None else factor * v for v in (r.value, r.low, r.high))
    return replace(r, value=value, low=low, high=high)
