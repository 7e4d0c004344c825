"""FHIR as dated facts: both releases, bundles and bulk exports, and what cannot be read."""

import base64
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from percuss.core.errors import BadInput
from percuss.core.sources import Found
from percuss.exchange.entries import Entry
from percuss.exchange.sources import read_source
from tests.unit.exchange.fhir_resources import bundle, coded, lines, observation, patient, resource, written


def read(path: Path) -> tuple[list[Entry], Found]:
    entries = read_source(path, {})
    return list(entries), entries.notes.found()


def facts(entry: Entry) -> dict[str, Any]:
    return {fact.path: fact.value for fact in entry.packet.facts}


def test_a_bundle_is_one_patients_dated_facts(tmp_path: Path) -> None:
    pressure = resource(
        "Observation",
        code=coded("Blood pressure"),
        effectiveDateTime="2024-03-01T08:00:00Z",
        component=[
            {"code": coded("Systolic"), "valueQuantity": {"value": 141, "unit": "mmHg"}},
            {"code": coded("Diastolic"), "valueQuantity": {"value": 88, "unit": "mmHg"}},
        ],
    )
    stage = [{"summary": coded("Stage IIA")}]
    body = bundle(
        patient(),
        resource("Condition", code=coded("Asthma"), clinicalStatus=coded("active"), stage=stage, onsetDateTime="2015-06"),
        observation("Hemoglobin", 13.2, "g/dL", "2024-03-01"),
        observation("Hemoglobin", 11.9, "g/dL", "2023-01-05"),
        pressure,
        resource("Procedure", code=coded("Appendectomy"), status="completed", performedDateTime="1999-09-09"),
        resource("AllergyIntolerance", code=coded("Penicillin"), criticality="high", reaction=[{"manifestation": [coded("Hives")]}]),
        resource("DiagnosticReport", code=coded("Chest film"), conclusion="No effusion.", effectiveDateTime="2024-01-02"),
    )  # fmt: skip
    (entry,), found = read(written(tmp_path / "b.json", body))
    held = facts(entry)
    assert held["patient.sex"] == "female"
    assert held["patient.birth_year"] == 1961
    assert (held["observations.hemoglobin.0"], held["observations.hemoglobin.1"]) == (11.9, 13.2)
    assert held["observations.blood_pressure.systolic"] == 141
    assert held["conditions.asthma.stage"] == "Stage IIA"
    assert held["allergies.penicillin.reaction"] == "Hives"
    assert held["reports.chest_film.conclusion"] == "No effusion."
    by_path = {fact.path: fact for fact in entry.packet.facts}
    assert (by_path["observations.hemoglobin.1"].unit, by_path["observations.hemoglobin.1"].date) == (
        "g/dL",
        "2024-03-01",
    )
    assert by_path["procedures.appendectomy.name"].date == "1999-09-09"
    assert by_path["observations.hemoglobin.1"].source == "Observation/o-Hemoglobin-2024-03-01"
    assert found.guarded
    assert found.cases == 1


def test_nothing_that_names_a_person_is_read(tmp_path: Path) -> None:
    body = bundle(patient(), observation("Sodium", 140, "mmol/L", "2024-01-01"))
    (entry,), _ = read(written(tmp_path / "b.json", body))
    assert "anary" not in json.dumps(facts(entry))
    assert "04-02" not in repr(entry)


MEDICATION: dict[str, dict[str, Any]] = {
    "R4": {"medicationCodeableConcept": coded("Metformin")},
    "R4 reference": {"medicationReference": {"reference": "#m"}, "contained": [{"id": "m", "code": coded("Metformin")}]},
    "R5": {"medication": {"concept": coded("Metformin")}},
    "R5 reference": {"medication": {"reference": {"reference": "Medication/m"}}},
}  # fmt: skip


@pytest.mark.parametrize("form", MEDICATION)
@pytest.mark.parametrize("kind", ["MedicationRequest", "MedicationStatement"])
def test_medications_of_both_releases(tmp_path: Path, form: str, kind: str) -> None:
    more = (
        {"authoredOn": "2020-01-01"} if kind == "MedicationRequest" else {"effectiveDateTime": "2020-01-01"}
    )
    held = {"resourceType": "Medication", "id": "m", "code": coded("Metformin")}
    body = bundle(patient(), held, resource(kind, status="active", **MEDICATION[form], **more))
    (entry,), _ = read(written(tmp_path / "b.json", body))
    assert facts(entry)["medications.metformin.name"] == "Metformin"
    assert next(f.date for f in entry.packet.facts if f.path.endswith("metformin.name")) == "2020-01-01"


