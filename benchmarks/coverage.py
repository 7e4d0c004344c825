"""Coverage of the intervals at small samples and extreme rates; writes docs/intervals.md.

Run: python benchmarks/coverage.py [--replicates 4000] [--out docs/intervals.md]; --quick takes 100 replicates of every
seventh setting and prints the page, to see that all of it runs. Every figure of the page comes from
here. Bootstraps of all replicates share one W (the draws don't depend on the data), so a setting is one product.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import coverage_policy

from percuss.stats import Judged, Result, ppi_hdi, ppi_rate, student_t
from percuss.stats.bootstrap import limits
from percuss.stats.clustered import clustered_limits
from percuss.stats.correction import rogan_gladen_limits
from percuss.stats.dependence import index
from percuss.stats.intervals import (
    clopper_pearson_limits,
    mover_ratio_limits,
    newcombe_limits,
    wilson_limits,
    z_value,
)
from percuss.stats.policy import VERSION
from percuss.stats.resampling import Resamples

Floats = npt.NDArray[np.float64]
Ends = tuple[Floats, Floats]

SEED = 20_000
LEVEL = 0.95
#: Resamples of a simulated bootstrap; the error of a 2.5% quantile at 1,000 is 0.5 points of coverage.
B = 1_000
CLAIMS = 5.5


@dataclass(frozen=True)
class Cell:
    """How often an interval held the truth, its mean width, and how often it was undefined."""

    coverage: float
    width: float
    undefined: float = 0.0

    def __str__(self) -> str:
        gap = f", {100 * self.undefined:.0f}% undefined" if self.undefined >= 0.005 else ""
        return f"{100 * self.coverage:.1f} ({self.width:.3f}{gap})"


@dataclass(frozen=True)
class Table:
    """One family: settings by methods."""

    key: str
    title: str
    text: str
    setting: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], dict[str, Cell]], ...]

    def worst(self, method: str, where: Callable[[tuple[str, ...]], bool] = lambda _: True) -> str:
        """Least and mean coverage of a method over the settings that `where` picks, in percent."""
        values = [100 * cells[method].coverage for setting, cells in self.rows if where(setting)]
        return f"{min(values):.1f} / {sum(values) / len(values):.1f}"

    def markdown(self) -> str:
        methods = list(self.rows[0][1])
        head = [*self.setting, *methods]
        lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        lines += [f"| {' | '.join([*s, *(str(c[m]) for m in methods)])} |" for s, c in self.rows]
        return f"## {self.title}\n{self.text}\n\n" + "\n".join(lines) + "\n"


def held(ends: Ends, truth: float) -> Cell:
    """Coverage over the replicates whose interval is defined."""
    low, high = ends
    defined = np.isfinite(low) & np.isfinite(high)
    low, high = low[defined], high[defined]
    inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return Cell(float(inside.mean()), float((high - low).mean()), float(1 - defined.mean()))


def rng(*key: int) -> np.random.Generator:
    return np.random.default_rng([SEED, *key])


def proportions(reps: int) -> Table:
    rows = []
    for n in (10, 30, 100, 500):
        for p in (0.01, 0.05, 0.2, 0.5, 0.95):
            k = rng(1, n, round(1000 * p)).binomial(n, p, reps).astype(float)
            q = k / n
            wald = z_value(LEVEL) * np.sqrt(q * (1 - q) / n)
            cells = {
                "Wilson": held(wilson_limits(k, n), p),
                "Clopper-Pearson": held(clopper_pearson_limits(k, n), p),
                "Wald (not offered)": held((q - wald, q + wald), p),
            }
            rows.append(((str(n), f"{p:g}"), cells))
    return Table(
        "proportion", "One rate, independent trials",
        "Wilson errs by little in both directions; Clopper-Pearson never covers less than its level and pays in width.",
        ("n", "rate"), tuple(rows),
    )  # fmt: skip


def differences(reps: int) -> Table:
    rows = []
    for n in (10, 30, 100):
        for p1, p2 in ((0.02, 0.02), (0.05, 0.2), (0.5, 0.5), (0.99, 0.9)):
            g = rng(2, n, round(100 * p1), round(100 * p2))
            k1, k2 = (g.binomial(n, p, reps).astype(float) for p in (p1, p2))
            a, b = k1 / n, k2 / n
            wald = z_value(LEVEL) * np.sqrt((a * (1 - a) + b * (1 - b)) / n)
            cells = {
                "Newcombe": held(newcombe_limits(k1, n, k2, n), p1 - p2),
                "Wald (not offered)": held((a - b - wald, a - b + wald), p1 - p2),
            }
            rows.append(((str(n), f"{p1:g}", f"{p2:g}"), cells))
    return Table(
        "difference", "Difference of two rates, independent samples",
        "n trials in each sample.", ("n", "rate 1", "rate 2"), tuple(rows),
    )  # fmt: skip


def ratios(reps: int) -> Table:
    rows = []
    for n in (30, 100, 600):
        for p1, p2 in ((0.02, 0.2), (0.05, 0.1), (0.05, 0.6), (0.3, 0.5)):
            g = rng(3, n, round(100 * p1), round(100 * p2))
            k1, k2 = (g.binomial(n, p, reps).astype(float) for p in (p1, p2))
            some = k2 > 0
            (l1, h1), (l2, h2) = wilson_limits(k1, n), wilson_limits(np.maximum(k2, 1), n)
            ends = mover_ratio_limits((k1 / n, l1, h1), (np.maximum(k2, 1) / n, l2, h2))
            with np.errstate(divide="ignore", invalid="ignore"):
                error = z_value(LEVEL) * np.sqrt(1 / k1 - 1 / n + 1 / k2 - 1 / n)
                log = (np.exp(np.log(k1 / k2) - error), np.exp(np.log(k1 / k2) + error))
            cells = {
                "MOVER": held(tuple(np.where(some, e, np.nan) for e in ends), p1 / p2),  # type: ignore[arg-type]
                "log ratio (not offered)": held(log, p1 / p2),
            }
            rows.append(((str(n), f"{p1:g}", f"{p2:g}"), cells))
    return Table(
        "ratio", "Ratio of two rates, independent samples (1 - HDI)",
        "Undefined where the denominator has no event (and, for the logarithm, the numerator).",
        ("n", "rate 1", "rate 2"), tuple(rows),
    )  # fmt: skip


def clustered(
    g: np.random.Generator, shape: tuple[int, int], rate: float, spread: float
) -> tuple[Floats, Floats]:
    """Events and claims per cluster, shape (clusters, replicates); `spread` is the correlation within a cluster."""
    n = g.poisson(CLAIMS - 1, shape) + 1
    own = (
        g.beta(rate * (1 / spread - 1), (1 - rate) * (1 / spread - 1), shape)
        if spread
        else np.full(shape, rate)
    )
    return g.binomial(n, own).astype(float), n.astype(float)


def weights(clusters: int) -> Floats:
    return np.concatenate(list(Resamples(clusters, B, SEED + clusters)))


def read(values: Floats, draws: Floats, jackknife: Floats | None, method: str) -> Ends:
    """Interval of each replicate, shapes (reps,), (B, reps), (clusters, reps); NaN where draws don't vary or exist."""
    out = np.full((2, len(values)), np.nan)
    for i in range(len(values)):
        d = draws[:, i]
        d = d[np.isfinite(d)]
        if len(d) >= 0.99 * B and np.isfinite(values[i]) and np.ptp(d) > 0:
            loo = None if jackknife is None else jackknife[:, i]
            out[:, i] = limits(values[i], d, LEVEL, method, loo)  # type: ignore[arg-type]
    return out[0], out[1]


