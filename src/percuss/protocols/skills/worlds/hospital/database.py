"""What a database of the hospital is, whichever it is: built once, asked by statements that can't write, compared by digest."""

import datetime as dt
import math
import typing
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from percuss.core.ids import digest
from percuss.core.strict import Record
from percuss.protocols.skills.worlds.hospital.data import hospital_of
from percuss.protocols.skills.worlds.hospital.schema import Dialect

__all__ = ["ROWS", "SECONDS", "Database", "Rows", "expected", "plain", "table_digest"]

ROWS = 200
"""Rows of one statement that an agent sees; it is told where there are more."""
SECONDS = 5
"""Seconds that one statement may take on a server; on SQLite a number of its operations stands for them."""


class Rows(Record):
    """What a statement gave.

    Args:
        columns, rows: as the database named and ordered them; values are JSON's. more: whether rows were cut off.
        error: the database's own words; empty where it gave rows. denied: whether it was for want of a right to write.
        timed_out: whether the statement was stopped by its time-out.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    more: bool = False
    error: str = ""
    denied: bool = False
    timed_out: bool = False


class Database(typing.Protocol):
    """One response's own database, in its dialect."""

    @property
    def dialect(self) -> Dialect:
        """Return the dialect that statements have to be in."""

    def run(self, sql: str) -> Rows:
        """Run one statement under the database's own locks and roll back; never raises for a statement."""

    def digests(self) -> dict[str, str]:
        """Return table -> digest of its rows, of every table that is there."""

    def close(self) -> None:
        """Leave nothing behind."""


def plain(value: Any) -> Any:
    """Return a value of a database as JSON holds it: dates and times as ISO text, decimals as numbers.

    >>> plain(dt.date(2024, 5, 1)), plain(Decimal("2.50")), plain(Decimal("3"))
    ('2024-05-01', 2.5, 3)
    """
    if isinstance(value, dt.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, Decimal):
        whole = value.is_finite() and value == value.to_integral_value()
        return int(value) if whole else plain(float(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def table_digest(rows: Sequence[Sequence[Any]]) -> str:
    """Return the digest of a table's rows, ordered by their first column; equal for equal rows on every database."""
    lines = sorted(repr([_canonical(value) for value in row]) for row in rows)
    return digest("\n".join(lines).encode())


@lru_cache(maxsize=4)
def expected(seed: int) -> dict[str, str]:
    """Return table -> digest as a hospital of a seed has it, on any database."""
    return {name: table_digest(rows) for name, rows in hospital_of(seed).tables.items()}


def _canonical(value: Any) -> Any:
    value = plain(value)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
