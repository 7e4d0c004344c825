"""The one reference of a case: what its packet and its question state, with the facts that state it and what follows from them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

import msgspec

from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.evidence.ranges import Ranged
from percuss.evidence.rules.support2.cultures import of_a_test
from percuss.evidence.rules.support2.derived import derive
from percuss.evidence.rules.support2.phrasing import phrased
from percuss.evidence.rules.support2.tables import kinds_of_section
from percuss.evidence.rules.support2.wording import WordedFacts, stems, worded
from percuss.text.concepts import (
    Field,
    Statement,
    attribute_of,
    concept,
    read_fields,
    read_statements,
    with_parents,
)
from percuss.text.numbers import numbers

__all__ = ["Known", "Nearby", "Reference", "near", "reference", "states"]

_LISTS = frozenset("conditions diagnoses problems medications procedures allergies drugs".split())
_META = re.compile(r"(?:^|[._])(?:inputs_available|available|source|id|code|system)(?:[._]|$)", re.IGNORECASE)
_WHOLE = 3
"""Clinical sections from which on a packet is the record of a patient, and claims to cover what such a record covers."""
_TOLD = frozenset({"diagnosis", "finding", "procedure", "organism", "test"})
"""What an entry in words may hold under another name, when it wasn't understood."""
_DONE = frozenset("injury treatment vaccination therapy".split())
"""Sections whose entries tell of no test or organism."""
_NOTHING = Packet()
_SHORT = 60
"""Characters up to which a text value is read beside its name; longer ones are sentences of their own."""


class Known(NamedTuple):
    """A statement of the reference and the fact that makes it.

    Args:
        statement: what is stated. path: of the fact; "" = a passage or the question. value: its value as text.
        low, high: ends of the reference range that stands beside the value; None = not told.
    """

    statement: Statement
    path: str
    value: str
    low: Decimal | None = None
    high: Decimal | None = None


class Nearby(dict[str, tuple[Known, ...]]):
    """Known statements by attributes that have any relation to theirs: the same, a broader or narrower one, the opposite."""

    def __init__(self, known: Sequence[Known]) -> None:
        super().__init__()
        self.known = known
        self.by_name: dict[str, list[int]] = {}
        self.by_broader: dict[str, list[int]] = {}
        self.by_opposite: dict[str, list[int]] = {}
        for place, each in enumerate(known):
            name = each.statement.attribute
            self.by_name.setdefault(name, []).append(place)
            for broader in with_parents(name):
                self.by_broader.setdefault(broader, []).append(place)
            found = concept(name)
            if found is not None and found.opposite:
                self.by_opposite.setdefault(found.opposite, []).append(place)

    def __missing__(self, attribute: str) -> tuple[Known, ...]:
        """Collect the statements of an attribute in their order, and keep them."""
        found = concept(attribute)
        places = {*self.by_broader.get(attribute, ()), *self.by_opposite.get(attribute, ())}
        for name in (attribute, *with_parents(attribute), found.opposite if found is not None else ""):
            places.update(self.by_name.get(name, ()))
        self[attribute] = near = tuple(self.known[place] for place in sorted(places))
        return near


class Reference(NamedTuple):
    """A case as the rule holds claims against it.

    Args:
        known: statements of the packet, and what follows from them.
        asked: statements of the question's own text. excluded: what can't be if these hold.
        near: known statements by the attribute of a claim that they can speak of. sections: those that hold something.
        facts: text-valued facts by their words.
        covers: kinds of concepts that the packet claims to cover. structured: it has facts.
        words: stems of all words of the packet.
        opaque: kinds of which some entry of the packet wasn't understood.
        numbers: all numbers of the packet, whatever they belong to.
        empty: attributes whose fields are there and hold nothing.
    """

    known: tuple[Known, ...]
    asked: tuple[Statement, ...]
    excluded: tuple[Statement, ...]
    near: Nearby
    sections: frozenset[str]
    facts: WordedFacts
    covers: frozenset[str]
    structured: bool
    words: frozenset[str]
    opaque: frozenset[str]
    empty: frozenset[str]
    numbers: frozenset[Decimal]


@lru_cache(maxsize=512)
def reference(packet: Packet, question: str = "") -> Reference:
    """Read a case once.

    Args:
        packet: the full packet of the case. question: the question's own text; "" = none.
    """
    told = [
        fact
        for fact in packet.facts
        if fact.value is not None and fact.value != "" and not _META.search(fact.path)
    ]
    tested = of_a_test(packet)
    facts = [fact for fact in told if fact.path not in tested]
    known = [*_of_facts(facts), *_of_texts(packet.texts)]
    known.extend(
        Known(each, path, value)
        for each, path, value in derive([(k.statement, k.path, k.value) for k in known])
    )
    covers: set[str] = set()
    sections = {layer_of(fact.path) for fact in packet.facts} | set(packet.layers)
    for name in sections:
        covers |= kinds_of_section(name)
    if sum(bool(kinds_of_section(name)) for name in sections) >= _WHOLE:
        covers |= kinds_of_section("*")
    words: set[str] = set()
    for fact in told:
        words |= stems(
            f"{fact.path.replace('_', ' ').replace('.', ' ')} {fact.value if isinstance(fact.value, str) else ''}"
        )
    for text in packet.texts:
        words |= stems(text)
    asked = tuple(each for each in read_statements(question) if each.kind != "named") if question else ()
    against = tuple(each for each, _, _ in derive([(each, "", "") for each in asked]) if not each.present)
    return Reference(tuple(known), asked, against, Nearby(known), frozenset(layer_of(f.path).lower() for f in facts), WordedFacts(each for fact in facts for each in worded(fact.path, fact.value)), frozenset(covers),
                     bool(packet.facts), frozenset(words), _opaque(facts), _empty(packet.facts), _numbers(facts))  # fmt: skip


