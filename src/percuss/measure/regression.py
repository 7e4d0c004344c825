"""Is the new one no worse than the old one? Three answers, read off the interval of a paired difference."""

from percuss.core.errors import UsageError
from percuss.core.records import Estimate
from percuss.measure.compared import Comparison
from percuss.measure.gates import Gate, Outcome, judge_gate, parse_gate, require_names
from percuss.measure.numbers import point, written

__all__ = ["held_against", "non_inferior"]


def non_inferior(found: Comparison, margin: float) -> tuple[Outcome, ...]:
    """Hold every difference from the baseline against a margin.

    Args:
        found: a comparison with a baseline.
        margin: loss without importance, in the unit of the number, above 0: 0.02 is 2 points.

    Returns:
        pass where the interval's worse end is less than the margin worse (at level 95% a one-sided test at 2.5%), fail
        where its better end is the margin worse or more, else inconclusive.

    Raises:
        UsageError: a margin that is not positive, or a number of which no direction is better.
    """
    if not margin > 0:
        raise UsageError(
            f"--non-inferior got {margin:g}; expected a margin above 0, such as 0.02 for 2 points"
        )
    if found.quantity.better == "neither":
        raise UsageError(
            f"--non-inferior: of {found.quantity.label} neither direction is better; name another number with --estimate"
        )
    return tuple(_judged(pair.difference, margin, found.quantity.better) for pair in found.pairs)


def _judged(d: Estimate, margin: float, better: str) -> Outcome:
    text = f"{d.model} no more than {point(margin, d.unit)} worse than {d.versus}"
    gate = Gate(f"non-inferior within {margin:g}: {d.model}", d.name, {}, None, ">", margin)
    if d.value is None:
        return Outcome(gate, "inconclusive", f"{text}: undefined ({d.undefined})")
    if d.low is None or d.high is None:
        return Outcome(gate, "inconclusive", f"{text}: {written(d)}, no interval on both sides")
    least, most = (d.low, d.high) if better == "lower" else (-d.high, -d.low)
    state = "pass" if most < margin else "fail" if least >= margin else "inconclusive"
    said = {"pass": "shown", "fail": "not so", "inconclusive": "neither shown nor ruled out"}[state]
    return Outcome(gate, state, f"{text}: {said}; the difference is {written(d)}")  # type: ignore[arg-type] # one of three words


def held_against(found: Comparison, conditions: tuple[str, ...], margin: float | None) -> tuple[Outcome, ...]:
    """Return what gates and the margin say of a comparison.

    Args:
        found: the comparison. conditions: of `--fail-if`, on the numbers of the comparison. margin: of `--non-inferior`.

    Raises:
        UsageError: a condition that can't be read or names no number of the comparison.
    """
    estimates = [*found.singles, *(pair.difference for pair in found.pairs)]
    gates = [parse_gate(text) for text in conditions]
    require_names(gates, sorted({e.name for e in estimates}))
    outcomes = tuple(outcome for gate in gates for outcome in judge_gate(gate, estimates))
    return outcomes if margin is None else (*outcomes, *non_inferior(found, margin))
