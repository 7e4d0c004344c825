"""Paired shifts: p by sign flips, intervals by the policy; ratios of risks and PPI say where there is none."""

import numpy as np
import pytest

from percuss import hdi
from percuss.stats import (
    Judged,
    StatsError,
    mean_shift,
    paired_shift,
    ppi_difference,
    ppi_hdi,
    ppi_rate,
    relative_risk,
)
from percuss.stats.contrasts import compared_hdis, compared_rates, compared_sums
from percuss.stats.paired import sign_flip_test
from percuss.stats.policy import of_sums, rate
from percuss.study.figures import figure_of

GEN = np.random.default_rng(3)
FIRST, SECOND = ((GEN.random(60) < p).astype(float) for p in (0.6, 0.3))


def test_a_shift_has_the_interval_of_a_difference_of_rates_and_the_p_of_sign_flips() -> None:
    found = paired_shift(FIRST, SECOND, seed=1, B=1_000)
    interval = compared_rates(np.stack([FIRST, SECOND]), seed=1, B=1_000).between(0, 1).result
    flips = sign_flip_test(FIRST - SECOND, seed=1, B=5_000)
    assert (found.low, found.high) == (interval.low, interval.high)
    assert (found.value, found.p) == (flips.value, flips.p)
    assert "policy" in found.method
    assert "p by sign-flip test" in found.method


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ([1, 1, 0, 1], [0, 1, 0, 0], "worth 4.0 equal cases, fewer than 5"),
        ([1.0] * 8 + [0.0] * 8, [0.0] * 14 + [1.0] * 2, "2 cases with an event, fewer than 3"),
    ],
)
def test_too_few_cases_or_events_leave_a_value_a_p_and_words(
    first: list[float], second: list[float], why: str
) -> None:
    found = paired_shift(first, second, seed=1, B=1_000)
    assert found.value == pytest.approx(np.mean(first) - np.mean(second))
    assert found.p is not None
    assert found.low is None
    assert found.high is None
    assert found.undefined == why


def test_no_case_and_unequal_lengths_are_said() -> None:
    assert paired_shift([], [], seed=1).undefined == "no case has this metric in both arms"
    assert mean_shift([], seed=1).undefined == "no case has every arm"
    with pytest.raises(StatsError, match="first has 2 cases and second 1"):
        paired_shift([1, 0], [1], seed=1)


def test_a_contrast_of_many_arms_has_the_interval_of_a_mean() -> None:
    contrasts = GEN.normal(0.2, 1, 12)
    found = mean_shift(contrasts, seed=1, B=1_000)
    columns = np.stack([contrasts, np.ones(12)], axis=1)
    mean = of_sums(lambda s: s[..., 0] / s[..., 1], columns, seed=1, B=1_000)
    assert (found.low, found.high) == pytest.approx((mean.low, mean.high))
    few = mean_shift([0.1, 0.2, 0.4, 0.3], seed=1)
    assert few.low is None
    assert few.undefined == "worth 4.0 equal cases, fewer than 5"


def test_cases_that_do_not_differ_carry_no_interval() -> None:
    rare = [0.5, -0.5, *[0.0] * 58]
    assert mean_shift(rare, seed=1, B=1_000).undefined == "2 cases differ, fewer than 3"
    assert mean_shift([0.5, *rare], seed=1, B=1_000).method.startswith("jackknife over cases, t")
    assert "BCa" in mean_shift([*[0.5] * 9, *rare], seed=1, B=1_000).method


def test_functions_of_shares_need_events_too() -> None:
    """Two of 60 cases with an event: a mean of shares has words where a plain mean would have an interval."""
    k, n = np.zeros(60), np.full(60, 5.0)
    k[:2] = 1
    columns = np.stack([k, n, k, n], axis=1)

    def mean(sums: np.ndarray) -> np.ndarray:
        out: np.ndarray = (sums[..., 0] / sums[..., 1] + sums[..., 2] / sums[..., 3]) / 2
        return out

    told = of_sums(mean, columns, weights=2 * n, events=2 * k, seed=1, B=1_000)
    assert told.undefined == "2 cases with an event, fewer than 3"
    assert of_sums(mean, columns, weights=2 * n, seed=1, B=1_000).low is not None
    more = k.copy()
    more[:20] = 2
    both = [columns, np.stack([more, n, more, n], axis=1)]
    events = [2 * k, 2 * more]
    (pair,) = compared_sums(mean, both, weights=[2 * n] * 2, events=events, seed=1, B=1_000).differences
    assert pair.result.low is None
    assert pair.result.undefined == "2 cases with an event, fewer than 3"
    assert (
        compared_sums(mean, both, weights=[2 * n] * 2, seed=1, B=1_000).differences[0].result.high is not None
    )


