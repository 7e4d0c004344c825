"""Speed and memory of the image edits: seven arms of 512 x 512 films, encode included.

Run: python benchmarks/images.py [--images N]. Prints pictures a second over two processes and how the memory of one
process grows over N pictures; nothing is written. Targets: at least 300 pictures a second on two cores, memory flat over
10,000.
"""

import argparse
import resource
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from percuss.protocols.explanation.images import image_edits, png
from percuss.protocols.explanation.images.image_edits import Pixels

BOXES = [(0.05, 0.70, 0.35, 0.95), (0.65, 0.70, 0.95, 0.95)]
SIZE, FILMS = 512, 8
#: The seven arms whose picture is made: text arms send the unmodified one, which is encoded once as well.
ARMS = ("none", "vb_bb", "vb_hm", "vh_bb", "vh_hm", "vo_bb", "blank")


def films() -> list[Pixels]:
    """Pictures with the grain of a radiograph."""
    dice = np.random.default_rng(1)
    slope = np.sin(np.arange(SIZE) / 70)[:, None] * 40 + np.cos(np.arange(SIZE) / 50)[None, :] * 30 + 110
    return [np.clip(slope + dice.normal(0, 4, (SIZE, SIZE)), 8, 250).astype(np.uint8) for _ in range(FILMS)]


def edited(film: Pixels, arm: str) -> bytes:
    """One picture as it is sent."""
    sides = BOXES[:1] if arm.startswith("vb_") else BOXES
    if arm == "vo_bb":
        film = image_edits.occlude(film, sides)
    elif arm == "blank":
        film = image_edits.blank(film)
    elif arm.endswith("_bb"):
        film = image_edits.outline(film, sides)
    elif arm.endswith("_hm"):
        film = image_edits.heat(film, sides)
    return png.encode(film)


def worked(count: int) -> tuple[float, float, int, int]:
    """Make `count` pictures; return seconds, CPU seconds, bytes, and growth of memory in KiB after the first tenth."""
    held = films()
    edited(held[0], "vh_hm")
    start, cpu, total, early = time.perf_counter(), time.process_time(), 0, 0
    for i in range(count):
        total += len(edited(held[i % FILMS], ARMS[i % len(ARMS)]))
        if i == count // 10:
            early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - early
    return time.perf_counter() - start, time.process_time() - cpu, total, grown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=10_000)
    count = parser.parse_args().images
    with ProcessPoolExecutor(2) as pool:
        start = time.perf_counter()
        rows = list(pool.map(worked, [count // 2, count - count // 2]))
        wall = time.perf_counter() - start
    cpu = sum(row[1] for row in rows)
    print(
        f"{count} pictures of {SIZE} x {SIZE}, {len(ARMS)} arms: {count / wall:.0f} a second over two processes"
    )
    print(
        f"{1000 * cpu / count:.2f} ms of CPU each: {2 * count / cpu:.0f} a second on two free cores (target 300)"
    )
    print(
        f"{sum(row[2] for row in rows) / count / 1024:.0f} KiB each; memory grew by {max(row[3] for row in rows)} KiB"
    )


if __name__ == "__main__":
    main()
