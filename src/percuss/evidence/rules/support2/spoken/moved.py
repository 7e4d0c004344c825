"""How far and which way a value went: "lost 3.5 kg between 1 and 15 April", "creatinine has improved", "potassium had normalised by 15 April"."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.courses import Point, series_of
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.concepts import concept, mentions
from percuss.text.concepts.table import analyte_of
from percuss.text.cued import Cued
from percuss.text.numbers import in_unit, numbers

__all__ = ["by_move"]

_CUE = Cued(
    r"\b(?:lost|gained|put on|shed|by|dropped|rose|fell|improved|improving|better|worse|worsened|worsening|deteriorated|recovered|normalised|normalized|settled|corrected|normal)\b"
)
_MONTHS = "january february march april may june july august september october november december".split()
_M = "|".join(_MONTHS)
_WHEN = (
    rf"(?P<when>(?:\s(?:between|from)\s(?P<d1>\d{{1,2}})(?:\s(?P<m0>{_M}))?\s(?:and|to)\s(?P<d2>\d{{1,2}})\s(?P<m1>{_M})(?:\s(?P<y1>\d{{4}}))?)"
    rf"|\s(?:between|from)\s(?P<i1>\d{{4}}-\d\d-\d\d)\s(?:and|to)\s(?P<i2>\d{{4}}-\d\d-\d\d)"
    rf"|\sby\s(?P<part>mid-?|early\s|late\s|the\send\sof\s)?(?:(?P<d3>\d{{1,2}})\s)?(?P<m3>{_M})(?:\s\d{{4}})?|\ssince\s(?:(?P<d4>\d{{1,2}})\s)?(?P<m4>{_M})(?:\s\d{{4}})?"
    rf"|\s(?:in|during|over)\s(?P<half>the\s(?:first|second)\shalf\sof\s)?(?P<m5>{_M})(?:\s\d{{4}})?|\sover\s(?:the\s)?(?:time|period|stay|admission|course)|\sat\seach\scheck(?:\sin\s(?P<m6>{_M}))?)?"
)
_LED = r"(?:(?:the|his|her|their|a|patient['’]s|serum|plasma)\s)*(?P<head>[a-z][a-z0-9 -]{1,40}?)\s(?:has\s|had\s|have\s|was\s|is\s|were\s)?(?:since\s|then\s|steadily\s|gradually\s|now\s)?"
_UP, _DOWN = (
    r"(?:rose|risen|increased|climbed|went\sup|gone\sup|grew|is\sup|was\sup|up)",
    r"(?:fell|fallen|dropped|decreased|declined|went\sdown|come\sdown|came\sdown|is\sdown|was\sdown|down)",
)
_BY = re.compile(rf"^{_LED}(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\sby\s(?P<by>[^,;]+?){_WHEN}$")
_WEIGHT = re.compile(
    rf"^(?:the\s)?(?:patient|he|she|they)\s(?:has\s|had\s)?(?:(?P<up>gained|put\son)|(?P<down>lost|shed))\s(?P<by>(?:about\s|around\s)?\d+(?:\.\d+)?\s?(?:kg|kilograms|kilos))(?:\sof\sweight|\sin\sweight)?{_WHEN}$"
)
_BETTER = re.compile(
    rf"^{_LED}(?:(?P<good>improved|improving|better|recovered|recovering|got\sbetter)|(?P<bad>worsened|worsening|worse|deteriorated|deteriorating|got\sworse)){_WHEN}$"
)
_NORMAL = re.compile(
    rf"^{_LED}(?:normalised|normalized|returned\sto\snormal|come\sback\sto\snormal|back\sto\snormal|settled\sto\snormal|corrected){_WHEN}$"
)
_LOWER = frozenset(
    {"creatinine", "urea", "urea nitrogen", "C-reactive protein", "procalcitonin", "lactate", "troponin I", "troponin T", "NT-proBNP", "B-type natriuretic peptide", "total bilirubin", "troponin",
     "alanine aminotransferase", "aspartate aminotransferase", "haemoglobin A1c", "low-density lipoprotein cholesterol", "lipase", "amylase", "D-dimer",
     "erythrocyte sedimentation rate", "partial pressure of carbon dioxide", "creatine kinase"}
)  # fmt: skip
"""What is better when it is less, wherever it is too high."""
_HIGHER = frozenset(
    {"glomerular filtration rate", "left ventricular ejection fraction", "forced expiratory volume in 1 second", "haemoglobin", "platelet count", "oxygen saturation", "partial pressure of oxygen", "albumin"}
)  # fmt: skip
_FUNCTIONS = {
    "renal function": ("creatinine", "glomerular filtration rate"), "kidney function": ("creatinine", "glomerular filtration rate"),
    "ejection fraction": ("left ventricular ejection fraction",), "inflammatory markers": ("C-reactive protein",), "anaemia": ("haemoglobin",), "anemia": ("haemoglobin",),
}  # fmt: skip
_LONGEST = 140


def by_move(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of a change stands to the series of its value; None where it says more, or the series can't tell.

    Args:
        claim: the claim's text. packet: the full packet of the case, in the shape that rules read.
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    text = " ".join(claim.strip().rstrip(". ").lower().split())
    for pattern, decide in ((_WEIGHT, _moved_by), (_BY, _moved_by), (_NORMAL, _normal), (_BETTER, _better)):
        match = pattern.match(text)
        if match is None:
            continue
        attribute, points = _points(match.groupdict().get("head") or "weight", packet)
        within = _within(match, points)
        if within is None or len(within) < 2:
            continue
        right = decide(match, attribute, within)
        if right is None:
            return None
        shown = " → ".join(f"{point.fact.value}" for point in within)
        reason = "the change that is recorded" if right else "another change is recorded"
        return Fielded("supported" if right else "contradicted", reason, within[-1].fact.path, shown)
    return None


def _points(head: str, packet: Packet) -> tuple[str, Sequence[Point]]:
    """Return what a head names, and its values from the first to the last."""
    head = head.strip()
    for name in _FUNCTIONS.get(head, ()):
        points = series_of(name, packet)
        if points:
            return name, points
    named = list(mentions(head))
    if head == "weight":
        return "weight", series_of("weight", packet)
    if len(named) != 1 or named[0].stop - named[0].start < len(head) - len(" level count"):
        return "", ()
    return named[0].concept, series_of(named[0].concept, packet)


def _within(match: re.Match[str], points: Sequence[Point]) -> Sequence[Point] | None:
    """Return the values between the days that a claim names; None where these aren't days of values."""
    said = match.groupdict()
    if not said["when"]:
        return points
    if not all(point.date for point in points):
        return None
    if said["d1"] or said["i1"]:
        ends = (
            (said["i1"], said["i2"])
            if said["i1"]
            else (_day(said["d1"], said["m0"] or said["m1"]), _day(said["d2"], said["m1"]))
        )
        at = [[n for n, point in enumerate(points) if point.date.endswith(end)] for end in ends]
        return points[at[0][0] : at[1][0] + 1] if all(len(each) == 1 for each in at) else None
    if said["m3"]:
        return _until(said, points)
    if said["m4"]:
        since = _day(said["d4"], said["m4"]) if said["d4"] else f"-{_MONTHS.index(said['m4']) + 1:02d}-"
        first = [n for n, point in enumerate(points) if since in point.date]
        return points[first[0] :] if first else None
    month = said["m5"] or said["m6"]
    if month:
        number = f"-{_MONTHS.index(month) + 1:02d}-"
        return points if all(number in point.date for point in points) else None
    return points


