"""A hospital made of a seed: its rows, its notes and its CSV files, with errors planted where tasks look for them."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar

from percuss.core.seeds import generator
from percuss.protocols.skills.worlds.hospital import vocabulary as words
from percuss.protocols.skills.worlds.hospital.schema import TABLES

__all__ = ["Data", "Draw", "Note", "hospital_of"]

PATIENTS = 90
DAY = timedelta(days=1)
Picked = TypeVar("Picked")


class Draw:
    """Draws for one named purpose.

    Args:
        seed: of the hospital. names: what the draws are for.
    """

    def __init__(self, seed: int, *names: str | int) -> None:
        self._generator = generator(seed, "hospital", *names)

    def share(self) -> float:
        """Return a number in [0, 1)."""
        return float(self._generator.random())

    def below(self, n: int) -> int:
        """Return a whole number in 0 .. n - 1."""
        return int(self.share() * n)

    def chance(self, share: float) -> bool:
        """Say yes in this share of draws."""
        return self.share() < share

    def pick(self, options: Sequence[Picked]) -> Picked:
        """Return one of the options."""
        return options[self.below(len(options))]

    def sample(self, options: Sequence[Picked], n: int) -> list[Picked]:
        """Return n of the options, each once, in the order drawn; all where there are fewer."""
        rest = list(options)
        return [rest.pop(self.below(len(rest))) for _ in range(min(n, len(rest)))]


@dataclass(frozen=True)
class Note:
    """A free-text note of a patient."""

    note_id: int
    patient_id: int
    written_on: str
    text: str


@dataclass
class Data:
    """All that a hospital holds: rows by table, in the order of `TABLES`' columns, notes, CSV files by name.

    Args:
        tables: rows; dates and times as ISO text, None for null. allergies: patient -> what the notes say.
    """

    tables: dict[str, list[tuple[Any, ...]]] = field(default_factory=lambda: {name: [] for name in TABLES})
    notes: list[Note] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    allergies: dict[int, str] = field(default_factory=dict)

    def add(self, table: str, *values: Any) -> int:
        """Add a row under the table's next number, and return that."""
        number = len(self.tables[table]) + 1
        self.tables[table].append((number, *values))
        return number


@lru_cache(maxsize=4)
def hospital_of(seed: int) -> Data:
    """Return the hospital of a seed; the same seed gives the same hospital. It is shared: nobody may change it."""
    data = Data()
    for number in range(1, PATIENTS + 1):
        _patient(data, Draw(seed, "patient", number))
    # The order of numbers says nothing about the order in time.
    for table, key in (("labs", "labs"), ("reports", "reports"), ("medications", "medications")):
        _renumber(data, table, Draw(seed, "order", key))
    data.files["appointments.csv"] = _appointments(Draw(seed, "appointments"))
    data.files["beds.csv"] = _beds(data, Draw(seed, "beds"))
    return data


def _patient(data: Data, draw: Draw) -> None:
    sex = draw.pick(("F", "M"))
    born = date(1930, 1, 1) + draw.below(26_000) * DAY
    died = date(2025, 3, 1) + draw.below(100) * DAY if draw.chance(0.08) else None
    patient = data.add(
        "patients",
        draw.pick(words.FAMILY_NAMES),
        draw.pick(words.GIVEN_NAMES[sex]),
        sex,
        born.isoformat(),
        draw.pick(words.DISTRICTS),
        died.isoformat() if died else None,
    )
    conditions = draw.sample(words.CONDITIONS, 2 + draw.below(3))
    levels = {lab.name: lab.low + (lab.high - lab.low) * (0.2 + draw.share()) for lab in words.LABS}
    start = datetime(2023, 1, 10, 8, 0) + draw.below(150) * DAY  # noqa: DTZ001 - the hospital's own clock
    for _ in range(3 + draw.below(3)):
        start += timedelta(days=40 + draw.below(200), minutes=15 * draw.below(40))
        if died is not None and start.date() > died - 14 * DAY:
            break
        _encounter(data, draw, patient, start, conditions, levels)
    _allergy(data, draw, patient, start.date())
    if died is not None and draw.chance(0.6):
        encounter = next(row[0] for row in data.tables["encounters"] if row[1] == patient)
        late = datetime(died.year, died.month, died.day, 9, 30) + 3 * DAY  # noqa: DTZ001
        _lab(data, draw, patient, encounter, words.LABS[0], 4.4, late)


def _encounter(
    data: Data,
    draw: Draw,
    patient: int,
    start: datetime,
    conditions: Sequence[words.Condition],
    levels: dict[str, float],
) -> None:
    kind = draw.pick(("inpatient", "inpatient", "outpatient", "emergency"))
    stay = {"inpatient": 2 + draw.below(9), "outpatient": 0, "emergency": draw.below(2)}[kind]
    end: datetime | None = start + timedelta(days=stay, hours=4)
    if draw.chance(0.05):
        end = start - timedelta(days=1 + draw.below(3))  # planted: discharged before it was admitted
    elif draw.chance(0.05):
        end = None
    main = draw.pick(conditions)
    department = "Emergency" if kind == "emergency" else main.department
    encounter = data.add("encounters", patient, kind, department, _time(start), _time(end))
    others = [condition for condition in conditions if condition is not main]
    for position, condition in enumerate([main, *draw.sample(others, draw.below(2))], start=1):
        recorded = None if draw.chance(0.06) else start.date().isoformat()
        data.add("diagnoses", encounter, patient, position, condition.code, condition.name, recorded)
        _drugs(data, draw, patient, encounter, condition, start.date())
    if not draw.chance(0.12):
        for day in range(0, stay + 1, 2):
            _labs(data, draw, patient, encounter, start + timedelta(days=day, hours=1), levels)
    for _ in range(draw.below(3)):
        kind_of_report, impressions = draw.pick(words.REPORTS)
        issued = None if draw.chance(0.12) else (start + draw.below(3) * DAY).date().isoformat()
        data.add("reports", patient, encounter, kind_of_report, issued, draw.pick(impressions))


