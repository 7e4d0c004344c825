"""Stays in hospital and dated events: "discharged on 15 January", "went home after a week", "the sample was taken on 11 April"."""

import re
from collections.abc import Iterable
from datetime import date

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.noted import tokens
from percuss.evidence.rules.support2.spoken.taking import Taking
from percuss.text.cued import Cued

__all__ = ["by_stay"]

_CUE = Cued(
    r"\b(?:admitted|admission|discharged?|went home|sent home|home|hospital|inpatient|ward|taken|collected|drawn|obtained|sent)\b"
)
_MONTHS = "january february march april may june july august september october november december".split()
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
_DAY = rf"(?:on\s)?(?:the\s)?(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m>{'|'.join(_MONTHS)})(?:\s(?P<y>\d{{4}}))?)"
_WHO = r"(?:the\s)?(?:patient|he|she|they|man|woman|child|boy|girl)"
_IN = re.compile(
    rf"^(?:{_WHO}\s(?:was\s|had\sbeen\s)?(?:admitted|came\sin|came\sinto\shospital)(?:\sto\shospital)?|admission(?:\swas)?|admitted)\s{_DAY}$"
)
_OUT = re.compile(
    rf"^(?:{_WHO}\s(?:was\s|had\sbeen\s)?(?:discharged|went\shome|sent\shome|left\shospital|let\sout)|discharge(?:\swas)?|discharged)(?:\s(?:home|from\shospital))?\s{_DAY}$"
)
_TO = re.compile(
    rf"^{_WHO}\s(?:was\s|has\sbeen\s|had\sbeen\s)?(?:discharged|sent|transferred|went)\s(?:back\s|straight\s)?(?:to\s)?(?P<to>(?:an?\s|the\s|his\s|her\s|their\s)?(?:own\s)?[a-z][a-z -]{{2,30}}?)$"
)
_LENGTH = re.compile(
    rf"\b(?:after|following|for|of|lasted|lasting|spent|stayed)\s(?:an?\s(?:hospital\s)?stay\sof\s)?(?P<n>an?|\d{{1,3}}|{'|'.join(_NUMBERS)})[\s-](?P<unit>day|night|week)s?(?:\s(?:stay|admission))?\b"
)
_TAKEN = re.compile(
    rf"^(?:the\s|a\s|his\s|her\s)?(?P<what>[a-z][a-z -]{{2,30}}?)\s(?:sample|specimen|cultures?|swab)?s?\s?(?:was|were)\s(?:taken|collected|drawn|obtained|sent)\s{_DAY}$"
)
_LEAVES = {
    "in": frozenset({"admitted", "admission_date", "admitted_on", "admission", "date_admitted"}),
    "out": frozenset({"discharged", "discharge_date", "discharged_on", "date_discharged"}),
    "to": frozenset({"destination", "discharged_to", "discharge_destination", "disposition", "discharge_to"}),
}  # fmt: skip
_COLLECTED = frozenset({"collected", "drawn", "date", "taken", "collected_at", "collection_date"})
_HOMES = {"home": "home", "own home": "home", "house": "home"}
_PLACES = (
    "nursing home", "care home", "residential home", "rehabilitation", "rehab", "hospice", "another hospital", "intensive care", "hospital", "home", "sheltered housing",
)  # fmt: skip
_LEFT = frozenset(
    "stay stayed hospital went home discharged admission length lasted total inpatient spent days".split()
)
_LONGEST = 120
_WEEK = 7


def by_stay(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of an admission, a discharge or the day of a sample stands to the fields of it; None where it says more.

    Args:
        claim: the claim's text. packet: as it was given, not brought to another shape.

    >>> held = Packet.of_layers({"stay": {"admitted": "2025-01-08", "discharged": "2025-01-15", "destination": "home"}})
    >>> by_stay("He went home after a week in hospital.", held).label, by_stay("He was discharged on 8 January 2025.", held).label
    ('supported', 'contradicted')
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    text = " ".join(claim.strip().rstrip(". ").lower().split())
    for pattern, of in ((_IN, "in"), (_OUT, "out")):
        match = pattern.match(text)
        if match is not None:
            return _on(match, _one(packet, _LEAVES[of]))
    taken = _TAKEN.match(text)
    if taken is not None:
        return _sample(taken, packet)
    return _lasted(text, packet) or _went(text, packet)


def _one(packet: Packet, leaves: Iterable[str]) -> Fact | None:
    found = [fact for fact in packet.facts if fact.leaf.lower() in leaves and isinstance(fact.value, str)]
    return found[0] if len(found) == 1 else None


def _on(match: re.Match[str], fact: Fact | None) -> Fielded | None:
    if fact is None or not re.match(r"\d{4}-\d\d-\d\d", str(fact.value)):
        return None
    return _found(_of_day(match, str(fact.value)), fact)


def _of_day(match: re.Match[str], held: str) -> bool:
    if match["iso"]:
        return held[:10] == match["iso"]
    said = f"-{_MONTHS.index(match['m']) + 1:02d}-{int(match['d']):02d}"
    return held[4:10] == said and (not match["y"] or held.startswith(match["y"]))


def _found(right: bool, fact: Fact) -> Fielded:
    reason = "as it is recorded" if right else "another one is recorded"
    return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))


def _sample(match: re.Match[str], packet: Packet) -> Fielded | None:
    """Decide the day on which a sample was taken: of all samples of that kind."""
    words = tokens(match["what"]) - {"culture", "sample"}
    heads = {
        f.path.rpartition(".")[0]
        for f in packet.facts
        if f.leaf == "specimen" and words and words <= tokens(str(f.value))
    }
    days = [
        fact for fact in packet.facts
        if fact.path.rpartition(".")[0] in heads and fact.leaf.lower() in _COLLECTED and re.match(r"\d{4}-\d\d-\d\d", str(fact.value))
    ]  # fmt: skip
    if not days or len(days) != len(heads):
        return None
    same = next((fact for fact in days if _of_day(match, str(fact.value))), None)
    return _found(same is not None, same or days[0])


def _lasted(text: str, packet: Packet) -> Fielded | None:
    """Decide the length of a stay, and where it led if that is said too."""
    taking = Taking(text)
    length = taking.take(_LENGTH)
    first, last = _one(packet, _LEAVES["in"]), _one(packet, _LEAVES["out"])
    if length is None or first is None or last is None or not taking.done(_LEFT):
        return None
    said = length["n"]
    count = 1 if said in {"a", "an"} else int(said) if said.isdigit() else _NUMBERS.index(said)
    held = (date.fromisoformat(str(last.value)[:10]) - date.fromisoformat(str(first.value)[:10])).days
    days = count * (_WEEK if length["unit"] == "week" else 1)
    if length["unit"] == "week" and 0 < abs(held - days) <= 1:
        return None
    if length["unit"] == "day" and held + 1 == days:
        return None  # the first day may be counted too
    to = _one(packet, _LEAVES["to"])
    if "home" in text and (to is None or str(to.value).strip().lower() not in _HOMES):
        return None
    return _found(held == days, last)


def _went(text: str, packet: Packet) -> Fielded | None:
    """Decide where somebody was discharged to."""
    match, fact = _TO.match(text), _one(packet, _LEAVES["to"])
    if match is None or fact is None:
        return None
    said = re.sub(r"^(?:an?|the|his|her|their)\s", "", match["to"])
    said = _HOMES.get(said, said)
    held = str(fact.value).strip().lower()
    held = _HOMES.get(held, held)
    if said == held:
        return _found(True, fact)
    return _found(False, fact) if said in _PLACES and held in _PLACES else None
