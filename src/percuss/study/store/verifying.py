"""Verify a ledger with the public key alone, and hold the tables against what it says."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from percuss.core.records import Record
from percuss.study.saying import Said
from percuss.study.store.accounts import accounts_of
from percuss.study.store.ledger import (
    GENESIS,
    LABELS,
    Entry,
    digest_of,
    entries,
    items_digest,
    now,
    seal,
)
from percuss.study.store.signing import fingerprint, signed_by
from percuss.study.store.tables import assignments, consensus, contents, items, labels, ledger, people, study

__all__ = ["Verification", "attested", "verify"]


BESIDE = (
    "app",
    "source",
    "at",
)  # what an entry says beside the answer: release, or where and when it was copied from


class Verification(Record):
    """What a verification found: `said` is empty exactly when everything fits."""

    entries: int
    head: str
    at: str
    key: str = ""
    said: tuple[Said, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What doesn't fit, in English."""
        return tuple(str(one) for one in self.said)

    @property
    def ok(self) -> bool:
        """Whether everything fits."""
        return not self.said


class _Told:
    """What the entries say the tables must hold, replayed in order."""

    def __init__(self) -> None:
        self.labels: dict[str, dict[str, Any]] = {}
        self.settled: dict[str, dict[str, Any]] = {}
        self.people: dict[str, str] = {}
        self.consented: dict[str, str] = {}
        self.accounts: dict[str, str | None] = {}  # digest; None: of a release that sealed none
        self.invitations: dict[str, int] = {}
        self.copied = False  # from 0.1, whose accounts and links are older than the ledger
        self.withdrawn: set[int] = set()
        self.values: dict[str, str] = {}
        self.items: str | None = None

    def take(self, entry: Entry) -> None:
        """Replay one entry; of a content that is gone only the withdrawal counts, which follows."""
        value = entry.value
        if entry.what in LABELS and value is not None:
            given = {name: part for name, part in value.items() if name not in BESIDE}
            before = {"first": given, "revision": -1 if "source" in value else 0}
            one = self.labels.setdefault(entry.subject, before)
            at = value.get("at", entry.at)
            one.update(last=given, revision=one["revision"] + 1, saved_at=at, seq=entry.seq)
        elif entry.what == "consensus" and value is not None:
            settled = {name: part for name, part in value.items() if name not in BESIDE}
            at = value.get("at", entry.at)
            self.settled[entry.subject] = {**settled, "adjudicator": entry.who, "saved_at": at}
        elif entry.what == "joined":
            self.consented[entry.subject] = (value or {}).get("at", entry.at)
        elif entry.what == "withdrawn":
            self.withdrawn |= set(value["contents"])
            self.consented.pop(entry.subject, None)
        elif entry.what == "invited again":
            self.consented.pop(entry.subject, None)
        for token in (value or {}).get("set_aside", ()) if isinstance(value, dict) else ():
            self.labels.pop(token, None)
        for item in (value or {}).get("unsettled", ()) if isinstance(value, dict) else ():
            self.settled.pop(item, None)
        self._keep_account(entry.what, entry.subject, value if isinstance(value, dict) else {})
        if isinstance(value, dict):
            self._keep(entry.what, value)

    def _keep_account(self, what: str, subject: str, value: dict[str, Any]) -> None:
        if what in ("joined", "password changed", "second factor"):
            self.accounts[subject] = value.get("account")
        gone = value.get("replaces", "") if what == "assigned" else subject
        if what in ("invited again", "withdrawn") or (what == "assigned" and gone):
            self.accounts.pop(gone, None)
            self.invitations[gone] = value.get("invitation", self.invitations.get(gone, 1) + 1)
        elif what == "forgotten":
            self.accounts.clear()
            self.invitations = {code: number + 1 for code, number in self.invitations.items()}

    def _keep(self, what: str, value: dict[str, Any]) -> None:
        self.copied |= what == "created" and "source" in value
        for code in value.get("people") or {}:
            self.invitations.setdefault(code, 1)
        self.people.update(value.get("people") or {})
        self.items = value.get("items_digest", self.items)
        if what in ("created", "state"):
            self.values.update({name: value[name] for name in ("design", "state") if name in value})


def attested(connection: Connection, value: dict[str, Any]) -> dict[str, Any]:
    """Return an entry's value with the digest of items, pictures and assignments as they are now."""
    return {**value, "items_digest": items_digest(connection)}


def _problem(sentence: str, **values: Any) -> Said:
    return Said(sentence=sentence, values={name: str(value) for name, value in values.items()})


def _entry_problems(entry: Entry, expected: int, before: str, at: str, key: str) -> list[Said]:
    named = {"n": entry.seq, "what": entry.what, "who": entry.who}
    sealed = seal(entry.seq, entry.at, entry.who, entry.what, entry.subject, entry.digest, entry.before)
    found = []
    if entry.seq != expected:
        found.append(
            _problem("entry {n} is missing: the next one found is {next}", n=expected, next=entry.seq)
        )
    if entry.before != before:
        found.append(_problem("entry {n} does not follow the entry before it", n=entry.seq))
    if sealed != entry.hash:
        found.append(_problem("entry {n} ({what} by {who}) was changed after it was written", **named))
    if not signed_by(key, entry.hash, entry.signature):
        found.append(_problem("entry {n} ({what} by {who}) is not signed with the study's key", **named))
    if entry.at < at:
        found.append(_problem("entry {n} ({what} by {who}) is earlier than the entry before it", **named))
    return found


