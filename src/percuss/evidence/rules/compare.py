"""Whether a number as written says the value of a fact: rounding, percent and fraction, units, bounds, ranges."""

import re
from decimal import Decimal
from typing import NamedTuple

from percuss.evidence.packet import Fact
from percuss.text.quantities import Quantity
from percuss.text.units import Unit, canonical, convert

__all__ = ["Measure", "comparator", "says"]

HALF = Decimal("0.5")
HEDGED_SHARE = Decimal("0.05")
"""A hedged number ("roughly 60%") may be off by a twentieth of the value (ours: 60 for 57.2 .. 62.9)."""
HEDGED_FRACTION = Decimal("0.03")
"""A hedged fraction in words ("about a third") may be off by three points (ours; App. S: 35.22% is about a third)."""

_SHARE = re.compile(r"fraction|purity|share|proportion|rate|percent", re.IGNORECASE)
"""Fields whose values between 0 and 1 are shares; a score of 0.45 is not "45%" unless the claim says so of the score."""
_COMPARATOR = re.compile(
    r"(?P<below><\s?|≤\s?|\b(?:less|lower|fewer|smaller|younger) than\s|\b(?:under|below|at most|up to|no more than)\s)"
    r"(?:an?\s)?$"
    r"|(?P<above>>\s?|≥\s?|\b(?:more|greater|higher|larger|older) than\s|\b(?:over|above|at least|exceed(?:s|ing)?|no less than)\s)"
    r"(?:an?\s)?$",
    re.IGNORECASE,
)


class Measure(NamedTuple):
    """A number with how the claim puts it.

    Args:
        quantity: the number, the low end of a range.
        high: the high end of a range; None for one number.
        bound: "below" or "above" for "less than" and "at least"; "" for a plain value.
        hedged: said with "about", "roughly" ..
    """

    quantity: Quantity
    high: Quantity | None = None
    bound: str = ""
    hedged: bool = False

    @property
    def stop(self) -> int:
        """Where the measure ends in the claim."""
        return self.high.stop if self.high else self.quantity.stop


def comparator(claim: str, start: int) -> str:
    """Return "below", "above" or "" by the words before a number.

    >>> comparator("less than 5", 10), comparator("it is 5", 6)
    ('below', '')
    """
    match = _COMPARATOR.search(claim, max(0, start - 20), start)
    return (match.lastgroup or "") if match else ""


def says(measure: Measure, fact: Fact, value: Decimal, *, bound: bool) -> bool:
    """Tell whether a measure says a fact's value.

    Args:
        measure: as written.
        fact: gives unit and path: is the value a percent, a share, in milligrams?
        value: the fact's number.
        bound: the claim ties the number to this fact. A number that is not tied must be written more exactly: a bare
            integer matches only the same integer.
    """
    for low, high in _on_scale(measure, fact, value, bound=bound):
        if measure.high is not None:
            spread = _slack(measure.quantity, low, hedged=measure.hedged)
            if low - spread <= value <= high + spread:
                return True
        elif measure.bound == "below":
            if bound and value <= low:
                return True
        elif measure.bound == "above":
            if bound and value >= low:
                return True
        elif _equal(measure, low, value, bound=bound):
            return True
    return False


def _on_scale(measure: Measure, fact: Fact, value: Decimal, *, bound: bool) -> list[tuple[Decimal, Decimal]]:
    """Return the written ends in the fact's own scale; several where the packet doesn't say whether it is a share."""
    quantity = measure.quantity
    low, high = quantity.value, (measure.high or quantity).value
    percent_fact = fact.unit in {"%", "percent"} or "percent" in fact.path.lower()
    share_fact = not percent_fact and not fact.unit and abs(value) <= 1
    if quantity.percent:
        if percent_fact:
            return [(low, high)]
        if fact.unit:
            return []
        if share_fact and not bound and not _SHARE.search(fact.path):
            return []
        # A value above 1 without a unit may be a percent; a person's age may not.
        return [(low / 100, high / 100)] if share_fact else ([(low, high)] if not _is_count(fact) else [])
    if quantity.unit:
        return _converted(quantity, low, high, fact)
    if percent_fact:
        shares = [(low * 100, high * 100)] if abs(high) <= 1 else []
        return [(low, high), *shares]
    return [(low, high)]


def _is_count(fact: Fact) -> bool:
    return fact.leaf.lower().startswith(("age", "pack", "tmb", "z_", "sig_"))


def _converted(quantity: Quantity, low: Decimal, high: Decimal, fact: Fact) -> list[tuple[Decimal, Decimal]]:
    written = canonical(quantity.unit)
    held = canonical(fact.unit) if fact.unit else _unit_of_path(fact)
    if written is None or held is None:
        return [(low, high)]
    first, last = convert(low, written, held), convert(high, written, held)
    return [] if first is None or last is None else [(first, last)]


def _unit_of_path(fact: Fact) -> Unit | None:
    """Return the unit that a field's name says, where the packet gives none."""
    leaf = fact.leaf.lower()
    if leaf.startswith("age"):
        return canonical("years")
    if "pack" in leaf:
        return canonical("pack-years")
    return canonical("mut/Mb") if leaf.startswith("tmb") else None


def _slack(quantity: Quantity, value: Decimal, *, hedged: bool) -> Decimal:
    """Return how far a value may lie from what is written: half of the last digit written, more if hedged."""
    if quantity.value == 0:
        return HALF.scaleb(-quantity.decimals)
    scale = abs(value / quantity.value)
    slack = HALF.scaleb(-quantity.decimals) * scale
    if quantity.tolerance:
        slack = HEDGED_FRACTION * scale if hedged else quantity.tolerance * scale
    elif hedged:
        slack = max(slack, abs(value) * HEDGED_SHARE)
    return slack


def _equal(measure: Measure, written: Decimal, value: Decimal, *, bound: bool) -> bool:
    quantity = measure.quantity
    if not bound and not quantity.decimals and not quantity.percent and not quantity.tolerance:
        exact = abs(value) < 10
        return written == value if exact else abs(written - value) <= HALF
    return abs(written - value) <= _slack(quantity, written, hedged=measure.hedged)
