"""HDI on simulated counts: coverage and bias of the shipped interval, over a grid of planted rates.

Vectorised: the resamples of a setting are drawn once, by the generator that `percuss.stats.hdi_pooled` uses with the
same seed, so a data set's interval here is the one that it returns (checked on one data set a setting).
"""

import itertools
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from percuss.core import seeds
from percuss.core.strict import Record
from percuss.stats.dependence import hdi_pooled, index
from percuss.stats.resampling import Resamples

__all__ = ["GRID", "Coverage", "CoverageSetting", "coverage", "grid"]

Floats = NDArray[np.float64]
CLAIMS = 5.5
"""Claims a summary (papers/0 Table 5: 5.4 and 5.5 of the OpenAI models)."""
GRID: dict[str, tuple[float, ...]] = {
    "u_b": (0.03, 0.06, 0.10, 0.15, 0.25, 0.40, 0.65, 0.90),
    "u_g": (0.02, 0.03, 0.05, 0.10, 0.15, 0.30, 0.50),
    "rho": (0.0, 0.05),
    "patients": (119.0, 240.0),
}
"""Planted rates without and with evidence, correlation of claims within a patient (ours), patients (papers/0: 119).

No setting expects fewer than 10 unsupported claims with evidence: there the bootstrap's interval is known to be short
(86% at .01 and 119 patients), and MOVER stands beside it (docs/intervals.md)."""
BIAS_SETS = 5_000
"""Data sets for the bias of a setting: with 200, chance alone would show .02."""


class CoverageSetting(Record):
    """One setting: what was planted, and how the interval did over the data sets.

    `undefined` counts data sets without an interval; they cover nothing and are not among `defined`.
    """

    u_b: float
    u_g: float
    rho: float
    patients: int
    hdi: float
    datasets: int
    defined: int
    covered: int
    bias: float
    width: float
    undefined: int

    @property
    def share(self) -> float:
        """Share of defined intervals that hold the planted HDI."""
        return self.covered / self.defined if self.defined else 0.0


class Coverage(Record):
    """All settings, pooled where the planted rate without evidence is at least .10."""

    settings: tuple[CoverageSetting, ...]
    seed: int
    B: int

    def main(self) -> tuple[CoverageSetting, ...]:
        """Return the settings with u_b >= .10, where HDI is meant to be read."""
        return tuple(row for row in self.settings if row.u_b >= 0.10)

    @property
    def pooled(self) -> float:
        """Coverage over all data sets of `main`."""
        rows = self.main()
        return sum(row.covered for row in rows) / max(1, sum(row.defined for row in rows))

    @property
    def lowest(self) -> CoverageSetting:
        """The setting of lowest coverage."""
        return min(self.settings, key=lambda row: row.share)

    @property
    def largest_bias(self) -> float:
        """Largest absolute bias over the settings of `main` where the evidence helps (HDI >= 0; below, it has no bound)."""
        return max((abs(row.bias) for row in self.main() if row.hdi >= 0), default=0.0)

    @property
    def passed(self) -> bool:
        """Held to: 93-97% pooled, no setting below 87%, no bias of .02 or more where the evidence helps."""
        return 0.93 <= self.pooled <= 0.97 and self.lowest.share >= 0.87 and self.largest_bias < 0.02


def grid() -> Iterator[tuple[float, float, float, int]]:
    """Yield (u_b, u_g, rho, patients) of every setting."""
    for u_b, u_g, rho, patients in itertools.product(*GRID.values()):
        yield u_b, u_g, rho, int(patients)


