"""How often the leak test finds planted leaks and leaves clean sets alone: `python benchmarks/leaks.py [SETS]` (about two minutes)."""

import sys

import numpy as np

from percuss.judging.leaks import leaks_of_items
from percuss.stats.leakage import leaks
from tests.unit.judging.test_leaks import PLANTS, items


def clean_sets_refused(sets: int) -> int:
    """Count the sets of random features that are refused; reading.md, section 3 allows 5 of 1,000."""
    refused = 0
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        features = {f"f{k}": rng.integers(0, int(rng.integers(2, 12)), 120).tolist() for k in range(12)}
        told = leaks(features, ["a", "b"] * 60, cases=[n // 2 for n in range(120)], seed=seed)
        refused += any(leak.refused for leak in told)
    return refused


def planted_found(seeds: int) -> int:
    """Count the seeds in which a planted leak is the first refused; reading.md, section 3 wants 100 of 100."""
    plants = list(PLANTS.values())
    return sum(
        leaks_of_items(items(plants[n % len(plants)], seed=n, cases=60), seed=n)[0][1].refused
        for n in range(seeds)
    )


if __name__ == "__main__":
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"clean sets refused: {clean_sets_refused(sets)} of {sets}")
    print(f"planted leaks found: {planted_found(100)} of 100 seeds")
