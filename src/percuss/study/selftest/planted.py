"""What phantom raters do, as a joint distribution: from it the statistics that a study must find follow exactly."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Habit",
    "expected_bias",
    "expected_ceiling",
    "expected_kappa",
    "expected_same",
    "expected_share",
    "of_all",
]

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


def joint(one: Habit, other: Habit, truth: Sequence[float], copied: float = 0.0) -> Floats:
    """Return the joint distribution of two raters' answers, independent given the truth but for the share copied from the first."""
    apart = np.einsum("t,ta,tb->ab", np.asarray(truth), one.said(), other.said())
    alike = np.diag(np.asarray(truth) @ one.said())
    return (1 - copied) * apart + copied * alike  # type: ignore[no-any-return]


def expected_share(one: Habit, truth: Sequence[float], value: int) -> float:
    """Return the share of one answer among all that a rater gives."""
    return float((np.asarray(truth) @ one.said())[value])


def of_all(habits: Sequence[Habit], truth: Sequence[float], copied: float = 0.0) -> Floats:
    """Return the joint distribution of several raters' answers, one axis each; the last copies a share from the one before."""
    apart = np.ones((len(truth),) + (1,) * len(habits))
    alike = apart
    for n, habit in enumerate(habits):
        shape = [len(truth)] + [1] * len(habits)
        shape[n + 1] = len(habit.table)
        own = habit.said().reshape(shape)
        apart = apart * own
        if n < len(habits) - 1:
            alike = alike * own
    alike = alike * np.eye(len(habits[-1].table)).reshape(
        *[1] * (len(habits) - 1), *[len(habits[-1].table)] * 2
    )
    whole = (1 - copied) * apart + copied * alike
    return np.einsum("t,t...->...", np.asarray(truth), whole)  # type: ignore[no-any-return]


def expected_bias(whole: Floats, rater: int) -> float:
    """Return how many steps a rater's mean lies above the mean of the others.

    Args:
        whole: as `of_all` returns it. rater: axis.
    """
    means = [_mean_of(whole, n) for n in range(whole.ndim)]
    return means[rater] - (sum(means) - means[rater]) / (whole.ndim - 1)


def _marginal(whole: Floats, rater: int) -> Floats:
    return whole.sum(axis=tuple(n for n in range(whole.ndim) if n != rater))  # type: ignore[no-any-return]


def _mean_of(whole: Floats, rater: int) -> float:
    return float(np.arange(whole.shape[rater]) @ _marginal(whole, rater))


def expected_ceiling(whole: Floats) -> float:
    """Return the mean over raters of tau-b with the mean z-score of the others, over infinitely many items (papers/1 appendix F)."""
    scores = []
    for rater in range(whole.ndim):
        values, p = np.arange(whole.shape[rater]), _marginal(whole, rater)
        spread = np.sqrt(((values - values @ p) ** 2) @ p)
        shape = [1] * whole.ndim
        shape[rater] = -1
        scores.append(((values - values @ p) / spread).reshape(shape))
    taus = []
    for rater in range(whole.ndim):
        others = sum((z for n, z in enumerate(scores) if n != rater), np.zeros((1,) * whole.ndim))
        own = np.broadcast_to(scores[rater], whole.shape).ravel()
        rest = np.broadcast_to(others, whole.shape).ravel().round(9)
        cells = np.arange(whole.size).reshape(whole.shape)
        said = np.broadcast_to(cells.take([0], axis=rater), whole.shape).ravel()
        taus.append(_tau_b(own, rest, said, whole.ravel()))
    return float(np.mean(taus))


def _tau_b(x: Floats, y: Floats, said: NDArray[np.int_], p: Floats) -> float:
    """Return tau-b of a distribution: points x, y with their probabilities.

    Args:
        said: which answers y is the mean of. Two that give the same mean are tied only here: in a sample their spreads
            differ a little, so that they stand apart, in no order that would tell of x.
    """
    signs_x, signs_y = np.sign(x[:, None] - x[None, :]), np.sign(y[:, None] - y[None, :])
    both = p[:, None] * p[None, :]
    untied_x, untied_y = (both * signs_x**2).sum(), (both * (said[:, None] != said[None, :])).sum()
    return float((both * signs_x * signs_y).sum() / np.sqrt(untied_x * untied_y))


def expected_same(one: Habit, other: Habit, truth: Sequence[float]) -> float:
    """Return the share of equal answers."""
    return float(np.trace(joint(one, other, truth)))


def expected_kappa(
    one: Habit, other: Habit, truth: Sequence[float], *, quadratic: bool = False, copied: float = 0.0
) -> float:
    """Return Cohen's kappa of two raters over infinitely many items.

    >>> round(expected_kappa(Habit.careful(2, 1.0), Habit.careful(2, 0.5), (0.5, 0.5)), 6)
    0.0
    """
    p = joint(one, other, truth, copied)
    k = len(p)
    cost = np.ones((k, k)) - np.eye(k)
    if quadratic:
        for a, b in itertools.product(range(k), repeat=2):
            cost[a, b] = (a - b) ** 2
    chance = np.outer(p.sum(axis=1), p.sum(axis=0))
    return float(1 - (cost * p).sum() / (cost * chance).sum())
