"""Closed-form intervals for rates, differences, ratios and means.

The `*_limits` functions are the formulas on arrays (used by simulations); the functions beside them check their
input and return one `Result`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

NO_TRIALS = "no trials: n is 0"


def z_value(level: float) -> float:
    """Return the two-sided standard normal quantile of a confidence level, 1.96 at 0.95."""
    return float(special.ndtri(0.5 + arrays.fraction("level", level) / 2))


def wilson_limits(k: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Wilson score limits on arrays of counts, n > 0 (Wilson 1927; Newcombe 1998a, method 3)."""
    k, n = np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64)
    z = z_value(level)
    centre = k + z * z / 2
    half = z * np.sqrt(k * (n - k) / n + z * z / 4)
    low = np.where(k == 0, 0.0, (centre - half) / (n + z * z))
    high = np.where(k == n, 1.0, (centre + half) / (n + z * z))
    return low, high


def wilson(k: float, n: float, *, level: float = 0.95) -> Result:
    """Wilson score interval of a proportion.

    Parameters
    ----------
    k: successes, 0 <= k <= n.
    n: independent trials; 0 gives an undefined result.
    level: confidence level.

    Raises
    ------
    StatsError: k > n, a negative or non-finite count, a level outside (0, 1).

    Not for clustered trials (several claims of one patient): `cluster_bootstrap`. Source: Wilson (1927), JASA 22.

    >>> print(wilson(1090, 5543))  # Colelough et al. 2026, section 4
    0.1966 [0.1864, 0.2073] 95% Wilson, n = 5543

    """
    k, n = arrays.successes(k, n)
    if n == 0:
        return missing(NO_TRIALS, level=level, method="Wilson", n=0)
    low, high = wilson_limits(k, n, level)
    return Result(value=k / n, low=float(low), high=float(high), level=level, method="Wilson", n=round(n))


