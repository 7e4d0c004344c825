"""Parsers on the labelled replies of tests/reading/textbook; the passport that reports quote is of these parsers and rows."""

import json
from types import ModuleType

import pytest

from percuss.judging.passport import passport_of
from percuss.protocols.textbook.scoring.parsing import NAME, parse_list, parse_step, parse_true_false
from tests.loading import script


@pytest.fixture(scope="module")
def reading() -> ModuleType:
    return script("reading_textbook.py")


def test_replies_are_read_as_a_person_reads_them(reading: ModuleType) -> None:
    rows = [row for row in reading.rows_of("dev") if row["type"] != "multi_hop_inverse"]
    found = reading.figures(rows)
    assert found["of_decided"]["share"] >= reading.RIGHT
    assert found["of_told"]["share"] >= reading.DECIDED
    assert found["false_unsupported"]["k"] == found["false_supported"]["k"] == 0


def test_the_passport_is_of_these_parsers_and_rows(reading: ModuleType) -> None:
    held = json.loads(reading.PASSPORTS.read_text(encoding="utf-8"))["passports"]
    locked = reading.rows_of("locked")
    for row, found in zip(
        held,
        (
            reading.figures([one for one in locked if one["type"] != "multi_hop_inverse"]),
            reading.figures([one for one in locked if one["type"] == "multi_hop_inverse"]),
            reading.items_figures(reading.rows_of("locked", "items.jsonl")),
        ),
        strict=True,
    ):
        assert {name: row[name] for name in found} == found, row["reader"]
    passport = passport_of(NAME, corpus="textbook_replies", layout="")
    assert passport is not None
    assert passport.n == held[0]["n"]


def test_the_support_of_generated_items_is_read_as_a_person_reads_it(reading: ModuleType) -> None:
    found = reading.items_figures(reading.rows_of("dev", "items.jsonl"))
    assert found["of_decided"]["share"] >= reading.RIGHT
    assert found["false_supported"]["k"] == found["false_unsupported"]["k"] == 0


def test_what_was_learned_of_the_dev_half() -> None:
    options = ("Low cholesterol", "Gallstones", "Gluten")
    said = "A. Low cholesterol\nB. Gallstones\nC. Gluten\n\nThe correct answer is:\n\nA. Low cholesterol\nB. Gallstones"
    assert parse_list(said, options).chosen == options[:2], "what stands after the mark, all of it"
    steps = "Step 1: It falls.\nStep 2: It rises.\n\nAnswer: The first wrong one is Step 2: it rises."
    assert parse_step(steps, 3).chosen == ("2",), "steps said again before the answer don't count"
    again = "The correct answer is:\nStep 1: It falls.\nStep 2: It rises."
    assert parse_step(again, 3).reason == "undecided:several steps"
    assert parse_true_false("The statement is not so. The right figure is 92.").chosen == ("false",)
