"""POST as a FHIR server takes it: what a resource has to hold, and what of it a grade compares."""

from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.ids import canonical_json
from percuss.protocols.skills.worlds.fhir.resources import Resource
from percuss.protocols.skills.worlds.fhir.searching import fault

__all__ = ["KEPT", "MOST_CREATED", "compared", "refused"]

KEPT: Mapping[str, tuple[str, ...]] = {
    "Observation": ("status", "code", "subject"),
    "MedicationRequest": ("status", "intent", "subject", "medicationCodeableConcept"),
    "ServiceRequest": ("status", "intent", "subject", "code"),
}
"""Types that may be created -> the fields that each must have (FHIR R4; our server wants a subject and a code of each)."""
MOST_CREATED, MOST_BYTES = 20, 8_000


def refused(resource: Any, held: Mapping[str, Sequence[Resource]], created: int) -> Resource | None:
    """Return why the server does not keep a resource; None: it does.

    Args:
        resource: as the agent wrote it. held: type -> resources. created: how many were kept before.
    """
    if not isinstance(resource, dict) or resource.get("resourceType") not in KEPT:
        got = resource.get("resourceType") if isinstance(resource, dict) else type(resource).__name__
        return fault(
            400,
            "invalid",
            f"got {str(got)[:40]!r}; expected a resource whose resourceType is one of {', '.join(KEPT)}",
        )
    if created >= MOST_CREATED or len(canonical_json(resource)) > MOST_BYTES:
        return fault(413, "too-costly", f"expected at most {MOST_CREATED} resources of {MOST_BYTES:,} bytes")
    missing = [name for name in KEPT[resource["resourceType"]] if not resource.get(name)]
    if missing:
        return fault(422, "required", f"{resource['resourceType']} lacks {', '.join(missing)}")
    name = _subject(resource)
    if not any(each["id"] == name for each in held["Patient"]):
        return fault(
            422,
            "not-found",
            f'got the subject {name[:40]!r}; expected {{"reference": "Patient/ID"}} of a patient who is there',
        )
    return None


def compared(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a grade compares of a resource: type, status, patient, code, amount, time and note; the rest is free.

    Args:
        resource: as created, or as it should be.
    """
    concept = resource.get("code") or resource.get("medicationCodeableConcept")
    when = next(
        (resource[name] for name in ("effectiveDateTime", "occurrenceDateTime") if resource.get(name)), None
    )
    return {
        "type": resource.get("resourceType"), "patient": _subject(resource), "status": resource.get("status"),
        "intent": resource.get("intent"), "code": _first_code(concept), "amount": _amount(resource),
        "when": str(when)[:16] if when else None, "note": _note(resource),
    }  # fmt: skip


def _subject(resource: Mapping[str, Any]) -> str:
    subject = resource.get("subject")
    named = subject.get("reference") if isinstance(subject, dict) else None
    return named.removeprefix("Patient/") if isinstance(named, str) else ""


def _first_code(concept: Any) -> str | None:
    if not isinstance(concept, dict):
        return None
    coding = concept.get("coding")
    first = coding[0] if isinstance(coding, list) and coding else None
    code = first.get("code") if isinstance(first, dict) else None
    return str(code or concept.get("text") or "").strip().lower() or None


def _amount(resource: Mapping[str, Any]) -> tuple[float, str] | None:
    """Return value and unit of a measurement, or of a drug's dose."""
    found = resource.get("valueQuantity")
    for each in _dicts(resource.get("dosageInstruction")):
        found = next((rate.get("doseQuantity") for rate in _dicts(each.get("doseAndRate"))), found)
    if not isinstance(found, dict):
        return None
    value, unit = found.get("value"), found.get("unit")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        (round(float(value), 3), str(unit)) if is_number and value is not None and abs(value) < 1e9 else None
    )


def _note(resource: Mapping[str, Any]) -> str:
    return " ".join(
        " ".join(str(each.get("text", "")) for each in _dicts(resource.get("note"))).lower().split()
    )


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
