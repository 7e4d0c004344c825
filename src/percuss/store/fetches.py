"""Pages as they were sent, one row per attempt and none replaced; and the text that was read out of their bytes."""

import sqlite3
from typing import Any

from percuss.core.records import Blob, Record
from percuss.store.blobs import put_blob
from percuss.store.packed import read_json, write_json

__all__ = ["Extract", "Fetched", "find_extract", "latest_fetch", "list_fetches", "put_extract", "put_fetch"]

_COLUMNS = "key, url, final_url, status, media_type, date, etag, digest, failure, said, fetched_at"
_NAMES = tuple(_COLUMNS.split(", "))
_LATEST = f"SELECT {_COLUMNS} FROM fetches WHERE key = ? ORDER BY number DESC LIMIT 1"  # noqa: S608 - our own text


class Fetched(Record):
    """One attempt to fetch a page: exactly one of `digest` and `failure`.

    Args:
        key: what it is found by; url: as it was asked for; final_url: after redirects, empty where there was no answer.
        status, media_type, date, etag: as the server said; the type with its charset where that isn't UTF-8.
        digest: of the bytes as they were sent.
        failure: kind of it (timeout, dns, tls, refused, too_large, blocked, other); said: in a sentence.
        fetched_at: ISO 8601 in UTC.
    """

    key: str
    url: str
    final_url: str = ""
    status: int | None = None
    media_type: str = ""
    date: str = ""
    etag: str = ""
    digest: str | None = None
    failure: str | None = None
    said: str = ""
    fetched_at: str = ""


class Extract(Record):
    """The text of some bytes, as one extractor with its version and options read it.

    Args:
        pages: offset in the text at which each page begins; () where the bytes have no pages.
    """

    digest: str
    extractor: str
    version: str
    options: dict[str, Any] = {}
    text: str = ""
    pages: tuple[int, ...] = ()


def put_fetch(db: sqlite3.Connection, fetched: Fetched, blob: Blob | None = None) -> bool:
    """Append an attempt with its bytes, and say whether they are new; earlier attempts stay."""
    new = blob is not None and put_blob(db, blob)
    db.execute(
        f"INSERT INTO fetches ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608 - our own text
        tuple(getattr(fetched, name) for name in _NAMES),
    )
    return new


def list_fetches(db: sqlite3.Connection, key: str) -> tuple[Fetched, ...]:
    """Return all attempts of a key, the oldest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM fetches WHERE key = ? ORDER BY number",  # noqa: S608 - our own text
        (key,),
    )
    return tuple(map(_made, rows.fetchall()))


def latest_fetch(db: sqlite3.Connection, key: str) -> Fetched | None:
    """Return the newest attempt of a key, or None."""
    row = db.execute(_LATEST, (key,)).fetchone()  # asked before every page
    return None if row is None else _made(row)


def _made(row: tuple[Any, ...]) -> Fetched:
    return Fetched(**dict(zip(_NAMES, row, strict=True)))


def put_extract(db: sqlite3.Connection, extract: Extract) -> None:
    """Keep the text of some bytes; keeping it twice is the same as once."""
    db.execute(
        "INSERT OR IGNORE INTO extracts (digest, extractor, version, options, text, pages) VALUES (?,?,?,?,?,?)",
        (
            extract.digest,
            extract.extractor,
            extract.version,
            write_json(extract.options),
            extract.text,
            write_json(extract.pages),
        ),
    )


def find_extract(
    db: sqlite3.Connection, digest: str, extractor: str, version: str, options: dict[str, Any]
) -> Extract | None:
    """Return the text of some bytes by extractor, version and options, or None."""
    row = db.execute(
        "SELECT text, pages FROM extracts WHERE digest = ? AND extractor = ? AND version = ? AND options = ?",
        (digest, extractor, version, write_json(options)),
    ).fetchone()
    if row is None:
        return None
    pages = read_json(row[1], tuple[int, ...])
    return Extract(
        digest=digest, extractor=extractor, version=version, options=options, text=row[0], pages=pages
    )
