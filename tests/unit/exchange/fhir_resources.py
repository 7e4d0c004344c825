"""Synthetic FHIR resources: nobody's data."""

import json
from pathlib import Path
from typing import Any

Resource = dict[str, Any]


def coded(text: str) -> Resource:
    return {"coding": [{"system": "http://example.org/codes", "code": text.upper()[:8], "display": text}]}


def patient(name: str = "p1", **more: Any) -> Resource:
    return {
        "resourceType": "Patient",
        "id": name,
        "gender": "female",
        "birthDate": "1961-04-02",
        "name": [{"family": "Canary", "given": ["Wren"]}],
        "telecom": [{"value": "canary@example.org"}],
        "identifier": [{"value": "MRN-CANARY"}],
        **more,
    }


def resource(kind: str, of: str = "p1", **more: Any) -> Resource:
    key = "patient" if kind in {"AllergyIntolerance", "FamilyMemberHistory", "Immunization"} else "subject"
    return {"resourceType": kind, "id": f"{kind.lower()}-1", key: {"reference": f"Patient/{of}"}, **more}


def observation(name: str, value: float, unit: str, date: str, *, of: str = "p1", key: str = "") -> Resource:
    return resource(
        "Observation",
        of,
        id=key or f"o-{name}-{date}",
        status="final",
        code=coded(name),
        valueQuantity={"value": value, "unit": unit},
        effectiveDateTime=date,
    )


def bundle(*resources: Resource, **more: Any) -> Resource:
    return {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"resource": r} for r in resources],
        **more,
    }


def written(path: Path, body: Any) -> Path:
    path.write_text(json.dumps(body, indent=2), encoding="utf-8")
    return path


def lines(path: Path, *bodies: Any) -> Path:
    path.write_text("\n".join(json.dumps(body) for body in bodies) + "\n", encoding="utf-8")
    return path
