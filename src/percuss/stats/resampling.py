"""Cluster resampling as one matrix product: every bootstrap statistic here is a function of W @ X.

X holds one row of sums per cluster (per cluster and epoch where there are epochs), W the number of times each row
was drawn. W is made in chunks of bounded size, so a million clusters cost the memory of a few rows; a small W with
epochs, the slow one to draw, is kept for the next statistic over the same clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.result import StatsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray, IntArray

#: Numbers of one chunk of W: small enough for the cache, and for matrix products that no BLAS spreads over threads.
CHUNK = 1 << 15

#: Numbers of a W that is kept, two bytes each: 2,000 draws of 10,000 rows.
KEPT = 20_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Sums per unit of resampling, units of one cluster next to each other.

    `sums`: shape (n_rows, m). `sizes`: rows of each cluster, shape (n_clusters,): 1 without epochs.
    """

    sums: FloatArray
    sizes: IntArray

    @property
    def n_clusters(self) -> int:
        """Clusters drawn in each resample."""
        return len(self.sizes)

    def cluster_sums(self) -> FloatArray:
        """Sums per cluster over its epochs, shape (n_clusters, m)."""
        if len(self.sums) == len(self.sizes):
            return self.sums
        starts = np.concatenate(([0], np.cumsum(self.sizes)[:-1]))
        return np.add.reduceat(self.sums, starts, axis=0)


def rows(columns: npt.ArrayLike, clusters: npt.ArrayLike | None, epochs: npt.ArrayLike | None) -> Rows:
    """Add up the rows that are drawn together.

    Parameters
    ----------
    columns: shape (n, m), one row a case (or a case and epoch), the quantities the statistic sums.
    clusters: label per row, shape (n,); None: every row is its own cluster.
    epochs: label per row; rows of one cluster and epoch are drawn together, epochs within their cluster.

    Raises
    ------
    StatsError: NaN, wrong shapes, epochs without clusters, no rows.

    """
    x = arrays.matrix("columns", columns, shape="(rows, columns)")
    if len(x) == 0:
        raise StatsError("no rows came; at least one case was expected")
    if clusters is None:
        if epochs is not None:
            raise StatsError("epochs came without clusters; pass the case of each row as its cluster")
        return Rows(x, np.ones(len(x), dtype=np.int64))
    cluster, n_clusters = arrays.codes("clusters", clusters, length=len(x))
    if epochs is None:
        return Rows(_group_sums(x, cluster, n_clusters), np.ones(n_clusters, dtype=np.int64))
    epoch, n_epochs = arrays.codes("epochs", epochs, length=len(x))
    units, unit = np.unique(cluster * n_epochs + epoch, return_inverse=True)
    sizes = np.bincount(units // n_epochs, minlength=n_clusters)
    return Rows(_group_sums(x, unit, len(units)), sizes)


def _group_sums(x: FloatArray, group: IntArray, n_groups: int) -> FloatArray:
    return np.stack([np.bincount(group, weights=column, minlength=n_groups) for column in x.T], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """B draws of all clusters with replacement; every pass over it gives the same draws.

    Two statistics over the same clusters that use equal `sizes`, `B` and `seed` are paired: their differences
    need no further draw. Where a cluster has several rows (epochs), as many rows of it are drawn anew, with
    replacement, each time it is drawn (second level).
    """

    sizes: IntArray
    B: int
    seed: int

    def __iter__(self) -> Iterator[FloatArray]:
        """Yield W in chunks, shape (b, n_rows), float64: how often each row was drawn."""
        return self.chunks()

    def chunks(self, width: int = 1) -> Iterator[FloatArray]:
        """Yield W in chunks small enough for products of `width` columns; the draws don't depend on it."""
        n, n_rows = len(self.sizes), int(self.sizes.sum())
        if n_rows > n and self.B * n_rows <= KEPT:
            step = max(1, CHUNK // max(n * int(self.sizes.max()), width))
            held = _kept(self.sizes.tobytes(), self.B, self.seed)
            yield from (held[start : start + step].astype(np.float64) for start in range(0, self.B, step))
            return
        yield from self._drawn(width)

    def _drawn(self, width: int) -> Iterator[FloatArray]:
        levels = [np.random.default_rng(s) for s in np.random.SeedSequence(self.seed).spawn(2)]
        n, n_rows = len(self.sizes), int(self.sizes.sum())
        per_draw = n * int(self.sizes.max())
        step = max(1, CHUNK // max(per_draw, width))
        nested = per_draw > n
        for start in range(0, self.B, step):
            b = min(step, self.B - start)
            drawn = levels[0].integers(0, n, size=(b, n))
            if nested:
                yield self._within(drawn, levels[1], n_rows)
            else:
                drawn += np.arange(0, b * n, n)[:, None]
                yield np.bincount(drawn.ravel(), minlength=b * n).reshape(b, n).astype(np.float64)

    def _within(self, drawn: IntArray, rng: np.random.Generator, n_rows: int) -> FloatArray:
        """Draw rows inside the drawn clusters, shape (b, n) -> (b, n_rows)."""
        b = len(drawn)
        starts = np.concatenate(([0], np.cumsum(self.sizes)[:-1]))
        size = self.sizes[drawn][..., None]
        pick = (rng.random((*drawn.shape, int(self.sizes.max()))) * size).astype(np.int64)
        row = starts[drawn][..., None] + pick
        # Clusters with fewer epochs than the most draw only as many; the rest falls into a column that is cut off.
        row[np.broadcast_to(np.arange(row.shape[-1]) >= size, row.shape)] = n_rows
        row += np.arange(b)[:, None, None] * (n_rows + 1)
        counts = np.bincount(row.ravel(), minlength=b * (n_rows + 1)).reshape(b, n_rows + 1)
        return counts[:, :n_rows].astype(np.float64)

    def apply(self, statistic: Callable[[FloatArray], FloatArray], x: FloatArray) -> FloatArray:
        """Evaluate a statistic of resampled sums, sums of shape (b, m) at a time.

        Parameters
        ----------
        statistic: vectorised, shape (b, m) -> (b, ..).
        x: shape (n_rows, m).

        """
        return np.concatenate([statistic(w @ x) for w in self.chunks(x.shape[1])])


@lru_cache(maxsize=2)
def _kept(sizes: bytes, B: int, seed: int) -> npt.NDArray[np.uint16]:
    """Return a whole W, shape (B, n_rows), as small integers."""
    resamples = Resamples(np.frombuffer(sizes, dtype=np.int64), B, seed)
    return np.concatenate([w.astype(np.uint16) for w in resamples._drawn(1)])
