"""Relative risk of two groups of items within the same clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.bootstrap import cluster_bootstrap
from percuss.stats.resampling import Method
from percuss.stats.result import Result, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

HALF = 0.5


def _ratio(sums: FloatArray) -> FloatArray:
    """Return the ratio of two risks from (events, items, events, items), 0.5 added to all four cells where one is empty."""
    a, n1, c, n0 = (sums[..., i] for i in range(4))
    empty = (a <= 0) | (a >= n1) | (c <= 0) | (c >= n0)
    half = np.where(empty, HALF, 0.0)
    out: FloatArray = ((a + half) / (n1 + 2 * half)) / ((c + half) / (n0 + 2 * half))
    return np.where((n1 > 0) & (n0 > 0), out, np.nan)


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
    method: Method = "percentile",
) -> Result:
    """Risk in one group over the risk in another, with an interval over clusters.

    Parameters
    ----------
    events, items: shape (rows,), events and items of the group, per case.
    events_reference, items_reference: shape (rows,), of the group it is held against.
    seed, clusters, epochs, B, level, method: as in `cluster_bootstrap`.

    Raises
    ------
    StatsError: NaN, unequal lengths, events beyond the items.

    Where a cell of the 2 x 2 table is empty, 0.5 is added to all four (Haldane 1956; Anscombe 1956). Undefined where a
    group has no items. An association, not an effect: nothing was assigned.

    """
    first = np.stack(arrays.parts(events, items, ("events", "items")), axis=1)
    other = np.stack(
        arrays.parts(events_reference, items_reference, ("events_reference", "items_reference")), axis=1
    )
    columns = np.hstack([first, other])
    totals = columns.sum(axis=0) if len(columns) else np.zeros(4)
    if totals[1] == 0 or totals[3] == 0:
        return missing("one of the two groups has no items", level=level, method="cluster bootstrap", n=0)
    return cluster_bootstrap(
        _ratio, columns, seed=seed, clusters=clusters, epochs=epochs, B=B, level=level, method=method
    )
