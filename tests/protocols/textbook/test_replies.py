"""Parsers on the labelled replies of tests/reading/textbook; the passport that reports quote is of these parsers and rows."""

import json
from collections.abc import Callable
from types import ModuleType

import pytest

from percuss.judging.passport import passport_of
from percuss.protocols.textbook import PROTOCOL
from percuss.protocols.textbook.generate import PROTOCOL as GENERATE
from percuss.protocols.textbook.scoring.parsing import (
    NAME,
    parse_choice,
    parse_list,
    parse_step,
    parse_true_false,
)
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
        versions = (GENERATE if row["corpus"] == reading.GENERATED else PROTOCOL).manifest["readers"][
            "versions"
        ]
        assert versions[row["reader"]] == row["version"], row["reader"]
        floor = reading.items_met if row["corpus"] == reading.GENERATED else reading.met
        assert row["floors_met"] == floor(row), row["reader"]
    passport = passport_of(NAME, corpus="textbook_replies", layout="")
    assert passport is not None
    assert passport.n == held[0]["n"]


def test_floors_are_by_true_class_and_by_limits(reading: ModuleType) -> None:
    def pairs(
        right: int, missed: int, wrong: int, raised: int
    ) -> list[tuple[str, str, Callable[[str], bool]]]:
        told = (
            [("a", "a")] * (right - missed)
            + [("a", "b")] * missed
            + [("b", "b")] * (wrong - raised)
            + [("b", "a")] * raised
        )
        return [(label, said, "a".__eq__) for label, said in told]

    assert reading.met(reading.counted(pairs(40, 0, 130, 1)))
    assert not reading.met(reading.counted(pairs(40, 8, 130, 1))), (
        "8 of 40 right answers missed: the limit is above .20"
    )
    assert not reading.met(reading.counted(pairs(40, 0, 130, 5))), (
        "5 of 130 wrong ones read right: the limit is above .05"
    )
    assert not reading.met(reading.counted(pairs(40, 0, 130, 1) + [("b", "c", "a".__eq__)] * 10)), (
        "of 180 replies 11 are read otherwise: below the declared .95, whatever that does to the score"
    )
    assert not reading.met(reading.counted(pairs(4, 0, 4, 0))), "eight rows say nothing"


OPTIONS = ("Isoniazid", "Rifampicin", "Pyrazinamide", "Ethambutol")
PROSE = (
    (
        "The correct answer is (D) Ethambutol. (A) Isoniazid harms other nerves, and (B) rifampicin colours urine.",
        "D",
    ),
    ("Ethambutol, not isoniazid, can harm the optic nerve.", "D"),
    ("Ethambutol rather than rifampicin harms the optic nerve.", "D"),
    ("C is right, not B.", "C"),
    ("The answer is not B but C.", "C"),
    (
        "Of the options, A. Isoniazid, B. Rifampicin, C. Pyrazinamide and D. Ethambutol, ethambutol is the one that harms the eye.",
        "D",
    ),
    ("Mark ethambutol. Against isoniazid, rifampicin and pyrazinamide speaks that they spare the eye.", "D"),
    (
        "I would mark option D, ethambutol, because isoniazid, rifampicin and pyrazinamide do not harm the eye.",
        "D",
    ),
    (
        "The other options, isoniazid, rifampicin and pyrazinamide, do not harm the eye, so the answer is ethambutol.",
        "D",
    ),
    ("Option D (ethambutol) is right, and options A, B and C are wrong.", "D"),
    ("Ethambutol is the right one, since isoniazid does not.", "D"),
    ("Step 1: Look at isoniazid.\nStep 2: Look at ethambutol.\nSo the drug is ethambutol.", "D"),
    (
        "First, isoniazid harms nerves. Second, rifampicin colours urine. Therefore, ethambutol is the correct choice.",
        "D",
    ),
    ("Isoniazid is not the one. Ethambutol is.", "D"),
    ("The best choice would be Ethambutol, as Isoniazid, Rifampicin and Pyrazinamide spare the eye", "D"),
    ("The correct choice is D) Ethambutol, not A) Isoniazid.", "D"),
    ("Isoniazid and ethambutol can both harm the optic nerve.", "AD"),
    ("Either B or D.", "BD"),
    ("It could be isoniazid or ethambutol.", "AD"),
    ("Rifampicin is wrong. Isoniazid is wrong. Pyrazinamide is wrong.", ""),
    ("None of these.", ""),
)


