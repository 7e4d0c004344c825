"""Tests of two arms: sign flips, McNemar, two proportions; equivalence and what a comparison could have seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.intervals import newcombe, wilson_limits, z_value
from percuss.stats.resampling import rows
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray, IntArray

#: Numbers of one chunk of random signs.
CHUNK = 1 << 20


def sign_flip_test(
    differences: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Mean paired difference with a permutation p: under H0 each difference could as well have the other sign.

    Parameters
    ----------
    differences: shape (rows,), arm a minus arm b per case.
    seed, B: of the random signs; all 2^n are taken where that is at most B.
    clusters: label per row; the sums of a cluster flip together.
    level: of the interval, the shifts that the same flips don't reject.

    Raises
    ------
    StatsError: NaN, wrong shapes.

    H0: differences are symmetric around 0. p = (r + 1) / (B + 1) with r flips at least as extreme, or the exact
    share. The interval is undefined where there are too few cases to reject anything at this level, or no
    difference at all. Sources: Fisher (1935); Phipson and Smyth (2010), Stat Appl Genet Mol Biol 9:39.

    """
    x = arrays.vector("differences", differences)
    arrays.fraction("level", level)
    if len(x) == 0:
        return missing("no cases", level=level, method="sign-flip test", n=0)
    grouped = rows(x[:, None], clusters, None).sums[:, 0]
    size = rows(np.ones((len(x), 1)), clusters, None).sums[:, 0]
    n, value = len(grouped), float(x.mean())
    exact = n < 60 and 2**n <= B
    flips = _all_signs(n) if exact else _random_signs(n, arrays.draws(B), seed)
    sums = np.concatenate([signs @ np.column_stack([grouped, size]) for signs in flips]) / len(x)
    at_least = np.abs(sums[:, 0]) >= abs(value) * (1 - 1e-12)
    p = float(at_least.mean()) if exact else float((at_least.sum() + 1) / (len(sums) + 1))
    method = f"sign-flip test, {'exact' if exact else f'B = {B}'}"
    limits = _not_rejected(sums, value, 1 - level, exact=exact)
    if limits is None or limits[0] == limits[1]:
        reason = (
            f"{n} clusters can't reject any shift at this level"
            if limits is None
            else "all differences are equal"
        )
        return Result(
            value=value, low=None, high=None, level=level, method=method, n=n, undefined=reason, p=p
        )
    return Result(value=value, low=limits[0], high=limits[1], level=level, method=method, n=n, p=p)


def _signs(bits: IntArray) -> FloatArray:
    return 1 - 2 * bits.astype(np.float64)


def _all_signs(n: int) -> Iterator[FloatArray]:
    yield _signs((np.arange(2**n)[:, None] >> np.arange(n)) & 1)


def _random_signs(n: int, B: int, seed: int) -> Iterator[FloatArray]:
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK // n)
    for start in range(0, B, step):
        yield _signs(rng.integers(0, 2, size=(min(step, B - start), n)))


def _not_rejected(sums: FloatArray, value: float, alpha: float, *, exact: bool) -> tuple[float, float] | None:
    """Invert the test: each flip contains the shifts for which it is at least as extreme, an interval around value."""
    flipped, weight = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(value - flipped) / (1 - weight), (value + flipped) / (1 + weight)])
    # A flip that moves nothing (all signs equal) is as extreme at every shift.
    low = np.where(np.abs(weight) > 1 - 1e-12, -np.inf, ends.min(axis=0))
    high = np.where(np.abs(weight) > 1 - 1e-12, np.inf, ends.max(axis=0))
    total = len(sums) if exact else len(sums) + 1
    # The smallest number of containing flips that is not rejected: p = count / total > alpha.
    needed = int(np.floor(alpha * total + 1e-9)) + 1 - (0 if exact else 1)
    if needed < 1:
        return None
    out = float(np.sort(low)[needed - 1]), float(np.sort(high)[::-1][needed - 1])
    return out if np.isfinite(out).all() else None


