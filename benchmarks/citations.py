"""Pages fetched, kept and read against their floor: `python benchmarks/citations.py [--claims 1000] [--latency 0.05]`.

One page a claim on the loopback, each answered after the latency, fetched into a run's archive by the loop of `check`. Floor =
max(latency path, parsing CPU / cores); target: wall <= 1.2 times the floor. Latency path = one request per page, as many at
a time as there are slots. Parsing = CPU of the pool's processes inside the reading function and nothing else, of the run
itself; the same pages read bare by the same processes afterwards stand beside it, with the CPU of handing pages over. Memory:
peak of this process for all claims and for a tenth of them. All figures are printed, none is asserted.
"""

import argparse
import asyncio
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import percuss.engine.pages as pages_module
from percuss.engine import Archive, ArchivedFetch
from percuss.engine.pages import text_of
from percuss.engine.pool import drain
from percuss.net.fetching import PageFetcher
from percuss.store import CaseSource, Identity, RunStore

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
CONCURRENCY = 100


def page(number: int) -> str:
    """Return a page of about 13 kB."""
    body = "".join(
        f"<p>Sentence {number}-{n} tells what was measured in group {n % 7} and why it mattered.</p>"
        for n in range(140)
    )
    return f"<html><head><title>Page {number}</title></head><body><article><h1>Page {number}</h1>{body}</article></body></html>"


class _Server(asyncio.Protocol):
    """Answers every request with one of some ready pages after the latency: it costs next to nothing beside what is measured."""

    pages: tuple[bytes, ...] = ()
    latency_s = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.got = b""

    def data_received(self, data: bytes) -> None:
        self.got += data
        while b"\r\n\r\n" in self.got:
            head, _, self.got = self.got.partition(b"\r\n\r\n")
            number = int(head.split(b" ", 2)[1][1:])
            asyncio.get_running_loop().call_later(self.latency_s, self._answer, number)

    def _answer(self, number: int) -> None:
        body = self.pages[number % len(self.pages)] + b"<!-- %d -->" % number  # no two pages alike
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
        self.transport.write(head % len(body) + body)  # type: ignore[attr-defined]


async def serve(latency_s: float, queue: "multiprocessing.Queue[int]") -> None:
    _Server.pages, _Server.latency_s = tuple(page(n).encode() for n in range(100)), latency_s
    server = await asyncio.get_running_loop().create_server(_Server, "127.0.0.1", 0, backlog=1024)
    queue.put(server.sockets[0].getsockname()[1])
    await asyncio.Event().wait()


def _server(latency_s: float, queue: "multiprocessing.Queue[int]") -> None:
    asyncio.run(serve(latency_s, queue))


def _timed(total: Any) -> None:
    """Count the CPU that a process of the pool spends on reading text out of pages, and on nothing else."""
    read = text_of

    def timed(*args: Any) -> Any:
        started = time.process_time()
        made = read(*args)
        with total.get_lock():
            total.value += time.process_time() - started
        return made

    timed.__module__, timed.__qualname__ = text_of.__module__, text_of.__qualname__
    vars(pages_module)["text_of"] = timed


class Measured(NamedTuple):
    """Seconds of one run.

    wall: on the clock. own: CPU of this process. parsing: CPU of reading pages in all processes; bare: the same pages read by
    those processes with nothing beside it. pool: all CPU of the processes. held_up: longest hold-up of the loop.
    """

    wall: float
    own: float
    parsing: float
    bare: float
    pool: float
    held_up: float


