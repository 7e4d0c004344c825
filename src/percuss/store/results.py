"""What estimating a scoring gave: cells, estimates and sections, always replaced as a whole."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from percuss.core.records import Cell, Estimate
from percuss.core.sections import Section
from percuss.store.manifest import simulated_models
from percuss.store.packed import pack, read_json, unpack, write_json

__all__ = ["drop_cells", "put_results", "read_cells", "read_estimates", "read_sections"]

PACKED_FROM = 65_536
"""Characters of a section from which it is compressed: the reader's alone are so long."""
_CELL_COLUMNS = "scoring, name, model, arm, labels, case_id, epoch, cluster, stratum, num, den, excluded"


def put_results(
    db: sqlite3.Connection,
    scoring: str,
    cells: Iterable[Cell],
    estimates: Iterable[Estimate],
    sections: Iterable[Section],
) -> None:
    """Write the results of one scoring in place of those it had."""
    drop_cells(db, "scoring", scoring)
    for table in ("estimates", "sections"):
        db.execute(f"DELETE FROM {table} WHERE scoring = ?", (scoring,))  # noqa: S608 - the two names above
    _put_cells(db, scoring, cells)
    db.executemany(
        "INSERT INTO estimates (scoring, ordinal, name, model, arm, labels, body) VALUES (?,?,?,?,?,?,?)",
        (
            (scoring, ordinal, made.name, made.model, made.arm, made.labels, write_json(made))
            for ordinal, made in enumerate(estimates)
        ),
    )
    db.executemany(
        "INSERT INTO sections (scoring, ordinal, kind, body) VALUES (?,?,?,?)",
        ((scoring, ordinal, section.kind, _body(section)) for ordinal, section in enumerate(sections)),
    )


def read_cells(db: sqlite3.Connection, scoring: str) -> Iterator[Cell]:
    """Return the cells of a scoring by name, model, arm, labels, case order and epoch."""
    rows = db.execute(
        f"SELECT {', '.join('x.' + name.strip() for name in _CELL_COLUMNS.split(','))} FROM cells x "  # noqa: S608
        "LEFT JOIN cases c ON c.case_id = x.case_id WHERE x.scoring = ? "
        "ORDER BY x.name, x.model, x.arm, x.labels, c.ordinal, x.case_id, x.epoch",
        (scoring,),
    )
    planted = simulated_models(db)
    return (_cell_of(row, planted) for row in rows.fetchall())


def read_estimates(db: sqlite3.Connection, scoring: str) -> tuple[Estimate, ...]:
    """Return the estimates of a scoring in the order in which the protocol gave them."""
    rows = db.execute("SELECT body FROM estimates WHERE scoring = ? ORDER BY ordinal", (scoring,)).fetchall()
    return tuple(read_json(row[0], Estimate) for row in rows)


def read_sections(db: sqlite3.Connection, scoring: str) -> tuple[Section, ...]:
    """Return the sections of a scoring in the order in which the protocol gave them."""
    rows = db.execute("SELECT body FROM sections WHERE scoring = ? ORDER BY ordinal", (scoring,)).fetchall()
    bodies = (row[0] if isinstance(row[0], str) else unpack(row[0]).decode() for row in rows)
    return tuple(read_json(body, Section) for body in bodies)


def drop_cells(db: sqlite3.Connection, column: Literal["scoring", "model"], value: str) -> None:
    """Delete the cells of a scoring or of a model.

    Args:
        db: connection to the run, in a transaction. column: which of the two `value` names.
    """
    sets = f"(SELECT id FROM cell_sets WHERE {column} = ?)"  # noqa: S608 - one of two names
    db.execute(f"DELETE FROM cell_rows WHERE cell_set IN {sets}", (value,))  # noqa: S608 - our own text
    db.execute(f"DELETE FROM cell_sets WHERE {column} = ?", (value,))  # noqa: S608 - one of two names


def _body(section: Section) -> str | bytes:
    """Return a section as JSON text; a long one, with the answers and pictures to read, compressed."""
    body = write_json(section)
    return body if len(body) < PACKED_FROM else pack(body.encode(), level=12)


def _put_cells(db: sqlite3.Connection, scoring: str, cells: Iterable[Cell]) -> None:
    """Write cells; what they share is said once."""
    sets, cases = _Numbered(db, "cell_sets"), _Numbered(db, "cell_cases")
    db.executemany(
        "INSERT INTO cell_rows (cell_set, cell_case, epoch, num, den, excluded) VALUES (?,?,?,?,?,?)",
        (
            (
                sets((scoring, cell.name, cell.model, cell.arm, cell.labels)),
                cases((cell.case_id, cell.cluster, cell.stratum)),
                cell.epoch, cell.num, cell.den, write_json(cell.excluded) if cell.excluded else None,
            )
            for cell in cells
        ),
    )  # fmt: skip


class _Numbered:
    """Rows of a table of distinct texts, by number; a new one is written when it is first met."""

    def __init__(self, db: sqlite3.Connection, table: Literal["cell_sets", "cell_cases"]) -> None:
        self._db, self._table = db, table
        rows = db.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - one of two names
        self._numbers = {tuple(row[1:]): int(row[0]) for row in rows}
        self._next = max(self._numbers.values(), default=0) + 1

    def __call__(self, row: tuple[str, ...]) -> int:
        """Return the number of a row."""
        found = self._numbers.get(row)
        if found is None:
            found, self._next = self._next, self._next + 1
            marks = ",".join("?" * (len(row) + 1))
            self._db.execute(f"INSERT INTO {self._table} VALUES ({marks})", (found, *row))  # noqa: S608 - one of two names
            self._numbers[row] = found
        return found


def _cell_of(row: tuple[Any, ...], planted: frozenset[str]) -> Cell:
    fields = dict(zip([name.strip() for name in _CELL_COLUMNS.split(",")], row, strict=True))
    excluded = read_json(fields["excluded"], dict[str, int])
    return Cell(**{**fields, "excluded": excluded, "simulated": fields["model"] in planted})
