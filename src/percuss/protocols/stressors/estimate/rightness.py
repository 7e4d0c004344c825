"""Same final answer, different process: what the process was like where the final diagnosis is right and where it is wrong; certainty by turn.

The paper's main sentence is that equal answers hide unequal processes (papers/3 section 3); definitions/stressors, version 2, vignettes.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import rates
from percuss.measure.tally import Tally
from percuss.protocols.stressors.check.nodes import Row
from percuss.protocols.stressors.estimate.names import METRICS
from percuss.protocols.stressors.estimate.propagation import Count
from percuss.stats.shifts import paired_shift

__all__ = ["CELLS", "PROCESS", "SIDES", "TURNS", "certainties", "rightness", "sides"]

PROCESS = ("gdr", "cdr", "rur", "pcr", "hpr", "fcr")
"""Metrics of the process that are told apart by the final diagnosis."""
TURNS = (1, 2, 3, 4)
SIDES = ("right", "wrong")
CELLS = frozenset(
    {f"{name}_final_{side}" for name in PROCESS for side in SIDES}
    | {f"{name}_turn_{n}" for name in ("certainty", "brier") for n in TURNS}
    | {"certainty_rise", "certainty_fall"}
)
"""Names of this module's cells, which the rules alone count."""
_CHANGE = Quantity(
    "certainty_change",
    "change of certainty per piece of evidence",
    "How far does the stated certainty rise (or fall) with each new piece of evidence?",
    "neither",
    "points",
)


def sides(counts: Mapping[str, Count]) -> Iterator[tuple[str, Count]]:
    """Yield the process metrics of one response by name of the side that its final diagnosis is on; none where it can't be read.

    Args:
        counts: metric -> what the rules counted.
    """
    final = counts.get("final_accuracy", Count())
    for name in PROCESS if final.den else ():
        count = counts.get(name, Count())
        if count.den:
            yield f"{name}_final_{SIDES[0] if final.num else SIDES[1]}", Count(count.num / count.den, 1.0)


def certainties(rows: Sequence[Row]) -> Iterator[tuple[str, Count]]:
    """Yield certainty and Brier score by turn, and rise and fall of certainty per piece of evidence, of one response.

    Args:
        rows: of the rules' audit.
    """
    for row in rows:
        if row.metric in {"certainty", "brier"} and row.turn in TURNS:
            yield f"{row.metric}_turn_{row.turn}", Count(float(row.quote), 1.0)
    steps = [float(row.quote) for row in rows if row.metric == "certainty_step"]
    if steps:
        yield "certainty_rise", Count(sum(max(step, 0.0) for step in steps), float(len(steps)))
        yield "certainty_fall", Count(sum(max(-step, 0.0) for step in steps), float(len(steps)))


def rightness(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield all estimates of this module.

    Args:
        held: tallies by (name, label source). plan: how intervals are made.
    """
    words = {quantity.name: quantity for quantity in _quantities()}
    for (name, labels), tally in held.items():
        if name in words:
            yield from rates(tally, words[name], plan, proportion="_final_" in name)
        if name == "certainty_rise" and ("certainty_fall", labels) in held:
            yield from _change(tally, held["certainty_fall", labels], plan)


def _quantities() -> Iterator[Quantity]:
    for metric in METRICS:
        q = metric.quantity
        for side in SIDES if q.name in PROCESS else ():
            yield Quantity(
                f"{q.name}_final_{side}", f"{q.label}, final diagnosis {side}", q.question, q.better
            )
    for n in TURNS:
        yield Quantity(
            f"certainty_turn_{n}",
            f"certainty at turn {n}",
            f"How sure is the diagnosis of turn {n} said to be?",
            "neither",
        )
        yield Quantity(
            f"brier_turn_{n}",
            f"Brier score at turn {n}",
            f"How far is the certainty of turn {n} from being right, squared?",
            "lower",
        )


def _change(rise: Tally, fall: Tally, plan: Plan) -> Iterator[Estimate]:
    for model, arm in rise.num:
        (up, den), (down, same) = rise.columns(model, arm), fall.columns(model, arm)
        there = (den > 0) & (same > 0)
        if there.any():
            clusters = np.array(rise.cluster)[there]
            shares = (up[there] / den[there], down[there] / same[there])
            result = paired_shift(*shares, clusters=clusters, seed=plan.seed, B=plan.B, level=plan.level)
            n = int(there.sum())
            yield estimate_of(
                _CHANGE,
                model,
                arm,
                rise.labels,
                result,
                plan,
                n=n,
                clusters=len(set(clusters)),
                covers=rise.covers,
            )
