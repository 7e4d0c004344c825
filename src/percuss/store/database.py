"""Opening run.sqlite: permissions, WAL, network file systems, and every failure of the disk as one sentence."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from percuss.core.errors import RunError
from percuss.store import schema
from percuss.store.upgrade import upgrade, version_on_disk

__all__ = ["Database", "NotBegunError", "explained", "explanation", "on_network"]

T = TypeVar("T")
P = ParamSpec("P")

BUSY_TIMEOUT_S = 10.0

_NAMES = (
    "nfs nfs4 cifs smb2 smb3 smbfs ncpfs 9p afs ceph lustre gpfs beegfs glusterfs fuse.sshfs fuse.glusterfs "
    "fuse.s3fs fuse.rclone fuse.gcsfuse virtiofs vboxsf"
)
_NETWORK = frozenset(_NAMES.split())
"""File systems on which the shared memory of WAL can't be relied upon (sqlite.org/wal.html, section 2.1)."""

_SENTENCES = {
    sqlite3.SQLITE_FULL: "the disk is full while writing {path}; free some space and start the same command again",
    sqlite3.SQLITE_READONLY: "{path} cannot be written; make the folder writable or give --out another folder",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened; check that the folder exists and is yours to read and write",
    sqlite3.SQLITE_BUSY: "{path} is being written by another process; wait for it to end and try again",
    sqlite3.SQLITE_LOCKED: "{path} is being written by another process; wait for it to end and try again",
    sqlite3.SQLITE_NOTADB: "{path} is not a run of percuss; expected a folder with a run.sqlite made by percuss run",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged; restore the folder from a copy",
    sqlite3.SQLITE_IOERR: "{path} cannot be read or written (an error of the disk); check the disk and its free space",
}


def explanation(path: Path, error: sqlite3.Error | OSError) -> RunError:
    """Return a failure of SQLite or of the file system as one sentence."""
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return RunError(f"{path} cannot be used ({reason}); give --out a folder that you may write to")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    sentence = _SENTENCES.get(code, "{path} cannot be used (" + str(error) + "); run percuss verify on it")
    return RunError(sentence.format(path=path))


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn failures of SQLite and the file system into a `RunError` of one sentence; broken constraints pass."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except (sqlite3.Error, OSError) as error:
        raise explanation(path, error) from error


def on_network(folder: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Tell whether a folder lies on a network file system.

    Args:
        folder: an existing folder.
        mounts: the kernel's list of mounts; where it is missing (not Linux) the answer is no, and a WAL that SQLite
            refuses is caught when it is asked for.
    """
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    inside = folder.resolve()
    found: tuple[int, str] = (-1, "")
    for line in lines:
        fields = line.split(" ")
        point = Path(fields[1].replace("\\040", " "))
        if len(fields) > 2 and (inside == point or point in inside.parents):
            found = max(found, (len(point.parts), fields[2]))
    return found[1] in _NETWORK


class NotBegunError(RunError):
    """A file without tables: whoever made it was killed before they stood."""


class Database:
    """The connections of one run: one that writes, and one a thread that reads.

    On a network file system a single connection in `locking_mode=EXCLUSIVE` does both, in turns.

    Args:
        path: run.sqlite.
        writable: False opens it for reading only, also on read-only media, and never creates it.
        network: True, False, or None to find out.

    Raises:
        RunError: the file cannot be opened, is newer, or is no run.
    """

    def __init__(self, path: Path, *, writable: bool, network: bool | None = None) -> None:
        self.path = path
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._turn = threading.RLock()
        self.exclusive = False
        self.writer: sqlite3.Connection | None = None
        with explained(path):
            if writable:
                self._open_writer(on_network(path.parent) if network is None else network)
            else:
                self._open_reader()

    def _connect(self, mode: str) -> sqlite3.Connection:
        uri = f"{self.path.resolve().as_uri()}?{mode}"
        db = sqlite3.connect(
            uri,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_TIMEOUT_S,
            cached_statements=256,
        )
        self._opened.append(db)
        return db

    def _open_writer(self, network: bool) -> None:
        upgrade(self.path)
        # SQLite gives -wal and -shm the mode of the database file, so the file is made first, for its owner only.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        db = self._connect("mode=rw")
        schema.require_known(db, self.path)
        if not network:
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
            network = mode != "wal"
        if network:
            # Before WAL: then SQLite keeps the index in the heap and needs no shared memory.
            db.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
            db.execute("PRAGMA journal_mode = WAL").fetchone()
            self.exclusive = True
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        schema.migrate(db, self.path)
        self.writer = db

    def _open_reader(self) -> None:
        wal = self.path.with_name(self.path.name + "-wal")
        pending = wal.exists() and wal.stat().st_size > 0
        if 0 < version_on_disk(self.path) < schema.VERSION and not pending:
            # Nobody writes to it any more but through a copy; read so, not even -shm appears beside it.
            self._mode = "immutable=1"
        db = self._connect(self._mode)
        try:
            version = schema.require_known(db, self.path)
        except sqlite3.OperationalError:
            # A finished run on read-only media has nothing in -wal; SQLite then wants to be told that nobody writes.
            if not self.path.exists() or pending:
                raise
            db = self._connect("immutable=1")
            version = schema.require_known(db, self.path)
            self._mode = "immutable=1"
        if version == 0:
            raise NotBegunError(f"{self.path} holds no run yet; start it with percuss run")
        schema.stand_in(db, version)
        self._version = version
        self._local.db = db

    _mode = "mode=ro"
    _version = schema.VERSION

    def read(
        self, query: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a query on what is committed and return its result.

        Args:
            args: of the function.
            kwargs: of the function.
            query: gets a connection of this thread's, which it must not keep, and the other arguments.

        Raises:
            RunError: the file cannot be read.
        """
        try:
            if self.exclusive and self.writer is not None:
                with self._turn:
                    return query(self.writer, *args, **kwargs)
            db: sqlite3.Connection | None = getattr(self._local, "db", None)
            if db is None:
                db = self._connect(self._mode)
                schema.stand_in(db, self._version)
                self._local.db = db
            return query(db, *args, **kwargs)
        except sqlite3.Error as error:
            raise explanation(self.path, error) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend the writing connection for one transaction: all of it is on disk when the block ends, or none.

        Raises:
            RunError: the disk is full, the folder unwritable, or the run was opened for reading.
        """
        if self.writer is None:
            raise RunError(f"{self.path} was opened for reading; nothing can be written to it")
        with explained(self.path), self._turn:
            self.writer.execute("BEGIN IMMEDIATE")
            try:
                yield self.writer
                self.writer.execute("COMMIT")
            except BaseException:
                if self.writer.in_transaction:
                    self.writer.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close every connection; the last one folds the WAL into the file."""
        for db in reversed(self._opened):
            db.close()
        self._opened.clear()
        self.writer = None
