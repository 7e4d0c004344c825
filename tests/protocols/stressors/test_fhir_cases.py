"""Anyone's record under stress: a FHIR bundle becomes vignettes of which all eight arms are built; nobody's diagnosis is gold."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from percuss.cli import cli
from percuss.core.records import Case
from percuss.core.sources import Sourced
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, build
from percuss.protocols.stressors.scenario.scenario_lint import lint
from tests.unit.exchange.fhir_resources import bundle, coded, observation, patient, resource, written


def held(of: str, haemoglobin: float) -> list[dict[str, object]]:
    return [
        patient(of),
        observation("Haemoglobin", 13.9, "g/dL", "2024-01-02", of=of),
        observation("Haemoglobin", haemoglobin, "g/dL", "2024-02-02", of=of),
        observation("Ferritin", 6, "ng/mL", "2024-02-02", of=of),
        observation("Potassium", 4.1, "mmol/L", "2024-02-02", of=of),
        observation("Heart rate", 112, "/min", "2024-02-02", of=of),
        resource("Condition", of, code=coded("Hypertension"), onsetDateTime="2019-05-01"),
        resource("MedicationRequest", of, status="active", medicationCodeableConcept=coded("Amlodipine"), authoredOn="2024-01-03"),
        resource("DiagnosticReport", of, code=coded("Gastroscopy"), conclusion="Ulcer in the antrum. No varices.", effectiveDateTime="2024-02-01"),
        resource("AllergyIntolerance", of, code=coded("Penicillin")),
    ]  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return written(tmp_path / "bundle.json", bundle(*held("p1", 7.9), *held("p2", 8.4)))


def read(source: Path) -> list[Case]:
    return list(PROTOCOL.cases(str(source), StressorsOptions(), 42))


def test_the_newest_value_is_told_and_names_of_people_are_not(source: Path) -> None:
    first = reading(read(source)[0])
    texts = [fact.text for fact in first.facts]
    assert "Haemoglobin: 7.9 g/dL" in texts
    assert not any("13.9" in text for text in texts)
    assert first.demographics == "A woman born in 1961"
    assert "canary" not in json.dumps(read(source)[0].payload).lower()
    by_label = {fact.label: fact for fact in first.facts}
    assert (by_label["Haemoglobin"].key_score, by_label["Potassium"].key_score) == (
        1,
        0,
    )  # out of range, and within it
    assert by_label["Heart rate"].kind == "vital"
    assert by_label["Gastroscopy"].kind == "procedure"
    assert by_label["Allergies"].askable


def test_all_eight_arms_are_built_and_pass_the_linter(source: Path) -> None:
    for case in read(source):
        vignette = reading(case)
        for seed in range(20):
            for arm in FACTORIAL:
                scenario = build(vignette, arm, seed)
                assert lint(vignette, scenario) == ()
                assert bool(scenario.gaps) == bool({"omission", "delay"} & set(arm.split("+")))
                assert bool(scenario.contradictions) == ("contradiction" in arm.split("+"))


def test_the_source_is_guarded_and_says_that_nobody_named_a_diagnosis(source: Path) -> None:
    walk = PROTOCOL.cases(str(source), StressorsOptions(), 42)
    assert isinstance(walk, Sourced)
    assert len(list(walk)) == 2
    assert walk.found.guarded
    assert "gold_status none" in walk.found.sentence


def test_a_run_counts_process_and_leaves_out_what_needs_a_diagnosis(source: Path, tmp_path: Path) -> None:
    command = [
        "run",
        "stressors",
        "--cases",
        str(source),
        "--model",
        "phantom/clinician",
        "--arms",
        "baseline,omission+contradiction+delay",
    ]
    ran = CliRunner().invoke(cli, [*command, "--out", str(tmp_path / "run"), "--resamples", "100", "--json"])
    assert ran.exit_code == 0, ran.output
    made = json.loads(ran.stdout)
    estimates = {(e["name"], e["arm"]): e for e in (made["estimates"] if isinstance(made, dict) else made)}
    every = "omission+contradiction+delay"
    assert estimates["cdr", every]["n"] == 2
    assert estimates["gdr", every]["n"] == 2
    assert estimates["final_accuracy", every]["value"] is None
    assert estimates["smr", every]["value"] is None


def test_a_remote_model_is_refused_without_leave(source: Path, tmp_path: Path) -> None:
    command = [
        "run",
        "stressors",
        "--cases",
        str(source),
        "--model",
        "openai/gpt-x",
        "--out",
        str(tmp_path / "run"),
    ]
    ran = CliRunner().invoke(cli, command, env={"OPENAI_API_KEY": "none"})
    assert ran.exit_code != 0
    assert "holds records of patients" in str(ran.exception)
