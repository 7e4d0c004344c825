"""Rank correlations, the human ceiling, rankings, rank intervals."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from percuss.stats import (
    StatsError,
    bradley_terry,
    consensus,
    kendall_tau_b,
    leave_one_out_ceiling,
    mean_rank,
    rank_intervals,
    ratio_differences,
    spearman_exact,
    tie_letters,
)

RNG = np.random.default_rng(21)


@pytest.mark.parametrize("n", [3, 7, 33, 34, 120])
def test_scipy_agrees_on_tau_and_p(n: int) -> None:
    for x, y in (
        (RNG.permutation(n), RNG.permutation(n)),
        (RNG.integers(0, 4, n), np.append(RNG.integers(0, 5, n - 2), [0, 1])),
    ):
        if np.ptp(x) == 0:
            continue
        theirs = scipy_stats.kendalltau(
            x, y, method="exact" if n <= 33 and len(set(y)) == n else "asymptotic"
        )
        ours = kendall_tau_b(x, y, seed=1, B=20)
        assert (ours.value, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_bootstrap_of_tau_is_tau_of_the_resampled_items() -> None:
    """Self-check: the quadratic form of the weights equals scipy's tau of the items written out."""
    from percuss.stats.ranks import ItemResamples, Tau

    x, y = RNG.integers(0, 4, 25).astype(float), RNG.integers(0, 4, 25).astype(float)
    weights = next(iter(ItemResamples(25, None, 5, 3).resamples))
    for w in weights.astype(int):
        assert Tau(x, y)(w.astype(float)) == pytest.approx(
            scipy_stats.kendalltau(np.repeat(x, w), np.repeat(y, w)).statistic
        )


def test_clusters_widen_tau() -> None:
    x, y = RNG.normal(size=30), RNG.normal(size=30)
    clusters = np.repeat(np.arange(30), 4)
    naive = kendall_tau_b(np.repeat(x, 4), np.repeat(y, 4), seed=1, B=500).width
    honest = kendall_tau_b(np.repeat(x, 4), np.repeat(y, 4), seed=1, B=500, clusters=clusters).width
    assert naive is not None
    assert honest is not None
    assert honest > 1.5 * naive


def test_tau_of_one_value_is_undefined() -> None:
    assert kendall_tau_b([1, 1, 1], [1, 2, 3], seed=1).undefined == "all values of x are equal"
    assert spearman_exact([1, 2, 3], [2, 2, 2]).undefined == "all values of y are equal"


def test_the_papers_four_models_show_no_rank_correlation() -> None:
    """definitions/grounding.md, HDI: tau-b of grounded support and HDI in papers/0, Tables 2 and 3, is 0."""
    support, hdi = [84.4, 87.7, 93.2, 81.9], [0.984, 0.336, 0.919, 0.847]
    assert kendall_tau_b(support, hdi, seed=1, B=50).value == 0


