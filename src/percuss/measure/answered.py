"""How many of its cases a model answered: an outcome of its own per arm, never a footnote."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from percuss.core.records import Cell, Estimate
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import arm_differences, rates
from percuss.measure.tally import tallies

__all__ = ["ANSWERED", "ANSWERED_FALL", "RUN", "answered_shares"]

RUN = "run"
"""Label source of what needs no label: whether there is an answer."""
ANSWERED = Quantity(
    "answered_share", "answered cases", "What share of cases did it answer, and was read?", "higher", "share"
)
ANSWERED_FALL = Quantity(
    "answered_share_delta",
    "fall of the answered share",
    "By how many points fewer cases does it answer with the evidence?",
    "neither",
    "points",
    cells="answered_share",
)


def answered_shares(cells: Sequence[Cell], plan: Plan, *, baseline: str) -> Iterator[Estimate]:
    """Yield the share of answered cases of every model and arm, and its fall from the arm without evidence.

    Args:
        cells: of one scoring, at least one per answer and none of anything else; an answer that any of them counts is one.
        plan: how intervals are made.
        baseline: the arm without evidence.
    """
    found: dict[tuple[str, str, str, int], Cell] = {}
    for cell in cells:
        key = (cell.model, cell.arm, cell.case_id, cell.epoch)
        there = float(cell.den > 0 or not cell.excluded)
        if key not in found or found[key].num < there:
            found[key] = replace(
                cell, name=ANSWERED.name, labels=RUN, num=there, den=1.0, excluded={}, stratum=""
            )
    if not found:
        return
    tally = tallies(found.values())[ANSWERED.name, RUN]
    yield from rates(tally, ANSWERED, plan)
    for arm in tally.arms:
        if arm != baseline:
            yield from arm_differences(tally, ANSWERED_FALL, plan, arm=arm, baseline=baseline)
