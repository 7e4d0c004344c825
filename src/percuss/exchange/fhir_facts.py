"""What one FHIR resource says, as dated facts; elements that differ between R4 and R5 are read as the release has them.

A fact's path is `section.name|rest`: what stands before the bar is numbered where a patient has it several times.
"""

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from percuss.core.errors import PercussError
from percuss.evidence.packet import Fact, Value
from percuss.exchange.tabular import slug

__all__ = ["READERS", "Context", "Reader", "Unreadable", "date_of"]

Resource = Mapping[str, Any]
Said = tuple[list[Fact], list[str]]
_YEAR = 4
_DAY = 10
_LONGEST_TEXT = 200_000


class Unreadable(PercussError):
    """A resource without the code or value that makes it a fact."""


@dataclass(frozen=True)
class Context:
    """What a resource cannot say alone: the release, and who is meant by a reference."""

    release: str
    by_reference: Mapping[str, Resource]

    def element(self, body: Resource, r4: str, r5: str) -> Any:
        """Return an element that R5 renamed: by the declared release's name, by either where none is declared."""
        names = {"R4": (r4,), "R4B": (r4,), "R5": (r5,)}.get(self.release, (r5, r4))
        return next((body[name] for name in names if body.get(name) is not None), None)

    def patient_of(self, body: Resource) -> str | None:
        """Return the id of the patient that a resource is about; None where it names none."""
        target = body.get("subject") or body.get("patient")
        reference = target.get("reference") if isinstance(target, Mapping) else None
        if not isinstance(reference, str) or not reference:
            return None
        held = self.by_reference.get(reference)
        if held is not None:
            return str(held.get("id") or reference.rpartition(":")[2])
        kind, _, name = reference.partition("/_history")[0].rpartition("/")
        if reference.startswith("urn:uuid:"):
            return reference.removeprefix("urn:uuid:")
        return name if kind.rpartition("/")[2] == "Patient" and name else None


def date_of(body: Resource, *names: str) -> str:
    """Return the first date among elements, as far as it is told, down to the day; "" where there is none."""
    for name in names:
        value = body.get(name)
        if isinstance(value, Mapping):
            value = value.get("start") or value.get("end")
        if isinstance(value, str) and value:
            return value[:_DAY]
    return ""


def words(concept: Any) -> str:
    """Return what a CodeableConcept, a list of them, or a CodeableReference says; "" where nothing."""
    if isinstance(concept, list):
        return "; ".join(filter(None, map(words, concept)))
    if not isinstance(concept, Mapping):
        return ""
    if isinstance(concept.get("concept"), Mapping):
        return words(concept["concept"])
    if concept.get("text"):
        return str(concept["text"]).strip()
    codings = [coding for coding in concept.get("coding") or () if isinstance(coding, Mapping)]
    display = next((coding["display"] for coding in codings if coding.get("display")), None)
    code = next((coding["code"] for coding in codings if coding.get("code")), None)
    return str(display or code or concept.get("display") or "").strip()


def quantity(value: Resource) -> tuple[Value, str]:
    """Return a Quantity's value and unit; one with a comparator is text."""
    number = value.get("value")
    unit = str(value.get("unit") or value.get("code") or "")
    if number is not None and value.get("comparator"):
        return f"{value['comparator']}{number}", unit
    if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
        raise Unreadable("a quantity that is no number")
    return number, unit


