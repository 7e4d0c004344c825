"""The range of HDI that a certificate implies: what it is on planted counts, and that resamples outside 0..1 take it away."""

from typing import Any

import pytest

from percuss.core.records import Cell, Estimate
from percuss.measure.quantity import Plan
from percuss.measure.tally import tallies
from percuss.protocols.grounding.estimate.implied import implied

ARM, BARE = "full", "ungrounded"
RULE, CASES, NAMES = "rule:x", 40, ("recall", "alarm")


def certified(
    with_it: int, without: int, *, alarms: int = 1, recalls: tuple[int, int] = (16, 18)
) -> Estimate:
    """Make the estimate of 40 cases alike but for a shift: so many of twenty claims, true statements and seeds of two classes are flagged."""

    def cell(name: str, arm: str, case: int, num: int) -> Cell:
        shifted = min(
            20, max(0, num + (1 if (case // 2 if name == "alarm" else case) % 2 else -1) * (num > 0))
        )
        return Cell(
            name=name, labels=RULE, num=shifted, den=20, excluded={}, model="m", arm=arm, case_id=f"c{case}", cluster=f"c{case}",
            epoch=0, stratum="", scoring="s",
        )  # fmt: skip

    cells = [
        cell(name, arm, case, num)
        for arm, rate in ((ARM, with_it), (BARE, without))
        for name, num in (("unsupported_rate", rate), ("alarm", alarms), ("recall:a", recalls[0]), ("recall:b", recalls[1]))
        for case in range(CASES)
    ]  # fmt: skip
    shared = {"model": "m", "arm": ARM, "labels": RULE, "scoring": "s", "baseline": BARE}
    return implied(tallies(cells), Plan(seed=1, B=1000), "m", ARM, RULE, NAMES, shared)


def test_rates_are_corrected_at_the_worst_and_the_best_recall() -> None:
    one = certified(6, 12)
    given = [(0.3 - 0.05) / (recall - 0.05) for recall in (0.8, 0.9)]
    bare = [(0.6 - 0.05) / (recall - 0.05) for recall in (0.8, 0.9)]
    every = [1 - a / b for a in given for b in bare]
    assert one.undefined == "a range, not a point"
    assert one.bounds == pytest.approx((min(every), max(every)), abs=1e-6)


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"with_it": 1, "without": 12, "alarms": 2}, "a corrected rate lies outside 0 to 1"),
        ({"with_it": 6, "without": 18}, "a corrected rate lies outside 0 to 1"),
    ],
    ids=["fewer flagged than true ones are", "more than are found"],
)
def test_a_rate_outside_is_no_range(how: dict[str, Any], why: str) -> None:
    assert certified(**how).undefined == why


def test_resamples_outside_take_the_range_away() -> None:
    """The trap: the point alone was looked at, and a rate a hair above the false alarms gave a range."""
    one = certified(2, 12, alarms=2)
    assert one.bounds is None
    assert (one.undefined or "").startswith("a corrected rate lies outside 0 to 1 in ")
    assert (one.undefined or "").endswith("% of resamples")


def test_an_arm_without_seeds_has_no_range() -> None:
    assert certified(6, 12, recalls=(0, 0)).undefined == "a corrected rate lies outside 0 to 1"
