"""Pages fetched, kept and read against their floor: `python benchmarks/citations.py [--claims 1000] [--latency 0.05]`.

One page a claim on the loopback, each answered after the latency, fetched into a run's archive as `check` does. Floor =
max(latency path, parsing CPU / cores), both measured in the same run; target: wall <= 1.2 times the floor. Memory: peak of
this process for all claims and for a tenth of them. All figures are printed, none is asserted.
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
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from percuss.engine import Archive, ArchivedFetch
from percuss.engine.pages import text_of
from percuss.net.fetching import PageFetcher
from percuss.store import CaseSource, Identity, RunStore

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
CONCURRENCY = 100
MEASURED = 50


def page(number: int) -> str:
    """Return a page of about 13 kB."""
    body = "".join(
        f"<p>Sentence {number}-{n} tells what was measured in group {n % 7} and why it mattered.</p>"
        for n in range(140)
    )
    return f"<html><head><title>Page {number}</title></head><body><article><h1>Page {number}</h1>{body}</article></body></html>"


async def serve(latency_s: float, queue: "multiprocessing.Queue[int]") -> None:
    from aiohttp import web

    async def answer(request: web.Request) -> web.Response:
        await asyncio.sleep(latency_s)
        return web.Response(text=page(int(request.match_info["n"])), content_type="text/html")

    app = web.Application()
    app.router.add_get("/{n}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    queue.put(runner.addresses[0][1])
    await asyncio.Event().wait()


def _server(latency_s: float, queue: "multiprocessing.Queue[int]") -> None:
    asyncio.run(serve(latency_s, queue))


async def run(claims: int, port: int) -> tuple[float, float]:
    """Fetch, keep and read a page per claim; return the seconds, and those of this process's CPU."""
    slots = asyncio.Semaphore(CONCURRENCY)
    place = f"127.0.0.1:{port}"
    source = CaseSource(n=0, digest="0")
    identity = Identity(
        protocol="bench", version="1", prompts={}, cases=source.digest, n_cases=0, policy={}, seed=1
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        RunStore.create(Path(folder) / "run", identity) as store,
        ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool,
    ):
        list(pool.map(_warm, range(2 * (os.cpu_count() or 1))))
        async with PageFetcher(allow=[place], per_host=CONCURRENCY) as fetcher:
            pages = ArchivedFetch(Archive(store, fetcher, pool=pool))

            async def one(number: int) -> None:
                async with slots:
                    await pages.fetch(f"http://{place}/{number}")

            started, before = time.perf_counter(), time.process_time()
            await asyncio.gather(*(one(number) for number in range(claims)))
            return time.perf_counter() - started, time.process_time() - before


def _warm(_: int) -> int:
    return len(text_of("text/html", "", page(0).encode())[0])


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
    wall, own = asyncio.run(run(given.claims, queue.get()))
    server.terminate()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if given.memory_only:
        print(peak)
        return
    data = page(1).encode()
    _warm(0)
    started = time.process_time()
    for _ in range(MEASURED):
        text_of("text/html", "", data)
    parsing = (time.process_time() - started) / MEASURED * given.claims
    cores = os.cpu_count() or 1
    latency_path = given.latency * given.claims / CONCURRENCY
    floor = max(latency_path, parsing / cores)
    print(
        f"{given.claims} pages: wall {wall:.2f} s; latency path {latency_path:.2f} s; parsing {parsing:.2f} s of CPU over {cores} cores"
    )
    print(f"wall / floor = {wall / floor:.2f} (target 1.2); load {os.getloadavg()[0]:.1f} on {cores} cores")
    print(
        f"fetching and keeping {own:.2f} s of CPU; with parsing over {cores} cores {(own + parsing) / cores / floor:.2f} of the floor, whatever else runs"
    )
    words = [sys.executable, __file__, "--memory-only", "--claims", str(given.claims // 10)]
    few = int(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()[-1])
    print(
        f"peak memory {peak / 1024:.0f} MiB against {few / 1024:.0f} MiB for a tenth: {peak / few:.2f} (target 1.2)"
    )


if __name__ == "__main__":
    main()
