"""Comparing two Inspect logs: read, paired, resampled and said, beside a bare pass over the same files (unzip, parse).

    python benchmarks/logs.py [--samples 2000] [--rounds 5]

Two logs of so many samples, each with a question, an answer and a score, are written to a folder that is thrown away.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from percuss.api.report.comparing import compare

WORDS = "the patient was seen again after two weeks and the swelling of the left knee had gone down".split()


def write_log(path: Path, model: str, samples: int, right: float) -> Path:
    """Write a log in Inspect's format.

    Args:
        path: of the file. model: that answered. samples: how many. right: share of answers scored 1.
    """
    draws = random.Random(model)
    config = {"dataset": {"samples": samples}, "config": {"epochs": 1}}
    head = {"status": "success", "eval": {"task": "bench", "model": model, **config}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("_journal/start.json", json.dumps(head))
        held.writestr("header.json", json.dumps(head))
        for n in range(samples):
            said = " ".join(draws.choices(WORDS, k=200))
            told = " ".join(random.Random(n).choices(WORDS, k=60))  # the same for every model
            sample = {
                "id": f"s{n}", "epoch": 1, "input": f"What happened to patient {n}? {told}",
                "target": "", "metadata": {}, "messages": [{"role": "assistant", "content": said}],
                "output": {"choices": [{"message": {"role": "assistant", "content": said}}]},
                "scores": {"checked": {"value": int(draws.random() < right)}},
            }  # fmt: skip
            held.writestr(f"samples/s{n}_epoch_1.json", json.dumps(sample))
    return path


def bare(paths: list[Path]) -> None:
    """Unzip and parse all samples of some logs."""
    for path in paths:
        with zipfile.ZipFile(path) as held:
            for name in held.namelist():
                json.loads(held.read(name))


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and CPU seconds of some work."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    """Compare the logs, in turn with the bare pass."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="percuss-logs-") as folder:
        shares = {"one": 0.7, "two": 0.6}
        logs = [write_log(Path(folder) / f"{m}.eval", m, given.samples, share) for m, share in shares.items()]
        took = [(seconds(lambda: compare(logs)), seconds(lambda: bare(logs))) for _ in range(given.rounds)]
    wall, cpu = (statistics.median(ours[at] for ours, _ in took) for at in (0, 1))
    ratio = statistics.median(ours[1] / theirs[1] for ours, theirs in took)
    print(
        f"two logs of {given.samples:,} samples: {wall:.2f} s wall, {cpu:.2f} s CPU, {ratio:.1f} x a bare pass over the files; limit 5 s"
    )


if __name__ == "__main__":
    main()
