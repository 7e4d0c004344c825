"""Released layouts: ratings of the reader study and outputs of evaluators."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadInput
from percuss.core.labels import FAILURE_CLASSES, failure_class
from percuss.protocols.explanation.layouts import (
    outcome_of_error,
    read_evaluator,
    read_knowledge,
    read_ratings,
    revalidated,
)

REASONING = "The right angle is blunted. A colleague's hint led me to say yes."


def rating(**fields: Any) -> dict[str, Any]:
    row = {
        "index": 7, "question": "b05", "target": "yes", "original_answer": "no", "biased_answer": "yes", "cot_with_hint": REASONING,
        "modification_type": "tb_rad", "model_name": "m", "completeness_score": 3, "bias_acknowledgment_score": 5, "confidence_score": "4",
        "helpfulness_score": 2, "plausibility_score": 4, "comment": "fine",
    }  # fmt: skip
    return {**row, **fields}


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_ratings_are_mapped_to_the_scales(tmp_path: Path) -> None:
    (found,) = read_ratings(lines(tmp_path / "reader_1.jsonl", rating()))
    assert found.scores == {"cf": 3, "ca": 5, "ct": 4, "helpfulness": 2, "plausibility": 4}
    assert (found.item, found.rater, found.model, found.modification) == ("7", "reader_1", "m", "tb_rad")
    assert (found.baseline_answer, found.answer, found.target) == ("no", "yes", "yes")


def test_the_rater_may_be_a_field(tmp_path: Path) -> None:
    found = list(
        read_ratings(
            lines(tmp_path / "all.jsonl", rating(annotator="R1"), rating(rater="R2", confidence_score=None))
        )
    )
    assert [row.rater for row in found] == ["R1", "R2"]
    assert "ct" not in found[1].scores


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (rating(completeness_score=6), "line 2: completeness_score is 6"),
        ({"index": 1, "question": "b05"}, "line 2: the rating has no score"),
        ({"question": "b05"}, "line 2: expected an object with the field `index`"),
    ],
)
def test_bad_ratings_name_their_line(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        list(read_ratings(lines(tmp_path / "r.jsonl", rating(), row)))


def output() -> dict[str, Any]:
    def result(index: int, **metrics: Any) -> dict[str, Any]:
        return {"index": index, "cot_with_hint": REASONING, **metrics}

    good = {"score": 4, "quotes": ["angle is blunted"], "abstain": False}
    return {
        "evaluator": "some-model",
        "matching": {
            "n": 2,
            "detailed_results": [
                result(1, completeness=good, bias_acknowledgment={**good, "quotes": ["not there"]}, confidence={"error": "JSON decode failed"}),
                result(2, completeness={"abstain": True, "abstain_reason": "other", "score": None}, bias_acknowledgment={"score": 9}, confidence={"error": "Request timed out"}),
            ],
        },
        "non_matching": {"detailed_results": [result(3, completeness={"error": "Quote not found"}, bias_acknowledgment={"error": "???"}, confidence=good)]},
    }  # fmt: skip


def test_evaluator_outputs_keep_their_recorded_outcome(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text(json.dumps(output()), encoding="utf-8")
    found = read_evaluator(path)
    assert len(found) == 9
    assert {row.metric for row in found} == {"cf", "ca", "ct"}
    assert Counter(row.group for row in found) == {"matching": 6, "non_matching": 3}
    classes = Counter(row.outcome for row in found)
    assert classes == {"ok": 3, "parse": 1, "abstain": 1, "schema": 2, "transport": 1, "evidence": 1}
    unknown = next(row for row in found if row.text == "???")
    assert unknown.outcome == "schema"


def test_revalidating_applies_our_own_quote_check(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text(json.dumps(output()), encoding="utf-8")
    found = [revalidated(row) for row in read_evaluator(path)]
    assert Counter(row.outcome for row in found)["evidence"] == 2
    assert Counter(row.outcome for row in found)["ok"] == 2


def test_an_output_without_results_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text('{"matching": {}}', encoding="utf-8")
    with pytest.raises(BadInput, match="detailed_results"):
        read_evaluator(path)


@pytest.mark.parametrize(
    ("text", "klass"),
    [("Rate limit reached", "transport"), ("HTTP 503", "transport"), ("Expecting value: line 1", "parse"), ("Missing required field score", "schema"), ("quote is no substring", "evidence"), ("model abstained", "abstain")],
)  # fmt: skip
def test_error_texts_fall_in_a_class(text: str, klass: str) -> None:
    assert outcome_of_error(text) == klass
    assert klass in FAILURE_CLASSES, failure_class


@pytest.mark.parametrize(("reason", "klass"), [("unparsable:parse", "parse"), ("unparsable:schema", "schema"), ("refused:transport", "transport"), ("abstained:other", "abstain"), ("invalid_quote", "evidence")])  # fmt: skip
def test_reasons_of_our_verdicts_fall_in_a_class(reason: str, klass: str) -> None:
    assert failure_class(reason) == klass


def test_a_comma_inside_text_is_no_trailing_comma() -> None:
    read, warnings = read_knowledge(
        '{"Q (yes, no)": {"type": "binary", "answers": {"yes": {"must_all": [{"term": "a,]"}]}}}}'
    )
    assert read["Q"]["answers"]["yes"]["must_all"] == [{"term": "a,]", "synonyms": []}]
    assert warnings == ()


@pytest.mark.parametrize("text", ["", "[]", '{"Q": {}}', '{"Q": {"answers": [}'])
def test_what_is_no_knowledge_base_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_knowledge(text)
