"""The tasks of the FHIR server: ten kinds in the manner of MedAgentBench, in our words, three of each over one hospital.

Gold is found in the hospital's rows, apart from the resources that the server shows, so that a fault in either is seen.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.fhir.resources import (
    GLUCOSE,
    NOW,
    SYSTEM,
    Resource,
    quantity,
    reference,
    resources_of,
    stamp,
)
from percuss.protocols.skills.worlds.fhir.server import Answer
from percuss.protocols.skills.worlds.fhir.wording import wording
from percuss.protocols.skills.worlds.hospital.data import Draw, hospital_of

__all__ = ["Gold", "gold_of", "tasks"]

EACH = 3
REPEAT = (NOW + timedelta(days=1)).replace(hour=8, minute=0)
LIMIT = 4.0
"""mmol/L of potassium below which it is replaced in these tasks; 10 mmol per 0.1 mmol/L."""
VITALS = (("heart rate", "heart-rate", 52, 118, "/min"), ("temperature", "temperature", 36, 40, "Cel"), ("systolic blood pressure", "systolic-bp", 92, 178, "mm[Hg]"))  # fmt: skip
CLINICS = {
    "orthopaedics": "Pain of the knee for six weeks, please assess.", "cardiology": "New murmur, please assess.",
    "nephrology": "Kidney function has fallen, please advise.",
}  # fmt: skip


class Gold(Record):
    """What a right result is.

    Args:
        answers: in order. tolerance: how far a number may be off. any_order: whether they may come in any order.
        created: the resources that are to be created, as an agent may write them. looks: address that leads there.
    """

    answers: tuple[Answer, ...] = ()
    tolerance: float = 0.0
    any_order: bool = False
    created: tuple[dict[str, Any], ...] = ()
    looks: str = ""


class _Asked(NamedTuple):
    words: dict[str, Any]
    gold: Gold


def gold_of(task: Task) -> Gold:
    """Return the gold of a `task` of this world."""
    return msgspec.convert(task.gold[0], type=Gold)


@lru_cache(maxsize=4)
def tasks(seed: int) -> tuple[Task, ...]:
    """Return all tasks of a hospital's `seed`; the kinds take turns, so that any beginning is a fair sample."""
    held = {kind: list(_written(kind, make, seed)) for kind, make in KINDS.items()}
    return tuple(held[kind][n] for n in range(EACH) for kind in KINDS)


def _written(kind: str, make: "Callable[[_Ward, Draw, int], _Asked]", seed: int) -> Iterator[Task]:
    ward = _Ward(seed)
    close = wording()["close"]["text"].format(now=stamp(NOW))
    for number in range(EACH):
        asked = make(ward, Draw(seed, "fhir", kind, number), number)
        says = f"{wording()['says'][kind].format(**asked.words)} {close}"
        yield Task(
            id=f"fhir-{kind}-{number + 1}", kind=kind, says=(says,), gold=(msgspec.to_builtins(asked.gold),)
        )


class _Ward:
    """The hospital as whoever writes tasks sees it.

    Args:
        seed: of the hospital.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.tables = hospital_of(seed).tables
        self.alive = {row[0]: row for row in self.tables["patients"] if row[6] is None}

    def last(self, test: str) -> dict[int, tuple[float, str, str]]:
        """Return patient -> value, unit and time of the last final result of a `test`, of those for whom it is one value."""
        final = [
            row for row in self.tables["labs"] if row[3] == test and row[9] == "final" and row[8] is not None
        ]
        out = {}
        for patient in self.alive:
            own = [row for row in final if row[1] == patient]
            latest = max((row[8] for row in own), default="")
            values = {row[4] for row in own if row[8] == latest}
            if len(values) == 1:
                out[patient] = (values.pop(), own[0][5], latest)
        return out

    def glucose(self, patient: int) -> list[tuple[str, float]]:
        """Return time and value of a patient's readings of glucose."""
        rows = resources_of(self._seed)["Observation"]
        own = (
            each for each in rows if each["code"]["text"] == GLUCOSE and each["subject"] == reference(patient)
        )
        return [(each["effectiveDateTime"], each["valueQuantity"]["value"]) for each in own]


def _mrn(patient: int) -> str:
    return f"MRN{patient:05d}"


def _ordered(kind: str, code: str, patient: int, **fields: Any) -> Resource:
    name = "medicationCodeableConcept" if kind == "MedicationRequest" else "code"
    concept = {"coding": [{"system": SYSTEM, "code": code}]}
    return {
        "resourceType": kind,
        "status": "active",
        "intent": "order",
        name: concept,
        "subject": reference(patient),
        **fields,
    }


def _find(ward: _Ward, draw: Draw, number: int) -> _Asked:
    patient = draw.pick(sorted(ward.alive))
    family, given, born = ward.alive[patient][1], ward.alive[patient][2], ward.alive[patient][4]
    if number == EACH - 1:  # nobody of that name was born on that day
        born = f"{int(born[:4]) + 1}{born[4:8]}{'11' if born[8:] != '11' else '12'}"
    own = [row for row in ward.tables["patients"] if (row[1], row[2], row[4]) == (family, given, born)]
    gold = Gold(
        answers=(_mrn(own[0][0]) if own else "none",), looks=f"Patient?family={family}&birthdate={born}"
    )
    return _Asked({"family": family, "given": given, "born": born}, gold)


def _age(ward: _Ward, draw: Draw, _: int) -> _Asked:
    patient = draw.pick(sorted(ward.alive))
    born, today = ward.alive[patient][4], NOW.date().isoformat()
    years = NOW.year - int(born[:4]) - (today[5:] < born[5:])
    return _Asked({"mrn": _mrn(patient)}, Gold(answers=(years,), looks=f"Patient?identifier={_mrn(patient)}"))


