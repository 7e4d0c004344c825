"""Values with the reference range that stands beside them in a record, whatever the parts of the entry are called."""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from percuss.evidence.packet import Fact
from percuss.text.numbers import numbers

__all__ = ["NAMES", "Ranged", "ranged"]

_ENDS = {
    "low": ("reference_low", "ref_low", "range_low", "reference_range_low", "normal_low", "lower_limit", "lln", "reference.low", "reference_range.low", "range.low",
          "referencerange.0.low.value", "referencerange.low.value", "referencerange.0.low", "low"),
    "high": ("reference_high", "ref_high", "range_high", "reference_range_high", "normal_high", "upper_limit", "uln", "reference.high", "reference_range.high", "range.high",
           "referencerange.0.high.value", "referencerange.high.value", "referencerange.0.high", "high"),
}  # fmt: skip
_WHOLE = ("reference_range", "referencerange", "reference", "ref_range", "ref", "normal_range", "normal", "range", "reference_interval", "referencerange.0.text")  # fmt: skip
NAMES = frozenset({*_WHOLE, *(name for names in _ENDS.values() for name in names)}) - {
    "low",
    "high",
    "normal",
}
"""What a range, or one of its ends, is called wherever it stands."""
_ONE_SIDED = re.compile(
    r"^\s*(?P<sign><=?|≤|>=?|≥|up to|below|under|less than|above|over|more than|at least)\s*(?P<value>\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_UNDER = frozenset({"<", "<=", "≤", "up to", "below", "under", "less than"})


class Ranged(Fact, cache_hash=True):
    """A fact with the reference range that stands beside it, in its unit.

    Args:
        low, high: the ends; None = not told.
    """

    low: Decimal | None = None
    high: Decimal | None = None


def ranged(fact: Fact, parts: Mapping[str, Fact]) -> Fact:
    """Return a fact with the reference range that the parts of its entry tell; the fact itself where they tell none.

    Args:
        fact: the value. parts: name within the entry, in small letters, and its fact.

    >>> found = ranged(Fact(path="labs.k", value=5.7), {"range": Fact(path="labs.0.range", value="3.5-5.1 mmol/L")})
    >>> isinstance(found, Ranged) and (found.low, found.high)
    (Decimal('3.5'), Decimal('5.1'))
    """
    found = {
        end: next((_decimal(parts[name].value) for name in names if name in parts), None)
        for end, names in _ENDS.items()
    }
    if not any(end is not None for end in found.values()):
        found = next((_spanned(str(parts[name].value)) for name in _WHOLE if name in parts), {})
    if not any(end is not None for end in found.values()):
        return fact
    return Ranged(
        path=fact.path, value=fact.value, unit=fact.unit, source=fact.source, date=fact.date, **found
    )


def _spanned(said: str) -> dict[str, Decimal | None]:
    sided = _ONE_SIDED.match(said)
    if sided is not None:
        return {"high" if sided["sign"].lower() in _UNDER else "low": Decimal(sided["value"])}
    for number in numbers(said):
        if number.value is not None and number.upper is not None:
            return {"low": number.value, "high": number.upper}
    return {}


def _decimal(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return Decimal(str(value).strip())
    except InvalidOperation:
        return None
