"""Receptors of a breast tumour in words ("ER-positive", "triple-negative", "HER2 1+"), held against the fields that hold their shares and scores."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal, NamedTuple

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.spoken.taking import Taking
from percuss.text.cued import Cued

__all__ = ["by_receptors"]

_CUE = Cued(r"\b(?:er|pr|pgr|her-?2|receptor|triple)\b")
_NAMES = {
    "er": re.compile(r"^(?:er|o?estrogen_receptors?)(?:_|$)", re.IGNORECASE),
    "pr": re.compile(r"^(?:pr|pgr|progesterone_receptors?)(?:_|$)", re.IGNORECASE),
    "her2": re.compile(r"^her_?2(?:_?neu)?(?:_|$)", re.IGNORECASE),
}
_AMPLIFIED = re.compile(r"_(?:ish|fish|cish|sish)$", re.IGNORECASE)
_ALLRED = re.compile(r"allred", re.IGNORECASE)
_NO = re.compile(r"^(?:negative|neg|not\s(?:amplified|expressed|overexpressed)|absent|0)\b", re.IGNORECASE)
_YES = re.compile(r"^(?:positive|pos|amplified|overexpressed|strongly\spositive)\b", re.IGNORECASE)
_UNDONE = re.compile(
    r"^(?:not\s(?:done|tested|performed|available)|unknown|pending|n/?a)\b|^$", re.IGNORECASE
)
_EQUIVOCAL = 2
_LOW = Decimal(10)
"""Share of stained cells, in percent, up to which a positive receptor is called low (ASCO/CAP 2020)."""
_ALLRED_POSITIVE = 3
_WHICH = r"(?P<which>(?:o?estrogen|progesterone)(?:\sreceptors?)?|er|pr|pgr|her-?2|hormone\sreceptors?|hr)"
_STATE = rf"\b{_WHICH}(?:\s(?:status|expression|receptors?|tumou?r))?(?:\s(?:is|was|are)|:)?[\s-](?:(?P<yes>positive)|(?P<no>negative)|(?P<low>low(?:\spositive)?))\b"
_STATES = re.compile(_STATE)
_TRIPLE = re.compile(r"\btriple[\s-]negative\b(?:\s(?:breast\s)?(?:cancer|carcinoma|tumou?r|disease))?")
_SHARE = re.compile(
    rf"\b{_WHICH}(?:\s(?:status|expression|receptors?))?(?:\s(?:is|was|of|at|in|:))?:?\s(?:only\s|about\s)?(?P<share>\d{{1,3}})\s?%(?:\sof\s(?:the\s)?(?:tumou?r\s)?cells)?"
)
_SCORE = re.compile(
    r"\bher-?2(?:\s(?:ihc|status|is|was|score|expression|by|of|immunohistochemistry))*:?\s(?P<score>[0-3])\+?(?=\W|$)"
)
_SIDE = re.compile(r"\b(?:of|in)\s(?:the|her|his)\s(?P<side>left|right)\sbreast\b")
_LEFT = frozenset(
    "cancer carcinoma tumour tumor disease breast invasive cells only but and both primary lesion".split()
)
_LONGEST = 140
_KEYS = {"e": "er", "o": "er", "p": "pr", "h": "her2"}


def by_receptors(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of receptors stands to their fields; None where it says more, or they can't tell.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> by_receptors("Triple-negative breast cancer.", Packet.of_layers({"receptors": {"er_percent": 90, "pr_percent": 5, "her2_ihc": "1+"}})).label
    'contradicted'
    """
    held = _held(packet)
    if held is None or len(claim) > _LONGEST or not _CUE.search(claim):
        return None
    taking = Taking(claim)
    found: list[bool | None] = []
    for pattern, decide in ((_TRIPLE, _triple), (_SHARE, _shared), (_STATES, _stated), (_SCORE, _scored)):
        while (match := taking.take(pattern)) is not None:
            found.append(decide(match, held))
    told = bool(found)
    side = taking.take(_SIDE)
    if side is not None:
        found.append(_sided(side["side"], packet))
    if not told or None in found or not taking.done(_LEFT):
        return None
    fact = next(each.fact for each in held.values() if each.fact is not None)
    label: Literal["supported", "partial", "contradicted"] = (
        "supported" if all(found) else "partial" if any(found) else "contradicted"
    )
    return Fielded(label, "the receptors that are recorded", fact.path, str(fact.value))


