"""An entry of a list as a sentence: all of its own fields together, in templates, and as what a model is asked to put into one."""

from percuss.protocols.grounding.certificate.entries import Entry

__all__ = ["posed", "told"]

_IS = frozenset(
    "active current ongoing present stopped discontinued completed cancelled resolved inactive planned suspended paused held".split()
)
_IS_SO = _IS | {"on hold", "in remission"}
"""States that a sentence says with "is"."""
_LABELS = {
    "onset": "onset",
    "started": "started on",
    "stopped": "stopped on",
    "dated": "dated",
    "severity": "severity",
    "criticality": "criticality",
    "stage": "stage",
    "side": "side",
    "site": "site",
    "reaction": "reaction",
    "specimen": "specimen",
}
_LISTS = {"drug": "medication list", "problem": "problem list"}
_DOSED = ("dose", "route", "frequency")


def told(entry: Entry, way: int) -> str:
    """Return a sentence that states all of an entry.

    Args:
        entry: what is stated. way: which of the two wordings.

    >>> told(Entry("meds.0", "drug", "Metformin", {"dose": "500 mg", "frequency": "twice daily", "status": "on hold"}), 0)
    'Metformin 500 mg twice daily is on hold.'
    >>> told(Entry("labs.0", "lab", "CRP", {"value": "48", "unit": "mg/L", "dated": "2025-09-05"}), 0)
    'CRP was 48 mg/L on 2025-09-05.'
    """
    if entry.kind == "lab":
        return _result(entry, way)
    state = _state(entry)
    if not state:
        return _only_listed(entry, way)
    whose = "the patient's" if way % 2 and not entry.denied else "the"
    return _begun(f"{_subject(entry, whose)} {state}.")


def posed(entry: Entry) -> tuple[str, str] | None:
    """Return an entry as an attribute and a value that a model is asked to state with these very words; None where it has no value.

    Args:
        entry: what is stated.

    >>> posed(Entry("meds.0", "drug", "Metformin", {"dose": "500 mg", "status": "on hold"}))
    ('Metformin', '500 mg, on hold')
    """
    name = f"allergy to {entry.name}" if entry.kind == "allergy" else entry.name
    if entry.kind == "lab":
        value = f"{entry.said('value')} {entry.said('unit')}".strip() + _details(entry, ("specimen",))
        return name, value + (f" on {entry.said('dated')}" if entry.said("dated") else "")
    parts = [" ".join(filter(None, map(entry.said, _DOSED))), "not present" if entry.denied else "", entry.said("status"), entry.said("verification")]  # fmt: skip
    value = ", ".join(filter(None, parts)) + _details(entry, _LABELS)
    value = value.removeprefix(", ")
    return (name, value) if value else None


def _result(entry: Entry, way: int) -> str:
    name = entry.name + _details(entry, ("specimen",), closed=True)
    value = f"{entry.said('value')} {entry.said('unit')}".strip()
    date = entry.said("dated")
    if way % 2 == 0:
        said = f"{name} {_were(entry.name)} {value}{f' on {date}' if date else ''}."
    elif date:
        said = f"On {date}, {name} {_were(entry.name)} {value}."
    else:
        said = f"The result for {name} was {value}."
    return _begun(said)


def _were(name: str) -> str:
    return "were" if name.endswith("s") and not name.endswith(("ss", "is", "us")) else "was"


def _only_listed(entry: Entry, way: int) -> str:
    """Return a sentence of an entry that says of its name no more than that it is there."""
    if entry.kind == "allergy":
        more = _details(entry, _LABELS)
        return f"The patient {('has an allergy', 'is allergic')[way % 2]} to {entry.name}{more}."
    place, subject = _LISTS[entry.kind], _subject(entry, "")
    return (
        _begun(f"{subject} is on the patient's {place}.")
        if way % 2 == 0
        else f"On the patient's {place} is {subject.rstrip(',')}."
    )


def _subject(entry: Entry, whose: str) -> str:
    """Return what an entry is of, with its details; `whose` stands before an allergy, and before others where it names the patient."""
    name = f"{whose} allergy to {entry.name}" if entry.kind == "allergy" else entry.name
    if entry.kind != "allergy" and "patient" in whose:
        name = f"{whose} {name}"
    dosed = " ".join(filter(None, (name, *map(entry.said, _DOSED))))
    return dosed + _details(entry, _LABELS, closed=True)


def _begun(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}"


def _details(entry: Entry, roles: object, *, closed: bool = False) -> str:
    """Return ", onset 2014" of every role that an entry has, with a comma behind where the sentence goes on."""
    assert isinstance(roles, tuple | dict)
    said = "".join(f", {_LABELS[role]} {entry.said(role)}" for role in roles if entry.said(role))
    return f"{said}," if said and closed else said


def _state(entry: Entry) -> str:
    """Return what an entry says of its name: absent, its status, how sure it is; "" where it only lists it."""
    status, sure = entry.said("status"), entry.said("verification")
    parts = ["is not present"] if entry.denied else []
    if status:
        parts.append(f"is {status}" if status in _IS_SO else f"has the status {status}")
    if sure:
        parts.append(f"is recorded as {sure}")
    return " and ".join(parts)
