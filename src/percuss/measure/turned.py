"""Which cases turned between a baseline and another model, and in which direction."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from percuss.measure.quantity import Quantity
from percuss.measure.tally import Tally

__all__ = ["Turned", "turned"]

SAME = 1e-9
"""Difference of two shares that is rounding."""


@dataclass(frozen=True)
class Turned:
    """One case whose value differs from the baseline's.

    Args:
        case: its id. model: whose value it is; old, new: the baseline's value and the model's.
        way: whether the new one is better; neither where the number itself says of no direction that it is better.
    """

    case: str
    model: str
    old: float
    new: float
    way: Literal["better", "worse", "other"]


def turned(tally: Tally, quantity: Quantity, *, arm: str, baseline: str) -> Iterator[Turned]:
    """Yield the cases that turned: worse ones first, the largest change first.

    Args:
        tally: of the shared cases. quantity: says which way is better. arm: in which condition.
        baseline: model that the others are held against.
    """
    old_num, old_den = tally.columns(baseline, arm)
    found = []
    for model in (name for name in tally.models if name != baseline):
        num, den = tally.columns(model, arm)
        for row, case in enumerate(tally.rows):
            if old_den[row] <= 0 or den[row] <= 0:
                continue
            old, new = float(old_num[row] / old_den[row]), float(num[row] / den[row])
            if abs(new - old) > SAME:
                found.append(Turned(case, model, old, new, _way(new - old, quantity.better)))
    order = {"worse": 0, "other": 1, "better": 2}
    yield from sorted(
        found, key=lambda each: (order[each.way], -abs(each.new - each.old), each.case, each.model)
    )


def _way(change: float, better: str) -> Literal["better", "worse", "other"]:
    if better == "neither":
        return "other"
    return "better" if (change > 0) == (better == "higher") else "worse"
