"""Multi-condition: who fulfils several conditions at once, and what else holds for them."""

# ruff: noqa: S608 - every statement is made of our own words and numbers

from collections.abc import Sequence

from percuss.protocols.skills.worlds.hospital.data import Draw
from percuss.protocols.skills.worlds.hospital.tasks.round import Book, Round

__all__ = ["diagnosis_and_drug", "two_drugs", "without_labs"]

_WATCHED = (
    ("I50", "furosemide", "potassium"),
    ("I50", "spironolactone", "potassium"),
    ("E11", "metformin", "HbA1c"),
    ("I48", "apixaban", "platelets"),
    ("N18", "ramipril", "creatinine"),
    ("I10", "amlodipine", "sodium"),
)
"""Diagnosis, drug and the test that is watched under it."""
_TOGETHER = (
    ("ramipril", "amlodipine"),
    ("furosemide", "ramipril"),
    ("bisoprolol", "furosemide"),
    ("metformin", "empagliflozin"),
    ("apixaban", "bisoprolol"),
)
"""Drugs that are given together."""


def diagnosis_and_drug(book: Book, draw: Draw) -> Sequence[Round]:
    """Patients with a diagnosis and a drug, those of them with a value out of range, and where they live."""
    code, drug, test = draw.pick(_WATCHED)
    year = 1945 + 5 * draw.below(9)
    who = (
        f"birth_date < '{year}-01-01' AND patient_id IN (SELECT patient_id FROM diagnoses WHERE code = '{code}') "
        f"AND patient_id IN (SELECT patient_id FROM medications WHERE drug = '{drug}' AND stopped_on IS NULL)"
    )
    inside = f"(SELECT patient_id FROM patients WHERE {who})"
    beyond = (
        f"SELECT DISTINCT patient_id FROM labs WHERE test = '{test}' AND status = 'final' AND value > high "
        f"AND patient_id IN {inside}"
    )
    del book
    return (
        Round(
            f"Which patients born before {year} were ever diagnosed with {code} and have {drug} that was never stopped?",
            "patient_id:integer sex:text",
            f"SELECT patient_id, sex FROM patients WHERE {who}",
        ),
        Round(
            f"Which of them ever had a final {test} above its reference range?",
            "patient_id:integer",
            beyond,
        ),
        Round(
            "How many of those live in each district?",
            "district:text n:integer",
            f"SELECT district, COUNT(*) AS n FROM patients WHERE patient_id IN ({beyond}) GROUP BY district",
        ),
        Round(
            f"What is the highest final {test} of each of them?",
            "patient_id:integer value:number",
            f"SELECT patient_id, MAX(value) AS value FROM labs WHERE test = '{test}' AND status = 'final' "
            f"AND patient_id IN ({beyond}) GROUP BY patient_id",
        ),
    )


def two_drugs(book: Book, draw: Draw) -> Sequence[Round]:
    """Patients with two drugs on one day, how much of each, who was in hospital then, and what for."""
    del book
    one, other = draw.pick(_TOGETHER)
    day = f"{2024 + draw.below(2)}-{1 + draw.below(12):02d}-01"
    active, both = _taking(one, other, day)
    inside = f"(SELECT patient_id FROM patients WHERE {both})"
    return (
        Round(
            f"Which patients had both {one} and {other} on {day} (started on or before it, not stopped by then)?",
            "patient_id:integer birth_date:date",
            f"SELECT patient_id, birth_date FROM patients WHERE {both}",
        ),
        Round(
            f"How many mg of {one} per day did each of them have then, all entries taken together?",
            "patient_id:integer mg_per_day:number",
            f"SELECT patient_id, SUM(dose_mg * per_day) AS mg_per_day FROM medications WHERE drug = '{one}' AND {active} "
            f"AND patient_id IN {inside} GROUP BY patient_id",
        ),
        Round(
            f"Which of them had at least two inpatient encounters before {day}?",
            "patient_id:integer n:integer",
            f"SELECT patient_id, COUNT(*) AS n FROM encounters WHERE kind = 'inpatient' AND admitted_at < '{day} 00:00:00' "
            f"AND patient_id IN {inside} GROUP BY patient_id HAVING COUNT(*) >= 2",
        ),
        Round(
            "Of all patients with both drugs that day: how many are women (F) and how many men (M)?",
            "sex:text n:integer",
            f"SELECT sex, COUNT(*) AS n FROM patients WHERE {both} GROUP BY sex",
        ),
        Round(
            "And which main diagnoses (position 1) did the oldest of them have (of equals the lowest patient_id)? Name each "
            "code once.",
            "patient_id:integer code:text",
            "SELECT DISTINCT patient_id, code FROM diagnoses WHERE position = 1 AND patient_id = "
            f"(SELECT patient_id FROM patients WHERE {both} ORDER BY birth_date, patient_id LIMIT 1)",
        ),
    )


def _taking(one: str, other: str, day: str) -> tuple[str, str]:
    """Return the conditions of a medication active on a day, and of a patient with both drugs then."""
    active = f"started_on <= '{day}' AND (stopped_on IS NULL OR stopped_on > '{day}')"
    each = (
        f"patient_id IN (SELECT patient_id FROM medications WHERE drug = '{drug}' AND {active})"
        for drug in (one, other)
    )
    return active, " AND ".join(each)


def without_labs(book: Book, draw: Draw) -> Sequence[Round]:
    """Encounters of a department and time without any lab, whether they have reports, and by whom."""
    department = draw.pick(book.first("SELECT DISTINCT department FROM encounters ORDER BY department"))
    year = 2023 + draw.below(3)
    of = (
        f"department = '{department}' AND admitted_at >= '{year}-01-01 00:00:00' AND admitted_at < '{year + 2}-01-01 00:00:00' "
        "AND NOT EXISTS (SELECT 1 FROM labs WHERE labs.encounter_id = encounters.encounter_id)"
    )
    inside = f"(SELECT encounter_id FROM encounters WHERE {of})"
    return (
        Round(
            f"Which encounters of {department} that began in {year} or {year + 1} have no lab at all?",
            "encounter_id:integer patient_id:integer",
            f"SELECT encounter_id, patient_id FROM encounters WHERE {of}",
        ),
        Round(
            "How many of these are of each kind?",
            "kind:text n:integer",
            f"SELECT kind, COUNT(*) AS n FROM encounters WHERE {of} GROUP BY kind",
        ),
        Round(
            "How many reports, dated or not, does each of these encounters have? Leave those without any out.",
            "encounter_id:integer n:integer",
            f"SELECT encounter_id, COUNT(*) AS n FROM reports WHERE encounter_id IN {inside} GROUP BY encounter_id",
        ),
        Round(
            "What were their main diagnoses (position 1)?",
            "encounter_id:integer code:text",
            f"SELECT encounter_id, code FROM diagnoses WHERE position = 1 AND encounter_id IN {inside}",
        ),
    )
