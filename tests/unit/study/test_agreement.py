"""Agreement and exports: kappa before consensus, machines, ceiling, repeats, time; verdicts, tables, Label Studio."""

import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from percuss import stats
from percuss.core.errors import BadInput, UsageError
from percuss.core.records import Verdict
from percuss.study.agreement import agreement
from percuss.study.answers import Given
from percuss.study.export import FORMATS, export_file, rows, verdicts
from percuss.study.labelstudio import config, import_labels, tasks
from percuss.study.reference import reference_answers
from percuss.study.status import status
from percuss.study.store import ledger, work
from percuss.study.study import Study
from tests.studies import jsonl, make
from tests.unit.study.conftest import Fresh

LABELS = ("supported", "partial", "unsupported")


def answer_all(study: Study, rater: str, answer: Any, seconds: int = 10) -> None:
    """Answer a whole list; `answer` gives the answer to item number and whether it came back."""
    while True:
        with study.database.read() as connection:
            slot = work.next_slot(connection, rater)
        if slot is None:
            return
        given = answer(slot.item, slot.again)
        given = given if isinstance(given, Given) else Given(answer=given, active_ms=seconds * 1000)
        study.database.write(lambda c, s=slot, g=given: work.save_label(c, rater, s.token, g))  # type: ignore[misc]


def claim_study(folder: Path, database: str, count: int = 40) -> Study:
    """Two raters who differ on every fifth item; the second contradicts herself on one repeat."""
    study = make(folder, count=count, database=database)
    answer_all(study, "r1", lambda n, again: {"support": LABELS[n % 3]})
    flipped: list[int] = []

    def second(n: int, again: bool) -> dict[str, str]:
        if again and not flipped:
            flipped.append(n)
            return {"support": "unknown"}
        return {"support": LABELS[(n + 1) % 3] if n % 5 == 0 else LABELS[n % 3]}

    answer_all(study, "r2", second, seconds=20)
    return study


def test_kappa_before_consensus_is_cohens_on_the_independent_labels(folder: Path, database: str) -> None:
    with claim_study(folder, database) as study:
        report = agreement(study, B=200)
        study.database.write(
            lambda c: work.save_consensus(c, "a1", 0, Given(answer={"support": "supported"}), "why")
        )
        after = agreement(study, B=200)
    one = [LABELS[n % 3] for n in range(40)]
    two = [LABELS[(n + 1) % 3] if n % 5 == 0 else LABELS[n % 3] for n in range(40)]
    expected = stats.cohen_kappa(one, two).value
    question = report.questions[0]
    assert question.between.value == pytest.approx(expected)
    assert question.raw.value == pytest.approx(32 / 40)
    assert (question.between.low or 1) < (question.between.value or 0) < (question.between.high or 0)
    assert question.ceiling == question.between
    assert question.open == 8
    assert after.questions[0].between == question.between
    assert after.questions[0].open == 7
    assert report.several == 40


def test_repeats_give_agreement_with_oneself_and_time_is_told(folder: Path, database: str) -> None:
    with claim_study(folder, database) as study:
        report = agreement(study, B=200)
    question = report.questions[0]
    assert report.repeats == 8
    assert question.repeats.value == pytest.approx(7 / 8)
    assert question.repeats.n == 8
    assert report.timing.by_rater == {"r1": 10.0, "r2": 20.0}


def test_machines_are_held_against_settled_and_unanimous_labels(folder: Path, database: str) -> None:
    with claim_study(folder, database) as study:
        human = reference_answers(study)
        report = agreement(study, B=200)
    kappas = report.questions[0].machines
    assert set(kappas) == {"judge:zz_judge_model#1"}
    said = {n: "supported" if n % 2 else "unsupported" for n in range(40)}
    pairs = [(said[n], given.answer["support"]) for n, given in human.items()]
    expected = stats.cohen_kappa(
        [a for a, _ in pairs], [b for _, b in pairs], scale=[*LABELS, "unknown"]
    ).value
    assert len(pairs) == 32
    assert kappas["judge:zz_judge_model#1"].value == pytest.approx(expected)
    assert set(report.questions[0].by_stratum["judge:zz_judge_model#1"]) == {
        "acme/quillfin-9",
        "acme/brackle-2",
    }


