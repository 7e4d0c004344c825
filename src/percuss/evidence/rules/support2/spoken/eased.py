"""Degrees on several days: "the hydronephrosis has progressed since February", "eased from moderate to mild by 4 March"."""

import re
from collections.abc import Sequence

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.noted import GRADES, Noted, concepts_in, grade_of, noted, tokens
from percuss.text.cued import Cued

__all__ = ["by_easing"]

_UP = "progressed|worsened|increased|advanced|got worse|become worse|grown|grew|enlarged"
_DOWN = (
    "eased|improved|lessened|decreased|reduced|settled|regressed|shrunk|shrank|got better|diminished|subsided"
)
_CUE = Cued(rf"\b(?:{_UP}|{_DOWN}|went|gone|changed|unchanged|stable)\b")
_MONTHS = "january february march april may june july august september october november december".split()
_GRADE = rf"(?:{'|'.join(GRADES)})"
_WHEN = rf"(?:\s(?:by|since|between|from)\s(?:the\s)?(?:\d{{1,2}}\s)?(?P<m>{'|'.join(_MONTHS)})?(?P<y>\s?\d{{4}})?(?:\sand\s(?:\d{{1,2}}\s)?(?:{'|'.join(_MONTHS)})?(?:\s?\d{{4}})?)?|\son\s(?:repeat|follow-up|the\slatest)\s[a-z]+|\sover\stime)?"
_HEAD = r"^(?:the\s|his\s|her\s)?(?P<side>left\s|right\s)?(?P<head>[a-z][a-z -]{3,40}?)(?:\son\sthe\s(?P<where>left|right))?\s(?:has\s|had\s|was\s|is\s|have\s)?(?:since\s|clearly\s)?"
_FROM = re.compile(
    rf"{_HEAD}(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?:went|gone|changed))\sfrom\s(?P<a>{_GRADE})\sto\s(?P<b>{_GRADE}){_WHEN}$"
)
_WAY = re.compile(rf"{_HEAD}(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<same>unchanged|stable)){_WHEN}$")
_LONGEST = 120


def by_easing(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of a change of degree stands to the degrees noted; None where it says more, or they can't tell.

    Args:
        claim: the claim's text. packet: as it was given, not brought to another shape.

    >>> held = Packet.of_layers({"echo": [{"date": "2023-01-01", "aortic_stenosis": "mild"}, {"date": "2025-01-01", "aortic_stenosis": "severe"}]})
    >>> by_easing("The aortic stenosis has improved.", held).label
    'contradicted'
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    text = " ".join(claim.strip().rstrip(". ").lower().split())
    for pattern in (_FROM, _WAY):
        match = pattern.match(text)
        if match is None:
            continue
        side = (match["side"] or match["where"] or "").strip()
        course = _course(match["head"], side, noted(packet))
        ends = _ends(course, match["m"], match["y"])
        right = _decided(match, *ends) if ends is not None else None
        if right is None or ends is None:
            return None
        reason = "the degrees that are recorded" if right else "other degrees are recorded"
        shown = f"{ends[0].fact.value}, {ends[1].fact.value}"
        return Fielded("supported" if right else "contradicted", reason, ends[1].fact.path, shown)
    return None


def _course(head: str, side: str, every: Sequence[Noted]) -> list[Noted]:
    """Return the degrees of one thing from the first day to the last; none where two are of one day, or a day is missing."""
    words, names = tokens(head), {name for name, _ in concepts_in(head)}
    found = [
        each for each in every
        if each.grade is not None and (words == each.words or names & each.concepts) and (not side or each.side == side)
    ]  # fmt: skip
    days = [each.date for each in found]
    if not all(days) or len(set(days)) < len(days) or len({each.side for each in found}) > 1:
        return []
    return sorted(found, key=lambda each: each.date)


def _ends(course: Sequence[Noted], month: str | None, year: str | None) -> tuple[Noted, Noted] | None:
    if len(course) < 2:
        return None
    if month:
        number = f"-{_MONTHS.index(month) + 1:02d}"
        if not any(each.date[4:].startswith(number) for each in (course[0], course[-1])):
            return None
    if year and not any(each.date.startswith(year.strip()) for each in (course[0], course[-1])):
        return None
    return course[0], course[-1]


def _decided(match: re.Match[str], first: Noted, last: Noted) -> bool | None:
    if first.grade is None or last.grade is None:
        return None
    moved = (last.grade > first.grade) - (last.grade < first.grade)
    said = match.groupdict()
    if said.get("a"):
        same = grade_of(said["a"]) == first.grade and grade_of(said["b"]) == last.grade
        ways = {1: said["down"], -1: said["up"], 0: True}[moved]
        return bool(same and not ways)
    if said.get("same"):
        return moved == 0
    return (moved > 0) if said["up"] else (moved < 0)
