"""Engine overhead: wall against ideal, and CPU a call, asking N cases with every row on disk.

    python benchmarks/engine.py [--n 5000] [--latency-ms 100] [--concurrency 100]

ideal = N x latency / concurrency. Target (DESIGN): wall <= 1.10 x ideal and <= 0.8 ms CPU a call at the defaults. `sleep`
is the engine alone; `client` the HTTP client alone; `http` both, through to the loopback server in a process of its own.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from percuss.core.messages import Message
from percuss.core.ports import Model, Roles
from percuss.core.records import Arm, Reply, Request, Text
from percuss.engine import Budget, Budgeted, Journal, Journaled, Limited, Price, Retrying, ask
from tests.tiny import SEED, TINY, TinyOptions, create

TEXT = "The patient has a stage IIB adenocarcinoma of the left upper lobe and smoked for thirty years. " * 8


class Sleeper:
    """Answers after the latency."""

    id = "test/sleeper"
    pin = "1"

    def __init__(self, latency_s: float) -> None:
        self._latency_s = latency_s

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del request, epoch
        await asyncio.sleep(self._latency_s)
        return Reply(parts=(Text(text=TEXT),), finish="stop", tokens_in=200, tokens_out=180)


@asynccontextmanager
async def served(latency_s: float, concurrency: int) -> AsyncIterator[Model]:
    """Start the loopback server and yield a model that asks it."""
    from percuss.models.endpoints import endpoint
    from percuss.models.openai_compatible import OpenAICompatible
    from percuss.net.client import Client

    command = [
        sys.executable,
        "-m",
        "percuss.models.loopback",
        "--latency-ms",
        str(1000 * latency_s),
        "--text",
        TEXT,
    ]
    with subprocess.Popen(  # noqa: ASYNC220 - before the clock runs
        command, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            async with Client(per_host=concurrency) as client:
                there = endpoint("vllm", {}, base_url=url)
                yield OpenAICompatible(id="vllm/any", name="any", endpoint=there, client=client)
        finally:
            server.terminate()


async def measure(bare: Model, n: int, concurrency: int) -> tuple[float, float]:
    """Return wall and CPU seconds of asking n cases."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("PERCUSS_BENCH_DIR")) as folder:
        store = create(Path(folder) / "run", source=str(n))
        with store:
            inner = Budgeted(
                Retrying(Limited(bare, asyncio.Semaphore(concurrency))),
                Budget(usd=1e6),
                Price(usd_in=1, usd_out=1),
            )
            model = Journaled(inner, Journal(store))
            wall, cpu = time.perf_counter(), time.process_time()
            arms = (Arm(name="with"),)
            await ask(
                store,
                TINY,
                TinyOptions(),
                roles=Roles({}, seed=SEED),
                models=[model],
                arms=arms,
                concurrency=concurrency,
            )
            return time.perf_counter() - wall, time.process_time() - cpu


async def client_alone(bare: Model, n: int, concurrency: int) -> tuple[float, float]:
    """Return wall and CPU seconds of the same calls made by the client alone: no journal, rows, retries or limits."""
    numbers = iter(range(n))

    async def worker() -> None:
        for number in numbers:
            await bare.generate(
                Request(messages=(Message.of("user", f"Describe. Patient {number}."),), seed=number)
            )

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(worker() for _ in range(concurrency)))
    return time.perf_counter() - wall, time.process_time() - cpu


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--n", type=int, default=5_000)
    parser.add_argument("--latency-ms", type=float, default=100.0)
    parser.add_argument("--concurrency", type=int, default=100)
    given = parser.parse_args()
    latency = given.latency_ms / 1000
    ideal = given.n * latency / given.concurrency
    print(
        f"N {given.n:,}, {given.latency_ms:g} ms, concurrency {given.concurrency}, {os.cpu_count()} cores, ideal {ideal:.2f} s"
    )
    wall, cpu = await measure(Sleeper(latency), given.n, given.concurrency)
    print(f"sleep  {_figures(wall, cpu, ideal, given.n)}")
    async with served(latency, given.concurrency) as model:
        await client_alone(model, given.concurrency, given.concurrency)  # opens the connections
        wall, cpu = await client_alone(model, given.n, given.concurrency)
        print(f"client {_figures(wall, cpu, ideal, given.n)}")
        wall, cpu = await measure(model, given.n, given.concurrency)
        print(f"http   {_figures(wall, cpu, ideal, given.n)}")


def _figures(wall: float, cpu: float, ideal: float, n: int) -> str:
    return f"wall {wall:6.2f} s = {wall / ideal:.3f} x ideal   CPU {1000 * cpu / n:.3f} ms a call"


if __name__ == "__main__":
    asyncio.run(main())
