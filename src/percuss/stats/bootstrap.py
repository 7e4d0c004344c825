"""Bootstrap intervals for functions of sums over clusters: one statistic, or several arms on shared draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays, resampling
from percuss.stats.multiplicity import holm
from percuss.stats.resampling import Method
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

#: A statistic of sums, vectorised: shape (.., m) -> (..). NaN or inf means undefined on that resample.
Statistic = Callable[["FloatArray"], "FloatArray"]

#: Share of resamples that may be undefined before the interval is (definitions/grounding.md, HDI).
MAX_DROPPED = 0.01
NAMES = {"percentile": "percentile", "basic": "basic", "bca": "BCa"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """How intervals are read from draws: level, method, and the clusters below which there is none."""

    level: float = 0.95
    method: Method = "percentile"
    min_clusters: int = 5  # of the interval policy; `cluster_bootstrap` has its own

    def __post_init__(self) -> None:
        """Refuse unknown methods and levels."""
        arrays.fraction("level", self.level)
        if self.method not in NAMES:
            raise StatsError(f"method is {self.method!r}; percentile, basic or bca was expected")


def evaluate(statistic: Statistic, sums: FloatArray) -> FloatArray:
    """Apply a statistic to sums, with NaN wherever it is undefined."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        out = np.asarray(statistic(sums), dtype=np.float64)
    if out.shape != sums.shape[:-1]:
        raise StatsError(
            f"the statistic gave shape {out.shape} for sums {sums.shape}; {sums.shape[:-1]} was expected"
        )
    return np.where(np.isfinite(out), out, np.nan)


def limits(
    value: float, draws: FloatArray, level: float, method: Method, jackknife: FloatArray | None = None
) -> tuple[float, float]:
    """Return the interval that finite draws give (Efron and Tibshirani 1993, chapters 13 and 14).

    Parameters
    ----------
    value: the statistic on the sample.
    draws: shape (B,), finite.
    level, method: see `Settings`.
    jackknife: leave-one-cluster-out values, shape (n_clusters,), needed by BCa.

    """
    tail = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "bca":
        if jackknife is None:
            raise StatsError("BCa needs the leave-one-out values of the statistic")
        z0, a = bias_and_acceleration(value, draws, jackknife)
        z = z0 + special.ndtri(tail)
        tail = special.ndtr(z0 + z / np.maximum(1 - a * z, 1e-9))
    low, high = (float(x) for x in np.quantile(draws, tail))
    return (2 * value - high, 2 * value - low) if method == "basic" else (low, high)


def bias_and_acceleration(value: float, draws: FloatArray, jackknife: FloatArray) -> tuple[float, float]:
    """Return BCa's bias correction and acceleration (Efron and Tibshirani 1993, eq. 14.14 and 14.15)."""
    below = (np.mean(draws < value) + np.mean(draws <= value)) / 2
    z0 = float(special.ndtri(np.clip(below, 0.5 / len(draws), 1 - 0.5 / len(draws))))
    d = jackknife.mean() - jackknife
    spread = float(np.sum(d**2))
    return z0, float(np.sum(d**3)) / (6 * spread**1.5) if spread > 0 else 0.0


def two_sided_p(differences: FloatArray) -> float:
    """Return min(1, max(2 min(P[d <= 0], P[d >= 0]), 1/B)) of bootstrap differences (Gonehal et al. 2026, appendix E)."""
    side = min(float(np.mean(differences <= 0)), float(np.mean(differences >= 0)))
    return min(1.0, max(2 * side, 1 / len(differences)))