def states(question: str) -> bool:
    """Tell whether a question states anything of the case: only then can a claim be `given` by it.

    >>> states("Summarise the patient."), states("Why is this 70-year-old man short of breath?")
    (False, True)
    """
    return bool(reference(_NOTHING, question).asked)


def near(held: Reference, attribute: str) -> tuple[Known, ...]:
    """Return the known statements that a claim of an attribute can be compared with, in their order; every other one is of something else.

    Args:
        held: the case. attribute: concept of the claim.
    """
    return held.near[attribute]


def _field(fact: Fact) -> Field:
    return Field(path=fact.path, value=fact.value, unit=fact.unit, date=fact.date)


def _head(path: str) -> str:
    return (
        path.rpartition(".")[0] if path.partition(".")[0].lower() in _LISTS and path.count(".") > 1 else path
    )


def _of_facts(facts: Iterable[Fact]) -> Iterator[Known]:
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(_head(fact.path), []).append(fact)
    for head, parts in groups.items():
        value = "; ".join(f"{part.value} {part.unit}".strip() for part in parts)
        read = [each for each in read_fields(map(_field, parts)) if each.kind != "named"]
        if not read and len(parts) == 1:
            read = _spelled(parts[0])
        read.extend(
            each
            for part in parts
            if isinstance(part.value, str)
            for each in phrased(part.value)
            if each.attribute not in {s.attribute for s in read}
        )
        if layer_of(head).lower().startswith("family"):
            read = [_family(each) for each in read]
        ends = (parts[0].low, parts[0].high) if isinstance(parts[0], Ranged) else (None, None)
        yield from (Known(each, head, value, *ends) for each in read)


def _family(statement: Statement) -> Statement:
    return msgspec.structs.replace(statement, frames=tuple(sorted({*statement.frames, "family"})))


def _spelled(fact: Fact) -> list[Statement]:
    """Read a fact as a sentence of its name and value, where its path alone says nothing to the concept layer."""
    name = " ".join(part for part in re.split(r"[._|\s]+", fact.leaf) if part)
    if isinstance(fact.value, bool):
        said = name if fact.value else f"no {name}"
    elif isinstance(fact.value, str) and re.match(r"type\b", fact.value, re.IGNORECASE):
        said = f"{fact.value} {name}"
    elif isinstance(fact.value, str):
        said = fact.value
    else:
        said = f"{name.removesuffix(' dose')} {fact.value} {fact.unit}"
    return [_dated(each, fact.date) for each in read_statements(said) if each.kind != "named"]


def _dated(statement: Statement, date: str) -> Statement:
    if statement.date or not date:
        return statement
    return msgspec.structs.replace(statement, date=date)


def _of_texts(texts: Iterable[str]) -> Iterator[Known]:
    for text in texts:
        for each in read_statements(text):
            if each.kind != "named":
                yield Known(each, "", text[max(0, each.start - 30) : each.stop + 60].strip())


def _opaque(facts: Iterable[Fact]) -> frozenset[str]:
    """Return the kinds of which an entry states nothing that the table knows: its name may be another name of what is claimed."""
    left: set[str] = set()
    for fact in facts:
        section = layer_of(fact.path).lower()
        told = isinstance(fact.value, str) and len(fact.value.split()) > 1 and section not in _LISTS
        if told and not read_statements(str(fact.value)) and not list(phrased(str(fact.value))):
            left |= _TOLD - {"test", "organism"} if section in _DONE else _TOLD
        named = section in _LISTS and fact.leaf.lower() in {"name", "display"}
        if (
            (named or section in {"medication", "treatment"})
            and isinstance(fact.value, str)
            and not read_statements(fact.value)
        ):
            left |= kinds_of_section(section)
    return frozenset(left)


def _numbers(facts: Iterable[Fact]) -> frozenset[Decimal]:
    found: set[Decimal] = set()
    for fact in facts:
        if isinstance(fact.value, int | float) and not isinstance(fact.value, bool):
            found.add(Decimal(str(fact.value)))
        elif isinstance(fact.value, str):
            found.update(number.value for number in numbers(fact.value) if number.value is not None)
            found.update(number.upper for number in numbers(fact.value) if number.upper is not None)
    return frozenset(found)


def _empty(facts: Iterable[Fact]) -> frozenset[str]:
    named = {attribute_of(fact.path) for fact in facts if fact.value is None and not _META.search(fact.path)}
    return frozenset(name for name in named if name)