def _vital(ward: _Ward, draw: Draw, number: int) -> _Asked:
    patient = draw.pick(sorted(ward.alive))
    what, code, low, high, unit = VITALS[number]
    value = low + draw.below(high - low)
    chart = {
        "resourceType": "Observation", "status": "final", "code": {"coding": [{"system": SYSTEM, "code": code}]},
        "subject": reference(patient), "effectiveDateTime": stamp(NOW), "valueQuantity": quantity(value, unit),
    }  # fmt: skip
    words = {"what": what, "mrn": _mrn(patient), "value": value, "unit": unit, "code": code}
    return _Asked(words, Gold(created=(chart,), looks=f"Patient?identifier={_mrn(patient)}"))


def _latest(ward: _Ward, draw: Draw, number: int) -> _Asked:
    test = ("sodium", "creatinine", "haemoglobin")[number]
    held = ward.last(test)
    patient = draw.pick(sorted(held))
    value, unit, taken = held[patient]
    gold = Gold(answers=(value, taken[:10]), looks=_observations(patient, test))
    return _Asked({"mrn": _mrn(patient), "test": test, "unit": unit}, gold)


def _average(ward: _Ward, draw: Draw, number: int) -> _Asked:
    without = number == EACH - 1
    patient = draw.pick([each for each in sorted(ward.alive) if bool(ward.glucose(each)) != without])
    since = stamp(NOW - timedelta(hours=24))
    values = [value for taken, value in ward.glucose(patient) if taken >= since]
    mean = sum(values) / len(values) if values else -1
    gold = Gold(answers=(mean,), tolerance=0.051, looks=_observations(patient, GLUCOSE))
    return _Asked({"mrn": _mrn(patient)}, gold)


def _replace(ward: _Ward, draw: Draw, number: int) -> _Asked:
    below = number < EACH - 1
    held = {patient: value for patient, (value, _, _) in ward.last("potassium").items()}
    patient = draw.pick([each for each in sorted(held) if (held[each] < LIMIT) == below])
    dose = quantity(round((LIMIT - held[patient]) * 100), "mmol")
    drug = _ordered(
        "MedicationRequest",
        "potassium-chloride",
        patient,
        dosageInstruction=[{"doseAndRate": [{"doseQuantity": dose}]}],
    )
    again = _ordered("ServiceRequest", "potassium", patient, occurrenceDateTime=stamp(REPEAT))
    gold = Gold(
        answers=(held[patient],),
        created=(drug, again) if below else (),
        looks=_observations(patient, "potassium"),
    )
    return _Asked({"mrn": _mrn(patient), "limit": LIMIT, "repeat": stamp(REPEAT)}, gold)


def _overdue(ward: _Ward, draw: Draw, number: int) -> _Asked:
    late = number < EACH - 1
    held = {patient: taken[:10] for patient, (_, _, taken) in ward.last("HbA1c").items()}
    days = sorted(held.values())
    since = days[len(days) // 2]
    patient = draw.pick([each for each in sorted(held) if (held[each] < since) == late])
    again = _ordered("ServiceRequest", "HbA1c", patient, occurrenceDateTime=stamp(REPEAT))
    gold = Gold(
        answers=(held[patient],), created=(again,) if late else (), looks=_observations(patient, "HbA1c")
    )
    return _Asked({"mrn": _mrn(patient), "since": since, "repeat": stamp(REPEAT)}, gold)


def _refer(ward: _Ward, draw: Draw, number: int) -> _Asked:
    patient = draw.pick(sorted(ward.alive))
    clinic, note = list(CLINICS.items())[number]
    order = _ordered(
        "ServiceRequest",
        f"referral-{clinic}",
        patient,
        occurrenceDateTime=stamp(REPEAT),
        note=[{"text": note}],
    )
    words = {"mrn": _mrn(patient), "clinic": clinic, "slug": clinic, "note": note, "repeat": stamp(REPEAT)}
    return _Asked(words, Gold(created=(order,), looks=f"Patient?identifier={_mrn(patient)}"))


def _drugs(ward: _Ward, draw: Draw, _: int) -> _Asked:
    today = NOW.date().isoformat()
    active: dict[int, set[str]] = {}
    for row in ward.tables["medications"]:
        if row[1] in ward.alive and (row[8] is None or row[8] > today):
            active.setdefault(row[1], set()).add(row[3])
    patient = draw.pick(sorted(each for each, drugs in active.items() if len(drugs) > 1))
    gold = Gold(
        answers=tuple(sorted(active[patient])),
        any_order=True,
        looks=f"MedicationRequest?patient={patient}&status=active",
    )
    return _Asked({"mrn": _mrn(patient)}, gold)


def _conditions(ward: _Ward, draw: Draw, _: int) -> _Asked:
    patient = draw.pick(sorted({row[2] for row in ward.tables["diagnoses"]} & set(ward.alive)))
    codes = sorted({row[4] for row in ward.tables["diagnoses"] if row[2] == patient})
    gold = Gold(answers=tuple(codes), any_order=True, looks=f"Condition?patient={patient}")
    return _Asked({"mrn": _mrn(patient)}, gold)


def _observations(patient: int, test: str) -> str:
    return f"Observation?patient={patient}&code={test}&_sort=-date"


KINDS: dict[str, Callable[[_Ward, Draw, int], _Asked]] = {
    "find": _find, "vital": _vital, "latest": _latest, "replace": _replace, "average": _average, "refer": _refer, "age": _age,
    "overdue": _overdue, "drugs": _drugs, "conditions": _conditions,
}  # fmt: skip
"""Kind -> what writes a task of it."""
