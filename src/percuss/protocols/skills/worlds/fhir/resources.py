"""The hospital as FHIR R4 resources: the rows that the SQL tasks read, and readings at the bedside on the day before.

Codes of tests are the hospital's own (`SYSTEM`); diagnoses have ICD-10 categories. Nothing here is a real person.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from percuss.protocols.skills.worlds.hospital.data import Data, Draw, hospital_of
from percuss.protocols.skills.worlds.hospital.schema import TABLES

__all__ = ["GLUCOSE", "NOW", "SYSTEM", "TYPES", "Resource", "quantity", "reference", "resources_of", "stamp"]

Resource = dict[str, Any]
NOW = datetime(2026, 11, 2, 10, 15)  # noqa: DTZ001 - the hospital's own clock
"""When every task plays: after the last row of any hospital."""
SYSTEM = "urn:percuss:hospital"
TYPES = ("Patient", "Encounter", "Condition", "Observation", "MedicationRequest", "DiagnosticReport")
"""Types that the server holds from the start."""
GLUCOSE = "capillary-glucose"
_READ = 7
"""Readings of glucose at the bedside, one every six hours or so; the first ones are older than a day."""
_CLASSES = {"inpatient": "IMP", "outpatient": "AMB", "emergency": "EMER"}


@lru_cache(maxsize=4)
def resources_of(seed: int) -> Mapping[str, tuple[Resource, ...]]:
    """Return type -> its resources in the hospital of a seed; shared, so nobody may change them.

    Args:
        seed: of the hospital.
    """
    data = hospital_of(seed)
    makers = {
        "patients": _patient, "encounters": _encounter, "diagnoses": _condition, "labs": _lab, "medications": _medication,
        "reports": _report,
    }  # fmt: skip
    held: dict[str, list[Resource]] = {name: [] for name in TYPES}
    for table, make in makers.items():
        names = [column.name for column in TABLES[table]]
        for row in data.tables[table]:
            made = make(dict(zip(names, row, strict=True)))
            held[made["resourceType"]].append(made)
    held["Observation"] += _readings(data, seed)
    return {name: tuple(found) for name, found in held.items()}


def reference(patient: int) -> dict[str, str]:
    """Return how a resource names its patient, by number."""
    return {"reference": f"Patient/{patient}"}


def quantity(value: float, unit: str) -> dict[str, Any]:
    """Return a `value` with its `unit`."""
    return {"value": value, "unit": unit}


def stamp(moment: datetime | str) -> str:
    """Return a moment as FHIR writes it; text of a table has a blank where FHIR has a T."""
    text = moment.isoformat(sep=" ") if isinstance(moment, datetime) else moment
    return text.replace(" ", "T")


def _code(code: str, system: str = SYSTEM, text: str = "") -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code}], "text": text or code}


def _made(kind: str, own: str, /, **fields: Any) -> Resource:
    return {"resourceType": kind, "id": own} | {
        key: value for key, value in fields.items() if value is not None
    }


def _patient(row: Mapping[str, Any]) -> Resource:
    number = row["patient_id"]
    return _made(
        "Patient", str(number), identifier=[{"system": f"{SYSTEM}:mrn", "value": f"MRN{number:05d}"}],
        name=[{"family": row["family_name"], "given": [row["given_name"]]}],
        gender={"F": "female", "M": "male"}[row["sex"]], birthDate=row["birth_date"],
        address=[{"district": row["district"]}], deceasedDateTime=row["deceased_on"],
    )  # fmt: skip


def _encounter(row: Mapping[str, Any]) -> Resource:
    period = {"start": stamp(row["admitted_at"])}
    if row["discharged_at"]:
        period["end"] = stamp(row["discharged_at"])
    return _made(
        "Encounter", f"enc-{row['encounter_id']}", status="finished" if row["discharged_at"] else "unknown",
        **{"class": {"code": _CLASSES[row["kind"]]}}, subject=reference(row["patient_id"]),
        serviceType={"text": row["department"]}, period=period,
    )  # fmt: skip


def _condition(row: Mapping[str, Any]) -> Resource:
    return _made(
        "Condition", f"con-{row['diagnosis_id']}", subject=reference(row["patient_id"]),
        encounter={"reference": f"Encounter/enc-{row['encounter_id']}"},
        code=_code(row["code"], "http://hl7.org/fhir/sid/icd-10", row["name"]), recordedDate=row["recorded_on"],
    )  # fmt: skip


def _lab(row: Mapping[str, Any]) -> Resource:
    value = None if row["value"] is None else quantity(row["value"], row["unit"])
    return _made(
        "Observation", f"lab-{row['lab_id']}", status=row["status"], category=[_code("laboratory")],
        code=_code(row["test"]), subject=reference(row["patient_id"]), valueQuantity=value,
        effectiveDateTime=stamp(row["taken_at"]) if row["taken_at"] else None,
        referenceRange=[{"low": quantity(row["low"], row["unit"]), "high": quantity(row["high"], row["unit"])}],
    )  # fmt: skip


def _medication(row: Mapping[str, Any]) -> Resource:
    ended = row["stopped_on"] is not None and row["stopped_on"] <= NOW.date().isoformat()
    dose = {
        "text": f"{row['dose_mg']:g} mg, {row['per_day']} per day, {row['route']}",
        "doseAndRate": [{"doseQuantity": quantity(row["dose_mg"], "mg")}],
    }
    return _made(
        "MedicationRequest", f"med-{row['medication_id']}", status="completed" if ended else "active", intent="order",
        medicationCodeableConcept=_code(row["drug"]), subject=reference(row["patient_id"]),
        authoredOn=row["started_on"], dosageInstruction=[dose],
    )  # fmt: skip


def _report(row: Mapping[str, Any]) -> Resource:
    return _made(
        "DiagnosticReport", f"rep-{row['report_id']}", status="final", code=_code(row["kind"]),
        subject=reference(row["patient_id"]), effectiveDateTime=row["issued_on"], conclusion=row["impression"],
    )  # fmt: skip


def _readings(data: Data, seed: int) -> Iterator[Resource]:
    """Yield readings of glucose at the bedside for every third patient alive."""
    for row in data.tables["patients"]:
        number, died = int(row[0]), row[6]
        if died is not None or number % 3:
            continue
        draw = Draw(seed, "glucose", number)
        for back in range(_READ, 0, -1):
            taken = NOW - timedelta(hours=6 * back, minutes=draw.below(240) - 180)
            yield _made(
                "Observation", f"poc-{number}-{back}", status="final", category=[_code("vital-signs")], code=_code(GLUCOSE),
                subject=reference(number), valueQuantity=quantity(round(4.5 + 9 * draw.share(), 1), "mmol/L"),
                effectiveDateTime=stamp(taken),
            )  # fmt: skip
