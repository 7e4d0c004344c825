"""`kill -9` at random moments: nothing committed is asked again, and the end is that of a run that was left alone."""

import asyncio
import random
import signal
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest

from percuss.core.ports import Assessed
from percuss.core.records import Estimate, Request
from percuss.models.loopback import Loopback
from percuss.models.wire_server import request_key
from percuss.store import RunStore, verify
from percuss.store.packed import unpack

ROOT = Path(__file__).resolve().parents[3]
KILLS = 20
CONCURRENCY = 20
CASES = 600


def committed(folder: Path) -> set[str]:
    """Return the server's names for the calls whose rows are in the file."""
    if not (folder / "run.sqlite").exists():
        return set()
    db = sqlite3.connect(folder / "run.sqlite")
    try:
        stored = [unpack(row[0]) for row in db.execute("SELECT request FROM calls")]
    except sqlite3.OperationalError:  # killed before the tables stood
        return set()
    finally:
        db.close()
    requests = [msgspec.convert(msgspec.json.decode(one)["request"], Request) for one in stored]
    return {request_key(request, "any") for request in requests}


async def start(folder: Path, server: Loopback, concurrency: int) -> asyncio.subprocess.Process:
    arguments = [str(folder), server.url, "--source", str(CASES), "--concurrency", str(concurrency)]
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.tiny", *arguments, cwd=ROOT)


async def kill_somewhere(child: asyncio.subprocess.Process, server: Loopback, moments: random.Random) -> bool:
    """Kill a child some time after its first call, or now and then before it; tell whether it was still alive."""
    before = server.seen.total()
    if moments.random() < 0.15:
        await asyncio.sleep(moments.uniform(0.0, 0.5))
    else:
        while server.seen.total() == before and child.returncode is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(moments.uniform(0.0, 0.3))
    alive = child.returncode is None
    if alive:
        child.send_signal(signal.SIGKILL)
    await child.wait()
    return alive


def results(folder: Path) -> tuple[list[Assessed], list[Estimate]]:
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
            kills += await kill_somewhere(await start(folder, server, CONCURRENCY), server, moments)
            for key in committed(folder):
                finished.setdefault(key, server.seen[key])
            repeats = server.seen.total() - len(server.seen)
            assert repeats <= kills * 2 * CONCURRENCY
        assert await (await start(folder, server, CONCURRENCY)).wait() == 0
        assert len(finished) > CASES / 4, "most kills should come in the midst of calls"
        assert {key: server.seen[key] for key in finished} == finished
        assert len(server.seen) == 2 * CASES
        server._latency_s = 0.0
        assert await (await start(tmp_path / "whole", server, 100)).wait() == 0
    assert kills >= KILLS - 3
    assert results(folder) == results(tmp_path / "whole")
    assert all(found.ok for found in verify(folder))
