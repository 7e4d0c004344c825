"""Workers over a stream, and slow functions out of the way of the loop."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator

import pytest

from percuss.core.errors import OverBudget
from percuss.engine.pool import Offload, drain, together


async def numbers(n: int, read: list[int]) -> AsyncIterator[int]:
    for number in range(n):
        read.append(number)
        yield number


async def test_no_more_is_read_than_is_under_way() -> None:
    read: list[int] = []
    done: list[int] = []
    ahead = 0

    async def work(number: int) -> None:
        nonlocal ahead
        await asyncio.sleep(0.001)
        ahead = max(ahead, len(read) - len(done))
        done.append(number)

    await drain(numbers(200, read), work, workers=8)
    assert sorted(done) == list(range(200))
    assert ahead <= 8


async def test_the_first_wave_is_staggered() -> None:
    starts: list[float] = []

    async def work(number: int) -> None:
        starts.append(time.monotonic())
        await asyncio.sleep(0.1)

    await drain(numbers(20, []), work, workers=20)
    assert starts[19] - starts[0] >= 0.015


async def test_over_budget_finishes_what_is_under_way() -> None:
    done: list[int] = []

    async def work(number: int) -> None:
        if number == 3:
            raise OverBudget("used up")
        await asyncio.sleep(0.02)
        done.append(number)

    read: list[int] = []
    with pytest.raises(OverBudget, match="used up"):
        await drain(numbers(100, read), work, workers=6)
    assert sorted(done) == [number for number in read if number != 3]
    assert len(read) < 20


async def test_any_other_failure_cancels() -> None:
    async def work(number: int) -> None:
        if number == 3:
            raise KeyError(number)
        await asyncio.sleep(30)

    with pytest.raises(KeyError):
        await drain(numbers(100, []), work, workers=6)


async def test_drains_side_by_side_let_each_other_end() -> None:
    ended: list[str] = []

    async def over() -> None:
        raise OverBudget("used up")

    async def longer() -> None:
        await asyncio.sleep(0.01)
        ended.append("longer")

    with pytest.raises(OverBudget):
        await together([over(), longer()])
    assert ended == ["longer"]


async def test_a_slow_function_goes_to_a_thread_from_its_second_call() -> None:
    threads: list[int] = []

    def slow(seconds: float) -> float:
        threads.append(threading.get_ident())
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass
        return seconds

    offload = Offload()
    assert [await offload(slow, 0.02) for _ in range(3)] == [0.02] * 3
    here = threading.get_ident()
    assert [thread == here for thread in threads] == [True, False, False]
