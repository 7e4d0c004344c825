"""The table of concepts is in order: enough of them, one meaning to a name, units and references that exist."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from percuss.text.concepts import KINDS, concept, concepts, mentions
from percuss.text.concepts.lexicon import END, Entry, lexicon
from percuss.text.numbers import measure

NUMBERED_TWICE = {"HR", "RR", "CI"}
"""Abbreviations of two measures, told apart by their number."""


def entries(node: dict[str, Any], words: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    for key, below in node.items():
        if key == END:
            yield " ".join(words), below if not hasattr(below, "entries") else below.entries
        else:
            yield from entries(below, (*words, key))


def test_there_are_enough_concepts_of_every_kind() -> None:
    assert len(concepts()) >= 1500
    counted: dict[str, int] = defaultdict(int)
    for each in concepts().values():
        counted[each.kind] += 1
    assert set(counted) == set(KINDS)
    assert min(counted.values()) >= 20


def test_a_name_has_one_meaning_unless_it_is_flagged() -> None:
    wrong = []
    for phrase, held in entries(lexicon().tree):
        plain = {e.name for e in held if e.role == "concept" and not e.exact and e.flag != "ambiguous"}
        by_spelling: dict[tuple[str, str], set[str]] = defaultdict(set)
        for entry in held:
            if entry.role == "concept" and entry.exact and entry.flag != "ambiguous":
                by_spelling[entry.exact, entry.flag].add(entry.name)
        twice = {exact for (exact, _), names in by_spelling.items() if len(names) > 1} - NUMBERED_TWICE
        if len(plain) > 1 or twice:
            wrong.append((phrase, plain, twice))
    assert not wrong


def test_no_name_is_shorter_than_two_characters_unless_it_needs_a_number() -> None:
    short = [
        (each.name, name)
        for each in concepts().values()
        for name in (each.name, *each.also, *each.short, *each.short_ambiguous)
        if len(name) < 2
    ]
    assert not short


def test_references_between_concepts_exist() -> None:
    known = concepts()
    lost = [
        (each.name, other)
        for each in known.values()
        for other in (each.parent, each.opposite, each.high, each.low, each.near)
        if other and other not in known
    ]
    assert not lost


def test_units_are_known_and_ranges_in_order() -> None:
    wrong = []
    for each in concepts().values():
        if each.unit not in {"", "1"}:
            found = measure(each.unit)
            if found is None or found.name != each.unit:
                wrong.append((each.name, each.unit))
        if each.range is not None and each.range[0] > each.range[1]:
            wrong.append((each.name, str(each.range)))
    assert not wrong


def test_parents_make_no_circle() -> None:
    for name in concepts():
        seen = [name]
        while (found := concept(seen[-1])) is not None and found.parent:
            assert found.parent not in seen, seen
            seen.append(found.parent)


def test_every_name_is_found_as_its_concept() -> None:
    """The matcher gives each canonical name back, alone or among the meanings of its spelling."""
    lost = []
    for each in concepts().values():
        found = mentions(f"{each.name} 5")
        names = {name for mention in found for name in (mention.concept, *mention.others)}
        if each.name not in names:
            lost.append((each.name, names))
    assert not lost
