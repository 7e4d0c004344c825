"""What only repeats the question, and what doesn't."""

import json
from pathlib import Path

import pytest

from percuss.text.echo import echo

READING = Path(__file__).resolve().parents[2] / "reading"


@pytest.mark.parametrize(
    ("claim", "question", "given"),
    [
        ("The patient is a 54-year-old woman.", "A 54-year-old woman has chest pain. What is it?", True),
        ("She has chest pain.", "A 54-year-old woman has chest pain. What is it?", True),
        ("She has no chest pain.", "A 54-year-old woman has chest pain. What is it?", False),
        ("She is 55 years old.", "A 54-year-old woman has chest pain. What is it?", False),
        ("She has pneumonia.", "A 54-year-old woman has chest pain. What is it?", False),
        ("The patient has heart failure.", "Summarise the heart failure of this patient.", True),
        (
            "The patient has lung adenocarcinoma.",
            "Cohort: lung adenocarcinoma. How suited is she to immunotherapy?",
            True,
        ),
        (
            "Lung adenocarcinoma, stage IIIA.",
            "Cohort: lung adenocarcinoma. How suited is she to immunotherapy?",
            False,
        ),
    ],
)
def test_statements_are_held_against_the_question(claim: str, question: str, given: bool) -> None:
    assert echo(claim, question).given is given, echo(claim, question).reason


@pytest.mark.parametrize("claim", ["The diabetes is controlled.", "The diabetes is not controlled."])
def test_what_is_asked_by_yes_or_no_is_not_given(claim: str) -> None:
    assert echo(claim, "Is the diabetes controlled?").given is not True


def test_asking_for_a_diagnosis_does_not_give_it() -> None:
    assert echo("He has pneumonia.", "Does he have pneumonia?").given is not True


def test_few_real_claims_that_say_more_than_the_question_are_called_given() -> None:
    lines = (READING / "support.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["half"] == "dev" and not row["given"]]
    assert len(rows) >= 200
    called = [row["text"] for row in rows if echo(row["text"], row["question"] or "").given]
    assert called == [
        "Patient's Diagnosis: Heart Failure"
    ]  # the question asks to summarise the heart failure
