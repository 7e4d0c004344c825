"""Cells of one name and label source, aligned on the same cases for every model and arm."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import UsageError
from percuss.core.records import Cell

__all__ = ["Tally", "simulated_of", "tallies"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """What one number is made of: numerators and denominators by model and arm, one row a case and epoch.

    Args:
        name, labels: of the cells.
        rows: (case id, epoch) of each row, in the order in which they were first met.
        cluster: cluster of each row; what is resampled.
        num, den: (model, arm) -> array of shape (rows,); zero where the model has no cell there.
        excluded: (model, arm) -> reason -> count.
    """

    name: str
    labels: str
    rows: tuple[tuple[str, int], ...]
    cluster: tuple[str, ...]
    num: dict[tuple[str, str], Floats]
    den: dict[tuple[str, str], Floats]
    excluded: dict[tuple[str, str], dict[str, int]]

    @property
    def models(self) -> tuple[str, ...]:
        """Models in the order in which they were first met."""
        return tuple(dict.fromkeys(model for model, _ in self.num))

    @property
    def arms(self) -> tuple[str, ...]:
        """Arms in the order in which they were first met."""
        return tuple(dict.fromkeys(arm for _, arm in self.num))

    @property
    def n_epochs(self) -> int:
        """How many answers a case has at most."""
        return len({epoch for _, epoch in self.rows})

    @property
    def n_clusters(self) -> int:
        """Clusters over all rows."""
        return len(set(self.cluster))

    @property
    def covers(self) -> str:
        """What an interval over these rows accounts for, in words."""
        if self.n_epochs > 1:
            return f"sampling of cases and of answers ({self.n_epochs} epochs)"
        return "sampling of cases, not of answers (1 epoch)"

    @property
    def resampling(self) -> dict[str, Any]:
        """The `clusters` and `epochs` arguments of `percuss.stats`: epochs are the second level."""
        clusters: dict[str, Any] = {"clusters": np.array(self.cluster)}
        if self.n_epochs > 1:
            clusters["epochs"] = np.array([epoch for _, epoch in self.rows])
        return clusters

    def has(self, model: str, arm: str) -> bool:
        """Whether a model has any cell in an arm."""
        return (model, arm) in self.num

    def columns(self, model: str, arm: str) -> tuple[Floats, Floats]:
        """Return numerators and denominators of a model in an arm; zeros where it has no cell."""
        zero = np.zeros(len(self.rows))
        return self.num.get((model, arm), zero), self.den.get((model, arm), zero)

    def over_arms(self, arm: str) -> "Tally":
        """Return the tally with all arms of a model added up under one name.

        Args:
            arm: the name that the sum goes by.
        """
        num: dict[tuple[str, str], Floats] = {}
        den: dict[tuple[str, str], Floats] = {}
        out: dict[tuple[str, str], Counter[str]] = {}
        for model, own in self.num:
            a, b = self.columns(model, own)
            num[model, arm] = num.get((model, arm), np.zeros(len(self.rows))) + a
            den[model, arm] = den.get((model, arm), np.zeros(len(self.rows))) + b
            out.setdefault((model, arm), Counter()).update(self.left_out(model, own))
        return replace(self, num=num, den=den, excluded={key: dict(counts) for key, counts in out.items()})

    def left_out(self, model: str, arm: str) -> dict[str, int]:
        """Return how many items were excluded, by reason."""
        return self.excluded.get((model, arm), {})

    def clusters_of(self, model: str, arm: str) -> int:
        """Return how many clusters contribute to a model's number in an arm."""
        _, den = self.columns(model, arm)
        return len({c for c, d in zip(self.cluster, den, strict=True) if d > 0})


def simulated_of(cells: Iterable[Cell]) -> frozenset[str]:
    """Return the models among some cells that are simulations."""
    return frozenset(cell.model for cell in cells if cell.simulated)


def tallies(cells: Iterable[Cell]) -> dict[tuple[str, str], Tally]:
    """Group cells by (name, labels), aligned on the same rows.

    Args:
        cells: of one scoring, in any order; order of first meeting decides the order of rows, models and arms.

    Raises:
        UsageError: two cells for the same case, epoch, model and arm of one name.
    """
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.name, cell.labels), []).append(cell)
    return {key: _tally(key, group) for key, group in groups.items()}


def _tally(key: tuple[str, str], cells: Sequence[Cell]) -> Tally:
    at: dict[tuple[str, int], int] = {}
    cluster: list[str] = []
    for cell in cells:
        if (cell.case_id, cell.epoch) not in at:
            at[cell.case_id, cell.epoch] = len(at)
            cluster.append(cell.cluster)
    num: dict[tuple[str, str], Floats] = {}
    den: dict[tuple[str, str], Floats] = {}
    excluded: dict[tuple[str, str], Counter[str]] = {}
    seen: set[tuple[str, str, int]] = set()
    for cell in cells:
        where, row = (cell.model, cell.arm), at[cell.case_id, cell.epoch]
        if (*where, row) in seen:
            raise UsageError(
                f"two cells {cell.name!r} for case {cell.case_id!r}, {cell.model}, {cell.arm}, epoch {cell.epoch}"
            )
        seen.add((*where, row))
        num.setdefault(where, np.zeros(len(at)))[row] = cell.num
        den.setdefault(where, np.zeros(len(at)))[row] = cell.den
        excluded.setdefault(where, Counter()).update(cell.excluded)
    return Tally(
        name=key[0],
        labels=key[1],
        rows=tuple(at),
        cluster=tuple(cluster),
        num=num,
        den=den,
        excluded={where: dict(counts) for where, counts in excluded.items()},
    )
