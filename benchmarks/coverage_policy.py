"""Coverage of the interval policy over the grid of definitions/grounding.md, version 2: rates, differences, HDI, contrasts,
epochs.

Run: python benchmarks/coverage_policy.py [--replicates 4000] [--quick]; `benchmarks/coverage.py` puts the result into
docs/intervals.md. All replicates of a cell are one array; bootstraps share one W.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy import special

from percuss.stats.clustered import (
    MIN_EVENTS,
    clustered_limits,
    degrees_of_freedom,
    effective_clusters,
    event_clusters,
    influence,
    shared_correlation,
)
from percuss.stats.contrasts import MOST_BETWEEN, MOST_RATIO, MOST_WITHIN
from percuss.stats.dependence import index
from percuss.stats.intervals import mover_difference_limits, mover_ratio_limits
from percuss.stats.policy import MANY_CLUSTERS, MANY_EVENTS, MIN_CLUSTERS
from percuss.stats.resampling import Resamples

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ends = tuple[Floats, Floats]

SEED, LEVEL, B = 30_000, 0.95, 1_000
CLUSTERS = (8, 12, 15, 40, 119)
SIZES = ("equal", "log-normal 1.2", "log-normal 1.6", "one holds half", "tied up", "tied down")
CORRELATIONS = (0.05, 0.2, 0.4)
RATES = (0.05, 0.1, 0.3, 0.6, 0.9)
#: u_g over u_b of the HDI cells: HDI 0 and .6.
FALLS = (1.0, 0.4)
#: Median claims of a case, spread of tied sizes, log odds per log size.
MEDIAN, TIED_SPREAD, TIED = 5.0, 1.2, 0.5
#: Share of data sets with an interval below which a cell's coverage is noise.
RARE = 0.01
#: How the two arms' rates of a case go together (Gaussian copula); sizes that are tied draw them apart.
LINK = 0.7


@dataclass(frozen=True)
class Cell:
    """One setting: of how many data sets an interval is shown, how often it holds, on which side it misses."""

    clusters: int
    sizes: str
    correlation: float
    rate: float
    fall: float | None
    shown: float
    coverage: float
    below: float
    above: float
    width: float
    bound: float
    what: str = "HDI"

    @property
    def words(self) -> str:
        """The setting in a line."""
        size = 0 if self.fall is None else (1 - self.fall) * (1 if self.what == "HDI" else self.rate)
        fall = "" if self.fall is None else f", {self.what} {size:.2g}"
        return (
            f"{self.clusters} cases, {self.sizes}, correlation {self.correlation:g}, rate {self.rate:g}{fall}"
        )


def sizes(g: np.random.Generator, kind: str, shape: tuple[int, int]) -> Floats:
    if kind == "equal":
        return np.full(shape, 6.0)
    if kind == "one holds half":
        out = np.full(shape, 6.0)
        out[0] = 6.0 * (shape[0] - 1)
        return out
    spread = {"log-normal 1.6": 1.6, "log-normal 1.2": 1.2}.get(kind, TIED_SPREAD)
    return np.maximum(1.0, np.round(MEDIAN * np.exp(spread * g.standard_normal(shape))))


@cache
def intercept(kind: str, rate: float) -> float:
    """Log odds at the median size that make the rate over all claims `rate`."""
    n = sizes(np.random.default_rng(1), kind, (400_000, 1)).ravel()
    slope = TIED if kind == "tied up" else -TIED
    low, high = -12.0, 12.0
    for _ in range(60):
        middle = (low + high) / 2
        p = special.expit(middle + slope * np.log(n / MEDIAN))
        low, high = (middle, high) if (p * n).sum() / n.sum() < rate else (low, middle)
    return (low + high) / 2


def events(g: np.random.Generator, kind: str, n: Floats, rate: float, rho: float, z: Floats | None) -> Floats:
    """Beta-binomial events; `z` standard normal ranks of the cases' rates, None for draws of their own."""
    a = 1 / rho - 1
    if kind.startswith("tied"):
        slope = TIED if kind == "tied up" else -TIED
        m = np.clip(special.expit(intercept(kind, rate) + slope * np.log(n / MEDIAN)), 1e-9, 1 - 1e-9)
        own = g.beta(m * a, (1 - m) * a)
    elif z is None:
        own = g.beta(rate * a, (1 - rate) * a, n.shape)
    else:
        grid = np.linspace(-5, 5, 4_001)
        own = np.interp(z, grid, special.betaincinv(rate * a, (1 - rate) * a, special.ndtr(grid)))
    return g.binomial(n.astype(np.int64), np.clip(own, 0, 1)).astype(float)


