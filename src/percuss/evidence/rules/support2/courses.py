"""Values on several days: the latest of them, and what a claim says of their course ("fell from 212 to 88", "peaked at 141")."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.days import DAYS, MONTHS, day_of
from percuss.evidence.rules.support2.fielded import Fielded, unit_left_open
from percuss.text.concepts import attribute_of, mentions
from percuss.text.cued import Cued
from percuss.text.number_words import COUNTS
from percuss.text.numbers import Number, compare_quantities, numbers

__all__ = ["Point", "by_course", "of_one_day", "on_day", "series_of"]

_LATEST = re.compile(r"\b(?:latest|most\srecent|last|newest|current)\s(?=[a-zA-Z])", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|initial|baseline|earliest|presenting)\s(?=[a-zA-Z])", re.IGNORECASE)
_OCCASION = re.compile(
    r"\s(?:on|at|in)\s(?:the|his|her|their)\s(?:(?P<last>latest|most\srecent|last|newest)|(?P<first>first|initial|earliest|baseline))\s(?:measurement|reading|check|sample|test|value|result|occasion|visit|blood\stest)\b",
    re.IGNORECASE,
)
_WHICH = Cued(r"\b(?:latest|recent|last|newest|current|first|initial|baseline|earliest|presenting)\b")
_UP = r"(?:rose|risen|increased|climbed|went\sup|gone\sup|is\sup|was\sup|come\sup|came\sup|grew|grown)"
_DOWN = r"(?:fell|fallen|decreased|dropped|declined|went\sdown|gone\sdown|is\sdown|was\sdown|come\sdown|came\sdown)"
_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+)"
_WHEN = rf"(?P<when>\sover\s(?:the\s|this\s)?(?:\w+\s)?(?:time|admission|stay|period)|\sbetween\s[^,;]+?|\s(?:over|during|within|in)\s(?:(?:about|the|this|less\sthan|under)\s)*(?:last\s|past\s)?(?:{_COUNT}\s)?(?:days?|weeks?|months?|years?)|\sduring\sthe\s(?:stay|admission)|\ssince\s(?:the\s)?(?:admission|baseline|first\s\w+))?"
_HEAD = r"(?:(?:the|his|her|their|a|patient['’]s|serum|plasma)\s)*(?P<head>[A-Za-z][A-Za-z0-9 -]{1,40}?)(?:\s(?:has|had|have))?(?:\s(?:since|then|also|steadily|gradually|sharply|slightly|markedly))?"
_ENDS = re.compile(
    rf"^{_HEAD}\s(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<any>went|changed|moved|improved|worsened|recovered|settled|corrected|normalised|come|came|gone))\sfrom\s(?P<first>[^,;]+?)\sto\s(?P<last>[^,;]+?){_WHEN}$",
    re.IGNORECASE,
)
_WAY = re.compile(rf"^{_HEAD}\s(?:(?P<up>{_UP})|(?P<down>{_DOWN})){_WHEN}$", re.IGNORECASE)
_PEAK = re.compile(rf"^{_HEAD}\s(?:(?P<up>peaked\sat|reached\sa\s(?:peak|maximum)\sof|was\shighest\sat)|(?P<down>was\slowest\sat|reached\sa\s(?:nadir|minimum)\sof|bottomed\sout\sat))\s(?P<value>[^,;]+?)(?:\son\s(?P<date>[^,;]+))?$", re.IGNORECASE)  # fmt: skip
_PEAKED = re.compile(
    rf"^{_HEAD}\s(?:(?P<up>peaked|was\shighest)|(?P<down>was\slowest|bottomed\sout))\son\s(?P<date>[^,;]+)$",
    re.IGNORECASE,
)
_CUE = Cued(
    rf"\b(?:{_UP}|{_DOWN}|went|changed|moved|improved|worsened|recovered|settled|corrected|normalised|eased|come|came|gone|peaked|reached|highest|lowest|bottomed)\b"
)
_LASTED = re.compile(rf"(?P<how>over|during|within|in|than|under)\s(?:(?:about|the|this|less\sthan|under)\s)*(?:last\s|past\s)?(?:(?P<count>{_COUNT})\s)?(?P<unit>day|week|month|year)s?$", re.IGNORECASE)  # fmt: skip
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b", re.IGNORECASE)
_COUNTED = {"a": 1, "an": 1} | COUNTS
_SHARE = 0.34
"""Share of a told time by which the recorded one may differ."""
_BEFORE = re.compile(r"^(?:previous|prior|earlier|baseline|old)_", re.IGNORECASE)
_DAY_SAID = re.compile(r"\d\d-\d\d$")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LONGEST = 160


class Point(NamedTuple):
    """One value of a series: its fact and its day ("" = of a pair "previous", "now")."""

    fact: Fact
    date: str
    value: Decimal


def of_one_day(claim: str, packet: Packet) -> tuple[str, Packet] | None:
    """Return a claim of the latest or the first value of something without that word, and the packet with that value alone; None for any other claim.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if not packet.facts or not _WHICH.search(claim):
        return None
    told = _OCCASION.search(claim)
    if told is not None:
        return _occasion(claim, told, packet)
    for pattern, at in ((_LATEST, -1), (_FIRST, 0)):
        match = pattern.search(claim)
        if match is None or pattern.search(claim, match.end()):
            continue
        named = [m for m in mentions(claim) if m.start >= match.end()]
        points = series_of(named[0].concept, packet) if named else ()
        if len(points) < 2 or claim[match.end() : named[0].start].strip(" ") not in {
            "",
            "measured",
            "serum",
            "plasma",
        }:
            continue
        dropped = {point.fact for n, point in enumerate(points) if n != at % len(points)}
        kept = tuple(fact for fact in packet.facts if fact not in dropped)
        return claim[: match.start()] + claim[match.end() :], msgspec.structs.replace(packet, facts=kept)
    return None


