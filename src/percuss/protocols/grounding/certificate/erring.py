"""Errors of entries: one field changed to what the cohort's other entries say, so that no entry of the case's own record says it.

Another entry of the list may hold what one was changed to, under another word or on another day; then nothing is seeded. Values, doses
and dates are the cohort's own.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from percuss.protocols.grounding.certificate.entries import Entry, Listed, alike, number_of, same_day, telling
from percuss.protocols.grounding.certificate.wording import OPEN, other_drug

__all__ = ["Changed", "changes"]

_ACTIVE = frozenset({"active", "current", "ongoing"})
_OVER = frozenset(
    {"on hold", "held", "paused", "suspended", "stopped", "discontinued", "completed", "cancelled"}
)
_GONE = frozenset({"resolved", "inactive"})
_ENDED = {"drug": _OVER, "problem": _GONE, "allergy": _GONE}
_UNITS = {
    "mg/L": "mg/dL", "mg/dL": "mmol/L", "mmol/L": "mg/dL", "g/dL": "g/L", "g/L": "g/dL", "umol/L": "mg/dL", "µmol/L": "mg/dL", "ng/mL": "ng/L",
    "ng/L": "ng/mL", "pg/mL": "ng/mL", "mm": "cm", "cm": "mm", "kg": "g", "mmHg": "kPa", "U/L": "U/mL", "10^9/L": "10^6/L", "ms": "s",
}  # fmt: skip
"""Units that make another amount of the same number, whatever was measured."""
_AMOUNT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?(mg|mcg|micrograms?|ug|g|mL|ml|units?|IU)\b")
_RANGE = re.compile(r"\d ?(?:-|–|/|to) ?\d")
_GRAMS = {
    "mg": 1e-3,
    "mcg": 1e-6,
    "microgram": 1e-6,
    "micrograms": 1e-6,
    "ug": 1e-6,
    "g": 1.0,
}
_QUALITY = {"negative": "positive", "positive": "negative"}
_ANYTHING = frozenset({"", "%", "/min"})
"""Units of which a result of another test is no plausible one."""
_EACH = 3
"""Values, doses, dates and names that an entry is given in turn."""


class Changed(NamedTuple):
    """An entry with one field changed, and the class of errors that it is of."""

    entry: Entry
    of: str


def changes(
    entry: Entry, own: Listed, cohort: Sequence[Entry], rng: np.random.Generator
) -> Iterator[Changed]:
    """Yield an entry with its name, dose, date, status, unit or value changed, each so that no entry of the record says it.

    Args:
        entry: of the record. own: the record. cohort: entries of its kind of all cases, the own ones included. rng: of the draws.
    """
    near = [other for other in own.entries if other.kind == entry.kind and alike(other.name, entry.name)]
    yield from _names(entry, own, cohort, rng)
    yield from _dates(entry, near, cohort, rng)
    yield from _states(entry, near, own)
    if entry.kind == "drug":
        yield from _doses(entry, near, own, cohort, rng)
    if entry.kind == "lab":
        yield from _results(entry, near, own, cohort, rng)
        yield from _units(entry, near, own)


def _names(entry: Entry, own: Listed, cohort: Sequence[Entry], rng: np.random.Generator) -> Iterator[Changed]:
    """Another case's drug, problem or allergen, of which the record says nothing; a result keeps its name.

    A problem that is not listed may follow from results and drugs: one is put in place only where a date goes with it.
    """
    dated = entry.said("dated") or entry.said("onset")
    if (
        entry.kind == "lab"
        or entry.denied
        or (entry.kind == "problem" and not dated)
        or entry.said("verification")
    ):
        return
    names = [other.name for other in cohort if not other.denied and not other.said("verification")]
    if entry.kind == "drug" and (drug := other_drug(entry.name, entry.name)):
        names.append(drug)
    held = own.mentioned.union(*(telling(one.name) for one in own.entries))
    free = [name for name in dict.fromkeys(names) if telling(name).isdisjoint(held)]
    of = "other drug" if entry.kind == "drug" else "value"
    for name in _drawn(free, rng):
        yield Changed(entry.changed("name", name), of)


def _dates(
    entry: Entry, near: Sequence[Entry], cohort: Sequence[Entry], rng: np.random.Generator
) -> Iterator[Changed]:
    """Another date of the cohort, on which the record has no entry of that name, or a result plainly different."""
    for role in ("dated", "started", "stopped", "onset"):
        now = entry.said(role)
        if not now or sum(bool(entry.said(one)) for one in ("dated", "started", "stopped", "onset")) > 1:
            continue
        dates = [d for other in cohort if len(d := other.said(role)) == len(now)]
        free = [
            date
            for date in dates
            if date != now and not any(_may_hold(other, entry.changed(role, date), role) for other in near)
        ]
        for date in _drawn(free, rng):
            yield Changed(entry.changed(role, date), "other date")


def _may_hold(other: Entry, changed: Entry, role: str) -> bool:
    """Whether an entry of the record may say what a changed one says: it is of that day, and no result that is plainly another."""
    date, theirs = changed.said(role), other.said(role)
    if not (date.startswith(theirs) or theirs.startswith(date)):
        return False
    return other.kind != "lab" or not _plainly_other(other, changed)


def _plainly_other(one: Entry, other: Entry) -> bool:
    a, b = number_of(one.said("value")), number_of(other.said("value"))
    return a is not None and b is not None and one.said("unit") == other.said("unit") and _differs(a, b)


def _states(entry: Entry, near: Sequence[Entry], own: Listed) -> Iterator[Changed]:
    """What is active as over, what is over as active, what is denied as there; where no entry of the name says so."""
    ended = _ENDED.get(entry.kind, frozenset())
    now = entry.said("status")
    if entry.denied and not now and len(near) == 1:
        yield Changed(entry._replace(denied=False).changed("status", "present"), "denial")
    if entry.denied or not now or entry.said("verification") or entry.said("stopped"):
        return
    said = {other.said("status") for other in near}
    new = sorted(ended) if now in _ACTIVE else ["active"] if now in ended else []
    against = ended if now in _ACTIVE else _ACTIVE
    if new and "" not in said and not said & against and not own.mentions(entry.name):
        plain = ["stopped", "on hold"] if entry.kind == "drug" else ["resolved"]
        for state in plain if now in _ACTIVE else new:
            yield Changed(entry.changed("status", state), "other status")


def _doses(
    entry: Entry, near: Sequence[Entry], own: Listed, cohort: Sequence[Entry], rng: np.random.Generator
) -> Iterator[Changed]:
    """Another amount of the cohort in the dose, that no entry of the drug holds, in whatever unit."""
    amounts = _AMOUNT.findall(entry.said("dose"))
    bounded = OPEN.search(entry.said("dose")) or _RANGE.search(entry.said("dose"))
    if len(amounts) != 1 or bounded or any(map(str.isdigit, entry.name)) or own.mentions(entry.name):
        return
    (number, unit), place = amounts[0], _AMOUNT.search(entry.said("dose"))
    assert place is not None
    there = {
        n for other in cohort for n, u in _AMOUNT.findall(other.said("dose")) if u == unit
    }  # fmt: skip
    held = [_grams(*a) for other in near for a in _AMOUNT.findall(f"{other.name} {other.said('dose')}")]
    told = {n for other in near for n in re.findall(r"\d+(?:\.\d+)?", other.said("dose"))}
    free = [
        n
        for n in sorted(there - told)
        if all(_differs(_grams(n, unit), one) for one in held) and _within(float(n), float(number), 10)
    ]
    for new in _drawn(free, rng):
        dose = entry.said("dose")
        changed = f"{dose[: place.start(1)]}{new}{dose[place.end(1) :]}"
        yield Changed(entry.changed("dose", changed), "other dose")


def _results(
    entry: Entry, near: Sequence[Entry], own: Listed, cohort: Sequence[Entry], rng: np.random.Generator
) -> Iterator[Changed]:
    """Another result of the cohort, of the same test or else of the same unit, that the record doesn't hold for that day."""
    value, unit = entry.said("value"), entry.said("unit")
    now = number_of(value)
    alone = all(other is entry for other in near) and not own.mentions(entry.name)
    if (other_word := _QUALITY.get(value.casefold())) and alone:
        yield Changed(entry.changed("value", other_word), "turned word")
    if now is None or own.mentions(entry.name):
        return
    alike_unit = [other for other in cohort if other.said("unit") == unit]
    same = [other for other in alike_unit if other.name.casefold() == entry.name.casefold()]
    alike_unit = [] if unit in _ANYTHING else alike_unit
    for group in (same, alike_unit):
        texts = [text for other in group if (number_of(text := other.said("value"))) is not None]
        free = [text for text in texts if _differs(float(text), now) and not _held(text, entry, near)]
        free = [text for text in free if group is same or _within(float(text), now, 5)]
        drawn = _drawn(free, rng)
        yield from (Changed(entry.changed("value", text), "value") for text in drawn)
        if drawn:
            return


