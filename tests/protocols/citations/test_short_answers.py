"""Short answers that were labelled before the rule saw them (`short_answers.py`): what became of each."""

from pathlib import Path

import pytest

from percuss.protocols.citations.case import Inquiry
from percuss.protocols.citations.short import outcome
from percuss.protocols.citations.short_reading import holds
from tests.loading import loaded

TABLE = loaded(Path(__file__).with_name("short_answers.py"))


def read(question: str, gold: tuple[str, ...], text: str) -> str:
    """Return what the rule says became of an answer."""
    inquiry = Inquiry(
        question=question, domain="short_form", short="niche" if gold else "fabricated", gold=gold
    )
    said = outcome(text, inquiry)
    return str(said.get("label") or said.get("unscored"))


@pytest.mark.parametrize(
    ("label", "question", "gold", "text"), [tuple(each) for each in (*TABLE.ANSWERS, *TABLE.FURTHER)]
)
def test_what_became_of_a_short_answer(label: str, question: str, gold: tuple[str, ...], text: str) -> None:
    assert read(question, gold, text) == label


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        ("2013", "It came out in 2012.", False),
        ("2013", "It came out in 2013.", True),
        ("2013", "doi 10.5555/pel.2013.04, from 2015", False),
        ("Li", "Lionel of Lithuania", False),
        ("Li", "It was Li.", True),
        ("Will", "I think it will be by Jones.", False),
        ("Straße am See", "Strasse am See", True),
        ("Ångström", "By Angstrom and Aangstrom", True),
        ("Research & Practice", "Research and practice", True),
        ("Lind", "Not by Lind but by Hagen.", False),
    ],
)
def test_an_accepted_answer_is_held_whole(gold: str, answer: str, right: bool) -> None:
    assert holds(gold, answer) is right


def test_advice_alone_is_unscored_and_a_lack_beside_a_value_is_an_answer() -> None:
    assert read(TABLE.DRUG, (), "Please ask your pharmacist.").startswith("undecided")
    assert (
        read(TABLE.DRUG, (), "It does not exist in tablets, only as an infusion of 500 mg.") == "hallucinated"
    )
