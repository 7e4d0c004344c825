"""A claim that names a field and its value, held against that field alone: "Age is 56", "z_cd274 = -0.43", "TMB silent per Mb: 3.9"."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from percuss.evidence.packet import Fact, Packet, Value, leaf_of
from percuss.text.concepts import attribute_of, may_be_in_another_unit
from percuss.text.cued import Cued
from percuss.text.numbers import Number, compare_quantities, numbers
from percuss.text.words import Keys

__all__ = ["Fielded", "by_field", "unit_left_open"]

_SAID = re.compile(
    r"^\W*(?P<head>[A-Za-z][^:=,;]{0,70}?)\s*(?:\b(?:is|was|are|were|of|at|equals|measures|measured|stands\sat)\b|[:=])\s*(?P<value>[^,;:=]+)$",
    re.IGNORECASE,
)
_BARE = re.compile(r"^\W*(?P<head>[A-Za-z][A-Za-z\s_/-]{1,40}?)\s+(?P<value>[-−+]?\d[^,;:=]*)$")
_DATED = re.compile(r"\s*(?:\(|\bon\s|\bin\s|\bfrom\s)(?P<date>\d{4}(?:-\d\d){0,2})\)?$")
_CUTS = re.compile(r";\s+|,\s+(?:and\s+)?(?=[A-Za-z])|\s+and\s+(?=[A-Za-z])")
_KEYS = Keys()
_TOKEN = re.compile(r"[a-z]+|\d+")
_DENIED = Cued(r"\b(?:no|not|never|without|nor|neither|cannot)\b|n['’]t\b")
_FILL = frozenset(
    "the a an of patient patients s this his her their its in on by is was value level measured current recorded reading result has have had he she it at with and for to".split()
)
_UNITS = frozenset("years year percent per mb z score value level result mean".split())
"""Words of a field's name that a claim may leave out: "age" for age_years, "CD274" for z_cd274."""
_STATUS = frozenset("name status dose date display code id source reaction".split())
_META = Cued(r"(?:^|[._])(?:inputs_available|available|source|id|code|system)(?:[._]|$)")
_CLOSED = (
    frozenset({"male", "female"}),
    frozenset({"positive", "negative"}),
    frozenset({"hot", "warm", "cold"}),
    frozenset({"active", "inactive", "resolved"}),
    frozenset({"detected", "undetected"}),
)
"""Words of which a field holds one: another one is another value."""
_OWN_UNITS = {
    "years": "a",
    "mb": "mut/Mb",
    "kg": "kg",
    "cm": "cm",
    "mm": "mm",
    "mg": "mg",
    "months": "mo",
    "weeks": "wk",
    "days": "d",
}
"""Units that the last word of a field's name tells, where the fact itself has none."""
_RESTS = frozenset({"years", "years old", "year", "tumour", "tumor", "cancer", "disease", "carcinoma"})
"""What may stand beside a bare value."""
_LONGEST = 400


class Fielded(NamedTuple):
    """How the fields that a claim names stand to it; the first one that decided."""

    label: Literal["supported", "contradicted", "absent", "partial"]
    reason: str
    path: str
    value: str


class _Field(NamedTuple):
    fact: Fact
    needed: frozenset[str]
    allowed: frozenset[str]


@lru_cache(maxsize=512)
def _fields(packet: Packet) -> dict[str, list[tuple[int, _Field]]]:
    """Return the fields with their places, by one word that each of them needs."""
    made: list[_Field] = []
    for fact in packet.facts:
        named = _names(fact.path)
        if named is not None and not isinstance(fact.value, bool):
            made.append(_Field(fact, *named))
    found: dict[str, list[tuple[int, _Field]]] = {}
    for place, field in enumerate(made):
        found.setdefault(min(field.needed, default=""), []).append((place, field))
    return found


