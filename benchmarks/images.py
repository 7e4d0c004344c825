"""Speed and memory of the image edits: seven arms of 512 x 512 films, encode included.

Run: python benchmarks/images.py [--images N] [--film]. Prints pictures a second over two processes and how the memory of one
process grows over N pictures; nothing is kept. Targets: at least 300 pictures a second on two cores, memory flat over
10,000. `--film` instead runs the protocol on one film of 2,500 x 2,500 with all its questions and arms, and prints what the run
takes on disk (at most 10 MB): the film once, and how each edit is made again.
"""

import argparse
import json
import resource
import sqlite3
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from click.testing import CliRunner
from PIL import Image

from percuss.cli import cli
from percuss.protocols.explanation.chest import draw, sample
from percuss.protocols.explanation.images import image_edits, png
from percuss.protocols.explanation.images.image_edits import Pixels

BOXES = [(0.05, 0.70, 0.35, 0.95), (0.65, 0.70, 0.95, 0.95)]
SIZE, FILMS, LARGE = 512, 8, 2_500
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


def film_run() -> None:
    """Run the protocol on one large film and print what it takes."""
    fields = sample(3, seed=42, mix="balanced")
    dice = np.random.default_rng(1)
    large = np.asarray(
        Image.fromarray(draw(fields, 3, seed=42)).resize((LARGE, LARGE), Image.Resampling.BICUBIC)
    )
    grainy = np.clip(large + dice.normal(0, 2, large.shape), 1, 250).astype(np.uint8)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        Image.fromarray(grainy).save(folder / "film.jpg", quality=95)
        (folder / "cases.jsonl").write_text(
            json.dumps({"image": "film.jpg", "fields": dict(fields)}), encoding="utf-8"
        )
        command = ["run", "explanation", "--model", "phantom/reader", "--cases", str(folder / "cases.jsonl")]
        made = CliRunner().invoke(cli, [*command, "--out", str(folder / "run"), "--no-report"])
        if made.exit_code:
            raise SystemExit(made.output)
        taken = (folder / "run" / "run.sqlite").stat().st_size
        with sqlite3.connect(folder / "run" / "run.sqlite") as db:
            (answers,) = db.execute("SELECT count(*) FROM responses WHERE status = 'done'").fetchone()
            (cases,) = db.execute("SELECT count(*) FROM cases").fetchone()
        film = (folder / "film.jpg").stat().st_size
        print(
            f"one film of {LARGE} x {LARGE} ({film / 1e6:.1f} MB as JPEG), {cases} questions, {answers} answers: {taken / 1e6:.1f} MB on disk (at most 10)"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=10_000)
    parser.add_argument("--film", action="store_true")
    given = parser.parse_args()
    if given.film:
        film_run()
        return
    count = given.images
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