async def run(claims: int, port: int) -> Measured:
    """Fetch, keep and read a page per claim."""
    place = f"127.0.0.1:{port}"
    source = CaseSource(n=0, digest="0")
    identity = Identity(
        protocol="bench", version="1", prompts={}, cases=source.digest, n_cases=0, policy={}, seed=1
    )
    spawn = multiprocessing.get_context("spawn")
    total = spawn.Value("d", 0.0)
    with (
        tempfile.TemporaryDirectory() as folder,
        RunStore.create(Path(folder) / "run", identity) as store,
        ProcessPoolExecutor(os.cpu_count(), mp_context=spawn, initializer=_timed, initargs=(total,)) as pool,
    ):
        list(pool.map(_warm, range(2 * (os.cpu_count() or 1))))
        async with PageFetcher(allow=[place], per_host=CONCURRENCY) as fetcher:
            pages = ArchivedFetch(Archive(store, fetcher, pool=pool))
            await pages.fetch(f"http://{place}/{claims}")  # imports, before the clock

            async def numbers() -> AsyncIterator[int]:
                for number in range(claims):
                    yield number

            async def one(number: int) -> None:
                await pages.fetch(f"http://{place}/{number}")

            held_up = asyncio.create_task(_held_up())
            workers = list(pool._processes.values())
            started, before, parsed, spent = (
                time.perf_counter(),
                time.process_time(),
                total.value,
                sum(map(_cpu_of, workers)),
            )
            await drain(numbers(), one, workers=CONCURRENCY)
            wall, own = time.perf_counter() - started, time.process_time() - before
            held_up.cancel()
            parsing, spent = total.value - parsed, sum(map(_cpu_of, workers)) - spent
            list(pool.map(_bare, range(claims), chunksize=8))
            return Measured(wall, own, parsing, total.value - parsed - parsing, spent, await held_up)


def _bare(number: int) -> int:
    """Read a page as the run did; the wrapper of `_timed` counts it."""
    return len(
        pages_module.text_of("text/html", "", page(number % 100).encode() + b"<!-- %d -->" % number)[0]
    )


async def _held_up() -> float:
    """Return by how much a wait of 50 ms was longest, once it is cancelled; shorter waits cost what they measure."""
    longest = 0.0
    try:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.05)
            longest = max(longest, time.perf_counter() - before - 0.05)
    except asyncio.CancelledError:
        return longest


def _warm(_: int) -> int:
    time.sleep(0.05)  # so that every process gets one
    return len(text_of("text/html", "", page(0).encode())[0])


def _cpu_of(process: Any) -> float:
    """Return the CPU seconds of a process; 0 where the system doesn't say."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=1000)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--memory-only", action="store_true")
    given = parser.parse_args()
    queue: multiprocessing.Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=_server, args=(given.latency, queue), daemon=True)
    server.start()
    port = queue.get()
    before = _cpu_of(server)
    wall, own, parsing, bare, pool, held_up = asyncio.run(run(given.claims, port))
    serving = _cpu_of(server) - before
    server.terminate()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if given.memory_only:
        print(peak)
        return
    cores = os.cpu_count() or 1
    latency_path = given.latency * given.claims / CONCURRENCY
    floor = max(latency_path, parsing / cores)
    print(
        f"{given.claims} pages: wall {wall:.2f} s; latency path {latency_path:.2f} s; parsing {parsing:.2f} s of CPU over {cores} cores"
    )
    print(f"wall / floor = {wall / floor:.2f} (target 1.2); load {os.getloadavg()[0]:.1f} on {cores} cores")
    print(
        f"the same pages read bare: {bare:.2f} s of CPU, so that the floor is {max(latency_path, bare / cores):.2f} s and wall / floor "
        f"{wall / max(latency_path, bare / cores):.2f}; beside the reading the processes spent {pool - parsing:.2f} s"
    )
    print(
        f"CPU of fetching and keeping {own:.2f} s, of the server {serving:.2f} s; all CPU over {cores} cores / floor = "
        f"{(own + serving + pool) / cores / floor:.2f}, whatever else runs; the loop was held up by {1000 * held_up:.0f} ms at most"
    )
    words = [sys.executable, __file__, "--memory-only", "--claims", str(given.claims // 10)]
    few = int(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()[-1])
    print(
        f"peak memory {peak / 1024:.0f} MiB against {few / 1024:.0f} MiB for a tenth: {peak / few:.2f} (target 1.2)"
    )


if __name__ == "__main__":
    main()