@lru_cache(maxsize=8192)
def _names(path: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the words that name a field and those that may stand beside them; None for a field that holds no value of its own."""
    last = leaf_of(path)
    if _META.search(path) or last.lower() in _STATUS:
        return None
    leaf = _words(last)
    needed = leaf - _UNITS or leaf
    if path.count(".") > 1:
        needed |= _words(path.split(".")[-2]) - _UNITS
    return needed, leaf | needed | _words(path) | _UNITS


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    return frozenset(map(_KEYS.__getitem__, _TOKEN.findall(text.lower()))) - _FILL


def by_field(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim stands to the fields that it names; None unless every part of it names one field of its own with a value.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if len(claim) > _LONGEST or not packet.facts or _DENIED.search(claim):
        return None
    text = claim.strip().rstrip(".").strip()
    by_word = _fields(packet)
    if "" not in by_word and by_word.keys().isdisjoint(_words(text)):
        return None  # no part of it names a field
    whole = _part(text, packet)
    if whole is not None:
        return whole
    parts = _CUTS.split(text)
    if len(parts) == 1:
        return None
    found = []
    for part in parts:
        read = _part(part, packet)
        if read is None:
            return None
        found.append(read)
    wrong = [each for each in found if each.label != "supported"]
    if not wrong:
        return found[0]
    if len(wrong) < len(found):
        return wrong[0]._replace(label="partial", reason="one part holds and another doesn't")
    return wrong[0]


def _part(text: str, packet: Packet) -> Fielded | None:
    for pattern in (_SAID, _BARE):
        match = pattern.match(text)
        if match is None:
            continue
        held = _named(match["head"], packet)
        if held is not None:
            return _held(match["value"].strip(), held.fact)
    return None


def _named(head: str, packet: Packet) -> _Field | None:
    """Return the one field that a head names: all words of its name, and none that aren't of its path."""
    said = _words(head)
    if not said:
        return None
    by_word = _fields(packet)
    known = sorted(
        (place, each)
        for word in (*said, "")
        for place, each in by_word.get(word, ())
        if each.needed <= said <= each.allowed
    )
    fits = [each for _, each in known]
    if len(fits) > 1:
        widest = max(len(each.needed) for each in fits)
        fits = [each for each in fits if len(each.needed) == widest]
    return fits[0] if len(fits) == 1 else None


def _held(value: str, fact: Fact) -> Fielded | None:
    dated = _DATED.search(value)
    if dated is not None:
        if not fact.date.startswith(dated["date"]):
            return None
        value = value[: dated.start()].strip()
    if fact.value is None:
        empty = _number(value) is not None
        return Fielded("absent", "its field holds nothing", fact.path, "") if empty else None
    same = _same_number(value, fact) if isinstance(fact.value, int | float) else _same_word(value, fact.value)
    if same is None:
        return None
    shown = f"{fact.value} {fact.unit}".strip()
    if same:
        return Fielded("supported", "its field holds this value", fact.path, shown)
    return Fielded("contradicted", "its field holds another value", fact.path, shown)


def _number(value: str) -> Number | None:
    """Return the only number of a value, where nothing but its unit stands beside it."""
    found = [n for n in numbers(value) if n.kind == "quantity" and n.value is not None and not n.comparator]
    if len(found) != 1 or len(numbers(value)) != 1:
        return None
    rest = (value[: found[0].start] + value[found[0].stop :]).strip(" ()")
    return found[0] if not re.search(r"\w", rest) or rest.lower() in _RESTS else None


def _same_number(value: str, fact: Fact) -> bool | None:
    said = _number(value)
    if said is None or said.value is None:
        return None
    held = Decimal(str(fact.value))
    if said.unit == "%" and not fact.unit and -1 <= held <= 1:
        held *= 100
    elif said.unit and said.unit != "%" and not fact.unit:
        if said.unit != _OWN_UNITS.get(fact.leaf.rpartition("_")[2].lower()):
            return None
    elif said.unit and fact.unit and said.unit != "%":
        known = numbers(f"{fact.value} {fact.unit}")
        if len(known) != 1:
            return None
        found = compare_quantities(said, known[0])
        return True if found in {"equal", "within"} else False if found == "different" else None
    half = Decimal("0.5").scaleb(-said.decimals)
    exact = max(0, -int(held.normalize().as_tuple().exponent)) if held else 0
    same = abs(said.value - held) <= half if said.decimals < exact else said.value == held
    return None if not same and unit_left_open(said, fact) else same


def unit_left_open(said: Number, fact: Fact) -> bool:
    """Tell whether a number without a unit is that of a field in another unit which is usual for what it measures.

    Args:
        said: the number of a claim. fact: the field.
    """
    if said.unit or not fact.unit:
        return False
    known = numbers(f"{fact.value} {fact.unit}")
    return len(known) == 1 and may_be_in_another_unit(said, known[0], attribute_of(fact.path) or "")


def _same_word(value: str, held: Value) -> bool | None:
    said, known = value.lower().strip(" .\"'"), str(held).lower()
    if said == known:
        return True
    for words in _CLOSED:
        if said in words and known in words:
            return False
    return None
