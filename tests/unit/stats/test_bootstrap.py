"""The bootstrap engine: draws, pairing, intervals, fallbacks, refusals."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats as scipy_stats

from percuss.stats import (
    StatsError,
    bootstrap_draws,
    cluster_bootstrap,
    newcombe,
    paired_bootstrap,
    ratio_bootstrap,
    ratio_differences,
    wilson,
)
from percuss.stats.bootstrap import two_sided_p
from percuss.stats.ratios import ratio
from percuss.stats.resampling import Resamples, rows

Floats = npt.NDArray[np.float64]
RNG = np.random.default_rng(11)
NUM = RNG.binomial(6, 0.3, 40).astype(float)
DEN = np.full(40, 6.0)


def _weights(clusters: int, B: int, seed: int, width: int = 1) -> Floats:
    return np.concatenate(list(Resamples(clusters, B, seed).chunks(width)))


def test_each_resample_draws_as_many_clusters_as_there_are() -> None:
    assert (_weights(17, 500, 3).sum(axis=1) == 17).all()


def test_draws_do_not_depend_on_the_size_of_the_chunks() -> None:
    assert (_weights(50, 4000, 3) == _weights(50, 4000, 3, width=1 << 13)).all()


def test_another_seed_gives_other_draws() -> None:
    assert (_weights(17, 50, 3) != _weights(17, 50, 4)).any()


def test_weights_have_the_moments_of_a_multinomial() -> None:
    w = _weights(20, 20_000, 5)
    assert w.mean() == pytest.approx(1)
    # var 1 - 1/n, covariance -1/n; 5 standard errors of 20,000 draws.
    assert w.var(axis=0) == pytest.approx(0.95, abs=0.06)
    assert np.cov(w[:, 0], w[:, 1])[0, 1] == pytest.approx(-0.05, abs=0.04)


def test_epochs_are_averaged_before_clusters_are_drawn() -> None:
    grouped = rows(np.array([[3.0], [1.0], [4.0]]), ["a", "a", "b"], [0, 1, 1])
    assert grouped.sums[:, 0].tolist() == [2.0, 4.0]
    cases, epochs = np.tile(np.arange(40), 3), np.repeat([0, 1, 2], 40)
    once = ratio_bootstrap(NUM, DEN, clusters=np.arange(40), seed=1, B=500)
    thrice = ratio_bootstrap(np.tile(NUM, 3), np.tile(DEN, 3), clusters=cases, epochs=epochs, seed=1, B=500)
    assert (thrice.value, thrice.low, thrice.high) == pytest.approx((once.value, once.low, once.high))


def test_rows_of_one_cluster_are_added_up() -> None:
    grouped = rows(np.array([[1.0], [2.0], [4.0]]), ["b", "a", "b"], None)
    assert grouped.sums[:, 0].tolist() == [2.0, 5.0]


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_scipy_gives_the_same_limits(method: str) -> None:
    """Two samples of 20,000 resamples each; the limits' simulation error is below 0.004."""
    ours = ratio_bootstrap(NUM, DEN, seed=1, B=20_000, method=method)  # type: ignore[arg-type]
    theirs = scipy_stats.bootstrap(
        (NUM, DEN),
        lambda a, b, axis: a.sum(axis=axis) / b.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method=method if method == "percentile" else {"basic": "basic", "bca": "BCa"}[method],
        random_state=np.random.default_rng(2),
        batch=2_000,
    ).confidence_interval
    assert [ours.low, ours.high] == pytest.approx([theirs.low, theirs.high], abs=0.004)


def test_basic_mirrors_percentile() -> None:
    p = ratio_bootstrap(NUM, DEN, seed=1, B=1_000)
    b = ratio_bootstrap(NUM, DEN, seed=1, B=1_000, method="basic")
    assert p.value is not None
    assert p.low is not None
    assert b.high == pytest.approx(2 * p.value - p.low)


def test_bca_of_epochs_leaves_out_whole_clusters() -> None:
    clusters, epochs = np.repeat(np.arange(20), 2), np.tile([0, 1], 20)
    r = ratio_bootstrap(NUM, DEN, clusters=clusters, epochs=epochs, seed=1, B=500, method="bca")
    assert r.n == 20
    assert r.width is not None


@pytest.mark.parametrize(("num", "what"), [(np.zeros(20), "no events"), (np.full(20, 5.0), "events only")])
def test_no_events_fall_back_to_wilson(num: Floats, what: str) -> None:
    r = ratio_bootstrap(num, np.full(20, 5.0), seed=1)
    assert r.method.startswith(f"Wilson ({what}")
    assert (r.low, r.high) == (wilson(num.sum(), 100).low, wilson(num.sum(), 100).high)
    assert r.width is not None
    assert r.width > 0


def test_a_mean_that_is_no_proportion_has_no_fallback() -> None:
    r = ratio_bootstrap(np.full(5, 3.0), seed=1, B=50)
    assert (r.value, r.low, r.undefined) == (3.0, None, "every resample gives the same value")


def test_differences_of_arms_without_events_are_newcombe() -> None:
    p = ratio_differences(np.array([np.zeros(20), np.zeros(20)]), np.full((2, 20), 5.0), seed=1, B=200)
    d, n = p.between(0, 1).result, newcombe(0, 100, 0, 100)
    assert (d.low, d.high, d.p) == (n.low, n.high, 1.0)


