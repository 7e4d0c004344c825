"""100 simulated raters on one portal, coordinator and adjudicator open: milliseconds from pressing save to the durable answer.

    python benchmarks/study.py [--raters 100] [--seconds 120] [--think 1.0] [--kills 3] [--database-url postgresql://..]

Server and raters share the machine. A rater thinks `--think` seconds on average before each save, far less than a person;
`--think 0` shows what the portal can take. `--kills` ends the server with SIGKILL that often and starts it again: saves that
were acknowledged must all be there. Targets on two quiet cores: p95 of a save under 150 ms, coordinator under 500 ms.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import make
from tests.study_load import Load, as_json, crowd, missing, seat, server


def quantile(seconds: list[float], share: float) -> float:
    """Return a quantile in milliseconds."""
    ordered = sorted(seconds) or [0.0]
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def serve_and_kill(folder: Path, port: int, pauses: list[float], over: threading.Event) -> None:
    """Serve until it is over; kill and start again after each pause."""
    for pause in [*pauses, None]:
        with server(folder, port):
            over.wait(pause)  # leaving kills
        if over.is_set():
            return


def load_it(folder: Path, study: Study, given: argparse.Namespace) -> tuple[Load, float]:
    """Let the crowd work, the server being killed on the way; return what they saw and the seconds it took."""
    cookies, load, over = seat(study, given.raters), Load(), threading.Event()
    pauses = [given.seconds / (given.kills + 1)] * given.kills
    with server(folder) as (_, address):
        port = int(address.rpartition(":")[2])
    thread = threading.Thread(target=serve_and_kill, args=(folder, port, pauses, over))
    thread.start()
    time.sleep(5)
    began = time.perf_counter()
    asyncio.run(
        crowd(address, study, cookies, load, think_s=given.think, seconds=given.seconds, watching=True)
    )
    took = time.perf_counter() - began
    over.set()
    thread.join()
    return load, took


def main() -> int:
    """Run the load, print the figures, check that nothing was lost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--raters", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--database-url", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "study"
        settings = {"depth": given.raters, "repeats": 0.0, "database": given.database_url}
        with make(folder, count=given.items, raters=given.raters, **settings) as study:
            load, took = load_it(folder, study, given)
            print(as_json(load), f"{len(load.saved) / took:.0f} saves a second, think {given.think} s")
            for name, seen in (("coordinator", load.coordinator), ("adjudicator", load.adjudicator)):
                print(
                    f"{name}: {len(seen)} pages, p50 {quantile(seen, 0.5)} ms, p95 {quantile(seen, 0.95)} ms"
                )
            lost = missing(study, load)
            with study.database.read() as connection:
                found = verify(connection, key=study.public_key, expect=study.anchored)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {given.kills} kills")
    print(
        f"lost: {len(lost)}; ledger: {found.entries} entries, {'verified' if found.ok else found.problems[:3]}"
    )
    return 1 if lost or not found.ok or load.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
