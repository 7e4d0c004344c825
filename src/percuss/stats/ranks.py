"""Rank correlation: Kendall's tau-b with ties, Spearman's rho with an exact p."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.bootstrap import Settings, from_draws
from percuss.stats.intervals import z_value
from percuss.stats.resampling import Resamples
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray, IntArray

#: Distinct (x, y) pairs up to which all pairs of them are compared: 200 MB of signs.
MAX_DISTINCT = 5_000
#: Without ties the exact distribution is used up to here, as in scipy and R's cor.test.
EXACT_TAU = 33
#: Items up to which all orders are counted for Spearman's p (spec statistics.md).
EXACT_RHO = 10


class Tau:
    """Tau-b of weighted items: numerator and denominators are quadratic forms of the item weights."""

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        _, xi = np.unique(x, return_inverse=True)
        _, yi = np.unique(y, return_inverse=True)
        cells, self.cell = np.unique(xi * (yi.max() + 1) + yi, return_inverse=True)
        if len(cells) > MAX_DISTINCT:
            raise StatsError(
                f"{len(cells)} distinct pairs came; tau compares all of them, {MAX_DISTINCT} at most"
            )
        a, b = np.divmod(cells, yi.max() + 1)
        sign_x = np.sign(np.subtract.outer(a, a)).astype(np.float64)
        sign_y = np.sign(np.subtract.outer(b, b)).astype(np.float64)
        self.concordance = sign_x * sign_y
        self.untied_x, self.untied_y = np.abs(sign_x), np.abs(sign_y)
        self.order = np.argsort(self.cell, kind="stable")
        self.starts = np.searchsorted(self.cell[self.order], np.arange(len(cells)))

    def numerator(self, weights: FloatArray) -> FloatArray:
        """Return twice concordant minus discordant pairs of items drawn `weights` times, shape (.., items) -> (..)."""
        return self._form(self._by_cell(weights), self.concordance)

    def __call__(self, weights: FloatArray) -> FloatArray:
        """Return tau-b, shape (.., items) -> (..), NaN where x or y has one value only."""
        w = self._by_cell(weights)
        scale = np.sqrt(self._form(w, self.untied_x) * self._form(w, self.untied_y))
        with np.errstate(divide="ignore", invalid="ignore"):
            out: FloatArray = np.where(scale > 0, self._form(w, self.concordance) / scale, np.nan)
        return out

    def _by_cell(self, weights: FloatArray) -> FloatArray:
        out: FloatArray = np.add.reduceat(weights[..., self.order], self.starts, axis=-1)
        return out

    @staticmethod
    def _form(w: FloatArray, matrix: FloatArray) -> FloatArray:
        out: FloatArray = ((w @ matrix) * w).sum(axis=-1)
        return out


class ItemResamples:
    """Weights of items from resampled clusters, the same in every pass."""

    def __init__(self, n: int, clusters: npt.ArrayLike | None, B: int, seed: int) -> None:
        self.cluster: IntArray | None = None
        self.n_clusters = n
        if clusters is not None:
            self.cluster, self.n_clusters = arrays.codes("clusters", clusters, length=n)
        self.resamples = Resamples(self.n_clusters, arrays.draws(B), seed)

    def apply(self, statistic: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Evaluate a statistic of item weights, shape (b, items) -> (b,), on all draws."""
        weights = (w if self.cluster is None else w[:, self.cluster] for w in self.resamples)
        return np.concatenate([statistic(w) for w in weights])


