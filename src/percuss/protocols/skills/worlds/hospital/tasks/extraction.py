"""Precise extraction: what stands under a given patient, report, medication or note."""

# ruff: noqa: S608 - every statement is made of our own words and numbers

import csv
import io
from collections.abc import Sequence

from percuss.protocols.skills.worlds.contract import Step
from percuss.protocols.skills.worlds.hospital.data import Draw
from percuss.protocols.skills.worlds.hospital.tasks.round import Book, Round

__all__ = ["drug_chart", "note_and_file", "patient_file", "report_sheet"]


def patient_file(book: Book, draw: Draw) -> Sequence[Round]:
    """Who a patient is, their stays, and the main diagnosis of each."""
    patient = draw.pick(book.first("SELECT DISTINCT patient_id FROM encounters WHERE kind = 'inpatient'"))
    stays = f"patient_id = {patient} AND kind = 'inpatient'"
    return (
        Round(
            f"Who is patient {patient}?",
            "sex:text birth_date:date district:text",
            f"SELECT sex, birth_date, district FROM patients WHERE patient_id = {patient}",
        ),
        Round(
            "Which inpatient encounters did they have?",
            "encounter_id:integer department:text admitted_at:time",
            f"SELECT encounter_id, department, admitted_at FROM encounters WHERE {stays}",
        ),
        Round(
            "What was the main diagnosis (position 1) of each of these encounters?",
            "encounter_id:integer code:text name:text",
            "SELECT encounter_id, code, name FROM diagnoses WHERE position = 1 AND encounter_id IN "
            f"(SELECT encounter_id FROM encounters WHERE {stays})",
        ),
    )


def report_sheet(book: Book, draw: Draw) -> Sequence[Round]:
    """What a report says, the encounter that it belongs to, and what else was done then."""
    report, encounter, patient = draw.pick(
        book.rows("SELECT report_id, encounter_id, patient_id FROM reports WHERE issued_on IS NOT NULL")
    )
    return (
        Round(
            f"What does report {report} say?",
            "kind:text issued_on:date impression:text",
            f"SELECT kind, issued_on, impression FROM reports WHERE report_id = {report}",
        ),
        Round(
            "In which encounter was it made?",
            "encounter_id:integer department:text admitted_at:time",
            f"SELECT encounter_id, department, admitted_at FROM encounters WHERE encounter_id = {encounter}",
        ),
        Round(
            "Which tests were taken in that encounter (whatever their status)? Name each once.",
            "test:text",
            f"SELECT DISTINCT test FROM labs WHERE encounter_id = {encounter}",
        ),
        Round(
            "Which other reports does the same patient have?",
            "report_id:integer kind:text",
            f"SELECT report_id, kind FROM reports WHERE patient_id = {patient} AND report_id <> {report}",
        ),
    )


def drug_chart(book: Book, draw: Draw) -> Sequence[Round]:
    """What a patient took on a day, how much of it, and since which encounter."""
    patient = draw.pick(book.first("SELECT DISTINCT patient_id FROM medications"))
    day = f"{2024 + draw.below(2)}-{1 + draw.below(12):02d}-15"
    active = (
        f"patient_id = {patient} AND started_on <= '{day}' AND (stopped_on IS NULL OR stopped_on > '{day}')"
    )
    return (
        Round(
            f"Which medications did patient {patient} have on {day}: started on or before it, and not stopped by then?",
            "medication_id:integer drug:text dose_mg:number",
            f"SELECT medication_id, drug, dose_mg FROM medications WHERE {active}",
        ),
        Round(
            "How many mg of each of these drugs is that per day, all of their entries taken together?",
            "drug:text mg_per_day:number",
            f"SELECT drug, SUM(dose_mg * per_day) AS mg_per_day FROM medications WHERE {active} GROUP BY drug",
        ),
        Round(
            "In which encounters were these medications started? Name each encounter once.",
            "encounter_id:integer department:text",
            "SELECT encounter_id, department FROM encounters WHERE encounter_id IN "
            f"(SELECT encounter_id FROM medications WHERE {active})",
        ),
        Round(
            "Which one was started first? Of several on that day, the one with the lowest medication_id.",
            "medication_id:integer started_on:date",
            f"SELECT medication_id, started_on FROM medications WHERE {active} ORDER BY started_on, medication_id LIMIT 1",
        ),
    )


def note_and_file(book: Book, draw: Draw) -> Sequence[Round]:
    """What the free-text notes and a CSV file say of a patient, beside the tables."""
    rows = list(csv.DictReader(io.StringIO(book.data.files["appointments.csv"])))
    patient = draw.pick(sorted({int(row["patient_id"]) for row in rows}))
    mine = [row for row in rows if int(row["patient_id"]) == patient]
    look = {"file": "appointments.csv", "equals": {"patient_id": str(patient)}}
    return (
        Round(
            f"What is patient {patient} allergic to by their notes? A later correction counts, in one or two words.",
            "allergy:text",
            found=[(book.data.allergies[patient],)],
            step=Step(tool="notes", arguments={"patient_id": patient}),
        ),
        Round(
            "Which appointments do they have in appointments.csv?",
            "date:date clinic:text state:text",
            found=[(row["date"], row["clinic"], row["state"]) for row in mine],
            step=Step(tool="read_csv", arguments=look),
        ),
        Round(
            "In which of these clinics' departments have they had an encounter before, and how many each?",
            "department:text encounters:integer",
            f"SELECT department, COUNT(*) AS encounters FROM encounters WHERE patient_id = {patient} AND department IN "
            f"({', '.join(sorted({repr(row['clinic']) for row in mine}))}) GROUP BY department",
        ),
    )
