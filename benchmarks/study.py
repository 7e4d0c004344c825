"""100 simulated raters on one portal, coordinator and adjudicator open: milliseconds from pressing save to the durable answer.

    python benchmarks/study.py [--raters 100] [--seconds 120] [--think 1.0] [--kills 3] [--store both] [--database-url postgresql://..]

Runs on SQLite and on PostgreSQL (of `--database-url`, of PERCUSS_TEST_POSTGRES_URL, or started by `scripts/services`) and prints a table.

Server and raters share the machine. A rater thinks `--think` seconds on average before each save, far less than a person;
`--think 0` shows what the portal can take. `--kills` ends the server with SIGKILL that often and starts it again: saves that
were acknowledged must all be there. Targets on two quiet cores: p95 of a save under 150 ms, coordinator under 500 ms.
What waited for a restart is counted with all others, and p95 is printed without it, too.
"""

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sqlalchemy import text

from percuss.study.store.database import open_engine
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import make
from tests.study_load import Load, Seen, crowd, missing, seat, server


def quantile(seen: Sequence[Seen], share: float) -> float:
    """Return a quantile in milliseconds."""
    ordered = sorted(one.seconds for one in seen) or [0.0]
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def apart(load: Load, seen: Sequence[Seen]) -> str:
    """Return p95 of all, and of those that met no restart beside how many did and the longest of them."""
    met = [one for one in seen if load.met(one)]
    if not met:
        return f"{quantile(seen, 0.95)} of {len(seen)}"
    calm = [one for one in seen if not load.met(one)]
    return (
        f"{quantile(seen, 0.95)} of {len(seen)}; {quantile(calm, 0.95)} without the {len(met)} "
        f"that met a restart (up to {quantile(met, 1.0):.0f})"
    )


def serve_and_kill(folder: Path, port: int, pauses: list[float], over: threading.Event, load: Load) -> None:
    """Serve until it is over; kill and start again after each pause."""
    gone = time.monotonic()
    for n, pause in enumerate([*pauses, None]):
        with server(folder, port):
            if n:
                load.down.append((gone, time.monotonic()))
            over.wait(pause)
            gone = time.monotonic()  # leaving kills
        if over.is_set():
            return


def load_it(folder: Path, study: Study, given: argparse.Namespace) -> tuple[Load, float]:
    """Let the crowd work, the server being killed on the way; return what they saw and the seconds it took."""
    cookies, load, over = seat(study, given.raters), Load(), threading.Event()
    pauses = [given.seconds / (given.kills + 1)] * given.kills
    with server(folder) as (_, address):
        port = int(address.rpartition(":")[2])
    thread = threading.Thread(target=serve_and_kill, args=(folder, port, pauses, over, load))
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


def postgres(given: str) -> str:
    """Return a URL of a PostgreSQL server: the one given, that of the tests, or one that `scripts/services` starts."""
    known = given or os.environ.get("PERCUSS_TEST_POSTGRES_URL", "")
    if known:
        return known
    command = [str(Path(__file__).resolve().parents[1] / "scripts" / "services"), "start"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return next(line.partition("=")[2] for line in told.splitlines() if "PERCUSS_TEST_POSTGRES_URL=" in line)


@contextmanager
def fresh(store: str, url: str) -> Iterator[str]:
    """Give the URL of an empty database of a store; empty text for SQLite."""
    if store == "SQLite":
        yield ""
        return
    engine, name = open_engine(postgres(url)), f"percuss_{uuid.uuid4().hex[:12]}"
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    own = engine.url.set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    engine.dispose()


def once(store: str, given: argparse.Namespace) -> bool:
    """Run the load on one store, print its row, and return whether nothing was lost."""
    with tempfile.TemporaryDirectory() as scratch, fresh(store, given.database_url) as database:
        folder = Path(scratch) / "study"
        settings = {"depth": given.raters, "repeats": 0.0, "database": database}
        with make(folder, count=given.items, raters=given.raters, **settings) as study:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            load, took = load_it(folder, study, given)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            lost = missing(study, load)
            with study.database.read() as connection:
                found = verify(connection, key=study.public_key, expect=study.anchored)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rate = f"{len(load.saved)} ({len(load.saved) / took:.0f} per second)"
    cells = [store, rate, f"{1000 * cpu / max(1, len(load.saved)):.1f}"]
    cells += [
        f"{quantile(seen, 0.5)} / {apart(load, seen)}; p99 {quantile(seen, 0.99)}"
        for seen in (load.saves, load.coordinator, load.adjudicator)
    ]
    cells += [
        f"{len(lost)} (failed {load.failed}, broken {load.broken})",
        " ".join(f"{end - begin:.1f}" for begin, end in load.down) or "-",
    ]
    cells += [f"{found.entries} entries, {'verified' if found.ok else found.problems[:2]}"]
    print(f"| {' | '.join(cells)} | {os.getloadavg()[0]:.1f} |", flush=True)
    return not lost and found.ok and not load.failed


HEAD = (
    "store | saves | server's CPU per save ms | save p50 / p95 ms | coordinator p50 / p95 ms | "
    "adjudicator p50 / p95 ms | lost | away s | ledger | load average"
)


def main() -> int:
    """Run the load on each store, print the table, check that nothing was lost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--raters", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--store", choices=["SQLite", "PostgreSQL", "both"], default="both")
    parser.add_argument("--database-url", default="", help="PostgreSQL server; default: as the tests have it")
    given = parser.parse_args()
    stores = ("SQLite", "PostgreSQL") if given.store == "both" else (given.store,)
    kills = f"{given.kills} SIGKILLs, {os.cpu_count()} cores"
    print(f"{given.raters} raters, {given.think} s apart, {given.seconds:.0f} s, {kills}\n\n| {HEAD} |")
    print("|---" * 10 + "|", flush=True)
    fine = [once(store, given) for store in stores]  # each, even where the first lost something
    return 0 if all(fine) else 1


if __name__ == "__main__":
    raise SystemExit(main())
