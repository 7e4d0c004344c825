"""Laws of reading: offsets are the text, nothing is lost, and form changes nothing."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from percuss.text.concepts import Statement, mentions, read, read_statements, unread
from percuss.text.numbers import numbers

LABELLED = Path(__file__).parent / "labelled"
SENTENCES = [
    line.partition(" =>")[0].replace("\\n", "\n")
    for name in ("numbers.txt", "frames.txt", "statements.txt")
    for line in (LABELLED / name).read_text(encoding="utf-8").splitlines()
    if "=>" in line and not line.startswith("#")
]
_PIECES = st.sampled_from(
    [
        *SENTENCES,
        "no",
        "5.9",
        "mmol/L",
        ",",
        ".",
        "\n",
        "- ",
        "**2.** ",
        "pT2",
        "K+",
        "’s",
        "±",
        "×10⁹/L",
        "É",
        "\u202f",
        "T",
        "1/2",
        "%",
    ]
)


def meant(statements: tuple[Statement, ...]) -> list[tuple[object, ...]]:
    """Return what statements say, without their places."""
    return sorted(
        (
            s.attribute, s.subject, s.kind, str(s.number.value if s.number else None), s.number.unit if s.number else "", s.word,
            str(s.present), str(s.dose), s.qualifiers, s.frames, s.date,
        )
        for s in statements
    )  # fmt: skip


@given(st.text(max_size=120) | st.lists(_PIECES, max_size=6).map(" ".join))
def test_every_offset_is_the_text(text: str) -> None:
    for number in numbers(text):
        assert text[number.start : number.stop] == number.text != ""
    for mention in mentions(text):
        assert text[mention.start : mention.stop] == mention.text != ""
    for statement in read(text).statements:
        assert 0 <= statement.start < statement.stop <= len(text)
        assert all(0 <= start < stop <= len(text) for start, stop in statement.spans)


@example("0¼0")  # the name around the last digit took the first one too
@example("2½ mg")
@given(st.text(max_size=120) | st.lists(_PIECES, max_size=6).map(" ".join))
def test_every_digit_is_in_a_number_and_no_two_numbers_overlap(text: str) -> None:
    found = numbers(text)
    held = {place for number in found for place in range(number.start, number.stop)}
    lost = [place for place, character in enumerate(text) if character in "0123456789" and place not in held]
    assert not lost
    assert all(first.stop <= second.start for first, second in pairwise(found))


@given(st.lists(_PIECES, max_size=4).map(" ".join))
def test_reading_twice_is_reading_once(text: str) -> None:
    first = read(text)
    read.cache_clear()
    numbers.cache_clear()
    assert read(text) == first


@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:40])
def test_white_space_around_a_sentence_changes_nothing(text: str) -> None:
    assert meant(read_statements(f"  {text}  ")) == meant(read_statements(text))


@pytest.mark.parametrize("text", [s for s in SENTENCES if "\n" not in s], ids=lambda text: text[:40])
def test_two_blanks_for_one_change_no_number(text: str) -> None:
    spaced = re.sub(r" ", "  ", text, count=1)
    assert len(numbers(spaced)) == len(numbers(text))


@pytest.mark.parametrize(
    "text",
    [
        s
        for s in SENTENCES
        if not re.search(r"^\W*\w{1,3}\b|\b[A-Z][A-Za-z]*[A-Z0-9]\b|\b[A-Z]\b|\d(?:st|nd)|[A-Z]\+", s)
    ],
    ids=lambda text: text[:40],
)
def test_lower_case_changes_no_concept(text: str) -> None:
    """Sentences without abbreviations say the same in lower case."""
    before = [(m.concept, m.frames) for m in mentions(text)]
    assert [(m.concept, m.frames) for m in mentions(text[0].lower() + text[1:])] == before


def test_what_is_not_understood_is_told() -> None:
    text = "Potassium was 5.9 and the zorblax was raised."
    assert [text[start:stop] for start, stop in unread(text)] == ["zorblax"]