def value_in(body: Resource) -> tuple[Value, str]:
    """Return the value[x] of an Observation or component with its unit; a reason for absence gives None.

    Raises:
        Unreadable: no value, or a kind of value that is no fact.
    """
    for name in ("valueInteger", "valueBoolean", "valueString", "valueDateTime", "valueTime"):
        if body.get(name) is not None:
            return body[name], ""
    if isinstance(body.get("valueQuantity"), Mapping):
        return quantity(body["valueQuantity"])
    if body.get("valueCodeableConcept") is not None:
        return words(body["valueCodeableConcept"]) or None, ""
    if isinstance(body.get("valueRange"), Mapping):
        ends = [quantity(body["valueRange"].get(side) or {}) for side in ("low", "high")]
        return " to ".join(str(value) for value, _ in ends if value is not None), ends[0][1] or ends[1][1]
    if isinstance(body.get("valueRatio"), Mapping):
        ends = [quantity(body["valueRatio"].get(side) or {}) for side in ("numerator", "denominator")]
        return ":".join(str(value) for value, _ in ends), ""
    if isinstance(body.get("valuePeriod"), Mapping):
        return date_of(body, "valuePeriod"), ""
    if body.get("dataAbsentReason") is not None:
        return None, ""
    raise Unreadable("an observation without a value")


def _named(body: Resource, element: str = "code") -> str:
    name = words(body.get(element))
    if not name:
        raise Unreadable(f"no {element}")
    return name


def _listed(head: str, date: str, values: Mapping[str, Value]) -> list[Fact]:
    """Return what was said; the date is the name's alone, for a status is not of the day on which something began."""
    said = {leaf: value for leaf, value in values.items() if value not in (None, "")}
    return [
        Fact(path=f"{head}|{leaf}", value=value, date=date if leaf == "name" else "")
        for leaf, value in said.items()
    ]


def patient(body: Resource, context: Context) -> Said:
    """Sex, year of birth and death; nothing that names the person."""
    del context
    born = str(body.get("birthDate") or "")[:_YEAR]
    died = body.get("deceasedBoolean")
    values: dict[str, Value] = {
        "patient.sex": body.get("gender"),
        "patient.birth_year": int(born) if born.isdecimal() else None,
        "patient.deceased": True
        if body.get("deceasedDateTime")
        else died
        if isinstance(died, bool)
        else None,
    }
    death = date_of(body, "deceasedDateTime")
    facts = [
        Fact(path=path, value=value, date=death if path.endswith("deceased") else "")
        for path, value in values.items()
        if value is not None
    ]
    return facts, []


def condition(body: Resource, context: Context) -> Said:
    """A diagnosis: name, clinical and verification status, severity, stage."""
    del context
    name = _named(body)
    stages = body.get("stage") or ()
    verification = words(body.get("verificationStatus"))
    values: dict[str, Value] = {
        "name": name,
        "status": words(body.get("clinicalStatus")),
        "verification": "" if verification.lower() == "confirmed" else verification,
        "severity": words(body.get("severity")),
        "stage": "; ".join(filter(None, (words(stage.get("summary")) for stage in stages))),
        "body_site": words(body.get("bodySite")),
    }
    date = date_of(body, "onsetDateTime", "onsetPeriod", "recordedDate")
    return _listed(f"conditions.{slug(name)}", date, values), []


def observation(body: Resource, context: Context) -> Said:
    """A measurement, and each of its components."""
    del context
    name = _named(body)
    date = date_of(body, "effectiveDateTime", "effectivePeriod", "effectiveInstant", "issued")
    head = f"observations.{slug(name)}"
    components = [part for part in body.get("component") or () if isinstance(part, Mapping)]
    facts = []
    for part in components:
        value, unit = value_in(part)
        facts.append(Fact(path=f"{head}|{slug(_named(part))}", value=value, unit=unit, date=date))
    own = any(key.startswith("value") for key in body) or not components
    if own:
        value, unit = value_in(body)
        facts.append(Fact(path=f"{head}|value" if components else head, value=value, unit=unit, date=date))
    return facts, [str(note["text"]) for note in body.get("note") or () if note.get("text")]


def medication(body: Resource, context: Context) -> Said:
    """A prescription or a statement of use: name, status, dose in words."""
    request = body.get("resourceType") == "MedicationRequest"
    name = _drug(body, context)
    doses = body.get("dosageInstruction" if request else "dosage") or ()
    values: dict[str, Value] = {
        "name": name,
        "status": body.get("status"),
        "dose": "; ".join(filter(None, map(_dose, doses))),
        "reason": words(context.element(body, "reasonCode", "reason")),
    }
    date = (
        date_of(body, "authoredOn")
        if request
        else date_of(body, "effectiveDateTime", "effectivePeriod", "dateAsserted")
    )
    return _listed(f"medications.{slug(name)}", date, values), []


