"""The hospital in a SQLite file: opened read-only, `query_only`, with an authorizer, and rolled back."""

import sqlite3
from functools import lru_cache
from pathlib import Path

from percuss.core.ids import digest
from percuss.protocols.skills.worlds.hospital.data import hospital_of
from percuss.protocols.skills.worlds.hospital.database import ROWS, Rows, expected, plain, table_digest
from percuss.protocols.skills.worlds.hospital.schema import TABLES, Dialect, create_statement

__all__ = ["Sqlite"]

OPERATIONS = 20_000_000
"""Operations of SQLite's machine that one statement may take: about a second, and the same on every computer."""
_STEP = 10_000
_READING = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


class Sqlite:
    """A hospital's file in a folder.

    Args:
        seed: of the hospital. folder: where the file is written; the file is there until the folder goes.
    """

    dialect: Dialect = "sqlite"

    def __init__(self, seed: int, folder: Path) -> None:
        self._seed = seed
        self.file = folder / "hospital.sqlite"
        self.file.write_bytes(_image(seed))
        address = f"{self.file.resolve().as_uri()}?mode=ro"
        self._connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
        self._connection.execute("PRAGMA query_only = ON")
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)

    def run(self, sql: str) -> Rows:
        """Run one statement and roll back."""
        steps = iter(range(OPERATIONS // _STEP))
        connection = self._connection
        connection.execute("BEGIN")
        connection.set_progress_handler(lambda: int(next(steps, None) is None), _STEP)
        connection.set_authorizer(_may)
        try:
            cursor = connection.execute(sql)
            rows = cursor.fetchmany(ROWS + 1)
            columns = tuple(str(column[0]) for column in cursor.description or ())
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
            return _failed(error)
        finally:
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        kept = tuple(tuple(plain(value) for value in row) for row in rows[:ROWS])
        return Rows(columns=columns, rows=kept, more=len(rows) > ROWS)

    def digests(self) -> dict[str, str]:
        """Return table -> digest of its rows; read anew unless the file is the very one that was written."""
        data = self.file.read_bytes()
        return (
            dict(_digests(data)) if digest(data) != digest(_image(self._seed)) else dict(expected(self._seed))
        )

    def close(self) -> None:
        """Close the file; its folder is removed by whoever made it."""
        self._connection.close()


def _may(action: int, *_about: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _failed(error: Exception) -> Rows:
    words = str(error)
    denied = any(word in words for word in ("not authorized", "readonly", "one statement", "prohibited"))
    return Rows(error=words[:300], denied=denied, timed_out=words == "interrupted")


def _digests(image: bytes) -> dict[str, str]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(image)
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type <> 'index' ORDER BY name"
        ).fetchall()
        select = "SELECT * FROM "
        return {name: table_digest(connection.execute(f'{select}"{name}"').fetchall()) for (name,) in names}
    finally:
        connection.close()


@lru_cache(maxsize=4)
def _image(seed: int) -> bytes:
    """Return the bytes of a hospital's file; made once for all responses of a seed."""
    data = hospital_of(seed)
    connection = sqlite3.connect(":memory:")
    try:
        for table, columns in TABLES.items():
            connection.execute(create_statement(table, "sqlite"))
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", data.tables[table])  # noqa: S608 - our own names
        connection.commit()
        return connection.serialize()
    finally:
        connection.close()
