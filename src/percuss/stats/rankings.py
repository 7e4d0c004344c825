"""Rankings of models by several judges: Bradley-Terry strengths and mean ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.bootstrap import Settings, from_draws
from percuss.stats.ratios import ratio_bootstrap
from percuss.stats.resampling import Resamples, rows
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

NEWTON_STEPS = 60


def _rankings(rankings: npt.ArrayLike) -> FloatArray:
    x = np.asarray(rankings, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 2 or np.isinf(x).any():
        raise StatsError(
            f"rankings have shape {x.shape}; (rankings, items), rank 1 best, NaN where unranked, was expected"
        )
    return x


def mean_rank(
    rankings: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> tuple[Result, ...]:
    """Mean rank of each item over the rankings that hold it.

    Parameters
    ----------
    rankings: shape (rankings, items), 1 = best, ties as equal (mean) ranks, NaN where unranked.
    seed, B, level: of the percentile bootstrap over rankings or `clusters`, on shared draws.
    clusters: label per ranking (question, rater).

    Raises
    ------
    StatsError: not two dimensions, fewer than two items.

    Comparable between items only where all were ranked together; else `bradley_terry`.

    """
    x = _rankings(rankings)
    held = ~np.isnan(x)
    return tuple(
        ratio_bootstrap(
            np.where(held[:, j], x[:, j], 0),
            held[:, j].astype(float),
            seed=seed,
            clusters=clusters,
            B=B,
            level=level,
        )
        for j in range(x.shape[1])
    )


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """Log strengths of the items, mean 0: item i is preferred to j with odds exp(strength i - strength j)."""

    strengths: tuple[Result, ...]

    def preference(self, first: int, second: int) -> float | None:
        """Return the modelled probability that `first` is preferred to `second`."""
        a, b = self.strengths[first].value, self.strengths[second].value
        return None if a is None or b is None else float(1 / (1 + np.exp(b - a)))

    def __str__(self) -> str:
        """Print the strengths in one line."""
        if self.strengths[0].value is None:
            return str(self.strengths[0])
        values = ", ".join(f"{r.value:+.3f}" for r in self.strengths)
        return f"log strengths {values}; {self.strengths[0].method}"


def bradley_terry(
    rankings: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 2_000,
    level: float = 0.95,
) -> BradleyTerry:
    """Bradley-Terry strengths from the pairs that rankings imply, with bootstrap intervals over rankings.

    Parameters
    ----------
    rankings: shape (rankings, items), 1 = best, ties count half for each, NaN where not compared; a single
        comparison is a row with two ranks.
    seed, B, level: of the percentile bootstrap over rankings or `clusters`.
    clusters: label per ranking.

    Raises
    ------
    StatsError: not two dimensions, fewer than two items.

    Undefined where the items fall into groups of which one never beats the other: no finite strengths exist then
    (Ford 1957). Source: Bradley and Terry (1952), Biometrika 39:324.

    """
    x = _rankings(rankings)
    k = x.shape[1]
    grouped = rows(_wins(x).reshape(len(x), k * k), clusters, None)
    n = grouped.n_clusters
    value = _strengths(grouped.sums.sum(axis=0).reshape(1, k, k))[0]
    if np.isnan(value).any():
        reason = "some items never beat, or never lose to, the others, directly or by way of others"
        gone = missing(reason, level=level, method="Bradley-Terry", n=n)
        return BradleyTerry((gone,) * k)
    resamples = Resamples(grouped.n_clusters, arrays.draws(B), seed)
    draws = resamples.apply(lambda sums: _strengths(sums.reshape(-1, k, k)), grouped.sums)
    results = (from_draws(float(value[j]), draws[:, j], Settings(level=level), n) for j in range(k))
    return BradleyTerry(tuple(replace(r, method=f"Bradley-Terry, {r.method}") for r in results))


def _wins(x: FloatArray) -> FloatArray:
    """Return per ranking who was placed before whom, shape (rankings, items, items), ties one half each."""
    first, second = x[:, :, None], x[:, None, :]
    wins = (first < second) + 0.5 * (first == second)
    wins[:, np.arange(x.shape[1]), np.arange(x.shape[1])] = 0
    out: FloatArray = wins.astype(np.float64)
    return out


def _strengths(wins: FloatArray) -> FloatArray:
    """Maximum likelihood log strengths, shape (b, k, k) -> (b, k), NaN where no finite maximum exists."""
    k = wins.shape[-1]
    games = wins + wins.swapaxes(-1, -2)
    reach = ((wins > 0) | np.eye(k, dtype=bool)).astype(np.float64)
    for _ in range(int(np.ceil(np.log2(k))) + 1):
        reach = np.minimum(reach @ reach, 1)
    connected = (reach > 0).all(axis=(-1, -2))
    theta = np.zeros(wins.shape[:-1])
    todo = np.flatnonzero(connected)
    for _ in range(NEWTON_STEPS):
        if not todo.size:
            break
        t = theta[todo]
        p = 1 / (1 + np.exp(t[:, None, :] - t[:, :, None]))
        gradient = (wins[todo] - games[todo] * p).sum(axis=-1)
        curvature = games[todo] * p * (1 - p)
        # Adding 1 everywhere fixes the free mean of the strengths, which the likelihood leaves open.
        hessian = np.eye(k) * curvature.sum(axis=-1)[:, :, None] - curvature + 1.0
        step = np.clip(np.linalg.solve(hessian, gradient[..., None])[..., 0], -1, 1)
        theta[todo] = t + step
        todo = todo[np.abs(step).max(axis=-1) > 1e-10]
    theta[~connected] = np.nan
    out: FloatArray = theta - theta.mean(axis=-1, keepdims=True)
    return out
