"""The writer thread: one transaction for all that is waiting.

An fsync costs milliseconds and a row microseconds, so whoever waits shares one commit. A job that fails is rolled back
to its savepoint and fails alone; when the commit itself fails (a full disk) every job of the group fails.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from percuss.core.errors import RunError
from percuss.store.database import Database

__all__ = ["Writer"]

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

GROUP = 512
"""Jobs of one transaction at most, so that the first of a flood does not wait for the last."""


class _Waiting:
    """One job and how to tell its asker."""

    __slots__ = ("future", "job", "loop", "outcome")

    def __init__(self, job: Job, loop: asyncio.AbstractEventLoop | None, future: Any) -> None:
        self.job = job
        self.loop = loop
        self.future = future
        self.outcome: tuple[Any, BaseException | None] = (None, None)

    def tell(self) -> None:
        """Hand the outcome to the future, unless its asker has gone."""
        value, error = self.outcome
        if self.future.done():
            return
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)


class Writer:
    """Runs jobs on the writing connection, in the order in which they came, and answers after the commit."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="percuss-writer", daemon=True)
        self._thread.start()

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job in the next transaction and return its result once that is on disk.

        Raises:
            RunError: the disk or folder failed, or the run is closed.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._put(_Waiting(job, loop, future))
        return await future

    def write_now(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Like `write`, for callers without an event loop: blocks until the commit."""
        future: Future[T] = Future()
        self._put(_Waiting(job, None, future))
        return future.result()

    def close(self) -> None:
        """Commit what is waiting and end the thread."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()

    def _put(self, waiting: _Waiting) -> None:
        if self._closed:
            raise RunError(f"{self._database.path} is closed; open the run again to write to it")
        self._queue.put(waiting)

    def _work(self) -> None:
        going = True
        while going:
            group: list[_Waiting] = []
            item = self._queue.get()
            while item is not None:
                group.append(item)
                if len(group) >= GROUP or self._queue.empty():
                    break
                item = self._queue.get()
            going = item is not None
            if group:
                self._commit(group)
                _tell(group)

    def _commit(self, group: list[_Waiting]) -> None:
        try:
            with self._database.transaction() as db:
                for waiting in group:
                    waiting.outcome = _attempt(db, waiting.job)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the askers must hear of it
            for waiting in group:
                if waiting.outcome[1] is None:
                    waiting.outcome = (None, error)


def _attempt(db: sqlite3.Connection, job: Job) -> tuple[Any, BaseException | None]:
    db.execute("SAVEPOINT job")
    try:
        value = job(db)
    except sqlite3.DatabaseError as error:
        if not db.in_transaction or not isinstance(error, sqlite3.IntegrityError):
            raise
        _undo(db)
        return None, error
    except Exception as error:  # noqa: BLE001 - a failing job fails alone
        _undo(db)
        return None, error
    db.execute("RELEASE job")
    return value, None


def _undo(db: sqlite3.Connection) -> None:
    db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")


def _tell(group: list[_Waiting]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop | None, list[_Waiting]] = {}
    for waiting in group:
        by_loop.setdefault(waiting.loop, []).append(waiting)
    for loop, members in by_loop.items():
        if loop is None:
            for member in members:
                member.tell()
            continue
        try:
            loop.call_soon_threadsafe(_tell_all, members)
        except RuntimeError:  # the loop is closed: its askers have gone, their rows are kept
            continue


def _tell_all(members: list[_Waiting]) -> None:
    for member in members:
        member.tell()
