"""Are the claims that people labelled a random part of all? Only then does what they say of them stand for the rest."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.tally import Floats, Tally
from percuss.protocols.grounding.estimate.corrected import PREFIX
from percuss.stats.clustered import wilson_clustered
from percuss.stats.intervals import mover_difference

__all__ = [
    "APART",
    "SHARE_LABELLED",
    "WHOLE_FROM",
    "is_whole",
    "labelled_whole",
    "looks_chosen",
    "part_labelled",
]

SHARE_LABELLED = Quantity(
    "labelled_share", "labelled by people", "What share of the assertions did people label?", "neither"
)
APART = Quantity(
    "labelled_apart",
    "labelled assertions beside the rest",
    "By how many points more often does the machine call what people labelled unsupported than what they didn't?",
    "neither",
    "points",
)
WHOLE_FROM = 0.95
"""Share of the assertions from which on people labelled all."""
LEVEL = 0.99
"""Of the difference between what was labelled and the rest, over all models and arms together."""
Tallies = Mapping[tuple[str, str], Tally]


@dataclass(frozen=True)
class _Part:
    """Assertions of one model in one arm, by case: how many, and how many of them the machine calls unsupported.

    Who asserts nothing is labelled whole: there is nothing to label.
    """

    labelled: Floats
    labelled_bad: Floats
    rest: Floats
    rest_bad: Floats

    @property
    def share(self) -> float:
        every = float(self.labelled.sum() + self.rest.sum())
        return float(self.labelled.sum()) / every if every else 1.0


def is_whole(held: Tallies, arms: Collection[str], simulated: Collection[str]) -> bool:
    """Say whether people labelled next to all assertions of every real model; True where no machine read beside them.

    Args:
        held: the cells. arms: with all the evidence and without. simulated: models that nobody labels.
    """
    return all(part.share >= WHOLE_FROM for part in _parts(held, arms, simulated).values())


def labelled_whole(held: Tallies, where: tuple[str, str]) -> bool:
    """Say whether people labelled next to all assertions of one model in one arm, however few these are; False where no machine read beside them.

    Args:
        held: the cells. where: model and arm.
    """
    part = _parts(held, {where[1]}, ()).get(where)
    return part is not None and part.share >= WHOLE_FROM


def looks_chosen(held: Tallies, arms: Collection[str], simulated: Collection[str], plan: Plan) -> bool:
    """Say whether what people labelled is no random part: the machine calls another share of it unsupported than of the rest.

    Args:
        held, arms, simulated: as in `is_whole`. plan: level and scoring; nothing is drawn.
    """
    return any(
        (e.low or 0.0) > 0 or (e.high or 0.0) < 0 for e in part_labelled(held, arms, simulated, plan)
        if e.name == APART.name and e.low is not None and e.high is not None
    )  # fmt: skip


def part_labelled(
    held: Tallies, arms: Collection[str], simulated: Collection[str], plan: Plan
) -> Iterator[Estimate]:
    """Yield for each real model and arm what share people labelled and how the machine's labels differ there; nothing without people.

    Args:
        held, arms, simulated, plan: as in `looks_chosen`.
    """
    parts = _parts(held, arms, simulated)
    level = 1 - (1 - LEVEL) / max(1, len(parts))
    for (model, arm), part in parts.items():
        if not part.labelled.any():
            continue
        every = part.labelled + part.rest
        yield estimate_of(
            SHARE_LABELLED, model, arm, "human", wilson_clustered(part.labelled, every), plan,
            n=int(every.sum()), clusters=int((part.labelled > 0).sum()),
        )  # fmt: skip
        if not part.rest.any():
            continue
        inside = wilson_clustered(part.labelled_bad, part.labelled, level=level)
        outside = wilson_clustered(part.rest_bad, part.rest, level=level)
        gap = mover_difference(inside, outside)
        yield estimate_of(APART, model, arm, "human", gap, plan, n=int(every.sum()), level=level)


def _parts(held: Tallies, arms: Collection[str], simulated: Collection[str]) -> dict[tuple[str, str], _Part]:
    counts = {
        name.removeprefix(PREFIX): tally for (name, _), tally in held.items() if name.startswith(PREFIX)
    }
    if not counts:
        return {}
    wheres = [
        where for where in next(iter(counts.values())).num if where[1] in arms and where[0] not in simulated
    ]

    def summed(where: tuple[str, str], *keys: str) -> Floats:
        columns = [counts[key].columns(*where)[0] for key in keys if key in counts]
        return np.asarray(np.sum(columns, axis=0), dtype=np.float64)

    return {
        where: _Part(
            summed(where, "00", "01", "10", "11"), summed(where, "10", "11"), summed(where, "0-", "1-"), summed(where, "1-")
        )
        for where in wheres
    }  # fmt: skip