def coverage(
    *,
    seed: int,
    datasets: int = 200,
    B: int = 2_000,
    settings: int | None = None,
    watcher: Callable[[int, int], None] | None = None,
) -> Coverage:
    """Simulate every setting and count how often the shipped interval holds the planted HDI.

    Args:
        seed: root of all draws.
        datasets: per setting.
        B: resamples of an interval (papers/0 Appendix E).
        settings: only the first so many of a fixed shuffle of the grid; None takes all.
        watcher: hears of (done, total).
    """
    chosen = list(grid())
    seeds.generator(seed, "selftest", "order").shuffle(chosen)
    chosen = sorted(chosen[:settings])
    rows = []
    for number, (u_b, u_g, rho, patients) in enumerate(chosen, 1):
        rows.append(_setting(u_b, u_g, rho, patients, datasets, B, seed))
        if watcher is not None:
            watcher(number, len(chosen))
    return Coverage(settings=tuple(rows), seed=seed, B=B)


def _setting(
    u_b: float, u_g: float, rho: float, patients: int, datasets: int, B: int, seed: int
) -> CoverageSetting:
    rng = seeds.generator(seed, "selftest", f"{u_b}", f"{u_g}", f"{rho}", patients)
    draw = seeds.derive(seed, "selftest draws", f"{u_b}", f"{u_g}", f"{rho}", patients)
    grounded = _arm(rng, u_g, rho, (datasets, patients))
    baseline = _arm(rng, u_b, rho, (datasets, patients))
    data = np.stack([*grounded, *baseline], axis=-1)  # (datasets, patients, 4)
    values = index(data.sum(axis=1))
    low, high = _intervals(data, B, draw)
    many = [_arm(rng, rate, rho, (BIAS_SETS, patients)) for rate in (u_g, u_b)]
    sums = np.stack([part.sum(axis=1) for pair in many for part in pair], axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = float(np.nanmean(index(sums)))
    hdi = 1 - u_g / u_b
    defined = np.isfinite(low) & np.isfinite(values)
    covered = defined & (low <= hdi) & (hdi <= high)
    return CoverageSetting(
        u_b=u_b,
        u_g=u_g,
        rho=rho,
        patients=patients,
        hdi=hdi,
        datasets=datasets,
        defined=int(defined.sum()),
        covered=int(covered.sum()),
        bias=centre - hdi,
        width=float(np.mean((high - low)[defined])) if defined.any() else 0.0,
        undefined=int((~defined).sum()),
    )


def _arm(rng: np.random.Generator, rate: float, rho: float, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return events and claims, shape (datasets, patients): 1 + Poisson claims, beta-binomial events."""
    claims = 1 + rng.poisson(CLAIMS - 1, size=shape)
    p = np.full(shape, rate)
    if rho > 0:
        size = (1 - rho) / rho
        p = rng.beta(rate * size, (1 - rate) * size, size=shape)
    return rng.binomial(claims, p).astype(float), claims.astype(float)


def _intervals(data: Floats, B: int, seed: int) -> tuple[Floats, Floats]:
    """Return the limits of every data set, shape (datasets,), NaN where undefined."""
    datasets, patients, _ = data.shape
    flat = np.ascontiguousarray(data.transpose(1, 0, 2)).reshape(patients, datasets * 4)
    resamples = Resamples(patients, B, seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        draws = resamples.apply(lambda sums: index(sums.reshape(len(sums), datasets, 4)), flat)
    whole: NDArray[np.bool_] = np.logical_not(np.isnan(draws).any(axis=0))
    low, high = np.full(datasets, np.nan), np.full(datasets, np.nan)
    low[whole], high[whole] = np.quantile(draws[:, whole], [0.025, 0.975], axis=0)
    # Few or no events, or dropped resamples: whatever the shipped function says of that very data set.
    shipped = {0} | set(np.flatnonzero((data[:, :, 0].sum(axis=1) == 0) | ~whole).tolist())
    for at in sorted(shipped):
        own = hdi_pooled(*data[at].T, seed=seed, B=B)
        if at == 0 and "bootstrap" in own.method and own.low is not None and whole[0]:
            assert abs(own.low - low[0]) < 1e-9, "the shipped interval is not the one simulated"
        low[at] = np.nan if own.low is None else own.low
        high[at] = np.nan if own.high is None else own.high
    return low, high
