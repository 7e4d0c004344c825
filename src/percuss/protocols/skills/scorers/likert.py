"""Scores from 0 to 100 beside people's ratings from 1 to 5 (paper, section 3.6 and appendix B)."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from percuss.protocols.skills.scorers.score import Score, unscored
from percuss.stats.intraclass import icc
from percuss.stats.kappa import cohen_kappa
from percuss.stats.ranks import spearman_exact
from percuss.stats.result import Result

__all__ = ["LEVELS", "Reliability", "level_of", "reliability"]

LEVELS = (1, 2, 3, 4, 5)
_WIDTH = 20
RESAMPLES = 2_000


class Reliability(NamedTuple):
    """People among themselves, and scores beside people.

    Args:
        icc: ICC(A,k) of people's ratings. spearman: raw scores with people's means.
        kappa: quadratic kappa of binned scores with people's rounded means, bootstrap interval.
    """

    icc: Result
    spearman: Result
    kappa: Result


def level_of(score: object) -> Score:
    """Return the level of a score, in five bins of equal width: [0, 20) is 1, .., [80, 100] is 5.

    Args:
        score: 0 to 100; anything else is unscored.

    >>> [level_of(x).value for x in (0, 19.99, 20, 80, 100)]
    [1.0, 1.0, 2.0, 5.0, 5.0]
    """
    if isinstance(score, bool) or not isinstance(score, int | float):
        return unscored(f"unparsable:expected a score, got {type(score).__name__}")
    if not 0 <= score <= 100:
        return unscored("unparsable:the score is not within 0 and 100")
    return Score(float(min(int(score // _WIDTH) + 1, LEVELS[-1])))


def reliability(scores: Sequence[float], ratings: Sequence[Sequence[int]], *, seed: int) -> Reliability:
    """Return how far people agree among themselves, and scores with people.

    Args:
        scores: one an answer, 0 to 100. ratings: one row an answer, one column a person, 1 to 5, none missing.
        seed: of the bootstrap.
    """
    means = [sum(row) / len(row) for row in ratings]
    binned = [int(level_of(score).value or LEVELS[0]) for score in scores]
    rounded = [math.floor(mean + 0.5) for mean in means]
    return Reliability(
        icc([list(row) for row in ratings], form="A,k"), spearman_exact(list(scores), means),
        cohen_kappa(binned, rounded, weights="quadratic", scale=LEVELS, interval="bootstrap", seed=seed, B=RESAMPLES),
    )  # fmt: skip