def cluster_rates(reps: int) -> Table:
    rows = []
    for c in (10, 20, 50, 119):
        w = weights(c)
        for p in (0.02, 0.1, 0.5):
            u, n = clustered(rng(4, c, round(100 * p)), (c, reps), p, 0.2)
            value = u.sum(0) / n.sum(0)
            draws = (w @ u) / (w @ n)
            loo = (u.sum(0) - u) / (n.sum(0) - n)
            naive = wilson_limits(u.sum(0), n.sum(0))
            none = (u.sum(0) == 0) | (u.sum(0) == n.sum(0))
            cells = {}
            for method, name in (("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")):
                ends = read(value, draws, loo if method == "bca" else None, method)
                # As ratio_bootstrap does: Wilson where there are no events.
                cells[f"bootstrap, {name}"] = held(
                    (np.where(none, naive[0], ends[0]), np.where(none, naive[1], ends[1])), p
                )
            cells["Wilson, effective n"] = held(clustered_limits(u, n), p)
            cells["Wilson (claims as independent)"] = held(naive, p)
            rows.append(((str(c), f"{p:g}"), cells))
    return Table(
        "cluster", "Rate over claims, clustered in patients",
        f"{CLAIMS:g} claims a patient, correlation 0.2 within a patient, B = {B:,}; without events Wilson, as in "
        "`ratio_bootstrap`. At few events or patients every bootstrap is too short; `wilson_clustered` holds its level "
        "there, and `ratio_bootstrap` carries it as `alternative`. Claims taken as independent never do.", ("patients", "rate"), tuple(rows),
    )  # fmt: skip


