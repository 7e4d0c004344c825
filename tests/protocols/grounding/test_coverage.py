"""Planted rates lie inside the intervals as often as they claim: 200 fixed seeds, misses counted against a fixed bound.

A valid 95% interval misses 10 of 200 on average, and more than 17 in 1.3% of such tests (binomial).
"""

import numpy as np
import pytest

from percuss.core.messages import Message, Request
from percuss.core.records import Cell
from percuss.measure.dependence import hdis
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import rates
from percuss.measure.tally import tallies
from percuss.phantoms import phantom
from percuss.protocols.grounding.estimate.memory import permuted

pytestmark = pytest.mark.slow

SEEDS, MOST_MISSES, CASES = 200, 17, 80
RATE = Quantity("unsupported_rate", "unsupported claims")
ARMS = ("full_multimodal", "ungrounded")
PACKET = (
    '{"clinical": {"sex": "male", "stage": "IIIA", "pack_years": 30}, "pathology": {"purity_cpe": 0.61, '
    '"purity_estimate": 0.5}, "fusion": {"io_score": 0.63, "io_tier": "Warm"}}'
)


def asked(case: int, arm: str) -> Request:
    evidence = f"\n<evidence>\n{PACKET}\n</evidence>" if arm == ARMS[0] else ""
    return Request(messages=(Message.of("user", f"Case ID: {case}{evidence}"),))


REQUESTS = {(case, arm): asked(case, arm) for case in range(CASES) for arm in ARMS}


def cells(name: str, seed: int) -> tuple[list[Cell], dict[tuple[str, str], float]]:
    model = phantom(name, seed=seed)
    found = []
    for (case, arm), request in REQUESTS.items():
        truths = model.plan(request).truths
        bad = sum(truth.label == "unsupported" for truth in truths)
        found.append(
            Cell(
                name="unsupported_rate", model="m", arm=arm, labels="truth", case_id=str(case), cluster=str(case), num=bad,
                den=len(truths),
            )
        )  # fmt: skip
    return found, dict(model.expected(ARMS))


@pytest.mark.parametrize(
    "name",
    [
        "phantom/confabulator?with=0.05&without=0.6",
        "phantom/recycler",
    ],
)
def test_planted_rates_lie_in_the_intervals(name: str) -> None:
    misses = dict.fromkeys(("with", "without", "hdi"), 0)
    for seed in range(SEEDS):
        made, planted = cells(name, seed)
        tally = tallies(made)["unsupported_rate", "truth"]
        plan = Plan(seed=seed, B=300)
        by_arm = {e.arm: e for e in rates(tally, RATE, plan)}
        hdi = next(hdis(tally, plan, arm=ARMS[0], baseline=ARMS[1]))
        for key, e, value in (
            ("with", by_arm[ARMS[0]], planted["unsupported_rate", ARMS[0]]),
            ("without", by_arm[ARMS[1]], planted["unsupported_rate", ARMS[1]]),
            ("hdi", hdi, planted["hdi_pooled", ARMS[0]]),
        ):
            assert e.low is not None
            assert e.high is not None
            misses[key] += not e.low <= value <= e.high
    assert all(count <= MOST_MISSES for count in misses.values()), misses


def match_rates(seed: int, share: float, n: int = 60, base: float = 0.15) -> np.ndarray:
    """Match rates of n answers against n records: by chance everywhere, always against the own record where known."""
    rng = np.random.default_rng(seed)
    matrix = rng.binomial(5, base, size=(n, n)) / 5
    known = rng.random(n) < share
    matrix[np.flatnonzero(known), np.flatnonzero(known)] = 1.0
    return matrix


def p_value(seed: int, share: float) -> float:
    matrix = match_rates(seed, share)
    draws = permuted(matrix, seed=seed, B=199)
    return float((1 + np.sum(draws >= np.trace(matrix) / len(matrix))) / 200)


def test_memory_is_not_seen_where_there_is_none() -> None:
    """At most 16 of 200 seeds: what a valid 5% test allows (definitions/grounding.md, Acceptance)."""
    assert sum(p_value(seed, 0.0) < 0.05 for seed in range(200)) <= 16


def test_memory_of_three_in_ten_is_found() -> None:
    assert sum(p_value(seed, 0.3) < 0.05 for seed in range(50)) >= 48
