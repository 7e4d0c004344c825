"""Cohen's kappa of two raters: nominal, linear and quadratic."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from percuss.stats import agreement, arrays
from percuss.stats.bootstrap import evaluate
from percuss.stats.intervals import wilson_limits, z_value
from percuss.stats.policy import MIN_CLUSTERS, of_sums
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

#: Below this a variance is rounding error.
TINY = 1e-15


class _Table:
    """Kappa as a function of the counts of the label pairs seen, so that resamples are cheap on wide scales."""

    def __init__(self, pairs: agreement.Pairs, weights: agreement.Weights) -> None:
        q = len(pairs.scale)
        cells, self.cell = np.unique(pairs.first * q + pairs.second, return_inverse=True)
        self.weights = agreement.weight_matrix(weights, q)
        self.agree = self.weights[cells // q, cells % q]
        self.row, self.column = np.eye(q)[cells // q], np.eye(q)[cells % q]
        self.counts = np.bincount(self.cell, minlength=len(cells)).astype(np.float64)

    def observed_and_chance(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return weighted observed and chance agreement of counts, shape (.., cells) -> (..)."""
        p = counts / counts.sum(axis=-1, keepdims=True)
        return p @ self.agree, ((p @ self.row @ self.weights) * (p @ self.column)).sum(axis=-1)

    def kappa(self, counts: FloatArray) -> FloatArray:
        """Return (observed - chance) / (1 - chance), NaN where chance agreement is 1."""
        observed, chance = self.observed_and_chance(counts)
        out: FloatArray = np.where(1 - chance > TINY, (observed - chance) / (1 - chance), np.nan)
        return out

    def standard_error(self) -> float:
        """Large-sample standard error (Fleiss, Cohen and Everitt 1969, eq. 8)."""
        n = self.counts.sum()
        p = self.counts / n
        observed, chance = (float(x) for x in self.observed_and_chance(self.counts))
        by_row = self.row @ (self.weights @ (p @ self.column))
        by_column = self.column @ ((p @ self.row) @ self.weights)
        spread = p @ (self.agree * (1 - chance) - (by_row + by_column) * (1 - observed)) ** 2
        variance = (spread - (observed * chance - 2 * chance + observed) ** 2) / (n * (1 - chance) ** 4)
        return float(np.sqrt(max(variance, 0)))


def cohen_kappa(
    a: agreement.Labels,
    b: agreement.Labels,
    *,
    weights: agreement.Weights = "nominal",
    scale: Sequence[Hashable] | None = None,
    interval: Literal["asymptotic", "bootstrap"] = "asymptotic",
    seed: int | None = None,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Cohen's kappa: agreement of two raters beyond what their label shares give by chance.

    Parameters
    ----------
    a, b: labels, shape (n,), same items in the same order.
    weights: of disagreements; linear and quadratic need an ordered `scale`.
    scale: categories in order; None: those seen, sorted.
    interval: Fleiss, Cohen and Everitt's large-sample one, or the policy's (`policy.of_sums`) over items or `clusters`.
    seed, clusters, B: of the bootstrap.
    level: confidence level.

    Raises
    ------
    StatsError: unequal numbers of items, a missing or unknown label, a bootstrap without seed.

    Undefined where a rater gave one label throughout (its kappa is 0 or undefined whatever the other says). Fewer than 5 items or
    clusters carry no interval (the interval policy). Perfect agreement, where both intervals
    have no width, gets Wilson's limits of the agreement at the same chance agreement. `notes` name the paradox of
    high agreement and low kappa. Not for more than two raters, nor across data of different label shares.
    Sources: Cohen (1960, 1968); Fleiss, Cohen and Everitt (1969), Psychol Bull 72:323.

    """
    pairs = agreement.pair(a, b, scale)
    method = f"Cohen kappa, {weights}"
    n = len(pairs.first)
    if n == 0:
        return missing("no items", level=level, method=method, n=0)
    table = _Table(pairs, weights)
    value = float(evaluate(table.kappa, table.counts))
    if reason := _constant(pairs):
        return missing(reason, level=level, method=method, n=n)
    raw = float(np.mean(pairs.first == pairs.second))
    shares = np.bincount(np.concatenate([pairs.first, pairs.second]), minlength=len(pairs.scale)) / (2 * n)
    notes = agreement.paradox_note(raw, value, shares, pairs.scale)
    if raw == 1:
        r = _unless_few(
            _perfect(table, n, level), n if clusters is None else len(np.unique(np.asarray(clusters)))
        )
    elif interval == "bootstrap":
        cells = np.eye(len(table.counts))[table.cell]
        seed = arrays.required_seed(seed, "the bootstrap of kappa")
        r = of_sums(table.kappa, cells, seed=seed, clusters=clusters, B=B, level=level)
    elif interval == "asymptotic" and clusters is None:
        r = _unless_few(_asymptotic(table, value, level), n)
    else:
        raise StatsError(
            f"interval is {interval!r} with clusters {clusters is not None}; clusters need 'bootstrap'"
        )
    return replace(r, method=f"{method}, {r.method}", notes=(*r.notes, *notes))


def _constant(pairs: agreement.Pairs) -> str:
    """Why kappa says nothing: a rater who gives one label throughout agrees by chance alone, whoever the other is."""
    for given, who in ((pairs.first, "the first rater"), (pairs.second, "the second rater")):
        if (given == given[0]).all():
            same = (pairs.first == pairs.second).all()
            label = repr(pairs.scale[given[0]])
            return (
                f"both raters gave only {label}: chance agreement is 1"
                if same
                else f"{who} gave only {label}"
            )
    return ""


def _unless_few(r: Result, cases: int) -> Result:
    """Return a result without its interval where it rests on fewer items or clusters than the policy gives one."""
    if cases >= MIN_CLUSTERS:
        return r
    few = f"{cases} {'case' if cases == 1 else 'cases'}, fewer than {MIN_CLUSTERS}"
    return replace(r, low=None, high=None, method="no interval", undefined=few)


def _asymptotic(table: _Table, value: float, level: float) -> Result:
    half = z_value(level) * table.standard_error()
    low, high = max(value - half, -1.0), min(value + half, 1.0)
    return Result(
        value=value, low=low, high=high, level=level, method="asymptotic", n=round(table.counts.sum())
    )


def _perfect(table: _Table, n: int, level: float) -> Result:
    _, chance = table.observed_and_chance(table.counts)
    low, _ = wilson_limits(n, n, level)
    bound = (float(low) - float(chance)) / (1 - float(chance))
    return Result(
        value=1.0, low=bound, high=1.0, level=level, method="Wilson limits of perfect agreement", n=n
    )
