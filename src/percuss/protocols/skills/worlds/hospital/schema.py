"""The tables of the hospital and how each database calls their types."""

from typing import Literal, NamedTuple

__all__ = ["TABLES", "Column", "Dialect", "Kind", "create_statement", "described"]

Kind = Literal["integer", "number", "text", "date", "time"]
Dialect = Literal["sqlite", "postgresql", "mariadb"]


class Column(NamedTuple):
    """A column: its name and kind; `time` is a date with hours and minutes."""

    name: str
    kind: Kind


def _columns(text: str) -> tuple[Column, ...]:
    kinds: dict[str, Kind] = {"i": "integer", "n": "number", "t": "text", "d": "date", "m": "time"}
    pairs = (word.split(":") for word in text.split())
    return tuple(Column(name, kinds[kind]) for name, kind in pairs)


TABLES: dict[str, tuple[Column, ...]] = {
    "patients": _columns(
        "patient_id:i family_name:t given_name:t sex:t birth_date:d district:t deceased_on:d"
    ),
    "encounters": _columns("encounter_id:i patient_id:i kind:t department:t admitted_at:m discharged_at:m"),
    "diagnoses": _columns(
        "diagnosis_id:i encounter_id:i patient_id:i position:i code:t name:t recorded_on:d"
    ),
    "labs": _columns(
        "lab_id:i patient_id:i encounter_id:i test:t value:n unit:t low:n high:n taken_at:m status:t"
    ),
    "medications": _columns(
        "medication_id:i patient_id:i encounter_id:i drug:t dose_mg:n per_day:i route:t started_on:d stopped_on:d"
    ),
    "reports": _columns("report_id:i patient_id:i encounter_id:i kind:t issued_on:d impression:t"),
}
"""Table -> columns; the first is the primary key, and only it and identifiers are never null."""

_TYPES: dict[Dialect, dict[Kind, str]] = {
    "sqlite": {"integer": "INTEGER", "number": "REAL", "text": "TEXT", "date": "TEXT", "time": "TEXT"},
    "postgresql": {
        "integer": "INTEGER",
        "number": "DOUBLE PRECISION",
        "text": "TEXT",
        "date": "DATE",
        "time": "TIMESTAMP",
    },
    "mariadb": {
        "integer": "INTEGER",
        "number": "DOUBLE",
        "text": "VARCHAR(200)",
        "date": "DATE",
        "time": "DATETIME",
    },
}


def create_statement(table: str, dialect: Dialect) -> str:
    """Return the statement that makes a table.

    Args:
        table: one of `TABLES`. dialect: of the database.
    """
    first, *rest = TABLES[table]
    types = _TYPES[dialect]
    lines = [f"{first.name} {types[first.kind]} PRIMARY KEY", *(f"{c.name} {types[c.kind]}" for c in rest)]
    # Text compares byte by byte everywhere, so that one query gives one answer.
    suffix = " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" if dialect == "mariadb" else ""
    return f"CREATE TABLE {table} ({', '.join(lines)}){suffix}"


def described(dialect: Dialect) -> str:
    """Return what the tool `schema` says of the tables.

    Args:
        dialect: of the database, which the agent's SQL has to be in.
    """
    names = {"sqlite": "SQLite", "postgresql": "PostgreSQL", "mariadb": "MariaDB"}
    types = _TYPES[dialect]
    lines = [
        f"{table}({', '.join(f'{c.name} {types[c.kind]}' for c in columns)})"
        for table, columns in TABLES.items()
    ]
    return "\n".join(
        [
            f"SQL dialect: {names[dialect]}. Read only.",
            *lines,
            "Dates are YYYY-MM-DD, times YYYY-MM-DD HH:MM:SS. Empty discharged_at or stopped_on: not ended yet.",
            "labs.status is final, preliminary or cancelled; encounters.kind is inpatient, outpatient or emergency;",
            "diagnoses.position 1 is the main diagnosis of its encounter; low and high are the reference range.",
        ]
    )
