"""Records in the shapes that people hold them in, brought to the one shape that rules read: `section.name.part`.

A list of objects (`labs: [{"test": "Hb", "result": 7.9, "unit": "g/dL"}]`), a value beside its unit, and a column that
carries its unit in its name (`crp_mg_l`) say the same as `observations.hb` with a unit. Only places and names change here,
never a value; what isn't recognised stays as it is. What a model is shown is not touched: this is for readers alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from percuss.evidence.packet import Fact, Packet, Value
from percuss.evidence.ranges import NAMES, ranged
from percuss.text.concepts import attribute_of

__all__ = ["SUFFIXES", "TESTED", "Shaped", "shaped", "slug"]

Parts = dict[str, Fact]
"""An entry of a list: the name of each part within it, in small letters, and its fact."""

_NAMES = {
    "medications": ("drug", "drug_name", "medication", "medicine", "agent"),
    "allergies": ("allergen", "allergy", "substance"),
    "conditions": ("condition", "diagnosis", "problem", "disease"),
    "procedures": ("procedure", "operation", "intervention"),
    "observations": ("test", "test_name", "analyte", "lab", "parameter", "measurement", "observation", "vital"),
    "findings": ("finding", "abnormality"),
    "": ("name", "code.text", "code.display", "display", "label", "title", "item"),
}  # fmt: skip
"""Section -> parts that name an entry; those under "" name it in every section."""
_SECTIONS = (
    ("family", re.compile(r"famil", re.IGNORECASE)),
    ("allergies", re.compile(r"allerg|intoleran", re.IGNORECASE)),
    ("medications", re.compile(r"medic|drug|prescri|^meds$|pharm|^treatments?$", re.IGNORECASE)),
    ("procedures", re.compile(r"procedur|surger|operation", re.IGNORECASE)),
    ("conditions", re.compile(r"condition|diagnos|problem|comorbid", re.IGNORECASE)),
    ("observations", re.compile(r"observation|^labs?$|laborator|vital|measurement|^results?$|^tests?$|blood", re.IGNORECASE)),
    ("findings", re.compile(r"finding|imaging|radiolog", re.IGNORECASE)),
)  # fmt: skip
"""What a section is called -> what it is, the first that fits."""
TESTED = re.compile(r"suscept|sensitiv|antibiogram|resist", re.IGNORECASE)
"""Lists of drugs that something was tested against: nobody takes them."""
_VALUES = (
    "value",
    "result",
    "valuequantity.value",
    "value_quantity.value",
    "valuequantity",
    "value_quantity",
    "reading",
    "level",
    "score",
)
_UNITS = ("unit", "units", "uom", "valuequantity.unit", "value_quantity.unit")
_DATES = ("date", "collected", "collected_at", "time", "datetime", "taken", "effectivedatetime", "onset", "onset_date",
          "diagnosed", "since", "recorded", "start", "start_date", "performed")  # fmt: skip
_DOSES = (
    "dose",
    "dosage",
    "strength",
    "amount",
    "dose_unit",
    "unit",
    "route",
    "frequency",
    "schedule",
    "sig",
)
_REASONS = ("reason", "stop_reason", "reason_stopped", "indication", "reasoncode.text")
_ENDED = ("end", "end_date", "stopped_on", "stop_date")
_RELATIVES = ("relation", "relative", "relationship", "who", "member", "family_member")
_AGES = ("age_at_diagnosis", "age_at_onset", "onset_age", "age_of_onset", "age", "diagnosed_at")
_NOTHING = re.compile(r"(?:none|nil|no|unknown|healthy|well|negative|n/?a)\b", re.IGNORECASE)
_STATES = ("status", "state", "clinical_status", "clinicalstatus")
_SITES = ("location", "site", "body_site", "side", "laterality")
_VALUED = NAMES | {"value", "unit", "date"}
SUFFIXES = {
    "g_dl": "g/dL", "g_l": "g/L", "mg_dl": "mg/dL", "mg_l": "mg/L", "ug_l": "ug/L", "ug_dl": "ug/dL", "ng_ml": "ng/mL",
    "ng_l": "ng/L", "ng_dl": "ng/dL", "pg_ml": "pg/mL", "mmol_l": "mmol/L", "umol_l": "umol/L", "nmol_l": "nmol/L", "pmol_l": "pmol/L",
    "meq_l": "mEq/L", "u_l": "U/L", "iu_l": "IU/L", "miu_l": "mIU/L", "iu_ml": "IU/mL", "10e9_l": "10^9/L", "10e12_l": "10^12/L",
    "10_9_l": "10^9/L", "ml_min": "mL/min", "ml_min_1_73m2": "mL/min/1.73 m2", "mmhg": "mmHg", "bpm": "/min", "per_min": "/min",
    "cm2": "cm2", "ms": "ms", "msec": "ms", "ml": "mL", "pct": "%", "percent": "%", "per_mb": "mut/Mb", "kg": "kg", "cm": "cm", "mm": "mm", "temp_c": "Cel", "kg_m2": "kg/m2",
}  # fmt: skip
"""End of a column's name -> unit; `temp_c` stands for the letter after a temperature alone."""
_LONGEST_SUFFIX = 5
_TNM = re.compile(r"^(?:yp|p|c|pathologic_|clinical_)?(?P<of>[tnm])(?:_(?:stage|category))?$", re.IGNORECASE)
_CODED = re.compile(r"^(?:yp|p|c)?(?P<of>[tnm])(?:[0-4]|x|is)[a-d]?(?:mi)?$", re.IGNORECASE)
"""A part of a stage that stands as a field of its own, and its value."""
_TEMPERATURE = re.compile(r"temp(?:erature)?_c(?:elsius)?$", re.IGNORECASE)
_NAME = re.compile(r"[^a-z0-9]+")
_GENES = re.compile(r"genom|molecul|mutation|variant|^genes?$|^ngs$", re.IGNORECASE)
_WILD = re.compile(
    r"^(?:wild[- ]?type|wt|none|no (?:\w+ )?(?:mutation|variant)s?(?: (?:was |were )?(?:found|detected|identified))?|not mutated|not detected|negative)$",
    re.IGNORECASE,
)
_VARIANT = re.compile(
    r"^(?:p\.)?(?:[A-Z]\d{1,4}(?:[A-Z]|\*|fs)|exon \d+ \w+|\w+ fusion|amplifi\w+|rearrange\w+)$"
)