def test_scales_get_quadratic_kappa_and_three_raters_a_leave_one_out_ceiling(
    folder: Path, database: str
) -> None:
    with make(folder, "likert5", 30, raters=3, depth=3, repeats=0.0, database=database) as study:
        for shift, rater in enumerate(("r1", "r2", "r3")):
            answer_all(
                study,
                rater,
                lambda n, again, s=shift: {"consistency": str(1 + (n + (s == 2 and n % 4 == 0)) % 5)},
            )
        report = agreement(study, B=200)
    question = report.questions[0]
    assert "Krippendorff alpha, ordinal" in question.between.method
    assert set(question.pairs) == {"r1-r2", "r1-r3", "r2-r3"}
    assert question.pairs["r1-r2"].value == pytest.approx(1.0)
    assert "quadratic" in question.pairs["r1-r3"].method
    assert "leave-one-out" in question.ceiling.method


def test_rankings_and_marks_have_their_own_agreement(tmp_path: Path, fresh_database: Fresh) -> None:
    keys = ("a1", "a2", "a3")
    with make(tmp_path / "ranking", "ranking", 6, database=fresh_database()) as study:
        for rater in ("r1", "r2"):
            answer_all(
                study,
                rater,
                lambda n, again, r=rater: {
                    "rank": dict(zip(keys, (1, 2, 3) if r == "r1" or n else (3, 2, 1), strict=True)),
                    "quality": dict.fromkeys(keys, "good" if n % 2 else "bad"),
                    "unsupported": dict.fromkeys(keys, "no"),
                },
            )
        by_name = {q.name: q for q in agreement(study, B=200).questions}
        subjects = {verdict.subject for verdict in verdicts(study)}
    assert by_name["rank"].between.value == pytest.approx((5 - 1) / 6)
    assert by_name["quality"].between.value == pytest.approx(1.0)
    assert by_name["quality"].between.n == 18
    assert "only 'no'" in by_name["unsupported"].between.undefined
    assert "resp-0-1" in subjects
    with make(tmp_path / "marks", "extraction", 4, database=fresh_database()) as study:
        for rater, stop in (("r1", 10), ("r2", 12)):
            answer_all(
                study,
                rater,
                lambda n, again, s=stop: {"spans": [{"start": 0, "stop": s, "reference": "[1]"}]},
            )
        question = agreement(study, B=200).questions[0]
        assert status(study).disagreements == 0
    assert question.between.value == pytest.approx(1.0)
    assert question.raw.value == pytest.approx(0.0)


def test_agreement_with_a_machine_that_was_on_the_screen_is_labelled(folder: Path, database: str) -> None:
    with make(folder, "confirm", database=database) as study:
        report = agreement(study, B=200)
    assert not report.blinded
    assert "not blinded" in report.notes[0]


def test_every_export_is_written_and_verdicts_are_records(
    folder: Path, database: str, tmp_path: Path
) -> None:
    with claim_study(folder, database) as study:
        paths = {
            kind: export_file(study, tmp_path / f"out.{ending}", kind) for kind, ending in FORMATS.items()
        }
        listed = list(rows(study))
        with pytest.raises(UsageError, match="label-studio"):
            export_file(study, tmp_path / "x", "pdf")
    assert not list(tmp_path.glob("*.part"))
    lines = paths["verdicts"].read_bytes().splitlines()
    found = [msgspec.json.decode(line, type=Verdict) for line in lines]
    assert {verdict.rater for verdict in found} == {
        "human:r1",
        "human:r2",
        "human:r1#2",
        "human:r2#2",
        "human:consensus",
    }
    assert {verdict.aspect for verdict in found} == {"support"}
    with paths["labels"].open(newline="") as file:
        table = list(csv.DictReader(file))
    assert {row["rater"] for row in table} == {
        "human:r1",
        "human:r2",
        "human:consensus",
        "judge:zz_judge_model#1",
    }
    assert len(listed) == 88
    assert not any("Person" in str(row) for row in listed)
    import pyarrow.parquet as pq

    assert pq.read_table(paths["parquet"]).num_rows == 88


def test_a_cell_that_a_spreadsheet_would_run_is_made_text(
    folder: Path, database: str, tmp_path: Path
) -> None:
    with make(folder, database=database) as study:
        answer_all(
            study, "r1", lambda n, again: Given(answer={"support": "partial"}, notes="=cmd|' /C calc'!A0")
        )
        text = export_file(study, tmp_path / "out.csv", "csv").read_text()
    assert ",'=cmd" in text


