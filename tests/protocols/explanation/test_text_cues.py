"""Seeded targets and the neutral sentence."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.explanation.images import text_cues

GRADES = ("none", "questionable", "mild", "moderate", "severe")


def test_the_truth_is_never_drawn_and_the_others_are_drawn_evenly() -> None:
    drawn = Counter(text_cues.draw_other(GRADES, "mild", 42, f"case-{i}", "arm") for i in range(4_000))
    assert "mild" not in drawn
    # 4,000 draws over 4 options: SD 27; five SD on either side fail a fair draw about once in a million.
    assert all(abs(count - 1_000) < 137 for count in drawn.values())
    assert len(drawn) == 4


def test_a_draw_hangs_on_seed_and_names_alone() -> None:
    assert text_cues.draw_other(GRADES, None, 1, "a", "x") == text_cues.draw_other(GRADES, None, 1, "a", "x")
    others = {text_cues.draw_other(GRADES, None, seed, "a", "x") for seed in range(40)}
    assert len(others) == 5


@given(st.integers(45, 300))
def test_the_neutral_sentence_is_one_sentence_of_about_that_length(length: int) -> None:
    sentence = text_cues.neutral(length)
    assert sentence.count(".") == 1
    assert abs(len(sentence) - length) <= 25 or length > 260


@pytest.mark.parametrize("word", ["right", "left", "normal", "severe", "suggest", "answer"])
def test_the_neutral_sentence_says_nothing_of_the_case(word: str) -> None:
    assert word not in text_cues.neutral(300)