class Shaped(NamedTuple):
    """A packet as rules read it.

    Args:
        packet: its facts under the names that rules know. places: name -> where it stood; names that didn't change are not in it.
    """

    packet: Packet
    places: Mapping[str, str]


@lru_cache(maxsize=1024)
def shaped(packet: Packet) -> Shaped:
    """Bring the facts of a packet to the shape that rules read; the packet itself where all of them have it.

    Args:
        packet: any; facts under names that no rule knows stay as they are.

    >>> held = Packet.of_layers({"labs": [{"test": "Hb", "result": 7.9, "unit": "g/dL"}]})
    >>> [(fact.path, fact.value, fact.unit) for fact in shaped(held).packet.facts]
    [('observations.hb', 7.9, 'g/dL')]
    """
    entries: dict[str, Parts] = {}
    alone: list[Fact | str] = []
    for fact in _joined(packet.facts):
        head, part = _entry(fact.path)
        if head and head not in entries:
            alone.append(head)
        if head:
            entries.setdefault(head, {})[part] = fact
        else:
            alone.append(fact)
    facts: list[Fact] = []
    places: dict[str, str] = {}
    names: dict[str, int] = {}
    for each in alone:
        made = _of_entry(each, entries[each], names) if isinstance(each, str) else [_of_field(each)]
        old = list(entries[each].values()) if isinstance(each, str) else [each]
        kept = made or old
        facts.extend(kept)
        if made and [fact.path for fact in made] != [fact.path for fact in old]:
            place = each if isinstance(each, str) else each.path
            places.update((fact.path, place) for fact in made)
            if isinstance(each, str) and len(made) > 1:
                places[made[0].path.rpartition(".")[0]] = place
    if facts == list(packet.facts):
        return Shaped(packet, {})
    return Shaped(msgspec.structs.replace(packet, facts=tuple(facts)), places)


def _joined(facts: Sequence[Fact]) -> list[Fact]:
    """Put a value that stands beside its unit or day (`potassium: {"value": 3.5, "unit": "mmol/L"}`) into one fact."""
    parts: dict[str, Parts] = {}
    for fact in facts:
        head, _, leaf = fact.path.rpartition(".")
        parts.setdefault(head, {})[leaf] = fact
    whole = {
        head
        for head, held in parts.items()
        if head
        and "value" in held
        and len(held) > 1
        and held.keys() <= _VALUED
        and not _entry(f"{head}.value")[0]
    }
    made: list[Fact] = []
    for fact in facts:
        head, _, leaf = fact.path.rpartition(".")
        if head not in whole:
            made.append(fact)
        elif leaf == "value":
            beside = {name: str(parts[head][name].value) for name in ("unit", "date") if name in parts[head] and _said(parts[head][name].value)}  # fmt: skip
            whole_fact = msgspec.structs.replace(
                fact, path=head, **{"unit": fact.unit, "date": fact.date, **beside}
            )
            made.append(ranged(whole_fact, parts[head]))
    return made