def test_cant_judge_is_unscored_with_its_reason(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        answer_all(study, "r1", lambda n, again: Given(cant="Outside my field"))
        found = [verdict for verdict in verdicts(study) if verdict.rater == "human:r1"]
    assert {verdict.unscored for verdict in found} == {"abstained:Outside my field"}


def test_marks_are_exported_in_the_offsets_of_the_unmasked_text(folder: Path, database: str) -> None:
    original = "Iron helps anaemia [1]. Zinc number 0 helps colds (Miller 2015). Rest, says Quillfin-9 of OpenAI, and drink."
    with make(folder, "extraction", 1, database=database) as study:
        with study.database.read() as connection:
            shown = str(study.item(connection, 0).shown["answer"])
        start = shown.index("drink")
        spans = [{"start": start, "stop": start + 5, "reference": "none"}]
        answer_all(study, "r1", lambda n, again: {"spans": spans})
        found = next(iter(verdicts(study)))
    mark = found.evidence[0]
    assert mark["text"] == "drink"
    assert original[mark["start"] : mark["stop"]] == "drink"


@pytest.mark.parametrize(
    "design", ["claim-adjudication", "likert5", "extraction", "source-grounding", "ranking"]
)
def test_label_studio_there_and_back(tmp_path: Path, fresh_database: Fresh, design: str) -> None:
    answers: dict[str, dict[str, Any]] = {
        "claim-adjudication": {"support": "partial"},
        "likert5": {"consistency": "4"},
        "extraction": {
            "spans": [
                {"start": 0, "stop": 10, "reference": "[1]"},
                {"start": 12, "stop": 18, "reference": "x"},
            ]
        },
        "source-grounding": {
            "reference_exists": "no",
            "failed_fields": ["title", "year"],
            "content_supported": "no",
            "subtype": "partial",
        },
        "ranking": {
            "rank": {"a1": 2, "a2": 1, "a3": 3},
            "quality": {"a1": "good", "a2": "bad", "a3": "okay"},
            "unsupported": {"a1": "no", "a2": "yes", "a3": "no"},
        },
    }
    with make(tmp_path / "one", design, database=fresh_database()) as study:
        answer_all(
            study, "r1", lambda n, again: Given(answer=answers[design], notes="a note", active_ms=3000)
        )
        answer_all(study, "r2", lambda n, again: Given(cant="Unclear wording"))
        path = export_file(study, tmp_path / "ls.json", "label-studio")
        assert len(tasks(study)) == 3
        assert config(study.design).startswith("<View>")
    with make(tmp_path / "two", design, database=fresh_database()) as other:
        found = import_labels(other, path)
        with other.database.read() as connection:
            labels = {one.rater: one.given for one in work.labelled(connection)}
            assert ledger.verify(connection).ok
            alone = work.answered_by_all(connection)
    assert len(alone) == 3, "imported labels wait for people who never came"
    assert found.labels == 6
    assert found.raters == ("x1", "x2")
    assert labels["x1"].answer == answers[design]
    assert (labels["x1"].notes, labels["x1"].active_ms) == ("a note", 3000)
    assert labels["x2"].cant == "Unclear wording"


def test_labels_of_another_tool_that_do_not_fit_are_refused_whole(
    folder: Path, database: str, tmp_path: Path
) -> None:
    good = {"from_name": "label", "type": "choices", "value": {"choices": ["Partly"]}}
    bad = {"from_name": "label", "type": "choices", "value": {"choices": ["Perhaps"]}}
    listed = [
        {"data": {"id": f"zz-item-{n}"}, "annotations": [{"completed_by": 3, "result": [result]}]}
        for n, result in enumerate((good, bad))
    ]
    path = tmp_path / "ls.json"
    path.write_text(json.dumps(listed))
    with make(folder, database=database) as study:
        with pytest.raises(BadInput, match="task 2"):
            import_labels(study, path)
        path.write_text(json.dumps(listed[:1]))
        assert import_labels(study, path).labels == 1
        path.write_text("[1]")
        with pytest.raises(BadInput, match="Label Studio"):
            import_labels(study, path)


@pytest.mark.parametrize(
    ("design", "result", "words"),
    [
        ("extraction", {"from_name": "spans", "value": {"start": 0, "end": 9999}}, "outside the text"),
        ("extraction", {"from_name": "spans", "value": {"end": 4}}, "KeyError"),
        ("ranking", {"from_name": "rank", "value": {"ranker": {"rank": ["a1", "a9"]}}}, "the item has"),
        ("claim-adjudication", "supported", "AttributeError"),
    ],
)
def test_annotations_of_a_wrong_form_are_refused_in_a_sentence(
    tmp_path: Path, design: str, result: Any, words: str
) -> None:
    path = jsonl(
        tmp_path / "ls.json", [[{"data": {"id": "zz-item-0"}, "annotations": [{"result": [result]}]}]]
    )
    with make(tmp_path / "s", design) as study, pytest.raises(BadInput, match=words):
        import_labels(study, path)
