"""Cases in the order of their source, and the digest of a whole source."""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.ids import canonical_json, digest
from percuss.core.records import Blob, Case, Record
from percuss.store.blobs import get_blob, put_blob
from percuss.store.packed import read_json, write_json

__all__ = [
    "CaseSource",
    "Whole",
    "case_digest",
    "count_cases",
    "get_case",
    "put_cases",
    "read_cases",
    "survey",
]


class CaseSource(Record):
    """What a source of cases holds: how many, and the digest of the content of all of them, in order."""

    digest: str
    n: int


def case_digest(case: Case) -> str:
    """Return the digest of all that a case says; images count by their own digest."""
    blobs = [blob.digest for blob in case.blobs]
    return digest(canonical_json([case.id, case.cluster, case.stratum, case.payload, blobs]))


class Whole:
    """The digest of a source, growing case by case."""

    def __init__(self) -> None:
        self.n = 0
        self._content = hashlib.blake2b(digest_size=16)

    def add(self, digest: str) -> None:
        """Add the next case by its digest."""
        self.n += 1
        self._content.update(digest.encode())

    def source(self) -> CaseSource:
        """Return what has been added so far."""
        return CaseSource(digest=self._content.hexdigest(), n=self.n)


def survey(cases: Iterable[Case]) -> CaseSource:
    """Read a whole source once, without keeping it, so that bad input is found before anything is written.

    Raises:
        BadInput: the source is empty, or two cases share an id. What the source itself raises passes through.
    """
    whole = Whole()
    for case in _distinct(cases):
        whole.add(case_digest(case))
    if whole.n == 0:
        raise BadInput("the source holds no cases; expected at least one")
    return whole.source()


def _distinct(cases: Iterable[Case]) -> Iterator[Case]:
    seen: dict[bytes, int] = {}
    for number, case in enumerate(cases, start=1):
        name = hashlib.blake2b(case.id.encode(), digest_size=16).digest()
        if name in seen:
            raise BadInput(
                f"case id {case.id!r} stands twice (records {seen[name]} and {number}); every case needs an id of its own"
            )
        seen[name] = number
        yield case


def put_cases(db: sqlite3.Connection, cases: Iterable[Case], limit: int | None = None) -> int:
    """Write the first `limit` cases (None = all) that the run does not hold yet; return how many were new."""
    before = count_cases(db)
    for ordinal, case in enumerate(islice(_distinct(cases), limit)):
        if ordinal < before:
            continue
        for blob in case.blobs:
            put_blob(db, blob)
        blobs = write_json([blob.digest for blob in case.blobs])
        db.execute(
            "INSERT INTO cases (case_id, ordinal, cluster, stratum, payload, blobs, digest) VALUES (?,?,?,?,?,?,?)",
            (
                case.id,
                ordinal,
                case.cluster,
                case.stratum,
                write_json(case.payload),
                blobs,
                case_digest(case),
            ),
        )
    return count_cases(db) - before


def count_cases(db: sqlite3.Connection) -> int:
    """Return how many cases the run holds."""
    (n,) = db.execute("SELECT count(*) FROM cases").fetchone()
    return int(n)


def read_cases(db: sqlite3.Connection, start: int, stop: int) -> list[tuple[int, Case]]:
    """Return (ordinal, case) of the cases with `start <= ordinal < stop`, in order, with the bytes of their images."""
    rows = db.execute(
        "SELECT ordinal, case_id, cluster, stratum, payload, blobs FROM cases "
        "WHERE ordinal >= ? AND ordinal < ? ORDER BY ordinal",
        (start, stop),
    ).fetchall()
    return [(row[0], _case(db, row[1:])) for row in rows]


def get_case(db: sqlite3.Connection, case_id: str) -> Case:
    """Return one case.

    Raises:
        KeyError: the run holds no such case.
    """
    row = db.execute(
        "SELECT case_id, cluster, stratum, payload, blobs FROM cases WHERE case_id = ?", (case_id,)
    ).fetchone()
    if row is None:
        raise KeyError(case_id)
    return _case(db, row)


def _case(db: sqlite3.Connection, row: tuple[str, str, str, str, str]) -> Case:
    case_id, cluster, stratum, payload, digests = row
    blobs: tuple[Blob, ...] = tuple(get_blob(db, digest) for digest in read_json(digests, list[str]))
    fields: dict[str, Any] = read_json(payload, dict[str, Any])
    return Case(id=case_id, cluster=cluster, stratum=stratum, payload=fields, blobs=blobs)
