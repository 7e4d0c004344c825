"""How a rule reads one model's own text: by people's labels in this run, else by the locked corpus of that model's answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.labels import Support
from percuss.core.records import Cell, Estimate
from percuss.judging.passport import read_by_origin
from percuss.measure.comparable import OWN_TEXT
from percuss.measure.numbers import point
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import rates
from percuss.measure.tally import Tally
from percuss.measure.wording import counted
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.spoken import Making

__all__ = ["FEWEST_OWN", "MOST_FALSE", "own_cells", "own_rates", "own_text"]

FEWEST_OWN = 60
"""Labelled claims of a model's own text from which on they say how a rule reads it (reading.md, section 2)."""
MOST_FALSE = {Support.SUPPORTED.value: 0.01, Support.UNSUPPORTED.value: 0.02}
"""True class -> the largest share of it that a rule may read as the opposite (reading.md, section 2)."""
OPPOSITE = {
    Support.SUPPORTED.value: Support.UNSUPPORTED.value,
    Support.UNSUPPORTED.value: Support.SUPPORTED.value,
}
ALL_ARMS = "all arms"
QUANTITIES = {
    true: Quantity(
        f"{OWN_TEXT}_false_{read}",
        f"{true} claims read {read}",
        f"Of the claims of this model that people call {true}, what share does the rule call {read}?",
        "lower",
    )
    for true, read in OPPOSITE.items()
}
Wrong = tuple[float, float]


def own_cells(
    made: Making, source: str, machine: Sequence[Labelled], people: Sequence[Labelled]
) -> Iterator[Cell]:
    """Yield how many claims of each true class a rule reads as the opposite, an undecided one being none.

    Args:
        made: makes a cell. source: the rule. machine, people: their entries of one response, in the same order.
    """
    for true, quantity in QUANTITIES.items():
        read = [one.label for one, told in zip(machine, people, strict=True) if told.label == true]
        if read:
            yield made(quantity.name, source, read.count(OPPOSITE[true]), len(read))


def own_rates(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield both error rates of every model over all arms, where people labelled claims of it.

    Args:
        held: the cells. plan: the draws.
    """
    for (name, _), tally in held.items():
        for quantity in QUANTITIES.values():
            if name == quantity.name:
                yield from rates(tally.over_arms(ALL_ARMS), quantity, plan)


def own_text(estimates: Sequence[Estimate], layout: str) -> Iterator[Estimate]:
    """Yield for each rule and model whether the rule is within its floors in that model's own text; simulated ones say what it knows.

    Args:
        estimates: of the scoring. layout: of the evidence of all cases; "" where cases differ.

    People's labels of at least 60 claims of the model in this run decide; without so many, its answers in the locked corpus.
    """
    rated = {
        (e.model, e.labels): e
        for e in estimates
        if e.name == "unsupported_rate"
        and e.stratum is None
        and e.labels.startswith("rule:")
        and not e.simulated
    }
    yield from (_own(estimates, e, layout) for e in rated.values())


def _own(estimates: Sequence[Estimate], e: Estimate, layout: str) -> Estimate:
    words: dict[str, Any] = {
        "name": OWN_TEXT, "model": e.model, "arm": ALL_ARMS, "labels": e.labels, "label": "within the floors in its own text",
        "question": "Is the rule within its floors in the text that this very model writes?", "better": "higher",
        "method": "errors by true class", "scoring": e.scoring, "reader": e.reader, "read_right": e.read_right,
    }  # fmt: skip
    here = {
        true: (found.value * found.n, float(found.n))
        for true, q in QUANTITIES.items()
        for found in estimates
        if (found.name, found.model, found.labels) == (q.name, e.model, e.labels) and found.value is not None
    }
    told = [
        ("labelled by people in this run", here),
        ("of it in the locked corpus", read_by_origin(e.labels, e.model, layout=layout)),
    ]
    enough = next(
        ((of, wrong) for of, wrong in told if sum(n for _, n in wrong.values()) >= FEWEST_OWN), None
    )
    if enough is None:
        most = max(sum(n for _, n in wrong.values()) for _, wrong in told)
        return Estimate(
            undefined=f"{counted(round(most))} of its own claims were labelled, {FEWEST_OWN} are needed",
            **words,
        )
    holds, said = _floors(enough[1])
    n = round(sum(n for _, n in enough[1].values()))
    return Estimate(value=float(holds), n=n, note=f"{said} on {counted(n)} claims {enough[0]}", **words)


def _floors(wrong: Mapping[str, Wrong]) -> tuple[bool, str]:
    """Return whether both errors are within the floors, and what they are."""
    said, holds = [], True
    for true, most in MOST_FALSE.items():
        k, n = wrong.get(true, (0.0, 0.0))
        holds = holds and n > 0 and k / n <= most
        said.append(f"{point(k / n)} of {true} ones read {OPPOSITE[true]}" if n else f"no {true} one")
    return holds, " and ".join(said)
