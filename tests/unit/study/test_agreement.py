"""Agreement and exports: kappa before consensus, machines, ceiling, repeats, time; verdicts, tables, Label Studio."""

import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import percuss
from percuss import stats
from percuss.core.errors import BadInput, UsageError
from percuss.core.records import AnnotationItem, Verdict
from percuss.study.about import file_stem
from percuss.study.agreement import agreement
from percuss.study.answers import Given
from percuss.study.export import FORMATS, export_file, rows, verdicts
from percuss.study.labelstudio import config, import_labels, tasks
from percuss.study.reference import human_labels, mean_z, reference_answers, source_of
from percuss.study.status import disagreements, status
from percuss.study.store import work
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import answer_all, items, jsonl, make
from tests.unit.study.conftest import Fresh

LABELS = ("supported", "partial", "unsupported")


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


@pytest.mark.slow
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


def test_machines_are_held_against_every_person_on_all_items_and_against_a_source_that_is_named(
    folder: Path, database: str
) -> None:
    with claim_study(folder, database) as study:
        human = reference_answers(study)
        everybody = agreement(study, B=200).questions[0]
        report = agreement(study, B=200, source="unanimous")
        with study.database.read() as connection:
            labels = [label for label in work.labelled(connection) if not label.again]
    pooled = stats.cohen_kappa(
        ["supported" if label.item % 2 else "unsupported" for label in labels],
        [label.given.answer["support"] for label in labels],
        scale=[*LABELS, "unknown"],
    )
    assert everybody.machine_items == {"judge:zz_judge_model#1": 40}
    assert everybody.machines["judge:zz_judge_model#1"].value == pytest.approx(pooled.value)
    assert report.questions[0].machine_items == {"judge:zz_judge_model#1": 32}
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


