"""What was made by anything but a model's call, by the key of what it depends on."""

import sqlite3

from percuss.core.records import Blob
from percuss.store.blobs import put_blob
from percuss.store.scorings import now

__all__ = ["find_made", "put_made"]


def put_made(db: sqlite3.Connection, key: str, kind: str, blob: Blob) -> None:
    """Keep what was made; keeping it twice is the same as once."""
    put_blob(db, blob)
    db.execute(
        "INSERT OR IGNORE INTO made (key, kind, digest, made_at) VALUES (?,?,?,?)",
        (key, kind, blob.digest, now()),
    )


def find_made(db: sqlite3.Connection, key: str) -> bytes | None:
    """Return what was made under a key, or None."""
    row = db.execute(
        "SELECT b.data FROM made m JOIN blobs b ON b.digest = m.digest WHERE m.key = ?", (key,)
    ).fetchone()
    return None if row is None else bytes(row[0])