def paired_rates(reps: int) -> Table:
    rows = []
    for c in (20, 50, 119):
        w = weights(c)
        for p1, p2 in ((0.1, 0.1), (0.3, 0.2), (0.05, 0.15)):
            g = rng(5, c, round(100 * p1), round(100 * p2))
            (u1, n1), (u2, n2) = clustered(g, (c, reps), p1, 0.2), clustered(g, (c, reps), p2, 0.2)
            d = u1.sum(0) / n1.sum(0) - u2.sum(0) / n2.sum(0)
            draws = (w @ u1) / (w @ n1) - (w @ u2) / (w @ n2)
            unpaired = newcombe_limits(u1.sum(0), n1.sum(0), u2.sum(0), n2.sum(0))
            cells = {
                "paired bootstrap, percentile": held(read(d, draws, None, "percentile"), p1 - p2),
                "Newcombe (claims as independent)": held(unpaired, p1 - p2),
            }
            rows.append(((str(c), f"{p1:g}", f"{p2:g}"), cells))
    return Table(
        "paired", "Difference of two arms on the same patients",
        "As above, two arms on the same patients. 100 minus the coverage at equal rates is the test's error of the first kind.",
        ("patients", "rate 1", "rate 2"), tuple(rows),
    )  # fmt: skip