@pytest.mark.parametrize(
    ("version", "dated"), [("4.0.1", "2001-01-01"), ("5.0.0", "2002-02-02"), (None, "2002-02-02")]
)
def test_the_declared_release_decides_between_elements(
    tmp_path: Path, version: str | None, dated: str
) -> None:
    both = resource(
        "Procedure", code=coded("Biopsy"), performedDateTime="2001-01-01", occurrenceDateTime="2002-02-02"
    )
    declared = [] if version is None else [{"resourceType": "CapabilityStatement", "fhirVersion": version}]
    (entry,), found = read(written(tmp_path / "b.json", bundle(patient(), both, *declared)))
    assert next(f.date for f in entry.packet.facts if f.path.endswith("biopsy.name")) == dated
    assert (
        found.layout == {"4.0.1": "FHIR R4", "5.0.0": "FHIR R5", None: "FHIR (version not declared)"}[version]
    )


def test_the_version_in_a_profile_counts(tmp_path: Path) -> None:
    profile = {"profile": ["http://hl7.org/fhir/5.0/StructureDefinition/Observation"]}
    body = bundle(patient(), {**observation("Sodium", 140, "mmol/L", "2024-01-01"), "meta": profile})
    assert read(written(tmp_path / "b.json", body))[1].layout == "FHIR R5"


def test_other_versions_are_refused_by_name(tmp_path: Path) -> None:
    body = bundle(patient(), {"resourceType": "CapabilityStatement", "fhirVersion": "3.0.2"})
    with pytest.raises(BadInput, match=r"fhirVersion 3\.0\.2; 4\.0, 4\.3 \(R4\) and 5\.0 \(R5\) can be read"):
        read(written(tmp_path / "b.json", body))


def test_a_bulk_export_is_a_folder_of_lines(tmp_path: Path) -> None:
    lines(tmp_path / "Patient.ndjson", patient("p1"), patient("p2"), patient("p3"))
    lines(
        tmp_path / "Observation.ndjson",
        observation("Sodium", 140, "mmol/L", "2024-01-01", of="p1"),
        observation("Sodium", 131, "mmol/L", "2024-01-01", of="p2"),
        {**observation("Sodium", 99, "mmol/L", "2024-01-01", of="p2"), "status": "entered-in-error"},
        resource("Observation", "p1", code=coded("Empty")),
    )
    lines(tmp_path / "Encounter.ndjson", resource("Encounter"), resource("Encounter"))
    found, notes = read(tmp_path)
    assert [(entry.id, facts(entry)["observations.sodium"]) for entry in found] == [("p1", 140), ("p2", 131)]
    assert notes.left_out == {
        "Encounter resources": 2,
        "Observation entered in error": 1,
        "Observation that cannot be read": 1,
        "patients without a clinical fact": 1,
    }


def test_lines_of_bundles_and_references_by_full_url(tmp_path: Path) -> None:
    def one(n: int) -> dict[str, Any]:
        entry = {"fullUrl": f"urn:uuid:{n}", "resource": patient(f"p{n}")}
        told = {
            **observation("Sodium", 140 + n, "mmol/L", "2024-01-01"),
            "subject": {"reference": f"urn:uuid:{n}"},
        }
        return {"resourceType": "Bundle", "entry": [entry, {"resource": told}]}

    found, _ = read(lines(tmp_path / "b.ndjson", one(1), one(2)))
    assert [(entry.id, facts(entry)["observations.sodium"]) for entry in found] == [("p1", 141), ("p2", 142)]


@pytest.mark.parametrize(
    ("value", "read_as"),
    [
        ({"valueQuantity": {"value": 5, "comparator": "<", "unit": "mg/L"}}, "<5"),
        ({"valueCodeableConcept": coded("Positive")}, "Positive"),
        ({"valueString": "clear"}, "clear"),
        ({"valueBoolean": False}, False),
        ({"valueInteger": 3}, 3),
        ({"valueRange": {"low": {"value": 1}, "high": {"value": 2}}}, "1 to 2"),
        ({"valueRatio": {"numerator": {"value": 1}, "denominator": {"value": 80}}}, "1:80"),
        ({"dataAbsentReason": coded("unknown")}, None),
    ],
)
def test_kinds_of_values(tmp_path: Path, value: dict[str, Any], read_as: Any) -> None:
    body = bundle(patient(), resource("Observation", code=coded("Titre"), **value))
    (entry,), _ = read(written(tmp_path / "b.json", body))
    assert facts(entry)["observations.titre"] == read_as


def test_an_attached_plain_text_is_evidence(tmp_path: Path) -> None:
    form = {
        "contentType": "text/plain; charset=utf-8",
        "data": base64.b64encode(b"Margins are clear.").decode(),
    }
    body = bundle(patient(), resource("DiagnosticReport", code=coded("Histology"), presentedForm=[form]))
    (entry,), _ = read(written(tmp_path / "b.json", body))
    assert entry.packet.texts == ("Histology\nMargins are clear.",)


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ('{"resourceType": "Patient", "id": "a"}\n{"resourceType": ', "line 2: not JSON", 2),
        ('{"resourceType": "Patient", "id": "a"}\n{"id": "b"}', "line 2: no resourceType", 2),
        ('{"resourceType": "Patient", "id": "a"}\n[1]', "line 2: no resourceType", 2),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, says: str, line: int) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text(text)
    with pytest.raises(BadInput, match=says) as caught:
        read(path)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


