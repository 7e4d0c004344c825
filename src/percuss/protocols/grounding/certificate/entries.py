"""Entries of a record's lists: a drug, a result, a problem or an allergy, with what its own fields say of it together.

A field alone says too little ("the value is 48", "the status is stopped"), so an entry is taken whole or not at all: one with a field
that is not known here, a nested one, one without a name, or one that another of its list contradicts is left out. Places and names of
fields are all that is read; nothing here knows what a reader understands (a contract of the import linter).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import LAYERS, Fact, Packet, Value

__all__ = ["Entry", "Listed", "alike", "listed", "number_of", "same_day", "telling"]

_KINDS = {
    "drug": "medications medication meds drugs prescriptions current_medications medication_list medicationrequest medicationstatement",
    "lab": (
        "labs lab lab_results laboratory laboratory_results observations observation measurements vitals vital_signs tests blood_tests chemistry "
        "haematology hematology"
    ),
    "problem": "conditions condition problems problem_list diagnoses comorbidities",
    "allergy": "allergies allergyintolerance intolerances allergy_list",
}  # fmt: skip
_SECTIONS = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_ABOVE = frozenset({*LAYERS, "record", "patient", "ehr", "chart"})
"""What may stand above a list without saying that it is another's, past or planned."""
_NAMES = {
    "drug": "name drug drug_name medication medicine agent",
    "lab": "name test test_name analyte parameter measurement observation",
    "problem": "name condition diagnosis problem disease",
    "allergy": "name allergen substance agent allergy",
}
_SHARED = {
    "name": "display code.text code.display",
    "status": "status state clinical_status clinicalstatus",
    "verification": "verification verification_status verificationstatus",
    "dated": "date recorded recorded_date",
    "": "id code system source reason indication",
}
_OWN: Mapping[str, Mapping[str, str]] = {
    "drug": {
        "dose": "dose dosage strength", "route": "route", "frequency": "frequency schedule", "dose_unit": "dose_unit",
        "started": "start started start_date since", "stopped": "stop stopped end end_date", "dated": "authored_on authoredon",
    },
    "lab": {
        "value": "value result valuequantity.value value_quantity.value", "unit": "unit units uom valuequantity.unit value_quantity.unit",
        "dated": "collected collected_at taken time datetime effectivedatetime", "specimen": "specimen sample",
        "": "flag interpretation reference_range reference ref_range range normal_range ref_low ref_high reference_low reference_high loinc",
    },
    "problem": {
        "onset": "onset onset_date since diagnosed diagnosis_date", "severity": "severity", "stage": "stage", "site": "site body_site",
        "side": "side laterality", "present": "present", "denied": "negated absent ruled_out excluded", "": "icd icd10 snomed",
    },
    "allergy": {"reaction": "reaction manifestation", "severity": "severity", "criticality": "criticality", "onset": "onset onset_date"},
}  # fmt: skip
"""Kind -> role -> names of fields; those under "" say nothing that a statement of the entry must say."""
_ROLES = {
    kind: {
        name: role
        for roles in ({"name": _NAMES[kind]}, _SHARED, own)
        for role, names in roles.items()
        for name in names.split()
    }
    for kind, own in _OWN.items()
}
_DOSES = {"dose_mg": "mg", "dose_g": "g", "dose_mcg": "mcg", "dose_units": "units"}
_YES_NO = frozenset({"present", "denied"})
_DATES = ("dated", "started", "stopped", "onset")
_DATE = re.compile(r"(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ].*)?")
_PLAIN = re.compile(r"[^\n;.!?]*(?:\.\d[^\n;.!?]*)*")
_OTHERWISE = re.compile(
    r"^(?:no|none|nil|not|unknown|denies|without|negative|other|see)\b|\?|\b(?:possible|probable|suspected|rule out|ruled out|query|family|mother|father|"
    r"history of|h/o|risk of|status post|planned|versus|vs)\b",
    re.IGNORECASE,
)
"""Names that say more, or less, than that there is one."""
_UNSAID = frozenset({"unknown", "entered in error", "draft", "n/a"})
_FINAL = frozenset({"final", "amended", "corrected"})
_LONGEST = 60
_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_VAGUE = frozenset("acid acute and blood chronic count disease for free left level mellitus mild not right serum the total type tablet oral with".split())  # fmt: skip
_ALIASES = {
    name: n
    for n, names in enumerate((
        "paracetamol acetaminophen tylenol panadol", "salbutamol albuterol ventolin", "aspirin acetylsalicylic asa", "furosemide frusemide lasix",
        "adrenaline epinephrine", "noradrenaline norepinephrine", "glyceryl trinitrate nitroglycerin gtn", "penicillin benzylpenicillin amoxicillin augmentin",
        "levothyroxine thyroxine synthroid", "metformin glucophage", "apixaban eliquis", "rivaroxaban xarelto", "warfarin coumadin", "clopidogrel plavix",
        "atorvastatin lipitor", "lisinopril zestril", "metoprolol lopressor toprol", "enoxaparin lovenox clexane", "co-trimoxazole trimethoprim sulfamethoxazole",
        "omeprazole prilosec losec", "pantoprazole protonix", "pembrolizumab keytruda", "crp c-reactive reactive", "haemoglobin hemoglobin hgb",
        "hba1c a1c glycated", "leukocytes wbc white leucocytes", "platelets plt thrombocytes", "sodium natrium", "potassium kalium", "hypertension blood pressure htn",
        "copd obstructive", "ckd kidney renal", "heart cardiac hfref", "infarction nstemi stemi mi", "stroke cerebrovascular cva", "embolism thrombosis dvt pe vte",
        "haemorrhage hemorrhage bleeding", "anaemia anemia", "tumour tumor cancer carcinoma neoplasm", "hyperlipidaemia hyperlipidemia dyslipidaemia cholesterol",
        "urticaria hives rash", "diabetes t2dm dm", "asthma airways",
    ))
    for name in names.split()
}  # fmt: skip
"""Words for one thing, roughly: what may be another's name is taken for it, so that no error is seeded that is true under another word."""


