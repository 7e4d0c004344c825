"""What estimating a scoring gave: cells, estimates and sections, always replaced as a whole."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from percuss.core.records import Cell, Estimate
from percuss.core.sections import Section
from percuss.store.manifest import simulated_models
from percuss.store.packed import read_json, write_json

__all__ = ["put_results", "read_cells", "read_estimates", "read_sections"]

_CELL_COLUMNS = "scoring, name, model, arm, labels, case_id, epoch, cluster, stratum, num, den, excluded"


def put_results(
    db: sqlite3.Connection,
    scoring: str,
    cells: Iterable[Cell],
    estimates: Iterable[Estimate],
    sections: Iterable[Section],
) -> None:
    """Write the results of one scoring in place of those it had."""
    for table in ("cells", "estimates", "sections"):
        db.execute(f"DELETE FROM {table} WHERE scoring = ?", (scoring,))  # noqa: S608 - the three names above
    db.executemany(
        f"INSERT INTO cells ({_CELL_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608 - our own text
        (_cell_row(cell, scoring) for cell in cells),
    )
    db.executemany(
        "INSERT INTO estimates (scoring, ordinal, name, model, arm, labels, body) VALUES (?,?,?,?,?,?,?)",
        (
            (scoring, ordinal, made.name, made.model, made.arm, made.labels, write_json(made))
            for ordinal, made in enumerate(estimates)
        ),
    )
    db.executemany(
        "INSERT INTO sections (scoring, ordinal, kind, body) VALUES (?,?,?,?)",
        ((scoring, ordinal, section.kind, write_json(section)) for ordinal, section in enumerate(sections)),
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
    return tuple(read_json(row[0], Section) for row in rows)


def _cell_row(cell: Cell, scoring: str) -> tuple[Any, ...]:
    return (
        scoring,
        cell.name,
        cell.model,
        cell.arm,
        cell.labels,
        cell.case_id,
        cell.epoch,
        cell.cluster,
        cell.stratum,
        cell.num,
        cell.den,
        write_json(cell.excluded),
    )


def _cell_of(row: tuple[Any, ...], planted: frozenset[str]) -> Cell:
    fields = dict(zip([name.strip() for name in _CELL_COLUMNS.split(",")], row, strict=True))
    excluded = read_json(fields["excluded"], dict[str, int])
    return Cell(**{**fields, "excluded": excluded, "simulated": fields["model"] in planted})
