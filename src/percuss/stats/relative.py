"""Relative risk of two groups of items within the same clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from percuss.stats import arrays
from percuss.stats.contrasts import compared_hdis, ratio_reason
from percuss.stats.policy import support
from percuss.stats.resampling import Method, rows
from percuss.stats.result import Result, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

HALF = 0.5


def _value(totals: FloatArray) -> float:
    """Return the ratio of two risks from (events, items, events, items), 0.5 added to all four cells where one is empty."""
    a, n1, c, n0 = (float(x) for x in totals)
    half = HALF if min(a, n1 - a, c, n0 - c) <= 0 else 0.0
    return ((a + half) / (n1 + 2 * half)) / ((c + half) / (n0 + 2 * half))


def relative_risk(
    events: npt.ArrayLike,
    items: npt.ArrayLike,
    events_reference: npt.ArrayLike,
    items_reference: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    epochs: npt.ArrayLike | None = None,
    B: int = 10_000,
    level: float = 0.95,
    method: Method = "bca",
) -> Result:
    """Risk in one group over the risk in another, with the interval of the policy over clusters.

    Parameters
    ----------
    events, items: shape (rows,), events and items of the group, per case.
    events_reference, items_reference: shape (rows,), of the group it is held against.
    seed, clusters, epochs, B, level, method: as in `policy.rate`.

    Raises
    ------
    StatsError: NaN, unequal lengths, events beyond the items.

    Where a cell of the 2 x 2 table is empty, 0.5 is added to all four (Haldane 1956; Anscombe 1956). Undefined where a
    group has no items. Too few cases, or fewer than 3 with an event in a group: a value and the reason, as for an HDI,
    which is 1 minus such a ratio. An association, not an effect: nothing was assigned.

    """
    first = np.stack(arrays.parts(events, items, ("events", "items")), axis=1)
    other = np.stack(
        arrays.parts(events_reference, items_reference, ("events_reference", "items_reference")), axis=1
    )
    columns = np.hstack([first, other])
    totals = columns.sum(axis=0) if len(columns) else np.zeros(4)
    if totals[1] == 0 or totals[3] == 0:
        return missing("one of the two groups has no items", level=level, method="ratio of risks", n=0)
    value = _value(totals)
    by: dict[str, Any] = {"clusters": clusters, "epochs": epochs}
    held = compared_hdis([(*first.T, *other.T)], seed=seed, B=B, level=level, method=method, **by).arms[0]
    sums = rows(columns, clusters, epochs).sums
    carried = (support(*sums[sums[:, j + 1] > 0, j : j + 2].T) for j in (0, 2))
    sides = tuple(zip(carried, ("in the group", "in the reference"), strict=True))
    reason = ratio_reason(sides, "an event")
    named: dict[str, Any] = {"method": f"ratio of risks: {held.method}", "level": level, "n": len(sums)}
    if held.low is None or held.high is None or reason:
        why = reason or "the risk in the reference isn't separated from 0"
        return Result(value=value, low=None, high=None, undefined=why, **named)
    return Result(value=value, low=1 - held.high, high=1 - held.low, **named)
