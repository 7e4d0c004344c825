"""The one pairing layer: which units a difference rests on, and what was left out on which side, by reason.

Every difference (of arms, of models, of runs, of Inspect logs) is taken over the cases that all of its sides answered
and were scored on: a model that failed on the hard half is compared on the other half alone (definitions/grounding.md,
version 2, "Which answers are compared").
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from percuss.measure.tally import Tally, Where

__all__ = ["NOT_ASKED", "Pairing", "paired"]

NOT_ASKED = "not asked"


@dataclass(frozen=True)
class Pairing:
    """A tally of the cases that all sides answered, and what was left out.

    Args:
        tally: those cases alone.
        asked: cases that at least one side was asked.
        sides: (model, arm) of each side.
        left: side -> reason -> cases that this side did not answer or was not scored on.
    """

    tally: Tally
    asked: int
    sides: tuple[Where, ...]
    left: dict[Where, dict[str, int]]

    @property
    def words(self) -> str:
        """What was left out, in a sentence; "" where nothing was."""
        if not self.left:
            return ""
        models, arms = {model for model, _ in self.sides}, {arm for _, arm in self.sides}
        sides = "; ".join(
            f"{_side(side, one_model=len(models) == 1, one_arm=len(arms) == 1)} {_reasons(counts)}"
            for side, counts in self.left.items()
        )
        return f"{len(self.tally.rows):,} of {self.asked:,} cases answered and scored on every side (left out: {sides})"


def _side(side: Where, *, one_model: bool, one_arm: bool) -> str:
    model, arm = side
    if one_arm:
        return model
    return arm if one_model else f"{model} in {arm}"


def _reasons(counts: dict[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {reason}" for reason, count in ordered)


def paired(tally: Tally, sides: Sequence[Where]) -> Pairing:
    """Return the cases that every side answered and was scored on.

    Args:
        tally: cells of one number. sides: (model, arm), each of them with cells.
    """
    keep = np.logical_and.reduce([tally.answered(*side) for side in sides])
    cases = dict.fromkeys(tally.rows) | dict.fromkeys(
        case for side in sides for case in tally.gone.get(side, {})
    )
    shared = {row for row, kept in zip(tally.rows, keep, strict=True) if kept}
    left: dict[Where, dict[str, int]] = {}
    for side in sides:
        there = {row for row, kept in zip(tally.rows, tally.answered(*side), strict=True) if kept}
        gone = tally.gone.get(side, {})
        counts = Counter(gone.get(case, NOT_ASKED) for case in cases if case not in there)
        if counts and len(shared) < len(cases):
            left[side] = dict(counts)
    return Pairing(tally.of_rows(keep), len(cases), tuple(sides), left)
