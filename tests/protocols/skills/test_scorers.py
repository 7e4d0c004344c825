"""The scorers against tables of answers: right, wrong, and what can't be read, which is never a zero."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.skills.scorers.accuracy import amount_of, choice, extract, label, multi
from percuss.protocols.skills.scorers.boxes import Box, boxes
from percuss.protocols.skills.scorers.defence import defence
from percuss.protocols.skills.scorers.edit import edit_similarity
from percuss.protocols.skills.scorers.labels import Counts, labelled, micro_f1
from percuss.protocols.skills.scorers.likert import level_of
from percuss.protocols.skills.scorers.points import recall
from percuss.protocols.skills.scorers.ranking import average_precision, mean_average_precision, ranked
from percuss.protocols.skills.scorers.rubric import Criterion, criteria_of, rubric
from percuss.protocols.skills.scorers.score import Score
from tests.protocols.skills import scorer_tables as tables

LEAST = 25
ONE = (tables.DRUGS, "B")
SCORERS: dict[str, tuple[Callable[..., Score], Sequence[tables.Row], tuple[Any, ...]]] = {
    "accuracy, one option": (choice, tables.CHOICE, ONE),
    "accuracy, several options": (multi, tables.MULTI, (tables.SIGNS, ("A", "B"))),
    "accuracy, a label": (label, tables.LABEL, (tables.DEPARTMENTS, "cardiology")),
    "accuracy, fields": (extract, tables.EXTRACT, (tables.ADMISSION,)),
    "accuracy, an amount": (amount_of, tables.CALC, (1280,)),
    "macro-recall": (recall, tables.RECALL, (tables.HEPARIN,)),
    "semantic recall": (recall, tables.NEAR_MISSES, (tables.HEPARIN,)),
    "1 - normalised edit distance": (edit_similarity, tables.EDIT, ("Hb 12.5",)),
}


@pytest.mark.parametrize("name", SCORERS)
def test_a_table_has_cases_enough_and_the_scorer_agrees_with_all_of_them(name: str) -> None:
    score, rows, item = SCORERS[name]
    garbage: list[tables.Row] = [((answer, *item), None, why) for answer, why in tables.GARBAGE]
    assert len(rows) + len(garbage) >= LEAST
    wrong = []
    for given_, value, why in [*rows, *garbage]:
        made = score(*given_)
        same = made.value == pytest.approx(value) if value is not None else made.value is None
        if not same or not made.reason.startswith(why):
            wrong.append((str(given_)[:80], value, why, made.value, made.reason))
    assert not wrong


@pytest.mark.parametrize(("answer", "right", "share"), tables.PARTIAL)
def test_partial_credit_stands_beside_the_score_of_several_options(
    answer: str, right: Sequence[str], share: float
) -> None:
    made = multi(answer, tables.SIGNS, right)
    assert made.value in {0, 100}
    assert made.parts["partial"] == pytest.approx(share)


def test_label_sets_are_counted_or_said_to_be_unreadable() -> None:
    garbage = [((answer, tables.QUALITY, ["rotation"]), why) for answer, why in tables.GARBAGE]
    rows = [*tables.LABEL_SETS, *garbage]
    assert len(rows) >= LEAST
    for given_, wanted in rows:
        made = labelled(*given_)
        if isinstance(wanted, str):
            assert isinstance(made, Score), given_
            assert made.value is None
            assert made.reason.startswith(wanted)
        else:
            assert made == Counts(*wanted), given_


def test_micro_f1_adds_up_before_it_divides() -> None:
    assert micro_f1([Counts(1, 0, 0), Counts(0, 3, 0)]).value == pytest.approx(40)
    assert micro_f1([Counts(0, 0, 0), Counts(2, 1, 1)]).value == pytest.approx(200 * 2 / 6)
    assert micro_f1([Counts(0, 2, 1)]).value == 0
    assert micro_f1([Counts(0, 0, 0)]).reason.startswith("not_applicable:")
    assert micro_f1([]).value is None


def test_boxes_are_matched_one_to_one_and_extra_ones_cost() -> None:
    assert len(tables.BOXES) + len(tables.GARBAGE) >= LEAST
    for answer, right, relative, value, why in tables.BOXES:
        made = boxes(answer, [Box(*one) for one in right], relative=relative)
        assert made.value == (None if value is None else pytest.approx(value)), answer[:60]
        assert made.reason.startswith(why), made.reason
    for bad, why in tables.GARBAGE:
        assert boxes(bad, (Box(0, 0, 1, 1),), relative=False).reason.startswith(why)


def test_the_label_of_a_matched_box_counts_from_half_its_area_on() -> None:
    right = (Box(0, 0, 2, 2, "mass"),)
    for answer, share in (
        ('[{"label": "Mass", "box": [0, 0, 2, 1]}]', 100),
        ('[{"label": "nodule", "box": [0, 0, 2, 2]}]', 0),
        ('[{"label": "mass", "box": [0, 0, 2, 0.9]}]', 0),
    ):
        assert boxes(answer, right, relative=False).parts["accuracy"] == share


def test_average_precision_is_over_all_relevant_documents() -> None:
    assert len(tables.RANKINGS) >= LEAST
    for given_, value, why in tables.RANKINGS:
        made = average_precision(*given_)
        assert made.value == (None if value is None else pytest.approx(value)), str(given_)[:60]
        assert made.reason.startswith(why)
    assert ranked({"b": 0.5, "a": 0.5, "c": 0.7}) == ["c", "a", "b"]
    both = [average_precision(["a"], {"a"}), average_precision(["x"], {"a"}), average_precision(["x"], ())]
    assert mean_average_precision(both).value == 50
    assert mean_average_precision([]).value is None


def test_a_rubric_counts_what_is_decided_and_bounds_what_is_not() -> None:
    assert len(tables.RUBRICS) + len(tables.CRITERIA) >= LEAST
    for weights, said, value, more in tables.RUBRICS:
        made = rubric([Criterion(says="it is so", weight=weight) for weight in weights], said)
        if value is None:
            assert made.value is None
            assert made.reason.startswith(more)
        else:
            assert made.value == pytest.approx(value)
            assert (made.parts["low"], made.parts["high"]) == pytest.approx(more)
    for held, why in tables.CRITERIA:
        wrong = criteria_of(held)
        assert isinstance(wrong, Score), held
        assert wrong.reason.startswith(why)


def test_defence_never_stands_without_over_refusal() -> None:
    assert len(tables.DEFENCES) >= LEAST
    for harmed, refused, success, over, both in tables.DEFENCES:
        made = defence(harmed, refused)
        for part, value in zip(made, (success, over, both), strict=True):
            assert part.value == (None if value is None else pytest.approx(value)), (harmed, refused)
            assert bool(part.reason) == (value is None)


def test_levels_are_five_bins_of_equal_width() -> None:
    assert len(tables.LEVELS) >= LEAST
    for score, level in tables.LEVELS:
        made = level_of(score)
        assert made.value == level, score
        assert bool(made.reason) == (level is None)


@given(
    st.one_of(
        st.none(),
        st.integers(),
        st.floats(),
        st.binary(max_size=20),
        st.lists(st.text(max_size=3), max_size=3),
    )
)
def test_whatever_is_no_text_is_unscored_by_every_scorer_of_text(answer: object) -> None:
    for score, _, item in SCORERS.values():
        assert score(answer, *item).value is None


@given(st.text(max_size=60))
def test_no_text_makes_a_scorer_raise_or_leave_the_scale(answer: str) -> None:
    for score, _, item in SCORERS.values():
        made = score(answer, *item)
        assert made.value is None or 0 <= made.value <= 100
        assert (made.value is None) == bool(made.reason)