class _Receptor(NamedTuple):
    """What is recorded of a receptor: whether it is positive, its share of cells or its score; None = not told."""

    fact: Fact | None
    positive: bool | None
    share: Decimal | None
    score: int | None

    @classmethod
    def of(cls, form: re.Pattern[str], packet: Packet) -> "_Receptor":
        facts = [fact for fact in packet.facts if form.match(fact.leaf) and _told(fact)]
        main = [fact for fact in facts if not _AMPLIFIED.search(fact.leaf)]
        if len(main) != 1:
            return cls(None, None, None, None)
        fact, said = main[0], str(main[0].value).strip()
        if form is _NAMES["her2"]:
            score = re.match(r"(?:ihc\s)?(?P<score>[0-3])\s?\+?$", said, re.IGNORECASE)
            level = int(score["score"]) if score else None
            return cls(fact, _word(said) if level is None else _by_score(level, facts), None, level)
        share = _decimal(said.rstrip("% "))
        if share is None:
            return cls(fact, _word(said), None, None)
        if _ALLRED.search(fact.leaf):
            return cls(fact, share >= _ALLRED_POSITIVE, None, None)
        return cls(fact, share >= 1, share, None)


@lru_cache(maxsize=512)
def _held(packet: Packet) -> dict[str, _Receptor] | None:
    """Return what a packet holds of each receptor; None where it holds nothing of any."""
    held = {name: _Receptor.of(form, packet) for name, form in _NAMES.items()}
    return held if any(each.fact for each in held.values()) else None


def _told(fact: Fact) -> bool:
    return fact.value is not None and not isinstance(fact.value, bool) and not _UNDONE.match(str(fact.value))


def _by_score(score: int, facts: Sequence[Fact]) -> bool | None:
    """Tell whether HER2 is positive: 3+ is, 0 and 1+ aren't, 2+ is as in situ hybridisation says."""
    if score != _EQUIVOCAL:
        return score > _EQUIVOCAL
    told = [_word(str(fact.value)) for fact in facts if _AMPLIFIED.search(fact.leaf)]
    return told[0] if len(told) == 1 else None


def _word(said: str) -> bool | None:
    return False if _NO.match(said) else True if _YES.match(said) else None


def _decimal(said: str) -> Decimal | None:
    try:
        return Decimal(said)
    except InvalidOperation:
        return None


def _triple(_: re.Match[str], held: Mapping[str, _Receptor]) -> bool | None:
    states = [each.positive for each in held.values()]
    return False if True in states else True if states == [False] * 3 else None


def _stated(match: re.Match[str], held: Mapping[str, _Receptor]) -> bool | None:
    if match["which"][0] == "h" and not match["which"].startswith("her"):
        states = [held["er"].positive, held["pr"].positive]
        positive = True if True in states else False if states == [False, False] else None
    else:
        positive = held[_KEYS[match["which"][0]]].positive
    if match["low"]:
        share = held[_KEYS[match["which"][0]]].share
        return None if share is None else 1 <= share <= _LOW
    return None if positive is None else positive == bool(match["yes"])


def _shared(match: re.Match[str], held: Mapping[str, _Receptor]) -> bool | None:
    share = held[_KEYS[match["which"][0]]].share
    return None if share is None or match["which"][0] == "h" else Decimal(match["share"]) == share


def _scored(match: re.Match[str], held: Mapping[str, _Receptor]) -> bool | None:
    score = held["her2"].score
    return None if score is None else int(match["score"]) == score


def _sided(said: str, packet: Packet) -> bool | None:
    told = {
        str(f.value).lower() for f in packet.facts if f.leaf.lower() in {"side", "laterality"} and f.value
    }
    return told == {said} if len(told) == 1 else None
