"""The 32 templates, their answers, and the knowledge base beside them."""

import json
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadInput
from percuss.protocols.explanation import knowledge
from percuss.protocols.explanation.cases.tables import question_id
from percuss.protocols.explanation.chest.sample import sample
from percuss.protocols.explanation.fields import FIELDS, problem
from percuss.protocols.explanation.knowledge import (
    Base,
    Entry,
    Group,
    QuestionEntry,
    Term,
    bundled,
    read_base,
)
from percuss.protocols.explanation.knowledge.imported import import_base
from percuss.protocols.explanation.knowledge.lint import lint
from percuss.protocols.explanation.questions import BY_ID, QUESTIONS

CLEAR = {name: values[0] for name, values in FIELDS.items()}
FOLDER = Path(knowledge.__file__).parent


def test_there_are_32_of_four_types() -> None:
    kinds = [question.kind for question in QUESTIONS]
    assert [kinds.count(kind) for kind in ("binary", "ordinal", "comparative", "spatial")] == [18, 8, 3, 3]
    assert len({question.text for question in QUESTIONS}) == 32
    assert all(question.regions for question in QUESTIONS)


@pytest.mark.parametrize(
    ("question", "fields", "answer"),
    [
        ("b01", {"field": "full"}, "yes"),
        ("b01", {"field": "base_cut"}, "no"),
        ("b02", {"rotated": True}, "yes"),
        ("b03", {"heart": 1}, "yes"),
        ("b03", {"heart": 0}, "no"),
        ("b04", {"congestion": 1}, "yes"),
        ("b05", {"effusion_right": 1}, "yes"),
        ("b06", {"effusion_right": 4, "effusion_left": 0}, "no"),
        ("b12", {"pneumothorax_left": True}, "yes"),
        ("b18", {"chest_tube_right": False, "chest_tube_left": True}, "yes"),
        ("o01", {"heart": 3}, "massively enlarged"),
        ("o04", {"effusion_left": 2}, "mild"),
        ("o08", {"atelectasis_left": 4}, "severe"),
        ("c01", {"effusion_right": 2, "effusion_left": 1}, "right"),
        ("c02", {"opacity_right": 1, "opacity_left": 3}, "left"),
        ("c03", {"atelectasis_right": 2, "atelectasis_left": 2}, "same severity"),
        ("c03", {"atelectasis_right": 0, "atelectasis_left": 0}, "none"),
        ("s01", {"ett": False}, "not present"),
        ("s01", {"ett": True, "ett_position": "too low"}, "too low"),
        ("s02", {"cvc": True, "cvc_position": "turned"}, "turned"),
        ("s03", {"chest_tube_right": True, "chest_tube_left": True}, "both"),
        ("s03", {"chest_tube_right": False, "chest_tube_left": False}, "none"),
    ],
)
def test_answers_follow_from_the_fields(question: str, fields: dict[str, object], answer: str) -> None:
    assert BY_ID[question].answer(fields) == answer


def test_a_missing_field_leaves_the_question_unposed() -> None:
    assert BY_ID["b05"].answer({}) is None
    assert BY_ID["c01"].answer({"effusion_right": 2}) is None
    assert BY_ID["s01"].answer({"ett": True}) is None


def test_fields_are_checked_by_name_and_range() -> None:
    assert problem(CLEAR) is None
    assert "unknown" in str(problem({"efusion_right": 1}))
    assert "expected one of 0, 1, 2, 3, 4" in str(problem({"effusion_right": 5}))
    assert "expected one of false, true" in str(problem({"rotated": 1}))


def test_the_icu_mix_draws_at_the_published_rates() -> None:
    # papers/1 Table S1: 610 of 1,000 have a right effusion, 770 congestion, 255 a tube. SD of 600 draws: 0.02.
    drawn = [sample(i, seed=3, mix="icu") for i in range(600)]
    for name, rate in (("effusion_right", 0.610), ("congestion", 0.770), ("ett", 0.255), ("heart", 0.750)):
        assert abs(sum(bool(row[name]) for row in drawn) / 600 - rate) < 0.08, name


def test_distances_count_grades_for_ordinal_questions_only() -> None:
    assert [BY_ID["o03"].distance("none", option) for option in BY_ID["o03"].options] == [0, 1, 2, 3, 4]
    assert BY_ID["c01"].distance("right", "none") == 1


