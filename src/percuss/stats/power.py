"""How many cases a comparison needs, by simulation from pilot data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.intervals import wilson, z_value
from percuss.stats.resampling import rows
from percuss.stats.result import Result, StatsError

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray
    from percuss.stats.dependence import Counts

#: A difference of two arms and its gradient: sums of shape (b, m) -> (b,), (b, m).
Difference = Callable[["FloatArray"], "tuple[FloatArray, FloatArray]"]

#: Fewer clusters than this are not searched: the linearised test isn't valid there.
MIN_CLUSTERS = 10
MAX_CLUSTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Power:
    """Cases and the power they give; `clusters` None with a reason where no number was enough."""

    clusters: int | None
    power: Result
    target: float
    difference: float | None
    level: float
    undefined: str | None = None

    def __str__(self) -> str:
        """Print the number of cases and its power in one line."""
        if self.clusters is None:
            return f"no number of cases found ({self.undefined}); {self.power.method}"
        gap = (
            "" if self.difference is None else f" to separate {self.difference:+.4f} at level {self.level:g}"
        )
        return f"{self.clusters} cases give power {self.power}{gap}"


def _hdi_parts(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    u_g, n_g, u_b, n_b = np.moveaxis(sums, -1, 0)
    r = u_g * n_b / (n_g * u_b)
    return 1 - r, np.stack([-n_b / (n_g * u_b), r / n_g, r / u_b, -r / n_b], axis=-1)


def _hdi_difference(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    (a, ga), (b, gb) = _hdi_parts(sums[:, :4]), _hdi_parts(sums[:, 4:])
    return a - b, np.concatenate([ga, -gb], axis=1)


def _rate_difference(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    k1, n1, k2, n2 = sums.T
    a, b = k1 / n1, k2 / n2
    return a - b, np.stack([1 / n1, -a / n1, -1 / n2, b / n2], axis=1)


class _Pilot:
    """Pilot clusters, from which studies of any size are drawn with replacement."""

    def __init__(self, columns: FloatArray, clusters: npt.ArrayLike | None, difference: Difference) -> None:
        self.sums = rows(columns, clusters, None).sums
        self.difference = difference
        m = self.sums.shape[1]
        self.upper = np.triu_indices(m)
        self.products = self.sums[:, self.upper[0]] * self.sums[:, self.upper[1]]

    def separated(self, n: int, *, simulations: int, level: float, seed: int) -> int:
        """Return in how many simulated studies of n clusters a linearised z-test separates the arms.

        Both statistics have degree 0 in their sums, so the gradient's product with the sums is 0 and the variance
        is the quadratic form of the summed products alone.
        """
        c, m = self.sums.shape
        weights = (
            np.random.default_rng([seed, n])
            .multinomial(n, np.full(c, 1 / c), size=simulations)
            .astype(np.float64)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            d, gradient = self.difference(weights @ self.sums)
            second = np.empty((simulations, m, m))
            second[:, self.upper[0], self.upper[1]] = weights @ self.products
            second[:, self.upper[1], self.upper[0]] = second[:, self.upper[0], self.upper[1]]
            variance = np.einsum("bi,bij,bj->b", gradient, second, gradient) * n / (n - 1)
            apart = np.abs(d) > z_value(level) * np.sqrt(variance)
        return int((apart & np.isfinite(d)).sum())


def _search(
    pilot: _Pilot, *, n: int | None, power: float, level: float, simulations: int, seed: int, method: str
) -> Power:
    arrays.fraction("power", power)
    arrays.fraction("level", level)
    if simulations < 1 or (n is not None and n < 2):
        raise StatsError(
            f"simulations {simulations}, n {n}; at least 1 simulation and 2 clusters were expected"
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = float(pilot.difference(pilot.sums.sum(axis=0)[None])[0][0])

    def at(size: int) -> Result:
        found = pilot.separated(size, simulations=simulations, level=level, seed=seed)
        r = wilson(found, simulations)
        return Result(
            value=r.value,
            low=r.low,
            high=r.high,
            level=r.level,
            method=f"{method}, {simulations} simulations",
            n=size,
        )

    if not np.isfinite(observed):
        return Power(None, at(max(n or 0, 2)), power, None, level, "the statistic is undefined in the pilot")
    if n is not None:
        return Power(n, at(n), power, observed, level)
    if observed == 0:
        return Power(None, at(MIN_CLUSTERS), power, observed, level, "the pilot shows no difference")
    low, high = MIN_CLUSTERS, MIN_CLUSTERS
    while (at(high).value or 0) < power:
        if high >= MAX_CLUSTERS:
            return Power(None, at(high), power, observed, level, f"{high} cases are not enough")
        low, high = high, min(high * 2, MAX_CLUSTERS)
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if (at(middle).value or 0) >= power else (middle, high)
    return Power(high, at(high), power, observed, level)


def power_hdi(
    first: Counts,
    second: Counts,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    n: int | None = None,
    power: float = 0.80,
    level: float = 0.95,
    simulations: int = 2_000,
) -> Power:
    """Cases that separate the pooled HDIs of two models as different as in the pilot.

    Parameters
    ----------
    first, second: pilot counts (u_g, n_g, u_b, n_b) per case, each of shape (rows,), the same cases.
    seed: of the simulation.
    clusters: label per row; the answer counts clusters.
    n: give the power at this many clusters instead of searching.
    power, level: wanted power of a two-sided test at this level.
    simulations: studies drawn at each size.

    Raises
    ------
    StatsError: u > n, NaN, a power or level outside (0, 1).

    Studies are drawn from the pilot with replacement, so its difference is taken for the truth: with few pilot
    cases that is optimistic. The search is exact to 1% of the answer and to the simulation error printed.

    """
    from percuss.stats.dependence import columns_of

    columns = np.hstack([columns_of(*first), columns_of(*second)])
    return _search(
        _Pilot(columns, clusters, _hdi_difference),
        n=n,
        power=power,
        level=level,
        simulations=simulations,
        seed=seed,
        method="power for HDI",
    )


def power_rates(
    first: tuple[npt.ArrayLike, npt.ArrayLike],
    second: tuple[npt.ArrayLike, npt.ArrayLike],
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    n: int | None = None,
    power: float = 0.80,
    level: float = 0.95,
    simulations: int = 2_000,
) -> Power:
    """Cases that separate two rates (ratios of sums) as different as in the pilot.

    Parameters
    ----------
    first, second: pilot events and totals (num, den) per case, each of shape (rows,), the same cases.
    seed, clusters, n, power, level, simulations: as in `power_hdi`.

    Raises
    ------
    StatsError: num > den, NaN, a power or level outside (0, 1).

    """
    columns = np.column_stack([*arrays.parts(*first, ("num", "den")), *arrays.parts(*second, ("num", "den"))])
    return _search(
        _Pilot(columns, clusters, _rate_difference),
        n=n,
        power=power,
        level=level,
        simulations=simulations,
        seed=seed,
        method="power for a difference of rates",
    )