def bca(values: Floats, draws: Floats, left: Floats) -> Ends:
    """BCa limits of many replicates: values (reps,), draws (B, reps), leave-one-out values (clusters, reps)."""
    below = ((draws < values).mean(axis=0) + (draws <= values).mean(axis=0)) / 2
    z0 = special.ndtri(np.clip(below, 0.5 / len(draws), 1 - 0.5 / len(draws)))
    d = left.mean(axis=0) - left
    a = (d**3).sum(axis=0) / (6 * (d**2).sum(axis=0) ** 1.5)
    ordered = np.sort(draws, axis=0)
    ends = []
    for tail in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        z = z0 + special.ndtri(tail)
        at = special.ndtr(z0 + z / np.maximum(1 - a * z, 1e-9)) * (len(draws) - 1)
        under = np.clip(np.floor(at).astype(int), 0, len(draws) - 2)
        columns = np.arange(draws.shape[1])
        ends.append(
            ordered[under, columns] + (at - under) * (ordered[under + 1, columns] - ordered[under, columns])
        )
    return ends[0], ends[1]


@cache
def weights(clusters: int) -> Floats:
    return np.concatenate(list(Resamples(clusters, B, SEED + clusters)))


def booted(columns: Sequence[Floats], statistic: str) -> Ends:
    """BCa limits of a ratio of sums or of HDI, columns of shape (clusters, reps), in blocks of replicates."""
    w = weights(len(columns[0]))

    def value(sums: Sequence[Floats]) -> Floats:
        if statistic == "hdi":
            return index(np.stack(sums, axis=-1))
        rates = [k / n for k, n in zip(sums[0::2], sums[1::2], strict=True)]
        return rates[0] if statistic == "rate" else rates[1] - rates[0]

    low, high = np.empty(columns[0].shape[1]), np.empty(columns[0].shape[1])
    for start in range(0, columns[0].shape[1], 500):
        part = [c[:, start : start + 500] for c in columns]
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = bca(
                value([c.sum(axis=0) for c in part]),
                value([w @ c for c in part]),
                value([c.sum(axis=0) - c for c in part]),
            )
        low[start : start + 500], high[start : start + 500] = ends
    return low, high


def cell(
    setting: tuple[int, str, float, float],
    fall: float | None,
    ends: Ends,
    shown: Bools,
    truth: float,
    bound: float,
    what: str = "HDI",
) -> Cell:
    low, high = (e[shown] for e in ends)
    under, over = high < truth - 1e-12, low > truth + 1e-12
    some = bool(shown.any())
    return Cell(
        *setting,
        fall,
        float(shown.mean()),
        float(1 - (under | over).mean()) if some else np.nan,
        float(over.mean()) if some else np.nan,
        float(under.mean()) if some else np.nan,
        float((high - low).mean()) if some else np.nan,
        bound,
        what,
    )


def rate_cell(setting: tuple[int, str, float, float], reps: int) -> Cell:
    clusters, kind, rho, p = setting
    g = np.random.default_rng([SEED, clusters, SIZES.index(kind), round(100 * rho), round(100 * p)])
    n = sizes(g, kind, (clusters, reps))
    k = events(g, kind, n, p, rho, None)
    c, e = effective_clusters(n), np.minimum(*event_clusters(k, n))
    shown = (c >= MIN_CLUSTERS) & (e >= MIN_EVENTS)
    low, high = clustered_limits(k, n, LEVEL)
    many = (c >= MANY_CLUSTERS) & (e >= MANY_EVENTS)
    if many.any():
        low[many], high[many] = booted((k[:, many], n[:, many]), "rate")
    upper = (k > 0).sum(axis=0) <= (k < n).sum(axis=0)
    right = np.where(upper, high >= p, low <= p)[~shown]
    return cell(setting, None, (low, high), shown, p, float(right.mean()) if right.size else np.nan)


