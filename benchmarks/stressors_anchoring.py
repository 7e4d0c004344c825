"""Is planted anchoring recovered, and does noise stay without one? Replays of a simulated clinician, both strikes with the same seeds.

Run: .venv/bin/python benchmarks/stressors_anchoring.py [seeds] [vignettes]
Prints the mean over seeds of `causal_anchoring` beside what was planted, and in how many seeds the interval holds the truth: a
clinician of whom half the cases hinge on what they made up first, and one that hinges on nothing and names another diagnosis in
three of ten final answers.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from percuss.core.ports import Model
from percuss.core.records import Cell, Estimate
from percuss.measure.quantity import Plan
from percuss.measure.tally import tallies
from percuss.protocols.stressors.estimate.anchoring import anchoring
from percuss.protocols.stressors.replaying import BASE, REPLAYED
from percuss.protocols.stressors.scenario.vignettes import Vignette
from tests.protocols.stressors.direct import assessed, case_of, cells_of, clinician, following
from tests.protocols.stressors.generator import vignette

HINGES = "phantom/clinician?hinge=0.5&fabricate=0"
NOISY = "phantom/clinician?noise=0.3&fabricate=0.3"
DRAWS = 3


class Found(NamedTuple):
    """Over seeds: mean of the estimates, what was planted, and how many intervals held it (None: no interval)."""

    mean: float
    planted: float
    held: int
    seeds: int


async def _cells(made: Sequence[Vignette], model: Model, seed: int) -> list[Cell]:
    out: list[Cell] = []
    for each in made:
        first = await assessed(case_of(each), BASE, model, seed)
        assert first is not None
        for draw in range(1, DRAWS + 1):
            for kind in REPLAYED:
                then = await following(first, f"{kind}:draw={draw}", model, seed)
                out += [] if then is None else cells_of([then], seed)
    return out


def estimate_of_seed(name: str, made: Sequence[Vignette], seed: int) -> Estimate:
    """Return `causal_anchoring` of one seed."""
    cells = asyncio.run(_cells(made, clinician(name, made, seed), seed))
    return next(e for e in anchoring(tallies(cells), Plan(seed=seed, B=500)) if e.name == "causal_anchoring")


def recovered(name: str, seeds: Sequence[int], n: int) -> Found:
    """Return how often the truth lies in the interval, over seeds.

    Args:
        name: of the phantom. seeds: of the draws. n: vignettes.
    """
    made = [vignette(number) for number in range(n)]
    planted = clinician(name, made, 1).expected(["strike"])["causal_anchoring", "strike"]
    found = [estimate_of_seed(name, made, seed) for seed in seeds]
    held = sum(e.low is not None and e.high is not None and e.low <= planted <= e.high for e in found)
    return Found(float(np.mean([e.value for e in found if e.value is not None])), planted, held, len(found))


def main() -> None:
    seeds, n = (int(x) for x in (sys.argv[1:3] or ("200", "26")))
    for name in (HINGES, NOISY):
        began = time.time()
        found = recovered(name, range(seeds), n)
        print(
            f"{name}, {n} vignettes: planted {found.planted:.3f}, mean {found.mean:.3f}; the interval holds it in {found.held} of "
            f"{found.seeds} seeds ({time.time() - began:.0f} s)"
        )


if __name__ == "__main__":
    main()
