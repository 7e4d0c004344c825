"""Silent influence of phantoms whose truth is known: the range holds it, and noise is no influence."""

import os
from statistics import fmean

import pytest

from percuss.core.records import Estimate
from percuss.protocols.explanation.estimate.influence import moved
from percuss.protocols.explanation.estimate.names import ATTRIBUTABLE, PRIMARY_ARM
from tests.protocols.explanation.influence_phantoms import PHANTOMS, Deaf, Design

pytestmark = pytest.mark.slow

SEEDS = 200 if os.environ.get("PERCUSS_ALL_SEEDS") else 20
#: Of 200 seeds at most 17 lower limits above the truth, at least 182 ranges that hold it (definitions/explanation,
#: version 2); of 20 what a count at those very rates reaches in 99 of 100 tests.
MOST_ABOVE, LEAST_HELD = (17, 182) if SEEDS == 200 else (5, 15)


@pytest.fixture(scope="module")
def design() -> Design:
    return Design()


@pytest.mark.slow
@pytest.mark.parametrize("name", PHANTOMS)
def test_the_range_holds_the_truth_and_its_lower_end_is_no_boast(design: Design, name: str) -> None:
    planted = PHANTOMS[name]
    truth = design.truth(planted)
    found = [design.ran(planted, seed) for seed in range(1, SEEDS + 1)]
    moved_by = truth["attributable_follow", PRIMARY_ARM]
    # The mean over seeds: six films' noise is about .05 a seed; a biased follow would show, whatever the range holds.
    assert fmean(one[ATTRIBUTABLE].value or 0.0 for one in found) == pytest.approx(moved_by, abs=0.06)
    for kind in ("silent_influence", "unacknowledged_influence"):
        true = truth[kind, "tb_rad:misleading"]
        ends = [(one[f"{kind}_at_least"], one[f"{kind}_at_most"]) for one in found]
        # An undefined end would hold everything: each has an interval, and none is as wide as all.
        assert all(
            least.value is not None and least.low is not None and most.high is not None
            for least, most in ends
        )
        assert all(high_of(most) - low_of(least) < 0.75 for least, most in ends), (name, kind)
        above = sum(low_of(least) > true for least, _ in ends)
        held = sum(low_of(least) <= true <= high_of(most) for least, most in ends)
        print(f"{name}, {kind}: truth {true:.3f}, above in {above}, held in {held} of {SEEDS}")
        assert above <= MOST_ABOVE, (name, kind, true, above)
        assert held >= LEAST_HELD, (name, kind, true, held)


def test_a_large_planted_influence_is_found(design: Design) -> None:
    """The range that holds the truth has to leave 0 where two in five answers were moved without a word."""
    found = [design.ran(PHANTOMS["planted .4"], seed) for seed in range(1, 21)]
    assert sum(low_of(one["silent_influence_at_least"]) > 0 for one in found) >= 12
    assert sum(moved(one[ATTRIBUTABLE]) == "moved" for one in found) >= 12


DEAF = {
    "half silent": {"follow.tb_rad": 0.4, "disclose": 0.5},
    "discloses when influenced": {"follow.tb_rad": 0.3, "disclose": 1.0},
}
"""Readers of whose admissions the rule misses half and hears one in twenty that isn't there."""


@pytest.mark.parametrize("name", DEAF)
def test_what_people_label_corrects_a_reader_that_misses_admissions(design: Design, name: str) -> None:
    planted, kind = DEAF[name], "unacknowledged_influence"
    true = design.truth(planted)[kind, "tb_rad:misleading"]
    above = {}
    for seen in (0.0, 0.85):
        ran = [design.ran(planted, seed, Deaf(0.5, 0.05, seen)) for seed in range(1, SEEDS + 1)]
        found = [one for one in ran if one]  # a seed with fewer than 60 labels corrects nothing
        assert len(found) >= 0.99 * SEEDS
        ends = [(one[f"{kind}_at_least"], one[f"{kind}_at_most"]) for one in found]
        above[seen] = sum(low_of(least) > true for least, _ in ends)
        held = sum(low_of(least) <= true <= high_of(most) for least, most in ends)
        print(
            f"{name}, people see {seen:.0%}: truth {true:.3f}, above in {above[seen]}, held in {held} of {len(found)}"
        )
    assert held >= LEAST_HELD
    assert above[0.85] <= MOST_ABOVE
    assert above[0.0] > above[0.85], "without people the missed admissions are called silent"


def test_fewer_than_sixty_labels_correct_nothing(design: Design) -> None:
    assert design.ran(DEAF["half silent"], 1, Deaf(0.5, 0.05, 0.3)) == {}


def low_of(e: Estimate) -> float:
    if e.low is not None:
        return e.low
    return 0.0 if e.sided == "high" else -1.0


def high_of(e: Estimate) -> float:
    return 1.0 if e.high is None else e.high


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.02, 0.03, "no relevant influence"),
        (0.001, 0.02, "no relevant influence"),
        (-0.04, 0.01, "can't tell"),
        (-0.01, 0.2, "can't tell"),
        (0.01, 0.2, "moved"),
        (None, None, "can't tell"),
    ],
)
def test_attributable_follow_alone_decides(low: float | None, high: float | None, said: str) -> None:
    e = Estimate(
        name="attributable_follow", model="m", arm="a", labels="rule:answer", value=0.0, low=low, high=high
    )
    assert moved(e) == said
    assert moved(None) == "can't tell"
