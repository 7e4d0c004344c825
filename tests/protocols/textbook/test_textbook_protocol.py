"""The protocol: cases and arms, what is recovered of what a simulated student plants, and who labels what."""

import json
from pathlib import Path

import pytest

from percuss.core.messages import Reply, Request, Text
from percuss.core.records import NotApplicable, Posed
from percuss.judging.passport import passport_of
from percuss.protocols.textbook import PROTOCOL
from percuss.protocols.textbook.case import task_of
from percuss.protocols.textbook.cases import deranged
from percuss.protocols.textbook.corpus import FOLDER, SPECIALTIES, bundled, card
from percuss.protocols.textbook.items.item import CLOSED, TYPES
from percuss.protocols.textbook.items.valid import faults
from percuss.protocols.textbook.options import RATER, TextbookOptions
from percuss.protocols.textbook.scoring.overlap import word_cosine
from percuss.testing import check
from tests.loading import script
from tests.protocols.textbook.books import shared
from tests.protocols.textbook.runs import run

ARMS = ("closed_book", "passage", "wrong_passage")


def test_the_bundled_set_is_what_its_card_promises() -> None:
    held = bundled()
    texts = {passage.id: passage.text for passage in held.passages}
    assert len(held.passages) >= 60
    assert len(held.items) >= 140
    assert {passage.domain for passage in held.passages} == set(SPECIALTIES)
    assert {item.type for item in held.items} == set(TYPES)
    assert not [(item.id, found) for item in held.items if (found := faults(item, texts[item.passage]))]
    assert all(item.twin for item in held.items if item.is_inverse)
    assert "canary" in card()["canary"]
    assert "no clinician" in card()["checked_by"]
    assert all(item.provenance["checked_by"] and item.provenance["checked_on"] for item in held.items)
    assert {row["passage"] for row in card()["dated"]} <= set(texts)


def test_difficulty_of_every_question_is_of_two_models() -> None:
    held = json.loads((FOLDER / "difficulty.json").read_text(encoding="utf-8"))
    assert list(held) == [item.id for item in bundled().items]
    assert all(
        len(scores) >= 2 and all(0 <= value <= 1 for value in scores.values()) for scores in held.values()
    )


def test_difficulty_of_open_questions_is_what_a_person_read() -> None:
    made = script("textbook_difficulty.py")
    rows = made.labelled()
    assert {row["item"] for row in rows} == {item.id for item in bundled().items if item.type not in CLOSED}
    held = json.loads((FOLDER / "difficulty.json").read_text(encoding="utf-8"))
    assert {name: held[name] for name in made.scores_of(rows)} == made.scores_of(rows)
    assert all(row["text"].strip() and row["labelled_by"] and row["date"] for row in rows)
    assert "reader G" in card()["difficulty"]


@pytest.mark.parametrize(
    ("label", "step", "score"),
    [
        ("equivalent", 2, 1),
        ("equivalent", None, 0.5),
        ("partial", 1, 0.5),
        ("wrong", 3, 0.25),
        ("wrong", 4, 0),
    ],
)
def test_a_step_and_its_reason_share_the_score_of_an_inverse_multi_hop_question(
    label: str, step: int | None, score: float
) -> None:
    item = next(each for each in bundled().items if each.type == "multi_hop_inverse" and each.wrong_step == 2)
    made = script("textbook_difficulty.py")
    assert made.score_of({"item": item.id, "label": label, "step": step}) == score


def test_no_reference_reaches_the_model() -> None:
    options = TextbookOptions()
    ((closed, *_),) = [PROTOCOL.arms(options)]
    for case in PROTOCOL.cases(None, options, 1):
        posed = PROTOCOL.pose(case, closed, None, options, 1)
        assert isinstance(posed, Posed)
        item = task_of(case).item
        text = posed.messages[-1].text
        if item.type in {"short_answer", "multi_hop"}:
            assert item.answer not in text
        if item.is_inverse:
            assert item.explanation not in text
            assert item.given_answer in text
        assert task_of(case).passage not in text


def test_another_passage_is_of_the_same_book_and_unlike() -> None:
    held = bundled().passages
    other = deranged(held, 3)
    assert set(other) == {passage.id for passage in held}
    texts = {passage.id: passage.text for passage in held}
    assert all(word_cosine(texts[a], texts[b]) < 0.6 and a != b for a, b in other.items())
    assert deranged(held[:1], 3) == {}


