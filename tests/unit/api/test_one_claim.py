"""`percuss.read` and `percuss read`: one claim, its label, why, and what it hangs on."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import percuss
from percuss.api.one_claim import packet_from
from percuss.cli import cli
from percuss.core.errors import BadInput
from percuss.evidence.packet import Packet

LABS = {
    "labs": {"potassium": {"value": 5.9, "unit": "mmol/L"}},
    "medications": {"linagliptin": {"name": "Linagliptin", "status": "active"}},
}


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Potassium is normal.", "contradicted"),
        ("Potassium is 5.9 mmol/L.", "supported"),
        ("She takes a DPP-4 inhibitor.", "supported"),
        ("She takes apixaban.", "absent"),
        ("The sample was greenish.", "undecided"),
    ],
)
def test_a_claim_against_nested_facts(claim: str, label: str) -> None:
    result = percuss.read(claim, LABS)
    assert result.label == label
    assert result.reason
    assert result.reader == "rule:support-2"
    assert result.read_right is not None
    assert result.read_right.layout == "structured"


def test_text_and_packet_are_evidence_too() -> None:
    text = "On arrival potassium was 5.9 mmol/L."
    assert percuss.read("Potassium was 5.9 mmol/L.", text).label == "supported"
    assert percuss.read("Potassium was 4.1 mmol/L.", Packet.of_text(text)).label == "contradicted"
    assert percuss.read("She takes apixaban.", text).label == "undecided"


def test_what_the_question_says_is_given() -> None:
    assert (
        percuss.read("He has asthma.", LABS, question="A man with asthma: what is his potassium?").label
        == "given"
    )


def test_the_result_is_frozen_and_says_what_it_hangs_on() -> None:
    result = percuss.read("Potassium is normal.", LABS)
    assert (result.hangs_on[0].path, result.hangs_on[0].value) == ("labs.potassium", "5.9 mmol/L")
    with pytest.raises(AttributeError):
        result.label = "supported"


@pytest.mark.parametrize("evidence", [3, b"text", {"labs": {"x": object()}}, [], {}, "", " \n"])
def test_bad_evidence_is_one_sentence(evidence: object) -> None:
    with pytest.raises(BadInput, match="give"):
        percuss.read("Potassium is normal.", evidence)  # type: ignore[arg-type]


def test_a_broken_json_file_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text('{"labs": ', encoding="utf-8")
    done = CliRunner().invoke(cli, ["read", "Potassium is normal.", "--evidence", str(file)])
    assert done.exit_code
    assert "is no JSON" in str(done.exception or done.output)
    note = tmp_path / "note.txt"
    note.write_text("[Ward note] Potassium was 5.9 mmol/L.", encoding="utf-8")
    said = CliRunner().invoke(cli, ["read", "Potassium was 5.9 mmol/L.", "--evidence", str(note)]).output
    assert said.startswith("supported: ")


RELATIVES = {
    "resourceType": "Bundle",
    "entry": [
        {"resource": body}
        for body in (
            {"resourceType": "Patient", "id": "p1", "gender": "female"},
            {"resourceType": "Condition", "code": {"text": "Asthma"}},
            {
                "resourceType": "FamilyMemberHistory",
                "relationship": {"text": "father"},
                "condition": [
                    {"code": {"text": "Myocardial infarction"}, "onsetAge": {"value": 52, "unit": "a"}}
                ],
            },
            {
                "resourceType": "Immunization",
                "status": "not-done",
                "vaccineCode": {"text": "Influenza, seasonal, injectable"},
            },
        )
    ],
}


@pytest.mark.parametrize(
    ("claim", "labels"),
    [
        ("Her father had a heart attack at 52.", {"supported"}),
        ("Her mother had a heart attack.", {"absent"}),
        ("The patient had a heart attack.", {"undecided", "absent", "contradicted"}),
        ("She was given the influenza vaccine.", {"contradicted"}),
        ("The patient has influenza.", {"undecided", "absent"}),
    ],
)
def test_relatives_and_vaccinations_of_a_fhir_bundle(claim: str, labels: set[str]) -> None:
    assert percuss.read(claim, RELATIVES).label in labels


def test_help_shows_types_and_an_example() -> None:
    assert "question" in str(inspect.signature(percuss.read))
    assert ">>> result = read(" in (inspect.getdoc(percuss.read) or "")


def test_the_command_says_label_reason_and_passport(tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(LABS), encoding="utf-8")
    said = CliRunner().invoke(cli, ["read", "Potassium is normal.", "--evidence", str(file)]).output
    assert said.startswith("contradicted: ")
    assert "labs.potassium = 5.9 mmol/L" in said
    assert "labelled texts right" in said
    held = json.loads(
        CliRunner().invoke(cli, ["read", "Potassium is normal.", "--evidence", str(file), "--json"]).output
    )
    assert held["label"] == "contradicted"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Das Kalium des Patienten ist nicht erhöht.", LABS),
        ("Potassium is normal.", "Das Kalium des Patienten ist mit 5,9 mmol/l erhöht."),
    ],
    ids=["the claim", "the evidence"],
)
def test_a_passport_of_english_is_not_quoted_of_german(
    tmp_path: Path, claim: str, evidence: str | dict[str, Any]
) -> None:
    """The trap: what the rule does on English was quoted of every language."""
    assert percuss.read(claim, evidence).read_right is None
    file = tmp_path / "evidence"
    file.write_text(evidence if isinstance(evidence, str) else json.dumps(evidence), encoding="utf-8")
    told = CliRunner().invoke(cli, ["read", claim, "--evidence", str(file)]).output
    assert "has not been measured on text in German." in told


IMAGED = {
    "resourceType": "Bundle", "type": "collection",
    "entry": [
        {"resource": {"resourceType": "Patient", "id": "p", "gender": "female"}},
        {"resource": {
            "resourceType": "ImagingStudy", "id": "i", "status": "available", "subject": {"reference": "Patient/p"}, "started": "2024-03-08",
            "modality": [{"code": "CT", "display": "Computed Tomography"}], "description": "CT chest with contrast",
            "series": [{"uid": "1", "modality": {"code": "CT"}, "bodySite": {"display": "Chest"}}],
        }},
        {"resource": {
            "resourceType": "Device", "id": "d", "status": "active", "patient": {"reference": "Patient/p"}, "type": {"text": "Cardiac pacemaker"},
        }},
        {"resource": {"resourceType": "Encounter", "id": "e", "status": "finished", "subject": {"reference": "Patient/p"}}},
        {"resource": {"resourceType": "Encounter", "id": "f", "status": "finished", "subject": {"reference": "Patient/p"}}},
    ],
}  # fmt: skip


def test_imaging_and_devices_of_a_fhir_bundle_are_facts() -> None:
    """The trap: both were dropped in silence."""
    held = {fact.path: (fact.value, fact.date) for fact in packet_from(IMAGED).facts}
    assert held["imaging.ct_chest_with_contrast.modality"] == ("Computed Tomography", "")
    assert held["imaging.ct_chest_with_contrast.body_site"] == ("Chest", "")
    assert held["imaging.ct_chest_with_contrast.name"] == ("CT chest with contrast", "2024-03-08")
    assert held["devices.cardiac_pacemaker.name"] == ("Cardiac pacemaker", "")
    assert held["devices.cardiac_pacemaker.status"] == ("active", "")


def test_the_command_says_what_it_left_out_of_a_bundle(tmp_path: Path) -> None:
    file = tmp_path / "bundle.json"
    file.write_text(json.dumps(IMAGED), encoding="utf-8")
    told = CliRunner().invoke(cli, ["read", "She has a pacemaker.", "--evidence", str(file)]).output
    assert "Left out of the evidence: 2 Encounter resources." in told
