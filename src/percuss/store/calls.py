"""Rows of the journal: finished calls, and pages fetched or searched alike."""

import sqlite3
from typing import Any

import msgspec

from percuss.core.errors import BadRequest, ModelError, Refused
from percuss.core.ids import canonical_json
from percuss.core.records import Blob, Record, Reply
from percuss.store.blobs import get_blob, put_blob
from percuss.store.dictionaries import pack_call, unpack_call
from percuss.store.packed import read_json, write_json

__all__ = ["Call", "Page", "find_call", "find_page", "put_call", "put_page", "spent"]

_TERMINAL: dict[str, type[ModelError]] = {"refused": Refused, "bad_request": BadRequest}
_REPLY = msgspec.json.Decoder(Reply)


class Call(Record):
    """A finished call: exactly one of `reply` and `failure` ((kind, message); kind `refused` or `bad_request`)."""

    key: str
    model: str
    epoch: int
    request: bytes
    reply: Reply | None = None
    failure: tuple[str, str] | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    latency_s: float = 0.0
    attempts: int = 1
    finished_at: str = ""

    def outcome(self) -> Reply:
        """Return the reply, or raise the failure that was recorded.

        Raises:
            Refused, BadRequest: as the provider answered then.
        """
        if self.reply is not None:
            return self.reply
        kind, message = self.failure or ("bad_request", "the call failed")
        raise _TERMINAL[kind](message)

    @staticmethod
    def kind(error: ModelError) -> str | None:
        """Return the name of a terminal failure; None for one that is asked again and is no row."""
        return next((kind for kind, known in _TERMINAL.items() if isinstance(error, known)), None)


def put_call(db: sqlite3.Connection, call: Call) -> None:
    """Write a finished call; the row of a failure may be replaced by that of a later success."""
    reply = call.reply
    packed = pack_call(db, call.model, call.request, None if reply is None else canonical_json(reply))
    db.execute(
        "INSERT INTO calls (key, model, epoch, request, reply, failure, served_model, fingerprint, tokens_in, "
        "tokens_out, cost_usd, latency_s, attempts, finished_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
        "ON CONFLICT (key) DO UPDATE SET reply = excluded.reply, failure = excluded.failure, "
        "served_model = excluded.served_model, fingerprint = excluded.fingerprint, tokens_in = excluded.tokens_in, "
        "tokens_out = excluded.tokens_out, cost_usd = excluded.cost_usd, latency_s = excluded.latency_s, "
        "attempts = excluded.attempts, finished_at = excluded.finished_at WHERE calls.reply IS NULL",
        (
            call.key,
            call.model,
            call.epoch,
            *packed,
            None if call.failure is None else write_json(call.failure),
            "" if reply is None else reply.served_model,
            "" if reply is None else reply.fingerprint,
            call.tokens_in,
            call.tokens_out,
            call.cost_usd,
            call.latency_s,
            call.attempts,
            call.finished_at,
        ),
    )


def find_call(db: sqlite3.Connection, key: str) -> Call | None:
    """Return the finished call of a key without its request, or None."""
    row = db.execute(
        "SELECT model, epoch, reply, failure, tokens_in, tokens_out, cost_usd, latency_s FROM calls WHERE key = ?",
        (key,),
    ).fetchone()
    if row is None:
        return None
    model, epoch, reply, failure, tokens_in, tokens_out, cost_usd, latency_s = row
    return Call(
        key=key,
        model=model,
        epoch=epoch,
        request=b"",
        reply=None if reply is None else _REPLY.decode(unpack_call(db, reply)),
        failure=None if failure is None else read_json(failure, tuple[str, str]),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=cost_usd,
        latency_s=latency_s,
    )


def spent(db: sqlite3.Connection) -> dict[str, Any]:
    """Return calls, tokens and USD of the whole run, each call counted once."""
    row = db.execute(
        "SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), coalesce(sum(cost_usd), 0.0) FROM calls"
    ).fetchone()
    return dict(zip(("calls", "tokens_in", "tokens_out", "cost_usd"), row, strict=True))


class Page(Record):
    """A fetched document or a search's results: exactly one of `blob` and `failure`. `status` is HTTP's, where known."""

    key: str
    url: str
    status: int | None = None
    blob: Blob | None = None
    failure: str | None = None
    fetched_at: str = ""


def put_page(db: sqlite3.Connection, page: Page) -> None:
    """Write a page and its bytes; the newest wins."""
    if page.blob is not None:
        put_blob(db, page.blob)
    db.execute(
        "INSERT OR REPLACE INTO pages (key, url, status, digest, failure, fetched_at) VALUES (?,?,?,?,?,?)",
        (page.key, page.url, page.status, page.blob and page.blob.digest, page.failure, page.fetched_at),
    )


def find_page(db: sqlite3.Connection, key: str) -> Page | None:
    """Return the page of a key, or None."""
    row = db.execute(
        "SELECT url, status, digest, failure, fetched_at FROM pages WHERE key = ?", (key,)
    ).fetchone()
    if row is None:
        return None
    url, status, digest, failure, fetched_at = row
    blob = None if digest is None else get_blob(db, digest)
    return Page(key=key, url=url, status=status, blob=blob, failure=failure, fetched_at=fetched_at)
