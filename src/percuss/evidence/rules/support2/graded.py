"""Fields that hold a grade or one of two states: "mild aortic stenosis", "the left atrium is dilated", "the rhythm is atrial fibrillation"."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.concepts import attribute_of, mentions
from percuss.text.cued import Cued
from percuss.text.words import key_of

__all__ = ["by_grade"]

_GRADES = {
    "none": 0.0, "no": 0.0, "absent": 0.0, "not present": 0.0, "trivial": 1.0, "trace": 1.0, "minimal": 1.0, "mild": 2.0, "slight": 2.0, "moderate": 3.0,
    "severe": 4.0,
}  # fmt: skip
_BETWEEN = re.compile(r"^(?P<low>trivial|trace|mild|moderate)[ -]to[ -](?P<high>mild|moderate|severe)$")
_STATES = (
    (frozenset({"dilated", "enlarged"}), frozenset({"normal", "normal size", "normal in size", "of normal size", "not dilated", "not enlarged", "undilated"})),
    (frozenset({"reduced", "impaired", "depressed"}), frozenset({"normal", "preserved", "not reduced", "not impaired"})),
    (frozenset({"thickened"}), frozenset({"normal", "not thickened"})),
    (frozenset({"occluded", "blocked"}), frozenset({"patent", "open", "not occluded"})),
    (frozenset({"torn", "ruptured"}), frozenset({"intact", "not torn"})),
    (frozenset({"irregular"}), frozenset({"regular"})),
    (frozenset({"abnormal"}), frozenset({"normal"})),
)  # fmt: skip
"""Pairs of what a field can be: of a pair, one excludes the other."""
_RHYTHMS = (
    "sinus rhythm", "atrial fibrillation", "atrial flutter", "sinus bradycardia", "sinus tachycardia", "paced rhythm", "ventricular tachycardia",
    "supraventricular tachycardia", "junctional rhythm",
)  # fmt: skip
_GRADE = r"(?P<grade>(?:(?:trivial|trace|mild|moderate)[ -]to[ -])?(?:trivial|trace|minimal|mild|slight|moderate|severe))"
_OPEN = r"(?:there\s(?:is|was)\s|(?:the\s)?(?:(?:patient|he|she|study|scan|echo(?:cardiogra(?:m|phy))?|film|image|imaging|examination)\s(?:has|had|shows|showed|demonstrates|demonstrated|reveals|revealed)\s))"
_LESSER = re.compile(
    rf"^{_OPEN}?(?:an?\s|only\s)?{_GRADE}\s(?P<head>[a-z][a-z\s-]{{3,50}}?)(?:\s(?:is|was)\s(?:present|seen|noted|found))?$",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"^(?:the\s)?(?P<head>[a-z][a-z\s-]{{1,50}}?)\s(?:is|was|are|were|appears|looks)\s(?:graded\s(?:as\s)?|only\s)?(?:{_GRADE}|(?P<by>mildly|moderately|severely)\s(?P<of>[a-z]+)|(?P<state>(?:not\s|of\s)?[a-z]+(?:\s(?:in\s)?size)?))(?:\sin\s(?:degree|severity))?$",
    re.IGNORECASE,
)
_NONE = re.compile(
    rf"^(?:{_OPEN})?(?:no|without)\s(?:evidence\sof\s|signs?\sof\s|significant\s)?(?P<head>[a-z][a-z\s-]{{3,50}}?)(?:\s(?:is|was)\s(?:present|seen|noted|found))?$",
    re.IGNORECASE,
)
_IN = re.compile(
    rf"^(?:the\s)?(?:ecg|ekg|electrocardiogram|rhythm|cardiac\srhythm|heart\srhythm|patient|he|she)\s(?:shows|showed|is\sin|was\sin|is|was|has|demonstrates)\s(?:in\s)?(?:a\s|normal\s)?(?P<rhythm>{'|'.join(_RHYTHMS)})(?P<more>\s(?:at|with)\s[^,;]+)?$",
    re.IGNORECASE,
)
_CUE = Cued(r"\b(?:mild|mildly|moderate|moderately|severe|severely|trivial|trace|minimal|slight|no|without|dilated|enlarged|normal|undilated|reduced|impaired|depressed|preserved|thickened|occluded|blocked|patent|open|torn|ruptured|intact|regular|irregular|abnormal|rhythm|fibrillation|flutter|tachycardia|bradycardia)\b")  # fmt: skip
_ADVERB = re.compile(r"^(?P<by>mildly|moderately|severely)\s(?P<of>[a-z]+)$")
_BY = {"mildly": 2.0, "moderately": 3.0, "severely": 4.0}
_FILL = frozenset("the a an of this that his her patient's".split())
_META = frozenset("severity grade status present finding name value".split())
_LONGEST = 120


class _State(NamedTuple):
    """A grade, or a state with how far it goes; grade 0 = not there, None = not said."""

    grade: tuple[float, float] | None
    state: str


def by_grade(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of one field's grade or state stands to that field; None where it says more, or no one field is meant.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> held = Packet.of_layers({"echo": {"mitral_regurgitation": "moderate", "left_atrium": "dilated"}})
    >>> by_grade("There is severe mitral regurgitation.", held).label, by_grade("The left atrium is of normal size.", held).label
    ('contradicted', 'contradicted')
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    text = claim.strip().rstrip(". ")
    of_rhythm = _of_rhythm(text, packet)
    if of_rhythm is not None:
        return of_rhythm
    for pattern in (_NONE, _LESSER, _IS):
        match = pattern.match(text)
        fact = _fact(match["head"], packet) if match is not None else None
        if match is None or fact is None:
            continue
        right = _agree(_said(match), _held(fact))
        if right is not None:
            reason = "the grade that is recorded" if right else "another grade or state is recorded"
            return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))
    return None


def _of_rhythm(text: str, packet: Packet) -> Fielded | None:
    match = _IN.match(text)
    held = (
        [f for f in packet.facts if f.leaf.lower().endswith("rhythm") and isinstance(f.value, str)]
        if match is not None
        else []
    )
    if match is None or len(held) != 1:
        return None
    known = str(held[0].value).lower().removeprefix("normal ").strip()
    if known not in _RHYTHMS:
        return None
    said = match["rhythm"].lower()
    if said != known and "sinus" in said and "sinus" in known:
        return None  # "sinus rhythm" may be said of a fast or a slow one
    if said == known and match["more"]:
        return None
    reason, shown = "the rhythm that is recorded", str(held[0].value)
    return Fielded("supported" if said == known else "contradicted", reason, held[0].path, shown)


@lru_cache(maxsize=512)
def _graded(packet: Packet) -> tuple[tuple[frozenset[str], str, Fact], ...]:
    """Return the fields that hold a grade or a state, each with the words and the concept of its name; of two with one name, neither."""
    found: list[tuple[frozenset[str], str, Fact]] = []
    for fact in packet.facts:
        held = _held(fact)
        if held.grade is None and not held.state:
            continue
        parts = [part for part in fact.path.split(".") if not part.isdigit() and part.lower() not in _META]
        if not parts or fact.date:
            continue
        concept = attribute_of(f"x.{parts[-1]}") or ""
        found.extend(
            (_keys(name.replace("_", " ")), concept, fact) for name in {parts[-1], " ".join(parts[-2:])}
        )
    return tuple(found)


@lru_cache(maxsize=8192)
def _keys(text: str) -> frozenset[str]:
    return frozenset(key_of(word) for word in re.findall(r"[a-z]+", text.lower()) if word not in _FILL)


def _fact(head: str, packet: Packet) -> Fact | None:
    """Return the one field that some words name: by the same words, else by the same concept."""
    held = _graded(packet)
    words = _keys(head)
    found = {fact for keys, _, fact in held if keys == words}
    if not found:
        named = mentions(head)
        whole = len(named) == 1 and named[0].stop - named[0].start >= len(head.strip()) - 1
        found = {fact for _, concept, fact in held if whole and concept == named[0].concept}
    return found.pop() if len(found) == 1 else None


def _said(match: re.Match[str]) -> _State:
    told = {name: (text or "").lower() for name, text in match.groupdict().items()}
    if match.re is _NONE:
        return _State((0.0, 0.0), "")
    if told["grade"]:
        return _State(_range(told["grade"]), "")
    if told.get("by"):
        return _State((_BY[told["by"]],) * 2, told["of"])
    return _State(None, told.get("state", ""))


def _held(fact: Fact) -> _State:
    if isinstance(fact.value, bool):
        return _State((0.0, 0.0), "") if not fact.value else _State(None, "")
    said = fact.value.strip().lower() if isinstance(fact.value, str) else ""
    adverb = _ADVERB.match(said)
    if adverb is not None:
        return _State((_BY[adverb["by"]],) * 2, adverb["of"])
    grade = _range(said)
    if grade is not None:
        return _State(grade, "")
    return _State(None, said if any(said in one | other for one, other in _STATES) else "")


def _range(said: str) -> tuple[float, float] | None:
    between = _BETWEEN.match(said)
    if between is not None:
        return _GRADES[between["low"]], _GRADES[between["high"]]
    return (_GRADES[said], _GRADES[said]) if said in _GRADES else None


def _agree(said: _State, held: _State) -> bool | None:
    """Tell whether what is said is what is held; None where both may be meant."""
    if not said.state and not held.state:
        return _same_grade(said.grade, held.grade)
    if bool(said.state) != bool(held.state):
        return None
    for sides in _STATES:
        at = [[n for n, side in enumerate(sides) if state in side] for state in (said.state, held.state)]
        if not all(at):
            continue
        if at[0] != at[1]:
            return False
        if said.state != held.state and said.grade is None and held.grade is None:
            return True
        return True if said.grade is None else _same_grade(said.grade, held.grade)
    return None


def _same_grade(said: Sequence[float] | None, held: Sequence[float] | None) -> bool | None:
    if said is None or held is None:
        return None
    if said == held:
        return True
    traces = {0.0, 1.0}
    if said[1] < held[0] or held[1] < said[0]:
        return None if {*said, *held} == traces else False
    return None
