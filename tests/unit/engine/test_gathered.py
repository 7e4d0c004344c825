"""Writes of many askers: one transaction for a share of them, at once where few are under way, each told after its commit."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from percuss.core.records import Blob
from percuss.engine.gathered import SHARE, Gathered
from percuss.store import RunStore
from percuss.store.blobs import has_blob, put_blob
from tests.tiny import create


class Counting:
    """A run that counts its transactions."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        self.transactions = 0

    async def write(self, job: Callable[..., Any], *args: Any) -> Any:
        self.transactions += 1
        return await self.store.write(job, *args)

    def write_now(self, job: Callable[..., Any], *args: Any) -> Any:
        self.transactions += 1
        return self.store.write_now(job, *args)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with create(tmp_path / "r", source="1") as made:
        yield made


def blob(number: int) -> Blob:
    return Blob.of(b"page %d" % number, "text/plain")


def refuse(db: sqlite3.Connection) -> None:
    raise ValueError("this row is wrong")


async def test_rows_of_many_share_transactions_and_each_asker_finds_its_own(store: RunStore) -> None:
    counting = Counting(store)
    writes = Gathered(cast("RunStore", counting), patience_s=5)

    async def one(number: int) -> None:
        with writes.one_under_way():
            await asyncio.sleep(0.001 * (number % 10))
            assert await writes.write(put_blob, blob(number)) is True
            assert store.read(has_blob, blob(number).digest), "told before it was on disk"

    await asyncio.gather(*(one(number) for number in range(90)))
    assert counting.transactions <= 4 * SHARE  # each takes a share of what is under way, and that shrinks


async def test_one_alone_waits_for_nobody(store: RunStore) -> None:
    writes = Gathered(store, patience_s=60)
    with writes.one_under_way():
        async with asyncio.timeout(30):
            assert await writes.write(put_blob, blob(1)) is True
            assert await writes.write(put_blob, blob(1)) is False


async def test_patience_ends_where_the_others_are_slow(store: RunStore) -> None:
    writes = Gathered(store, patience_s=0.01)
    with ExitStack() as slow:
        for _ in range(100):
            slow.enter_context(writes.one_under_way())
        async with asyncio.timeout(30):
            assert await writes.write(put_blob, blob(1))


async def test_a_row_that_fails_fails_alone(store: RunStore) -> None:
    writes = Gathered(store)
    first, wrong, last = await asyncio.gather(
        writes.write(put_blob, blob(1)),
        writes.write(refuse),
        writes.write(put_blob, blob(2)),
        return_exceptions=True,
    )
    assert (first, last) == (True, True)
    assert isinstance(wrong, ValueError)
    assert store.read(has_blob, blob(1).digest)
    assert store.read(has_blob, blob(2).digest)


async def test_whoever_has_gone_spoils_nothing(store: RunStore) -> None:
    writes = Gathered(store)
    gone = asyncio.create_task(writes.write(put_blob, blob(1)))
    stays = asyncio.create_task(writes.write(put_blob, blob(2)))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays is True
    assert store.read(has_blob, blob(1).digest)


def test_an_interrupted_start_keeps_what_it_fetched_and_the_next_goes_on(store: RunStore) -> None:
    writes = Gathered(store, patience_s=60)

    async def interrupted() -> None:
        with ExitStack() as slow:
            for _ in range(100):
                slow.enter_context(writes.one_under_way())
            async with asyncio.timeout(0.05):
                await writes.write(put_blob, blob(1))

    with pytest.raises(TimeoutError):
        asyncio.run(interrupted())
    assert store.read(has_blob, blob(1).digest)
    assert asyncio.run(writes.write(put_blob, blob(2))) is True
