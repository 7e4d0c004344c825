"""The record of a number as written."""

from decimal import Decimal
from typing import Literal

from percuss.core.strict import Record

__all__ = ["Comparator", "Kind", "Number"]

Kind = Literal["quantity", "range", "fraction", "pair", "enumerator", "name", "date"]
"""What a number is: only quantities, ranges, pairs, fractions and dates say something that can be compared."""

Comparator = Literal["", "<", "<=", ">", ">=", "~"]
"""How a number is bounded: `~` is "about"."""


class Number(Record):
    """A number as written, with its kind.

    Args:
        start, stop: its place, with sign, comparator words and unit.
        text: what stands there, `text[start:stop]` of the whole.
        kind: quantity, range ("3-5 days"), fraction ("12 of 15"), pair ("120/80"), enumerator ("2. No effusion"), name ("type 2",
            "CD8") or date.
        value: the number; low end of a range, part of a fraction, first of a pair; None for names and dates.
        upper: high end of a range, whole of a fraction, second of a pair; None = a single number.
        unit: canonical unit as in `measures`; "" = none written.
        counted: for a bare count, the thing counted in the singular ("3 nodules" counts "nodule"); "" = nothing.
        decimals: digits written after the point.
        comparator: "" = exactly.
        spread: what follows a plus-minus sign; None = none.
        date: ISO date as far as told ("2019", "2019-03"), a time, or the text where the order of day and month is open.
        spelled: written in words.
    """

    start: int
    stop: int
    text: str
    kind: Kind
    value: Decimal | None = None
    upper: Decimal | None = None
    unit: str = ""
    counted: str = ""
    decimals: int = 0
    comparator: Comparator = ""
    spread: Decimal | None = None
    date: str = ""
    spelled: bool = False