def hdis(reps: int) -> Table:
    rows = []
    for c in (20, 50, 119):
        w = weights(c)
        for u_b, u_g in ((0.05, 0.03), (0.15, 0.02), (0.15, 0.002), (0.6, 0.05), (0.9, 0.15)):
            g = rng(6, c, round(1000 * u_b), round(1000 * u_g))
            grounded, baseline = clustered(g, (c, reps), u_g, 0.05), clustered(g, (c, reps), u_b, 0.05)
            columns = np.stack([*grounded, *baseline])
            truth = 1 - u_g / u_b
            with np.errstate(divide="ignore", invalid="ignore"):
                value = index(np.moveaxis(columns.sum(1), 0, -1))
                draws = index(np.moveaxis(np.stack([w @ x for x in columns]), 0, -1))
            boot = read(value, draws, None, "percentile")
            a, n, b, m = columns.sum(1)
            some = b > 0
            safe = np.maximum(b, 1) / m
            with np.errstate(divide="ignore", invalid="ignore"):
                ends = mover_ratio_limits(
                    (a / n, *clustered_limits(*grounded)), (safe, *clustered_limits(*baseline))
                )
            mover = (np.where(some, 1 - ends[1], np.nan), np.where(some, 1 - ends[0], np.nan))
            none = a == 0
            offered = tuple(np.where(none, e, f) for e, f in zip(mover, boot, strict=True))
            cells = {
                "hdi_pooled": held(offered, truth),  # type: ignore[arg-type]
                "bootstrap alone": held(boot, truth),
                "MOVER, effective n": held(mover, truth),
            }
            rows.append(((str(c), f"{u_b:g}", f"{u_g:g}"), cells))
    return Table(
        "hdi", "HDI",
        f"Unsupported rates without (u_b) and with (u_g) the evidence, {CLAIMS:g} claims a patient, correlation 0.05. "
        "`hdi_pooled` is the bootstrap, MOVER where no grounded claim is unsupported; below 10 unsupported claims in an "
        "arm or 20 patients it carries MOVER at the effective number of claims as `alternative`.",
        ("patients", "u_b", "u_g"), tuple(rows),
    )  # fmt: skip


def corrected(reps: int) -> Table:
    rows = []
    n, se, sp = 600, 0.9, 0.9
    for m in (20, 50, 200):
        for p in (0.02, 0.1, 0.5):
            g = rng(7, m, round(100 * p))
            k = g.binomial(n, p * se + (1 - p) * (1 - sp), reps)
            xs, xc = g.binomial(m, se, reps), g.binomial(m, sp, reps)
            cells = {
                name: held(rogan_gladen_limits(k, n, (xs, m), (xc, m), LEVEL, adjusted=adjusted), p)
                for name, adjusted in (("Lang-Reiczigel", True), ("delta", False))
            }
            low, high = wilson_limits(k, n)
            cells["Wilson of the judge's rate"] = held((low, high), p)
            rows.append(((str(m), f"{p:g}"), cells))
    return Table(
        "corrected", "Rate corrected for the judge (Rogan-Gladen)",
        f"{n} claims judged with sensitivity {se:g} and specificity {sp:g}, both known from as many human labels each.",
        ("human labels a class", "rate"), tuple(rows),
    )  # fmt: skip


def items(g: np.random.Generator, n: int, labelled: int, rate: float) -> tuple[Judged, Floats]:
    truth = (g.random(n) < rate).astype(float)
    judge = np.where(g.random(n) < 0.9, truth, 1 - truth)
    return Judged(judge, np.where(np.arange(n) < labelled, truth, np.nan)), truth[:labelled]


def ends_of(results: list[Result]) -> Ends:
    def column(name: str) -> Floats:
        return np.array([np.nan if getattr(r, name) is None else getattr(r, name) for r in results])

    return column("low"), column("high")


def prediction_powered(reps: int) -> Table:
    rows = []
    for m in (20, 50, 200):
        for p in (0.02, 0.1, 0.5):
            g = rng(8, m, round(100 * p))
            drawn = [items(g, 600, m, p) for _ in range(reps)]
            cells = {
                "ppi_rate": held(ends_of([ppi_rate(d) for d, _ in drawn]), p),
                "Wilson of the labels alone": held(wilson_limits([t.sum() for _, t in drawn], m), p),
                "Student t of the labels alone": held(ends_of([student_t(t) for _, t in drawn]), p),
            }
            rows.append(((str(m), f"{p:g}"), cells))
    return Table(
        "ppi", "Prediction-powered rate",
        "600 claims, all judged (90% right), some labelled by humans.", ("human labels", "rate"), tuple(rows),
    )  # fmt: skip


