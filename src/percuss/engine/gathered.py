"""Writes that come from many askers at once and go into one transaction together."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

from percuss.store.run import RunStore

__all__ = ["Gathered"]

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[[sqlite3.Connection], Any]
Waiting = tuple[Job, asyncio.Future[Any]]

SHARE = 3
"""One part in so many of what is under way makes a transaction: 100 pages at a time write 16 rows each time."""
PATIENCE_S = 0.05
"""Seconds that a row waits for others at most: a tenth of what a page of the web takes."""


class Gathered:
    """Writes to a run, and returns to each asker once its own rows are on disk.

    A commit and its wake-ups cost as much as the rows of a page, so where many pages are under way their rows share one; where
    few are, each is written at once.

    Args:
        store: the run. patience_s: seconds that a row waits for others at most.
    """

    def __init__(self, store: RunStore, *, patience_s: float = PATIENCE_S) -> None:
        self._store = store
        self._patience_s = patience_s
        self._under_way = 0
        self._waiting: list[Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self._enough = asyncio.Event()

    @contextmanager
    def one_under_way(self) -> Iterator[None]:
        """Say that somebody is at work who is going to write something."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    async def write(
        self, job: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a writing function of the store and return once it is on disk; one that fails, fails alone."""
        loop = asyncio.get_running_loop()
        asked: asyncio.Future[T] = loop.create_future()
        self._waiting.append((lambda db: job(db, *args, **kwargs), asked))
        if self._task is None or self._task.done():
            self._enough = asyncio.Event()
            self._task = loop.create_task(self._work())
        elif self._has_enough():
            self._enough.set()
        return await asked

    def _has_enough(self) -> bool:
        return len(self._waiting) >= self._under_way // SHARE

    async def _work(self) -> None:
        try:
            while self._waiting:
                if not self._has_enough():
                    timer = asyncio.get_running_loop().call_later(self._patience_s, self._enough.set)
                    await self._enough.wait()
                    timer.cancel()
                self._enough.clear()
                taken, self._waiting = self._waiting, []
                await self._write(taken)
        finally:  # an interrupted start keeps what it has fetched
            taken, self._waiting = self._waiting, []
            if taken:
                self._store.write_now(_all_of(taken))

    async def _write(self, taken: Sequence[Waiting]) -> None:
        try:
            values = await self._store.write(_all_of(taken))
        except Exception as error:  # noqa: BLE001 - whoever is to blame is found by writing each alone
            for each in taken:
                await self._alone(each, error, last=len(taken) == 1)
            return
        for (_, asked), value in zip(taken, values, strict=True):
            if not asked.done():  # else whoever asked has gone
                asked.set_result(value)

    async def _alone(self, one: Waiting, error: Exception, *, last: bool) -> None:
        job, asked = one
        failed: Exception | None = error
        if not last:
            try:
                value = await self._store.write(job)
                failed = None
            except Exception as own:  # noqa: BLE001 - raised where it was asked for
                failed = own
        if asked.done():
            return
        if failed is None:
            asked.set_result(value)
        else:
            asked.set_exception(failed)


def _all_of(taken: Sequence[Waiting]) -> Callable[[sqlite3.Connection], list[Any]]:
    return lambda db: [job(db) for job, _ in taken]