ODD: list[dict[str, Any]] = [
    {"resourceType": "Observation", "code": "text"},
    {"resourceType": "Observation", "code": {"coding": [None]}},
    {"resourceType": "Condition", "code": coded("x"), "stage": ["a"]},
    {"resourceType": "MedicationRequest", "medicationCodeableConcept": [], "dosageInstruction": 3},
    {"resourceType": "DiagnosticReport", "code": coded("r"), "presentedForm": [{"contentType": "text/plain", "data": "???"}]},
    {"resourceType": "AllergyIntolerance", "reaction": "none"},
    {"resourceType": "Procedure", "code": coded("x"), "status": {"code": "completed"}},
    {"resourceType": "Observation", "code": coded("x"), "valueString": ["a"]},
    {"resourceType": "Observation", "code": coded("x"), "valueQuantity": {"value": "high"}},
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_a_malformed_resource_is_counted_never_fatal(tmp_path: Path, odd: dict[str, Any]) -> None:
    body = bundle(patient(), observation("Sodium", 140, "mmol/L", "2024-01-01"), odd)
    (entry,), notes = read(written(tmp_path / "b.json", body))
    assert facts(entry)["observations.sodium"] == 140
    assert sum(notes.left_out.values()) <= 1
    assert msgspec.convert(msgspec.to_builtins(entry), Entry) == entry, "a value that no fact may have"


KINDS = ("Patient", "Condition", "Observation", "MedicationRequest", "MedicationStatement", "Procedure", "DiagnosticReport", "AllergyIntolerance", "Basic")  # fmt: skip
ELEMENTS = (
    "id", "code", "subject", "patient", "component", "valueQuantity", "valueRange", "valueRatio", "valueCodeableConcept", "stage",
    "medication", "medicationReference", "contained", "dosageInstruction", "dosage", "reaction", "presentedForm", "note", "birthDate",
    "verificationStatus", "effectivePeriod", "conclusionCode", "deceasedDateTime", "reasonCode", "bodySite", "status",
    "gender", "valueString", "valueInteger", "conclusion", "criticality", "medicationCodeableConcept",
)  # fmt: skip
INSIDE = (
    "coding",
    "text",
    "display",
    "value",
    "unit",
    "reference",
    "concept",
    "low",
    "numerator",
    "start",
    "data",
    "code",
)
leaves = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab/#:", max_size=4)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(INSIDE), inner, max_size=3), max_leaves=8
)  # fmt: skip


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(KINDS), body=st.dictionaries(st.sampled_from(ELEMENTS), trees, max_size=6))
def test_no_resource_stops_the_others(tmp_path: Path, kind: str, body: dict[str, Any]) -> None:
    whole = bundle(
        patient("p9"),
        observation("Sodium", 140, "mmol/L", "2024-01-01", of="p9"),
        {"resourceType": kind, "code": coded("X"), **body},
    )
    found, notes = read(written(tmp_path / "b.json", whole))
    held = {entry.id: facts(entry) for entry in found}
    assert any(value == 140 for path, value in held["p9"].items() if path.startswith("observations.sodium"))
    assert notes.cases == len(found)
    assert msgspec.convert(msgspec.to_builtins(found), list[Entry]) == found, "a value that no fact may have"


def test_relatives_and_vaccinations_are_read(tmp_path: Path) -> None:
    years = {"value": 52, "unit": "years"}
    mother = [{"code": coded("Breast cancer"), "onsetString": "in her forties"}, {"code": coded("Asthma")}]
    body = bundle(
        patient(),
        resource("FamilyMemberHistory", relationship=coded("father"), condition=[{"code": coded("Myocardial infarction"), "onsetAge": years}]),
        resource("FamilyMemberHistory", id="2", relationship=coded("mother"), condition=mother),
        resource("FamilyMemberHistory", id="3", relationship=coded("sister")),
        resource("Immunization", status="completed", vaccineCode=coded("Influenza, seasonal"), occurrenceDateTime="2023-10-02"),
        resource("Immunization", id="2", status="entered-in-error", vaccineCode=coded("Tdap")),
    )  # fmt: skip
    (entry,), found = read(written(tmp_path / "b.json", body))
    held = facts(entry)
    assert held["family_history.father.condition"] == "Myocardial infarction at 52"
    assert held["family_history.mother.0.condition"] == "Breast cancer (in her forties)"
    assert held["family_history.mother.1.condition"] == "Asthma"
    assert held["procedures.influenza_vaccine_seasonal.name"] == "Influenza vaccine, seasonal"
    assert held["procedures.influenza_vaccine_seasonal.status"] == "completed"
    assert not any("tdap" in path for path in held)
    assert found.left_out == {
        "FamilyMemberHistory that cannot be read": 1,
        "Immunization entered in error": 1,
    }
