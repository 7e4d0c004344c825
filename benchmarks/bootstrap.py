"""Speed, memory and import cost of the cluster bootstrap.

Run: python benchmarks/bootstrap.py [--memory-only]. Prints ratios of one run; nothing is written.
Targets: all six HDI differences of 119 clusters x 4 models at B = 10,000 at least 8 times faster than scipy, a
million clusters under 2 GB, `import percuss.stats` and all its functions under 0.1 s of CPU beyond numpy and scipy.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Arm = tuple[Floats, Floats, Floats, Floats]

CLUSTERS, MODELS, B = 119, 4, 10_000
MANY, FEW_RESAMPLES = 1_000_000, 100


def arms(clusters: int) -> list[Arm]:
    """Unsupported and all claims per patient, grounded and ungrounded, at the rates of papers/0, Table 2."""
    rng = np.random.default_rng(1)
    out = []
    for u_g, u_b in ((0.002, 0.16), (0.04, 0.059), (0.052, 0.648), (0.14, 0.915)):
        n_g, n_b = (rng.poisson(8, clusters) + 1.0 for _ in range(2))
        counts = rng.binomial(n_g.astype(int), u_g), n_g, rng.binomial(n_b.astype(int), u_b), n_b
        a, b, c, d = (np.asarray(x, dtype=np.float64) for x in counts)
        out.append((a, b, c, d))
    return out


def best(function: Callable[[], object], repeats: int) -> float:
    """Least CPU seconds of several runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def scipy_pairs(data: list[Arm]) -> list[tuple[float, float]]:
    """The same six differences by scipy.stats.bootstrap, vectorised and paired."""
    from scipy.stats import bootstrap

    def difference(*x: Floats, axis: int) -> Floats:
        s = [v.sum(axis=axis) for v in x]
        out: Floats = (s[4] / s[5]) / (s[6] / s[7]) - (s[0] / s[1]) / (s[2] / s[3])
        return out

    ends = []
    for i, j in combinations(range(MODELS), 2):
        ci = bootstrap(
            (*data[i], *data[j]), difference, paired=True, vectorized=True, n_resamples=B, method="percentile",
            rng=np.random.default_rng(1), batch=1_000,
        ).confidence_interval  # fmt: skip
        ends.append((float(ci.low), float(ci.high)))
    return ends


def speed() -> None:
    from percuss.stats import hdi_differences

    data = arms(CLUSTERS)
    ours = hdi_differences(data, seed=1, B=B)
    theirs = scipy_pairs(data)
    gap = max(
        max(abs((d.result.low or 0) - low), abs((d.result.high or 0) - high)) / (high - low)
        for d, (low, high) in zip(ours.differences, theirs, strict=True)
    )
    seconds = best(lambda: hdi_differences(data, seed=1, B=B), 5)
    scipy_seconds = best(lambda: scipy_pairs(data), 2)
    print(
        f"six HDI differences (ours with the four HDIs and Holm's p), {CLUSTERS} clusters x {MODELS} models, B = {B:,}"
    )
    print(
        f"  percuss {seconds:.3f} s CPU, scipy.stats.bootstrap {scipy_seconds:.3f} s CPU, ratio {scipy_seconds / seconds:.1f}"
    )
    print(f"  largest difference of a limit: {100 * gap:.1f}% of the interval's width (other random draws)")


def memory() -> None:
    from percuss.stats import hdi_differences

    data = arms(MANY)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    result = hdi_differences(data, seed=1, B=FEW_RESAMPLES)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{MANY:,} clusters x {MODELS} models: peak {peak:,.0f} MB ({before:,.0f} MB of it data and libraries)"
    )
    print(f"  {seconds / FEW_RESAMPLES * 1000:.0f} ms CPU a resample; {result}")


def import_cost() -> None:
    code = (
        "import time, numpy, scipy.special; t = time.process_time(); import percuss.stats as s; a = time.process_time();"
        "[getattr(s, n) for n in s.__all__]; print(a - t, time.process_time() - t)"
    )
    runs = [
        [
            float(v)
            for v in subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True
            ).stdout.split()
        ]
        for _ in range(5)
    ]
    bare, full = (min(r[i] for r in runs) for i in range(2))
    print(
        f"import percuss.stats: {bare * 1000:.1f} ms CPU beyond numpy and scipy, all functions loaded {full * 1000:.1f} ms"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory-only", action="store_true")
    if not parser.parse_args().memory_only:
        speed()
        import_cost()
        # A process of its own: the peak counts everything that ran before it.
        subprocess.run([sys.executable, __file__, "--memory-only"], check=True)
    else:
        memory()
