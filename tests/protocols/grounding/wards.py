"""A small cohort of synthetic records with lists, as FHIR Bundles and as JSON: nobody's data, with traps for whoever changes a field."""

from typing import Any

import msgspec

from percuss.core.records import Case
from percuss.evidence.packet import Packet
from percuss.exchange.fhir import packet_of_fhir
from percuss.protocols.grounding.record import Grounding
from tests.unit.exchange.fhir_resources import Resource, bundle, coded, observation, patient, resource

__all__ = ["cohort"]


def drug(name: str, dose: str, status: str, date: str, key: str = "") -> Resource:
    return resource(
        "MedicationRequest", id=key or f"m-{name}", status=status, authoredOn=date, intent="order",
        medicationCodeableConcept={"text": name}, dosageInstruction=[{"text": dose}],
    )  # fmt: skip


def problem(name: str, status: str, date: str, verification: str = "confirmed") -> Resource:
    return resource(
        "Condition", id=f"c-{name}-{date}", code=coded(name), clinicalStatus={"coding": [{"code": status}]}, onsetDateTime=date,
        verificationStatus={"coding": [{"code": verification}]},
    )  # fmt: skip


def allergy(name: str, reaction: str, status: str = "active") -> Resource:
    return resource(
        "AllergyIntolerance", id=f"a-{name}", code=coded(name), clinicalStatus={"coding": [{"code": status}]},
        reaction=[{"manifestation": [{"text": reaction}]}],
    )  # fmt: skip


BUNDLES = {
    "two doses of one drug": bundle(
        patient(), drug("Metformin", "500 mg twice daily", "stopped", "2024-03-01", "m1"),
        drug("Metformin", "850 mg twice daily", "active", "2025-02-01", "m2"), drug("Ramipril", "5 mg once daily", "active", "2025-02-01"),
        observation("HbA1c", 7.9, "%", "2025-02-01"), observation("HbA1c", 8.8, "%", "2024-03-01"), observation("Creatinine", 98, "umol/L", "2025-02-01"),
        problem("Type 2 diabetes mellitus", "active", "2014-05-01"), allergy("Penicillin", "rash"),
    ),
    "one name in two words": bundle(
        patient(), drug("Acetaminophen", "1 g four times daily", "active", "2025-01-10"), drug("Apixaban", "5 mg twice daily", "on-hold", "2025-01-10"),
        observation("CRP", 48, "mg/L", "2025-01-10"), observation("CRP", 212, "mg/L", "2025-01-07"), observation("Creatinine", 141, "umol/L", "2025-01-07"),
        problem("Atrial fibrillation", "active", "2019-06-01"), problem("Community acquired pneumonia", "resolved", "2025-01-07"),
    ),
    "the other word, and a milligram": bundle(
        patient(), drug("Paracetamol", "1000 mg four times daily", "completed", "2025-03-02"), drug("Furosemide", "40 mg once daily", "active", "2025-03-02"),
        observation("Potassium", 5.9, "mmol/L", "2025-03-02"), observation("Haemoglobin", 84, "g/L", "2025-03-02"),
        problem("Heart failure", "active", "2023-08-09"), problem("Pulmonary embolism", "active", "2025-03-02", "refuted"), allergy("Latex", "urticaria"),
    ),
    "a problem told two ways": bundle(
        patient(), problem("Asthma", "active", "2001-01-01"), problem("Asthma", "inactive", "2010-01-01"), problem("Migraine", "inactive", "2005-04-01"),
        drug("Sumatriptan", "50 mg as needed", "active", "2025-04-01"), observation("Sodium", 138, "mmol/L", "2025-04-01"),
        observation("Sodium", 129, "mmol/L", "2025-04-03"), observation("Potassium", 4.1, "mmol/L", "2025-04-01"),
    ),
    "bounds, ranges and nothing": bundle(
        patient(), drug("Insulin glargine", "10 to 14 units at bedtime", "active", "2025-05-02"), drug("Bisoprolol", "2.5 mg once daily", "stopped", "2024-11-20"),
        observation("Troponin", 0, "ng/L", "2025-05-01"), observation("Haemoglobin", 112, "g/L", "2025-05-01"), allergy("No known allergies", "none"),
        resource("Observation", id="q", status="final", code=coded("D-dimer"), effectiveDateTime="2025-05-01",
                 valueQuantity={"value": 500, "unit": "ng/mL", "comparator": "<"}),
    ),
    "two results of one day": bundle(
        patient(), observation("Glucose", 6.1, "mmol/L", "2025-06-01", key="g1"), observation("Glucose", 9.4, "mmol/L", "2025-06-01", key="g2"),
        observation("CRP", 22, "mg/L", "2025-06-01"), observation("Creatinine", 310, "umol/L", "2025-06-01"),
        drug("Amlodipine", "10 mg once daily", "active", "2025-06-01"), allergy("Codeine", "nausea", "resolved"),
    ),
}  # fmt: skip
LISTS: dict[str, dict[str, Any]] = {
    "ward": {
        "medications": [
            {"drug": "Metformin", "dose": "500 mg", "frequency": "twice daily", "status": "on hold"},
            {"drug": "Ceftriaxone", "dose": "2 g", "route": "IV", "frequency": "every 24 hours", "start": "2025-09-02", "status": "active"},
            {"drug": "Warfarin", "dose": "3 mg", "note": "stopped yesterday", "status": "active"},
        ],
        "labs": [
            {"test": "CRP", "value": 212, "unit": "mg/L", "date": "2025-09-02", "flag": "H"}, {"test": "CRP", "value": 48, "unit": "mg/L", "date": "2025-09-05"},
            {"test": "Lactate", "value": 2.6, "unit": "mmol/L", "date": "2025-09-02"}, {"test": "Nitrite", "value": "positive", "date": "2025-09-02"},
            {"value": 17.4, "unit": "10^9/L"},
        ],
        "problems": [
            {"condition": "Urosepsis", "status": "active", "onset": "2025-09-02"}, {"condition": "Pulmonary embolism", "present": False},
            {"condition": "possible endocarditis", "status": "active"},
        ],
        "allergies": [{"substance": "penicillin", "reaction": "rash"}],
        "family": {"conditions": [{"condition": "breast cancer", "status": "active"}]},
    },
    "clinic": {
        "medications": [
            {"drug": "Amlodipine", "dose": "5 mg", "frequency": "once daily", "status": "active"},
            {"drug": "Lisinopril", "dose": "20 mg", "frequency": "once daily", "status": "stopped"}, {"drug": "Atorvastatin", "dose_mg": 40},
        ],
        "labs": {"sodium": {"value": 131, "unit": "mmol/L", "date": "2025-02-03"}, "weight": {"value": 82, "unit": "kg"}},
        "conditions": ["gout", "osteoporosis"],
    },
}  # fmt: skip


def cohort() -> list[Case]:
    """Return the cases, those of Bundles first."""
    packets = {name: packet_of_fhir(body) for name, body in BUNDLES.items()} | {
        name: Packet.of_layers(body) for name, body in LISTS.items()
    }
    return [
        Case(id=name, cluster=name, payload=msgspec.to_builtins(Grounding(packet=packet, question="How is the patient?")))
        for name, packet in packets.items()
    ]  # fmt: skip