class Entry(NamedTuple):
    """One entry of a list of a case's record.

    Args:
        key: its place. kind: drug, lab, problem or allergy. name: what it is of, as written. fields: role -> what it says, as written.
        denied: the entry says that there is none.
    """

    key: str
    kind: str
    name: str
    fields: Mapping[str, str]
    denied: bool = False

    def said(self, role: str) -> str:
        """Return what a field says; "" where there is none."""
        return self.fields.get(role, "")

    def changed(self, role: str, value: str) -> "Entry":
        """Return the entry with one field, or its name, changed."""
        return (
            self._replace(name=value)
            if role == "name"
            else self._replace(fields={**self.fields, role: value})
        )


class Listed(NamedTuple):
    """A record's entries, and what stands outside them.

    Args:
        entries: those that can be stated. plain: facts that belong to no list and so stand alone.
        mentioned: telling words of all that is said outside the entries: passages, plain facts, entries that can't be stated.
    """

    entries: tuple[Entry, ...]
    plain: tuple[Fact, ...]
    mentioned: frozenset[str]

    def mentions(self, name: str) -> bool:
        """Tell whether a name, or what may be another word for it, stands outside of the entries."""
        return not telling(name).isdisjoint(self.mentioned)


def listed(packet: Packet) -> Listed:
    """Return the entries of a record's lists that can be stated, and what stands outside of them.

    Args:
        packet: the record.

    >>> held = listed(Packet.of_layers({"labs": [{"test": "CRP", "value": 48, "unit": "mg/L"}], "age": 61}))
    >>> held.entries[0].name, held.entries[0].fields["value"], [fact.path for fact in held.plain]
    ('CRP', '48', ['age'])
    """
    groups: dict[tuple[str, str], list[tuple[str, Fact]]] = {}
    alone: list[Fact] = []
    for fact in packet.facts:
        place = _place(fact)
        if place is None:
            alone.append(fact)
        else:
            groups.setdefault(place[:2], []).append((place[2], fact))
    made = {place: _entry(*place, parts) for place, parts in groups.items()}
    held = [entry for entry in made.values() if entry is not None]
    left = [fact for place, parts in groups.items() if made[place] is None for _, fact in parts]
    words = " ".join(
        [*packet.texts, *(f"{f.path.replace('_', ' ')} {f.value} {f.unit}" for f in (*alone, *left))]
    )
    plain = tuple(fact for fact in alone if not _in_list(fact))
    sure = [not _contradicted(entry, held) for entry in held]
    open_names = " ".join(entry.name for entry, one in zip(held, sure, strict=True) if not one)
    stated = tuple(entry for entry, one in zip(held, sure, strict=True) if one)
    return Listed(stated, plain, telling(f"{words} {open_names}"))


