"""Slow functions in a pool: few tasks for many jobs, a bad job fails alone, a broken pool is told to all."""

import asyncio
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from percuss.core.errors import BadInput
from percuss.engine.in_processes import MOST, InProcesses


class Counting(Executor):
    """A pool that counts its tasks and remembers how many it held at a time."""

    def __init__(self, breaks: bool = False) -> None:
        self.inner = ThreadPoolExecutor(2)
        self.tasks = self.held = self.most = 0
        self.breaks = breaks

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.breaks:
            raise RuntimeError("the pool broke")
        self.tasks += 1
        self.held += 1
        self.most = max(self.most, self.held)
        made = self.inner.submit(function, *args, **kwargs)
        made.add_done_callback(lambda _: setattr(self, "held", self.held - 1))
        return made


def upper(data: bytes) -> bytes:
    if data == b"bad":
        raise BadInput("can't be read", source="a page")
    return data.upper()


async def test_many_jobs_share_tasks_and_keep_their_own_results() -> None:
    pool = Counting()
    call = InProcesses(pool, under_way=2)
    made = await asyncio.gather(*(call(upper, b"page %d" % n) for n in range(100)))
    assert made == [b"PAGE %d" % n for n in range(100)]
    assert pool.most <= 2
    assert pool.tasks <= 2 + -(-98 // MOST) + 2 * MOST.bit_length(), (
        "all but the first two waited, and went together"
    )


async def test_the_last_jobs_are_shared_out() -> None:
    pool = Counting()
    call = InProcesses(pool, under_way=4)
    first = [asyncio.ensure_future(call(upper, b"first %d" % n)) for n in range(4)]
    await asyncio.sleep(0)  # all four places are taken
    assert await asyncio.gather(*first, *(call(upper, b"last %d" % n) for n in range(MOST)))
    assert pool.tasks >= 4 + 3, "eight that waited went as two, two, one ..., not as one task"


async def test_a_single_job_does_not_wait_for_others() -> None:
    pool = Counting()
    assert await InProcesses(pool)(upper, b"a") == b"A"
    assert pool.tasks == 1


async def test_a_bad_job_fails_alone() -> None:
    call = InProcesses(Counting(), under_way=1)
    made = await asyncio.gather(*(call(upper, d) for d in (b"a", b"bad", b"c")), return_exceptions=True)
    assert made[0] == b"A"
    assert made[2] == b"C"
    assert isinstance(made[1], BadInput)


async def test_a_broken_pool_is_told_to_all_who_asked_and_to_those_who_come_later() -> None:
    call = InProcesses(Counting(breaks=True), under_way=1)
    made = await asyncio.gather(*(call(upper, b"a") for _ in range(20)), return_exceptions=True)
    assert {str(each) for each in made} == {"the pool broke"}
    with pytest.raises(RuntimeError, match="broke"):
        await call(upper, b"a")


async def test_whoever_left_holds_up_nobody() -> None:
    call = InProcesses(Counting(), under_way=1)
    first, second, third = (asyncio.ensure_future(call(upper, d)) for d in (b"a", b"b", b"c"))
    await asyncio.sleep(0)
    second.cancel()
    assert (await first, await third) == (b"A", b"C")
    assert second.cancelled()