def _held(text: str, entry: Entry, near: Sequence[Entry]) -> bool:
    """Whether the record may hold a value of the test: near it, on a day that may be the entry's, or in another unit."""
    for other in near:
        theirs = number_of(other.said("value"))
        apart = bool(entry.said("dated") and other.said("dated")) and not same_day(entry, other)
        if theirs is None or other.said("unit") != entry.said("unit"):
            if not apart and other is not entry:
                return True
        elif not _differs(float(text), theirs) and not apart:
            return True
    return False


def _units(entry: Entry, near: Sequence[Entry], own: Listed) -> Iterator[Changed]:
    """The same number in a unit that makes another amount of it, where no entry of the test has that unit."""
    unit, now = entry.said("unit"), number_of(entry.said("value"))
    new = _UNITS.get(unit)
    if new and now and all(other.said("unit") == unit for other in near) and not own.mentions(entry.name):
        yield Changed(entry.changed("unit", new), "other unit")


def _drawn(free: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Return a few of what may be put in place, each once."""
    each = list({one.casefold(): one for one in free}.values())
    return [each[int(i)] for i in rng.permutation(len(each))[:_EACH]]


def _grams(number: str, unit: str) -> float:
    return float(number) * _GRAMS.get(unit, 1.0)


def _within(one: float, other: float, times: float) -> bool:
    """Whether a number is plainly another, and not so far off that nobody would say it."""
    return _differs(one, other) and abs(other) / times <= abs(one) <= times * abs(other)


def _differs(one: float, other: float) -> bool:
    """Whether two numbers are plainly not the same, by more than a tenth."""
    return abs(one - other) > 0.1 * max(abs(one), abs(other))