@pytest.mark.parametrize("cases", [12, 80])
def test_a_comparison_of_sums_agrees_with_that_of_rates(cases: int) -> None:
    n = np.full(cases, 4.0)
    k = [GEN.binomial(4, p, cases).astype(float) for p in (0.5, 0.3)]
    sums = [np.stack([each, n], axis=1) for each in k]
    general = (
        compared_sums(lambda s: s[..., 0] / s[..., 1], sums, weights=[n, n], events=k, seed=1, B=2_000)
        .differences[0]
        .result
    )
    known = compared_rates(np.stack(k), np.stack([n, n]), seed=1, B=2_000).between(0, 1).result
    assert general.value == pytest.approx(known.value)
    assert (general.low, general.high) == pytest.approx((known.low, known.high), abs=0.05)
    assert general.p is not None
    with pytest.raises(StatsError, match="1 arms came"):
        compared_sums(lambda s: s[..., 0], sums[:1], weights=[n], seed=1)


def test_a_ratio_of_risks_is_one_minus_an_hdi() -> None:
    counts = [GEN.binomial(5, p, 60).astype(float) for p in (0.2, 0.5)]
    n = np.full(60, 5.0)
    found = relative_risk(counts[0], n, counts[1], n, seed=1, B=2_000)
    index = compared_hdis([(counts[0], n, counts[1], n)], seed=1, B=2_000).arms[0]
    assert found.value == pytest.approx(1 - (index.value or 0))
    assert (found.low, found.high) == pytest.approx((1 - (index.high or 0), 1 - (index.low or 0)))


@pytest.mark.parametrize(
    ("events", "reference", "why"),
    [
        ([1, 1, 1, 1], [1, 1, 1, 1], "in the group: worth 4.0 equal cases, fewer than 5"),
        ([1, 1] + [0] * 10, [1] * 12, "2 cases have an event in the group, fewer than 3"),
        ([1] * 12, [1] + [0] * 11, "1 case has an event in the reference, fewer than 3"),
    ],
)
def test_a_ratio_of_few_risks_is_a_value_and_words(events: list[int], reference: list[int], why: str) -> None:
    n = [3] * len(events)
    found = relative_risk(events, n, reference, n, seed=1, B=500)
    assert found.value == pytest.approx(sum(events) / sum(reference))
    assert found.low is None
    assert found.undefined == why


def judged(events: int, cases: int = 20) -> Judged:
    human = np.repeat((np.arange(cases) < events).astype(float), 3)
    judge = human.copy()
    judge[::7] = 1 - judge[::7]
    return Judged(judge, human, np.repeat(np.arange(cases), 3))


def test_prediction_powered_numbers_follow_the_policy() -> None:
    low, high, many = ppi_rate(judged(2)), ppi_rate(judged(19)), ppi_rate(judged(8))
    assert (low.sided, low.low) == ("high", None)
    assert low.high is not None
    assert low.high > 0.1
    assert "people found 2 cases with an event, fewer than 3" in low.notes
    assert (high.sided, high.high) == ("low", None)
    assert "people found 1 case without an event, fewer than 3" in high.notes
    assert many.sided == "both"
    assert many.low is not None
    d = ppi_difference(judged(2), judged(8))
    assert (d.low, d.high, d.undefined) == (None, None, "people found 2 cases with an event, fewer than 3")
    assert d.p is not None
    index = ppi_hdi(judged(2), judged(8))
    assert index.value is not None
    assert (index.low, index.undefined) == (None, "people found 2 cases with an event, fewer than 3")


def test_hdi_of_the_library_is_that_of_reports() -> None:
    with_ = {f"c{i}": ["unsupported"] * (i % 2) + ["supported"] * 5 for i in range(12)}
    without = {f"c{i}": ["unsupported"] * 3 + ["supported"] * (i % 4 + 1) for i in range(12)}
    found = hdi(with_, without, resamples=500)
    assert "policy" in found.method
    assert found.low is not None
    few = hdi({"a": ["supported"]}, {"a": ["unsupported"]}, resamples=500)
    assert few.value == 1
    assert few.low is None


def test_a_rate_of_one_event_is_at_most_so_much() -> None:
    assert rate([1, *[0] * 30], seed=1, B=500).sided == "high"


def test_a_study_writes_a_bound_in_words() -> None:
    held = figure_of(rate([1, *[0] * 30], seed=1, B=500))
    assert (held.low, held.high) == (None, None)
    assert held.notes[-1].startswith("at most 0.")