def from_draws(
    value: float,
    draws: FloatArray,
    settings: Settings,
    n: int,
    *,
    jackknife: FloatArray | None = None,
    difference: bool = False,
) -> Result:
    """Read one result from a statistic's value on the sample and on the resamples.

    Parameters
    ----------
    value: NaN where undefined on the sample.
    draws: shape (B,), NaN where undefined; dropped and counted, above 1% of B the interval is undefined.
    settings, jackknife: see `limits`.
    n: clusters.
    difference: also give the two-sided p of "no difference"; where too many resamples are undefined it is too.

    """
    method = f"cluster bootstrap, {NAMES[settings.method]}, B = {len(draws)}"
    if np.isnan(value):
        return missing("the statistic is undefined on this sample", level=settings.level, method=method, n=n)
    kept = draws[~np.isnan(draws)]
    dropped = len(draws) - len(kept)
    notes = (f"{dropped} of {len(draws)} resamples were undefined and dropped",) if dropped else ()
    reason = None
    if n < settings.min_clusters:
        reason = f"{n} clusters; at least {settings.min_clusters} are needed"
    elif dropped > MAX_DROPPED * len(draws):
        reason = f"{dropped} of {len(draws)} resamples are undefined, more than 1%"
    p = two_sided_p(kept) if difference and reason is None else None
    if reason is None and np.ptp(kept) == 0:
        reason = "every resample gives the same value"
    low = high = None
    if reason is None:
        loo = None if jackknife is None else jackknife[~np.isnan(jackknife)]
        low, high = limits(value, kept, settings.level, settings.method, loo)
    return Result(
        value=value,
        low=low,
        high=high,
        level=settings.level,
        method=method,
        n=n,
        undefined=reason,
        p=p,
        notes=notes,
        dropped=dropped,
    )


def bootstrap_draws(
    statistic: Statistic,
    arms: Sequence[npt.ArrayLike],
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
) -> FloatArray:
    """Resample one statistic of several arms on shared draws.

    Parameters
    ----------
    statistic: vectorised function of sums, shape (.., m) -> (..).
    arms: per arm the quantities summed, shape (rows, m); rows are the same cases in the same order in all arms.
    seed, clusters, epochs, B: as in `cluster_bootstrap`.

    Returns
    -------
    Shape (B, arms), NaN where the statistic is undefined.

    Raises
    ------
    StatsError: as `cluster_bootstrap`.

    """
    grouped, k, m = _stack(arms, clusters, epochs)
    return _draw(statistic, grouped, (k, m), B, seed)


def _draw(
    statistic: Statistic, grouped: resampling.Rows, shape: tuple[int, int], B: int, seed: int
) -> FloatArray:
    resamples = resampling.Resamples(grouped.n_clusters, arrays.draws(B), seed)
    return resamples.apply(lambda sums: evaluate(statistic, sums.reshape(-1, *shape)), grouped.sums)


def _stack(
    arms: Sequence[npt.ArrayLike], clusters: npt.ArrayLike | None, epochs: npt.ArrayLike | None
) -> tuple[resampling.Rows, int, int]:
    columns = [arrays.matrix(f"arm {i}", arm, shape="(rows, columns)") for i, arm in enumerate(arms)]
    if not columns or len({c.shape for c in columns}) != 1:
        shapes = ", ".join(str(c.shape) for c in columns) or "nothing"
        raise StatsError(
            f"arms of shapes {shapes} came; the same rows and columns in every arm were expected"
        )
    return resampling.rows(np.hstack(columns), clusters, epochs), len(columns), columns[0].shape[1]


def cluster_bootstrap(
    statistic: Statistic,
    columns: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "percentile",
    min_clusters: int = 2,
) -> Result:
    """Bootstrap interval of any smooth function of sums, resampling whole clusters.

    Parameters
    ----------
    statistic: vectorised function of sums, shape (.., m) -> (..); NaN where undefined.
    columns: the quantities summed, shape (rows, m), one row a case (or case and epoch).
    seed: of the draws.
    clusters: label per row, shape (rows,); None: each row is a cluster.
    epochs: label per row; the sums of a cluster are divided by the number of its epochs.
    B: resamples.
    level, method: of the interval; BCa leaves out one cluster at a time.
    min_clusters: fewer leave the interval undefined.

    Raises
    ------
    StatsError: NaN, shapes that don't fit, B < 1.

    Not for means of fewer than about 20 clusters (intervals too short): `student_t` over cluster means.
    Source: Davison and Hinkley (1997), sections 2.4 and 3.8; Efron and Tibshirani (1993).

    """
    settings = Settings(level=level, method=method, min_clusters=min_clusters)
    shared = _Shared(statistic, [columns], clusters=clusters, epochs=epochs, B=B, seed=seed)
    return from_draws(
        float(shared.values[0]),
        shared.draws[:, 0],
        settings,
        shared.n,
        jackknife=shared.jackknife(settings, 0),
    )


