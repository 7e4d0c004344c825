"""Exact scorers on a table of replies; lists and overlaps by laws; nothing that raises becomes a zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.scoring.closed import list_score, scored, step_score
from percuss.protocols.textbook.scoring.normal import normal
from percuss.protocols.textbook.scoring.overlap import rouge_l, same_words, token_f1
from percuss.protocols.textbook.scoring.parsing import parse_choice, parse_list, parse_step, parse_true_false
from tests.protocols.textbook.score_table import DRUGS, ROWS, SIGNS


def test_the_table_is_long_enough() -> None:
    assert len(ROWS) >= 120


@pytest.mark.parametrize(
    ("item", "reply", "expected"), ROWS, ids=[f"{n}-{row[0].type}" for n, row in enumerate(ROWS)]
)
def test_a_reply_is_worth_what_the_table_says(item: Item, reply: str, expected: float | str) -> None:
    made = step_score(item, reply) if item.type == "multi_hop_inverse" else scored(item, reply)
    if isinstance(expected, str):
        assert made.value is None
        assert made.reason is not None
        assert made.reason.startswith(expected)
    else:
        assert made.reason is None
        assert made.value == pytest.approx(expected)


words = st.lists(st.sampled_from("fever cough rash jaundice tremor pain edema".split()), max_size=6)


@given(
    words,
    st.lists(st.sampled_from("fever cough rash".split()), min_size=1, max_size=3, unique=True),
    st.randoms(),
)
def test_a_list_is_a_set(chosen: list[str], right: list[str], shuffle: object) -> None:
    made = list_score(chosen, right)
    assert made == list_score([*reversed(chosen), *chosen[:1]], list(reversed(right)))
    assert 0 <= made.f1 <= 1
    assert (made.f1 == 1) == (set(chosen) == set(right))
    assert list_score(right, right).f1 == 1


@given(st.text(max_size=200))
def test_parsers_take_any_text(text: str) -> None:
    assert parse_true_false(text).reason is not None or parse_true_false(text).chosen
    for parsed in (parse_choice(text, DRUGS), parse_list(text, SIGNS.options), parse_step(text, 4)):
        assert parsed.reason is None or not parsed.chosen
    assert set(parse_choice(text, DRUGS).chosen) <= set(DRUGS)


@given(
    st.sampled_from(DRUGS),
    st.sampled_from(["{}", "{}.", "Answer: {}", "**{}**", "The answer is {}.", "It is {}, I think."]),
)
def test_an_option_is_found_in_every_wrapping(option: str, wrapping: str) -> None:
    assert parse_choice(wrapping.format(option), DRUGS).chosen == (option,)


def test_words_are_made_alike_before_they_are_compared() -> None:
    assert normal("The Tumours") == normal("tumor")
    assert normal("Haemoglobin, two g/dL") == normal("hemoglobin 2 g/dL")
    assert normal("1,000 mg") == normal("1000 mg")
    assert normal("β-blockers") == normal("beta blocker")
    assert normal("0.5") != normal("5")
    assert normal("<5") != normal("5")


@given(st.text(alphabet="abc 12", min_size=1), st.text(alphabet="abc 12", min_size=1))
def test_overlap_is_symmetric_and_whole_only_for_the_same_words(one: str, other: str) -> None:
    assert token_f1(one, other) == token_f1(other, one)
    assert rouge_l(one, other) == pytest.approx(rouge_l(other, one))
    assert rouge_l(one, other) <= token_f1(one, other) + 1e-9
    if same_words(one, other):
        assert token_f1(one, other) == rouge_l(one, other) == 1
    assert (rouge_l(one, other) == 1) == same_words(one, other)


def test_rouge_by_hand() -> None:
    assert rouge_l("police killed gunman", "police kill gunman today") == pytest.approx(2 * 2 / 7)
    assert token_f1("x x y", "x y y") == pytest.approx(2 / 3)
    assert rouge_l("", "x") == 0