def prediction_powered_hdi(reps: int) -> Table:
    rows = []
    for m in (50, 100, 300):
        for u_b, u_g in ((0.15, 0.02), (0.6, 0.05), (0.9, 0.15)):
            g = rng(9, m, round(100 * u_b))
            drawn = [(items(g, 600, m, u_g)[0], items(g, 600, m, u_b)[0]) for _ in range(reps)]
            judged = [[float(np.sum(np.asarray(d.judge))) for d in pair] for pair in drawn]
            a, b = np.array(judged).T
            ends = mover_ratio_limits((a / 600, *wilson_limits(a, 600)), (b / 600, *wilson_limits(b, 600)))
            cells = {
                "ppi_hdi": held(ends_of([ppi_hdi(*pair) for pair in drawn]), 1 - u_g / u_b),
                "MOVER of the judge's rates": held((1 - ends[1], 1 - ends[0]), 1 - u_g / u_b),
            }
            rows.append(((str(m), f"{u_b:g}", f"{u_g:g}"), cells))
    return Table(
        "ppi_hdi", "Corrected HDI",
        "600 claims an arm, all judged (90% right), some labelled by humans. The judge alone misses the truth almost "
        "always, however many claims it reads.", ("human labels an arm", "u_b", "u_g"), tuple(rows),
    )  # fmt: skip


FAMILIES = (
    proportions, differences, ratios, cluster_rates, paired_rates, hdis, corrected, prediction_powered,
    prediction_powered_hdi,
)  # fmt: skip


def advice(t: dict[str, Table]) -> Iterator[tuple[str, str, str, str]]:
    """Rows of the first table: question, function, when not, least / mean coverage."""

    def many(setting: tuple[str, ...]) -> bool:
        return int(setting[0]) >= 50

    def common(setting: tuple[str, ...]) -> bool:
        return many(setting) and float(setting[1]) >= 0.1

    wilson, bootstrap = "Wilson, effective n", "bootstrap, percentile"
    yield (
        "A rate, independent trials",
        "`wilson`",
        "claims of the same patients",
        t["proportion"].worst("Wilson"),
    )
    yield (
        'An assurance about a rate ("at most 1%")',
        "`clopper_pearson`, `gate`",
        "comparing rates: it is wide",
        t["proportion"].worst("Clopper-Pearson"),
    )
    yield (
        "A difference, independent samples",
        "`newcombe`",
        "the same cases in both arms",
        t["difference"].worst("Newcombe"),
    )
    yield "A ratio, independent samples", "`mover_ratio`", "many claims a patient", t["ratio"].worst("MOVER")
    yield (
        "A rate over claims, 50 or more patients, rate from 10%",
        "`ratio_bootstrap`",
        "few events or patients: the row below",
        t["cluster"].worst(bootstrap, common),
    )
    yield (
        "A rate over claims, few patients or events",
        "`wilson_clustered` (field `alternative`)",
        "scores that are no counts",
        t["cluster"].worst(wilson, lambda s: not common(s)),
    )
    yield (
        "Two arms, same patients, 50 or more",
        "`ratio_differences`, `paired_bootstrap`",
        "different patients (`newcombe`)",
        t["paired"].worst("paired bootstrap, percentile", many),
    )
    yield (
        "Two arms, same patients, fewer",
        "`sign_flip_test` (exact level under H0)",
        "read the bootstrap's coverage here",
        t["paired"].worst("paired bootstrap, percentile", lambda s: not many(s)),
    )
    yield (
        "HDI, 50 or more patients",
        "`hdi_pooled`",
        "fewer than 10 unsupported claims in an arm",
        t["hdi"].worst("hdi_pooled", many),
    )
    yield (
        "HDI, few patients or events",
        "field `alternative` (MOVER, effective n)",
        "",
        t["hdi"].worst("MOVER, effective n"),
    )
    yield (
        "A judge's rate, its errors known from elsewhere",
        "`rogan_gladen`",
        "a judge that errs differently here",
        t["corrected"].worst("Lang-Reiczigel"),
    )
    yield (
        "A judge's rate, humans on part of the claims",
        "`ppi_rate`",
        "a chosen, not random, part",
        t["ppi"].worst("ppi_rate"),
    )
    yield (
        "HDI by a judge, humans on part of the claims",
        "`ppi_hdi`",
        "the same",
        t["ppi_hdi"].worst("ppi_hdi"),
    )


