"""What was sent and what came back: every call of a run beside the answer or check that it was made for."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from percuss.core.records import Record, Reply
from percuss.store.dictionaries import unpack_call
from percuss.store.packed import read_json

__all__ = ["CACHED", "Sent", "cached", "count_sent", "keys_asked", "sent"]

CACHED = 0
"""Attempts of a call that the cache across runs answered: none was made."""
_REPLY = msgspec.json.Decoder(Reply)

_QUERY = """
SELECT u.response_id, r.case_id, r.arm, r.model, r.epoch, u.stage, u.role, c.key, c.model, c.request, c.reply, c.failure,
  c.tokens_in, c.tokens_out, c.cost_usd, c.latency_s, c.attempts, c.finished_at,
  (SELECT group_concat(DISTINCT v.subject) FROM verdicts v
    WHERE v.scoring = ? AND v.call = c.key AND v.response_id = u.response_id)
FROM uses u JOIN calls c ON c.key = u.key JOIN responses r ON r.response_id = u.response_id
JOIN cases k ON k.case_id = r.case_id
WHERE r.model <> ? AND (? IS NULL OR u.stage = ?)
ORDER BY r.model, k.ordinal, r.arm, r.epoch, u.stage, c.finished_at, c.key
"""


class Sent(Record):
    """One call, as it was used for one answer.

    Args:
        response_id, case_id, arm, model, epoch: the answer; stage: `ask`, or `check` (the latest).
        role: who played, and played_by: which model. key: of the call in the journal.
        subjects: ids of claims (or of the answer) whose verdicts the call made.
        request: as the journal keeps it: model, pin, epoch and the request that the model saw. reply, failure: one of them.
        latency_s: seconds of the attempt that answered. attempts: in all; 0: the cache across runs answered.
        finished_at: UTC time at which the reply was made.
    """

    response_id: str
    case_id: str
    arm: str
    model: str
    epoch: int
    stage: str
    role: str
    key: str
    played_by: str
    request: dict[str, Any]
    reply: Reply | None
    failure: tuple[str, str] | None
    tokens_in: int
    tokens_out: int
    cost_usd: float
    latency_s: float
    attempts: int
    finished_at: str
    subjects: tuple[str, ...] = ()


def sent(db: sqlite3.Connection, scoring: str, hidden: str, stage: str | None = None) -> Iterator[Sent]:
    """Yield the calls of asking and of the latest check, by model, case, arm and epoch.

    Args:
        db: connection to the run. scoring: whose verdicts name their calls. hidden: model whose responses are no answers.
        stage: ask or check; None: both.
    """
    for row in db.execute(_QUERY, (scoring, hidden, stage, stage)):
        (
            answer,
            case,
            arm,
            model,
            epoch,
            stage,
            role,
            key,
            played_by,
            request,
            reply,
            failure,
            *numbers,
            subjects,
        ) = row
        tokens_in, tokens_out, cost_usd, latency_s, attempts, finished_at = numbers
        yield Sent(
            response_id=answer, case_id=case, arm=arm, model=model, epoch=epoch, stage=stage, role=role, key=key,
            played_by=played_by, request=msgspec.json.decode(unpack_call(db, request)),
            reply=None if reply is None else _REPLY.decode(unpack_call(db, reply)),
            failure=None if failure is None else read_json(failure, tuple[str, str]),
            tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=cost_usd, latency_s=latency_s, attempts=attempts,
            finished_at=finished_at, subjects=tuple(sorted((subjects or "").split(","))) if subjects else (),
        )  # fmt: skip


def cached(db: sqlite3.Connection) -> tuple[int, str]:
    """Return how many calls of a run the cache across runs answered, and when the oldest of these replies was made."""
    count, oldest = db.execute(
        "SELECT count(*), coalesce(min(finished_at), '') FROM calls WHERE attempts = ?", (CACHED,)
    ).fetchone()
    return int(count), str(oldest)


def keys_asked(db: sqlite3.Connection) -> list[str]:
    """Return the keys of all calls of a run."""
    return [key for (key,) in db.execute("SELECT key FROM calls")]


def count_sent(db: sqlite3.Connection, hidden: str) -> int:
    """Return how many calls stand beside answers, as `sent` yields them.

    Args:
        db: connection to the run. hidden: model whose responses are no answers.
    """
    query = "SELECT count(*) FROM uses u JOIN responses r ON r.response_id = u.response_id WHERE r.model <> ?"
    return int(db.execute(query, (hidden,)).fetchone()[0])
