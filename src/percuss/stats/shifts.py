"""Paired differences and contrasts within cases: p by sign flips, the interval by the policy.

Two arms of shares carry the interval of a difference of rates (MOVER, or a bootstrap where there are many cases and
events), so that too few events in an arm leave words; any other contrast within a case carries that of a mean.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.clustered import MIN_EVENTS
from percuss.stats.contrasts import compared_rates
from percuss.stats.paired import sign_flip_test
from percuss.stats.policy import MANY_EVENTS, jackknifed, of_sums, support
from percuss.stats.resampling import rows
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

#: Decimals kept of a difference, so that shares that cancel give 0.
DIGITS = 12
#: Random signs at least: a p of .0002 can be seen.
MIN_SIGNS = 5_000


def _mean(sums: FloatArray) -> FloatArray:
    out: FloatArray = sums[..., 0] / sums[..., 1]
    return out


def paired_shift(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Mean of first minus second over cases, each a share of its case, with the interval of a difference of rates.

    Parameters
    ----------
    first, second: shape (cases,), a case's own share in each arm, 0 to 1; only cases that have both.
    seed, clusters, B, level: as in `policy.rate`; of the random signs too, 5,000 at least.

    Raises
    ------
    StatsError: NaN, unequal lengths.

    H0 of the p: a case's two shares could as well have changed places. The interval follows the policy, so that fewer
    than 5 effective cases, or fewer than 3 with an event (or without one) in an arm, leave a value, its p and words.

    >>> round(paired_shift([1, 1, 0, 1], [0, 1, 0, 0], seed=1, B=100).value, 2)
    0.5

    """
    x, y = arrays.vector("first", first), arrays.vector("second", second)
    if len(x) != len(y):
        raise StatsError(f"first has {len(x)} cases and second {len(y)}; equal lengths were expected")
    if not len(x):
        return missing("no case has this metric in both arms", level=level, method="sign-flip test", n=0)
    tested = _flipped(np.round(x - y, DIGITS), seed, clusters, B, level)
    held = (
        compared_rates(np.stack([x, y]), seed=seed, clusters=clusters, B=B, level=level).between(0, 1).result
    )
    return replace(
        held, value=tested.value, n=tested.n, p=tested.p, method=f"{held.method}; p by {tested.method}"
    )


def mean_shift(
    contrasts: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Mean of a contrast within cases, with the interval of a mean.

    Parameters
    ----------
    contrasts: shape (cases,), what each case adds: a slope over doses, a sum of arms with signs.
    seed, clusters, B, level: as in `paired_shift`.

    Raises
    ------
    StatsError: NaN, wrong shapes.

    H0 of the p: contrasts are symmetric around 0. A case whose contrast is not 0 is what an event is to a rate: fewer than
    3 of them leave words, fewer than 10 no bootstrap.

    """
    x = np.round(arrays.vector("contrasts", contrasts), DIGITS)
    if not len(x):
        return missing("no case has every arm", level=level, method="sign-flip test", n=0)
    tested = _flipped(x, seed, clusters, B, level)
    columns = np.stack([x, np.ones_like(x)], axis=1)
    per = rows(columns, clusters, None).sums
    carried, differing = support(per[:, 1], per[:, 1]), int((per[:, 0] != 0).sum())
    reason = carried.too_few_clusters
    if not reason and differing < MIN_EVENTS:
        cases = "case differs" if differing == 1 else "cases differ"
        reason = f"{differing} {cases}, fewer than {MIN_EVENTS}"
    if reason or differing < MANY_EVENTS:
        held = jackknifed(_mean, per, per[:, 1], level, reason)
    else:
        held = of_sums(_mean, per, seed=seed, weights=per[:, 1], B=B, level=level)
    return replace(
        held, value=tested.value, n=tested.n, p=tested.p, method=f"{held.method}; p by {tested.method}"
    )


def _flipped(x: FloatArray, seed: int, clusters: npt.ArrayLike | None, B: int, level: float) -> Result:
    return sign_flip_test(x, seed=seed, clusters=clusters, B=max(B, MIN_SIGNS), level=level)
