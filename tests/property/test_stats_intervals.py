"""Laws of intervals, bootstraps, HDI and corrections, over inputs that Hypothesis looks for."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.stats import (
    Result,
    benjamini_hochberg,
    bonferroni,
    bounds_over_exclusions,
    clopper_pearson,
    hdi_pooled,
    holm,
    mover_ratio,
    newcombe,
    ratio_bootstrap,
    ratio_differences,
    rogan_gladen,
    student_t,
    wilson,
)

#: A busy machine is no broken law; the examples are the same in every run.
LAW = settings(max_examples=60, deadline=None, derandomize=True)
trials = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
level = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
p_values = st.lists(st.floats(0, 1), max_size=12)
#: Per case (u_g, n_g, u_b, n_b).
cases = st.lists(
    st.tuples(
        trials_ := st.integers(0, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), trials_
    ),
    min_size=1,
    max_size=12,
)


def _ordered(r: Result) -> bool:
    return r.low is None or r.high is None or r.value is None or r.low - 1e-12 <= r.value <= r.high + 1e-12


@LAW
@given(trials, level)
def test_intervals_of_a_proportion_hold_it_and_stay_inside_zero_and_one(
    kn: tuple[int, int], level: float
) -> None:
    for interval in (wilson, clopper_pearson):
        r, mirror = interval(*kn, level=level), interval(kn[1] - kn[0], kn[1], level=level)
        assert r.low is not None
        assert r.high is not None
        assert mirror.high is not None
        assert 0 <= r.low < r.high <= 1
        assert _ordered(r)
        assert abs(r.low - (1 - mirror.high)) < 1e-9


@LAW
@given(trials)
def test_a_higher_level_contains_a_lower_one(kn: tuple[int, int]) -> None:
    for interval in (wilson, clopper_pearson):
        inner, outer = interval(*kn, level=0.8), interval(*kn, level=0.95)
        assert inner.low is not None
        assert outer.low is not None
        assert inner.high is not None
        assert outer.high is not None
        assert outer.low <= inner.low
        assert inner.high <= outer.high


@LAW
@given(trials, trials)
def test_newcombe_turns_its_sign_with_its_arms(a: tuple[int, int], b: tuple[int, int]) -> None:
    r, back = newcombe(*a, *b), newcombe(*b, *a)
    assert _ordered(r)
    assert r.low is not None
    assert back.high is not None
    assert abs(r.low + back.high) < 1e-12
    assert r.low >= -1


@LAW
@given(trials, trials)
def test_mover_ratio_inverts_with_its_arms(a: tuple[int, int], b: tuple[int, int]) -> None:
    r, back = mover_ratio(*a, *b), mover_ratio(*b, *a)
    assert _ordered(r)
    if b[0] == 0:
        assert r.value is None
    elif a[0] > 0:
        assert r.low is not None
        assert back.high is not None
        assert abs(r.low * back.high - 1) < 1e-6


@LAW
@given(trials, st.integers(0, 100))
def test_bounds_widen_with_exclusions(kn: tuple[int, int], excluded: int) -> None:
    r, more = bounds_over_exclusions(*kn, excluded), bounds_over_exclusions(*kn, excluded + 1)
    assert _ordered(r)
    assert r.width is not None
    assert more.width is not None
    assert r.width < more.width


@LAW
@given(st.lists(st.floats(-1e6, 1e6), max_size=30), st.floats(-100, 100))
def test_student_t_moves_with_its_data(values: list[float], shift: float) -> None:
    r, moved = student_t(values), student_t([v + shift for v in values])
    assert _ordered(r)
    if r.low is not None and moved.low is not None:
        assert abs(moved.low - r.low - shift) < 1e-3


@LAW
@given(p_values)
def test_corrections_never_lower_a_p_and_order_by_strength(p: list[float]) -> None:
    fdr, step, one = benjamini_hochberg(p), holm(p), bonferroni(p)
    for raw, a, b, c in zip(p, fdr, step, one, strict=True):
        assert raw - 1e-15 <= a <= b + 1e-12
        assert b <= c + 1e-12 <= 1 + 1e-9


@LAW
@given(p_values, st.randoms(use_true_random=False))
def test_corrections_follow_the_order_of_their_input(p: list[float], random: object) -> None:
    order = list(range(len(p)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = holm([p[i] for i in order])
    assert all(abs(shuffled[j] - holm(p)[i]) < 1e-12 for j, i in enumerate(order))


@LAW
@given(cases, st.integers(0, 5))
def test_hdi_is_one_minus_a_ratio_or_says_why_not(
    rows: list[tuple[tuple[int, int], tuple[int, int]]], seed: int
) -> None:
    (u_g, n_g), (u_b, n_b) = (zip(*arm, strict=True) for arm in zip(*rows, strict=True))
    r = hdi_pooled(u_g, n_g, u_b, n_b, seed=seed, B=60)
    if sum(u_b) == 0 or sum(n_g) == 0:
        assert r.value is None
        assert r.undefined
    else:
        assert r.value is not None
        assert abs(r.value - (1 - sum(u_g) / sum(n_g) * sum(n_b) / sum(u_b))) < 1e-9
        assert r.width is None or r.width > 0


@LAW
@given(st.lists(trials_, min_size=2, max_size=15), st.integers(0, 3))
def test_the_bootstrap_ignores_the_order_of_clusters_in_its_value(
    rows: list[tuple[int, int]], seed: int
) -> None:
    num, den = zip(*rows, strict=True)
    r = ratio_bootstrap(num, den, seed=seed, B=50)
    back = ratio_bootstrap(num[::-1], den[::-1], seed=seed, B=50)
    assert r.value == back.value or (
        r.value is not None and back.value is not None and abs(r.value - back.value) < 1e-12
    )
    again = ratio_bootstrap(num, den, seed=seed, B=50)
    assert (r.low, r.high) == (again.low, again.high)
    assert r.low is None or (r.high is not None and r.low < r.high)


@LAW
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=12))
def test_swapping_arms_turns_a_difference_and_keeps_its_p(rows: list[tuple[int, int]]) -> None:
    a, b = np.array(rows, dtype=float).T
    den = np.full((2, len(a)), 3.0)
    there = ratio_differences(np.array([a, b]), den, seed=1, B=80).between(0, 1).result
    back = ratio_differences(np.array([b, a]), den, seed=1, B=80).between(0, 1).result
    assert there.p == back.p
    if there.low is not None and back.high is not None:
        assert abs(there.low + back.high) < 1e-9


@LAW
@given(trials, trials, trials)
def test_corrected_rates_are_rates_that_their_interval_holds(
    rate: tuple[int, int], sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> None:
    r = rogan_gladen(*rate, sensitivity=sensitivity, specificity=specificity)
    if r.value is None:
        assert r.undefined
    else:
        assert 0 <= r.value <= 1
        assert _ordered(r)
