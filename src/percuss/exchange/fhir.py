"""FHIR R4 and R5: a Bundle, lines of Bundles, or a bulk export, as dated facts by patient.

Names, addresses, contacts and identifiers of people are never read. What is read: Patient (sex, year of birth, death),
Condition, Observation with components, MedicationRequest, MedicationStatement, Procedure, DiagnosticReport,
AllergyIntolerance, FamilyMemberHistory, Immunization, ImagingStudy, Device. Other resources are counted.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from percuss.core.errors import BadInput
from percuss.evidence.packet import Fact, Packet
from percuss.exchange.entries import Entry, Notes
from percuss.exchange.fhir_facts import READERS, Context, Unreadable
from percuss.exchange.rows import FILE_LIMIT, LINE_LIMIT, text_lines

__all__ = ["ENDINGS", "is_fhir", "packet_of_fhir", "read_fhir"]

ENDINGS = (".json", ".ndjson", ".jsonl", ".fhir")
VERSIONS = {"4.0": "R4", "4.1": "R4B", "4.3": "R4B", "5.0": "R5"}
_ELSEWHERE = frozenset({"Medication", "CapabilityStatement", "OperationOutcome"})
_WITHDRAWN = "entered-in-error"
Resource = dict[str, Any]
Placed = tuple[str, int | None, str, Resource]
"""File, line (None in a document), full URL ("" in a bulk export), resource."""


def is_fhir(head: bytes) -> bool:
    """Tell by a file's beginning: JSON with a `resourceType`."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"resourceType"' in head


def read_fhir(path: Path, notes: Notes) -> Iterator[Entry]:
    """Yield one entry a patient, its facts in order of date.

    Args:
        path: a Bundle, a file of lines, or a folder of these. notes: filled on the way; `guarded` is set.

    Raises:
        BadInput: no JSON, a line that is no resource, or a fhirVersion other than 4.x and 5.0.
    """
    notes.guarded = True
    files = sorted(f for f in path.iterdir() if f.suffix.lower() in ENDINGS) if path.is_dir() else [path]
    release = _release(files)
    notes.layout = f"FHIR {release}" if release else "FHIR (version not declared)"
    yield from _entries([placed for file in files for placed in _resources(file)], release, notes)


def packet_of_fhir(body: Mapping[str, Any], notes: Notes | None = None) -> Packet:
    """Return the evidence of one patient from a resource or Bundle that is held in memory.

    Args:
        body: decoded JSON with a `resourceType`; without a Patient, all resources are taken as one patient's.
        notes: filled on the way: what was left out, by count.

    Raises:
        BadInput: several patients, or nothing in it that is read as a fact.
    """
    notes = notes or Notes(layout="FHIR")
    resources = list(_unpacked(dict(body), "evidence", None))
    found = list(_entries(resources, "", notes, nobody="patient"))
    if len(found) != 1:
        left = "; ".join(f"{count} {what}" for what, count in notes.left_out.items())
        raise BadInput(
            f"FHIR evidence holds facts of {len(found)} patients; give the resources of one{f' (left out: {left})' if left else ''}"
        )
    return found[0].packet


def _entries(resources: list[Placed], release: str, notes: Notes, nobody: str = "") -> Iterator[Entry]:
    """Yield one entry a patient; `nobody` is whose a resource is that names no patient where none is there."""
    context = Context(release=release, by_reference=_index(resources))
    found: dict[str, list[Fact]] = {}
    texts: dict[str, list[str]] = {}
    patients = {
        _patient_id(full, body) for _, _, full, body in resources if body.get("resourceType") == "Patient"
    }
    alone = next(iter(patients)) if len(patients) == 1 else nobody or None
    for file, line, full, body in resources:
        _take(body, full, alone, context, found, texts, notes, (file, line))
    notes.fields.update({"id": "Patient.id", "evidence": "dated facts"})
    for patient in dict.fromkeys([*sorted(patients), *found]):
        facts = tuple(_ordered(found.get(patient, [])))
        if not any(not fact.path.startswith("patient.") for fact in facts):
            notes.left_out["patients without a clinical fact"] += 1
            continue
        yield Entry(id=patient, packet=Packet(facts=facts, texts=tuple(texts.get(patient, ()))))


def _take(
    body: Resource,
    full: str,
    alone: str | None,
    context: Context,
    found: dict[str, list[Fact]],
    texts: dict[str, list[str]],
    notes: Notes,
    where: tuple[str, int | None],
) -> None:
    """Add one resource's facts to its patient; count why it gives none."""
    kind = body.get("resourceType")
    if not isinstance(kind, str) or not kind:
        raise BadInput("no resourceType; a FHIR resource was expected", source=where[0], line=where[1])
    if kind in _ELSEWHERE:
        return
    reader = READERS.get(kind)
    if reader is None:
        notes.left_out[f"{kind} resources"] += 1
        return
    if _withdrawn(body):
        notes.left_out[f"{kind} entered in error"] += 1
        return
    patient = _patient_id(full, body) if kind == "Patient" else context.patient_of(body) or alone
    if patient is None:
        notes.left_out[f"{kind} of no patient"] += 1
        return
    try:
        facts, said = reader(body, context)
        # No element may smuggle a list or an object into a value.
        msgspec.convert(msgspec.to_builtins(facts), list[Fact])
    except (Unreadable, msgspec.ValidationError, AttributeError, TypeError, ValueError, KeyError, IndexError):
        notes.left_out[f"{kind} that cannot be read"] += 1
        return
    source = f"{kind}/{body.get('id', '')}"
    found.setdefault(patient, []).extend(replace(fact, source=source) for fact in facts)
    texts.setdefault(patient, []).extend(said)