@pytest.mark.parametrize(("text", "letters"), PROSE)
def test_prose_with_reasons_chooses_what_it_says(text: str, letters: str) -> None:
    found = parse_choice(text, OPTIONS)
    assert tuple(OPTIONS["ABCD".index(letter)] for letter in letters) == found.chosen
    assert (found.reason is None) == bool(letters)


LISTED = (
    ("The main drugs are isoniazid, pyrazinamide and ethambutol. Rifampicin is not a reason.", "ACD"),
    ("Isoniazid and ethambutol, but not rifampicin.", "AD"),
    ("All of the above.", "ABCD"),
    ("Options A, C and D are right, and B is wrong.", "ACD"),
    ("The correct answer is D. Ethambutol. This is because it harms the eye, and isoniazid does not.", "D"),
    ("It should not be given with isoniazid, rifampicin or ethambutol because it makes them worse.", "ABD"),
)


@pytest.mark.parametrize(("text", "letters"), LISTED)
def test_a_list_in_prose_is_what_it_names(text: str, letters: str) -> None:
    assert set(parse_list(text, OPTIONS).chosen) == {OPTIONS["ABCD".index(letter)] for letter in letters}


def test_an_entry_that_was_not_offered_is_not_its_letter() -> None:
    assert parse_list("D: Streptomycin\nA: Isoniazid", OPTIONS).chosen == ("Streptomycin", "Isoniazid")
    assert parse_list("A: because it is the oldest of all of them\nD. Ethambutol", OPTIONS).chosen == (
        "Isoniazid",
        "Ethambutol",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [("That's right.", "true"), ("I agree.", "true"), ("I disagree with this statement.", "false"), ("It cannot be true.", "false"),
     ("That is hardly correct.", "false"), ("The book is mistaken.", "false"), ("I am not sure whether it is true.", None)],
)  # fmt: skip
def test_a_statement_is_judged_in_other_words(text: str, said: str | None) -> None:
    assert parse_true_false(text).chosen == (() if said is None else (said,))


@pytest.mark.parametrize(
    ("text", "step"),
    [("Step 1 is right. Step 2 is wrong.", "2"), ("Steps 1 and 2 are right; step 3 goes wrong.", "3"),
     ("It goes wrong in step 2: the valve opens. Step 3 follows from it.", "2"), ("Everything up to step 2 is right. Step 3 is the first mistake.", "3")],
)  # fmt: skip
def test_steps_that_are_called_right_are_passed_over(text: str, step: str) -> None:
    assert parse_step(text, 4).chosen == (step,)


@pytest.mark.parametrize(("file", "least"), [("replies.jsonl", 150), ("items.jsonl", 100)])
def test_a_second_reader_agrees_with_the_first(file: str, least: int, reading: ModuleType) -> None:
    """Reading, section 2: read twice by people who saw neither rule nor the other's labels; below .70 the definition is mended."""
    found = reading.second_labels(reading.all_rows(file))
    assert found["n"] >= least
    assert found["kappa"] >= 0.70


def test_there_are_enough_labelled_items(reading: ModuleType) -> None:
    rows = reading.all_rows("items.jsonl")
    assert len(rows) >= 200
    assert {row["label"] for row in rows} == {"supported", "unsupported", "?"}
    assert sum(bool(row["faults"]) for row in rows) >= 50  # invalid ones among them


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