def test_an_arm_without_events_separates_only_where_its_interval_does() -> None:
    """0 of 100 against 4 of 100: 1.7% of resamples have no event in the other arm, yet Newcombe's interval holds 0."""
    some = np.zeros(100)
    some[:4] = 1
    d = ratio_differences(np.array([some, np.zeros(100)]), seed=1, B=2_000).between(0, 1)
    assert d.result.low is not None
    assert d.result.p is not None
    assert d.result.low < 0
    assert d.result.p > 0.05
    assert not d.separates


def test_paired_differences_use_the_draws_of_the_arms() -> None:
    arms = [np.column_stack([RNG.binomial(6, q, 40), DEN]).astype(float) for q in (0.2, 0.4)]
    draws = bootstrap_draws(ratio, arms, seed=9, B=300)
    r = paired_bootstrap(ratio, arms, seed=9, B=300).between(0, 1).result
    assert [r.low, r.high] == pytest.approx(np.quantile(draws[:, 0] - draws[:, 1], [0.025, 0.975]))


def test_pairing_shortens_the_interval_of_correlated_arms() -> None:
    base = RNG.binomial(6, RNG.uniform(0, 1, 200)).astype(float)
    arms = np.array([base, np.minimum(base + RNG.binomial(1, 0.3, 200), 6)])
    p = ratio_differences(arms, np.full((2, 200), 6.0), seed=1, B=500)
    d, single = p.between(0, 1).result.width, p.arms[0].width
    assert d is not None
    assert single is not None
    assert d < single / 2


def test_identical_arms_have_p_1_and_no_interval() -> None:
    arms = [np.column_stack([NUM, DEN])] * 2
    d = paired_bootstrap(ratio, arms, seed=1, B=100).between(0, 1)
    assert (d.result.p, d.result.low, d.separates) == (1.0, None, False)


@pytest.mark.parametrize(
    ("below", "at", "p"), [(0, 0, 1 / 1000), (9, 0, 0.018), (500, 0, 1.0), (0, 1000, 1.0), (990, 0, 0.02)]
)
def test_p_of_bootstrap_differences_has_its_floor_and_ceiling(below: int, at: int, p: float) -> None:
    d = np.concatenate([np.full(below, -1.0), np.zeros(at), np.ones(1000 - below - at)])
    assert two_sided_p(d) == pytest.approx(p)


def test_undefined_resamples_are_dropped_and_counted() -> None:
    den = np.array([*np.zeros(3), *np.ones(9)])
    r = cluster_bootstrap(ratio, np.column_stack([den * np.arange(12), den]), seed=2, B=2_000)
    assert r.dropped == 0
    rare = np.array([*np.zeros(5), 1.0, 1.0])
    r = cluster_bootstrap(ratio, np.column_stack([rare * np.arange(7), rare]), seed=2, B=2_000)
    # Neither of two clusters is drawn in (5/7)^7 = 9.5% of resamples.
    assert r.dropped == pytest.approx(190, abs=60)
    assert r.low is None
    assert r.undefined == f"{r.dropped} of 2000 resamples are undefined, more than 1%"


def test_a_difference_that_many_resamples_leave_undefined_has_no_p_either() -> None:
    rare = np.array([*np.zeros(5), 1.0, 1.0])
    arms = [np.column_stack([rare * np.arange(7), rare]), np.column_stack([rare * 0, rare])]
    [d] = paired_bootstrap(ratio, arms, seed=2, B=2_000).differences
    assert d.result.undefined
    assert d.result.p is None
    assert not d.separates


def test_too_few_clusters_leave_the_interval_undefined() -> None:
    r = ratio_bootstrap(NUM[:4], DEN[:4], seed=1, B=100, min_clusters=5)
    assert r.value == pytest.approx(NUM[:4].sum() / 24)
    assert r.undefined == "4 clusters; at least 5 are needed"


def test_an_empty_denominator_is_undefined() -> None:
    assert ratio_bootstrap([0, 0], [0, 0], seed=1).undefined == "nothing was scored"


@pytest.mark.parametrize(
    ("num", "den", "keywords", "sentence"),
    [
        ([1, math.nan], [1, 1], {}, "num holds nan at position 1; finite numbers were expected"),
        ([1, 0], [1], {}, "den has 1 values beside 2 rows; equal lengths were expected"),
        ([1, 0], [1, -1], {}, "den holds -1; sizes of at least 0 were expected"),
        (
            [1, 0],
            [1, 1],
            {"clusters": [1]},
            "clusters has shape (1,) beside 2 rows; one label per row was expected",
        ),
        ([1, 0], [1, 1], {"method": "t"}, "method is 't'; percentile, basic or bca was expected"),
        ([1, 0], [1, 1], {"B": 0}, "B is 0; at least one resample was expected"),
        (
            [1, 0],
            [1, 1],
            {"epochs": [0, 1]},
            "epochs came without clusters; pass the case of each row as its cluster",
        ),
        ([], [], {}, None),
    ],
)
def test_bad_input_is_one_sentence(
    num: list[float], den: list[float], keywords: dict[str, object], sentence: str | None
) -> None:
    if sentence is None:
        assert ratio_bootstrap(num, den, seed=1).value is None
        return
    with pytest.raises(StatsError) as error:
        ratio_bootstrap(num, den, seed=1, **keywords)  # type: ignore[arg-type]
    assert str(error.value) == sentence


def test_arms_of_different_cases_are_refused() -> None:
    with pytest.raises(StatsError, match=r"arms of shapes \(3, 2\), \(2, 2\) came"):
        paired_bootstrap(ratio, [np.ones((3, 2)), np.ones((2, 2))], seed=1)
    with pytest.raises(StatsError, match="1 arms came; at least two were expected"):
        paired_bootstrap(ratio, [np.ones((3, 2))], seed=1)
