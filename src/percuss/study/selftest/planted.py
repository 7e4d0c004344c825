"""What phantom raters do, as a joint distribution: from it the statistics that a study must find follow exactly."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Habit", "expected_kappa", "expected_same"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Habit:
    """How one rater answers, given the truth: row t holds the probabilities of each answer where t is true.

    Args:
        table: shape (values, values), rows sum to 1.
        fatigue: share of answers, at the end of the list, that are drawn uniformly (0 at its beginning, linear between).
        seconds: mean active seconds an item.
    """

    table: tuple[tuple[float, ...], ...]
    fatigue: float = 0.0
    seconds: float = 20.0
    skill: float = field(default=1.0)

    @classmethod
    def careful(cls, values: int, right: float, **more: float) -> "Habit":
        """A rater who is right with a probability, else wrong at random."""
        wrong = (1 - right) / (values - 1)
        rows = tuple(tuple(right if a == t else wrong for a in range(values)) for t in range(values))
        return cls(rows, **more)

    @classmethod
    def near(cls, values: int, exact: float, drift: float = 0.0, **more: float) -> "Habit":
        """A rater on a scale: exact with a probability, else one step beside; `drift` of the misses goes upwards in place of half."""
        up = 0.5 + drift
        rows = []
        for t in range(values):
            row = [0.0] * values
            row[t] += exact
            row[min(values - 1, t + 1)] += (1 - exact) * up
            row[max(0, t - 1)] += (1 - exact) * (1 - up)
            rows.append(tuple(row))
        return cls(tuple(rows), **more)

    def said(self) -> Floats:
        """The table with what tiredness adds over a whole list."""
        table = np.asarray(self.table)
        tired = self.fatigue / 2
        return (1 - tired) * table + tired / len(table)

    def draw(self, truth: int, progress: float, rng: np.random.Generator) -> int:
        """Draw an answer.

        Args:
            truth: index of what is true. progress: 0 at the beginning of the list, 1 at its end. rng: of the rater.
        """
        if rng.random() < self.fatigue * progress:
            return int(rng.integers(len(self.table)))
        return int(rng.choice(len(self.table), p=np.asarray(self.table[truth])))


def joint(one: Habit, other: Habit, truth: Sequence[float]) -> Floats:
    """Return the joint distribution of two raters' answers, independent given the truth."""
    return np.einsum("t,ta,tb->ab", np.asarray(truth), one.said(), other.said())  # type: ignore[no-any-return]


def expected_same(one: Habit, other: Habit, truth: Sequence[float]) -> float:
    """Return the share of equal answers."""
    return float(np.trace(joint(one, other, truth)))


def expected_kappa(one: Habit, other: Habit, truth: Sequence[float], *, quadratic: bool = False) -> float:
    """Return Cohen's kappa of two raters over infinitely many items.

    >>> round(expected_kappa(Habit.careful(2, 1.0), Habit.careful(2, 0.5), (0.5, 0.5)), 6)
    0.0
    """
    p = joint(one, other, truth)
    k = len(p)
    cost = np.ones((k, k)) - np.eye(k)
    if quadratic:
        for a, b in itertools.product(range(k), repeat=2):
            cost[a, b] = (a - b) ** 2
    chance = np.outer(p.sum(axis=1), p.sum(axis=0))
    return float(1 - (cost * p).sum() / (cost * chance).sum())