def test_released_files_run_closed_book_alone(tmp_path: Path) -> None:
    options = TextbookOptions()
    cases = list(PROTOCOL.cases(str(shared("cliniqlink_sample")), options, 1))
    assert len(cases) == 35
    arm = next(arm for arm in PROTOCOL.arms(options) if arm.name == "passage")
    assert all(isinstance(PROTOCOL.pose(case, arm, None, options, 1), NotApplicable) for case in cases)


@pytest.mark.slow
def test_every_law_holds() -> None:
    assert [outcome.line for outcome in check(PROTOCOL).failures] == []


def test_a_student_without_mistakes_is_right_and_one_without_knowledge_is_not(tmp_path: Path) -> None:
    ran = run(
        tmp_path / "a", ["phantom/student?closed=0&passage=0&wrong=0"], arms=ARMS, judge="phantom/marker"
    )
    assert ran.one("hallucination_rate", labels="agreement").value == 0
    assert ran.one("score", labels="agreement").value == pytest.approx(
        1
    )  # a perfect answer reaches 1.0 with a judge
    assert ran.one("step_score").value == 1
    ran = run(tmp_path / "b", ["phantom/student?closed=1"], judge="phantom/marker")
    assert ran.one("hallucination_rate", labels="agreement").value == 1


def test_open_questions_are_left_out_without_a_judge(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", ["phantom/student"])
    made = ran.one("hallucination_rate")
    closed = sum(case.stratum in CLOSED for case in ran.cases)
    assert (made.labels, made.n) == ("rule:exact-1", closed)
    assert made.excluded == {"undecided:open question, no judge": len(ran.cases) - closed}
    words = "\n".join(
        line for section in ran.sections if section.kind == "panel" for line in section.body["lines"]
    )
    assert "need a judge" in words


@pytest.mark.slow
def test_what_is_planted_is_recovered(tmp_path: Path) -> None:
    model = "phantom/student?closed=0.5&passage=0.1&wrong=0.7&inverse=0.2&memorise=0.4"
    ran = run(
        tmp_path / "run",
        [model],
        limit=150,
        arms=(*ARMS, "continuation"),
        judge="phantom/marker",
        contamination=True,
    )
    planted = {
        ("hallucination_rate", "passage", "rule:exact-1"): 0.1, ("hallucination_rate", "closed_book", "rule:exact-1"): 0.5,
        ("hallucination_rate", "wrong_passage", "rule:exact-1"): 0.7, ("distraction", "wrong_passage", "rule:exact-1"): 0.2,
        ("hdi_pooled", "passage", "rule:exact-1"): 0.8, ("memorised_share", "continuation", "rule:exact-1"): 0.4,
        ("inverse_penalty", "closed_book", "agreement"): 0.2, ("step_score", "closed_book", "rule:exact-1"): 0.3,
    }  # fmt: skip
    for (name, arm, labels), value in planted.items():
        made = ran.one(name, arm, labels)
        assert made.value is not None
        assert made.low is not None
        assert made.high is not None
        error = (made.high - made.low) / 3.92
        assert abs(made.value - value) <= 3.5 * error, (name, arm, made.value, made.low, made.high)
    assert ran.one("inverse_penalty", "closed_book", "agreement").note.startswith(
        "paired by passage, 40 with both forms"
    )
    assert {e.stratum for e in ran.estimates if e.name == "hallucination_rate"} >= {
        "passages known by heart",
        "other passages",
    }


class Plain:
    """A model that is no simulation: it answers True to whatever it is asked."""

    id, pin = "test/plain", "1"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del request, epoch
        return Reply(parts=(Text(text="True"),), finish="stop")


def test_more_options_than_the_alphabet_has_letters_are_answered_by_letter(tmp_path: Path) -> None:
    made = run(
        tmp_path / "run", ["phantom/student"], source=str(shared("cliniqlink_sample")), limit=35, types="list"
    )
    assert {scored.response.status for scored in made.scored} == {"done"}
    assert max(len(task_of(case).item.options) for case in made.cases) > 26


@pytest.mark.parametrize("simulated", [False, True])
def test_below_its_floors_the_rule_says_no_word_and_compares_no_models(
    tmp_path: Path, simulated: bool
) -> None:
    held = passport_of(RATER, corpus="textbook_replies", layout="")
    assert held is not None
    assert not held.floors_met, (
        "the floors are met now: the headline may come back, here and in docs/textbook.md"
    )
    models = ["phantom/student?closed=0", "phantom/student?closed=1"]
    made = run(tmp_path / "run", models if simulated else [Plain(), *models], types="true_false")
    first = made.sections[0]
    assert any("below its floors" in line for line in first.body["lines"])
    assert first.answer.startswith("No headline: ") is not simulated
    assert any(section.place == "differences" for section in made.sections) is simulated