def _in_list(fact: Fact) -> bool:
    """Whether a fact is a field of a list's entry: alone it doesn't say of what."""
    parts = fact.path.split(".")
    return any(part.isdigit() for part in parts[:-1])


def _place(fact: Fact) -> tuple[str, str, str] | None:
    """Return kind, place of the entry, and the field within it; None where a fact is of no list that is known."""
    parts = fact.path.split(".")
    at = next((n for n, part in enumerate(parts) if _slug(part) in _SECTIONS), None)
    if at is None or any(_slug(part) not in _ABOVE for part in parts[:at]):
        return None
    kind, rest = _SECTIONS[_slug(parts[at])], parts[at + 1 :]
    if rest and rest[0].isdigit():
        key, field = ".".join(parts[: at + 2]), ".".join(map(_slug, rest[1:])) or "name"
        return kind, key, field
    return _of_named(fact, kind, parts, rest)


def _of_named(
    fact: Fact, kind: str, parts: Sequence[str], rest: Sequence[str]
) -> tuple[str, str, str] | None:
    """Return the place of a fact whose entry stands under its own name: `medications.metformin.dose`, `observations.crp.0`."""
    if not rest:
        return None
    numbered = len(rest) > 1 and rest[1].isdigit()
    leaf = rest[1 + numbered :]
    if leaf == [] or (kind == "lab" and _ROLES["lab"].get(_slug(leaf[0])) is None):
        known = kind == "lab" and bool(fact.unit or fact.date or fact.source)
        return (kind, fact.path, "value") if known else None
    return kind, ".".join(parts[: len(parts) - len(leaf)]), ".".join(map(_slug, leaf))


def _entry(kind: str, key: str, parts: Sequence[tuple[str, Fact]]) -> Entry | None:
    """Return what an entry's fields say together; None where one isn't known, or nothing names it."""
    fields: dict[str, str] = {}
    told = {name: fact.value for name, fact in parts if fact.value is not None and fact.value != ""}
    for name, fact in parts:
        role = _ROLES[kind].get(name, "dose" if name in _DOSES and kind == "drug" else None)
        if role is None or (
            role and fact.value is not None and isinstance(fact.value, bool) is not (role in _YES_NO)
        ):
            return None
        if fact.date and role in {"name", "value"}:
            fields["dated"] = fact.date
        if role and name in told:
            if role in fields and role != "dated":
                return None
            fields[role] = f"{_text(fact.value)} {_DOSES.get(name, '')}".strip()
            if fact.unit and role in {"value", "dose"}:
                fields["unit" if role == "value" else "dose_unit"] = fact.unit
    return _whole(kind, key, fields)