def _labs(
    data: Data, draw: Draw, patient: int, encounter: int, taken: datetime, levels: dict[str, float]
) -> None:
    for lab in draw.sample(words.LABS, 2 + draw.below(3)):
        levels[lab.name] = max(lab.low * 0.6, levels[lab.name] + lab.drift * (draw.share() - 0.45))
        _lab(data, draw, patient, encounter, lab, levels[lab.name], taken)
        if draw.chance(0.05):  # planted: a second value of the same minute
            again = levels[lab.name] + lab.drift * 0.5
            _lab(data, draw, patient, encounter, lab, again, taken)


def _lab(
    data: Data, draw: Draw, patient: int, encounter: int, lab: words.Lab, level: float, taken: datetime
) -> None:
    value: float | None = round(level, lab.decimals)
    status = "final"
    at: str | None = _time(taken)
    roll = draw.share()
    if roll < 0.03:
        status, value = "cancelled", None
    elif roll < 0.06:
        status = "preliminary"
    elif roll < 0.09:
        at = None
    elif roll < 0.11 and lab.name in {"potassium", "haemoglobin", "HbA1c"}:
        value = round(level * 10, lab.decimals)  # planted: the decimal point is in the wrong place
    row = (patient, encounter, lab.name, value, lab.unit, float(lab.low), float(lab.high), at, status)
    data.add("labs", *row)
    if roll > 0.98:
        data.add("labs", *row)  # planted: sent twice


def _drugs(
    data: Data, draw: Draw, patient: int, encounter: int, condition: words.Condition, start: date
) -> None:
    named = {drug.name: drug for drug in words.DRUGS}
    for name in condition.drugs:
        if draw.chance(0.3):
            continue
        drug = named[name]
        stop = None if draw.chance(0.4) else start + (5 + draw.below(300)) * DAY
        dose, per_day = draw.pick(drug.strengths), draw.pick(drug.per_day)
        data.add(
            "medications",
            patient,
            encounter,
            name,
            float(dose),
            per_day,
            drug.route,
            start.isoformat(),
            stop.isoformat() if stop else None,
        )


def _allergy(data: Data, draw: Draw, patient: int, last: date) -> None:
    """Write the patient's notes: habits, then what they can't have, once corrected in some."""
    allergy = draw.pick(words.ALLERGIES)
    if draw.chance(0.25):
        wrong = draw.pick([name for name in words.ALLERGIES if name != allergy])
        text = f"Admission note. The referral names a reaction to {wrong}; not yet confirmed with the family."
        _note(data, patient, last - 60 * DAY, text)
        text = f"Correction to the admission note: no reaction to {wrong}. The allergy is to {allergy}, with a rash."
    else:
        text = f"Admission note. Lives with family. Known allergy: {allergy}. Eats and sleeps well."
    data.allergies[patient] = allergy
    _note(data, patient, last - 30 * DAY, text)
    packs = 5 * draw.below(8)
    _note(
        data,
        patient,
        last,
        f"Social history: {packs} pack-years of smoking. Walks to the shop and back unaided.",
    )


def _note(data: Data, patient: int, on: date, text: str) -> None:
    data.notes.append(Note(len(data.notes) + 1, patient, on.isoformat(), text))


def _renumber(data: Data, table: str, draw: Draw) -> None:
    rows = data.tables[table]
    numbers = draw.sample(range(1, len(rows) + 1), len(rows))
    data.tables[table] = sorted((number, *row[1:]) for number, row in zip(numbers, rows, strict=True))


def _appointments(draw: Draw) -> str:
    rows: list[tuple[Any, ...]] = []
    for patient in range(1, PATIENTS + 1):
        for _ in range(draw.below(4)):
            on = date(2025, 7, 1) + draw.below(120) * DAY
            kept = draw.pick(("kept", "missed", "cancelled"))
            rows.append((patient, on.isoformat(), draw.pick(words.DEPARTMENTS), kept))
    rows.sort()
    return _csv(("patient_id", "date", "clinic", "state"), rows)


def _beds(data: Data, draw: Draw) -> str:
    rows: list[tuple[Any, ...]] = []
    for encounter in data.tables["encounters"]:
        if encounter[2] == "inpatient" and not draw.chance(0.1):
            patient = (
                draw.below(PATIENTS) + 1 if draw.chance(0.05) else encounter[1]
            )  # planted: another patient
            rows.append((encounter[0], patient, draw.pick(words.WARDS), 1 + draw.below(24)))
    return _csv(("encounter_id", "patient_id", "ward", "bed"), rows)


def _csv(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime("%Y-%m-%d %H:%M:%S")
