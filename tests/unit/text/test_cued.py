"""An expression that is tried only where its words stand finds what it would find everywhere."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.evidence.rules.support2 import (
    allergies,
    clauses,
    door,
    fielded,
    named,
    parts,
    plainly,
    ranked,
    wording,
)
from percuss.evidence.rules.support2.tables import phrase_table, phrases
from percuss.text import atoms, number_words
from percuss.text.acts import words
from percuss.text.cued import Cued, CuedTable, needs

READING = Path(__file__).parents[2] / "reading"
EVERY = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in (
        allergies,
        atoms,
        clauses,
        door,
        fielded,
        named,
        number_words,
        parts,
        plainly,
        ranked,
        wording,
        words,
    )
    for name, value in vars(module).items()
    if isinstance(value, Cued)
}


def texts() -> list[str]:
    """Return every third labelled text of the corpora; here they are only searched."""
    lines = [
        line for name in ("support", "speech_act", "abstention")
        for line in (READING / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]  # fmt: skip
    return [json.loads(line)["text"] for line in lines[::3]]


@pytest.mark.parametrize("name", sorted(EVERY))
def test_a_shipped_expression_finds_the_same_with_and_without_its_guard(name: str) -> None:
    cued = EVERY[name]
    for text in texts():
        plain, found = cued.whole.search(text), cued.search(text)
        assert (plain and plain.span()) == (found and found.span()), text
        assert cued.findall(text) == cued.whole.findall(text)


def test_the_table_of_phrases_leaves_no_match_out() -> None:
    table, met = phrase_table(), 0
    for text in texts():
        places = set(table.places(text))
        for place in range(len(phrases())):
            if table[place].search(text):
                met += 1
                assert place in places, (table[place].pattern, text)
    assert met > 50


def test_most_texts_are_kept_from_most_expressions() -> None:
    """A guard that lets everything through would pass the tests above."""
    table, held = phrase_table(), texts()
    tried = sum(len(table.places(text)) for text in held)
    assert tried < 0.2 * len(held) * len(phrases())


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bno\b", {("no", True)}),
        (r"\babsen\w+", {("absen", False)}),
        (r"\b(?:rose|fell)\s\w+", {("rose", True), ("fell", True)}),
        (r"colou?r", {("colour", False), ("color", False)}),
        (r"\d+\s?mg\b", {("mg", False)}),
        (r"\w+", None),
        (r"(?:mild)?\s\d", None),
        (r"(?<!not )\bgiven\b", {("given", True)}),
        (r"(?<=stage )C[1-3]\b", {("stage", False)}),
        (r"\bis (?:hot|cold)(?: tier)?\b", {("hot", True), ("cold", True)}),
    ],
)
def test_what_an_expression_needs(pattern: str, expected: set[tuple[str, bool]] | None) -> None:
    assert needs(pattern) == expected


WORDS = st.sampled_from(["no", "not", "nor", "rose", "fell", "mild", "a_b", "x1", "NO", "n't", "½"])
PIECES = st.sampled_from([r"\b", r"\s", r"\w+", "no", "rose", "mild", "(?:no|not)", "(?:rose|fell)s?", "(?:mild )?", r"[ab]", "x1?"])  # fmt: skip


@given(
    pieces=st.lists(PIECES, min_size=1, max_size=5),
    said=st.lists(WORDS, max_size=6),
    sign=st.sampled_from([" ", "-", "", ", "]),
)
def test_a_guard_never_hides_a_match(pieces: list[str], said: list[str], sign: str) -> None:
    pattern, text = "".join(pieces), sign.join(said)
    cued = Cued(pattern)
    plain, found = re.compile(pattern, re.IGNORECASE).search(text), cued.search(text)
    assert (plain and plain.span()) == (found and found.span())


@given(said=st.lists(WORDS, max_size=6))
def test_several_expressions_find_what_one_of_all_would(said: list[str]) -> None:
    patterns = (r"\bno\b\s\w+", r"\bnot?\b", r"\brose\b|\bfell\b", r"\w+ \bmild\b")
    text = " ".join(said)
    plain, found = re.compile("|".join(patterns), re.IGNORECASE).search(text), Cued(*patterns).search(text)
    assert (plain and plain.span()) == (found and found.span())
    assert list(CuedTable(patterns).places(text)) == sorted(CuedTable(patterns).places(text))
