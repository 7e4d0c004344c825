"""What is skipped by a look at words would have found nothing: facts, statements of a case, fields, and joints of a sentence."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import fielded, named, parts
from percuss.evidence.rules.support2.plainly import in_percent
from percuss.evidence.rules.support2.reference import near, reference
from percuss.evidence.rules.support2.unheld import topics, unheld
from percuss.evidence.rules.support2.wording import Worded, WordedFacts, stems
from percuss.evidence.shapes import shaped
from percuss.text.atoms import joins, said
from percuss.text.concepts import concepts, mentions, read, relation
from percuss.text.concepts.matching import scan
from percuss.text.cued import _TOKEN, Cued
from percuss.text.numbers import numbers

CORPUS = Path(__file__).parents[3] / "reading"


@cache
def packets() -> dict[str, Packet]:
    rows = map(json.loads, (CORPUS / "contexts.jsonl").read_text(encoding="utf-8").splitlines())
    return {
        row["id"]: shaped(
            Packet(
                facts=tuple(Fact(**f) for f in row["facts"]),
                texts=tuple(row["texts"]),
                layers=tuple(row["layers"]),
            )
        ).packet
        for row in rows
        if "from" not in row and row["half"] == "dev"
    }


@cache
def claims() -> tuple[tuple[str, Packet], ...]:
    rows = map(json.loads, (CORPUS / "support.jsonl").read_text(encoding="utf-8").splitlines())
    return tuple((row["text"], packets()[row["context"]]) for row in rows if row["context"] in packets())


def test_statements_of_an_attribute_are_those_with_any_relation_to_it() -> None:
    names = list(concepts())[::7]
    for packet in list(packets().values())[:6]:
        held = reference(packet)
        for name in (*names, "no concept", *(each.statement.attribute for each in held.known)):
            every = tuple(k for k in held.known if relation(name, k.statement.attribute) != "other")
            assert near(held, name) == every


word = st.sampled_from("abcdefg")
some = st.frozensets(word, max_size=4)


@given(st.lists(st.tuples(some, some), max_size=8), st.frozensets(word, min_size=2, max_size=5))
def test_facts_are_found_by_all_words_but_one(
    held: list[tuple[frozenset[str], frozenset[str]]], said: frozenset[str]
) -> None:
    facts = [Worded(str(n), "", words, name, False, words - name) for n, (words, name) in enumerate(held)]
    enough = [each for each in facts if len(said - each.words - each.name) < 2]
    assert list(WordedFacts(facts).holding(said)) == enough


def test_a_sentence_that_nothing_joins_is_one_statement() -> None:
    skipped = [text for text, _ in claims() if not joins(text)]
    assert len(skipped) > 100
    for text in skipped:
        assert len(said(text)) == 1


@given(
    st.lists(
        st.sampled_from(
            [
                "She has",
                "gout",
                "takes iron",
                "and",
                "or",
                ",",
                ";",
                "but",
                "AND",
                "is",
                " ",
                "and/or",
                "while",
            ]
        ),
        max_size=9,
    )
)
def test_joints_are_seen(pieces: list[str]) -> None:
    text = " ".join(pieces)
    if not joins(text):
        assert len(said(text)) == 1


def parted(text: str, packet: Packet) -> Iterator[object]:
    yield fielded._part(text, packet)
    for part in fielded._CUTS.split(text):
        yield fielded._part(part, packet)


def test_a_claim_without_a_word_of_any_field_names_none() -> None:
    skipped = 0
    for text, packet in claims():
        by_word = fielded._fields(packet)
        if "" not in by_word and by_word.keys().isdisjoint(fielded._words(text)):
            skipped += 1
            assert not any(parted(text.strip().rstrip(".").strip(), packet))
    assert skipped > 20


def test_a_claim_without_numbers_has_none_to_hold_against_names() -> None:
    for text, packet in claims():
        if not numbers(in_percent(text)):
            assert named.by_names(text, packet) is None
            assert not [n for n in numbers(named._bounds_said(in_percent(text))) if n.value is not None]


def test_topics_are_looked_for_by_their_words_and_found_as_before() -> None:
    for text, packet in claims():
        found = next((t.topic for t, pattern, _ in topics() if pattern.whole.search(text)), "")
        assert found or not unheld(text, packet)


def test_mentions_are_those_of_the_reading() -> None:
    for text, _ in claims():
        assert mentions(text) == read(text).mentions
        found = scan(text)
        assert [
            text[start : start + len(each)] for each, start in zip(found.words, found.starts, strict=True)
        ] == found.words


def test_short_forms_of_places_are_written_out_where_they_stand() -> None:
    assert stems("RUL opacity, LV dilated") == stems("right upper lobe opacity, left ventricle dilated")
    assert stems("RULE of LVH") == {"rule", "lvh"}


def test_an_expression_that_comes_later_is_seen_in_words_that_are_known() -> None:
    text = "Zebrafish and okapis graze"
    assert not Cued(r"\bno such thing\b").may(text)
    late = Cued(r"\bokapis\b"), Cued(r"ebrafi"), Cued(r"\bzebra\b")
    assert [each.may(text) for each in late] == [True, True, False]
    assert _TOKEN.findall(text)


@pytest.mark.parametrize(
    ("claim", "sex", "over", "moved", "bounded"),
    [
        ("She stopped warfarin.", "female", False, False, False),
        ("He has not stopped warfarin.", "male", True, False, False),
        ("His potassium rose to 5.9.", "male", False, False, False),
        ("Only one of them since 2019.", "", False, False, True),
    ],
)
def test_what_a_claim_is_asked_for(claim: str, sex: str, over: bool, moved: bool, bounded: bool) -> None:
    found = parts.parts_of(claim)
    assert (found.sex(), found.over()) == (sex, over)
    assert (found.moved(), found.bounded()) == (moved, bounded)
