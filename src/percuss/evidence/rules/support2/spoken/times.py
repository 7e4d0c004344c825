"""Times told from a today that a record doesn't name ("last year's sodium"): a value of another time isn't that one."""

from collections.abc import Sequence
from datetime import date, timedelta

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.days import DAYS, MONTHS
from percuss.evidence.rules.support2.record import Reading
from percuss.text.cued import Cued
from percuss.text.number_words import COUNTS

__all__ = ["out_of_time"]

_COUNTS = {"a": 1, "an": 1} | COUNTS
_AGO = Cued(
    rf"\b(?P<n>{'|'.join(_COUNTS)}|\d{{1,2}})\s(?P<unit>day|week|month|year)s?\s(?:ago|earlier|previously|before)\b"
)
_LAST = Cued(
    r"\b(?:last|the\sprevious|the\spreceding)\s(?P<unit>week|month|year|spring|summer|autumn|winter)\b"
)
_YESTERDAY = Cued(r"\byesterday\b")
_FIRST = Cued(r"\b(?:on|at)\s(?:admission|arrival|presentation)\b|\badmission\s(?=\w)")
_MONTH = Cued(rf"\b(?:in|last|of|this)\s(?P<m>{'|'.join(MONTHS)})\b(?!\s\d)")
_TOLD = Cued(*(each.pattern for each in (_AGO, _LAST, _YESTERDAY, _FIRST, _MONTH)))
_DAY = len("2025-01-01")


def out_of_time(claim: str, packet: Packet, found: Reading) -> bool:
    """Tell whether a claim was decided by values of which it isn't sure that they are of the time that it tells.

    What is told from today is worked out from the latest day of the record; a record without days can't tell.

    Args:
        claim: the claim's text. packet: the case, in the shape in which it was read. found: a reading that supports or contradicts it.
    """
    if not packet.facts or not _TOLD.may(claim):
        return False
    paths = {path for hang in found.hangs_on for path in hang.path.split(", ") if path}
    used = [fact for fact in packet.facts if fact.path in paths]
    if not used or any(isinstance(fact.value, str) and _same_words(claim, fact.value) for fact in used):
        return False
    days = sorted({fact.date[:_DAY] for fact in packet.facts if len(fact.date) >= _DAY})
    held = [fact.date[:_DAY] for fact in used if len(fact.date) >= _DAY]
    if _from_today(claim, days, held) or found.label == "contradicted":
        return _from_today(claim, days, held)
    return _of_month(claim, used) or _of_first(claim, used, held, packet)


def _same_words(claim: str, value: str) -> bool:
    """Tell whether a fact's own text tells the time in the words of the claim."""
    low = value.lower()
    every = [m.group().lower() for p in (_AGO, _LAST, _YESTERDAY, _FIRST, _MONTH) for m in p.finditer(claim)]
    return bool(every) and all(each in low for each in every)


def _from_today(claim: str, days: Sequence[str], held: Sequence[str]) -> bool:
    """Tell whether a time that is told from today isn't that of every value."""
    ago, last, yesterday = _AGO.search(claim), _LAST.search(claim), _YESTERDAY.search(claim)
    if ago is None and last is None and yesterday is None:
        return False
    if not days or not held:
        return True
    today = date.fromisoformat(days[-1])
    if last is not None and last["unit"].lower() == "year":
        return any(int(day[:4]) != today.year - 1 for day in held)
    if last is not None and last["unit"].lower() == "month":
        before = (today.replace(day=1) - timedelta(days=1)).isoformat()[:7]
        return any(not day.startswith(before) for day in held)
    if last is not None:
        return True
    if yesterday is not None:
        return any(date.fromisoformat(day) != today - timedelta(days=1) for day in held)
    said = ago["n"].lower() if ago is not None else ""
    unit = ago["unit"].lower() if ago is not None else "day"
    count = _COUNTS.get(said) or int(said)
    apart = timedelta(days=count * DAYS[unit])
    near = {"day": 0, "week": 3, "month": 15, "year": 183}[unit]
    return any(abs((date.fromisoformat(day) - (today - apart)).days) > near for day in held)


def _of_month(claim: str, used: Sequence[Fact]) -> bool:
    """Tell whether a month is told that isn't that of every value."""
    match = _MONTH.search(claim)
    if match is None:
        return False
    number = f"-{MONTHS.index(match['m'].lower()) + 1:02d}"
    return any(fact.date[4:7] != number and number not in str(fact.value) for fact in used)


def _of_first(claim: str, used: Sequence[Fact], held: Sequence[str], packet: Packet) -> bool:
    """Tell whether a value of a later day is told as that of admission."""
    if not held or _FIRST.search(claim) is None:
        return False
    first = min(fact.date[:_DAY] for fact in packet.facts if len(fact.date) >= _DAY)
    admitted = [
        str(f.value)[:_DAY] for f in packet.facts if f.leaf in {"admitted", "admission_date", "admission"}
    ]
    return any(day not in admitted if admitted else day != first for day in held) and bool(used)