def test_our_knowledge_base_covers_every_option_and_fits_its_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    raw = json.loads((FOLDER / "chest.json").read_text(encoding="utf-8"))
    jsonschema.validate(raw, json.loads((FOLDER / "schema.json").read_text(encoding="utf-8")))
    assert lint(bundled()) == ()
    assert {name: set(q.answers) for name, q in bundled().questions.items()} == {
        question.id: set(question.options) for question in QUESTIONS
    }


def entry(**fields: Any) -> Base:
    question = BY_ID["b05"]
    return Base(
        questions={
            "b05": QuestionEntry(question=question.text, type="binary", answers={"yes": Entry(**fields)})
        }
    )


@pytest.mark.parametrize(
    ("base", "level", "words"),
    [
        (entry(), "error", "neither must_all nor a group"),
        (entry(at_least_k_of=(Group(k=3, any_of=(Term(term="a"), Term(term="b"))),)), "error", "k is 3 of 2"),
        (entry(must_all=(Term(term="effusion"),), forbidden=(Term(term="x", synonyms=("Effusion",)),)), "error", "both required and forbidden"),
        (entry(must_all=(Term(term="effusion"),)), "warning", "no entry"),
        (Base(questions={"b99": QuestionEntry(question="?", type="binary", answers={})}), "error", "no question is called"),
        (Base(questions={"b05": QuestionEntry(question="?", type="binary", answers={"present": Entry(must_all=(Term(term="a"),))})}), "warning", "only another word"),
        (Base(questions={"b05": QuestionEntry(question="?", type="binary", answers={"maybe": Entry(must_all=(Term(term="a"),))})}), "error", "the answer is unknown"),
    ],
)  # fmt: skip
def test_the_linter_finds(base: Base, level: str, words: str) -> None:
    assert any(finding.level == level and words in finding.sentence for finding in lint(base)), lint(base)


def test_an_unknown_key_in_ours_is_an_error() -> None:
    with pytest.raises(BadInput, match="unknown field"):
        read_base(
            {"questions": {"b05": {"question": "?", "type": "binary", "answers": {"yes": {"must": []}}}}}
        )


RELEASED = """{
  "How severe is the pulmonary congestion? (none, questionable, mild, moderate, severe)": {
    "type": "ordinal",
    "colour": "blue",
    "answers": {
      "None": {
        "must_all": [ {"term": "no congestion, none", "synonyms": ["clear vessels",], }, ],
        "at_least_k_of": [ ],
        "forbidden": [ {"term": "septal lines"}, ],
        "context": {"caps": [{"if": "projection == AP", "max": 4}], "notes": "upright films only"},
        "projection_hint": "AP",
      },
      "severe": { "at_least_k_of": [ {"k": 1, "any_of": [ {"term": "airspace edema"}, ]}, ], },
    },
  },
}"""


def test_the_released_layout_is_read_and_mended(tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    path.write_text(RELEASED.replace('    "colour": "blue",\n', ""), encoding="utf-8")
    base, warnings = import_base(path)
    found = base.entry("o02", "none")
    assert found is not None
    assert found.must_all == (Term(term="no congestion, none", synonyms=("clear vessels",)),)
    assert found.caps[0].max == 4
    assert "upright" in found.additional_guidance
    assert "AP" in found.additional_guidance
    assert base.entry("o02", "severe") is not None
    assert any("trailing commas" in warning for warning in warnings)


def test_an_unknown_key_that_holds_something_is_refused_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    path.write_text(RELEASED, encoding="utf-8")
    with pytest.raises(BadInput, match="> colour: the key is unknown and holds something"):
        import_base(path)


def test_a_question_that_is_none_of_the_32_is_an_error() -> None:
    with pytest.raises(BadInput, match="none of the 32"):
        question_id({"question": "What is the weather?"}, "kb.json", 3)


def test_a_type_of_another_name_is_understood() -> None:
    assert question_id({"question": "c01", "type": "comparison"}, "x", 1) == "c01"
    with pytest.raises(BadInput, match="c01 is comparative"):
        question_id({"question": "c01", "type": "binary"}, "x", 1)
