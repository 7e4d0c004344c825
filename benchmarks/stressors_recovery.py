"""Is every metric recovered? 200 seeds of a simulated clinician: mean against expectation, coverage of the intervals.

Run: .venv/bin/python benchmarks/stressors_recovery.py [seeds] [vignettes] [out.json]
Each seed poses generated vignettes in the arm with all three stressors, where every metric has a denominator.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from percuss.measure.quantity import Plan
from percuss.measure.rates import rates
from percuss.measure.tally import tallies
from percuss.protocols.stressors.estimate.names import METRICS
from percuss.protocols.stressors.options import RATER
from tests.protocols.stressors.direct import cells_of, clinician, trial
from tests.protocols.stressors.generator import vignette

ARM = "omission+contradiction+delay"
NAME = "phantom/clinician?fabricate=0.45&wrong=0.75"


def main() -> None:
    seeds, n = (int(x) for x in (sys.argv[1:3] or ("200", "180")))
    made = [vignette(number) for number in range(n)]
    values: dict[str, list[float]] = {}
    covered: dict[str, list[bool]] = {}
    sizes: dict[str, list[int]] = {}
    began = time.time()
    for seed in range(seeds):
        model = clinician(NAME, made, seed)
        expected = model.expected([ARM])
        held = tallies(cells_of(trial(made, [ARM], model, seed), seed))
        plan = Plan(seed=seed, B=1_000)
        for metric in METRICS:
            name = metric.quantity.name
            e = next(rates(held[name, RATER], metric.quantity, plan))
            if (name, ARM) not in expected or e.value is None:
                continue
            values.setdefault(name, []).append(e.value)
            sizes.setdefault(name, []).append(e.n)
            if e.low is not None and e.high is not None:
                covered.setdefault(name, []).append(e.low - 1e-9 <= expected[name, ARM] <= e.high + 1e-9)
    print(f"{seeds} seeds, {n} vignettes, {time.time() - began:.0f} s")
    print(f"{'metric':14} {'expected':>8} {'mean':>8} {'error':>8} {'coverage':>8} {'least n':>8}")
    out = {}
    for name, held_values in values.items():
        want = expected[name, ARM]
        mean, cover = float(np.mean(held_values)), float(np.mean(covered.get(name, [True])))
        out[name] = {"expected": want, "mean": mean, "coverage": cover, "least_n": min(sizes[name])}
        print(f"{name:14} {want:8.4f} {mean:8.4f} {mean - want:+8.4f} {cover:8.3f} {min(sizes[name]):8}")
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
