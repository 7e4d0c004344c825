"""Bytes by content digest: images of cases and poses, fetched pages."""

import sqlite3

from percuss.core.records import Blob

__all__ = ["get_blob", "has_blob", "put_blob"]


def put_blob(db: sqlite3.Connection, blob: Blob) -> bool:
    """Keep a blob, and say whether it is new; keeping it twice is the same as once."""
    made = db.execute(
        "INSERT OR IGNORE INTO blobs (digest, media_type, data) VALUES (?,?,?)",
        (blob.digest, blob.media_type, blob.data),
    )
    return made.rowcount == 1


def get_blob(db: sqlite3.Connection, digest: str) -> Blob:
    """Return the blob of a digest.

    Raises:
        KeyError: there is none.
    """
    row = db.execute("SELECT media_type, data FROM blobs WHERE digest = ?", (digest,)).fetchone()
    if row is None:
        raise KeyError(digest)
    return Blob(digest=digest, media_type=row[0], data=row[1])


def has_blob(db: sqlite3.Connection, digest: str) -> bool:
    """Tell whether a blob is kept."""
    return db.execute("SELECT 1 FROM blobs WHERE digest = ?", (digest,)).fetchone() is not None