def test_how_often_a_person_agrees_with_the_program_is_said_by_person(folder: Path, database: str) -> None:
    def said(n: int, again: bool) -> dict[str, str]:
        del again
        return {"reference_agree": "disagree" if n == 1 else "agree", "content_agree": "agree"}

    with make(folder, "confirm", count=4, raters=1, adjudicators=0, database=database) as study:
        answer_all(study, "r1", said)
        notes = agreement(study, B=200).notes
    assert len(notes) == 3
    assert notes[1].startswith("reference_agree: r1 agrees with the program on 3 of 4 items, 0.75 [")
    assert notes[2].startswith("content_agree: r1 agrees with the program on 4 of 4 items, 1.00 [")
    assert all("not blinded" in note for note in notes)


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
    records = [msgspec.json.decode(line) for line in lines]
    assert all(one.pop("about")["model"].startswith("acme/") for one in records)
    found = [msgspec.convert(one, Verdict) for one in records]
    assert {verdict.rater for verdict in found} == {
        "human:r1",
        "human:r2",
        "human:r1#2",
        "human:r2#2",
    }
    assert {verdict.aspect for verdict in found} == {"support"}
    with paths["labels"].open(newline="") as file:
        table = list(csv.DictReader(file))
    assert {row["rater"] for row in table} == {
        "human:r1",
        "human:r2",
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
            assert verify(connection).ok
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


def revise(study: Study, label: work.Labelled, answer: dict[str, Any]) -> None:
    """Change a label that was given."""
    given = Given(answer=answer, active_ms=1000)
    study.database.write(lambda c: work.save_label(c, label.rater, label.token, given, reason="changed"))


def test_agreement_before_settling_does_not_move_when_labels_are_revised(folder: Path, database: str) -> None:
    """Everybody differs at first; the first person revises to what the second will say. Only the first labels count."""
    with make(folder, count=12, repeats=0.0, database=database) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported" if n % 2 else "partial"})
        with study.database.read() as connection:
            mine = work.labelled(connection)
        for label in mine:
            revise(study, label, {"support": "partial" if label.item % 2 else "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "partial" if n % 2 else "supported"})
        report = agreement(study, B=200)
        with study.database.read() as connection:
            assert {one.revision for one in work.labelled(connection) if one.rater == "r1"} == {2}
        found = {one.subject: one.label for one in verdicts(study, source="first") if one.rater == "human:r1"}
        stands = {one.subject: one.label for one in verdicts(study) if one.rater == "human:r1"}
    assert report.questions[0].raw.value == 0.0
    assert report.revised == 12
    assert not any(found[name] == stands[name] for name in found)


@pytest.mark.slow
def test_a_label_is_locked_once_everybody_asked_has_answered(folder: Path, database: str) -> None:
    with make(folder, count=4, repeats=0.0, database=database) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "partial"})
        with study.database.read() as connection:
            mine = work.labelled(connection)
        for label in mine:
            with pytest.raises(work.Locked, match="everybody who was asked"):
                revise(study, label, {"support": "unknown"})
            revise(study, label, label.given.answer)  # the same again is a reply that was lost, not a change
        assert agreement(study, B=200).revised == 0


RANKED = {"a1": 2, "a2": 1, "a3": 3}
"""Places of the answers of acme/quillfin-9, acme/brackle-2 and acme/sorrel-4, in this order."""


def per_model(kind: str, path: Path) -> dict[str, set[int]]:
    """Return model -> places that people gave it, from an export alone."""
    table: dict[str, set[int]] = {}

    def count(models: dict[str, str], ranks: dict[str, Any]) -> None:
        for answer, place in ranks.items():
            table.setdefault(models[answer], set()).add(int(place))

    if kind in ("csv", "parquet"):
        import pyarrow.parquet as pq

        listed = (
            list(csv.DictReader(path.open(newline="", encoding="utf-8")))
            if kind == "csv"
            else pq.read_table(path).to_pylist()
        )
        for row in listed:
            count(json.loads(row["models"]), json.loads(row["rank"]))
    elif kind == "labels":
        for row in csv.DictReader(path.open(newline="", encoding="utf-8")):
            if row["aspect"] == "rank" and row["rater"].startswith("human:"):
                count({"it": row["model"]}, {"it": float(row["score"])})
    elif kind == "verdicts":
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["aspect"] == "rank":
                count({"it": row["about"]["model"]}, {"it": row["score"]})
    elif kind == "label-studio":
        for task in json.loads(path.read_text(encoding="utf-8")):
            models = json.loads(task["meta"]["models"])
            for annotation in task["annotations"]:
                order = next(r for r in annotation["result"] if r["from_name"] == "rank")["value"]["ranker"][
                    "rank"
                ]
                owners = json.loads(task["meta"]["answers"])
                count(models, {owners[key]: place for place, key in enumerate(order, 1)})
    else:
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["what"] == "label":
                owners = json.loads(entry["about"]["answers"])
                ranks = {owners[key]: place for key, place in entry["value"]["answer"]["rank"].items()}
                count(json.loads(entry["about"]["models"]), ranks)
    return table


@pytest.mark.parametrize("name", ["研究", "ward/7", "plain"])
def test_every_export_of_a_study_of_any_name_gives_a_table_per_model(tmp_path: Path, name: str) -> None:
    quality = dict.fromkeys(RANKED, "good") | {"a2": "bad"}
    with make(tmp_path / "s", "ranking", 5, name=name) as study:
        answer_all(
            study,
            "r1",
            lambda n, again: {"rank": RANKED, "quality": quality, "unsupported": dict.fromkeys(RANKED, "no")},
        )
        for kind, ending in FORMATS.items():
            path = export_file(study, tmp_path / f"{file_stem(name)}.{ending}", kind)
            assert per_model(kind, path) == {
                "acme/quillfin-9": {2},
                "acme/brackle-2": {1},
                "acme/sorrel-4": {3},
            }, kind


def test_every_table_has_revision_model_and_hidden_fields(folder: Path, tmp_path: Path) -> None:
    with make(folder, count=4) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        paths = {kind: export_file(study, tmp_path / f"x.{end}", kind) for kind, end in FORMATS.items()}
    for kind in ("csv", "labels", "verdicts", "label-studio", "ledger"):
        text = paths[kind].read_text(encoding="utf-8")
        for word in (
            "revision" if kind != "ledger" else '"what":"label"',
            "model",
            "zz_truth",
            "acme/quillfin-9",
        ):
            assert word in text, (kind, word)


def scored(n: int) -> AnnotationItem:
    """An answer that a judge gave a score; its hidden labels come back in exports alone."""
    return AnnotationItem(
        id=f"i{n}",
        subject=f"i{n}",
        response_id=f"i{n}",
        stratum={"model": "acme/one"},
        shown={"question": f"Q{n}?", "reference": "R."},
        content={"answer": f"A {n}"},
        hidden={"model": "acme/one", "verdicts": {"judge:acme/judge#1": {"consistency": str(1 + n % 5)}}},
    )


def test_judge_validation_on_120_items_uses_120(folder: Path, tmp_path: Path) -> None:
    """People differ on most items: version 1 kept the 28 of 120 on which they happened to agree."""
    from percuss.api.judge.validating import Validation, validate_judges

    with make(folder, "likert5", listed=[scored(n) for n in range(120)], repeats=0.0) as study:
        answer_all(study, "r1", lambda n, again: {"consistency": str(1 + n % 5)})
        answer_all(study, "r2", lambda n, again: {"consistency": str(1 + (n if n % 4 == 0 else n + 1) % 5)})
        path = export_file(study, tmp_path / "labels.csv", "labels")
        assert agreement(study, B=200).questions[0].machine_items == {"judge:acme/judge#1": 120}
        assert len(list(verdicts(study, source="unanimous"))) == 30
    card = validate_judges(Validation(sources=(str(path),), resamples=200)).cards[0]
    assert (card.items, card.metrics[0].n, card.people) == (120, 120, ("human:r1", "human:r2"))


def test_mean_z_stands_for_people_on_scales(folder: Path, tmp_path: Path) -> None:
    """Two people, one a step above the other throughout: their z-scores are the same."""
    with make(folder, "likert5", 8, repeats=0.0) as study:
        for shift, rater in enumerate(("r1", "r2")):
            answer_all(study, rater, lambda n, again, s=shift: {"consistency": str(1 + n % 4 + s)})
        held = human_labels(study, "mean_z")
        scores = mean_z(study.design.primary, held)
        path = export_file(study, tmp_path / "l.csv", "labels", source="mean_z")
    expected = (0 - 1.5) / 1.25**0.5
    assert scores[0, ""] == pytest.approx(expected)
    assert "human:mean_z" in path.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="unanimous, adjudicated"):
        source_of("nobody")


def test_one_step_on_a_scale_goes_to_nobody_unless_the_design_says_so(folder: Path, tmp_path: Path) -> None:
    def said(code: str) -> Any:
        return lambda n, again: {"consistency": str(n + 1 + (n if code == "r2" else 0))}

    def differing(folder: Path, design: str) -> list[int]:
        with make(folder, design, listed=items("likert5", 3)) as study:
            for code in ("r1", "r2"):  # the items are 0, 1 and 2 steps apart
                answer_all(study, code, said(code))
            with study.database.read() as connection:
                return list(disagreements(study, connection))

    assert differing(folder, "likert5") == [2]
    text = (Path(percuss.__file__).parent / "study/designs/likert5.toml").read_text()
    own = tmp_path / "strict.toml"
    own.write_text(text.replace('kind = "scale"\n', 'kind = "scale"\nsettle_from = 1\n', 1))
    assert differing(tmp_path / "strict", str(own)) == [1, 2]
