"""Cluster resampling as one matrix product: every bootstrap statistic here is a function of W @ X.

X holds one row of sums per cluster, W the number of times each row was drawn. W is made in chunks of bounded size, so
a million clusters cost the memory of a few rows. Several answers to one case (epochs) are averaged before anything is
drawn: cases are resampled alone, because the spread between averaged cases already holds the spread between answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from percuss.stats import arrays
from percuss.stats.result import StatsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from percuss.stats.arrays import FloatArray, IntArray

#: Numbers of one chunk of W: small enough for the cache, and for matrix products that no BLAS spreads over threads.
CHUNK = 1 << 15

Method = Literal["percentile", "basic", "bca"]


class Draws(TypedDict):
    """How resamples are drawn and read: the arguments `seed`, `B`, `level` and `method` of every bootstrap here."""

    seed: int
    B: NotRequired[int]
    level: NotRequired[float]
    method: NotRequired[Method]


class Grouping(TypedDict):
    """What is drawn together: the arguments `clusters` (label per row) and `epochs` (which answer of its cluster)."""

    clusters: npt.ArrayLike | None
    epochs: NotRequired[npt.ArrayLike | None]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Sums per cluster, the unit of resampling, shape (n_clusters, m)."""

    sums: FloatArray

    @property
    def n_clusters(self) -> int:
        """Clusters drawn in each resample."""
        return len(self.sums)


def rows(columns: npt.ArrayLike, clusters: npt.ArrayLike | None, epochs: npt.ArrayLike | None) -> Rows:
    """Add up the rows that are drawn together.

    Parameters
    ----------
    columns: shape (n, m), one row a case (or a case and epoch), the quantities the statistic sums.
    clusters: label per row, shape (n,); None: every row is its own cluster.
    epochs: label per row; the sums of a cluster are divided by the number of its epochs, so that a case that was
        answered three times weighs as much as one that was answered twice.

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
        return Rows(x)
    cluster, n_clusters = arrays.codes("clusters", clusters, length=len(x))
    sums = _group_sums(x, cluster, n_clusters)
    if epochs is None:
        return Rows(sums)
    epoch, n_epochs = arrays.codes("epochs", epochs, length=len(x))
    units = np.unique(cluster * n_epochs + epoch)
    return Rows(sums / np.bincount(units // n_epochs, minlength=n_clusters)[:, None])


def _group_sums(x: FloatArray, group: IntArray, n_groups: int) -> FloatArray:
    return np.stack([np.bincount(group, weights=column, minlength=n_groups) for column in x.T], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """B draws of all clusters with replacement; every pass over it gives the same draws.

    Two statistics over the same clusters that use equal `n_clusters`, `B` and `seed` are paired: their differences
    need no further draw.
    """

    n_clusters: int
    B: int
    seed: int

    def __iter__(self) -> Iterator[FloatArray]:
        """Yield W in chunks, shape (b, n_clusters), float64: how often each cluster was drawn."""
        return self.chunks()

    def chunks(self, width: int = 1) -> Iterator[FloatArray]:
        """Yield W in chunks small enough for products of `width` columns; the draws don't depend on it."""
        # The first of two spawned streams: the draws of 0.1, which used the second one inside clusters.
        rng = np.random.default_rng(np.random.SeedSequence(self.seed).spawn(2)[0])
        n = self.n_clusters
        step = max(1, CHUNK // max(n, width))
        for start in range(0, self.B, step):
            b = min(step, self.B - start)
            drawn = rng.integers(0, n, size=(b, n))
            drawn += np.arange(0, b * n, n)[:, None]
            yield np.bincount(drawn.ravel(), minlength=b * n).reshape(b, n).astype(np.float64)

    def apply(self, statistic: Callable[[FloatArray], FloatArray], x: FloatArray) -> FloatArray:
        """Evaluate a statistic of resampled sums, sums of shape (b, m) at a time.

        Parameters
        ----------
        statistic: vectorised, shape (b, m) -> (b, ..).
        x: shape (n_clusters, m).

        """
        return np.concatenate([statistic(w @ x) for w in self.chunks(x.shape[1])])