def _whole(kind: str, key: str, fields: dict[str, str]) -> Entry | None:
    """Return the entry of its fields; None where it isn't stated by them."""
    if kind == "lab" and "name" not in fields:
        fields["name"] = _called(key)
    name = fields.pop("name", "")
    if unit := fields.pop("dose_unit", ""):
        fields["dose"] = f"{fields.get('dose', '')} {unit}"
    for role in _DATES:
        if role in fields:
            date = _DATE.fullmatch(fields[role])
            if date is None:
                return None
            fields[role] = date[1]
    status = fields.get("status", "").replace("-", " ").casefold()
    if status:
        fields["status"] = status
    if kind == "lab" and fields.pop("status", "final") not in _FINAL:
        return None
    denied = fields.pop("present", "True") == "False" or fields.pop("denied", "False") == "True"
    fields = {role: value for role, value in fields.items() if value}
    whole = Entry(key, kind, name, fields, denied)
    return whole if _stands(whole) else None


def _stands(entry: Entry) -> bool:
    said = (entry.name, *entry.fields.values())
    return (
        any(map(str.isalpha, entry.name)) and not _OTHERWISE.search(entry.name)
        and all(len(one) <= _LONGEST and _PLAIN.fullmatch(one) for one in said)
        and entry.said("status") not in _UNSAID and not (entry.said("verification") and entry.said("status"))
        and (entry.kind != "lab" or bool(entry.said("value")))
    )  # fmt: skip


def _called(key: str) -> str:
    """Return the name that an entry's place says: `observations.blood_pressure.0.systolic_blood_pressure`."""
    parts = [part for part in key.split(".") if not part.isdigit()]
    names = [
        part.replace("_", " ") for part in parts if _slug(part) not in _SECTIONS and _slug(part) not in _ABOVE
    ]
    if len(names) > 1 and (names[0] in names[-1] or names[-1] == "value"):
        names = [names[-1] if names[-1] != "value" else names[0]]
    return " ".join(names)


def _contradicted(entry: Entry, held: Iterable[Entry]) -> bool:
    """Whether another entry of the list leaves it open which of them holds."""
    for other in held:
        if other is entry or other.kind != entry.kind or not alike(entry.name, other.name):
            continue
        if entry.denied is not other.denied:
            return True
        if entry.kind == "lab":
            same = entry.said("specimen") == other.said("specimen") and same_day(entry, other)
            if (
                same
                and entry.name.casefold() == other.name.casefold()
                and _apart(entry, other, "value", "unit")
            ):
                return True
        elif _apart(entry, other, "status", "verification") and entry.said("dose") == other.said("dose"):
            return True
    return False


def _apart(entry: Entry, other: Entry, *roles: str) -> bool:
    return any(entry.said(role) != other.said(role) for role in roles)


def same_day(entry: Entry, other: Entry) -> bool:
    """Tell whether two entries may be of one day: their dates begin alike, or one has none."""
    one, two = entry.said("dated"), other.said("dated")
    return one.startswith(two) or two.startswith(one)


def alike(one: str, other: str) -> bool:
    """Tell whether two names may be of one thing: they share a telling word, or words for one thing.

    Args:
        one, other: names.

    >>> alike("Metoprolol succinate", "metoprolol"), alike("Paracetamol", "Acetaminophen 500 mg"), alike("Sodium", "Potassium")
    (True, True, False)
    """
    return not telling(one).isdisjoint(telling(other))


@lru_cache(maxsize=8192)
def telling(name: str) -> frozenset[str]:
    """Return the words of a name that tell what it is of, and marks of what other words there are for them.

    Args:
        name: any; one without a telling word is all of its words.
    """
    words = [word.casefold() for word in _WORDS.findall(name)]
    every = [*words, *(part for word in words if "-" in word for part in word.split("-"))]
    found = [word for word in every if word not in _VAGUE and not word.isdigit() and len(word) > 1]
    return frozenset([*(found or every), *(f"={_ALIASES[word]}" for word in every if word in _ALIASES)])


def number_of(text: str) -> float | None:
    """Return a field's number; None where it says anything else."""
    return float(text) if re.fullmatch(r"-?\d+(?:\.\d+)?", text) else None


def _text(value: Value) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value).strip()


def _slug(part: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", part.casefold()).strip("_")