RULE = """| what was seen | a rate | HDI, a difference |
|---|---|---|
| cases worth 50 or more equal ones, 10 and more with an event and without | cluster bootstrap, BCa | the same, in every arm |
| fewer, but worth 5 and 3 | Wilson at the effective number of claims (CR2 variance, t on Satterthwaite's degrees of freedom); Clopper-Pearson's limits where fewer than 10 cases have an event | MOVER of the arms' limits |
| fewer than that | one-sided 97.5% bound: "at most 0.9%" | words: a value and the reason; a difference keeps its p |

Cases are worth (sum n)^2 / sum n^2. An index asks for 3 cases with an unsupported claim in each arm, not for 3 without one, and has no interval
where it could be below -9. Tightened where the rule as first written did not hold (69% in the worst cell): Clopper-Pearson's limits below 10 cases
with an event; the working model of the degrees of freedom lets a case speak with one voice; where sizes are uneven (worth less than three quarters
of the cases) claims of a case are taken to go together by .1 at least, where fewer than 3 cases have an event by .2; of a correlation of the arms
at most .5 is believed inside an index.

Other numbers follow the same table: a ratio of risks is 1 minus an index; a mean over parts (turns, domains, cue cells) and a slope need 5 cases and
3 with an event, and have the jackknife with t (bootstrap from 50 and 10); an effect or a dose is a mean of contrasts within cases, where a case
whose contrast is not 0 is what an event is to a rate. A prediction-powered rate counts the cases in which people found an event: fewer than 3 leave
one bound, its differences and indices words. Kappa and rank correlations resample cases and have no interval below 5 of them.
"""


def page(tables: list[Table], reps: int, policy: coverage_policy.Found) -> str:
    by_key = {t.key: t for t in tables}
    rows = "\n".join(f"| {' | '.join(row)} |" for row in advice(by_key))
    body = "\n".join(t.markdown() for t in tables)
    return (
        "# Which interval to use when\n"
        f"Made by `benchmarks/coverage.py`, {reps:,} replicates a setting, seed {SEED}, level 95%. A cell is coverage in percent "
        "(mean width); a method that holds its level shows 95. The simulation error of a cell is "
        f"{100 * 1.96 * (0.95 * 0.05 / reps) ** 0.5:.1f} points. Definitions and references: [statistics.md](statistics.md).\n\n"
        "Reports use one policy for all of them (`percuss.stats.policy`, version "
        f"{VERSION}), which is measured first; the single functions follow.\n\n{RULE}\n"
        f"{coverage_policy.page(policy)}\n## The functions, one by one\n"
        "| question | function | not for | coverage measured, least / mean |\n|---|---|---|---|\n"
        f"{rows}\n\n{body}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=4_000)
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).resolve().parents[1] / "docs" / "intervals.md"
    )
    parser.add_argument("--quick", action="store_true", help="100 replicates, few settings; prints the page")
    arguments = parser.parse_args()
    reps, made = 100 if arguments.quick else arguments.replicates, []
    for family in FAMILIES:
        started = time.process_time()
        made.append(family(reps))
        print(f"{made[-1].title}: {time.process_time() - started:.1f} s CPU", file=sys.stderr)
    started = time.process_time()
    policy = coverage_policy.measured(reps, quick=arguments.quick)
    print(f"the policy: {time.process_time() - started:.1f} s CPU", file=sys.stderr)
    if arguments.quick:
        print(page(made, reps, policy))
    else:
        arguments.out.write_text(page(made, reps, policy), encoding="utf-8")
        print(f"wrote {arguments.out}", file=sys.stderr)
