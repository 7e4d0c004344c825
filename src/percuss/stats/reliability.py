"""Krippendorff's alpha: nominal, ordinal, interval; any number of raters, missing ratings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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

Metric = Literal["nominal", "ordinal", "interval"]
_Statistic = Callable[["FloatArray"], "FloatArray"]


def _alpha(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return 1 - D_o / D_e, NaN where nothing differs at all."""
    out: FloatArray = np.where(expected > 0, 1 - observed / expected, np.nan)
    return out


def _nominal(counts: FloatArray) -> tuple[FloatArray, _Statistic]:
    """Columns: disagreeing pairs over m - 1, then ratings per category."""
    m = counts.sum(axis=1)
    differing = (m * m - (counts * counts).sum(axis=1)) / (m - 1)

    def statistic(sums: FloatArray) -> FloatArray:
        marginals = sums[..., 1:]
        n = marginals.sum(axis=-1)
        return _alpha(sums[..., 0] / n, (n * n - (marginals**2).sum(axis=-1)) / (n * (n - 1)))

    return np.column_stack([differing, counts]), statistic


def _ordinal(counts: FloatArray) -> tuple[FloatArray, _Statistic]:
    """Columns: the coincidence matrix of each item, whose row sums are the ratings per category."""
    n_items, q = counts.shape
    pairs = counts[:, :, None] * counts[:, None, :] - np.eye(q) * counts[:, :, None]
    coincidences = (pairs / (counts.sum(axis=1) - 1)[:, None, None]).reshape(n_items, q * q)

    def statistic(sums: FloatArray) -> FloatArray:
        o = sums.reshape(*sums.shape[:-1], q, q)
        marginals = o.sum(axis=-1)
        n = marginals.sum(axis=-1)
        # Krippendorff's ordinal distance is the difference of these ranks' midpoints, squared.
        middle = np.cumsum(marginals, axis=-1) - marginals / 2
        distance = (middle[..., :, None] - middle[..., None, :]) ** 2
        expected = (marginals[..., :, None] * marginals[..., None, :] * distance).sum(axis=(-2, -1)) / (
            n * (n - 1)
        )
        return _alpha((o * distance).sum(axis=(-2, -1)) / n, expected)

    return coincidences, statistic


def _interval(counts: FloatArray, values: FloatArray) -> tuple[FloatArray, _Statistic]:
    """Columns: ratings, their sum and sum of squares, squared differences within the item over m - 1."""
    m = counts.sum(axis=1)
    first, second = counts @ values, counts @ values**2
    within = 2 * (m * second - first**2) / (m - 1)

    def statistic(sums: FloatArray) -> FloatArray:
        n, s, s2, d = np.moveaxis(sums, -1, 0)
        return _alpha(d / n, 2 * (n * s2 - s**2) / (n * (n - 1)))

    return np.column_stack([m, first, second, within]), statistic


def _numeric(categories: tuple[Hashable, ...]) -> FloatArray:
    if not all(isinstance(c, int | float) for c in categories):
        raise StatsError(f"categories {list(categories)!r} are no numbers; the interval metric needs numbers")
    x = arrays.vector("ratings", np.asarray(categories, dtype=float))
    centred: FloatArray = (
        x - x.mean()
    )  # differences alone count, and centred sums of squares keep their digits
    return centred


def krippendorff_alpha(
    ratings: Any,
    *,
    metric: Metric = "nominal",
    scale: Sequence[Hashable] | None = None,
    interval: Literal["jackknife", "bootstrap"] = "jackknife",
    seed: int | None = None,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Krippendorff's alpha: 1 - observed / expected disagreement over all pairable ratings.

    Parameters
    ----------
    ratings: shape (items, raters), None or NaN where not rated.
    metric: of the distance between categories; interval needs numbers.
    scale: categories in order (ordinal); None: those seen, sorted.
    interval: delete-one-item jackknife with t quantiles, or percentile bootstrap over items or `clusters`.
    seed, clusters, B: of the bootstrap; `clusters` has one label an item.
    level: confidence level.

    Raises
    ------
    StatsError: one rater, rows of unequal length, an unknown label, no numbers, a bootstrap without seed.

    Items with fewer than two ratings leave the computation (`n_undefined`). Undefined where all labels are equal.
    Source: Krippendorff (2019), Content Analysis, chapter 12.

    """
    codes, categories = agreement.codes_by_rater(ratings, scale)
    counts = agreement.counts_by_item(codes, len(categories))
    kept = counts.sum(axis=1) >= 2
    method = f"Krippendorff alpha, {metric}"
    left_out = int((~kept).sum())
    if not kept.any():
        reason = "no item has two ratings"
        return replace(missing(reason, level=level, method=method, n=0), n_undefined=left_out)
    if metric not in {"nominal", "ordinal", "interval"}:
        raise StatsError(f"metric is {metric!r}; nominal, ordinal or interval was expected")
    if metric == "interval":
        columns, statistic = _interval(counts[kept], _numeric(categories))
    else:
        columns, statistic = (_nominal if metric == "nominal" else _ordinal)(counts[kept])
    if (counts[kept].sum(axis=0) > 0).sum() < 2:
        reason = "all labels are equal: no disagreement could be seen"
        return replace(missing(reason, level=level, method=method, n=int(kept.sum())), n_undefined=left_out)
    if interval == "bootstrap":
        s = arrays.required_seed(seed, "the bootstrap of alpha")
        kept_clusters = None if clusters is None else np.asarray(clusters)[kept]
        r = of_sums(statistic, columns, seed=s, clusters=kept_clusters, B=B, level=level)
    elif interval == "jackknife" and clusters is None:
        r = _jackknife(statistic, columns, level)
    else:
        raise StatsError(
            f"interval is {interval!r} with clusters {clusters is not None}; clusters need 'bootstrap'"
        )
    return replace(r, method=f"{method}, {r.method}", n_undefined=left_out)


def _jackknife(statistic: _Statistic, columns: FloatArray, level: float) -> Result:
    """T interval from leaving out one item at a time (Davison and Hinkley 1997, section 3.2.1)."""
    n = len(columns)
    total = columns.sum(axis=0)
    value = float(evaluate(statistic, total))
    left_out = evaluate(statistic, total - columns)
    reason = None
    if n < 2:
        reason = "one item has no spread"
    elif np.isnan(left_out).any():
        reason = "all disagreement lies in one item; use the bootstrap to see how often it is drawn"
    elif np.ptp(left_out) < 1e-15:
        reason = "leaving out any one item changes nothing, so the standard error is 0"
    if reason:
        return Result(
            value=value, low=None, high=None, level=level, method="jackknife", n=n, undefined=reason
        )
    error = float(np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()))
    half = float(special.stdtrit(n - 1, 0.5 + level / 2)) * error
    return Result(
        value=value, low=value - half, high=min(value + half, 1), level=level, method="jackknife", n=n
    )