def mcnemar_exact(
    both: int, only_first: int, only_second: int, neither: int, *, level: float = 0.95
) -> Result:
    """Difference of two paired proportions with McNemar's exact p.

    Parameters
    ----------
    both, only_first, only_second, neither: cases with the event under both arms, one arm, no arm.
    level: of Newcombe's paired score interval of (only_first - only_second) / n.

    Raises
    ------
    StatsError: negative or non-finite counts.

    H0: the event is as likely under both arms; p is the two-sided binomial test on the discordant cases. p and
    interval answer different questions and may disagree at the margin. Not for clustered cases (`sign_flip_test`).
    Sources: McNemar (1947); Newcombe (1998), Stat Med 17:2635, method 10.

    """
    cells = [
        arrays.count(*c)
        for c in (
            ("both", both),
            ("only_first", only_first),
            ("only_second", only_second),
            ("neither", neither),
        )
    ]
    n = sum(cells)
    if n == 0:
        return missing("no cases", level=level, method="McNemar exact", n=0)
    b, c = cells[1], cells[2]
    p = min(1.0, 2 * float(special.bdtr(min(b, c), int(b + c), 0.5))) if b + c else 1.0
    low, high = paired_score_limits(*(np.asarray(x) for x in cells), level=level)
    return Result(
        value=(b - c) / n,
        low=float(low),
        high=float(high),
        level=level,
        method="McNemar exact p, Newcombe paired",
        n=round(n),
        p=p,
    )


