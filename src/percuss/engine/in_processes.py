"""Slow functions in other processes: whatever waits goes to a free process as one task, since each handing over costs."""

import asyncio
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any, TypeVar

__all__ = ["InProcesses"]

T = TypeVar("T")
Job = tuple[Callable[[bytes], Any], bytes]
Outcome = tuple[Any, Exception | None]

MOST = 16
"""Jobs of one task at most; of few that wait a task takes its share, so that no process works on alone at the end."""


class InProcesses:
    """Calls functions of bytes in the processes of a pool.

    Args:
        pool: of processes (or of threads). under_way: tasks that the pool holds at a time; None = two for each core, so
            that a process that is done finds the next task waiting.
    """

    def __init__(self, pool: Executor, *, under_way: int | None = None) -> None:
        self._pool = pool
        self._free = self._under_way = under_way or 2 * (os.cpu_count() or 1)
        self._waiting: deque[tuple[Job, asyncio.Future[Any]]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, function: Callable[[bytes], T], data: bytes) -> T:
        """Return what the function makes of the bytes, or raise what it raised; a bad job fails alone."""
        asked: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(((function, data), asked))
        self._start()
        return await asked

    def _start(self) -> None:
        while self._free and self._waiting:
            self._free -= 1
            share = -(-len(self._waiting) // self._under_way)
            taken = [self._waiting.popleft() for _ in range(min(MOST, share))]
            task = asyncio.get_running_loop().create_task(self._work(taken))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, taken: Sequence[tuple[Job, asyncio.Future[Any]]]) -> None:
        wanted = [(job, asked) for job, asked in taken if not asked.done()]
        jobs = [job for job, _ in wanted]
        outcomes: list[Outcome]
        try:
            outcomes = await asyncio.get_running_loop().run_in_executor(self._pool, _done, jobs)
        except Exception as error:  # noqa: BLE001 - a pool that broke is told to all who asked
            outcomes = [(None, error)] * len(jobs)
        finally:
            self._free += 1
        for (_, asked), (value, failed) in zip(wanted, outcomes, strict=True):
            if asked.done():  # whoever asked has gone
                continue
            if failed is None:
                asked.set_result(value)
            else:
                asked.set_exception(failed)
        self._start()


def _done(jobs: Sequence[Job]) -> list[Outcome]:
    """Do jobs one after the other, in a process of the pool."""
    made: list[Outcome] = []
    for function, data in jobs:
        try:
            made.append((function(data), None))
        except Exception as error:  # noqa: BLE001 - raised where it was asked for
            made.append((None, error))
    return made
