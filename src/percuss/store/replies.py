"""The cache across runs: one file of replies by the key of their call, with the time at which each was made.

The request is never in it: whoever has the file learns what was answered, and of what only who can make the same key.
"""

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from percuss.core.errors import RunError, UsageError
from percuss.core.ids import canonical_json
from percuss.core.records import Record, Reply
from percuss.store.packed import pack, unpack

__all__ = ["KeptReply", "Replies", "RepliesOf"]

_APPLICATION = 0x50524352
"""`PRAGMA application_id` of such a file ("PRCR")."""
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
  key TEXT PRIMARY KEY, model TEXT NOT NULL, reply BLOB NOT NULL, made_at TEXT NOT NULL
) STRICT, WITHOUT ROWID
"""
_REPLY = msgspec.json.Decoder(Reply)


class KeptReply(Record):
    """A reply, and the UTC time at which it was made."""

    reply: Reply
    made_at: str


class RepliesOf(Record):
    """What the cache holds of one model: how many replies, the bytes they take, the oldest and the newest time."""

    model: str
    replies: int
    size: int
    oldest: str
    newest: str


class Replies:
    """The file of the cache, readable and writable by its owner alone; made when it is first written to.

    Args:
        path: where it is.

    Raises:
        UsageError: another file is there.
        RunError: it cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def find(self, key: str) -> KeptReply | None:
        """Return the reply of a key, or None."""
        with self._opened() as db:
            row = db.execute("SELECT reply, made_at FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else KeptReply(reply=_REPLY.decode(unpack(row[0])), made_at=row[1])

    def keep(self, key: str, model: str, reply: Reply, made_at: str) -> None:
        """Keep a reply; the newest of a key wins.

        Args:
            key: of the call. model: its id. reply: as it came. made_at: UTC time, ISO 8601.
        """
        with self._opened() as db:
            db.execute(
                "INSERT OR REPLACE INTO replies (key, model, reply, made_at) VALUES (?,?,?,?)",
                (key, model, pack(canonical_json(reply)), made_at),
            )

    def drop(self, keys: Iterable[str]) -> int:
        """Forget some keys, and return how many there were."""
        if not self.path.exists():
            return 0
        with self._opened() as db:
            return sum(db.execute("DELETE FROM replies WHERE key = ?", (key,)).rowcount for key in keys)

    def clear(self, model: str | None = None, older_than_days: float | None = None) -> int:
        """Forget all replies, those of a model, or those older than some days; return how many.

        Args:
            model: its id; None means every model. older_than_days: None means any age.
        """
        if not self.path.exists():
            return 0
        until = "9" if older_than_days is None else _ago(older_than_days)
        with self._opened() as db:
            gone = db.execute(
                "DELETE FROM replies WHERE (? IS NULL OR model = ?) AND made_at < ?", (model, model, until)
            ).rowcount
        with self._opened() as db:
            db.execute("VACUUM")
        return gone

    def held(self) -> tuple[RepliesOf, ...]:
        """Return what the file holds, by model; nothing where there is no file."""
        if not self.path.exists():
            return ()
        with self._opened() as db:
            rows = db.execute(
                "SELECT model, count(*), sum(length(reply)), min(made_at), max(made_at) FROM replies "
                "GROUP BY model ORDER BY model"
            ).fetchall()
        return tuple(
            RepliesOf(model=model, replies=n, size=size, oldest=oldest, newest=newest)
            for model, n, size, oldest, newest in rows
        )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                if self._db is None:
                    self._db = self._open()
                yield self._db
            except (sqlite3.Error, OSError) as error:
                raise RunError(
                    f"the cache {self.path} cannot be used ({error}); name another file with --cache FILE, or leave it out"
                ) from error

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self.path.chmod(0o600)
        db = sqlite3.connect(self.path, timeout=30.0, isolation_level=None, check_same_thread=False)
        try:
            (application,) = db.execute("PRAGMA application_id").fetchone()
            (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.DatabaseError:
            application, tables = 0, 1
        if application != _APPLICATION and tables:
            db.close()
            raise UsageError(f"{self.path} is no cache of replies; name another file with --cache FILE")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute(_TABLE)
        return db


def _ago(days: float) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
