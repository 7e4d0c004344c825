"""Responses, and which calls made each of them."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.ids import response_id
from percuss.core.labels import CERTIFICATE
from percuss.core.records import Record, Response, Turn, Usage
from percuss.store.packed import read_json, write_json
from percuss.store.said_once import TEXTS

__all__ = [
    "N_COLUMNS",
    "RESPONSE_COLUMNS",
    "Use",
    "count_settled",
    "count_status",
    "import_responses",
    "models_seen",
    "put_response",
    "put_uses",
    "response_of",
    "settled",
]

RESPONSE_COLUMNS = (
    "r.response_id, r.case_id, r.arm, r.model, r.epoch, r.status, r.reason, r.finish, r.turns, r.artifacts, "
    "r.calls, r.tokens_in, r.tokens_out, r.cost_usd, (SELECT json_array(f.after_response, f.after_scoring, f.earlier) "
    "FROM follows f WHERE f.response_id = r.response_id)"
)
N_COLUMNS = 15
"""How many columns `RESPONSE_COLUMNS` are."""


_FOLLOWS = ("after_response", "after_scoring", "earlier")


class Use(Record):
    """One call that helped to make a response: the role that made it, and its key."""

    role: str
    key: str


def put_response(db: sqlite3.Connection, response: Response, uses: Iterable[Use] = ()) -> None:
    """Write a response and the calls it used; one that failed before is replaced."""
    usage = response.usage
    db.execute(
        "INSERT INTO response_rows (response_id, case_id, arm, model, epoch, status, reason, finish, turns, artifacts, calls, "
        "tokens_in, tokens_out, cost_usd) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (response_id) DO UPDATE SET "
        "status = excluded.status, reason = excluded.reason, finish = excluded.finish, turns = excluded.turns, "
        "artifacts = excluded.artifacts, calls = excluded.calls, tokens_in = excluded.tokens_in, "
        "tokens_out = excluded.tokens_out, cost_usd = excluded.cost_usd WHERE response_rows.status <> 'done'",
        (
            response.id,
            response.case_id,
            response.arm,
            response.model,
            response.epoch,
            response.status,
            response.reason,
            response.finish,
            TEXTS(db, write_json(response.turns)),
            TEXTS(db, write_json(response.artifacts)),
            usage.calls,
            usage.tokens_in,
            usage.tokens_out,
            usage.cost_usd,
        ),
    )
    if response.after_response is not None:
        db.execute(
            "INSERT OR REPLACE INTO follows (response_id, after_response, after_scoring, earlier) VALUES (?,?,?,?)",
            (response.id, *(getattr(response, name) for name in _FOLLOWS)),
        )
    put_uses(db, response.id, "ask", uses)


def put_uses(db: sqlite3.Connection, response: str, stage: str, uses: Iterable[Use]) -> None:
    """Replace what a stage used for a response."""
    db.execute(
        "DELETE FROM use_rows WHERE response = (SELECT id FROM response_rows WHERE response_id = ?) AND stage = ?",
        (response, stage),
    )
    add_uses(db, response, stage, uses)


def add_uses(db: sqlite3.Connection, response: str, stage: str, uses: Iterable[Use]) -> None:
    """Add to what a stage used for a response."""
    db.executemany(
        "INSERT INTO use_rows (response, stage, role, key) VALUES "
        "((SELECT id FROM response_rows WHERE response_id = ?),?,?,?) ON CONFLICT DO NOTHING",
        [(response, stage, use.role, use.key) for use in uses],
    )


def response_of(row: tuple[Any, ...]) -> Response:
    """Return the response of a row of `RESPONSE_COLUMNS`."""
    return Response(
        id=row[0],
        case_id=row[1],
        arm=row[2],
        model=row[3],
        epoch=row[4],
        status=row[5],
        reason=row[6],
        finish=row[7],
        turns=read_json(row[8], tuple[Turn, ...]),
        artifacts=read_json(row[9], dict[str, Any]),
        usage=Usage(calls=row[10], tokens_in=row[11], tokens_out=row[12], cost_usd=row[13]),
        **({} if row[14] is None else dict(zip(_FOLLOWS, read_json(row[14], list[Any]), strict=True))),
    )


def settled(db: sqlite3.Connection, model: str, start: int, stop: int) -> set[tuple[str, str, int]]:
    """Return (case id, arm, epoch) of what needs no asking among the cases with `start <= ordinal < stop`."""
    rows = db.execute(
        "SELECT c.case_id, r.arm, r.epoch FROM cases c CROSS JOIN responses r ON r.case_id = c.case_id AND r.model = ? "
        "WHERE c.ordinal >= ? AND c.ordinal < ? AND r.status <> 'failed'",
        (model, start, stop),
    )
    return set(rows.fetchall())


def count_settled(db: sqlite3.Connection, model: str, arms: Sequence[str], epochs: int, n_cases: int) -> int:
    """Return how many responses of a model to the first `n_cases` cases need no asking."""
    marks = ",".join("?" * len(arms))
    (n,) = db.execute(
        "SELECT count(*) FROM cases c CROSS JOIN responses r ON r.case_id = c.case_id AND r.model = ? "  # noqa: S608
        f"WHERE c.ordinal < ? AND r.epoch < ? AND r.status <> 'failed' AND r.arm IN ({marks})",
        (model, n_cases, epochs, *arms),
    ).fetchone()
    return int(n)


def count_status(db: sqlite3.Connection) -> dict[str, int]:
    """Return how many responses there are of each status."""
    counts = "SELECT status, count(*) FROM responses WHERE model <> ? GROUP BY status"
    return dict(db.execute(counts, (CERTIFICATE,)).fetchall())


def models_seen(db: sqlite3.Connection) -> set[str]:
    """Return the models with at least one response; seeded statements are nobody's."""
    return {row[0] for row in db.execute("SELECT DISTINCT model FROM responses")} - {CERTIFICATE}


def import_responses(db: sqlite3.Connection, responses: Iterable[Response]) -> int:
    """Write answers made elsewhere as the rows that asking writes; all of them or none. Return how many were new.

    Raises:
        BadInput: a response names a case that the run does not hold, or contradicts one that is there.
    """
    new = 0
    for number, response in enumerate(responses, start=1):
        expected = response_id(response.model, response.case_id, response.arm, response.epoch)
        if response.model == CERTIFICATE:
            raise BadInput(
                f"response {number} is of {CERTIFICATE}, a name that is kept for seeded statements; rename it"
            )
        if response.id != expected:
            raise BadInput(
                f"response {number} has id {response.id}; expected {expected}, made of model, case, arm and epoch"
            )
        if db.execute("SELECT 1 FROM cases WHERE case_id = ?", (response.case_id,)).fetchone() is None:
            raise BadInput(
                f"response {number} answers case {response.case_id!r}, which is not among the cases; check the ids"
            )
        held = db.execute(
            "SELECT turns FROM responses WHERE response_id = ? AND status = 'done'", (expected,)
        ).fetchone()
        if held is None:
            put_response(db, response)
            new += 1
        elif held[0] != write_json(response.turns):
            raise BadInput(
                f"response {number} (case {response.case_id!r}, arm {response.arm!r}, model {response.model!r}) differs from "
                "the one that the run holds; import into a new folder, or give --epochs"
            )
    return new
