"""The ledger: who, when, what. Append-only; each entry is sealed with the hash of the one before and signed.

An entry holds a salted digest of its content (value, previous value, reason), the content lies beside it. So what somebody
said can be withdrawn, content and salt, and the chain still verifies; anything else that is missing or changed is found.
"""

import hashlib
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Insert, insert, select

from percuss.core.ids import canonical_json
from percuss.core.records import Record
from percuss.study.store.tables import assignments, blobs, contents, items, ledger

__all__ = [
    "LABELS",
    "Appended",
    "Entry",
    "Held",
    "append",
    "digest_of",
    "entries",
    "flush",
    "head",
    "items_digest",
    "now",
    "put",
    "seal",
]

GENESIS = "0" * 64
LABELS = ("label", "revised", "repeat", "imported")
"""Kinds of entry that hold what somebody said of an item: first, revised, of a hidden repeat, made elsewhere."""
_HEAD = select(ledger.c.seq, ledger.c.hash, ledger.c.at).order_by(ledger.c.seq.desc()).limit(1)
_APPEND, _CONTENT = insert(ledger), insert(contents)


class Appended(NamedTuple):
    """Number and time of a new entry."""

    seq: int
    at: str


class Entry(Record):
    """One entry; `who` is a person's code, never a name. `gone`: its content was withdrawn."""

    seq: int
    at: str
    who: str
    what: str
    subject: str
    value: Any
    previous: Any
    reason: str
    digest: str
    before: str
    hash: str
    signature: str
    gone: bool = False


class Held:
    """What a writer who holds the ledger alone keeps for one transaction, in its connection's option `held`.

    `together`: rows of jobs that only add go out together, by `flush`, in one round trip. `last`: number, hash and time of the
    ledger's last entry, None until it is read. `known`: what was asked for all jobs of a batch at once, by key.
    """

    def __init__(self) -> None:
        self.together = False
        self.last: tuple[int, str, str] | None = None
        self.rows: dict[Insert, list[dict[str, Any]]] = {}
        self.known: dict[str, Any] = {}


def put(connection: Connection, statement: Insert, row: dict[str, Any]) -> None:
    """Insert a row: now, or with those of other jobs where the writer holds rows back."""
    held: Held | None = connection.get_execution_options().get("held")
    if held is not None and held.together:
        held.rows.setdefault(statement, []).append(row)
    else:
        connection.execute(statement, row)


def flush(connection: Connection) -> None:
    """Insert what is held back, in the order in which it began to be."""
    held: Held | None = connection.get_execution_options().get("held")
    if held is None:
        return
    rows, held.rows = held.rows, {}
    for statement, listed in rows.items():
        connection.execute(statement, listed)


def now() -> str:
    """Return the time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def digest_of(salt: str, body: str) -> str:
    """Return the digest of a content under its salt."""
    return hashlib.blake2b(f"{salt}\0{body}".encode(), digest_size=32).hexdigest()


def seal(seq: int, at: str, who: str, what: str, subject: str, digest: str, before: str) -> str:
    """Return the hash of an entry."""
    sealed = canonical_json([seq, at, who, what, subject, digest, before])
    return hashlib.blake2b(sealed, digest_size=32).hexdigest()


def head(connection: Connection) -> tuple[int, str]:
    """Return number and hash of the last entry; (0, zeros) of an empty ledger."""
    row = connection.execute(_HEAD).first()
    return (0, GENESIS) if row is None else (row.seq, row.hash)


def append(
    connection: Connection,
    who: str,
    what: str,
    subject: str,
    value: Any,
    *,
    previous: Any = None,
    reason: str = "",
) -> Appended:
    """Append an entry inside the writer's transaction and return its number and time.

    A writer that holds the ledger alone keeps the last entry, and perhaps the rows, in its connection's option `held`.
    Time never runs backwards in the ledger: a clock that was set back gives the time of the entry before.
    """
    options = connection.get_execution_options()
    held: Held | None = options.get("held")
    last = held.last if held is not None and held.last else connection.execute(_HEAD).first()
    seq, before, earliest = (1, GENESIS, "") if last is None else (last[0] + 1, last[1], last[2])
    at, salt = max(now(), earliest), secrets.token_hex(16)
    body = canonical_json({"value": value, "previous": previous, "reason": reason}).decode()
    digest = digest_of(salt, body)
    sealed = seal(seq, at, who, what, subject, digest, before)
    signer = options.get("signer")
    row = {"seq": seq, "at": at, "who": who, "what": what, "subject": subject, "digest": digest}
    signature = signer.sign(sealed) if signer is not None else ""
    put(connection, _APPEND, {**row, "before": before, "hash": sealed, "signature": signature})
    put(connection, _CONTENT, {"seq": seq, "salt": salt, "body": body})
    if held is not None:
        held.last = (seq, sealed, at)
    return Appended(seq, at)


def entries(connection: Connection) -> Iterator[Entry]:
    """Yield all entries in order."""
    query = select(ledger, contents.c.body).outerjoin(contents, contents.c.seq == ledger.c.seq)
    for row in connection.execute(query.order_by(ledger.c.seq)):
        fields = dict(row._mapping)
        body = fields.pop("body")
        content = (
            {"value": None, "previous": None, "reason": ""} if body is None else msgspec.json.decode(body)
        )
        yield Entry(**fields, **content, gone=body is None)


def items_digest(connection: Connection) -> str:
    """Return one hash over all items, all pictures, and who is to judge what in which order."""
    sealed = hashlib.blake2b(digest_size=32)
    for row in connection.execute(select(items.c.id, items.c.body).order_by(items.c.id)):
        sealed.update(canonical_json([row.id, row.body]))
    for row in connection.execute(select(blobs.c.digest, blobs.c.data).order_by(blobs.c.digest)):
        sealed.update(canonical_json([row.digest, hashlib.blake2b(row.data, digest_size=32).hexdigest()]))
    listed = select(
        assignments.c.token,
        assignments.c.rater,
        assignments.c.item,
        assignments.c.ordinal,
        assignments.c.again,
    )
    for slot in connection.execute(listed.order_by(assignments.c.token)):
        sealed.update(canonical_json(list(slot)))
    return sealed.hexdigest()