def paired_score_limits(
    a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray, *, level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Newcombe's paired hybrid score limits of (b - c) / n on arrays of cell counts (Newcombe 1998c, method 10)."""
    n = a + b + c + d
    p1, p2 = (a + b) / n, (a + c) / n
    (l1, u1), (l2, u2) = wilson_limits(a + b, n, level), wilson_limits(a + c, n, level)
    product = (a + b) * (c + d) * (a + c) * (b + d)
    cross = a * d - b * c
    corrected = np.where(cross > 0, np.maximum(cross - n / 2, 0), cross)
    phi = np.where(product > 0, corrected / np.sqrt(np.where(product > 0, product, 1)), 0)

    def distance(x: FloatArray, y: FloatArray) -> FloatArray:
        out: FloatArray = np.sqrt(np.maximum(x**2 - 2 * phi * x * y + y**2, 0))
        return out

    return p1 - p2 - distance(p1 - l1, u2 - p2), p1 - p2 + distance(u1 - p1, p2 - l2)


def two_proportion_z(k1: float, n1: float, k2: float, n2: float, *, level: float = 0.95) -> Result:
    """Difference of two independent proportions with the pooled z-test's p.

    Parameters
    ----------
    k1, n1, k2, n2, level: as in `newcombe`, whose interval it carries.

    Raises
    ------
    StatsError: k > n, negative or non-finite counts.

    H0: equal proportions. For large independent samples; not for the same cases (`mcnemar_exact`), nor with
    expected counts below 5. Where all or none have the event, p is 1.

    """
    r = newcombe(k1, n1, k2, n2, level=level)
    method = "two-proportion z (pooled), Newcombe"
    if r.value is None:
        return missing(r.undefined or "", level=level, method=method, n=r.n)
    pooled = (k1 + k2) / (n1 + n2)
    error = (pooled * (1 - pooled) * (1 / n1 + 1 / n2)) ** 0.5
    p = 1.0 if error == 0 else float(2 * special.ndtr(-abs(r.value) / error))
    return Result(value=r.value, low=r.low, high=r.high, level=level, method=method, n=r.n, p=p)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether a difference lies within a margin, by two one-sided tests read off its interval."""

    verdict: Literal["equivalent", "different", "neither shown", "undefined"]
    margin: float
    difference: Result

    def __str__(self) -> str:
        """Print the verdict with margin and interval in one line."""
        return f"{self.verdict} within +-{self.margin:g}: {self.difference}"


def equivalence(difference: Result, *, margin: float) -> Equivalence:
    """Two one-sided tests: equivalent if the whole interval lies inside (-margin, margin).

    Parameters
    ----------
    difference: any result with an interval; at level 0.90 each one-sided test is at 5%, at 0.95 at 2.5%.
    margin: largest difference without importance, in the unit of the difference, set before looking.

    Raises
    ------
    StatsError: a margin that is not positive.

    H0: the difference is at least the margin. "different" needs an interval off 0 that reaches beyond the margin.
    Source: Schuirmann (1987), J Pharmacokinet Biopharm 15:657.

    """
    if not (np.isfinite(margin) and margin > 0):
        raise StatsError(f"margin is {margin}; a positive number was expected")
    low, high = difference.low, difference.high
    if low is None or high is None:
        return Equivalence("undefined", margin, difference)
    if -margin < low and high < margin:
        return Equivalence("equivalent", margin, difference)
    return Equivalence("different" if low > 0 or high < 0 else "neither shown", margin, difference)


@dataclass(frozen=True, slots=True)
class Detectable:
    """Smallest difference that data of this spread show with the stated power, or the reason there is none."""

    difference: float | None
    power: float
    level: float
    method: str
    undefined: str | None = None

    def __str__(self) -> str:
        """Print it in one line."""
        if self.difference is None:
            return f"smallest detectable difference undefined ({self.undefined}); {self.method}"
        return f"could have seen {self.difference:.4f} with {100 * self.power:g}% power at level {self.level:g}; {self.method}"


def smallest_detectable(difference: Result, *, power: float = 0.80) -> Detectable:
    """Smallest true difference that a comparison of this precision separates from 0 with the given power.

    Parameters
    ----------
    difference: the observed difference; its interval's width gives the standard error.
    power: wanted probability of separating.

    Raises
    ------
    StatsError: a power outside (0, 1).

    (z of the level + z of the power) x standard error; it says what the data could show, not what is true.
    Source: Bloom (1995), Evaluation Review 19:547.

    """
    arrays.fraction("power", power)
    method = f"from the interval of {difference.method}"
    if difference.width is None:
        return Detectable(None, power, difference.level, method, difference.undefined)
    z = z_value(difference.level)
    size = (z + float(special.ndtri(power))) * difference.width / (2 * z)
    return Detectable(size, power, difference.level, method)


def detectable_rates(
    n: int,
    rate: float,
    *,
    per_cluster: float = 1.0,
    correlation: float = 0.0,
    pairing: float = 0.0,
    power: float = 0.80,
    level: float = 0.95,
) -> Detectable:
    """Smallest difference of two rates that a planned study of n clusters would show, before any data.

    Parameters
    ----------
    n: clusters (patients) in each arm.
    rate: expected rate, 0 to 1.
    per_cluster: trials (claims) per cluster.
    correlation: of trials within a cluster, 0 to 1.
    pairing: correlation of the two arms' cluster means, 0 for different clusters.
    power, level: wanted power of a two-sided test at this level.

    Raises
    ------
    StatsError: an argument outside its range.

    (z + z) sqrt(2 rate (1 - rate) deff (1 - pairing) / trials), deff = 1 + (trials per cluster - 1) correlation.
    A guess before a pilot; `power_rates` afterwards. Source: Donner and Klar (2000), section 5.2.

    >>> print(detectable_rates(119, 0.2, per_cluster=5.5, correlation=0.1))
    could have seen 0.0746 with 80% power at level 0.95; 119 clusters of 5.5, planned

    """
    arrays.fraction("power", power)
    if not (0 <= rate <= 1 and 0 <= correlation <= 1 and -1 <= pairing <= 1 and n >= 1 and per_cluster > 0):
        raise StatsError(
            f"n {n}, rate {rate}, per_cluster {per_cluster}, correlation {correlation}, pairing {pairing} came; "
            "n from 1, positive trials and rates and correlations in their ranges were expected"
        )
    effect = max(1 + (per_cluster - 1) * correlation, 0.0)
    error = (2 * rate * (1 - rate) * effect * (1 - pairing) / (n * per_cluster)) ** 0.5
    method = f"{n} clusters of {per_cluster:g}, planned"
    if error == 0:
        return Detectable(None, power, level, method, "nothing varies at this rate or pairing")
    return Detectable((z_value(level) + float(special.ndtri(power))) * error, power, level, method)
