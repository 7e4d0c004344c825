"""The concept layer against a bare pass of a number and a word expression over the same text.

    python benchmarks/concepts.py [--chars 400000] [--texts FILE.jsonl]

Target (spec, reading): statements read in at most 6 times the CPU of the bare pass, which finds every number and word with its
place. CPU seconds, best of three; sentences differ, so that no cache of read texts helps. Loading the table is timed apart.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import bare
from percuss.text.concepts import mentions, read_statements
from percuss.text.concepts.matching import scan
from percuss.text.numbers import numbers

TARGET = 6.0
LABELLED = Path(__file__).parents[1] / "tests" / "unit" / "text" / "labelled"


def sentences(chars: int, path: Path | None) -> list[str]:
    """Return sentences, each a text of its own, until there are enough characters."""
    if path is not None:
        lines = [
            str(text)
            for line in path.read_text(encoding="utf-8").splitlines()
            for text in json.loads(line)["texts"]
        ]
    else:
        files = ("numbers.txt", "frames.txt", "statements.txt")
        rows = [line for name in files for line in (LABELLED / name).read_text(encoding="utf-8").splitlines()]
        lines = [line.partition(" =>")[0] for line in rows if "=>" in line and not line.startswith("#")]
    made: list[str] = []
    size = number = 0
    while size < chars:
        text = f"{lines[number % len(lines)]} Sample s{number}."
        made.append(text)
        size += len(text)
        number += 1
    return made


def seconds(read: Callable[[str], object], texts: list[str]) -> float:
    """Return the CPU seconds of reading all texts, best of three; caches are emptied before each."""
    best = float("inf")
    for _ in range(3):
        for cached in (numbers, mentions):
            cached.cache_clear()
        start = time.process_time()
        for text in texts:
            read(text)
        best = min(best, time.process_time() - start)
    return best


def load_seconds() -> float:
    """Return the CPU seconds of building the lexicon in a fresh process, imports apart."""
    code = "import time; import percuss.text.concepts.lexicon as L; t = time.process_time(); L.lexicon(); print(time.process_time() - t)"
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    )


def main() -> None:
    """Print the ratios to the bare pass and the time of loading."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--chars", type=int, default=300_000)
    parser.add_argument("--texts", type=Path, help="JSONL of {texts: [..]} instead of the labelled sentences")
    arguments = parser.parse_args()
    texts = sentences(arguments.chars, arguments.texts)
    read_statements(texts[0])
    size = sum(map(len, texts))
    base = seconds(bare.kept, texts)
    print(
        f"{len(texts):,} texts, {size:,} characters; bare pass {base / size * 1e6:.3f} s per million characters"
    )
    steps: dict[str, Callable[[str], object]] = {
        "words and phrases": scan, "numbers": numbers, "mentions": mentions, "statements": read_statements
    }  # fmt: skip
    for name, read in steps.items():
        spent = seconds(read, texts)
        print(
            f"{name:18} {spent / size * 1e6:6.2f} s/Mchar  {spent / base:5.1f} x bare (target {TARGET:.0f})"
        )
    print(f"table and lexicon loaded in {load_seconds() * 1000:.0f} ms CPU (target 100)")


if __name__ == "__main__":
    main()
