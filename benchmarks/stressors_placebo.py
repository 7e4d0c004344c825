"""Do placebos stay quiet, and are planted effects found? Cells of known shares through the protocol's contrasts.

Run: .venv/bin/python benchmarks/stressors_placebo.py [seeds]
Placebos: 26 vignettes, every metric drawn from one distribution in all arms; a false alarm is a seed with any
Holm-adjusted p < .05 among all placebo contrasts. Effects: fcr shifted by .10 under omission and a further .16 where
omission and delay meet, at 107 vignettes.
"""

import sys
import time

import numpy as np

from percuss.core.records import Cell
from percuss.measure.quantity import Plan
from percuss.measure.tally import tallies
from percuss.protocols.stressors.estimate.contrasting import contrasts
from percuss.protocols.stressors.estimate.effects import effects
from percuss.protocols.stressors.estimate.names import parts
from percuss.protocols.stressors.options import RATER
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, PLACEBOS

ITEMS = {
    "pir": 2,
    "rir": 2,
    "ef": 5,
    "fcr": 5,
    "nfr": 4,
    "ufr": 4,
    "hpr": 2,
    "hccr": 2,
    "dhdr": 5,
    "cho": 4,
    "cfa": 1,
}
BASE = {"pir": 0.7, "rir": 0.3, "ef": 0.7, "cho": 0.2, "hpr": 0.4}


def cells(arms: tuple[str, ...], n: int, seed: int, *, shift: float = 0.0, both: float = 0.0) -> list[Cell]:
    """Draw each metric as a share of few items, with a vignette's own level, as trajectories give it."""
    rng = np.random.default_rng(seed)
    own = rng.normal(0, 0.1, n)
    out = []
    for name, items in ITEMS.items():
        for arm in arms:
            on = parts(arm)
            extra = (
                (shift * ("omission" in on) + both * ({"omission", "delay"} <= on)) if name == "fcr" else 0.0
            )
            share = np.clip(BASE.get(name, 0.2) + own + extra, 0, 1)
            for at in range(n):
                hits = float(rng.binomial(items, share[at])) / items
                out.append(
                    Cell(
                        name=name,
                        model="phantom/made",
                        arm=arm,
                        labels=RATER,
                        case_id=str(at),
                        cluster=str(at),
                        num=hits,
                        den=1.0,
                    )
                )
    return out


def placebo_alarms(seeds: int, n: int = 26) -> int:
    """Return how many seeds have any Holm-adjusted p < .05 among contrasts of placebos with baseline."""
    alarms = 0
    for seed in range(seeds):
        held = tallies(cells(("baseline", *PLACEBOS), n, seed))
        found = contrasts(held, Plan(seed=seed, B=5_000))
        alarms += any(e.p_adjusted is not None and e.p_adjusted < 0.05 for e in found)
    return alarms


def found_effects(seeds: int, n: int = 107) -> tuple[int, int, float, float]:
    """Return in how many seeds the main effect and the interaction are found, and their mean values."""
    main = inter = 0
    values: list[tuple[float, float]] = []
    for seed in range(seeds):
        held = {
            k: v
            for k, v in tallies(cells(FACTORIAL, n, seed, shift=0.10, both=0.16)).items()
            if k[0] in {"fcr", "nfr"}
        }
        made = {(e.name, e.arm): e for e in effects(held, Plan(seed=seed, B=5_000))}
        o, od = made["fcr_effect", "effect:omission"], made["fcr_effect", "effect:omission*delay"]
        main += (o.p_adjusted or 1) < 0.05
        inter += (od.p_adjusted or 1) < 0.05
        values.append((o.value or 0, od.value or 0))
    means = np.mean(values, axis=0)
    return main, inter, float(means[0]), float(means[1])


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    began = time.time()
    print(
        f"placebo: {placebo_alarms(count)} of {count} seeds with any Holm-adjusted p < .05 ({time.time() - began:.0f} s)"
    )
    few = max(10, count // 5)
    main, inter, o, od = found_effects(few)
    print(
        f"planted on omission .10, extra with delay .16 (E_O .18, E_OD .08): means {o:.3f}, {od:.3f}; found in {main} and {inter} of {few}"
    )
