"""The ledger: who, when, what, previous value, reason. Append-only, each entry sealed with the hash of the one before.

Verification recomputes every hash, then replays the entries and compares the outcome with the tables, so that a label
changed behind the ledger's back is found as well as an entry that was changed, removed or put in.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from percuss.core.ids import canonical_json
from percuss.core.records import Record
from percuss.study.store.tables import assignments, consensus, items, labels, ledger, study

__all__ = ["Entry", "Verification", "append", "entries", "head", "items_digest", "now", "verify"]

GENESIS = "0" * 64
_HEAD = select(ledger.c.seq, ledger.c.hash).order_by(ledger.c.seq.desc()).limit(1)
_APPEND = insert(ledger)


class Entry(Record):
    """One entry; `who` is a person's code, never a name, so that names can be forgotten."""

    seq: int
    at: str
    who: str
    what: str
    subject: str
    value: Any
    previous: Any
    reason: str
    before: str
    hash: str


class Verification(Record):
    """What a verification found: `problems` is empty exactly when everything fits."""

    entries: int
    head: str
    at: str
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything fits."""
        return not self.problems


def now() -> str:
    """Return the time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _seal(
    seq: int, at: str, who: str, what: str, subject: str, value: str, previous: str, reason: str, before: str
) -> str:
    sealed = canonical_json([seq, at, who, what, subject, value, previous, reason, before])
    return hashlib.blake2b(sealed, digest_size=32).hexdigest()


def _text(value: Any) -> str:
    return canonical_json(value).decode()


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
) -> int:
    """Append an entry inside the writer's transaction and return its number."""
    last, before = head(connection)
    at, value_text, previous_text = now(), _text(value), _text(previous)
    seq = last + 1
    connection.execute(
        _APPEND,
        {
            "seq": seq,
            "at": at,
            "who": who,
            "what": what,
            "subject": subject,
            "value": value_text,
            "previous": previous_text,
            "reason": reason,
            "before": before,
            "hash": _seal(seq, at, who, what, subject, value_text, previous_text, reason, before),
        },
    )
    return seq


def entries(connection: Connection) -> Iterator[Entry]:
    """Yield all entries in order."""
    for row in connection.execute(select(ledger).order_by(ledger.c.seq)):
        fields = dict(row._mapping)
        yield Entry(
            **{
                **fields,
                "value": msgspec.json.decode(row.value),
                "previous": msgspec.json.decode(row.previous),
            }
        )


def items_digest(connection: Connection) -> str:
    """Return one hash over all items and who was to judge them in which order."""
    seal = hashlib.blake2b(digest_size=32)
    for row in connection.execute(select(items.c.id, items.c.body).order_by(items.c.id)):
        seal.update(canonical_json([row.id, row.body]))
    listed = select(
        assignments.c.token,
        assignments.c.rater,
        assignments.c.item,
        assignments.c.ordinal,
        assignments.c.again,
    )
    for slot in connection.execute(listed.order_by(assignments.c.token)):
        seal.update(canonical_json(list(slot)))
    return seal.hexdigest()


def _chain(connection: Connection, problems: list[str]) -> tuple[int, str]:
    expected, before = 1, GENESIS
    for row in connection.execute(select(ledger).order_by(ledger.c.seq)):
        if row.seq != expected:
            problems.append(f"entry {expected} is missing: the next one found is {row.seq}")
            expected = row.seq
        if row.before != before:
            problems.append(f"entry {row.seq} does not follow the entry before it")
        sealed = _seal(
            row.seq, row.at, row.who, row.what, row.subject, row.value, row.previous, row.reason, row.before
        )
        if sealed != row.hash:
            problems.append(f"entry {row.seq} ({row.what} by {row.who}) was changed after it was written")
        expected, before = row.seq + 1, row.hash
    return expected - 1, before


def _replayed(connection: Connection) -> tuple[dict[str, Any], dict[str, Any], str | None]:
    found: dict[str, Any] = {}
    agreed: dict[str, Any] = {}
    digest: str | None = None
    for row in connection.execute(
        select(ledger.c.what, ledger.c.subject, ledger.c.value).order_by(ledger.c.seq)
    ):
        if row.what in ("label", "imported"):
            found[row.subject] = msgspec.json.decode(row.value)
        elif row.what == "consensus":
            agreed[row.subject] = msgspec.json.decode(row.value)
        if row.what in ("created", "imported items"):
            digest = msgspec.json.decode(row.value).get("items_digest")
    return found, agreed, digest


def _compare(kind: str, replayed: dict[str, Any], stored: dict[str, Any], problems: list[str]) -> None:
    for subject in sorted(replayed.keys() | stored.keys()):
        if subject not in stored:
            problems.append(f"{kind} {subject} is in the ledger but not in the table")
        elif subject not in replayed:
            problems.append(f"{kind} {subject} is in the table but not in the ledger")
        elif replayed[subject] != stored[subject]:
            problems.append(f"{kind} {subject} in the table is not what the ledger says")


def verify(connection: Connection, *, expect: str | None = None) -> Verification:
    """Check the whole ledger and what it stands for.

    Args:
        connection: to the study's database.
        expect: hash of an earlier head that was written down elsewhere; it must still be in the chain, which finds a
            ledger that was cut off or rewritten as a whole.
    """
    problems: list[str] = []
    count, last = _chain(connection, problems)
    found, agreed, digest = _replayed(connection)
    rows = connection.execute(
        select(assignments.c.token, labels.c.body).join(labels, labels.c.assignment == assignments.c.id)
    )
    _compare("label", found, {row.token: msgspec.json.decode(row.body) for row in rows}, problems)
    both = connection.execute(
        select(items.c.item, consensus.c.body, consensus.c.reason).join(
            consensus, consensus.c.item == items.c.id
        )
    )
    stored = {row.item: {"given": msgspec.json.decode(row.body), "reason": row.reason} for row in both}
    _compare("consensus", agreed, stored, problems)
    if digest is not None and digest != items_digest(connection):
        problems.append("items or assignments are not those the study was made with")
    if expect is not None and not connection.scalar(
        select(func.count()).select_from(ledger).where(ledger.c.hash == expect)
    ):
        problems.append(f"the head {expect[:16]}.. that was written down is not in this ledger")
    if connection.scalar(select(func.count()).select_from(study)) == 0:
        problems.append("the table `study` is empty")
    return Verification(entries=count, head=last, at=now(), problems=tuple(problems))