def _drug(body: Resource, context: Context) -> str:
    """R4: medicationCodeableConcept or medicationReference; R5: medication.concept or medication.reference."""
    held = context.element(body, "medicationCodeableConcept", "medication")
    name = words(held)
    pointer = held.get("reference") if isinstance(held, Mapping) else None
    if not name:
        pointer = pointer or (body.get("medicationReference") if context.release != "R5" else None)
        target = pointer.get("reference") if isinstance(pointer, Mapping) else None
        inside = [one for one in body.get("contained") or () if f"#{one.get('id')}" == target]
        found = inside[0] if inside else context.by_reference.get(str(target), {})
        name = words(found.get("code")) or str((pointer or {}).get("display") or "")
    if not name:
        raise Unreadable("a medication without a name")
    return name


def _dose(dosage: Resource) -> str:
    if dosage.get("text"):
        return str(dosage["text"])
    rates = dosage.get("doseAndRate") or [{}]
    value, unit = quantity(rates[0].get("doseQuantity") or {})
    repeat = (dosage.get("timing") or {}).get("repeat") or {}
    period = (
        f"{repeat.get('frequency', 1)} per {repeat['period']} {repeat.get('periodUnit', '')}"
        if repeat.get("period")
        else ""
    )
    return " ".join(filter(None, (f"{value} {unit}".strip() if value is not None else "", period)))


def procedure(body: Resource, context: Context) -> Said:
    """A procedure: name, status, site; its date is `performed` in R4 and `occurrence` in R5."""
    name = _named(body)
    values: dict[str, Value] = {
        "name": name,
        "status": body.get("status"),
        "body_site": words(body.get("bodySite")),
        "outcome": words(body.get("outcome")),
    }
    r4, r5 = ("performedDateTime", "performedPeriod"), ("occurrenceDateTime", "occurrencePeriod")
    names = {"R4": r4, "R4B": r4, "R5": r5}.get(context.release, (*r5, *r4))
    return _listed(f"procedures.{slug(name)}", date_of(body, *names), values), []


def report(body: Resource, context: Context) -> Said:
    """A report: name, conclusion; attached plain text is evidence as it stands."""
    del context
    name = _named(body)
    codes = words(body.get("conclusionCode"))
    values: dict[str, Value] = {
        "name": name,
        "status": body.get("status"),
        "conclusion": body.get("conclusion"),
        "finding": codes,
    }
    date = date_of(body, "effectiveDateTime", "effectivePeriod", "issued")
    return _listed(f"reports.{slug(name)}", date, values), list(_attached(body, name, date))


def _attached(body: Resource, name: str, date: str) -> Iterator[str]:
    for form in body.get("presentedForm") or ():
        if str(form.get("contentType", "")).partition(";")[0] == "text/plain" and form.get("data"):
            try:
                text = base64.b64decode(form["data"], validate=True).decode("utf-8")
            except (binascii.Error, UnicodeDecodeError):
                continue
            yield f"{name}{f', {date}' if date else ''}\n{text[:_LONGEST_TEXT]}"


def allergy(body: Resource, context: Context) -> Said:
    """An allergy or intolerance: to what, how it shows (R5 wraps manifestations in references)."""
    del context
    reactions = [one for one in body.get("reaction") or () if isinstance(one, Mapping)]
    name = words(body.get("code")) or words([one.get("substance") for one in reactions])
    if not name:
        raise Unreadable("no code")
    values: dict[str, Value] = {
        "name": name,
        "status": words(body.get("clinicalStatus")),
        "criticality": body.get("criticality"),
        "reaction": "; ".join(filter(None, (words(one.get("manifestation")) for one in reactions))),
    }
    return _listed(f"allergies.{slug(name)}", date_of(body, "onsetDateTime", "recordedDate"), values), []


