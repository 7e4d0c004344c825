"""Anomalies: misplaced decimals, results sent twice, dates that can't be, beds under another patient's name."""

# ruff: noqa: S608 - every statement is made of our own words and numbers

import csv
import io
from collections.abc import Sequence

from percuss.protocols.skills.worlds.contract import Step
from percuss.protocols.skills.worlds.hospital.data import Draw
from percuss.protocols.skills.worlds.hospital.tasks.round import Book, Round

__all__ = ["impossible_dates", "misplaced_decimal", "sent_twice", "wrong_bed"]


def misplaced_decimal(book: Book, draw: Draw) -> Sequence[Round]:
    """Values that no patient has, whose they are, and the mean without them."""
    test, limit = draw.pick((("potassium", 12), ("haemoglobin", 40), ("HbA1c", 20)))
    sex = draw.pick(("F", "M"))
    del book
    of = f"test = '{test}' AND patient_id IN (SELECT patient_id FROM patients WHERE sex = '{sex}')"
    beyond = f"{of} AND value > {limit}"
    return (
        Round(
            f"Which {test} results of patients of sex {sex} are above {limit}, which can't be?",
            "lab_id:integer patient_id:integer value:number",
            f"SELECT lab_id, patient_id, value FROM labs WHERE {beyond}",
        ),
        Round(
            "In which departments' encounters were they taken, and how many in each?",
            "department:text n:integer",
            "SELECT e.department, COUNT(*) AS n FROM labs JOIN encounters e ON e.encounter_id = labs.encounter_id "
            f"WHERE test = '{test}' AND value > {limit} AND labs.patient_id IN "
            f"(SELECT patient_id FROM patients WHERE sex = '{sex}') GROUP BY e.department",
        ),
        Round(
            f"The decimal point is one place too far to the right in these. What is the mean final {test} of each of the "
            "patients concerned, these values left out? Leave a patient without another value out.",
            "patient_id:integer mean:mean",
            f"SELECT patient_id, AVG(value) AS mean_ FROM labs WHERE test = '{test}' AND status = 'final' "
            f"AND value <= {limit} AND patient_id IN (SELECT patient_id FROM labs WHERE {beyond}) GROUP BY patient_id",
        ),
        Round(
            "And what would each of the wrong values be with the point moved one place to the left?",
            "lab_id:integer value:mean",
            f"SELECT lab_id, value / 10.0 AS value FROM labs WHERE {beyond}",
        ),
    )


def sent_twice(book: Book, draw: Draw) -> Sequence[Round]:
    """Results that stand there twice, of which tests, and what a count is without the copies."""
    tests = draw.sample(book.first("SELECT DISTINCT test FROM labs ORDER BY test"), 3)
    of = "test IN (" + ", ".join(f"'{test}'" for test in sorted(tests)) + ")"
    pairs = (
        f"(SELECT patient_id, test, taken_at, value, MIN(lab_id) AS lab_id, COUNT(*) AS n FROM labs WHERE {of} "
        "AND taken_at IS NOT NULL AND value IS NOT NULL GROUP BY patient_id, test, taken_at, value HAVING COUNT(*) > 1) "
        "AS pairs"
    )
    names = ", ".join(sorted(tests))
    return (
        Round(
            f"Which results ({names}) stand there more than once: same patient, test, time and value? Results without a "
            "time or value don't count. Give the lowest lab_id of each.",
            "lab_id:integer patient_id:integer test:text",
            f"SELECT lab_id, patient_id, test FROM {pairs}",
        ),
        Round(
            "How many are there of each test?",
            "test:text n:integer",
            f"SELECT test, COUNT(*) AS n FROM {pairs} GROUP BY test",
        ),
        Round(
            "How many rows would go if each were kept once?",
            "rows:integer",
            f"SELECT SUM(n - 1) AS rows_ FROM {pairs}",
        ),
    )


def impossible_dates(book: Book, draw: Draw) -> Sequence[Round]:
    """Encounters that end before they begin, whose they are, and what was prescribed in them."""
    del book
    year = 2023 + draw.below(3)
    sexes = draw.pick(("F", "M"))
    of = (
        f"discharged_at < admitted_at AND admitted_at >= '{year}-01-01 00:00:00' AND patient_id IN "
        f"(SELECT patient_id FROM patients WHERE sex = '{sexes}')"
    )
    inside = f"(SELECT encounter_id FROM encounters WHERE {of})"
    return (
        Round(
            f"Which encounters of patients of sex {sexes} that began in {year} or later end before they begin?",
            "encounter_id:integer admitted_at:time discharged_at:time",
            f"SELECT encounter_id, admitted_at, discharged_at FROM encounters WHERE {of}",
        ),
        Round(
            "How many of them does each department have?",
            "department:text n:integer",
            f"SELECT department, COUNT(*) AS n FROM encounters WHERE {of} GROUP BY department",
        ),
        Round(
            "Which of them have labs taken after the discharge, and how many? Results without a time don't count.",
            "encounter_id:integer n:integer",
            "SELECT e.encounter_id, COUNT(*) AS n FROM encounters e JOIN labs l ON l.encounter_id = e.encounter_id "
            f"WHERE l.taken_at > e.discharged_at AND e.encounter_id IN {inside} GROUP BY e.encounter_id",
        ),
        Round(
            "Which drugs were started in these encounters? Name each once per encounter.",
            "encounter_id:integer drug:text",
            f"SELECT DISTINCT encounter_id, drug FROM medications WHERE encounter_id IN {inside}",
        ),
    )


def wrong_bed(book: Book, draw: Draw) -> Sequence[Round]:
    """Beds of a CSV file under another patient than the encounter's, and encounters that it lacks."""
    rows = list(csv.DictReader(io.StringIO(book.data.files["beds.csv"])))
    ward = draw.pick(sorted({row["ward"] for row in rows}))
    mine = [row for row in rows if row["ward"] == ward]
    owner = {row[0]: row[1] for row in book.data.tables["encounters"]}
    wrong = [row for row in mine if owner[int(row["encounter_id"])] != int(row["patient_id"])]
    numbers = ", ".join(sorted(row["encounter_id"] for row in wrong)) or "0"
    patients = ", ".join(sorted({row["patient_id"] for row in wrong})) or "0"
    return (
        Round(
            f"Which encounters and beds does beds.csv list for ward {ward}, bed 12 or higher?",
            "encounter_id:integer bed:integer",
            found=[(int(row["encounter_id"]), int(row["bed"])) for row in mine if int(row["bed"]) >= 12],
            step=Step(tool="read_csv", arguments={"file": "beds.csv", "equals": {"ward": ward}}),
        ),
        Round(
            f"Which rows of beds.csv for ward {ward} (any bed) name another patient than the encounter in the database has?",
            "encounter_id:integer patient_id:integer",
            found=[(int(row["encounter_id"]), int(row["patient_id"])) for row in wrong],
            step=Step(
                tool="query",
                arguments={
                    "sql": "SELECT encounter_id, patient_id FROM encounters WHERE kind = 'inpatient' AND encounter_id IN ("
                    + ", ".join(row["encounter_id"] for row in mine)
                    + ")"
                },
            ),
        ),
        Round(
            "Whose encounters are these by the database?",
            "encounter_id:integer patient_id:integer",
            f"SELECT encounter_id, patient_id FROM encounters WHERE encounter_id IN ({numbers})",
        ),
        Round(
            "And where do the patients live whom the file names by mistake?",
            "patient_id:integer district:text",
            f"SELECT patient_id, district FROM patients WHERE patient_id IN ({patients})",
        ),
    )