class _Shared:
    """Values, draws and leave-one-out values of several arms on the same resamples."""

    def __init__(
        self,
        statistic: Statistic,
        arms: Sequence[npt.ArrayLike],
        *,
        clusters: npt.ArrayLike | None,
        epochs: npt.ArrayLike | None,
        B: int,
        seed: int,
    ) -> None:
        self.grouped, self.k, self.m = _stack(arms, clusters, epochs)
        self.n = self.grouped.n_clusters
        self.statistic = statistic
        self.values = evaluate(statistic, self.grouped.sums.sum(axis=0).reshape(self.k, self.m))
        self.draws = _draw(statistic, self.grouped, (self.k, self.m), B, seed)

    def jackknife(self, settings: Settings, first: int, second: int | None = None) -> FloatArray | None:
        """Leave-one-cluster-out values of an arm or of a difference; None unless BCa asks for them."""
        if settings.method != "bca":
            return None
        per = self.grouped.sums
        out = evaluate(self.statistic, (per.sum(axis=0) - per).reshape(self.n, self.k, self.m))
        return out[:, first] if second is None else out[:, first] - out[:, second]


@dataclass(frozen=True, slots=True)
class Difference:
    """Arm `first` minus arm `second`, with its p after Holm's correction over all pairs."""

    first: int
    second: int
    result: Result
    p_holm: float | None

    @property
    def separates(self) -> bool:
        """Whether the pair differs after Holm's correction at the level of the interval."""
        return self.p_holm is not None and self.p_holm <= 1 - self.result.level

    def __str__(self) -> str:
        """Print the pair, its difference and both p in one line."""
        holm_p = "" if self.p_holm is None else f", Holm p = {self.p_holm:.4g}"
        return f"arm {self.first} - arm {self.second}: {self.result}{holm_p}"


@dataclass(frozen=True, slots=True)
class Paired:
    """Every arm's estimate and all pairwise differences on the same draws."""

    arms: tuple[Result, ...]
    differences: tuple[Difference, ...]

    def between(self, first: int, second: int) -> Difference:
        """Return the difference of two arms in the order stored (`first` < `second`)."""
        for d in self.differences:
            if (d.first, d.second) == (first, second):
                return d
        raise StatsError(f"pair ({first}, {second}) of {len(self.arms)} arms; first < second was expected")

    def __str__(self) -> str:
        """Print how many pairs separate, with the method, in one line."""
        apart = sum(d.separates for d in self.differences)
        return f"{apart} of {len(self.differences)} pairs separate after Holm; paired cluster bootstrap"


def paired_bootstrap(
    statistic: Statistic,
    arms: Sequence[npt.ArrayLike],
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "percentile",
    min_clusters: int = 2,
) -> Paired:
    """All pairwise differences of a statistic between arms that saw the same cases.

    Parameters
    ----------
    statistic: vectorised function of sums, shape (.., m) -> (..).
    arms: at least two arrays of shape (rows, m), the same cases in the same order; zeros where an arm has no data.
    seed, clusters, epochs, B, level, method, min_clusters: as in `cluster_bootstrap`.

    Raises
    ------
    StatsError: fewer than two arms, arms of different shapes, NaN.

    H0 of each p: the statistic is equal in both arms. p = min(1, max(2 min(P[d <= 0], P[d >= 0]), 1/B)),
    Holm over all pairs (Gonehal et al. 2026, appendix E). Not for arms run on different cases.

    """
    if len(arms) < 2:
        raise StatsError(f"{len(arms)} arms came; at least two were expected")
    settings = Settings(level=level, method=method, min_clusters=min_clusters)
    shared = _Shared(statistic, arms, clusters=clusters, epochs=epochs, B=B, seed=seed)
    singles = tuple(
        from_draws(float(v), shared.draws[:, i], settings, shared.n, jackknife=shared.jackknife(settings, i))
        for i, v in enumerate(shared.values)
    )
    pairs = list(combinations(range(shared.k), 2))
    results = [
        from_draws(
            float(shared.values[i] - shared.values[j]),
            shared.draws[:, i] - shared.draws[:, j],
            settings,
            shared.n,
            jackknife=shared.jackknife(settings, i, j),
            difference=True,
        )
        for i, j in pairs
    ]
    return Paired(singles, with_holm(pairs, results))


def with_holm(pairs: Sequence[tuple[int, int]], results: Sequence[Result]) -> tuple[Difference, ...]:
    """Attach Holm's p over the pairs that have one."""
    known = [i for i, r in enumerate(results) if r.p is not None]
    corrected = dict(zip(known, holm([p for r in results if (p := r.p) is not None]), strict=True))
    return tuple(
        Difference(first, second, result, corrected.get(i))
        for i, ((first, second), result) in enumerate(zip(pairs, results, strict=True))
    )
