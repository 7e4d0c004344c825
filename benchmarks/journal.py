"""Journal hits: what a call costs that is already paid for, and that memory does not grow with their number.

    python benchmarks/journal.py [--n 100000]

Targets (DESIGN): <= 0.08 ms a hit, 100,000 calls replayed in under 10 s, memory flat. `sequential` asks one after the other,
`concurrent` 200 at a time; each hit hashes the request, finds the row, decompresses and decodes the reply.
"""

import argparse
import asyncio
import os
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from percuss.core.ids import digest
from percuss.core.messages import Message
from percuss.core.records import Reply, Request, Text
from percuss.engine import Journal, Journaled
from percuss.engine.journal import keyed_document
from percuss.store import RunStore
from percuss.store.calls import Call, put_call
from tests.tiny import Echo, create

TEXT = "The patient has a stage IIB adenocarcinoma of the left upper lobe and smoked for thirty years. " * 8
SYSTEM = "You are a careful thoracic oncologist. Answer from the evidence given and say what is missing. " * 6


def request(number: int) -> Request:
    """Return the n-th of many requests of about 1 kB."""
    return Request(
        messages=(Message.of("system", SYSTEM), Message.of("user", f"Patient {number}: {TEXT[:400]}")),
        seed=number,
    )


def fill(store: RunStore, model: Echo, n: int) -> None:
    """Write n finished calls."""
    reply = Reply(parts=(Text(text=TEXT),), finish="stop", tokens_in=200, tokens_out=180)

    def some(start: int, stop: int) -> None:
        calls = []
        for number in range(start, stop):
            document = keyed_document(model.id, model.pin, request(number))
            calls.append(
                Call(
                    key=digest(document),
                    model=model.id,
                    epoch=0,
                    request=document,
                    reply=reply,
                    finished_at="2026-01-01",
                )
            )

        def put(db: sqlite3.Connection) -> None:
            for call in calls:
                put_call(db, call)

        store.write_now(put)

    for start in range(0, n, 5_000):
        some(start, min(start + 5_000, n))


def memory_mb() -> float:
    """Return the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--n", type=int, default=100_000)
    n = parser.parse_args().n
    bare = Echo()
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("PERCUSS_BENCH_DIR")) as folder,
        create(Path(folder) / "run", source="1") as store,
    ):
        fill(store, bare, n)
        size = (Path(folder) / "run" / "run.sqlite").stat().st_size / 1e6
        model = Journaled(bare, Journal(store))
        print(f"{n:,} calls in {size:.0f} MB, {os.cpu_count()} cores")
        await sequential(model, n)
        await concurrent(model, n)
    assert bare.asked == []


async def sequential(model: Journaled, n: int) -> None:
    marks = []
    started = time.perf_counter()
    for number in range(n):
        await model.generate(request(number))
        if number in (n // 10, n - 1):
            marks.append(memory_mb())
    took = time.perf_counter() - started
    print(
        f"sequential  {took:5.2f} s = {1000 * took / n:.4f} ms a hit; memory after a tenth {marks[0]:.0f} MB, at the end {marks[1]:.0f} MB"
    )


async def concurrent(model: Journaled, n: int) -> None:
    numbers = iter(range(n))

    async def worker() -> None:
        for number in numbers:
            await model.generate(request(number))

    started = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(200)))
    took = time.perf_counter() - started
    print(f"concurrent  {took:5.2f} s = {1000 * took / n:.4f} ms a hit; memory {memory_mb():.0f} MB")


if __name__ == "__main__":
    asyncio.run(main())