def _occasion(claim: str, told: re.Match[str], packet: Packet) -> tuple[str, Packet] | None:
    """Return a claim "on the most recent measurement" without that, and the packet with that value alone of what it speaks of."""
    rest = claim[: told.start()] + claim[told.end() :]
    series = [points for named in mentions(rest) if len(points := series_of(named.concept, packet)) > 1]
    if len(series) != 1:
        return None
    kept_point = series[0][0 if told["first"] else -1]
    dropped = {point.fact for point in series[0] if point is not kept_point}
    kept = tuple(fact for fact in packet.facts if fact not in dropped)
    return rest, msgspec.structs.replace(packet, facts=kept)


def on_day(claim: str, packet: Packet) -> tuple[str, Packet] | None:
    """Return a claim of one day without that day, and the packet as it was on it; None where the packet has nothing of that day that it speaks of.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    day = day_of(claim)
    if day is None:
        return None
    kept = tuple(fact for fact in packet.facts if not fact.date or day.of(fact.date))
    held = {attribute_of(fact.path) or "" for fact in kept if fact.date}
    if "systolic blood pressure" in held:
        held.add("blood pressure")
    if len(kept) == len(packet.facts) or not any(m.concept in held for m in mentions(day.claim)):
        return None
    return day.claim, msgspec.structs.replace(packet, facts=kept)


def by_course(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of the course of one value stands to its series; None where it says more, or the series can't tell.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    text = claim.strip().rstrip(". ")
    for pattern, decide in ((_ENDS, _ends), (_PEAK, _peak), (_PEAKED, _peaked), (_WAY, _way)):
        match = pattern.match(text)
        points = _points(match["head"], packet) if match is not None else ()
        if match is None or len(points) < 2:
            continue
        right = decide(match, points)
        if right is None:
            return None
        shown = " → ".join(f"{point.fact.value}" for point in points)
        reason = "the course that is recorded" if right else "another course is recorded"
        return Fielded("supported" if right else "contradicted", reason, points[-1].fact.path, shown)
    return None


def _points(head: str, packet: Packet) -> Sequence[Point]:
    named = mentions(head)
    if len(named) != 1 or named[0].stop - named[0].start < len(head.strip()) - len(" level count"):
        return ()
    return series_of(named[0].concept, packet)


@lru_cache(maxsize=2048)
def series_of(attribute: str, packet: Packet) -> tuple[Point, ...]:
    """Return the values of one attribute from the first to the last; () where their order, or one of them, isn't sure."""
    before: list[Point] = []
    found: list[Point] = []
    for fact in packet.facts:
        number = isinstance(fact.value, int | float) and not isinstance(fact.value, bool)
        name = fact.leaf
        if _BEFORE.match(name) and attribute_of(f"x.{_BEFORE.sub('', name)}") == attribute and number:
            before.append(Point(fact, "", Decimal(str(fact.value))))
        elif attribute_of(fact.path) == attribute:
            if not number:
                return ()
            found.append(Point(fact, fact.date, Decimal(str(fact.value))))
    if len(before) == 1 and len(found) == 1:
        return before[0], found[0]
    days = [point.date for point in found]
    if (
        before
        or not all(map(_DAY.match, days))
        or len(set(days)) < len(days)
        or len({p.fact.unit for p in found}) > 1
    ):
        return ()
    return tuple(sorted(found, key=lambda point: point.date))


