"""The contamination probe: a model that continues a passage word for word has read it (definitions, "Arms")."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from percuss.protocols.textbook.ingest.tokens import TOKEN, tokens

__all__ = [
    "GRAM",
    "LEAST",
    "PERCENTILE",
    "Probe",
    "beginning_of",
    "containment",
    "longest_run",
    "probed",
    "rest_of",
]

GRAM = 8
"""Tokens of a run that is no chance (definitions, "Arms")."""
LEAST = 30
"""Tokens that the beginning needs at least."""
PERCENTILE = 99.0


class Probe(NamedTuple):
    """What a continuation shares with the true rest, and with rests of other passages.

    Args:
        run: longest common run of tokens. run_excess: the same minus the mean over other rests.
        containment: share of the rest's 8-grams that stand in the continuation.
        excess: containment minus the mean over other rests. limit: 99th percentile of theirs.
    """

    run: int
    run_excess: float
    containment: float
    excess: float
    limit: float

    @property
    def memorised(self) -> bool:
        """Whether the excess lies beyond what other rests of the book give."""
        return self.excess > self.limit


def _cut(text: str) -> int:
    """Return where the second half of a passage's tokens begins; 0 where the first half is too short."""
    found = list(TOKEN.finditer(text))
    half = len(found) // 2
    return found[half].start() if half >= LEAST else 0


def beginning_of(text: str) -> str:
    """Return the first half of a passage's tokens; "" where that is under 30."""
    return text[: _cut(text)].rstrip()


def rest_of(text: str) -> str:
    """Return what follows the beginning; "" where there is no beginning."""
    cut = _cut(text)
    return text[cut:] if cut else ""


def _grams(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + GRAM]) for at in range(len(words) - GRAM + 1)}


def containment(rest: str, continuation: str) -> float:
    """Return the share of the rest's 8-grams that stand in a continuation.

    >>> containment("a b c d e f g h i", "a b c d e f g h")
    0.5
    """
    wanted = _grams([word.lower() for word in tokens(rest)])
    held = _grams([word.lower() for word in tokens(continuation)])
    return len(wanted & held) / len(wanted) if wanted else 0.0


def longest_run(rest: str, continuation: str) -> int:
    """Return the longest run of tokens that two texts share.

    >>> longest_run("the left lung has two lobes", "a left lung has three")
    3
    """
    one, other = ([word.lower() for word in tokens(text)] for text in (rest, continuation))
    best, row = 0, [0] * (len(other) + 1)
    for word in one:
        row = [0, *(row[at] + 1 if word == each else 0 for at, each in enumerate(other))]
        best = max(best, *row)
    return best


def probed(rest: str, others: Sequence[str], continuation: str) -> Probe:
    """Return what a continuation shares with the true rest beyond what it shares with others.

    Args:
        rest: the true one. others: rests of other passages of the book. continuation: what the model wrote.
    """
    elsewhere = np.array([containment(other, continuation) for other in others] or [0.0])
    runs = np.array([longest_run(other, continuation) for other in others] or [0])
    held, run = containment(rest, continuation), longest_run(rest, continuation)
    excess = elsewhere - elsewhere.mean()
    return Probe(
        run,
        float(run - runs.mean()),
        held,
        float(held - elsewhere.mean()),
        float(np.percentile(excess, PERCENTILE)),
    )
