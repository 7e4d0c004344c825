"""Standings over the tasks of a track: plain means, and how often a model has the top score."""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Standing", "macro_means", "standings"]

Table = Mapping[str, Mapping[str, float]]
"""Task -> model -> score."""


class Standing(NamedTuple):
    """How often a model has the top score of a task.

    Args:
        wins: tasks where nobody is better. split: the same with a tie shared out over its winners. tasks: of the track.
    """

    wins: int
    split: float
    tasks: int

    @property
    def rate(self) -> float:
        """SOTA rate, ties to every winner (paper, section 3.1 and appendix D)."""
        return self.wins / self.tasks

    @property
    def split_rate(self) -> float:
        """SOTA rate with ties shared out; over all models it adds up to 1."""
        return self.split / self.tasks


def macro_means(table: Table) -> dict[str, float]:
    """Return model -> plain mean over tasks, of the models that have a score in every task (paper, section 3.1).

    Args:
        table: of one track; one that lacks a task is never held against a complete one, and is left out.

    >>> macro_means({"a": {"m": 80.0}, "b": {"m": 60.0, "n": 90.0}})
    {'m': 70.0}
    """
    return {
        model: sum(row[model] for row in table.values()) / len(table)
        for model in dict.fromkeys(model for row in table.values() for model in row)
        if all(model in row for row in table.values())
    }


def standings(table: Table) -> dict[str, Standing]:
    """Return model -> how often it is on top, of the models that have a score in every task.

    Args:
        table: of one track; only complete models compete.

    >>> standings({"a": {"m": 80.0, "n": 80.0}, "b": {"m": 60.0, "n": 90.0}})["n"].rate
    1.0
    """
    complete = list(macro_means(table))
    wins, split = dict.fromkeys(complete, 0), dict.fromkeys(complete, 0.0)
    for row in table.values():
        best = max((row[model] for model in complete), default=0.0)
        winners = [model for model in complete if row[model] == best]
        for model in winners:
            wins[model] += 1
            split[model] += 1 / len(winners)
    return {model: Standing(wins[model], split[model], len(table)) for model in complete}
