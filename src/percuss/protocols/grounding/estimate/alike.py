"""Does a reader err alike in both arms? Its errors by what people say, with evidence and without (reading.md, section 3).

Whoever errs more in one arm moves the index though the claims alone were read. An error is the opposite of what people say; what a reader
leaves undecided is none, and stands in `decided_share`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from percuss.core.labels import JUDGED, Support
from percuss.core.records import Cell, Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import rates
from percuss.measure.tally import Tally
from percuss.measure.wording import counted
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import BASELINE, arm_words
from percuss.protocols.grounding.estimate.spoken import Making
from percuss.stats.clustered import wilson_clustered
from percuss.stats.intervals import mover_difference

__all__ = [
    "ALIKE",
    "APART",
    "DIFFER",
    "ERRORS",
    "FEWEST",
    "MOST_APART",
    "OPPOSITE",
    "error_cells",
    "errors_alike",
]

FEWEST = 100
"""Claims of a class in each arm that people labelled, below which nothing is said (reading.md, section 3)."""
MOST_APART = 0.05
OPPOSITE = {
    Support.SUPPORTED.value: Support.UNSUPPORTED.value,
    Support.UNSUPPORTED.value: Support.SUPPORTED.value,
}
ERRORS = {
    true: Quantity(
        f"errors_{true}", f"{true} claims read {read}",
        f"Of the claims that people call {true}, what share does the reader call {read}?", "lower",
    )
    for true, read in OPPOSITE.items()
}  # fmt: skip
APART = {
    true: Quantity(
        f"errors_apart_{true}", f"{true} claims read {read}, without evidence less with it",
        f"By how many points more often does the reader call claims {read} without evidence that people call {true}?", "neither",
        "points", f"errors_{true}",
    )
    for true, read in OPPOSITE.items()
}  # fmt: skip
ALIKE, DIFFER = "differ by less than 5 points", "differ by more than 5 points"
MACHINES = ("rule:", "verifier:", *JUDGED)

Tallies = Mapping[tuple[str, str], Tally]


def error_cells(
    made: Making, source: str, machine: Sequence[Labelled], people: Sequence[Labelled]
) -> Iterator[Cell]:
    """Yield how many claims of each class by people a reader calls the opposite; nothing of readers that lead no headline.

    Args:
        made: makes a cell. source: the reader. machine, people: their entries of one response, in the same order.
    """
    if not source.startswith(MACHINES):
        return
    for true, quantity in ERRORS.items():
        read = [one.label for one, told in zip(machine, people, strict=True) if told.label == true]
        if read:
            yield made(quantity.name, source, read.count(OPPOSITE[true]), len(read))


def errors_alike(held: Tallies, plan: Plan, arm: str | None) -> Iterator[Estimate]:
    """Yield the errors of each reader by class, model and arm, and whether they differ between the arms.

    Args:
        held: the cells. plan: the draws. arm: with all the evidence; None: it was not asked.

    `note` of the difference is the verdict; it is undefined where people labelled fewer than 100 claims of the class in an arm.
    """
    for true, quantity in ERRORS.items():
        for (name, _), tally in held.items():
            if name != quantity.name:
                continue
            yield from rates(tally, quantity, plan)
            for model in tally.models if arm is not None else ():
                yield _apart(tally, true, model, str(arm), plan)


def _apart(tally: Tally, true: str, model: str, arm: str, plan: Plan) -> Estimate:
    arms = (BASELINE, arm)
    n = {at: tally.scored(model, at) for at in arms}
    fields: dict[str, Any] = {"baseline": BASELINE, "n": sum(n.values())}
    few = min(arms, key=lambda at: n[at])
    if n[few] < FEWEST:
        why = f"can't tell: people call {counted(n[few])} claims {true} {arm_words(few)}, {FEWEST} are needed"
        words = {"method": "rates on what people labelled", "scoring": plan.scoring, **APART[true].words}
        return Estimate(
            name=APART[true].name, model=model, arm=arm, labels=tally.labels, undefined=why, note=why,
            simulated=model in plan.simulated, **{**words, **fields},
        )  # fmt: skip
    clusters = np.array(tally.cluster)
    bare, given = (wilson_clustered(*tally.columns(model, at), clusters=clusters) for at in arms)
    result = mover_difference(bare, given)
    return estimate_of(
        APART[true], model, arm, tally.labels, result, plan, note=_verdict(result.low, result.high), **fields
    )


def _verdict(low: float | None, high: float | None) -> str:
    """Return whether errors differ: only an interval wholly on one side of 5 points says so."""
    if low is None or high is None:
        return "can't tell: no interval"
    if low >= -MOST_APART and high <= MOST_APART:
        return ALIKE
    return DIFFER if low > MOST_APART or high < -MOST_APART else "can't tell: the interval reaches 5 points"