def _until(said: dict[str, str | None], points: Sequence[Point]) -> Sequence[Point]:
    """Return the values up to a day, or to the end of a part of a month."""
    last = {"m": "15", "e": "10", "l": "31", "t": "31"}.get((said["part"] or "l")[0], "31")
    month = f"{_MONTHS.index(said['m3'] or 'january') + 1:02d}"
    until = f"{month}-{int(said['d3'] or last):02d}"
    return [point for point in points if point.date[5:] <= until]


def _day(day: str | None, month: str | None) -> str:
    return f"-{_MONTHS.index(month or 'january') + 1:02d}-{int(day or 0):02d}"


def _moved_by(match: re.Match[str], _: str, points: Sequence[Point]) -> bool | None:
    """Decide by how much a value went up or down."""
    found = numbers(match["by"])
    if len(found) != 1 or found[0].kind != "quantity" or found[0].value is None or found[0].comparator:
        return None
    one, first, last = found[0], points[0], points[-1]
    change = last.value - first.value
    if not change or bool(match["up"]) != (change > 0):
        return False
    if one.unit == "%" and first.fact.unit != "%":
        if not first.value:
            return None
        change = change / first.value * 100
        near = Decimal(1)
    else:
        held = numbers(f"1 {last.fact.unit}") if last.fact.unit else ()
        if one.unit and held and one.unit != held[0].unit:
            return None
        near = Decimal("0.5").scaleb(-one.decimals)
    same = abs(abs(change) - (one.value or 0)) <= near and (near < 1 or abs(change) > near)
    if one.comparator or "about" in match["by"] or "around" in match["by"]:
        return True if same else None
    return same


def _better(match: re.Match[str], attribute: str, points: Sequence[Point]) -> bool | None:
    """Decide whether a value that has a good way went it, all along."""
    way = -1 if attribute in _LOWER else 1 if attribute in _HIGHER else 0
    steps = [after.value - before.value for before, after in pairwise(points)]
    if not way or not steps or any(step == 0 for step in steps):
        return None
    ways = {(1 if step > 0 else -1) * way for step in steps}
    if len(ways) > 1:
        return None
    return (ways.pop() > 0) == (match["good"] is not None)


def _normal(_: re.Match[str], attribute: str, points: Sequence[Point]) -> bool | None:
    """Decide whether a value that was out of its usual range came back to it."""
    usual = _range(attribute, points[-1].fact.unit)
    if usual is None:
        return None
    low, high = usual
    inside = [low <= point.value <= high for point in points]
    if inside[0]:
        return None
    return inside[-1]


def _range(attribute: str, unit: str) -> tuple[Decimal, Decimal] | None:
    """Return the usual range of what is measured, in the unit of its values; None where the table has none."""
    known = concept(attribute)
    if known is None or known.range is None:
        return None
    written = numbers(f"1 {unit}") if unit else ()
    if not written:
        return None
    ends = [
        in_unit(Decimal(str(end)), known.unit, written[0].unit, analyte_of(attribute)) for end in known.range
    ]
    return (ends[0], ends[1]) if ends[0] is not None and ends[1] is not None else None
