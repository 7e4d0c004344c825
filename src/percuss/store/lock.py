"""One writer a folder: an advisory lock on `run.lock`, given back by the kernel however the process ends."""

import errno
import fcntl
import os
from pathlib import Path

from percuss.core.errors import RunError

__all__ = ["FolderLock"]

_UNSUPPORTED = {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL}


class FolderLock:
    """Holds the lock of a run folder from construction to `release`.

    Where the file system knows no locks, SQLite's own exclusive lock stands in (see `database`).

    Raises:
        RunError: another process holds the lock.
    """

    def __init__(self, folder: Path) -> None:
        self._fd: int | None = os.open(folder / "run.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._fd, 32, 0).decode(errors="replace").strip()
            if error.errno in _UNSUPPORTED:
                return
            self.release()
            if error.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
                raise
            by = f" (process {holder})" if holder.isdigit() else ""
            raise RunError(
                f"another percuss process{by} is writing to {folder}; wait for it to end, or give --out another folder"
            ) from error
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Give the lock back; the file stays, so that two processes never lock two files of one name."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