def _withdrawn(body: Resource) -> bool:
    verification = body.get("verificationStatus")
    codings = verification.get("coding") or () if isinstance(verification, dict) else ()
    return body.get("status") == _WITHDRAWN or any(
        isinstance(coding, dict) and coding.get("code") == _WITHDRAWN for coding in codings
    )


def _ordered(facts: list[Fact]) -> Iterator[Fact]:
    """Sort by section and date, and number what stands several times: `observations.ldl.0`, `.1` .."""
    groups: dict[str, list[list[Fact]]] = {}
    for fact in facts:
        head, _, rest = fact.path.partition("|")
        held = groups.setdefault(head, [])
        if held and held[-1][0].source == fact.source and all(fact.path != other.path for other in held[-1]):
            held[-1].append(fact)
        else:
            held.append([fact])
        del rest
    for head, several in groups.items():
        several.sort(key=lambda group: max(fact.date for fact in group))
        for number, group in enumerate(several):
            middle = f".{number}" if len(several) > 1 else ""
            for fact in group:
                rest = fact.path.partition("|")[2]
                yield replace(fact, path=f"{head}{middle}.{rest}" if rest else f"{head}{middle}")


def _patient_id(full: str, body: Resource) -> str:
    return str(body.get("id") or full.rpartition("/")[2].rpartition(":")[2])


def _index(resources: list[Placed]) -> Mapping[str, Resource]:
    """Return what references may say -> resource, for patients and medications."""
    held: dict[str, Resource] = {}
    for _, _, full, body in resources:
        if body.get("resourceType") in {"Patient", "Medication"}:
            if full:
                held[full] = body
            if body.get("id"):
                held[f"{body['resourceType']}/{body['id']}"] = body
    return held


def _release(files: list[Path]) -> str:
    """Return R4, R4B, R5, or "" where no file declares its version."""
    declared: dict[str, str] = {}
    for file in files:
        for version in _declared(file):
            declared.setdefault(version, file.name)
    for version, name in declared.items():
        if version[:3] not in VERSIONS:
            raise BadInput(f"fhirVersion {version}; 4.0, 4.3 (R4) and 5.0 (R5) can be read", source=name)
    releases = sorted({VERSIONS[version[:3]] for version in declared})
    if len({release[:2] for release in releases}) > 1:
        raise BadInput(f"declares {' and '.join(releases)}; give files of one version", source=files[0].name)
    return releases[0] if releases else ""


def _declared(file: Path) -> Iterator[str]:
    """Yield the versions that a file declares: `fhirVersion`, or the version in a core profile's address."""
    import re

    pattern = re.compile(
        rb'"fhirVersion"\s*:\s*"([0-9.]+)[^"]*"|hl7\.org/fhir/([0-9]\.[0-9])/StructureDefinition'
        rb"|hl7\.org/fhir/StructureDefinition/[A-Za-z]+\|([0-9]\.[0-9][0-9.]*)"
    )
    seen: set[bytes] = set()
    with file.open("rb") as stream:
        tail = b""
        while block := stream.read(1 << 20):
            for match in pattern.finditer(tail + block):
                version = match[1] or match[2] or match[3]
                if version not in seen:
                    seen.add(version)
                    yield version.decode()
            tail = block[-200:]


def _resources(file: Path) -> Iterator[Placed]:
    """Yield the resources of a document or of lines, those within Bundles one by one."""
    size = file.stat().st_size
    if file.suffix.lower() not in {".ndjson", ".jsonl"} and size <= FILE_LIMIT:
        try:
            whole = msgspec.json.decode(file.read_bytes().removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problem = error
        else:
            yield from _unpacked(whole, file.name, None)
            return
        with file.open("rb") as stream:
            first = stream.readline(LINE_LIMIT)
        if not _is_json(first):
            raise BadInput(
                f"not JSON ({problem}); a FHIR Bundle or one resource a line was expected", source=file.name
            )
    with file.open("rb") as stream:
        for line, raw in text_lines(file, stream):
            try:
                body = msgspec.json.decode(raw)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BadInput(
                    f"not JSON ({error}); one FHIR resource a line was expected", source=file.name, line=line
                ) from None
            yield from _unpacked(body, file.name, line)


def _is_json(raw: bytes) -> bool:
    try:
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _unpacked(body: Any, name: str, line: int | None, full: str = "") -> Iterator[Placed]:
    if isinstance(body, list):
        for one in body:
            yield from _unpacked(one, name, line)
        return
    if not isinstance(body, dict) or "resourceType" not in body:
        raise BadInput("no resourceType; a FHIR resource or Bundle was expected", source=name, line=line)
    if body["resourceType"] != "Bundle":
        yield name, line, full, body
        return
    for entry in body.get("entry") or ():
        if isinstance(entry, dict) and isinstance(entry.get("resource"), dict):
            yield from _unpacked(entry["resource"], name, line, str(entry.get("fullUrl") or ""))
