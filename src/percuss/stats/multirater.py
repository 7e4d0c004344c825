"""Agreement of any number of raters, some of whom may not have rated every item: Fleiss' kappa, Gwet's AC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import special

from percuss.stats import agreement, arrays
from percuss.stats.bootstrap import evaluate
from percuss.stats.policy import of_sums
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

Interval = Literal["linearised", "bootstrap"]
#: Chance agreement from the shares of the categories, and its derivative for them: (.., q) -> (..), (q,).
Chance = Callable[["FloatArray"], "FloatArray"]


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """Per item the columns whose sums give the coefficient: agreement, pairable, category shares, rated.

    Sums of `columns`, shape (items, q + 3): [agreement of items with two or more ratings, their number, shares of
    each category, items rated].
    """

    columns: FloatArray
    raters: FloatArray
    counts: FloatArray

    @property
    def pairable(self) -> FloatArray:
        return self.columns[:, 1]


def _items(counts: FloatArray, weights: FloatArray) -> _Items:
    counts = counts[counts.sum(axis=1) > 0]
    r = counts.sum(axis=1)
    agreeing = (counts * (counts @ weights.T - 1)).sum(axis=1)
    several = r >= 2
    own = np.where(several, agreeing / np.where(several, r * (r - 1), 1), 0)
    return _Items(np.column_stack([own, several, counts / r[:, None], np.ones_like(r)]), r, counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Coefficient:
    """(observed - chance) / (1 - chance) with a chance agreement of the category shares."""

    items: _Items
    chance: Chance
    gradient: Callable[[FloatArray], FloatArray]

    def value(self, sums: FloatArray) -> FloatArray:
        """Return the coefficient of summed columns, shape (.., q + 3) -> (..)."""
        observed = sums[..., 0] / sums[..., 1]
        chance = self.chance(sums[..., 2:-1] / sums[..., -1:])
        out: FloatArray = np.where(1 - chance > 1e-12, (observed - chance) / (1 - chance), np.nan)
        return out

    def standard_error(self, value: float) -> float:
        """Linearised standard error over items (Gwet 2014, section 5.3, eq. 5.12 and its like)."""
        columns = self.items.columns
        n = len(columns)
        shares = columns[:, 2:-1].mean(axis=0)
        chance = float(self.chance(shares))
        gradient = self.gradient(shares)
        own = (n / self.items.pairable.sum()) * (columns[:, 0] - chance * self.items.pairable) / (1 - chance)
        own -= (1 - value) * ((columns[:, 2:-1] - shares) @ gradient) / (1 - chance)
        return float(np.sqrt(((own - value) ** 2).sum() / (n * (n - 1))))


def _estimate(
    coefficient: _Coefficient,
    method: str,
    interval: Interval,
    *,
    seed: int | None,
    clusters: npt.ArrayLike | None,
    B: int,
    level: float,
) -> Result:
    columns = coefficient.items.columns
    n = len(columns)
    value = float(evaluate(coefficient.value, columns.sum(axis=0)))
    if interval == "bootstrap":
        s = arrays.required_seed(seed, f"the bootstrap of {method}")
        r = of_sums(coefficient.value, columns, seed=s, clusters=clusters, B=B, level=level)
        return replace(r, method=f"{method}, {r.method}")
    if interval != "linearised" or clusters is not None:
        raise StatsError(
            f"interval is {interval!r} with clusters {clusters is not None}; clusters need 'bootstrap'"
        )
    method = f"{method}, linearised t"
    if n < 2:
        reason = "one item has no spread"
        return Result(value=value, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    error = coefficient.standard_error(value)
    if error < 1e-12:
        reason = "every item agrees to the same degree, so the standard error is 0"
        return Result(value=value, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    half = float(special.stdtrit(n - 1, 0.5 + level / 2)) * error
    return Result(
        value=value, low=max(value - half, -1), high=min(value + half, 1), level=level, method=method, n=n
    )


def _reason(counts: FloatArray) -> str | None:
    if not len(counts):
        return "no items"
    if not (counts.sum(axis=1) >= 2).any():
        return "no item has two ratings"
    return None


def fleiss_kappa(
    ratings: Any,
    *,
    weights: agreement.Weights = "nominal",
    scale: Sequence[Hashable] | None = None,
    interval: Interval = "linearised",
    seed: int | None = None,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Fleiss' kappa: agreement of several raters beyond that of raters who draw from the pooled shares.

    Parameters
    ----------
    ratings: shape (items, raters), None or NaN where not rated; raters may change from item to item.
    weights, scale: as in `cohen_kappa`.
    interval: Gwet's linearised t interval over items, or percentile bootstrap over items or `clusters`.
    seed, clusters, B: of the bootstrap; `clusters` has one label an item, all items rated at least once.
    level: confidence level.

    Raises
    ------
    StatsError: one rater, rows of unequal length, an unknown label, a bootstrap without seed.

    Items with one rating count for the shares, not for agreement. Undefined where all labels are equal. With equal
    numbers of raters it is Fleiss (1971), Psychol Bull 76:378; else Gwet (2014), Handbook of Inter-Rater
    Reliability, section 3.4.

    """
    codes, categories = agreement.codes_by_rater(ratings, scale)
    counts = agreement.counts_by_item(codes, len(categories))
    method = f"Fleiss kappa, {weights}"
    if reason := _reason(counts):
        return missing(reason, level=level, method=method, n=len(counts))
    if (counts.sum(axis=0) > 0).sum() < 2:
        return missing(
            "all labels are equal: chance agreement is 1", level=level, method=method, n=len(counts)
        )
    w = agreement.weight_matrix(weights, len(categories))

    def chance(shares: FloatArray) -> FloatArray:
        out: FloatArray = ((shares @ w) * shares).sum(axis=-1)
        return out

    coefficient = _Coefficient(_items(counts, w), chance, lambda shares: (w + w.T) @ shares)
    result = _estimate(coefficient, method, interval, seed=seed, clusters=clusters, B=B, level=level)
    return _with_paradox(result, coefficient, categories)


