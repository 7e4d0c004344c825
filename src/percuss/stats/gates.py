"""Gates on the failure rates of an evaluator: a bootstrap bound decides, an exact bound says how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.bootstrap import cluster_bootstrap
from percuss.stats.clustered import limits_of
from percuss.stats.intervals import clopper_pearson, clopper_pearson_limits
from percuss.stats.ratios import ratio
from percuss.stats.resampling import rows
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

#: Thresholds of Moll et al. 2025, section 5.2; parse is judged by count.
PAPER_GATES: Mapping[str, float] = {
    "fpr_sham": 0.05,
    "abstain": 0.02,
    "invalid": 0.02,
    "parse": 0.0,
    "schema": 0.01,
    "evidence": 0.01,
}
#: Outcomes of a judgement, first that applies (definitions/explanation.md, evaluator selection).
OUTCOMES = ("transport", "parse", "schema", "abstain", "evidence", "ok")
#: Trials beyond which no sample size is searched.
MAX_TRIALS = 10_000_000


@dataclass(frozen=True, slots=True)
class Gate:
    """A rate against its threshold: `passed` by the bootstrap bound, `assured` by Clopper-Pearson."""

    name: str
    rate: Result
    threshold: float
    passed: bool | None
    assured: bool
    needs: int | None

    def __str__(self) -> str:
        """Print rate, threshold and verdict in one line."""
        verdict = "undefined" if self.passed is None else "pass" if self.passed else "fail"
        beside = (
            "assured"
            if self.assured
            else "no n assures it"
            if self.needs is None
            else f"needs n >= {self.needs}"
        )
        return f"{self.name} <= {self.threshold:g}: {verdict} ({beside}); {self.rate}"


def gate(
    events: npt.ArrayLike,
    threshold: float,
    *,
    seed: int,
    name: str = "rate",
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Gate:
    """Hold a failure rate against a threshold by the upper bound of its bootstrap interval.

    Parameters
    ----------
    events: shape (n,), 1 where the failure happened, else 0.
    threshold: largest rate allowed; 0 is judged by count.
    seed, B, level: of the percentile bootstrap over items or `clusters`.
    name: printed.
    clusters: label per item.

    Raises
    ------
    StatsError: events other than 0 and 1, a threshold outside [0, 1).

    Passes if the upper bound is at most the threshold; no events pass. `assured` needs the Clopper-Pearson bound
    below it too (where clusters hold several items, the bound at their effective number, `wilson_clustered`), and `needs` is the number of trials at which as many events would be assured. Wilson's interval
    is no gate here: it never passes a threshold of 0 (definitions/explanation.md). Source: Moll et al. 2025, section 5.2.

    """
    x = arrays.vector("events", events)
    if not np.isin(x, (0, 1)).all():
        raise StatsError("events hold values other than 0 and 1; one outcome per item was expected")
    if not 0 <= threshold < 1:
        raise StatsError(f"threshold is {threshold}; a rate from 0 to below 1 was expected")
    n, k = len(x), int(x.sum())
    if n == 0:
        return Gate(name, missing("no items", level=level, method="gate", n=0), threshold, None, False, None)
    exact = clopper_pearson(k, n, level=level)
    if k in {0, n}:
        rate = replace(exact, method="Clopper-Pearson (no bootstrap without variation)")
        passed = k == 0
    else:
        columns = np.column_stack([x, np.ones(n)])
        rate = cluster_bootstrap(ratio, columns, seed=seed, clusters=clusters, B=B, level=level)
        passed = rate.high is not None and rate.high <= threshold if threshold else False
    assured = _most(x, clusters, exact, level) <= threshold
    return Gate(name, rate, threshold, passed, assured, trials_needed(k, threshold, level=level))


def _most(x: FloatArray, clusters: npt.ArrayLike | None, exact: Result, level: float) -> float:
    """Return the upper bound that assurance rests on: Clopper-Pearson, or the clustered one where items share clusters."""
    sums = rows(np.column_stack([x, np.ones(len(x))]), clusters, None).sums
    if (sums[:, 1] <= 1).all() or len(sums) < 2:
        alone = (sums[:, 1] <= 1).all() and exact.high is not None
        return float(exact.high or 0.0) if alone else 1.0
    return limits_of(sums[:, 0], sums[:, 1], level)[1]


def trials_needed(k: int, threshold: float, *, level: float = 0.95) -> int | None:
    """Return the fewest trials at which k events keep the Clopper-Pearson bound at or below a threshold.

    Parameters
    ----------
    k: events seen.
    threshold: largest rate allowed; None comes back for 0, which no number of trials assures.
    level: of the two-sided interval.

    >>> trials_needed(0, 0.01)
    368

    """
    arrays.fraction("level", level)
    if threshold <= 0:
        return None
    tail = (1 - level) / 2
    # bdtr(k, n, threshold) <= tail is the same bound, monotone in n: bisect.
    low, high = k + 1, MAX_TRIALS
    if special.bdtr(k, high, threshold) > tail:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if special.bdtr(k, middle, threshold) <= tail else (middle + 1, high)
    _, bound = clopper_pearson_limits(k, low, level)
    return low if float(bound) <= threshold + 1e-12 else low + 1


@dataclass(frozen=True, slots=True)
class OutcomeRates:
    """Shares of judgement outcomes over all asked, and the two coverage figures made of them."""

    n: int
    rates: Mapping[str, float]
    coverage: float | None
    validity: float | None

    @property
    def invalid(self) -> float:
        """Share of unreadable judgements: parse + schema + evidence."""
        return self.rates["parse"] + self.rates["schema"] + self.rates["evidence"]

    def __str__(self) -> str:
        """Print coverage, validity and the parts in one line."""
        parts = ", ".join(f"{name} {100 * rate:.1f}%" for name, rate in self.rates.items() if name != "ok")
        figures = "undefined" if self.coverage is None else f"{self.coverage:.3f}"
        validity = "undefined" if self.validity is None else f"{self.validity:.3f}"
        return f"coverage {figures}, validity {validity} ({parts}), n = {self.n}"


def outcome_rates(outcomes: Sequence[str], *, double_count_abstain: bool = False) -> OutcomeRates:
    """Coverage and validity of an evaluator's judgements.

    Parameters
    ----------
    outcomes: one of `OUTCOMES` per judgement asked for.
    double_count_abstain: count each abstention as a schema failure too, as Moll et al. 2025, Table S9 did.

    Raises
    ------
    StatsError: an unknown outcome.

    Coverage = ok / n; validity = 1 - invalid / (1 - abstain), undefined where all abstained. Source: Moll et al. 2025,
    section 5.2; definitions/explanation.md, evaluator selection.

    """
    unknown = sorted(set(outcomes) - set(OUTCOMES))
    if unknown:
        raise StatsError(f"outcome {unknown[0]!r} came; one of {', '.join(OUTCOMES)} was expected")
    n = len(outcomes)
    rates = {name: sum(o == name for o in outcomes) / n if n else 0.0 for name in OUTCOMES}
    if double_count_abstain:
        rates["schema"] += rates["abstain"]
    if n == 0:
        return OutcomeRates(0, rates, None, None)
    invalid = rates["parse"] + rates["schema"] + rates["evidence"]
    attempted = 1 - rates["abstain"]
    coverage = 1 - rates["abstain"] - invalid if double_count_abstain else rates["ok"]
    return OutcomeRates(n, rates, coverage, 1 - invalid / attempted if attempted > 0 else None)
