"""Support of generated items by words in a row: what one sentence says or denies is decided, the rest isn't."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.generate.quoted import support_of
from percuss.protocols.textbook.ingest.funnel import sentences_of
from percuss.protocols.textbook.items.item import TYPES, Item

PASSAGE = (
    "Furosemide acts in the thick limb of the loop of Henle. It blocks the uptake of sodium there, so the urine becomes dilute. "
    "The usual dose is 40 mg a day by mouth. Signs of too much of it are thirst, cramps and a low blood pressure. "
    "It does not harm the liver."
)


def statement(text: str, answer: str = "true") -> Item:
    return Item(id="x", type="true_false", question=text, answer=answer)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Furosemide acts in the thick limb of the loop of Henle.", "supported"),
        ("Furosemide acts in the limb of the loop of Henle.", "supported"),
        ("Furosemide does not act in the thick limb of the loop of Henle.", "contradicts"),
        ("The usual dose is 80 mg a day by mouth.", "contradicts"),
        ("It harms the liver in the loop.", None),
        ("The urine is dilute because sodium is taken up.", None),
        ("The loop of Henle acts in furosemide.", None),
        ("Bananas ripen quickly in warm summer weather.", "not_in_passage"),
    ],
)
def test_a_statement_is_held_against_single_sentences(text: str, label: str | None) -> None:
    assert support_of(statement(text), PASSAGE).label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Furosemide acts in the thick limb of the loop of Henle.", "contradicts"),
        ("The usual dose is 80 mg a day by mouth.", "supported"),
        ("Furosemide does not act in the thick limb of the loop of Henle.", "supported"),
    ],
)
def test_a_false_statement_is_right_where_the_passage_denies_it(text: str, label: str) -> None:
    found = support_of(statement(text, "false"), PASSAGE)
    assert found.label == label
    assert found.quote in PASSAGE


@pytest.mark.parametrize(
    ("question", "answer", "label"),
    [
        ("Where does furosemide act?", "In the loop of Henle.", "supported"),
        ("Where does furosemide act?", "In the distal tubule.", None),
        ("What is the usual dose of furosemide?", "40 mg a day", "supported"),
        ("What is the usual dose of furosemide?", "400 mg a day", "not_in_passage"),
        ("What does this sentence say?", "The usual dose is 40 mg a day.", "not_in_passage"),
        ("Does it harm the liver?", "It harms the liver.", None),
    ],
)
def test_question_and_answer_must_stand_together(question: str, answer: str, label: str | None) -> None:
    item = Item(id="x", type="short_answer", question=question, answer=answer)
    found = support_of(item, PASSAGE)
    assert found.label == label
    assert found.reason


def test_a_list_needs_each_entry_and_an_inverse_form_stays_undecided() -> None:
    asked = Item(id="x", type="list", question="What are the signs of too much of it?", answers=("thirst", "cramps", "low blood pressure"))  # fmt: skip
    assert support_of(asked, PASSAGE).label == "supported"
    other = Item(id="x", type="list", question=asked.question, answers=("thirst", "a rash"))
    assert support_of(other, PASSAGE).label is None
    turned = Item(id="x", type="short_inverse", question="Where does furosemide act?", answer="In the loop of Henle.", given_answer="Duct.", explanation="So.")  # fmt: skip
    assert support_of(turned, PASSAGE).label is None
    assert support_of(turned, PASSAGE).quote


def test_an_answer_about_the_opposite_side_is_no_support() -> None:
    text = "The left ventricle fails when it is overloaded. Breathing is hard. Swollen ankles belong to failure of the right ventricle."
    item = Item(id="x", type="short_answer", question="What belongs to failure of the left ventricle?", answer="Swollen ankles")  # fmt: skip
    assert support_of(item, text).label is None


def test_no_bundled_item_is_read_as_unsupported_and_sentences_said_again_are_supported() -> None:
    held = bundled()
    passages = {passage.id: passage.text for passage in held.passages}
    assert not [item.id for item in held.items if support_of(item, passages[item.passage]).label not in {"supported", None}]  # fmt: skip
    said = [support_of(statement(sentence), text).label for text in passages.values() for sentence in sentences_of(text)]  # fmt: skip
    assert set(said) <= {"supported", None}
    assert said.count("supported") >= 0.9 * len(said)


@given(st.sampled_from(TYPES), st.text(max_size=80), st.text(max_size=40), st.text(max_size=200))
def test_any_text_is_read_without_an_error(kind: str, question: str, answer: str, passage: str) -> None:
    item = Item(id="x", type=kind, question=question, answer=answer, answers=(answer,))  # type: ignore[arg-type]
    assert support_of(item, passage).label in {"supported", "contradicts", "not_in_passage", None}
