"""Notes and CSV files: what the hospital holds beside its tables, each by a tool of its own."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from percuss.core.ids import canonical_json
from percuss.protocols.skills.worlds.contract import Result
from percuss.protocols.skills.worlds.hospital.data import Data
from percuss.protocols.skills.worlds.hospital.database import ROWS

__all__ = ["notes", "read_csv"]


def notes(data: Data, arguments: Mapping[str, Any]) -> Result:
    """Return a patient's notes, the earliest first.

    Args:
        data: of the hospital. arguments: `patient_id`, and `contains` for notes with these words alone.
    """
    patient, words = arguments.get("patient_id"), arguments.get("contains", "")
    if isinstance(patient, str) and patient.strip().isdecimal():
        patient = int(patient)
    if isinstance(patient, bool) or not isinstance(patient, int) or not isinstance(words, str):
        return _error('expected {"patient_id": NUMBER}, and "contains": TEXT if you like')
    found = [
        {"written_on": note.written_on, "text": note.text}
        for note in data.notes
        if note.patient_id == patient and words.lower() in note.text.lower()
    ]
    return Result(text=canonical_json(found).decode(), spent={"rows": len(found)})


def read_csv(data: Data, arguments: Mapping[str, Any]) -> Result:
    """Return rows of a CSV file, as the text that stands there.

    Args:
        data: of the hospital. arguments: `file`, and `equals`: column -> value that rows must have.
    """
    name, equals = arguments.get("file"), arguments.get("equals") or {}
    files = ", ".join(sorted(data.files))
    if not isinstance(name, str) or name not in data.files:
        return _error(f'got the file {str(name)[:60]!r}; expected "file" to be one of {files}')
    reader = csv.DictReader(io.StringIO(data.files[name]))
    columns = list(reader.fieldnames or ())
    if not isinstance(equals, Mapping) or any(column not in columns for column in equals):
        return _error(
            f'expected "equals" to be an object, column -> value; the columns of {name} are {", ".join(columns)}'
        )
    rows = [row for row in reader if all(row[column] == str(value) for column, value in equals.items())]
    shown = [[row[column] for column in columns] for row in rows[:ROWS]]
    held: dict[str, Any] = {"columns": columns, "rows": shown}
    if len(rows) > ROWS:
        held["more"] = f"{len(rows) - ROWS} more rows; narrow them by equals"
    return Result(text=canonical_json(held).decode(), spent={"rows": len(shown)})


def _error(expected: str) -> Result:
    return Result(text=f"Not done: {expected}.", outcome="error")