def _is(said: str, point: Point) -> bool | None:
    """Tell whether a value that a claim says is that of a point; None where it isn't one plain value."""
    found = [n for n in numbers(said) if n.kind == "quantity"]
    if len(found) != 1 or found[0].value is None or found[0].comparator:
        return None
    one: Number = found[0]
    if one.unit and point.fact.unit and one.unit != "%":
        known = numbers(f"{point.fact.value} {point.fact.unit}")
        same = compare_quantities(one, known[0]) if len(known) == 1 else ""
        return True if same in {"equal", "within"} else False if same == "different" else None
    if one.value == point.value:
        return True
    return None if unit_left_open(one, point.fact) else False


def _ends(match: re.Match[str], points: Sequence[Point]) -> bool | None:
    first = [_is(match["first"], point) for point in points]
    last = [_is(match["last"], point) for point in points]
    if None in first or None in last:
        return None
    starts, stops = ([n for n, same in enumerate(each) if same] for each in (first, last))
    if not starts or not stops:
        return False
    if starts[0] >= stops[-1]:
        return False
    change = points[stops[-1]].value - points[starts[0]].value
    in_time = _in_time(match, points[starts[0]], points[stops[-1]])
    if match["any"]:
        return in_time if match["any"].lower() in {"went", "changed", "moved"} else None
    return in_time if (change > 0 if match["up"] else change < 0) else False


def _way(match: re.Match[str], points: Sequence[Point]) -> bool | None:
    steps = [after.value - before.value for before, after in pairwise(points)]
    if not (all(step > 0 for step in steps) or all(step < 0 for step in steps)):
        return None
    right = bool(match["up"]) == (steps[0] > 0)
    return _in_time(match, points[0], points[-1]) if right else False


def _in_time(match: re.Match[str], first: Point, last: Point) -> bool | None:
    """Tell whether a change took the time that a claim tells; True where it tells none, None where the days can't say."""
    told = (match["when"] or "").strip()
    lasted = _LASTED.search(told)
    if lasted is None:
        return _between(told, first, last) if told.startswith("between") else True
    if not first.date or not last.date:
        return None
    days = (date.fromisoformat(last.date[:10]) - date.fromisoformat(first.date[:10])).days
    count = lasted["count"] or "one"
    said = (int(count) if count.isdigit() else _COUNTED[count.lower()]) * DAYS[lasted["unit"].lower()]
    if lasted["how"].lower() in {"within", "than", "under"} or "less than" in told or "under" in told:
        return days <= said
    if abs(days - said) <= max(said * _SHARE, 0.5):
        return True
    if lasted["count"] is None:
        return None
    return False if not said / 2 <= days <= said * 2 else None


def _between(told: str, first: Point, last: Point) -> bool | None:
    """Tell whether "between March and September" names the months of the first and the last value; None where it doesn't."""
    months = [MONTHS.index(month.lower()) + 1 for month in _MONTH.findall(told)]
    held = [int(point.date[5:7]) for point in (first, last) if point.date]
    return True if len(months) == 2 and months == held else None


def _peak(match: re.Match[str], points: Sequence[Point]) -> bool | None:
    end = (max if match["up"] else min)(points, key=lambda point: point.value)
    same = _is(match["value"], end)
    return _peaked(match, points) if same and match["date"] else same


def _peaked(match: re.Match[str], points: Sequence[Point]) -> bool | None:
    """Tell whether the highest or lowest value is of the day that is said; None where two are alike or the day isn't plain."""
    end = (max if match["up"] else min)(points, key=lambda point: point.value)
    if sum(point.value == end.value for point in points) > 1:
        return None
    dated = [n.date for n in numbers(match["date"]) if n.kind == "date" and n.date]
    if len(dated) != 1:
        return None
    said = dated[0].lstrip("-")
    return end.date.endswith(said) if _DAY_SAID.search(said) else None
