"""The one pairing layer: which units a difference rests on, and what was left out on which side, by reason.

Every difference (of arms, of models, of runs, of Inspect logs) is taken over the cases that all of its sides answered
and were scored on: a model that failed on the hard half is compared on the other half alone (definitions/grounding.md,
version 2, "Which answers are compared").
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from percuss.core.labels import reason_words
from percuss.measure.tally import Bools, Floats, Tally, Where

__all__ = ["NOT_ASKED", "Pairing", "Sides", "left_out_in", "of_pairs", "of_sides", "paired", "partners"]

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


MOST_SIDES = 6
"""Sides whose reasons stand in a line; of more their number."""
_PAIRED = " cases answered and scored on every side (left out: "


def left_out_in(note: str) -> str:
    """Return how many cases a difference rests on, and what was left out by side and reason, from its estimate's note; "" where nothing was.

    Args:
        note: of an estimate, with the words of its pairing first.

    >>> left_out_in("44 of 60 cases answered and scored on every side (left out: a 9 refused; b 7 undecided (by rule)); interval undefined: few")
    '44 of 60 cases answered and scored on every side (left out: a 9 refused; b 7 undecided (by rule))'
    """
    head, found, rest = note.partition(_PAIRED)
    if not found:
        return ""
    depth, end = 1, 0
    while depth and end < len(rest):
        depth += {"(": 1, ")": -1}.get(rest[end], 0)
        end += 1
    inside = rest[: end - 1].split("; ")
    more = f"; {len(inside) - MOST_SIDES} more sides" if len(inside) > MOST_SIDES else ""
    return f"{head}{_PAIRED}{'; '.join(inside[:MOST_SIDES])}{more})"


def _side(side: Where, *, one_model: bool, one_arm: bool) -> str:
    model, arm = side
    if one_arm:
        return model
    return arm if one_model else f"{model} in {arm}"


def _reasons(counts: dict[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {reason_words(reason)}" for reason, count in ordered)


def paired(tally: Tally, sides: Sequence[Where]) -> Pairing:
    """Return the cases that every side answered and was scored on.

    Args:
        tally: cells of one number. sides: (model, arm), each of them with cells.
    """
    # Where no side was scored on anything, no case is left out: what is undefined then says so itself.
    every = np.ones(len(tally.rows), dtype=np.bool_)
    keep = np.logical_and.reduce([every, *(tally.answered(*side) for side in sides)])
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


def partners(asked: Sequence[str], conditions: Sequence[str], baseline: str) -> dict[str, str]:
    """Return arm -> the arm that a case must be answered in, too, before its rate stands beside an index of the pair.

    Args:
        asked: arms that were. conditions: that are held against the baseline; the baseline's own partner is the first of
            them that was asked. baseline: what they are held against.
    """
    held = [arm for arm in conditions if arm in asked]
    if baseline not in asked or not held:
        return {}
    return dict.fromkeys(held, baseline) | {baseline: held[0]}


@dataclass(frozen=True)
class Sides:
    """Numerators and denominators of two sides that are sums over arms, on complete pairs.

    Args:
        tally: of the rows. first, second: (num, den) of each side, shape (rows,). words: what was left out.
    """

    tally: Tally
    first: tuple[Floats, Floats]
    second: tuple[Floats, Floats]
    words: str


def of_pairs(tally: Tally, model: str, pairs: Sequence[tuple[str, str]]) -> Sides:
    """Add up pairs of arms: a case enters a pair if it was answered and scored in both of its arms.

    Args:
        tally: cells of one number. model: whose. pairs: arms of the first and of the second side.
    """
    sums = np.zeros((4, len(tally.rows)))
    kept = left = 0
    for one, other in pairs:
        here, there = (tally.answered(model, arm) for arm in (one, other))
        both = here & there
        sums += np.stack([*tally.columns(model, one), *tally.columns(model, other)]) * both
        kept, left = kept + int(both.sum()), left + int((here ^ there).sum())
    return _sides(tally, sums, kept, left, "pairs of answers")


def of_sides(tally: Tally, model: str, first: Sequence[str], second: Sequence[str]) -> Sides:
    """Add up the arms of each side: a case enters if both sides have an answer to it that was scored.

    Args:
        tally: cells of one number. model: whose. first, second: arms of each side.
    """
    sums, there = np.zeros((4, len(tally.rows))), np.zeros((2, len(tally.rows)), dtype=np.bool_)
    for side, arms in enumerate((first, second)):
        for arm in arms:
            answered: Bools = tally.answered(model, arm)
            there[side] |= answered
            sums[2 * side : 2 * side + 2] += np.stack(tally.columns(model, arm)) * answered
    both = there.all(axis=0)
    return _sides(tally, sums * both, int(both.sum()), int((there[0] ^ there[1]).sum()), "cases")


def _sides(tally: Tally, sums: Floats, kept: int, left: int, what: str) -> Sides:
    words = f"{kept:,} of {kept + left:,} {what} answered and scored on both sides" if left else ""
    return Sides(tally, (sums[0], sums[1]), (sums[2], sums[3]), words)
