"""Modes and patterns in the order of definitions/grounding.md."""

from typing import Any

import pytest

from percuss.measure.quantity import Plan
from percuss.protocols.grounding.estimate.countings import beyond_span, index_span
from percuss.protocols.grounding.estimate.floors import refused_word
from percuss.protocols.grounding.estimate.pattern import Reading, mode, mode_paper
from percuss.protocols.grounding.estimate.word import (
    CANT_TELL,
    CORRECTS,
    HOLDS_BACK,
    NO_EFFECT,
    REMEMBERS,
    REPEATS,
    WORSE,
    Read,
    Span,
    word,
)


def test_silence_of_a_real_model_is_no_word_by_a_reader_below_its_floors() -> None:
    """`rule:speech-act-2` calls more of what asserts nothing an assertion than its floor allows; its passport says so."""
    silent = Read(fall=Span(), hdi=Span(), without=0.05, silent=Span(0.7, 0.6, 0.8), silent_with=0.0)
    assert word(silent) == HOLDS_BACK

    def why(model: str) -> str:
        plan = Plan(seed=1, simulated=frozenset({"phantom/calibrated"}))
        return refused_word({}, [], silent, plan, model=model, arm="full_multimodal", labels="human")

    assert "rule:speech-act-2 alone, which reads" in why("vendor/model")
    assert not why("phantom/calibrated")


def reading(hdi: float | None, without: float, overlap: float | None = 0.0, **more: Any) -> Reading:
    return Reading(hdi=hdi, without=without, overlap=overlap, **more)


@pytest.mark.parametrize(
    ("r", "expected"),
    [
        (reading(None, 0.2), "undefined"),
        (reading(0.5, 0.0), "undefined"),
        (reading(0.7, 0.10), "A"),
        (reading(0.7, 0.09), "intermediate"),
        (reading(0.4, 0.10, 0.05), "B"),
        (reading(0.4, 0.10, 0.06), "recycling"),
        (reading(0.69, 0.5, 0.06), "recycling"),
        (reading(0.69, 0.5, 0.05), "intermediate"),
        (reading(0.4, 0.11, 0.05), "C"),
        (reading(0.4, 0.11, None), "C"),
        (reading(0.4, 0.05, None), "B"),
        (reading(0.5, 0.5, None), "intermediate"),
        (reading(-0.2, 0.6), "C"),
    ],
)
def test_mode(r: Reading, expected: str) -> None:
    assert mode(r) == expected


@pytest.mark.parametrize(
    ("hdi", "overlap", "expected"),
    [
        (0.984, 0.115, "A"),  # papers/0 Table 3, gpt-4o-mini
        (0.336, 0.032, "B"),  # gpt-5.4-mini
        (0.919, 0.005, "A"),  # gemini-2.5-flash
        (0.847, 0.051, "A"),  # gemini-3-flash-preview
        (0.55, 0.20, "recycling"),
        (0.55, 0.01, "intermediate"),
        (0.5, None, "undefined (overlap not measured)"),
    ],
)
def test_mode_of_the_paper(hdi: float, overlap: float | None, expected: str) -> None:
    assert mode_paper(reading(hdi, 0.5, overlap)) == expected


def numbers(**given: Any) -> Read:
    """What a model that evidence corrects looks like, and what is given instead."""
    corrected: dict[str, Any] = {"fall": Span(0.6, 0.5, 0.7), "hdi": Span(0.9, 0.8, 0.95), "without": 0.7}
    return Read(**(corrected | given))


@pytest.mark.parametrize(
    ("r", "expected"),
    [
        (numbers(), CORRECTS),
        (numbers(fall=Span(-0.2, -0.3, -0.1), hdi=Span(-0.4, -0.6, -0.2)), WORSE),
        (numbers(fall=Span(-0.02, -0.04, -0.01), hdi=Span(-0.1, -0.2, 0.0)), NO_EFFECT),
        (numbers(silent=Span(0.6, 0.45, 0.7), silent_with=0.0), HOLDS_BACK),
        (numbers(silent=Span(0.6, 0.39, 0.7), silent_with=0.0), CORRECTS),
        (numbers(silent=Span(0.6, 0.45, 0.7), silent_with=0.6), CORRECTS),
        (numbers(lift=Span(0.3, 0.1, 0.5)), REMEMBERS),
        (numbers(excess=Span(0.5, 0.4, 0.6)), CORRECTS),
        (numbers(excess=Span(0.5, 0.4, 0.6), entailed=True), REPEATS),
        (numbers(excess=Span(0.5, 0.04, 0.6), entailed=True), CORRECTS),
        (numbers(excess=Span(0.5, 0.4, 0.6), hdi=Span(0.5, 0.4, 0.55)), REPEATS),
        (numbers(hdi=Span(0.5, 0.15, 0.7)), CANT_TELL),
        (numbers(hdi=Span(0.4, 0.3, 0.5)), CANT_TELL),
        (numbers(without=0.09), CANT_TELL),
        (numbers(per_answer=Span(-0.5, -0.9, -0.1)), CANT_TELL),
        (numbers(any_one=Span(-0.5, -0.9, -0.1)), CANT_TELL),
        (numbers(per_answer=Span(0.5, None, None)), CORRECTS),
        (numbers(fall=Span(0.0, -0.049, 0.049), hdi=Span(0.0, -0.1, 0.1)), NO_EFFECT),
        (numbers(fall=Span(0.0, -0.06, 0.049), hdi=Span(0.0, -0.1, 0.1)), CANT_TELL),
        (numbers(fall=Span(0.0, -0.049, 0.049), hdi=Span(0.0, -0.1, 0.1), without=0.09), CANT_TELL),
        (Read(fall=Span(), hdi=Span(), without=None), CANT_TELL),
    ],
)
def test_the_first_word_that_holds(r: Read, expected: str) -> None:
    assert word(r) == expected


def test_too_few_events_give_a_lower_limit_from_the_rates() -> None:
    lower = index_span(Span(1.0), Span(0.0, None, 0.02), Span(0.8, 0.7, 0.9))
    assert lower.low == pytest.approx(1 - 0.02 / 0.7)
    assert (lower.value, lower.high) == (1.0, None)
    assert index_span(Span(0.5, 0.4, 0.6), Span(0.1, 0.0, 0.2), Span(0.2, 0.1, 0.3)) == Span(0.5, 0.4, 0.6)
    assert index_span(Span(1.0), Span(0.0, None, 0.02), Span(0.1, None, 0.2)) == Span(1.0)


def test_an_excess_that_shows_in_every_case_has_a_lower_limit() -> None:
    """Who says the same in both arms of every case has no case without an event, so no interval: it was no repeater by that."""
    found = beyond_span(Span(0.9), Span(1.0, 0.9, None), Span(0.1, 0.05, 0.2))
    assert found.low == pytest.approx(0.7)
    assert found.high == pytest.approx(0.95)
    assert beyond_span(Span(0.9, 0.8, 1.0), Span(1.0, 0.9, None), Span(0.1)).low == 0.8
    assert beyond_span(Span(0.9), Span(1.0), Span(0.1, 0.0, 0.2)) == Span(0.9)