def two_arms(
    setting: tuple[int, str, float, float], fall: float, reps: int, seed: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Events and claims of the arm with evidence and of the one without, shape (clusters, reps)."""
    clusters, kind, rho, u_b = setting
    key = [seed, clusters, SIZES.index(kind), round(100 * rho), round(100 * u_b), round(10 * fall)]
    g = np.random.default_rng(key)
    shape = (clusters, reps)
    n_b = sizes(g, kind, shape)
    n_g = (
        n_b
        if kind in {"equal", "one holds half"}
        else np.maximum(1, np.round(n_b * np.exp(0.3 * g.standard_normal(shape))))
    )
    z_b = g.standard_normal(shape)
    z_g = LINK * z_b + (1 - LINK**2) ** 0.5 * g.standard_normal(shape)
    b, a = events(g, kind, n_b, u_b, rho, z_b), events(g, kind, n_g, u_b * fall, rho, z_g)
    return a, n_g, b, n_b


def hdi_cell(setting: tuple[int, str, float, float], fall: float, reps: int) -> Cell:
    a, n_g, b, n_b = two_arms(setting, fall, reps, SEED + 1)
    c = np.minimum(effective_clusters(n_g), effective_clusters(n_b))
    (with_g, out_g), (with_b, out_b) = event_clusters(a, n_g), event_clusters(b, n_b)
    some = np.maximum(b.sum(axis=0), 1) / n_b.sum(axis=0)
    r = np.minimum(shared_correlation(influence(a, n_g), influence(b, n_b)), MOST_WITHIN)
    low, high = mover_ratio_limits(
        (a.sum(axis=0) / n_g.sum(axis=0), *clustered_limits(a, n_g, LEVEL)),
        (some, *clustered_limits(b, n_b, LEVEL)),
        r,
    )
    shown = (c >= MIN_CLUSTERS) & (np.minimum(with_g, with_b) >= MIN_EVENTS) & (high <= MOST_RATIO)
    ends = 1 - high, 1 - low
    many = shown & (c >= MANY_CLUSTERS) & (np.minimum.reduce([with_g, out_g, with_b, out_b]) >= MANY_EVENTS)
    if many.any():
        ends[0][many], ends[1][many] = booted([x[:, many] for x in (a, n_g, b, n_b)], "hdi")
    return cell(setting, fall, ends, shown, 1 - fall, np.nan)


def difference_cell(setting: tuple[int, str, float, float], fall: float, reps: int) -> Cell:
    """The rate without evidence minus the rate with it."""
    a, n_g, b, n_b = two_arms(setting, fall, reps, SEED + 3)
    c = np.minimum(effective_clusters(n_g), effective_clusters(n_b))
    e = np.minimum.reduce([*event_clusters(a, n_g), *event_clusters(b, n_b)])
    sides = [(k.sum(axis=0) / n.sum(axis=0), *clustered_limits(k, n, LEVEL)) for k, n in ((b, n_b), (a, n_g))]
    r = np.minimum(shared_correlation(influence(b, n_b), influence(a, n_g)), MOST_BETWEEN)
    low, high = mover_difference_limits(sides[0], sides[1], r)
    shown = (c >= MIN_CLUSTERS) & (e >= MIN_EVENTS)
    many = shown & (c >= MANY_CLUSTERS) & (e >= MANY_EVENTS)
    if many.any():
        low[many], high[many] = booted([x[:, many] for x in (a, n_g, b, n_b)], "difference")
    return cell(setting, fall, (low, high), shown, setting[3] * (1 - fall), np.nan, "difference")


def contrast_cell(setting: tuple[int, str, float, float], fall: float, reps: int) -> Cell:
    """A contrast within cases, here twice the difference of two shares: the interval of a mean over cases."""
    a, n_g, b, n_b = two_arms(setting, fall, reps, SEED + 4)
    x = 2 * (b / n_b - a / n_g)
    clusters, truth = len(x), 2 * setting[3] * (1 - fall)
    value, spread = x.mean(axis=0), x.std(axis=0, ddof=1)
    df = float(degrees_of_freedom(np.ones(clusters)))
    half = special.stdtrit(df, 0.5 + LEVEL / 2) * spread / clusters**0.5
    differing = (np.abs(x) > 1e-12).sum(axis=0)
    low, high, shown = value - half, value + half, (spread > 1e-12) & (differing >= MIN_EVENTS)
    many = shown & (differing >= MANY_EVENTS)
    if clusters >= MANY_CLUSTERS and many.any():
        ones = np.ones_like(x[:, many])
        low[many], high[many] = booted([x[:, many], ones], "rate")
    return cell(setting, fall, (low, high), shown, truth, np.nan, "contrast")


def epochs_coverage(reps: int) -> float:
    """40 cases, 3 answers each: counts averaged within a case, then the interval of the policy."""
    g = np.random.default_rng([SEED + 2, 40, 3])
    held = np.zeros(0, dtype=bool)
    for p, between, within in product((0.1, 0.3, 0.6), (0.05, 0.2), (0.05, 0.3)):
        own = g.beta(p * (1 / between - 1), (1 - p) * (1 / between - 1), (40, reps))
        own = np.clip(own, 1e-6, 1 - 1e-6)[None]
        each = g.beta(own * (1 / within - 1), (1 - own) * (1 / within - 1), (3, 40, reps))
        n = np.full((3, 40, reps), 5)
        k = g.binomial(n, each).mean(axis=0)
        low, high = clustered_limits(k, n.mean(axis=0), LEVEL)
        held = np.concatenate([held, (low <= p) & (p <= high)])
    return float(held.mean())


def grid() -> Iterator[tuple[int, str, float, float]]:
    yield from product(CLUSTERS, SIZES, CORRELATIONS, RATES)


def contrast_grid() -> Iterator[tuple[int, str, float, float]]:
    """Cases of one weight: the sizes of the grid don't apply."""
    yield from product(CLUSTERS, ("equal",), CORRELATIONS, RATES)


@dataclass(frozen=True)
class Found:
    """Everything measured."""

    rates: tuple[Cell, ...]
    differences: tuple[Cell, ...]
    hdis: tuple[Cell, ...]
    contrasts: tuple[Cell, ...]
    epochs: float
    replicates: int


def measured(reps: int, *, quick: bool = False) -> Found:
    """Measure every cell; quick: every seventh setting, to see that all of it runs."""
    step = 7 if quick else 1
    settings, own = list(grid())[::step], list(contrast_grid())[::step]
    return Found(
        tuple(rate_cell(setting, reps) for setting in settings),
        tuple(difference_cell(setting, fall, reps) for setting in settings for fall in FALLS),
        tuple(hdi_cell(setting, fall, reps) for setting in settings for fall in FALLS),
        tuple(contrast_cell(setting, fall, reps) for setting in own for fall in FALLS),
        epochs_coverage(reps),
        reps,
    )


def summary(cells: Sequence[Cell]) -> str:
    """What the policy is held to, in a sentence."""
    held = [c for c in cells if c.shown > 0]
    at = [c.coverage for c in held]
    good = sum(x >= 0.92 for x in at) / len(at)
    usual = [c.coverage for c in held if c.shown >= 0.5]
    rare = [c for c in held if c.shown < RARE and c.coverage < 0.92]
    seldom = (
        f" {len(rare)} of the cells below 92% show an interval in fewer than {100 * RARE:.0f}% of the data sets, too few to "
        f"measure; among the others the least is {100 * min(c.coverage for c in held if c not in rare):.1f}%."
        if rare else ""
    )  # fmt: skip
    return (
        f"Of {len(cells)} cells {len(held)} show an interval in at least one data set. In {100 * good:.1f}% of them coverage "
        f"is 92% or more; the least is {100 * min(at):.1f}%, the mean {100 * sum(at) / len(at):.1f}%. In the {len(usual)} cells "
        f"where at least half of the data sets show one the least is {100 * min(usual):.1f}%. Misses: truth below the interval "
        f"{100 * np.mean([c.below for c in held]):.1f}%, above it {100 * np.mean([c.above for c in held]):.1f}%."
        f"{seldom}"
    )


def section(title: str, text: str, cells: Sequence[Cell]) -> str:
    """A table by clusters and sizes, the weakest cells, and where no interval is given."""
    lines = [
        f"## {title}", text, "", summary(cells), "",
        "| cases | sizes | shown in % of data sets | coverage, mean | least | misses: truth below / above | mean width |",
        "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for clusters, kind in product(CLUSTERS, SIZES):
        held = [c for c in cells if (c.clusters, c.sizes) == (clusters, kind)]
        if not held:
            continue
        some = [c for c in held if c.shown > 0]
        shown = 100 * sum(c.shown for c in held) / len(held)
        if not some:
            lines.append(f"| {clusters} | {kind} | {shown:.0f} | no interval | | | |")
            continue
        mean = [100 * float(np.mean([getattr(c, f) for c in some])) for f in ("coverage", "below", "above")]
        least, width = 100 * min(c.coverage for c in some), np.mean([c.width for c in some])
        lines.append(
            f"| {clusters} | {kind} | {shown:.0f} | {mean[0]:.1f} | {least:.1f} | {mean[1]:.1f} / {mean[2]:.1f} | {width:.3f} |"
        )
    weak = sorted((c for c in cells if c.shown > 0 and c.coverage < 0.92), key=lambda c: c.coverage)
    lines += [
        "",
        f"Cells below 92% ({len(weak)}), coverage and misses (truth below, above), and in how many data sets an interval is shown:",
    ]
    lines += [
        f"- {c.words}: {100 * c.coverage:.1f}% ({100 * c.below:.1f}, {100 * c.above:.1f}), shown in {100 * c.shown:.1f}%"
        for c in weak
    ]
    return "\n".join(lines) + "\n\n" + gone(cells)


def gone(cells: Sequence[Cell]) -> str:
    """Where fewer than half of the data sets show an interval."""
    rare = [c for c in cells if c.shown < 0.5]
    lines = [f"No interval in at least half of the data sets ({len(rare)} cells):"]
    for clusters, kind in product(CLUSTERS, SIZES):
        here = [c for c in rare if (c.clusters, c.sizes) == (clusters, kind)]
        whole = [c for c in cells if (c.clusters, c.sizes) == (clusters, kind)]
        if here and len(here) == len(whole):
            lines.append(f"- {clusters} cases, {kind}: at every rate and correlation")
        elif here:
            at = "; ".join(
                f"rate {rate:g} at correlation {', '.join(dict.fromkeys(f'{c.correlation:g}' for c in here if c.rate == rate))}"
                for rate in RATES
                if any(c.rate == rate for c in here)
            )
            lines.append(f"- {clusters} cases, {kind}: {at}")
    return "\n".join(lines) + "\n"


def page(found: Found) -> str:
    """The part of docs/intervals.md on the policy."""
    bounds = [c.bound for c in found.rates if np.isfinite(c.bound) and c.shown <= 0.5]
    sizes_ = (
        f"{found.replicates:,} replicates a cell; BCa with B = {B:,}. Sizes: 6 claims in every case; log-normal with median 5; "
        "one case holding half; tied: log-normal 1.2 with the log odds of a claim rising or falling by .5 per log size. "
        "Rates within a case are beta-binomial."
    )
    return (
        section("The interval policy: rates", sizes_, found.rates)
        + f"\nWhere the bound stands in place of the interval in at least half of the data sets, it holds in "
        f"{100 * float(np.mean(bounds)):.1f}% on average and at least {100 * min(bounds):.1f}% ({len(bounds)} cells; held to 97.5% one-sided).\n\n"
        + section(
            "The interval policy: differences of two arms",
            "The rate without the evidence minus the rate with it, on the same cases: the rate is that without, the difference 0 "
            "or .6 of it; the arms' rates of a case go together (Gaussian copula, .7) where sizes are not tied.",
            found.differences,
        )
        + "\n"
        + section(
            "The interval policy: HDI",
            "The rate is u_b; HDI is 0 or .6; the arms' rates of a case go together (Gaussian copula, .7) where sizes are not tied.",
            found.hdis,
        )
        + "\n"
        + section(
            "The interval policy: contrasts within cases",
            "Effects of several arms and slopes over doses, each a mean over cases: here twice the difference of two shares of 6.",
            found.contrasts,
        )
        + f"\n## Several answers to a case\n40 cases, 3 answers each, 5 claims an answer, 12 settings of rate (.1, .3, .6) and of correlation between and "
        f"within cases: {100 * found.epochs:.1f}% of the intervals hold the truth.\n"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=4_000)
    parser.add_argument("--quick", action="store_true", help="100 replicates of every seventh setting")
    arguments = parser.parse_args()
    started = time.process_time()
    print(page(measured(100 if arguments.quick else arguments.replicates, quick=arguments.quick)))
    print(f"{time.process_time() - started:.0f} s CPU")