def _chain(connection: Connection, key: str, problems: list[Said]) -> tuple[_Told, int, str]:
    told, expected, before, at = _Told(), 1, GENESIS, ""
    salted = {row.seq: row for row in connection.execute(select(contents))}
    gone: list[Entry] = []
    for entry in entries(connection):
        problems += _entry_problems(entry, expected, before, at, key)
        content = salted.get(entry.seq)
        if content is None:
            gone.append(entry)
        elif digest_of(content.salt, content.body) != entry.digest:
            sentence = "the content of entry {n} ({what} by {who}) was changed after it was written"
            problems.append(_problem(sentence, n=entry.seq, what=entry.what, who=entry.who))
        told.take(entry)
        expected, before, at = entry.seq + 1, entry.hash, entry.at
    sentence = "the content of entry {n} ({what} by {who}) is gone, and nobody withdrew it"
    problems += [
        _problem(sentence, n=entry.seq, what=entry.what, who=entry.who)
        for entry in gone
        if entry.seq not in told.withdrawn
    ]
    for seq in sorted(told.withdrawn & salted.keys()):
        problems.append(_problem("the content of entry {n} was withdrawn and is still there", n=seq))
    return told, expected - 1, before


def _compare(kind: str, replayed: dict[str, Any], stored: dict[str, Any], problems: list[Said]) -> None:
    for subject in sorted(replayed.keys() | stored.keys()):
        if subject not in stored:
            sentence = "{kind} {subject} is in the ledger but not in the table"
        elif subject not in replayed:
            sentence = "{kind} {subject} is in the table but not in the ledger"
        elif replayed[subject] != stored[subject]:
            sentence = "{kind} {subject} in the table is not what the ledger says"
        else:
            continue
        problems.append(_problem(sentence, kind=kind, subject=subject))


def _tables(connection: Connection, told: _Told, problems: list[Said]) -> None:
    rows = connection.execute(
        select(assignments.c.token, labels).join(labels, labels.c.assignment == assignments.c.id)
    )
    decode = msgspec.json.decode
    stored = {
        row.token: {
            "first": decode(row.first),
            "last": decode(row.body),
            "revision": row.revision,
            "saved_at": row.saved_at,
            "seq": row.seq,
        }
        for row in rows
    }
    _compare("label", told.labels, stored, problems)
    of = items.c.body.label("of")  # its id is what the digest of items covers; the column beside it is not
    both = connection.execute(select(of, consensus).join(consensus, consensus.c.item == items.c.id))
    settled = {
        decode(row.of)["id"]: {
            "given": decode(row.body),
            "reason": row.reason,
            "adjudicator": row.adjudicator,
            "saved_at": row.saved_at,
            **({"beside": row.beside} if row.beside else {}),
        }
        for row in both
    }
    _compare("consensus", told.settled, settled, problems)
    listed = list(connection.execute(select(people.c.code, people.c.role, people.c.consented_at)))
    _compare("role of", told.people, {row.code: row.role for row in listed}, problems)
    consented = {row.code: row.consented_at for row in listed if row.consented_at is not None}
    _compare("consent of", told.consented, consented, problems)


def _accounts(connection: Connection, told: _Told, values: dict[str, str], problems: list[Said]) -> None:
    """Hold what people sign in with, and which invitation is theirs, against the ledger."""
    known = {code: digest for code, digest in told.accounts.items() if digest is not None}
    unknown = told.accounts.keys() - known.keys()
    stored = accounts_of(connection, values)
    if told.copied:  # accounts and links of 0.1 are older than the ledger
        unknown |= stored.keys() - known.keys()
    _compare("account of", known, {c: d for c, d in stored.items() if c not in unknown}, problems)
    if told.copied:
        return
    numbers = {row.code: row.invitation for row in connection.execute(select(people))}
    listed = {code: number for code, number in numbers.items() if code in told.invitations}
    _compare("invitation of", told.invitations, listed, problems)


def verify(
    connection: Connection,
    *,
    key: str | None = None,
    expect: str | Sequence[str] = (),
    accounts: bool = True,
) -> Verification:
    """Check the whole ledger and what it stands for.

    Args:
        connection: to the study's database.
        key: public key, 64 hex digits, from a file outside the database; None takes the one in the database, which finds
            everything but the work of somebody who has replaced that one too.
        expect: hashes of earlier heads that were written down elsewhere; each must still be in the chain, which finds a
            ledger that was cut off.
        accounts: False where the database is a copy without them.
    """
    problems: list[Said] = []
    values = {row.key: row.value for row in connection.execute(select(study))}
    inside = values.get("ledger_key", "")
    if key is not None and key != inside:
        sentence = "the database names the key {inside}, the study was signed with {key}"
        problems.append(_problem(sentence, inside=fingerprint(inside), key=fingerprint(key)))
    told, count, last = _chain(connection, key or inside, problems)
    _tables(connection, told, problems)
    if accounts:
        _accounts(connection, told, values, problems)
    if told.items != items_digest(connection):
        problems.append(_problem("items, pictures or assignments are not those the study was made with"))
    for name, value in told.values.items():
        if values.get(name) != value:
            problems.append(
                _problem("{what} of the study in the table is not what the ledger says", what=name)
            )
    known = set(connection.scalars(select(ledger.c.hash)))
    heads = (expect,) if isinstance(expect, str) else expect
    problems += [
        _problem("the head {head}.. that was written down is not in this ledger", head=hash_[:16])
        for hash_ in heads
        if hash_ not in known
    ]
    if not values:
        problems.append(_problem("the table `study` is empty"))
    return Verification(
        entries=count, head=last, at=now(), key=fingerprint(key or inside), said=tuple(problems)
    )