def relative(body: Resource, context: Context) -> Said:
    """A relative's conditions, each with the age at which it began; nothing that names the relative."""
    del context
    whose = slug(words(body.get("relationship")) or "relative")
    told = [one for one in body.get("condition") or () if isinstance(one, Mapping)]
    values = [f"{_named(one)}{_begun(one)}" for one in told]
    if not values:
        raise Unreadable("no condition")
    return [Fact(path=f"family_history.{whose}|condition", value=value) for value in values], []


def _begun(told: Resource) -> str:
    """Return " at 61" where an age in years is told, else what is told in words."""
    age = told.get("onsetAge")
    if isinstance(age, Mapping):
        value, unit = quantity(age)
        years = unit.lower() in {"", "a", "y", "yr", "yrs", "year", "years"}
        return "" if value is None else f" at {value}" if years else f" at {value} {unit}"
    return f" ({told['onsetString']})" if told.get("onsetString") else ""


def immunization(body: Resource, context: Context) -> Said:
    """A vaccination: of what, done or not, when."""
    del context
    name = _named(body, "vaccineCode")
    if "vaccin" not in name.lower() and "immun" not in name.lower():
        # A code's display often names the disease alone ("Influenza, seasonal"): the patient was never said to have it.
        first, comma, rest = name.partition(",")
        name = f"{first} vaccine{comma}{rest}"
    values: dict[str, Value] = {"name": name, "status": body.get("status")}
    return _listed(f"procedures.{slug(name)}", date_of(body, "occurrenceDateTime"), values), []


def imaging(body: Resource, context: Context) -> Said:
    """An imaging study: its modalities, sites, description, what it was done for, when it began."""
    del context
    series = [one for one in body.get("series") or () if isinstance(one, Mapping)]
    modalities = _codings(body.get("modality")) or _codings([one.get("modality") for one in series])
    sites = _codings([one.get("bodySite") for one in series])
    name = words(body.get("procedureCode")) or str(body.get("description") or "").strip() or modalities
    if not name:
        raise Unreadable("an imaging study of no kind")
    values: dict[str, Value] = {
        "name": name,
        "status": body.get("status"),
        "modality": modalities,
        "body_site": sites,
        "description": body.get("description"),
    }
    return _listed(f"imaging.{slug(name)}", date_of(body, "started"), values), []


def _codings(held: Any) -> str:
    """Return what Codings (R4) or CodeableConcepts (R5) say, each once."""
    several = held if isinstance(held, list) else [held]
    said = [
        words(one) or words({"coding": [one]})
        for each in several
        for one in (each if isinstance(each, list) else [each])
        if isinstance(one, Mapping)
    ]
    return "; ".join(dict.fromkeys(filter(None, said)))


def device(body: Resource, context: Context) -> Said:
    """A device: of what type, and whether it is in use."""
    del context
    names = [one for one in body.get("deviceName") or body.get("name") or () if isinstance(one, Mapping)]
    named = next(
        (str(one.get("name") or one.get("value")) for one in names if one.get("name") or one.get("value")), ""
    )
    name = words(body.get("type")) or named
    if not name:
        raise Unreadable("a device of no type")
    return _listed(f"devices.{slug(name)}", "", {"name": name, "status": body.get("status")}), []


Reader = Callable[[Resource, Context], Said]
READERS: Mapping[str, Reader] = {
    "Patient": patient,
    "Condition": condition,
    "Observation": observation,
    "MedicationRequest": medication,
    "MedicationStatement": medication,
    "Procedure": procedure,
    "DiagnosticReport": report,
    "AllergyIntolerance": allergy,
    "FamilyMemberHistory": relative,
    "Immunization": immunization,
    "ImagingStudy": imaging,
    "Device": device,
}
