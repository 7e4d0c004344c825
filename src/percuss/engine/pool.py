"""Doing many things at once: a fixed number of workers over one stream, and slow functions in a thread."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from typing import Any, ParamSpec, TypeVar

from percuss.core.errors import HostRefused, OverBudget, RunError, UsageError
from percuss.engine.progress import Tally, Watcher
from percuss.engine.uses import collecting

__all__ = ["ABORTING", "Offload", "drain", "each", "together"]

T = TypeVar("T")
Made = TypeVar("Made")
P = ParamSpec("P")

ABORTING = (OverBudget, UsageError, RunError, HostRefused)
"""Failures of the whole run, not of one response."""

FIRST_WAVE_S = 0.001
"""Between the first starts: a burst of connections makes servers refuse, and all first replies would come at once."""

SLOW_S = 0.005
"""What may hold up the event loop; beyond it other calls wait noticeably."""

_END = object()


async def drain(stream: AsyncIterator[T], work: Callable[[T], Awaitable[None]], *, workers: int) -> None:
    """Do the work for every item of a stream, `workers` items at a time, holding no more than those in memory.

    Args:
        stream: read by one worker at a time.
        work: when it raises `OverBudget`, no further item is begun and those under way are finished first; any other
            exception cancels them.
        workers: how many items are under way at a time.

    Raises:
        OverBudget: as above, after the items under way.
        Exception: the first that the work or the stream raised.
    """
    reading = asyncio.Lock()
    stopped: list[OverBudget] = []

    async def worker(number: int) -> None:
        await asyncio.sleep(number * FIRST_WAVE_S)
        while not stopped:
            async with reading:
                item = await anext(stream, _END)
            if item is _END or stopped:
                return
            try:
                await work(item)  # type: ignore[arg-type]
            except OverBudget as error:
                stopped.append(error)

    try:
        async with asyncio.TaskGroup() as group:
            for number in range(workers):
                group.create_task(worker(number))
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    if stopped:
        raise stopped[0]


async def each(
    units: Iterable[T], work: Callable[[T], Awaitable[Made]], *, workers: int, watcher: Watcher | None = None
) -> tuple[Made, ...]:
    """Do the work for every unit, so many at a time, and return the outcomes in order of the units.

    Args:
        units: read as workers come free. work, workers: as in `drain`. watcher: hears of every unit that is done.

    Raises:
        OverBudget, Exception: as `drain`.
    """
    listed = list(units)
    made: dict[int, Made] = {}
    tally = Tally("work", len(listed), watcher)

    async def numbered() -> AsyncIterator[tuple[int, T]]:
        for number, unit in enumerate(listed):
            yield number, unit

    async def one(item: tuple[int, T]) -> None:
        with collecting(tally.call):
            made[item[0]] = await work(item[1])
        tally.step()

    await drain(numbered(), one, workers=workers)
    return tuple(made[number] for number in range(len(listed)))


async def together(jobs: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run several drains at once; one that is over budget lets the others end.

    Raises:
        OverBudget: of the first job that was, after all have ended.
        Exception: any other, at once; the rest is cancelled.
    """

    async def held(job: Coroutine[Any, Any, None]) -> OverBudget | None:
        try:
            await job
        except OverBudget as error:
            return error
        return None

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(held(job)) for job in jobs]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    for task in tasks:
        error = task.result()
        if error is not None:
            raise error


class Offload:
    """Calls a pure function on the loop while it is quick, and in a thread once it was seen to be slow."""

    def __init__(self) -> None:
        self._slow = False

    async def __call__(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the function's result."""
        if self._slow:
            return await asyncio.to_thread(function, *args, **kwargs)
        # Of this thread alone: on a busy machine a quick function may wait long for its turn.
        started = time.thread_time()
        try:
            return function(*args, **kwargs)
        finally:
            self._slow = time.thread_time() - started > SLOW_S
