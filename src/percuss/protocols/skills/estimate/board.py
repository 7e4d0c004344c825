"""Scores of tasks with their resamples: items are drawn within each task, the same draws for every model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core import seeds
from percuss.core.records import Cell
from percuss.measure.quantity import Plan
from percuss.stats.bootstrap import Settings, from_draws
from percuss.stats.policy import rate
from percuss.stats.result import Result

__all__ = ["Board", "TaskScores", "board_of", "read"]

Floats = NDArray[np.float64]
FEW = 5
"""Items over all tasks below which a mean has no interval."""


@dataclass(frozen=True)
class TaskScores:
    """One task.

    Args:
        name: of the task. clusters: items that are drawn. value: model -> score, 0 to 1; missing where nothing was scored.
        draws: model -> the score on each resample, shape (B,), NaN where undefined. scored: model -> items scored.
        single: model -> (num, den, clusters) where the task has one metric, for the interval of a plain rate.
    """

    name: str
    clusters: int
    value: Mapping[str, float]
    draws: Mapping[str, Floats]
    scored: Mapping[str, int]
    single: Mapping[str, tuple[Floats, Floats]]


@dataclass(frozen=True)
class Board:
    """All tasks of a label source."""

    tasks: tuple[TaskScores, ...]
    models: tuple[str, ...]

    def of(self, names: frozenset[str] | set[str]) -> "Board":
        """Return the board of some tasks."""
        return replace(self, tasks=tuple(task for task in self.tasks if task.name in names))

    def done(self, model: str) -> tuple[str, ...]:
        """Return the tasks in which a model has a score."""
        return tuple(task.name for task in self.tasks if model in task.value)

    def scored(self, model: str) -> int:
        """Return how many items of a model were scored."""
        return sum(task.scored.get(model, 0) for task in self.tasks)

    @property
    def clusters(self) -> int:
        """Items over all tasks."""
        return sum(task.clusters for task in self.tasks)

    def mean(self, model: str) -> float:
        """Return the plain mean over the tasks that a model has; NaN where it has none."""
        held = [task.value[model] for task in self.tasks if model in task.value]
        return float(np.mean(held)) if held else float("nan")

    def draws(self, model: str) -> Floats:
        """Return the mean on each resample, shape (B,)."""
        held = [task.draws[model] for task in self.tasks if model in task.value]
        made: Floats = np.mean(np.stack(held), axis=0)
        return made

    def result(self, model: str, plan: Plan) -> Result:
        """Return a model's mean with its interval; one task of one metric has that of a plain rate.

        Args:
            model: that has a score. plan: level and seed.
        """
        own = [task for task in self.tasks if model in task.value]
        if len(own) == 1 and model in own[0].single:
            num, den = own[0].single[model]
            return rate(num, den, **plan.draws)
        return self._read(self.mean(model), self.draws(model), own, plan)

    def difference(self, first: str, second: str, plan: Plan) -> Result:
        """Return the difference of two models on the same tasks, drawn together.

        Args:
            first, second: models with the same tasks. plan: level and seed.
        """
        own = [task for task in self.tasks if first in task.value]
        value = self.mean(first) - self.mean(second)
        return self._read(value, self.draws(first) - self.draws(second), own, plan, difference=True)

    def _read(
        self, value: float, draws: Floats, own: Sequence[TaskScores], plan: Plan, *, difference: bool = False
    ) -> Result:
        return read(
            value, draws, sum(task.clusters for task in own), plan, thin=sum(task.clusters < 2 for task in own),
            difference=difference,
        )  # fmt: skip


def read(
    value: float, draws: Floats, n: int, plan: Plan, *, thin: int = 0, difference: bool = False
) -> Result:
    """Return a mean over tasks with the interval of its draws.

    Args:
        value: on the sample. draws: shape (B,). n: items. plan: level. thin: tasks with one item, within which nothing can be
            drawn; then there is no interval. difference: also give p.
    """
    made = from_draws(value, draws, Settings(level=plan.level, min_clusters=FEW), n, difference=difference)
    named = replace(made, method=f"items drawn within tasks, percentile, B = {len(draws)}")
    if not thin or named.value is None:
        return named
    words = f"{thin} task{'s have' if thin > 1 else ' has'} one item, so that nothing can be drawn within"
    return replace(named, low=None, high=None, p=None, undefined=words)


def board_of(cells: Sequence[Cell], plan: Plan) -> Board:
    """Return the scores of tasks, each the mean of its metrics.

    Args:
        cells: of one label source, of the names that scores are made of. plan: seed and resamples.
    """
    models = tuple(dict.fromkeys(cell.model for cell in cells))
    tasks: dict[str, list[Cell]] = {}
    for cell in cells:
        tasks.setdefault(cell.stratum, []).append(cell)
    made = (_task(name, own, models, plan) for name, own in tasks.items())
    return Board(tuple(task for task in made if task.value), models)


def _task(name: str, cells: Sequence[Cell], models: Sequence[str], plan: Plan) -> TaskScores:
    at = {cluster: n for n, cluster in enumerate(dict.fromkeys(cell.cluster for cell in cells))}
    metrics = tuple(dict.fromkeys(cell.name for cell in cells))
    sums: dict[tuple[str, str], Floats] = {}
    for cell in cells:
        held = sums.setdefault((cell.model, cell.name), np.zeros((len(at), 2)))
        held[at[cell.cluster]] += (cell.num, cell.den)
    weights = _weights(name, len(at), plan)
    parts: dict[str, Any] = {"value": {}, "draws": {}, "single": {}}
    for model in models:
        own = [
            sums[model, metric]
            for metric in metrics
            if (model, metric) in sums and sums[model, metric][:, 1].sum()
        ]
        if own:
            parts["value"][model] = float(np.mean([one[:, 0].sum() / one[:, 1].sum() for one in own]))
            parts["draws"][model] = np.mean(np.stack([_ratio(weights @ one) for one in own]), axis=0)
            if len(own) == 1:
                parts["single"][model] = (own[0][:, 0], own[0][:, 1])
    scored = {m: len({c.case_id for c in cells if c.model == m and c.den}) for m in models}
    return TaskScores(name, len(at), scored=scored, **parts)


def _weights(name: str, n: int, plan: Plan) -> Floats:
    """Return how often each item is drawn on each resample, shape (B, n); it depends on the task alone, not on the model."""
    draws = seeds.generator(plan.seed, "skills", "task", name)
    return draws.multinomial(n, np.full(n, 1 / n), size=plan.B).astype(np.float64)


def _ratio(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        made: Floats = sums[:, 0] / sums[:, 1]
    return made