def _entry(path: str) -> tuple[str, str]:
    """Return (place of the entry of a list, part within it); "" twice for a fact of no such entry."""
    parts = path.split(".")
    numbered = [
        n for n, part in enumerate(parts) if part.isdigit() and parts[n - 1].lower() != "referencerange"
    ]
    if not numbered or numbered[-1] in {0, len(parts) - 1}:
        return "", ""
    last = numbered[-1] + 1
    return ".".join(parts[:last]), ".".join(parts[last:]).lower()


def _of_entry(place: str, parts: Parts, names: dict[str, int]) -> list[Fact]:
    """Return an entry of a list as facts under its name; [] where nothing names it or its section isn't known."""
    section, named = _named(place, parts)
    if section == "family":
        return _relative(parts, names)
    if "gene" in parts:
        return _gene(parts, names)
    if named is None:
        return _of_list(place, parts, names) or _row(place, parts, names)
    name = str(named.value).strip()
    if section == "findings":
        return _finding(place, name, parts)
    if section == "observations":
        return _measured(_numbered(f"observations.{slug(name)}", names), parts)
    if not section:
        prefix = place.rpartition(".")[0]
        return _measured(_numbered(f"{prefix}.{slug(name)}", names), parts)
    head = _numbered(f"{section}.{slug(name)}", names)
    made = {"name": _sited(name, parts) if section == "conditions" else name}
    if section == "medications":
        made["dose"] = " ".join(_texts(parts, _DOSES))
        made["reason"] = " ".join(_texts(parts, _REASONS)[:1])
    made["status"] = _status(section, parts)
    for part in ("verification", "severity", "stage", "reaction", "manifestation"):
        made[part] = " ".join(_texts(parts, (part,)))
    date = "" if _texts(parts, _ENDED) else next(iter(_texts(parts, _DATES)), "")
    return [
        Fact(path=f"{head}.{part}", value=said, date=date if part == "name" else "")
        for part, said in made.items()
        if said
    ]


def _named(place: str, parts: Parts) -> tuple[str, Fact | None]:
    """Return what sort of entry it is, and the part that names it."""
    words = [part for part in place.split(".") if not part.isdigit()]
    if any(TESTED.search(word) for word in words):
        return "", None
    section = next((kind for word in reversed(words) for kind, form in _SECTIONS if form.search(word)), "")
    wanted = [section] if section in _NAMES and section else []
    for kind in (*wanted, *_NAMES):
        for leaf in _NAMES[kind]:
            fact = parts.get(leaf)
            if fact is not None and isinstance(fact.value, str) and any(c.isalpha() for c in fact.value):
                return section or kind, fact
    return section, None


def _measured(head: str, parts: Parts) -> list[Fact]:
    value = _first(parts, (*_VALUES, "present"))
    if value is None:
        return []
    unit = next(iter(_texts(parts, _UNITS)), "") or value.unit
    whole = Fact(path=head, value=value.value, unit=unit, date=next(iter(_texts(parts, _DATES)), value.date))
    return [ranged(whole, parts)]


def _of_list(place: str, parts: Parts, names: dict[str, int]) -> list[Fact]:
    """Return a value of a list that is named by what it measures (`glucose: [{"date": .., "value": 1.8}]`); [] for any other."""
    of = place.rpartition(".")[0]
    if "value" not in parts or of.rpartition(".")[2].isdigit() or attribute_of(of) is None:
        return []
    return _measured(_numbered(f"observations.{slug(of.rpartition('.')[2])}", names), parts)


def _row(place: str, parts: Parts, names: dict[str, int]) -> list[Fact]:
    """Return the values of one day (`{"date": .., "heart_rate_bpm": 112}`) under their own names; [] where no day or no number is told."""
    date = next(iter(_texts(parts, _DATES)), "")
    head = place.rpartition(".")[0]
    made = [
        msgspec.structs.replace(each, path=_numbered(each.path, names), date=each.date or date)
        for leaf, part in parts.items()
        if leaf not in _DATES
        for each in [_of_field(msgspec.structs.replace(part, path=f"{head}.{leaf}"))]
    ]
    numeric = any(
        isinstance(each.value, int | float) and attribute_of(each.path) is not None for each in made
    )
    return made if date and numeric else []


def _finding(place: str, name: str, parts: Parts) -> list[Fact]:
    """Return a finding as a sentence of its place and size, or as false where it is said to be absent."""
    head = f"{place.rpartition('.')[0]}.{slug(name)}"
    present = _first(parts, ("present", "value", "detected"))
    if present is not None and (
        present.value is False or str(present.value).lower() in {"no", "absent", "false"}
    ):
        return [Fact(path=head, value=f"no {name.lower()}")]
    if (
        present is not None
        and present.value is not True
        and str(present.value).lower() not in {"yes", "present", "true"}
    ):
        return []
    sizes = [
        f"{fact.value} {unit}"
        for end, unit in (("mm", "mm"), ("cm", "cm"))
        if (fact := parts.get(f"size_{end}")) is not None and isinstance(fact.value, int | float)
    ]
    said = " ".join([*_texts(parts, ("size",)), *sizes, _sited(name.lower(), parts)])
    return [Fact(path=head, value=said, date=next(iter(_texts(parts, _DATES)), ""))]


