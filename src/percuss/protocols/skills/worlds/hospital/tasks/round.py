"""What a round is before it becomes part of a task: a question, where its answer comes from, and what is compared."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Step
from percuss.protocols.skills.worlds.hospital.data import Data, Draw, hospital_of
from percuss.protocols.skills.worlds.hospital.database import plain
from percuss.protocols.skills.worlds.hospital.schema import TABLES, create_statement

__all__ = ["EXACT", "MEAN", "Asked", "Book", "Column", "Family", "Gold", "Round", "book_of"]

EXACT = 1e-6
MEAN = 0.051
"""How far a mean or a share may be from gold: one decimal is asked for, rounded or cut."""


class Column(Record):
    """A column of an answer: its name, kind (integer, number, text, date, time) and how far a number may be off."""

    name: str
    kind: str
    tolerance: float = EXACT


class Gold(Record):
    """The right answer to a round.

    Args:
        columns: what is compared, by name. rows: in the columns' order. ordered: whether the order of rows counts.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    ordered: bool = False


@dataclass(frozen=True)
class Round:
    """One round.

    Args:
        question: what the user wants to know. columns: `name:kind` words; `mean` is a number to one decimal.
        sql: the gold query; None where the answer comes from elsewhere. found: its rows then.
        step: the call that leads to it where that is no query. ordered: whether the order of rows counts.
    """

    question: str
    columns: str
    sql: str | None = None
    found: Sequence[tuple[Any, ...]] = ()
    step: Step | None = None
    ordered: bool = False


class Asked(Record):
    """A round as a task has it: what is said, the right answer, and the call that leads to it."""

    says: str
    gold: Gold
    step: Step


class Book:
    """The hospital as whoever writes tasks sees it.

    Args:
        seed: of the hospital.
    """

    def __init__(self, seed: int) -> None:
        self.data: Data = hospital_of(seed)
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        for table, columns in TABLES.items():
            self._connection.execute(create_statement(table, "sqlite"))
            marks = ", ".join("?" * len(columns))
            self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", self.data.tables[table])  # noqa: S608

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query of ours."""
        return [tuple(plain(value) for value in row) for row in self._connection.execute(sql)]

    def first(self, sql: str) -> list[Any]:
        """Return the first column of a query of ours."""
        return [row[0] for row in self.rows(sql)]

    def asked(self, round_: Round) -> Asked:
        """Return a round with its right answer.

        Args:
            round_: as its family wrote it.
        """
        columns = tuple(_column(word) for word in round_.columns.split())
        rows = round_.found if round_.sql is None else self.rows(round_.sql)
        step = round_.step or Step(tool="query", arguments={"sql": round_.sql})
        return Asked(
            says=f"{round_.question} {_wanted(columns, ordered=round_.ordered)}",
            gold=Gold(columns=columns, rows=tuple(tuple(row) for row in rows), ordered=round_.ordered),
            step=step,
        )


Family = Callable[[Book, Draw], Sequence[Round]]
"""Writes one task of a kind; draws again where a round would have no answer."""


@lru_cache(maxsize=4)
def book_of(seed: int) -> Book:
    """Return the book of a seed's hospital."""
    return Book(seed)


def _column(word: str) -> Column:
    name, _, kind = word.partition(":")
    return (
        Column(name=name, kind="number", tolerance=MEAN) if kind == "mean" else Column(name=name, kind=kind)
    )


_KINDS = {
    "integer": "whole number",
    "number": "number",
    "text": "text",
    "date": "YYYY-MM-DD",
    "time": "YYYY-MM-DD HH:MM:SS",
}


def _wanted(columns: Sequence[Column], *, ordered: bool) -> str:
    names = ", ".join(
        f"{column.name} ({'number to one decimal' if column.tolerance == MEAN else _KINDS[column.kind]})"
        for column in columns
    )
    return f"Submit rows with the columns {names}." + (" The order of rows counts." if ordered else "")
