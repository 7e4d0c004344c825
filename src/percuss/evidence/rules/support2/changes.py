"""The ends of a change that a claim tells ("fell from 212 to 88"), held against the series that the record has."""

import re
from collections.abc import Sequence
from decimal import Decimal

from percuss.evidence.rules.support2.parts import Parts
from percuss.evidence.rules.support2.reference import Known, Reference

__all__ = ["series", "unknown_end"]

_DIRECTIONS = frozenset({"rising", "falling", "stable"})
_FROM, _TO = (
    re.compile(r"\bfrom\s+(?:an?\s+|about\s+)?$", re.IGNORECASE),
    re.compile(r"\bto\s+$", re.IGNORECASE),
)


def unknown_end(parts: Parts, held: Reference) -> bool:
    """Tell whether a change is told with an end that the record doesn't have there.

    Args:
        parts: of the claim. held: the case.
    """
    changing = {s.attribute for s in parts.statements if s.word in _DIRECTIONS}
    if not changing:
        return False
    if any(n.value is not None and n.kind != "date" and n.value not in held.numbers for n in parts.numbers):
        return True
    return held.structured and any(
        _out_of_order(parts, series(held.known, attribute)) for attribute in changing
    )


def series(known: Sequence[Known], attribute: str) -> list[Decimal]:
    """Return the values of one attribute from the first to the last, by date, else as they are listed; none where only some have a date.

    Args:
        known: statements of the case. attribute: concept.
    """
    found = [
        (each.statement.date, each.statement.number.value)
        for each in known
        if each.statement.attribute == attribute
        and each.statement.kind == "quantity"
        and each.statement.number is not None
        and each.statement.number.value is not None
        and each.statement.number.upper is None
    ]
    dated = [each for each in found if each[0]]
    if dated and len(dated) < len(found):
        return []
    return [value for _, value in (sorted(found, key=lambda each: each[0]) if dated else found)]


def _out_of_order(parts: Parts, values: Sequence[Decimal]) -> bool:
    """Tell whether what it is said to have come from isn't before what it is said to have come to."""
    if len(values) < 2:
        return False
    first, last = 0, len(values) - 1
    for number in parts.numbers:
        if number.value is None or number.kind == "date":
            continue
        places = [at for at, value in enumerate(values) if value == number.value]
        if _FROM.search(parts.text, 0, number.start):
            if not places or places[0] == last:
                return True
            first = places[0]
        elif _TO.search(parts.text, 0, number.start) and (not places or places[-1] <= first):
            return True
    return False
