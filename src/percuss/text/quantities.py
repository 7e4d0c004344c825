"""Numbers in clinical text: decimals, percents, ranges, signs, number words; never years, dates, times or identifiers.

Reused by every protocol that asks "does this number stand in the evidence?". Values are `Decimal` as written.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from percuss.text import number_words
from percuss.text.units import UNIT, canonical

__all__ = ["DATE", "Quantity", "missing", "quantities", "worded"]


class Quantity(NamedTuple):
    """A number as written.

    Args:
        start, stop: its place, sign, percent mark and unit included.
        text: what stands there.
        value: the number; percents are not divided by 100.
        decimals: digits written after the point; 0 for an integer.
        percent: written with %, percent or per cent (a range's mark counts for both ends).
        unit: canonical name of the unit; "" = none written.
        part: "one", or "low" / "high" end of a range.
        spelled: written in words ("two thirds").
        tolerance: half-width in which the words are meant ("a third" is 33.3 .. 33.4 in any notation); 0 for digits.
    """

    start: int
    stop: int
    text: str
    value: Decimal
    decimals: int
    percent: bool
    unit: str = ""
    part: str = "one"
    spelled: bool = False
    tolerance: Decimal = Decimal(0)


_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?"
    r"|Dec(?:ember)?)\b\.?"
)
DATE = re.compile(
    r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH},?(?:\s\d{{4}})?"
    rf"|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}})?|{_MONTH},?\s\d{{4}}"
    r"|\d{1,2}:\d{2}(?::\d{2})?)(?!\w)"
)
"""Dates and times as written in clinical text; months with a capital letter ("may 14" may be a verb)."""
_DATE_SIGN = re.compile(
    r"\d(?:[-/:]\d|\.\d{1,2}\.\d|(?:st|nd|rd|th)?\s(?:of\s)?[JFMASOND][a-z]{2})|[JFMASOND][a-z]{2,8}\.?,?\s\d"
)
_NUMBER = re.compile(
    r"(?<![\w.])(?:(\d{1,3}(?:,\d{3}){1,5}(?![\d,]\d)|\d{1,18}(?!\d))(\.\d{1,15}(?!\d))?|(\.\d{1,15})(?!\d))"
    r"(?!_|\.\d)(\s?(?:%|percent(?:age points?)?\b|per\s?cent\b|pct\b))?",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_DASHES = "-–—−‐‑"
_RANGE = re.compile(r"\s?(?:[-–—‐‑]|to|through|up to)\s?$", re.IGNORECASE)
_BETWEEN = re.compile(r"between\s$", re.IGNORECASE)


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the numbers written in digits, in order.

    Years (1900 to 2099 without unit or percent), dates, times, identifiers (tile_183, TCGA-44-6147), and digits within
    names (CD8, PD-1, T1a) are no quantities.

    >>> [(str(q.value), q.percent, q.part) for q in quantities("20–30% of CD8 cells in 2018, tile_183 0.87")]
    [('20', True, 'low'), ('30', True, 'high'), ('0.87', False, 'one')]
    """
    if not _DIGIT.search(text):
        return ()
    dates = [(m.start(), m.end()) for m in DATE.finditer(text)] if _DATE_SIGN.search(text) else []
    found: list[Quantity] = []
    date = 0
    for match in _NUMBER.finditer(text):
        start = match.start()
        while date < len(dates) and dates[date][1] <= start:
            date += 1
        if date < len(dates) and dates[date][0] <= start:
            continue
        quantity = _quantity(text, match, found)
        if quantity is not None:
            found.append(quantity)
    return tuple(found)


def _quantity(text: str, match: re.Match[str], found: list[Quantity]) -> Quantity | None:
    """Read one match; None for what is no quantity. May mark the number before it as the low end of a range."""
    start, stop = match.span()
    whole, fraction, bare, percent_mark = match.groups()
    negative, opened = _sign(text, start, found)
    if opened is None:
        return None
    unit, stop = ("%", stop) if percent_mark else _unit(text, stop)
    if unit is None:
        return None
    digits = whole.replace(",", "") if whole else ""
    if not unit and not fraction and not bare and len(digits) == 4 and digits[:2] in {"19", "20"}:
        return None
    value = Decimal(digits + (fraction or bare or ""))
    quantity = Quantity(
        opened,
        stop,
        text[opened:stop],
        -value if negative else value,
        len(fraction or bare or ".") - 1,
        bool(percent_mark),
        "" if percent_mark else unit,
    )
    if not negative and found and _closes_range(text, found[-1], start):
        low = found[-1]
        if quantity.value < low.value and start - low.stop == 1:
            found.pop()  # "CA 19-9" counts down: a name, not a range
            return None
        found[-1] = low._replace(
            part="low", percent=low.percent or quantity.percent, unit=low.unit or quantity.unit
        )
        quantity = quantity._replace(part="high")
    return quantity


def _sign(text: str, start: int, found: list[Quantity]) -> tuple[bool, int | None]:
    """Return (negative, first character); the second is None where the digits belong to a name."""
    if start == 0 or text[start - 1] not in _DASHES:
        return False, start
    if start == 1 or text[start - 2].isspace() or text[start - 2] in "([=:,;~<>≥≤|/*":
        spaced_range = bool(found) and found[-1].stop == start - 2 and text[start - 1] in "–—"
        return not spaced_range, start if spaced_range else start - 1
    after_number = bool(found) and found[-1].stop == start - 1
    return False, start if after_number else None


def _unit(text: str, stop: int) -> tuple[str | None, int]:
    """Return (canonical unit or "", end); the unit is None where letters make a name of the digits ("3D", "2nd")."""
    if stop >= len(text):
        return "", stop
    after = stop
    if text[after] in " -\u00a0\u202f" and after + 1 < len(text):
        after += 1
    match = UNIT.match(text, after)
    if match:
        unit = canonical(match.group())
        return (unit.name if unit else ""), match.end()
    return (None if text[stop].isalpha() or text[stop] == "_" else ""), stop


def _closes_range(text: str, low: Quantity, start: int) -> bool:
    gap = text[low.stop : start]
    if len(gap) > 10 or low.part == "high":
        return False
    if _RANGE.fullmatch(gap):
        return True
    return gap.strip().lower() == "and" and bool(_BETWEEN.search(text, max(0, low.start - 8), low.start))


_PERCENT = re.compile(r"\s(?:percent|per\s?cent)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def worded(text: str) -> tuple[Quantity, ...]:
    """Return the numbers written in words, in order: "sixty-one percent", "two thirds", "half of".

    Fractions are given as shares (value .333.., tolerance .005) and percents as percents. "one" alone is a pronoun as often as
    a number and is left out.

    >>> [(str(q.value), q.percent) for q in worded("sixty-one percent of it, twelve nodes")]
    [('61', True), ('12', False)]
    """
    return tuple(q for each in number_words.worded(text) if (q := _from_words(text, each)) is not None)


def _from_words(text: str, said: number_words.Worded) -> Quantity | None:
    start, stop = said.start, said.stop
    if said.whole:
        share = said.value / said.whole
        return Quantity(
            start, stop, text[start:stop], share, 2, False, spelled=True, tolerance=Decimal("0.005")
        )
    percent = _PERCENT.match(text, stop)
    if percent is not None:
        stop = percent.end()
    elif text[start:stop].lower() == "one":
        return None
    return Quantity(start, stop, text[start:stop], said.value, 0, percent is not None, spelled=True)


def missing(text: str, allowed: Iterable[str]) -> tuple[Quantity, ...]:
    """Return the numbers of a text that stand in none of the allowed texts, digits and words alike.

    Args:
        text: what is checked, e.g. a model-written answer of a simulated patient.
        allowed: texts whose numbers may be said, e.g. the facts released so far. A percent may be said as a fraction.

    >>> [q.text for q in missing("BP 120/80, pulse 99", ["BP was 120/80"])]
    ['99']
    """
    known: set[Decimal] = set()
    for each in allowed:
        for quantity in (*quantities(each), *worded(each)):
            known.add(abs(quantity.value))
            known.add(abs(quantity.value) / 100)
            known.add(abs(quantity.value) * 100)
    said = sorted((*quantities(text), *worded(text)))
    return tuple(quantity for quantity in said if abs(quantity.value) not in known)
