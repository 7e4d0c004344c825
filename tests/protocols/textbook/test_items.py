"""The released layout loads with its conventions, goes round, and what is malformed is named."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from percuss.core.errors import BadInput
from percuss.protocols.textbook.items.item import CLOSED, FORWARD, OPEN, TYPES, Item, letters
from percuss.protocols.textbook.items.released import item_of, load_released, released_row, step_of
from percuss.protocols.textbook.items.valid import faults
from tests.protocols.textbook.books import PROSE, shared

SHORT_INVERSE = {"question": "What does it do here?", "answer": "It rises.", "false_answer": "It rises.",
                 "incorrect_explanation": "It falls, because salt is lost.", "type": "short_inverse"}  # fmt: skip


def test_the_released_sample_loads() -> None:
    loaded = load_released(shared("cliniqlink_sample"))
    assert len(loaded.items) == 35
    assert loaded.errors == ()
    assert [(file, words) for file, _, words in loaded.notes] == [
        ("short_inverse.json", "reference: explanation only")
    ] * 5
    assert {kind: sum(item.type == kind for item in loaded.items) for kind in TYPES} == dict.fromkeys(
        TYPES, 5
    )
    assert all(
        item.wrong_step and item.explanation for item in loaded.items if item.type == "multi_hop_inverse"
    )


def test_released_items_go_round() -> None:
    for item in load_released(shared("cliniqlink_sample")).items:
        again = item_of(released_row(item))
        assert again == item


def test_a_short_inverse_of_the_layout_holds_its_truth_in_the_explanation() -> None:
    item = item_of(SHORT_INVERSE)
    assert (item.given_answer, item.answer, item.reference) == ("It rises.", "", "explanation only")
    assert item.right == "It falls, because salt is lost."
    assert faults(item) == ()
    ours = item_of({**SHORT_INVERSE, "answer": "It falls."})
    assert (ours.answer, ours.given_answer, ours.reference) == ("It falls.", "It rises.", "answer")
    assert item_of(released_row(ours)).answer == "It falls."


@pytest.mark.parametrize(
    ("told", "step", "words"),
    [
        (["- Step 3 contains it.", "- Explanation: So."], 3, "So."),
        (["Step 12 is wrong, as it is."], 12, "Step 12 is wrong, as it is."),
        ("- Step 2\n", 2, "Step 2"),
        (["- Explanation: It errs."], None, "It errs."),
        (None, None, ""),
    ],
)
def test_a_step_is_read_from_bullets(told: Any, step: int | None, words: str) -> None:
    assert step_of(told) == (step, words)


GOOD = {
    "true_false": Item(id="1", type="true_false", question="Furosemide acts in the loop.", answer="true"),
    "multiple_choice": Item(id="2", type="multiple_choice", question="Which drug is it?", options=("an artery", "b cells", "c fibres"), answer="b cells"),
    "list": Item(id="3", type="list", question="Which drugs are they?", options=("x", "y", "z"), answers=("x", "y")),
    "short_answer": Item(id="4", type="short_answer", question="Where does it act?", answer="In the loop."),
    "multi_hop": Item(id="5", type="multi_hop", question="What follows from it?", answer="Loss.", reasoning=("One.", "Two.")),
    "short_inverse": Item(id="6", type="short_inverse", question="Where does it act?", answer="Loop.", given_answer="Duct.", explanation="It is not so."),
    "multi_hop_inverse": Item(id="7", type="multi_hop_inverse", question="What follows from it?", given_answer="Gain.", explanation="No.", reasoning=("One.", "Two."), wrong_step=2),
}  # fmt: skip


@pytest.mark.parametrize("kind", TYPES)
def test_a_good_item_of_each_type_has_no_fault(kind: str) -> None:
    assert faults(GOOD[kind]) == ()


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("true_false", {"answer": "maybe"}, "expected true or false"),
        ("true_false", {"question": "It is"}, "fewer than three words"),
        ("true_false", {"question": "The statement is true, the answer is true."}, "speaks of itself"),
        ("true_false", {"question": "Does furosemide act in the loop?"}, "is a question"),
        ("true_false", {"question": "According to the passage it is so."}, "speaks of the passage"),
        ("multiple_choice", {"options": ("a", "b")}, "has 2 options"),
        ("multiple_choice", {"options": ("a b", "A, b", "c"), "answer": "c"}, "one thing twice"),
        ("multiple_choice", {"answer": "d"}, "not one of the options"),
        ("multiple_choice", {"options": ("A", "B", "C", "D"), "answer": "B"}, "bare letters"),
        ("list", {"answers": ("x",)}, "has 1 entries"),
        ("list", {"answers": ("x", "w")}, "not among the options"),
        ("list", {"answers": ("x", "y", "z")}, "every option is right"),
        ("list", {"answers": ("x", "X")}, "one thing twice"),
        ("short_answer", {"answer": " "}, "no answer"),
        ("short_answer", {"answer": "Where does it act"}, "says the question again"),
        ("multi_hop", {"reasoning": ("One.",)}, "has 1 steps"),
        ("short_inverse", {"given_answer": "loop"}, "the wrong answer is the right one"),
        ("short_inverse", {"explanation": ""}, "no explanation"),
        (
            "multi_hop_inverse",
            {"reasoning": ("The passage says one.", "Two.")},
            "that is shown speaks of the passage",
        ),
        ("short_inverse", {"given_answer": "The text doesn't say."}, "that is shown speaks of the passage"),
        ("multi_hop_inverse", {"wrong_step": 3}, "expected 1 to 2"),
        ("multi_hop_inverse", {"wrong_step": None}, "no wrong step"),
    ],
)
def test_a_fault_is_named(kind: str, change: dict[str, Any], words: str) -> None:
    assert any(words in fault for fault in faults(msgspec.structs.replace(GOOD[kind], **change)))


def test_entries_of_a_list_must_stand_in_the_passage() -> None:
    item = Item(
        id="1", type="list", question="Which two are named here?", answers=("furosemide", "loop of Henle")
    )
    assert faults(item, PROSE[0]) == ()
    wrong = msgspec.structs.replace(item, answers=("furosemide", "digoxin"))
    assert faults(wrong, PROSE[0]) == ("the entry 'digoxin' is not in the passage",)


def test_steps_that_nobody_is_shown_may_speak_of_the_passage() -> None:
    assert (
        faults(msgspec.structs.replace(GOOD["multi_hop"], reasoning=("The passage says one.", "Two."))) == ()
    )


def test_a_false_statement_must_not_stand_in_the_passage() -> None:
    item = Item(id="1", type="true_false", question="Furosemide acts in the LOOP.", answer="false")
    assert faults(item, "It is so. Furosemide acts in the loop.") == ("the false statement stands in the passage word for word",)  # fmt: skip
    assert faults(item, "Furosemide acts in the duct.") == ()
    assert faults(msgspec.structs.replace(item, answer="true"), "Furosemide acts in the loop.") == ()


def test_a_file_without_items_is_refused_and_a_bad_row_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    with pytest.raises(BadInput, match="holds no items"):
        load_released(tmp_path)
    (tmp_path / "list.json").write_text(
        json.dumps([{"question": "Which are they?", "answer": "x", "type": "list"}]), encoding="utf-8"
    )
    loaded = load_released(tmp_path)
    assert loaded.errors == (("list.json", 1, "the answer of a list is str; expected a list"),)


def test_types_are_closed_or_open_and_inverse_ones_have_a_forward_one() -> None:
    assert set(TYPES) == CLOSED | OPEN
    assert set(FORWARD) | set(FORWARD.values()) == OPEN
    assert letters(tuple(map(str, range(28))))[-2:] == ("AA", "AB")
