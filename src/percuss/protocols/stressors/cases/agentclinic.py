"""AgentClinic OSCE cases (JSONL, MIT): leaves of patient, examination and tests in document order become facts."""

import re
from collections.abc import Iterator
from typing import Any

from percuss.core.errors import BadInput
from percuss.protocols.stressors.cases.keys import is_missing, key_score, kind_of_test, names
from percuss.protocols.stressors.scenario.vignettes import Fact, Kind, Vignette
from percuss.text.quantities import quantities
from percuss.text.sentences import split

__all__ = ["is_agentclinic", "vignette_of"]

_LONG = 60
"""Leaves longer than this are split by sentence."""
_CONTAINERS = re.compile(
    r"^(?:imaging|blood[ _]tests?|blood[ _]work|lab(?:oratory)?[ _](?:tests?|studies|results|findings)|additional[ _]tests?|"
    r"biopsy|biopsies|tests?|other|serum[ _]\w+|imaging[ _]studies|radiology)$",
    re.IGNORECASE,
)
_ASKABLE = {"past_medical_history", "social_history", "family_history", "review_of_systems", "allergies"}
_PLAIN_LABELS = {
    "findings",
    "finding",
    "result",
    "results",
    "inspection",
    "palpation",
    "description",
    "appearance",
}


def is_agentclinic(record: dict[str, Any]) -> bool:
    """Tell whether a JSON object has the AgentClinic layout."""
    return "OSCE_Examination" in record


def vignette_of(record: dict[str, Any], line: int) -> Vignette:
    """Return a case as a vignette.

    Args:
        record: one line of the file. line: its number, which names the case.

    Raises:
        BadInput: patient, examination or diagnosis is missing.
    """
    case = record["OSCE_Examination"]
    patient, diagnosis = case.get("Patient_Actor"), case.get("Correct_Diagnosis")
    if not isinstance(patient, dict) or not isinstance(diagnosis, str):
        raise BadInput(
            "an OSCE case holds Patient_Actor and Correct_Diagnosis; one of them is missing", line=line
        )
    diagnosis = diagnosis.strip()
    leaves = list(_leaves(case, diagnosis))
    facts = tuple(_numbered(leaves, diagnosis))
    demographics = _sentence(str(patient.get("Demographics") or "A patient"))
    symptoms = patient.get("Symptoms")
    primary = symptoms.get("Primary_Symptom") if isinstance(symptoms, dict) else symptoms
    complaint = ", ".join(primary) if isinstance(primary, list) else str(primary or "a complaint")
    return Vignette(
        layout="agentclinic",
        id=f"agentclinic-{line}",
        cluster=f"agentclinic-{line}",
        demographics=demographics,
        opening=f"{demographics}. Main complaint: {complaint.strip().rstrip('.')}.",
        facts=facts,
        diagnosis=diagnosis,
        aliases=tuple(_aliases(diagnosis)),
    )


Leaf = tuple[str, str, str, Kind, bool]  # path, group, text, kind, askable


def _leaves(case: dict[str, Any], diagnosis: str) -> Iterator[Leaf]:
    del diagnosis
    patient = case["Patient_Actor"]
    for key, value in patient.items():
        if key == "Demographics":
            continue
        askable = key.lower() in _ASKABLE
        kind: Kind = "medication" if "medication" in key.lower() else "history"
        for path, text in _walk(value, (key,)):
            if path[-1] != "Primary_Symptom":
                yield _leaf(("Patient_Actor", *path), _words(key), text, kind, askable, named=False)
    for key, value in (case.get("Physical_Examination_Findings") or {}).items():
        kind = "vital" if "vital" in key.lower() else "exam"
        for path, text in _walk(value, (key,)):
            yield _leaf(("Physical_Examination_Findings", *path), _words(key), text, kind, False, named=True)
    for key, value in (case.get("Test_Results") or {}).items():
        for path, text in _walk(value, (key,)):
            inside = _CONTAINERS.match(key) and len(path) > 1 and isinstance(value, dict)
            group = _words(path[1]) if inside else _words(key)
            kind = kind_of_test(" ".join(path).replace("_", " "))
            yield _leaf(("Test_Results", *path), group, text, kind, False, named=True)


def _walk(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(inner, (*path, str(key)))
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner, path)
    elif isinstance(value, bool):
        yield path, "present" if value else "absent"
    elif not is_missing(value):
        text = str(value).strip()
        parts = [text[a:b] for a, b in split(text)] if len(text) > _LONG else [text]
        for part in parts:
            if not is_missing(part):
                yield path, part


def _leaf(path: tuple[str, ...], group: str, text: str, kind: Kind, askable: bool, *, named: bool) -> Leaf:
    label = _words(path[-1])
    if named:
        plain = path[-1].lower() in _PLAIN_LABELS and kind != "exam"
        label = (
            group if plain or label == group else label if kind == "vital" else f"{group}, {label.lower()}"
        )
        text = f"{label}: {text}"
    return ".".join(path), group, text, kind, askable


def _numbered(leaves: list[Leaf], diagnosis: str) -> Iterator[Fact]:
    seen: set[str] = set()
    for path, group, text, kind, askable in leaves:
        if text in seen:
            continue
        seen.add(text)
        keyed = ": " in text and not path.startswith("Patient_Actor")
        label, _, value = text.partition(": ") if keyed else ("", "", "")
        said = quantities(value)
        one = said[0] if len(said) == 1 and said[0].part == "one" else None
        yield Fact(
            id=f"f{len(seen)}",
            text=_sentence(text) if not keyed else text,
            kind=kind,
            group=group,
            label=label,
            value=value,
            number=None if one is None else float(one.value),
            unit=None if one is None else one.unit or None,
            source_path=path,
            objective=kind in {"lab", "imaging", "pathology", "procedure", "functional"},
            key_score=0 if kind == "vital" else key_score(text, diagnosis),
            askable=askable,
            names_diagnosis=names(text, diagnosis),
        )


def _words(key: str) -> str:
    words = key.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]


def _aliases(diagnosis: str) -> Iterator[str]:
    """Names beside brackets: "Coma blisters (pressure bullae)" has two."""
    found = re.match(r"^(.*?)\s*\(([^)]+)\)\s*$", diagnosis)
    if found:
        yield from (part.strip() for part in found.groups() if len(part.strip()) > 2)