def clopper_pearson_limits(
    k: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Clopper-Pearson limits on arrays of counts, n > 0."""
    k, n = np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64)
    tail = (1 - arrays.fraction("level", level)) / 2
    low = np.where(k == 0, 0.0, special.betaincinv(np.maximum(k, 1e-9), n - k + 1, tail))
    high = np.where(k == n, 1.0, special.betaincinv(k + 1, np.maximum(n - k, 1e-9), 1 - tail))
    return low, high


def clopper_pearson(k: float, n: float, *, level: float = 0.95) -> Result:
    """Exact (conservative) interval of a proportion; coverage is at least `level` at every rate.

    Parameters
    ----------
    k, n, level: as in `wilson`.

    Raises
    ------
    StatsError: as in `wilson`.

    For assurances ("at most 1% in truth"); for estimates Wilson is shorter. Source: Clopper and Pearson (1934).

    >>> print(clopper_pearson(0, 368))
    0.0000 [0.0000, 0.0100] 95% Clopper-Pearson, n = 368

    """
    k, n = arrays.successes(k, n)
    if n == 0:
        return missing(NO_TRIALS, level=level, method="Clopper-Pearson", n=0)
    low, high = clopper_pearson_limits(k, n, level)
    return Result(
        value=k / n, low=float(low), high=float(high), level=level, method="Clopper-Pearson", n=round(n)
    )


def mover_difference_limits(
    a: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    b: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    correlation: npt.ArrayLike = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Limits of a - b from two (value, low, high) on arrays (Zou and Donner 2008, eq. 3)."""
    (va, la, ha), (vb, lb, hb) = (tuple(np.asarray(x, dtype=np.float64) for x in t) for t in (a, b))

    together = np.asarray(correlation, dtype=np.float64)

    def distance(x: FloatArray, y: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):  # an interval of a ratio to next to nothing has no end
            out: FloatArray = np.sqrt(np.maximum(x**2 - 2 * together * x * y + y**2, 0))
        return out

    return va - vb - distance(va - la, hb - vb), va - vb + distance(ha - va, vb - lb)


def mover_difference(a: Result, b: Result) -> Result:
    """Interval of a - b from the two intervals alone, as if independent.

    Parameters
    ----------
    a, b: results of one level with both bounds; an undefined part makes the difference undefined.

    Raises
    ------
    StatsError: intervals of different levels.

    Where a bootstrap has no width (no events in one arm). For paired arms it is conservative when they agree.
    Source: Zou and Donner (2008), Stat Med 27:1693.

    """
    level = require_same_level(a, b)
    n = min(a.n, b.n)
    if a.value is None or b.value is None:
        return missing(
            f"one side is undefined ({a.undefined or b.undefined})", level=level, method="MOVER", n=n
        )
    value = a.value - b.value
    if a.low is None or a.high is None or b.low is None or b.high is None:
        reason = f"the interval of one side is undefined ({a.undefined or b.undefined})"
        return Result(value=value, low=None, high=None, level=level, method="MOVER", n=n, undefined=reason)
    low, high = mover_difference_limits((a.value, a.low, a.high), (b.value, b.low, b.high))
    return Result(value=value, low=float(low), high=float(high), level=level, method="MOVER", n=n)


def newcombe_limits(
    k1: npt.ArrayLike, n1: npt.ArrayLike, k2: npt.ArrayLike, n2: npt.ArrayLike, level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Newcombe's hybrid score limits of k1/n1 - k2/n2 on arrays of counts (Newcombe 1998b, method 10)."""
    p1, p2 = np.asarray(k1) / np.asarray(n1), np.asarray(k2) / np.asarray(n2)
    return mover_difference_limits((p1, *wilson_limits(k1, n1, level)), (p2, *wilson_limits(k2, n2, level)))


def newcombe(k1: float, n1: float, k2: float, n2: float, *, level: float = 0.95) -> Result:
    """Hybrid score interval of the difference of two independent proportions, k1/n1 - k2/n2.

    Parameters
    ----------
    k1, n1: successes and trials of the first sample.
    k2, n2: of the second; an empty sample gives an undefined result.
    level: confidence level.

    Raises
    ------
    StatsError: k > n, negative or non-finite counts.

    Not for the same cases under two arms (paired): `paired_bootstrap`. Source: Newcombe (1998), Stat Med 17:873.

    >>> print(newcombe(56, 70, 48, 80))
    0.2000 [0.0524, 0.3339] 95% Newcombe, n = 150

    """
    (k1, n1), (k2, n2) = arrays.successes(k1, n1), arrays.successes(k2, n2)
    n = round(n1 + n2)
    if n1 == 0 or n2 == 0:
        return missing("one sample has no trials", level=level, method="Newcombe", n=n)
    low, high = newcombe_limits(k1, n1, k2, n2, level)
    return Result(
        value=k1 / n1 - k2 / n2, low=float(low), high=float(high), level=level, method="Newcombe", n=n
    )


def mover_ratio_limits(
    a: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    b: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    correlation: npt.ArrayLike = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Limits of a / b from two (value, low, high), values not negative (Donner and Zou 2012, eq. 9).

    Written with the root in the denominator, so that it holds where the printed form divides by zero
    (high_b = 2 b). The upper limit is infinite where low_b is not above 0.
    """
    (va, la, ha), (vb, lb, hb) = (tuple(np.asarray(x, dtype=np.float64) for x in t) for t in (a, b))
    product, r = va * vb, np.asarray(correlation, dtype=np.float64)
    c = la * (2 * va - la)
    middle = product - r * (va - la) * (hb - vb)
    below = middle + np.sqrt(np.maximum(middle**2 - c * hb * (2 * vb - hb), 0))
    scale = lb * (2 * vb - lb)
    middle = product - r * (ha - va) * (vb - lb)
    above = middle + np.sqrt(np.maximum(middle**2 - ha * (2 * va - ha) * scale, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where((c == 0) | (below <= 0), 0.0, c / below)
        high = np.where(lb <= 0, np.inf, above / scale)
    return low, high


def mover_ratio(k1: float, n1: float, k2: float, n2: float, *, level: float = 0.95) -> Result:
    """MOVER interval of the ratio of two independent proportions, (k1/n1) / (k2/n2), with Wilson limits.

    Parameters
    ----------
    k1, n1: successes and trials of the numerator's sample.
    k2, n2: of the denominator's; k2 = 0 gives an undefined result.
    level: confidence level.

    Raises
    ------
    StatsError: k > n, negative or non-finite counts.

    For few events, where a bootstrap of the ratio is too short; it takes trials as independent.
    Source: Donner and Zou (2012), Stat Methods Med Res 21:347; Zou and Donner (2008), Stat Med 27:1693.

    """
    (k1, n1), (k2, n2) = arrays.successes(k1, n1), arrays.successes(k2, n2)
    n = round(n1 + n2)
    if n1 == 0 or n2 == 0 or k2 == 0:
        reason = "the denominator has no events" if n1 and n2 else "one sample has no trials"
        return missing(reason, level=level, method="MOVER (Wilson limits)", n=n)
    p1, p2 = k1 / n1, k2 / n2
    low, high = mover_ratio_limits((p1, *wilson_limits(k1, n1, level)), (p2, *wilson_limits(k2, n2, level)))
    return Result(
        value=p1 / p2, low=float(low), high=float(high), level=level, method="MOVER (Wilson limits)", n=n
    )


def student_t(values: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Student's interval of a mean of independent values.

    Parameters
    ----------
    values: shape (n,); fewer than 2, or all equal, leave the interval undefined.
    level: confidence level.

    Raises
    ------
    StatsError: NaN or infinite values, wrong shape.

    >>> print(student_t([1.0, 2.0, 3.0, 4.0]))
    2.5000 [0.4457, 4.5543] 95% Student t, n = 4

    """
    x = arrays.vector("values", values)
    arrays.fraction("level", level)
    n = len(x)
    if n == 0:
        return missing("no values", level=level, method="Student t", n=0)
    mean = float(x.mean())
    spread = float(x.std(ddof=1)) if n > 1 else 0.0
    if n == 1 or spread == 0:
        reason = "one value has no spread" if n == 1 else "all values are equal"
        return Result(value=mean, low=None, high=None, level=level, method="Student t", n=n, undefined=reason)
    half = float(special.stdtrit(n - 1, 0.5 + level / 2)) * spread / n**0.5
    return Result(value=mean, low=mean - half, high=mean + half, level=level, method="Student t", n=n)


def bounds_over_exclusions(k: float, n: float, excluded: float, *, level: float = 0.95) -> Result:
    """Where a rate could lie had the excluded items been scored: all of them 0 (low), all of them 1 (high).

    Parameters
    ----------
    k, n: events and scored items.
    excluded: items left out (conflict, abstained, unparsable, error).
    level: level of the Wilson interval kept in `alternative`, which spans both extremes with sampling error.

    Raises
    ------
    StatsError: k > n, negative or non-finite counts.

    A bound, not a confidence interval: with nothing excluded it has width 0 by construction.

    >>> print(bounds_over_exclusions(10, 100, 20))
    0.1000 [0.0833, 0.2500] 95% bounds over 20 excluded, n = 100

    """
    k, n = arrays.successes(k, n)
    e = arrays.count("excluded", excluded)
    method = f"bounds over {e:g} excluded"
    if n + e == 0:
        return missing(NO_TRIALS, level=level, method=method, n=0)
    if n == 0:
        return missing("every item was excluded", level=level, method=method, n=0)
    low, _ = wilson_limits(k, n + e, level)
    _, high = wilson_limits(k + e, n + e, level)
    both = Result(
        value=k / n, low=float(low), high=float(high), level=level, method=f"Wilson over {method}", n=round(n)
    )
    return Result(
        value=k / n,
        low=k / (n + e),
        high=(k + e) / (n + e),
        level=level,
        method=method,
        n=round(n),
        alternative=both,
    )


def p_from_limits(value: float, low: float, high: float, level: float) -> float:
    """Return the two-sided p of "no difference" that an interval implies on the side that faces 0.

    Below 1 - level exactly where the interval leaves 0 out.
    """
    reach = (value - low if value > 0 else high - value) / z_value(level)
    if value == 0:
        return 1.0
    return float(2 * special.ndtr(-abs(value) / reach)) if reach > 0 else 0.0


def p_of_interval(value: float, low: float, high: float, level: float, df: float) -> float:
    """Return the two-sided p that an interval with t quantiles implies on the side that faces 0.

    Parameters
    ----------
    value, low, high, level: of the interval. df: degrees of freedom that its t quantile was taken at.

    Below 1 - level exactly where the interval leaves 0 out.
    """
    if value == 0:
        return 1.0
    reach = (value - low if value > 0 else high - value) / float(special.stdtrit(df, 0.5 + level / 2))
    return float(min(1.0, 2 * special.stdtr(df, -abs(value) / reach))) if reach > 0 else 0.0


def require_same_level(*results: Result) -> float:
    """Return the level that all results share."""
    levels = {r.level for r in results}
    if len(levels) != 1:
        raise StatsError(f"intervals at levels {sorted(levels)} were combined; one level was expected")
    return levels.pop()
