"""100 simulated raters on one portal: milliseconds from pressing save to the durable answer with the next item.

    python benchmarks/study.py [--raters 100] [--seconds 30] [--think 1.0] [--database-url postgresql://..]

Server and raters share the machine. A rater thinks `--think` seconds on average before each save, far less than a person;
`--think 0` shows what the portal can take. Target on two cores: p95 under 150 ms.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from percuss.study.store.verifying import verify
from tests.studies import make
from tests.study_load import Load, as_json, crowd, missing, seat, server


def cpu_s(pid: int) -> float:
    """Return the CPU seconds that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Run the load, print the figures, check that nothing was lost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--raters", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--database-url", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "study"
        settings = {
            "raters": given.raters,
            "depth": given.raters,
            "repeats": 0.0,
            "database": given.database_url,
        }
        with make(folder, count=given.items, **settings) as study:
            cookies = seat(study, given.raters)
            load = Load()
            with server(folder) as (process, address):
                began, before = time.perf_counter(), cpu_s(process.pid)
                asyncio.run(crowd(address, study, cookies, load, think_s=given.think, seconds=given.seconds))
                wall, spent = time.perf_counter() - began, cpu_s(process.pid) - before
            print(as_json(load), f"{len(load.saved) / wall:.0f} saves a second, think {given.think} s")
            print(
                f"server: {1000 * spent / max(1, len(load.saved)):.1f} ms CPU a save; load average {os.getloadavg()[0]:.1f}"
            )
            lost = missing(study, load)
            with study.database.read() as connection:
                found = verify(connection)
    print(
        f"lost: {len(lost)}; ledger: {found.entries} entries, {'verified' if found.ok else found.problems[:3]}"
    )
    return 1 if lost or not found.ok or load.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
