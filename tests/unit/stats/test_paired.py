"""Tests of two arms, equivalence, detectable differences."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from percuss.stats import (
    StatsError,
    detectable_rates,
    equivalence,
    mcnemar_exact,
    newcombe,
    sign_flip_test,
    smallest_detectable,
    student_t,
    two_proportion_z,
)

RNG = np.random.default_rng(31)
D = RNG.normal(0.4, 1, 11)


def test_all_flips_are_enumerated_where_they_fit() -> None:
    r = sign_flip_test(D, seed=1)
    theirs = scipy_stats.permutation_test(
        (D,),
        lambda x, axis: x.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert r.p == pytest.approx(theirs.pvalue)
    assert "exact" in r.method


def test_random_flips_count_themselves() -> None:
    r = sign_flip_test(np.ones(100), seed=1, B=999)
    assert r.p == 1 / 1000


def test_flip_limits_are_where_the_test_turns() -> None:
    """Self-check: shifting by a limit just inside is not rejected, just outside is."""
    r = sign_flip_test(D, seed=1)
    assert r.low is not None
    assert r.high is not None
    for limit, outward in ((r.low, -1), (r.high, 1)):
        inside = sign_flip_test(D - (limit - outward * 1e-6), seed=1).p
        outside = sign_flip_test(D - (limit + outward * 1e-6), seed=1).p
        assert inside is not None
        assert outside is not None
        assert outside <= 0.05 < inside


def test_flip_interval_is_near_students_on_normal_data() -> None:
    x = RNG.normal(1, 2, 60)
    a, b = sign_flip_test(x, seed=1), student_t(x)
    assert [a.low, a.high] == pytest.approx([b.low, b.high], abs=0.08)


def test_clusters_flip_together() -> None:
    x = np.repeat(D, 3)
    naive, honest = sign_flip_test(x, seed=1), sign_flip_test(x, seed=1, clusters=np.repeat(np.arange(11), 3))
    single = sign_flip_test(D, seed=1)
    assert (honest.p, honest.low) == pytest.approx((single.p, single.low))
    assert naive.p is not None
    assert honest.p is not None
    assert naive.p < honest.p


def test_four_cases_reject_nothing() -> None:
    r = sign_flip_test([1.0, 2.0, 1.5, 1.2], seed=1)
    assert (r.p, r.low) == (0.125, None)
    assert r.undefined == "4 clusters can't reject any shift at this level"


@pytest.mark.parametrize(("b", "c"), [(12, 4), (0, 6), (5, 5), (1, 0)])
def test_mcnemar_is_the_binomial_test_of_discordant_cases(b: int, c: int) -> None:
    assert mcnemar_exact(10, b, c, 20).p == pytest.approx(scipy_stats.binomtest(b, b + c).pvalue)


def test_mcnemar_without_discordant_cases() -> None:
    r = mcnemar_exact(10, 0, 0, 20)
    assert (r.value, r.p) == (0.0, 1.0)
    assert r.width is not None
    assert r.width > 0.1


def test_uncorrelated_pairs_have_newcombes_independent_interval() -> None:
    """With a d = b c the correlation is 0, and method 10 paired is method 10 unpaired with n1 = n2 = n."""
    p, u = mcnemar_exact(12, 18, 8, 12), newcombe(30, 50, 20, 50)
    assert [p.value, p.low, p.high] == pytest.approx([u.value, u.low, u.high])


def test_two_proportion_z_is_statsmodels_pooled_test() -> None:
    from statsmodels.stats.proportion import proportions_ztest

    r = two_proportion_z(15, 60, 5, 62)
    assert r.p == pytest.approx(proportions_ztest([15, 5], [60, 62])[1])
    assert two_proportion_z(0, 9, 0, 8).p == 1


@pytest.mark.parametrize(
    ("margin", "verdict"),
    [(0.5, "equivalent"), (0.2, "different"), (0.35, "equivalent"), (0.05, "different")],
)
def test_equivalence_reads_the_interval(margin: float, verdict: str) -> None:
    r = newcombe(56, 70, 48, 80)  # 0.2000 [0.0524, 0.3339]
    assert equivalence(r, margin=margin).verdict == verdict


def test_equivalence_can_be_shown_by_neither_side() -> None:
    assert equivalence(newcombe(5, 10, 4, 10), margin=0.1).verdict == "neither shown"
    assert equivalence(newcombe(0, 0, 4, 10), margin=0.1).verdict == "undefined"
    with pytest.raises(StatsError, match=r"margin is -0\.1; a positive number was expected"):
        equivalence(newcombe(5, 10, 4, 10), margin=-0.1)


def test_smallest_detectable_is_the_power_formula() -> None:
    x = RNG.normal(0, 1, 10_000)
    d = smallest_detectable(student_t(x))
    assert d.difference == pytest.approx((1.96 + 0.8416) * x.std(ddof=1) / 100, rel=1e-3)
    assert str(d).startswith("could have seen 0.02")


def test_planned_difference_is_what_the_power_simulation_needs() -> None:
    """At the planned difference of two independent arms the normal power is 80%."""
    d = detectable_rates(200, 0.3, per_cluster=4).difference
    assert d == pytest.approx(2.8016 * math.sqrt(2 * 0.3 * 0.7 / 800), rel=1e-4)
    clustered = detectable_rates(200, 0.3, per_cluster=4, correlation=0.5).difference
    assert clustered is not None
    assert d is not None
    assert clustered == pytest.approx(d * math.sqrt(2.5))
    assert detectable_rates(10, 0.0).undefined == "nothing varies at this rate or pairing"
    with pytest.raises(StatsError, match=r"n 0, rate 0\.5"):
        detectable_rates(0, 0.5)


def test_smallest_detectable_without_interval_says_why() -> None:
    d = smallest_detectable(student_t([1.0]))
    assert (d.difference, d.undefined) == (None, "one value has no spread")


def test_bad_input_is_one_sentence() -> None:
    with pytest.raises(StatsError, match="differences holds nan at position 0; finite numbers were expected"):
        sign_flip_test([math.nan], seed=1)
    with pytest.raises(StatsError, match="only_first is -1; a finite count of at least 0 was expected"):
        mcnemar_exact(1, -1, 2, 3)
