"""MRMC: readers and cases both drawn at random."""

import numpy as np
import pytest
from scipy import stats as reference

from percuss import stats


def test_where_cases_share_nothing_it_is_the_t_test_of_the_readers() -> None:
    """Hillis 2007: with MS(cases) at or below the rest, readers alone carry the error, on readers - 1 degrees of freedom."""
    rng = np.random.default_rng(1)
    second = rng.normal(size=(5, 40))
    rest = rng.normal(size=(5, 40))
    rest -= rest.mean(axis=0)  # no case differs from another in the mean of the readers
    first = second + rest + rng.normal(size=(5, 1))
    found = stats.mrmc_difference(first, second)
    wanted = reference.ttest_1samp((first - second).mean(axis=1), 0)
    assert found.p == pytest.approx(wanted.pvalue)
    low, high = wanted.confidence_interval()
    assert (found.low, found.high) == pytest.approx((low, high))


def test_intervals_hold_the_planted_difference_over_new_readers_and_cases() -> None:
    """Planted .5 between conditions, readers who like one of them more, cases on which one is better."""
    rng = np.random.default_rng(2)
    held, alone = 0, 0
    for _ in range(300):
        d = (
            0.5
            + rng.normal(0, 0.3, size=(6, 1))
            + rng.normal(0, 0.8, size=(1, 40))
            + rng.normal(size=(6, 40))
        )
        found = stats.mrmc_difference(d, np.zeros_like(d))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.5 <= found.high
        fixed = reference.ttest_1samp(
            d.mean(axis=0), 0
        ).confidence_interval()  # these six readers and no others
        alone += fixed.low <= 0.5 <= fixed.high
    assert 0.92 <= held / 300 <= 0.99
    assert alone < held


@pytest.mark.parametrize(
    ("first", "second"), [(np.ones((2, 3)), np.ones((3, 2))), (np.ones((1, 3)), np.ones((1, 3)))]
)
def test_what_is_not_crossed_is_refused(first: np.ndarray, second: np.ndarray) -> None:
    with pytest.raises(stats.StatsError, match="at least 2 by 2"):
        stats.mrmc_difference(first, second)


def test_what_cannot_vary_says_so() -> None:
    assert stats.mrmc_difference(np.ones((2, 3)), np.zeros((2, 3))).undefined == "no difference varies"
    cases = np.tile([0.0, 1.0, 2.0], (2, 1))
    assert "readers differ in nothing" in str(stats.mrmc_difference(cases, np.zeros((2, 3))).undefined)