def _relative(parts: Parts, names: dict[str, int]) -> list[Fact]:
    """Return a relative's condition with whose it is and the age at which it began; [] where whose, or what, isn't told."""
    who = next(iter(_texts(parts, _RELATIVES)), "")
    what = next(iter(_texts(parts, (*_NAMES["conditions"], *_NAMES[""]))), "")
    if not who or not what or _NOTHING.match(what):
        return []
    age = next(iter(_texts(parts, _AGES)), "")
    said = f"{what} in the {who}" + (f", at the age of {age}" if age else "")
    head = _numbered(f"family_history.{slug(who)}", names)
    return [Fact(path=head, value=said)]


def _gene(parts: Parts, names: dict[str, int]) -> list[Fact]:
    """Return what is told of a gene under its name: no entry says "variant" of one that was found to have none."""
    name = str(parts["gene"].value).strip()
    told = [str(part.value) for leaf, part in parts.items() if leaf != "gene" and _said(part.value)]
    if not name or not told:
        return []
    path = _numbered(f"genomics.{slug(name)}", names)
    return [_variant(Fact(path=path, value=", ".join(told)), "genomics", slug(name))]


def _sited(name: str, parts: Parts) -> str:
    """Return a name with the side or place that stands beside it."""
    site = next(iter(_texts(parts, _SITES)), "")
    if not site or site.lower() in name.lower():
        return name
    return f"{site} {name}" if len(site.split()) == 1 else f"{name} in the {site}"


def _status(section: str, parts: Parts) -> str:
    said = " ".join(_texts(parts, _STATES))
    active = _first(parts, ("active", "current", "is_active"))
    if not said and active is not None and isinstance(active.value, bool):
        said = "active" if active.value else "stopped" if section == "medications" else "resolved"
    return said


def _first(parts: Parts, leaves: Iterable[str]) -> Fact | None:
    return next(
        (parts[leaf] for leaf in leaves if leaf in parts and parts[leaf].value not in {None, ""}), None
    )


def _texts(parts: Parts, leaves: Iterable[str]) -> list[str]:
    return [
        f"{parts[leaf].value} {parts[leaf].unit}".strip()
        for leaf in leaves
        if leaf in parts and _said(parts[leaf].value)
    ]


def _said(value: Value) -> bool:
    return value is not None and not isinstance(value, bool) and str(value).strip() != ""


def _numbered(head: str, names: dict[str, int]) -> str:
    """Return a place that no other entry of that name has: the second one is `.1`, as in FHIR."""
    count = names[head] = names.get(head, -1) + 1
    return f"{head}.{count}" if count else head


def slug(text: str) -> str:
    """Return a name as it can stand in a path.

    >>> slug("Hemoglobin A1c/Hemoglobin.total in Blood")
    'hemoglobin_a1c_hemoglobin_total_in_blood'
    """
    return _NAME.sub("_", text.strip().lower()).strip("_") or "unnamed"


def _of_field(fact: Fact) -> Fact:
    """Return a field without the unit in its name, or a gene's variant in words."""
    head, _, leaf = fact.path.rpartition(".")
    if isinstance(fact.value, str):
        of, coded = _TNM.match(leaf), _CODED.match(fact.value.strip())
        if of is not None and coded is not None and of["of"].lower() == coded["of"].lower():
            return msgspec.structs.replace(fact, path=f"{head}.{of['of'].lower()}_category".lstrip("."))
        return _variant(fact, head, leaf)
    if isinstance(fact.value, bool) or fact.value is None or fact.unit:
        return fact
    if _TEMPERATURE.search(leaf):
        return msgspec.structs.replace(fact, path=f"{head}.temperature".lstrip("."), unit=SUFFIXES["temp_c"])
    words = leaf.lower().split("_")
    for size in range(min(_LONGEST_SUFFIX, len(words) - 1), 0, -1):
        unit = SUFFIXES.get("_".join(words[-size:]))
        path = f"{head}.{'_'.join(words[:-size])}".lstrip(".")
        if unit is not None and attribute_of(path) is not None:
            return msgspec.structs.replace(fact, path=path, unit=unit)
    return fact


def _variant(fact: Fact, head: str, leaf: str) -> Fact:
    said = str(fact.value).strip()
    if not any(_GENES.search(part) for part in head.split(".")):
        return fact
    if _WILD.match(said):
        return msgspec.structs.replace(fact, value="negative")
    if _VARIANT.match(said):
        return msgspec.structs.replace(fact, value=f"{leaf.upper()} {said} mutation")
    return fact
