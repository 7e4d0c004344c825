"""Engine, report and start-up beside the commit before: CPU and wall of each as a ratio, both in turn within one run.

    python benchmarks/before.py [--commit HEAD~1] [--only engine] [--rounds 5] [--quick]

The commit is checked out into a folder that is thrown away, and each command is run on it with its own benchmark and its
own sources. Rounds alternate which of the two goes first, so that what else the machine does falls on both. Exit 1 where
the median ratio of CPU is above 1.10.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST = 1.10
TEN_TIMES = (
    "import subprocess, sys; [subprocess.run([sys.executable, '-m', 'percuss', '--help'], check=True, "
    "stdout=subprocess.DEVNULL) for _ in range(10)]"
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "engine": ("benchmarks/engine.py", "--n", "2000", "--latency-ms", "20", "--concurrency", "100"),
    "report": ("benchmarks/report.py", "--claims", "30000"),
    "start-up": ("-c", TEN_TIMES),
}
QUICK: dict[str, tuple[str, ...]] = {
    "engine": ("benchmarks/engine.py", "--n", "100", "--latency-ms", "5", "--concurrency", "100"),
    "report": ("benchmarks/report.py", "--claims", "500"),
    "start-up": ("-m", "percuss", "--help"),
}


@dataclass(frozen=True)
class Took:
    """What one run of a command took, its children counted."""

    cpu: float
    wall: float


def run(tree: Path, command: tuple[str, ...]) -> Took:
    """Run a command on the sources of a tree.

    Args:
        tree: a checkout. command: arguments of Python, started in it.
    """
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *command], cwd=tree, env=environment, stdout=subprocess.DEVNULL
    ) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)} failed in {tree} with {child.returncode}")
    return Took(used.ru_utime + used.ru_stime, time.perf_counter() - began)


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check a commit out beside this tree, and remove it again."""
    with tempfile.TemporaryDirectory(prefix="percuss-before-") as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def ratios(name: str, command: tuple[str, ...], before: Path, rounds: int) -> bool:
    """Print the ratios of one command, and say whether that of CPU holds."""
    for tree in (before, ROOT):
        run(tree, QUICK[name])  # bytecode and caches of both
    pairs = []
    for at in range(rounds):
        order = (before, ROOT) if at % 2 else (ROOT, before)
        took = {tree: run(tree, command) for tree in order}
        pairs.append((took[ROOT], took[before]))
    cpu = statistics.median(now.cpu / then.cpu for now, then in pairs)
    wall = statistics.median(now.wall / then.wall for now, then in pairs)
    least, most = (edge(now.cpu / then.cpu for now, then in pairs) for edge in (min, max))
    held = "held" if cpu <= MOST else "MISSED"
    print(
        f"{name}: CPU {cpu:.3f} of the commit before ({least:.3f} to {most:.3f}; {pairs[0][0].cpu:.2f} s), wall {wall:.3f}; "
        f"limit {MOST:.2f}: {held}",
        flush=True,
    )
    return cpu <= MOST


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commit", default="HEAD~1")
    parser.add_argument("--only", choices=sorted(COMMANDS), action="append")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--quick", action="store_true", help="tiny inputs and one round, to see that all of it runs"
    )
    given = parser.parse_args()
    commands = QUICK if given.quick else COMMANDS
    with checked_out(given.commit) as before:
        held = [
            ratios(name, commands[name], before, 1 if given.quick else given.rounds)
            for name in given.only or COMMANDS
        ]
    return 0 if given.quick or all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
