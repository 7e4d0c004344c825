"""Smoking and drinking in plain words ("never took up cigarettes", "drinks 28 units a week"), held against the fields of them."""

import re
from collections.abc import Mapping
from decimal import Decimal

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.taking import Taking
from percuss.text.cued import Cued

__all__ = ["by_habit"]

_CUE = Cued(
    r"smok|cigarette|tobacco|pack-?\s?year|\bunits?\b|alcohol|teetotal|\bdrinks?\b|\bdrinking\b|\bnicotine\b"
)
_THING = r"(?:smoking|cigarettes|tobacco|smokes|the\shabit)"
_STATES = (
    ("never", re.compile(rf"(?:has\s|had\s|have\s)?never\s(?:(?:once\s)?smoked(?:\s(?:at\sall|tobacco|a\scigarette|cigarettes))?|taken\sup\s{_THING}|took\sup\s{_THING}|touched\s(?:a\scigarette|{_THING})|used\stobacco|been\sa\ssmoker)|\b(?:lifelong|life-long)\snon-?smoker|\bnever-?\s?smoker|\bnot\sa\ssingle\scigarette(?:\sin\s(?:his|her|their)\s(?:whole\s)?life)?")),
    ("former", re.compile(rf"(?:has\s|had\s)?(?:given\sup|gave\sup|quit|quitted|stopped|packed\sin|kicked|come\soff|came\soff)\s{_THING}|\bgave\s{_THING}\sup|\b(?:quit|stopped)\b(?=\s(?:in\s\d|after)|$)|\b(?:an?\s)?(?:ex|former|past|previous)[-\s]smoker|used\sto\ssmoke|no\slonger\ssmok(?:es|ing|e)|is\soff\s(?:the\s)?cigarettes")),
    ("current", re.compile(r"\b(?:still\s|currently\s|continues\sto\s|carries\son\s)(?:smok(?:es|e|ing)|a\ssmoker)|\b(?:is\s)?(?:an?\s)?(?:current|active|ongoing|regular)\ssmoker|(?<!never\s)(?<!ever\s)(?<!longer\s)\bsmokes\b|\bis\s(?:still\s)?smoking|\bhas\snot\s(?:given\sup|quit|stopped)\ssmoking")),
)  # fmt: skip
_PACKS = re.compile(r"(?P<n>\d+(?:\.\d+)?)[\s-]*pack[\s-]*years?(?:\s(?:so\sfar|in\sall|in\stotal|history))?")
_YEAR = re.compile(r"\b(?:in|since)\s(?P<y>(?:19|20)\d\d)\b")
_UNITS = re.compile(
    r"\b(?:(?:drinks|drinking|drank|takes|consumes|has|alcohol(?:\sintake)?(?:\sis|\sof|:)?)\s)(?P<rough>about\s|around\s|roughly\s|some\s|approximately\s|nearly\s)?(?P<n>\d+(?:\.\d+)?)\sunits(?:\sof\salcohol)?\s(?:a|per|each|every|/)\s?week"
)
_DRY = re.compile(
    r"\b(?:is\s|was\s)?(?:an?\s)?teetotal(?:ler)?\b|\b(?:does\snot|doesn['’]t|never)\s(?:drinks?|touch(?:es)?)(?:\s(?:any\s)?alcohol)?\b|\bdrinks\sno\salcohol\b|\bno\salcohol\b"
)
_HELD = {
    "never": "never", "never smoker": "never", "never smoked": "never", "non-smoker": "never", "lifelong non-smoker": "never",
    "former": "former", "ex": "former", "ex-smoker": "former", "quit": "former", "former smoker": "former", "past": "former",
    "current": "current", "current smoker": "current", "active": "current", "smoker": "current", "yes": "current", "daily": "current",
}  # fmt: skip
_LEFT = frozenset(
    "after history smoker smoking tobacco cigarettes cigarette and still years consumption".split()
)
_LONGEST = 140


def by_habit(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of smoking or drinking stands to the fields of it; None where it says more, or they can't tell.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> by_habit("She has given up cigarettes.", Packet.of_layers({"social": {"smoking": "current"}})).label
    'contradicted'
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    taking = Taking(claim)
    state = next((name for name, pattern in _STATES if taking.take(pattern) is not None), "")
    packs, year, units, dry = (taking.take(each) for each in (_PACKS, _YEAR, _UNITS, _DRY))
    if not taking.done(_LEFT) or not (state or packs or units or dry) or (year and state != "former"):
        return None
    held = {fact.leaf.lower(): fact for fact in packet.facts}
    found = [
        *_smoked(state, held),
        *_number(packs["n"] if packs else "", _leaf(held, "pack_years"), near=False),
        *_number(year["y"] if year else "", _leaf(held, "quit_year"), near=False),
        *_number(units["n"] if units else "", _leaf(held, "alcohol_units_per_week"), near=bool(units and units["rough"])),
        *_dry(dry is not None, held),
    ]  # fmt: skip
    if not found or any(right is None for right, _ in found):
        return None
    right, fact = next(((right, fact) for right, fact in found if not right), found[0])
    if fact is None:
        return None
    reason = "the habit that is recorded" if right else "another habit is recorded"
    return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))


def _leaf(held: Mapping[str, Fact], name: str) -> Fact | None:
    return held.get(name) or next((fact for leaf, fact in held.items() if leaf.endswith(name)), None)


def _smoked(state: str, held: Mapping[str, Fact]) -> list[tuple[bool | None, Fact | None]]:
    if not state:
        return []
    facts = [f for leaf, f in held.items() if re.search(r"smok|tobacco", leaf) and isinstance(f.value, str)]
    known = _HELD.get(str(facts[0].value).strip().lower()) if len(facts) == 1 else None
    return [(None, None)] if known is None else [(known == state, facts[0])]


def _number(said: str, fact: Fact | None, *, near: bool) -> list[tuple[bool | None, Fact | None]]:
    if not said:
        return []
    if fact is None or isinstance(fact.value, bool) or not isinstance(fact.value, int | float):
        return [(None, None)]
    value, held = Decimal(said), Decimal(str(fact.value))
    if near and value != held:
        return [(None, None)] if abs(value - held) <= held / 5 else [(False, fact)]
    return [(value == held, fact)]


def _dry(said: bool, held: Mapping[str, Fact]) -> list[tuple[bool | None, Fact | None]]:
    if not said:
        return []
    facts = [fact for leaf, fact in held.items() if "alcohol" in leaf]
    if len(facts) != 1:
        return [(None, None)]
    value = facts[0].value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [(value == 0, facts[0])]
    return (
        [(True, facts[0])]
        if str(value).strip().lower() in {"none", "nil", "no", "teetotal", "never"}
        else [(None, None)]
    )