def _with_paradox(result: Result, coefficient: _Coefficient, categories: tuple[Hashable, ...]) -> Result:
    sums = coefficient.items.columns.sum(axis=0)
    if result.value is None:
        return result
    shares = sums[2:-1] / sums[-1]
    return result.with_notes(
        *agreement.paradox_note(float(sums[0] / sums[1]), result.value, shares, categories)
    )


def gwet_ac(
    ratings: Any,
    *,
    weights: agreement.Weights = "nominal",
    scale: Sequence[Hashable] | None = None,
    interval: Interval = "linearised",
    seed: int | None = None,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Gwet's AC1 (nominal) or AC2 (weighted): a coefficient that high prevalence doesn't push to 0.

    Parameters
    ----------
    ratings, weights, scale, interval, seed, clusters, B, level: as in `fleiss_kappa`.

    Raises
    ------
    StatsError: as `fleiss_kappa`.

    Read it beside kappa where one label dominates. It depends on the number of categories: give the whole `scale`
    where some were never used. Undefined with one category. Source: Gwet (2008), Br J Math Stat Psychol 61:29.

    """
    codes, categories = agreement.codes_by_rater(ratings, scale)
    q = len(categories)
    counts = agreement.counts_by_item(codes, q)
    method = "Gwet AC1" if weights == "nominal" else f"Gwet AC2, {weights}"
    if reason := _reason(counts):
        return missing(reason, level=level, method=method, n=len(counts))
    if q < 2:
        reason = "only one category is known; pass the whole scale=[..]"
        return missing(reason, level=level, method=method, n=len(counts))
    w = agreement.weight_matrix(weights, q)
    factor = w.sum() / (q * (q - 1))

    def chance(shares: FloatArray) -> FloatArray:
        out: FloatArray = factor * (shares * (1 - shares)).sum(axis=-1)
        return out

    coefficient = _Coefficient(_items(counts, w), chance, lambda shares: factor * (1 - 2 * shares))
    return _estimate(coefficient, method, interval, seed=seed, clusters=clusters, B=B, level=level)