def kendall_tau_b(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Kendall's tau-b, corrected for ties, with a percentile bootstrap interval over items.

    Parameters
    ----------
    x, y: values or ordinal scores of the same items, shape (n,).
    seed, B: of the bootstrap.
    clusters: label per item; clusters are resampled.
    level: confidence level.

    Raises
    ------
    StatsError: NaN, unequal lengths, more than 5,000 distinct pairs.

    `p` is two-sided for H0 "independent": exact without ties up to 33 items, else normal with the tie-corrected
    variance; it takes items as independent. Undefined where x or y has a single value.
    Sources: Kendall (1945), Biometrika 33:239; Moll et al. 2025, Table 2 and appendix F.

    """
    a = arrays.vector("x", x)
    b = arrays.vector("y", y, length=len(a))
    n = len(a)
    settings = Settings(level=level)
    if n < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        reason = (
            "fewer than two items" if n < 2 else f"all values of {'x' if np.ptp(a) == 0 else 'y'} are equal"
        )
        return missing(reason, level=level, method="Kendall tau-b", n=n)
    tau = Tau(a, b)
    one = np.ones(n)
    resamples = ItemResamples(n, clusters, B, seed)
    r = from_draws(float(tau(one)), resamples.apply(tau), settings, resamples.n_clusters)
    p, how = _tau_p(round(float(tau.numerator(one)) / 2), a, b)
    return Result(
        value=r.value,
        low=r.low,
        high=r.high,
        level=level,
        method=f"Kendall tau-b, {r.method}, {how} p",
        n=n,
        undefined=r.undefined,
        p=p,
        notes=r.notes,
        dropped=r.dropped,
    )


def _tau_p(score: int, x: FloatArray, y: FloatArray) -> tuple[float, str]:
    """Two-sided p of S = concordant - discordant (Kendall 1970, chapters 4 and 5)."""
    n = len(x)
    tx, ty = (np.unique(v, return_counts=True)[1].astype(np.float64) for v in (x, y))
    pairs = n * (n - 1) // 2
    if len(tx) == len(ty) == n <= EXACT_TAU:
        inversions = np.ones(1)
        for j in range(1, n):
            inversions = np.convolve(inversions, np.ones(j + 1)) / (j + 1)
        extreme = (pairs - abs(score)) // 2
        return min(1.0, 2 * float(inversions[: extreme + 1].sum())), "exact"

    def ties(t: FloatArray) -> tuple[float, float, float]:
        return (
            float((t * (t - 1)).sum()),
            float((t * (t - 1) * (t - 2)).sum()),
            float((t * (t - 1) * (2 * t + 5)).sum()),
        )

    (x2, x3, xv), (y2, y3, yv) = ties(tx), ties(ty)
    variance = (n * (n - 1) * (2 * n + 5) - xv - yv) / 18 + x2 * y2 / (2 * n * (n - 1))
    if n > 2:
        variance += x3 * y3 / (9 * n * (n - 1) * (n - 2))
    return float(special.erfc(abs(score) / np.sqrt(2 * variance))), "tie-corrected"


def midranks(x: FloatArray) -> FloatArray:
    """Return ranks from 1, ties at their mean rank, shape (n,)."""
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    upper = np.cumsum(counts)
    out: FloatArray = (upper - (counts - 1) / 2)[inverse]
    return out


def spearman_exact(x: npt.ArrayLike, y: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Spearman's rho; its two-sided p counts all orders for up to 10 items.

    Parameters
    ----------
    x, y: values of the same items, shape (n,); ties get mean ranks.
    level: of the Bonett-Wright interval, which needs 4 items and |rho| < 1.

    Raises
    ------
    StatsError: NaN, unequal lengths.

    Above 10 items p is Student's t approximation. Undefined where x or y has a single value.
    Sources: Bonett and Wright (2000), Psychometrika 65:23; Colelough et al. 2026, section 5.3 (rho -0.7143, n 8, p 0.0576).

    >>> print(spearman_exact(range(1, 9), [4, 7, 8, 5, 6, 3, 2, 1]))
    -0.7143 [-0.9543, 0.0859] 95% Spearman, exact permutation p, n = 8, p = 0.05759

    """
    a = arrays.vector("x", x)
    b = arrays.vector("y", y, length=len(a))
    n = len(a)
    z = z_value(level)
    if n < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        reason = (
            "fewer than two items" if n < 2 else f"all values of {'x' if np.ptp(a) == 0 else 'y'} are equal"
        )
        return missing(reason, level=level, method="Spearman", n=n)
    ranks = midranks(a), midranks(b)
    rho = float(np.clip(np.corrcoef(*ranks)[0, 1], -1, 1))
    exact = n <= EXACT_RHO
    p = _rho_p_exact(*ranks) if exact else _rho_p_t(rho, n)
    method = f"Spearman, {'exact permutation' if exact else 't approximation'} p"
    if n < 4 or abs(rho) > 1 - 1e-12:
        reason = "fewer than four items" if n < 4 else "the orders agree or oppose throughout"
        return Result(value=rho, low=None, high=None, level=level, method=method, n=n, undefined=reason, p=p)
    half = z * ((1 + rho**2 / 2) / (n - 3)) ** 0.5
    centre = np.arctanh(rho)
    low, high = (float(np.tanh(centre + d)) for d in (-half, half))
    return Result(value=rho, low=low, high=high, level=level, method=method, n=n, p=p)


def _rho_p_exact(x: FloatArray, y: FloatArray) -> float:
    """Share of orders at least as extreme, by counting the sums of rank products over all subsets of y."""
    a, b = (2 * x).astype(np.int64), (2 * y).astype(np.int64)
    n = len(a)
    top = int(np.sort(a) @ np.sort(b))
    ways: dict[int, IntArray] = {0: np.zeros(top + 1, dtype=np.int64)}
    ways[0][0] = 1
    for i in range(n):
        grown: dict[int, IntArray] = {}
        for used, sums in ways.items():
            for j in range(n):
                if not used >> j & 1:
                    step = int(a[i] * b[j])
                    target = grown.setdefault(used | 1 << j, np.zeros(top + 1, dtype=np.int64))
                    target[step:] += sums[: top + 1 - step]
        ways = grown
    (counts,) = ways.values()
    # Sums of products of doubled ranks against their mean: whole numbers after multiplying by n.
    away = np.abs(n * np.arange(top + 1) - int(a.sum() * b.sum()))
    return float(counts[away >= abs(n * int(a @ b) - int(a.sum() * b.sum()))].sum() / counts.sum())


def _rho_p_t(rho: float, n: int) -> float:
    if abs(rho) > 1 - 1e-12:
        return 0.0
    t = abs(rho) * ((n - 2) / (1 - rho**2)) ** 0.5
    return float(2 * special.stdtr(n - 2, -t))
