"""Goldens, inversions and refusals of the closed-form intervals."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import special
from scipy import stats as scipy_stats

from percuss.stats import (
    Result,
    StatsError,
    bounds_over_exclusions,
    clopper_pearson,
    mover_difference,
    mover_ratio,
    newcombe,
    student_t,
    wilson,
)


def ends(r: Result) -> tuple[float, float]:
    """Both bounds of a defined interval."""
    assert r.low is not None
    assert r.high is not None
    return r.low, r.high


def test_wilson_gives_the_interval_of_paper_4() -> None:
    """papers/4, section 4: 1,090 of 5,543 answers, 19.7%, 18.6 to 20.7%."""
    r = wilson(1090, 5543)
    assert (r.low, r.high) == pytest.approx((0.1864, 0.2073), abs=5e-5)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    # Newcombe (1998), Stat Med 17:857, Table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_newcombes_table(k: int, n: int, low: float, high: float) -> None:
    r = wilson(k, n)
    assert tuple(round(x, 4) for x in ends(r)) == (low, high)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    # The same table, Clopper-Pearson exact (method 5).
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_clopper_pearson_gives_newcombes_table(k: int, n: int, low: float, high: float) -> None:
    r = clopper_pearson(k, n)
    assert tuple(round(x, 4) for x in ends(r)) == (low, high)


@pytest.mark.parametrize(
    ("k1", "n1", "k2", "n2", "low", "high"),
    # Newcombe (1998), Stat Med 17:873, Table II, method 10, contrasts (a) to (h).
    [
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (0, 10, 0, 10, -0.2775, 0.2775),
        (10, 10, 0, 20, 0.6791, 1.0),
        (10, 10, 0, 10, 0.6075, 1.0),
    ],
)
def test_newcombe_gives_its_own_table(k1: int, n1: int, k2: int, n2: int, low: float, high: float) -> None:
    r = newcombe(k1, n1, k2, n2)
    assert tuple(round(x, 4) for x in ends(r)) == (low, high)


@pytest.mark.parametrize(("k", "n"), [(1, 10), (7, 23), (450, 1000)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_limits_are_where_the_score_test_turns(k: int, n: int, level: float) -> None:
    """Self-check: at each limit p the score statistic (k/n - p)^2 / (p(1-p)/n) equals z^2."""
    z2 = special.ndtri(0.5 + level / 2) ** 2
    r = wilson(k, n, level=level)
    for p in ends(r):
        assert (k / n - p) ** 2 / (p * (1 - p) / n) == pytest.approx(z2)


@pytest.mark.parametrize(("k", "n"), [(1, 10), (7, 23), (450, 1000)])
def test_clopper_pearson_limits_leave_half_the_error_in_each_tail(k: int, n: int) -> None:
    r = clopper_pearson(k, n)
    assert scipy_stats.binom.sf(k - 1, n, r.low) == pytest.approx(0.025)
    assert scipy_stats.binom.cdf(k, n, r.high) == pytest.approx(0.025)


@pytest.mark.parametrize(("k", "n"), [(0, 12), (3, 12), (12, 12), (40, 400)])
def test_scipy_agrees_on_wilson_and_clopper_pearson(k: int, n: int) -> None:
    test = scipy_stats.binomtest(k, n)
    for ours, theirs in ((wilson, "wilson"), (clopper_pearson, "exact")):
        ci = test.proportion_ci(method=theirs)
        assert (ours(k, n).low, ours(k, n).high) == pytest.approx((ci.low, ci.high), abs=1e-12)


def test_statsmodels_agrees_on_newcombe() -> None:
    from statsmodels.stats.proportion import confint_proportions_2indep

    r = newcombe(9, 47, 21, 52)
    assert (r.low, r.high) == pytest.approx(
        confint_proportions_2indep(9, 47, 21, 52, method="newcomb", compare="diff")
    )


@pytest.mark.parametrize(
    ("k1", "n1", "k2", "n2"), [(4, 40, 12, 44), (1, 30, 2, 30), (30, 60, 50, 60), (9, 9, 3, 80)]
)
def test_mover_ratio_limits_solve_their_equation(k1: int, n1: int, k2: int, n2: int) -> None:
    """Self-check: at each limit R, a - R b = -+ sqrt of the squared one-sided distances (Donner and Zou 2012)."""
    a, b = k1 / n1, k2 / n2
    (la, ha), (lb, hb) = ends(wilson(k1, n1)), ends(wilson(k2, n2))
    low, high = ends(mover_ratio(k1, n1, k2, n2))
    assert a - low * b == pytest.approx(np.hypot(a - la, low * (hb - b)))
    assert high * b - a == pytest.approx(np.hypot(ha - a, high * (b - lb)))
    assert low < a / b < high


def test_mover_ratio_without_events_above_starts_at_zero_and_has_width() -> None:
    r = mover_ratio(0, 50, 10, 50)
    assert (r.value, r.low) == (0, 0)
    assert ends(r)[1] > 0.1


def test_mover_ratio_without_events_below_is_undefined() -> None:
    r = mover_ratio(3, 50, 0, 50)
    assert r.value is None
    assert r.undefined == "the denominator has no events"


def test_mover_difference_of_two_wilsons_is_newcombe() -> None:
    d = mover_difference(wilson(9, 47), wilson(21, 52))
    n = newcombe(9, 47, 21, 52)
    assert (d.value, d.low, d.high) == pytest.approx((n.value, n.low, n.high))


def test_student_t_agrees_with_scipy() -> None:
    x = np.random.default_rng(5).normal(3, 2, 17)
    ci = scipy_stats.ttest_1samp(x, 0).confidence_interval()
    r = student_t(x)
    assert (r.low, r.high) == pytest.approx((ci.low, ci.high))


def test_student_t_of_equal_values_has_a_value_and_no_interval() -> None:
    r = student_t([0.5, 0.5, 0.5])
    assert (r.value, r.low, r.undefined) == (0.5, None, "all values are equal")


def test_exclusions_bound_the_rate_from_both_sides() -> None:
    r = bounds_over_exclusions(10, 100, 20)
    assert (r.low, r.high) == (10 / 120, 30 / 120)
    assert r.alternative is not None
    assert r.alternative.low == wilson(10, 120).low
    assert r.alternative.high == wilson(30, 120).high


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: wilson(5, 3), "k = 5 successes of n = 3 trials; k must not exceed n"),
        (lambda: wilson(-1, 3), "k is -1; a finite count of at least 0 was expected"),
        (lambda: wilson(float("nan"), 3), "k is nan; a finite count of at least 0 was expected"),
        (lambda: wilson(1, 3, level=95), "level is 95; a number strictly between 0 and 1 was expected"),
        (
            lambda: student_t([1.0, float("nan")]),
            "values holds nan at position 1; finite numbers were expected",
        ),
    ],
)
def test_bad_input_is_one_sentence(call: Callable[[], Result], sentence: str) -> None:
    with pytest.raises(StatsError) as error:
        call()
    assert str(error.value) == sentence


@pytest.mark.parametrize("function", [wilson, clopper_pearson])
def test_no_trials_are_undefined_with_a_reason(function: Callable[[float, float], Result]) -> None:
    assert function(0, 0).undefined == "no trials: n is 0"
