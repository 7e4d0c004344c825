"""What many rows share, said once: most answers, recipes of pictures and rules' verdicts of a run repeat over its arms."""

import sqlite3
from hashlib import blake2b

from percuss.core.ids import canonical_json

__all__ = ["CLAIM_WORDS", "TEXTS", "VERDICT_WORDS", "SaidOnce", "list_id", "sum_of"]


def sum_of(*fields: str | float | None) -> int:
    """Return a number by which equal rows are found; rows with the same number are compared whole."""
    return int.from_bytes(blake2b(canonical_json(fields), digest_size=8).digest(), "big", signed=True)


class SaidOnce:
    """A table of distinct rows: calling it with a row returns the row's number, writing it when it is first met.

    Args:
        table: its name; it has an `id`, an indexed `sum` and the columns. columns: in the order of the fields.
    """

    def __init__(self, table: str, *columns: str) -> None:
        names, marks = ", ".join(columns), ",".join("?" * len(columns))
        same = " AND ".join(f"{name} IS ?" for name in columns)
        self._find = f"SELECT id FROM {table} WHERE sum = ? AND {same}"  # noqa: S608 - our own names
        self._write = f"INSERT INTO {table} (sum, {names}) VALUES (?,{marks}) RETURNING id"  # noqa: S608 - our own names

    def __call__(self, db: sqlite3.Connection, *fields: str | float | None) -> int:
        """Return the number of a row."""
        row = (sum_of(*fields), *fields)
        found = db.execute(self._find, row).fetchone() or db.execute(self._write, row).fetchone()
        return int(found[0])


def list_id(db: sqlite3.Connection, table: str, **columns: str) -> int:
    """Return the number of a row of a short table of names, writing it when it is first met.

    Args:
        db: connection to the run, in a transaction. table: its name; its columns are unique together. columns: the names.
    """
    names, marks = ", ".join(columns), ",".join("?" * len(columns))
    same = " AND ".join(f"{name} = ?" for name in columns)
    values = tuple(columns.values())
    row = db.execute(f"SELECT id FROM {table} WHERE {same}", values).fetchone()  # noqa: S608 - our own names
    if row is None:
        query = f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id"  # noqa: S608 - our own names
        row = db.execute(query, values).fetchone()
    return int(row[0])


TEXTS = SaidOnce("texts", "text")
CLAIM_WORDS = SaidOnce("claim_words", "text", "kind", "kinds", "payload")
VERDICT_WORDS = SaidOnce("verdict_words", "label", "score", "unscored", "rationale", "evidence")
