"""A run folder of an older version: read as it is, and brought to the current version in a copy when it is written to.

The copy is made, migrated and on disk before it takes the place of the old file, which stays beside it as `.v<its version>`. Whoever
is killed or runs out of disk on the way leaves the old file whole.
"""

import os
import sqlite3
from pathlib import Path

from percuss.core.errors import RunError
from percuss.store import schema

__all__ = ["migrated_copy", "put_in_place", "upgrade", "version_on_disk"]


def version_on_disk(path: Path) -> int:
    """Return the version of a file from its header, without opening it as a database; 0 where there is none.

    Bytes 60 to 63 of an SQLite file are its `user_version` (sqlite.org/fileformat2.html, section 1.3.12).
    """
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return 0
    whole = len(header) == 100 and header.startswith(b"SQLite format 3\0")
    return int.from_bytes(header[60:64], "big") if whole else 0


def upgrade(path: Path) -> None:
    """Bring an older file to the current version; a newer, current or empty one is left alone.

    Args:
        path: run.sqlite, in a folder whose lock is held.

    Raises:
        RunError: another process has the file open. sqlite3.Error, OSError: the disk; the old file is as it was.
    """
    version = version_on_disk(path)
    if not 0 < version < schema.VERSION:
        return
    _fold(path)
    try:
        put_in_place(migrated_copy(path), path, version)
    finally:
        _copy_of(path).unlink(missing_ok=True)


def migrated_copy(path: Path) -> Path:
    """Copy a file beside it, migrate the copy, and return its path once it is on disk."""
    copy = _copy_of(path)
    copy.unlink(missing_ok=True)
    os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    old = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None)
    new = sqlite3.connect(copy, isolation_level=None)
    try:
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE").fetchone()
        schema.migrate(new, copy)
        new.execute("VACUUM")  # tables that were replaced leave their pages behind
    finally:
        new.close()
        old.close()
    _sync(copy)
    return copy


def put_in_place(copy: Path, path: Path, version: int) -> None:
    """Keep the old file as `.v<version>` and put the migrated copy in its place, each in one step of the file system."""
    kept = path.with_name(f"{path.name}.v{version}")
    kept.unlink(missing_ok=True)
    try:
        os.link(path, kept)
    except OSError:  # a file system without hard links
        half = kept.with_name(kept.name + ".new")
        half.write_bytes(path.read_bytes())
        _sync(half)
        half.replace(kept)
    copy.replace(path)
    _sync(path.parent)


def _fold(path: Path) -> None:
    """Fold the write-ahead log into the file, so that it is not taken for that of its successor."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None)
    try:
        busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        db.close()
    if busy:
        raise RunError(
            f"{path} is of an older version and is being read by another process; wait for it to end and try again"
        )


def _copy_of(path: Path) -> Path:
    return path.with_name(path.name + ".migrating")


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
