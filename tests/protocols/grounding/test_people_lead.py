"""Whose labels lead: people where they labelled enough everywhere; and whether a label stands at the claim that it is of."""

import json
from pathlib import Path

import pytest

from percuss.api.judge.importing import import_labels
from percuss.api.library import run
from percuss.core.errors import BadInput
from percuss.core.records import Cell
from percuss.measure.tally import tallies
from percuss.protocols.grounding.estimate.corrected import pair_counts
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.numbers import FEWEST_LABELLED, headline
from percuss.store import RunStore

WITH, WITHOUT = "full_multimodal", "ungrounded"
SAYS = "The patient is 61 years old. Possibly she smokes."
PACKET = {"clinical": {"age_years": 61, "stage": "IIIA"}}


def _cells(labels: str, where: dict[tuple[str, str], int]) -> list[Cell]:
    """Ten cases of each model and arm, with so many labelled assertions altogether."""
    return [
        Cell(
            name="unsupported_rate", labels=labels, model=model, arm=arm, case_id=f"case-{n}", cluster=f"case-{n}",
            epoch=0, num=1, den=count / 10, excluded={}, stratum="", scoring="s",
        )
        for (model, arm), count in where.items() for n in range(10)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("labelled", "leads"),
    [
        ({("a", WITH): 60, ("a", WITHOUT): 60, ("b", WITH): 60, ("b", WITHOUT): 60}, "human"),
        ({("a", WITH): 60, ("b", WITH): 60}, "rule:support-2"),
        ({("a", WITH): 60, ("a", WITHOUT): 60}, "rule:support-2"),
        ({("a", WITH): 60, ("a", WITHOUT): 60, ("b", WITH): 60, ("b", WITHOUT): 50}, "rule:support-2"),
    ],
    ids=["all", "one arm", "one model", "too few in one arm"],
)
def test_people_lead_only_where_they_labelled_every_model_in_both_arms(
    labelled: dict[tuple[str, str], int], leads: str
) -> None:
    everywhere = {(model, arm): 100 for model in ("a", "b", "phantom/calibrated") for arm in (WITH, WITHOUT)}
    held = tallies([*_cells("rule:support-2", everywhere), *_cells("human", labelled)])
    assert FEWEST_LABELLED == 60
    assert headline(held, WITH, {"phantom/calibrated"}) == leads
    assert headline(held) == "rule:support-2"


def test_a_run_of_one_arm_has_no_headline_of_people() -> None:
    held = tallies([*_cells("rule:support-2", {("a", WITH): 90}), *_cells("human", {("a", WITH): 90})])
    assert headline(held, WITH) == "rule:support-2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six cases in two arms; the model says the same of each."""
    file = tmp_path / "cases.jsonl"
    file.write_text(
        "\n".join(json.dumps({"id": f"case-{n}", "evidence": PACKET}) for n in range(6)), encoding="utf-8"
    )
    run(
        "grounding", model=lambda _messages: SAYS, name="one", version="1", cases=file, arms=(WITH, WITHOUT),
        out=tmp_path / "run", resamples=200,
    )  # fmt: skip
    return tmp_path / "run"


def _table(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder.parent / "labels.jsonl"
    path.write_text("\n".join(json.dumps({"rater": "r", **row}) for row in rows), encoding="utf-8")
    return path


def test_a_label_of_words_is_of_every_claim_in_those_words_about_that_case_alone(folder: Path) -> None:
    row = {"case": "case-3", "claim": "the patient is 61 years old"}
    count, _ = import_labels(
        folder,
        _table(folder, {**row, "label": "absent"}, {**row, "aspect": "speech_act", "label": "assertion"}),
    )
    with RunStore.open(folder) as store:
        told = {
            (assessed.case.id, assessed.response.arm, verdict.aspect, verdict.label)
            for assessed in store.view(store.latest_scoring().id).assessed()
            for verdict in assessed.verdicts
            if verdict.rater == "human:r"
            and any(c.id == verdict.subject and "61" in c.text for c in assessed.claims)
        }
    assert count == 4
    assert told == {
        ("case-3", arm, *said)
        for arm in (WITH, WITHOUT)
        for said in (("support", "unsupported"), ("speech_act", "assertion"))
    }


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"case": "case-3", "claim": "The patient is 62 years old.", "label": "absent"}, "which the run does not hold"),
        ({"case": "case-9", "claim": "The patient is 61 years old.", "label": "absent"}, "which the run does not hold"),
        ({"case": "case-3", "claim": "The patient is 61 years old.", "aspect": "speech_act", "label": "absent"}, "assertion"),
    ],
    ids=["other words", "another case", "no speech act"],
)  # fmt: skip
def test_a_label_of_a_claim_that_the_run_does_not_hold_is_refused(
    folder: Path, row: dict[str, str], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        import_labels(folder, _table(folder, row))


def test_what_people_say_a_sentence_does_decides_what_their_labels_count(folder: Path) -> None:
    """The rule reads the age as an assertion and the smoking as hedged; people say the age stands in the question."""
    every = [f"case-{n}" for n in range(6)]
    given = [
        {"case": c, "claim": "The patient is 61 years old.", "aspect": "speech_act", "label": "given"}
        for c in every
    ]
    smokes = [{"case": c, "claim": "Possibly she smokes.", "label": "absent"} for c in every]
    acts = [
        {"case": c, "claim": "Possibly she smokes.", "aspect": "speech_act", "label": "assertion"}
        for c in every
    ]
    _, finished = import_labels(folder, _table(folder, *given, *smokes, *acts))
    n = {
        (e.arm, e.labels): (e.value, e.n)
        for e in finished.estimates
        if e.name == "unsupported_rate" and not e.stratum
    }
    assert n[WITH, "human"] == (1.0, 6)
    assert n[WITH, "rule:support-2"] == (0.0, 6)


def test_correction_counts_what_the_rule_left_undecided_and_splits_what_holds_in_part() -> None:
    machine = (Labelled(None, "undecided:by rule"), Labelled("supported"), Labelled(None, "truncated"))
    people = (Labelled("unsupported"), Labelled("partial"), Labelled("supported"))
    assert {k: v for k, v in pair_counts(machine, people, read=True).items() if v} == {
        "corrected:00": 1,
        "corrected:01": 2,
    }
    assert {k: v for k, v in pair_counts(machine, people).items() if v} == {"corrected:00": 1}
