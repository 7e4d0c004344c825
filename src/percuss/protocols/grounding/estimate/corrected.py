"""Counts of claims by what the machine and people say, from which corrected rates and HDI are made (spec statistics.md)."""

from collections.abc import Iterator, Mapping
from typing import Any

from percuss.core.labels import Reason, Support
from percuss.core.records import Cell, Estimate
from percuss.measure.correction import CORRECTED, corrected, unrolled
from percuss.measure.quantity import Plan
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import BASELINE, DELTA, UNSUPPORTED
from percuss.stats import Judged

__all__ = ["CORRECTED", "PREFIX", "corrected_cells", "corrected_estimates", "pair_counts"]

PREFIX = "corrected:"
NOT_SEEN = "-"


def pair_counts(
    machine: tuple[Labelled, ...], people: tuple[Labelled, ...], *, read: bool = False
) -> dict[str, int]:
    """Return cell name -> count of assertions by (machine says unsupported, people say so or did not look).

    Args:
        machine: one label a claim, of the judge's first pass or the rules: passes that agree would leave out claims
            because they are hard to judge, and so change what the rate is of.
        people: human labels, in the same order. What people say asserts nothing does not count.
        read: whether claims carry their speech act: then a partial claim is one supported and one unsupported assertion, and what
            a rule left undecided counts too, as not called unsupported: labels are of a part of *all* assertions
            (definitions/grounding.md, version 2, "What is counted").
    """
    counts = {f"{PREFIX}{m}{p}": 0 for m in "01" for p in ("0", "1", NOT_SEEN)}
    for one, other in zip(machine, people, strict=True):
        undecided = read and (one.reason or "").partition(":")[0] == Reason.UNDECIDED.value
        if (one.label is None and not undecided) or not other.posed:
            continue
        told = one if other.label is None else other
        both = read and told.label == Support.PARTIAL.value
        for bad in ("0", "1") if both else (str(int(told.unsupported)),):
            seen = NOT_SEEN if other.label is None else bad
            said = bad if read and one.label == Support.PARTIAL.value and both else str(int(one.unsupported))
            counts[f"{PREFIX}{said}{seen}"] += 1
    return counts


def corrected_estimates(
    held: Mapping[tuple[str, str], Tally], plan: Plan, arm: str | None
) -> Iterator[Estimate]:
    """Yield corrected rates per arm, the fall with evidence and HDI, label source `corrected`.

    Args:
        held: the cells. plan: level and scoring; nothing is drawn. arm: the arm with all the evidence.

    The claims that people saw must be a random sample within each arm.
    """
    pairs = {name.removeprefix(PREFIX): t for (name, _), t in held.items() if name.startswith(PREFIX)}
    if not pairs:
        return
    judged = {where: _judged(pairs, *where) for where in next(iter(pairs.values())).num}
    yield from corrected(judged, UNSUPPORTED, plan, arm=arm, baseline=BASELINE, delta=DELTA)


def corrected_cells(made: Any, machine: tuple[Labelled, ...], people: tuple[Labelled, ...]) -> Iterator[Cell]:
    """Yield the counts of one response as cells.

    Args:
        made: makes a cell of name, labels, num, den and exclusions. machine, people: as in `pair_counts`.
    """
    counts = pair_counts(machine, people, read=made.second)
    scored = sum(counts.values())
    for name, count in counts.items():
        yield made(name, CORRECTED, count, scored)


def _judged(pairs: Mapping[str, Tally], model: str, arm: str) -> Judged:
    """Return the claims of one model in one arm."""
    return unrolled(
        [
            (cluster, int(key[0]), None if key[1] == NOT_SEEN else int(key[1]), int(count))
            for key, tally in pairs.items()
            for cluster, count in zip(tally.cluster, tally.summed(model, arm)[0], strict=True)
            if count
        ]
    )
