"""Start-up: `percuss --help` and `import percuss` beside a bare interpreter, bytecode compiled, medians of several runs."""

import compileall
import statistics
import subprocess
import sys
import time
from pathlib import Path

import percuss

RUNS = 15
TARGET_S = {"percuss --help": 0.25, "import percuss": 0.15, "import percuss.stats and numpy": None}


def seconds(arguments: list[str]) -> float:
    """Return the median wall time of a process."""
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def main() -> None:
    """Print each start-up, its ratio to a bare interpreter, and its target."""
    compileall.compile_dir(Path(percuss.__file__).parent, quiet=2)
    bare = seconds(["-c", "pass"])
    rows = {
        "percuss --help": ["-m", "percuss", "--help"],
        "import percuss": ["-c", "import percuss"],
        "import percuss.stats and numpy": ["-c", "import percuss.stats, numpy"],
    }
    print(f"bare interpreter: {bare:.3f} s (median of {RUNS})")
    for name, arguments in rows.items():
        took = seconds(arguments)
        target = TARGET_S[name]
        held = "" if target is None else f", target {target} s: {'held' if took <= target else 'MISSED'}"
        print(f"{name}: {took:.3f} s, {took / bare:.1f} x bare{held}")


if __name__ == "__main__":
    main()