@pytest.mark.parametrize("n", [2, 4, 6, 8])
def test_spearman_exact_counts_all_orders(n: int) -> None:
    """Self-check against enumeration, with and without ties."""
    from itertools import permutations

    for x, y in (
        (np.arange(n), RNG.permutation(n)),
        (np.arange(n) // 2, np.append(RNG.integers(0, 3, n - 2), [0, 1])),
    ):
        if np.ptp(x) == 0:
            continue
        rx, ry = scipy_stats.rankdata(x), scipy_stats.rankdata(y)
        observed = abs(np.corrcoef(rx, ry)[0, 1])
        all_y = np.array(list(permutations(ry)))
        rho = (all_y - ry.mean()) @ (rx - rx.mean()) / (n * rx.std() * ry.std())
        assert spearman_exact(x, y).p == pytest.approx(np.mean(np.abs(rho) >= observed - 1e-9))


def test_spearman_above_ten_items_is_scipys() -> None:
    x, y = RNG.normal(size=25), RNG.normal(size=25)
    theirs = scipy_stats.spearmanr(x, y)
    r = spearman_exact(x, y)
    assert (r.value, r.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert "t approximation" in r.method


def test_consensus_standardises_each_rater_with_divisor_n() -> None:
    scores = np.array([[1, 10], [2, 30], [3, np.nan]])
    z1 = np.array([-1, 0, 1]) / math.sqrt(2 / 3)
    z2 = np.array([-1, 1])
    assert consensus(scores) == pytest.approx([(z1[0] + z2[0]) / 2, (z1[1] + z2[1]) / 2, z1[2]])


def test_a_rater_without_variance_leaves_ceiling_and_consensus() -> None:
    truth = RNG.normal(size=60)
    scores = np.column_stack(
        [np.round(truth + RNG.normal(0, 0.5, 60)) for _ in range(3)] + [np.full(60, 3.0)]
    )
    r = leave_one_out_ceiling(scores, seed=1, B=300)
    assert r.raters[3].undefined == "the rater or the others don't vary on shared items"
    assert r.mean.n_undefined == 1
    three = leave_one_out_ceiling(scores[:, :3], seed=1, B=300)
    assert (three.mean.value, three.mean.low) == (r.mean.value, r.mean.low)


def test_ceiling_is_tau_of_each_rater_with_the_others() -> None:
    scores = RNG.integers(1, 6, (40, 3)).astype(float)
    scores[:5, 0] = np.nan
    r = leave_one_out_ceiling(scores, seed=1, B=50)
    seen = ~np.isnan(scores[:, 0])
    others = consensus(scores[:, 1:])
    assert r.raters[0].value == pytest.approx(scipy_stats.kendalltau(scores[seen, 0], others[seen]).statistic)
    values = [x.value for x in r.raters if x.value is not None]
    assert r.mean.value == pytest.approx(np.mean(values))
    assert r.range == (min(values), max(values))


def test_one_rater_has_no_ceiling() -> None:
    with pytest.raises(StatsError, match="1 rater came; a ceiling needs at least two"):
        leave_one_out_ceiling([[1], [2]], seed=1)


def test_bradley_terry_recovers_planted_strengths() -> None:
    planted = np.array([1.0, 0.3, -0.3, -1.0])
    scores = planted + RNG.gumbel(size=(3_000, 4))
    r = bradley_terry((-scores).argsort(axis=1).argsort(axis=1) + 1, seed=1, B=200)
    # Pairs of a Plackett-Luce ranking follow Bradley-Terry; three standard errors of 3,000 rankings.
    assert [s.value for s in r.strengths] == pytest.approx(planted.tolist(), abs=0.1)
    assert r.preference(0, 3) == pytest.approx(1 / (1 + math.exp(-2)), abs=0.03)


def test_bradley_terry_solves_its_likelihood_equations() -> None:
    """Self-check: expected wins equal observed wins at the maximum."""
    from percuss.stats.rankings import _strengths

    wins = RNG.integers(1, 9, (5, 6, 6)).astype(float)
    wins[:, np.arange(6), np.arange(6)] = 0
    t = _strengths(wins)
    p = 1 / (1 + np.exp(t[:, None, :] - t[:, :, None]))
    assert ((wins + wins.swapaxes(1, 2)) * p).sum(-1) == pytest.approx(wins.sum(-1) + 0 * t)


def test_bradley_terry_without_a_finite_maximum_is_undefined() -> None:
    r = bradley_terry([[1, 2, 3], [1, 3, 2]], seed=1, B=20)
    assert (
        r.strengths[0].undefined
        == "some items never beat, or never lose to, the others, directly or by way of others"
    )


def test_mean_rank_skips_what_was_not_ranked() -> None:
    first, second, third = mean_rank([[1.0, 2.0, math.nan], [2.0, 1.0, 3.0], [1.0, 2.0, 3.0]], seed=1, B=100)
    assert [first.value, second.value, third.value] == pytest.approx([4 / 3, 5 / 3, 3])
    assert third.n == 3


def test_rank_intervals_and_letters_follow_the_separated_pairs() -> None:
    rates = (0.1, 0.12, 0.5, 0.9)
    num = np.array([RNG.binomial(10, q, 80) for q in rates]).astype(float)
    p = ratio_differences(num, np.full((4, 80), 10.0), seed=1, B=2_000)
    assert [str(r) for r in rank_intervals(p, higher_is_better=False)] == ["1-2", "1-2", "3", "4"]
    assert tie_letters(p, higher_is_better=False) == ("a", "a", "b", "c")
    assert tie_letters(p) == ("c", "c", "b", "a")
