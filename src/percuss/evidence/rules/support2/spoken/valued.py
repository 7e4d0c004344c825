"""A number said of a field by its own words and those around it: "the vancomycin MIC is 1 mg/L", "mean gradient 28 mmHg"."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

import msgspec

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded, unit_left_open
from percuss.evidence.rules.support2.spoken.noted import tokens
from percuss.evidence.rules.support2.spoken.slots import dated, same_day
from percuss.evidence.shapes import SUFFIXES
from percuss.text.numbers import Number, in_unit, numbers

__all__ = ["by_value"]

_UNITS = sorted(SUFFIXES, key=len, reverse=True)
_EXTRA = {"m_s": "m/s", "years": "a", "days": "d", "weeks": "wk", "months": "mo", "l": "L"}
_DAYS = ("date", "time", "collected", "drawn", "performed")
_PLAIN = frozenset(
    "the a an of in on at to with for and by is was are were be been has had have his her its their he she it patient measure measured measuring value reading result level score stand stood came "
    "come show showed found reported recorded calculated estimated there this that about only just side now interval across".split()
)  # fmt: skip
_TURNING = re.compile(
    r"\b(?:no|not|never|without|nor|may|might|could|if|risk|target|goal|normal|should|would|change[ds]?|fell|rose|from|than|up|down|by|over|under|above|below|times|mother|father|sister|brother|family)\b|n['’]t\b"
)
_ROUGH = re.compile(r"\b(?:about|around|roughly|nearly|almost|approximately|some|close\sto)\b")
_COUNTED = frozenset({"quantity", "range", "fraction", "pair"})
_LONGEST = 110


class _Field(NamedTuple):
    """A number in a field: the words that name it, those that may stand beside them, its unit and its day."""

    fact: Fact
    value: Decimal
    name: frozenset[str]
    beside: frozenset[str]
    unit: str
    date: str


def by_value(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of one number stands to the only field whose words it has; None where it says more, or several fit and differ.

    Args:
        claim: the claim's text. packet: as it was given, not brought to another shape.

    >>> held = Packet.of_layers({"echo": {"aortic_valve": {"mean_gradient_mmhg": 28}, "mitral_valve": {"mean_gradient_mmhg": 4}}})
    >>> by_value("The mean gradient across the aortic valve is 48 mmHg.", held).label
    'contradicted'
    """
    if len(claim) > _LONGEST or not any(sign.isdigit() for sign in claim) or _TURNING.search(claim.lower()):
        return None
    plain = " ".join(claim.strip().rstrip(". ").split())
    text, day, beside = dated(plain.lower())
    text = text if day else plain
    found = [n for n in numbers(text) if n.value is not None and n.kind in _COUNTED]
    if day is None or beside != ("", "") or len(found) != 1:
        return None
    one = found[0]
    if one.kind != "quantity" or one.value is None or one.comparator or one.spelled:
        return None
    words = tokens(f"{text[: one.start]} {text[one.stop :]}") - _PLAIN - {"s"}
    fits = [
        each for each in _fields(packet)
        if each.name <= words <= each.name | each.beside and same_day(day, each.date) == "same"
    ]  # fmt: skip
    most = max((len(each.name) for each in fits), default=0)
    fits = [each for each in fits if len(each.name) == most]
    if not fits:
        return None
    outcomes = {_same(one, each, rough=_ROUGH.search(text) is not None) for each in fits}
    if len(outcomes) > 1 or None in outcomes or (len(fits) > 1 and outcomes == {False}):
        return None
    fact, right = fits[0].fact, True in outcomes
    reason = "its field holds this value" if right else "its field holds another value"
    return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))


@lru_cache(maxsize=512)
def _fields(packet: Packet) -> tuple[_Field, ...]:
    heads: dict[str, list[Fact]] = {}
    for fact in packet.facts:
        heads.setdefault(fact.path.rpartition(".")[0], []).append(fact)
    found = []
    for head, facts in heads.items():
        date = next(
            (str(f.value)[:10] for f in facts if f.leaf.lower() in _DAYS and isinstance(f.value, str)), ""
        )
        said = " ".join(str(f.value) for f in facts if isinstance(f.value, str) and len(f.value) < _LONGEST)
        around = tokens(f"{' '.join(part for part in head.split('.') if not part.isdigit())} {said}")
        for fact in facts:
            value = _number(fact)
            if value is None:
                continue
            name, unit = _named(fact)
            if name:
                found.append(_Field(fact, value, name, around, unit, date or fact.date[:10]))
    return tuple(found)


def _number(fact: Fact) -> Decimal | None:
    if isinstance(fact.value, bool) or fact.leaf.lower() in {"value", "result", *_DAYS}:
        return None
    if isinstance(fact.value, int | float):
        return Decimal(str(fact.value))
    said = fact.value.strip() if isinstance(fact.value, str) else ""
    return Decimal(said) if re.fullmatch(r"\d+(?:\.\d+)?", said) else None


def _named(fact: Fact) -> tuple[frozenset[str], str]:
    """Return the words of a field's name without its unit, and the unit."""
    leaf = fact.leaf.lower()
    for suffix in (*_UNITS, *_EXTRA):
        if leaf.endswith(f"_{suffix}"):
            name = tokens(leaf[: -len(suffix) - 1])
            return name, SUFFIXES.get(suffix) or _EXTRA.get(suffix, "")
    return tokens(leaf), fact.unit


def _same(one: Number, each: _Field, *, rough: bool) -> bool | None:
    value = each.value
    written = numbers(f"1 {each.unit}") if each.unit else ()
    unit = written[0].unit if written else ""
    if one.unit and one.unit != unit:
        other = in_unit(value, unit, one.unit) if unit else None
        if other is None:
            return None
        value = other
    if one.value is None:
        return None
    exact = max(0, -int(value.normalize().as_tuple().exponent)) if value else 0
    near = Decimal("0.5").scaleb(-one.decimals) if one.decimals < exact else Decimal(0)
    same = abs(one.value - value) <= near
    if same:
        return True
    left_open = unit_left_open(one, msgspec.structs.replace(each.fact, unit=each.unit))
    return None if rough or left_open else False
