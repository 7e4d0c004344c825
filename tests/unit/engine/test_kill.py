"""`kill -9` at random moments: nothing committed is asked again, and the end is that of a run that was left alone."""

import asyncio
import multiprocessing
import random
import signal
import sqlite3
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec
import pytest

from percuss.core.ports import ScoredResponse
from percuss.core.records import Estimate, Request
from percuss.models.loopback import Loopback
from percuss.models.wire_server import request_key
from percuss.store import RunStore, verify
from percuss.store.dictionaries import unpack_call
from tests.tiny import run_in_child

KILLS = 20
CONCURRENCY = 20
CASES = 600


def committed(folder: Path) -> set[str]:
    """Return the server's names for the calls whose rows are in the file."""
    if not (folder / "run.sqlite").exists():
        return set()
    db = sqlite3.connect(folder / "run.sqlite")
    try:
        stored = [unpack_call(db, row[0]) for row in db.execute("SELECT request FROM calls").fetchall()]
    except sqlite3.OperationalError:  # killed before the tables stood
        return set()
    finally:
        db.close()
    requests = [msgspec.convert(msgspec.json.decode(one)["request"], Request) for one in stored]
    return {request_key(request, "any") for request in requests}


def start(folder: Path, server: Loopback, concurrency: int) -> BaseProcess:
    """Start a run in a process of its own, forked from one that has loaded the libraries."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.tiny", "percuss.models.openai_compatible", "aiohttp"])
    child = context.Process(target=run_in_child, args=(folder, server.url, str(CASES), concurrency))
    child.start()
    return child


async def end(child: BaseProcess) -> int | None:
    while child.exitcode is None:  # noqa: ASYNC110 - a process, no event
        await asyncio.sleep(0.005)
    return child.exitcode


async def kill_somewhere(child: BaseProcess, server: Loopback, moments: random.Random) -> bool:
    """Kill a child after some number of calls, or now and then before the first; tell whether it was still alive."""
    before = server.seen.total()
    if moments.random() < 0.15:
        await asyncio.sleep(moments.uniform(0.0, 0.1))
    else:
        calls = moments.randint(1, 90)
        while server.seen.total() < before + calls and child.exitcode is None:  # noqa: ASYNC110 - a process, no event
            await asyncio.sleep(0.005)
    child.kill()
    return await end(child) == -signal.SIGKILL


def results(folder: Path) -> tuple[list[ScoredResponse], list[Estimate]]:
    with RunStore.open(folder) as store:
        scoring = store.latest_scoring().id
        return list(store.view(scoring).assessed()), list(store.estimates(scoring))


@pytest.mark.slow
async def test_nothing_committed_is_asked_again(tmp_path: Path) -> None:
    moments = random.Random(20_260_101)
    folder = tmp_path / "killed"
    finished: dict[str, int] = {}
    kills = 0
    async with Loopback(
        lambda body: f"It is good. {body['messages'][-1]['content']}", latency_s=0.05
    ) as server:
        for _ in range(KILLS):
            kills += await kill_somewhere(start(folder, server, CONCURRENCY), server, moments)
            for key in committed(folder):
                finished.setdefault(key, server.seen[key])
            repeats = server.seen.total() - len(server.seen)
            assert repeats <= kills * 2 * CONCURRENCY
        assert await end(start(folder, server, CONCURRENCY)) == 0
        assert len(finished) > CASES / 4, "most kills should come in the midst of calls"
        assert {key: server.seen[key] for key in finished} == finished
        assert len(server.seen) == 2 * CASES
        server._latency_s = 0.0
        assert await end(start(tmp_path / "whole", server, 100)) == 0
    assert kills >= KILLS - 3
    assert results(folder) == results(tmp_path / "whole")
    assert all(found.ok for found in verify(folder))
