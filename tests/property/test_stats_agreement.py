"""Laws of agreement, rank and preference statistics."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.stats import (
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    icc,
    kendall_tau_b,
    krippendorff_alpha,
    raw_agreement,
    sign_flip_test,
    spearman_exact,
    tie_letters,
)
from percuss.stats.bootstrap import Difference, Paired
from percuss.stats.result import Result

#: A busy machine is no broken law; the examples are the same in every run.
LAW = settings(max_examples=60, deadline=None, derandomize=True)
pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
table = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=3, max_size=3), min_size=1, max_size=12
)
values = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=20)


def _near(a: float | None, b: float | None) -> bool:
    return a is b is None or (a is not None and b is not None and abs(a - b) < 1e-9)


@LAW
@given(pairs, st.sampled_from(["nominal", "linear", "quadratic"]))
def test_kappa_is_symmetric_and_at_most_one(rows: list[tuple[int, int]], weights: str) -> None:
    a, b = zip(*rows, strict=True)
    there = cohen_kappa(a, b, weights=weights, scale=range(4))  # type: ignore[arg-type]
    back = cohen_kappa(b, a, weights=weights, scale=range(4))  # type: ignore[arg-type]
    assert _near(there.value, back.value)
    assert there.value is None or -1 - 1e-9 <= there.value <= 1 + 1e-9
    assert there.value is not None or there.undefined


@LAW
@given(pairs)
def test_nominal_kappa_ignores_the_names_of_labels(rows: list[tuple[int, int]]) -> None:
    a, b = zip(*rows, strict=True)
    names = ["d", "a", "c", "b"]
    assert _near(cohen_kappa(a, b).value, cohen_kappa([names[x] for x in a], [names[x] for x in b]).value)


@LAW
@given(pairs)
def test_every_item_twice_changes_no_coefficient(rows: list[tuple[int, int]]) -> None:
    a, b = zip(*rows, strict=True)
    assert _near(cohen_kappa(a, b).value, cohen_kappa(a * 2, b * 2).value)
    assert _near(fleiss_kappa(rows).value, fleiss_kappa(rows * 2).value)
    assert _near(raw_agreement(a, b).value, raw_agreement(a * 2, b * 2).value)


@LAW
@given(pairs)
def test_fleiss_of_two_raters_is_scotts_pi(rows: list[tuple[int, int]]) -> None:
    shares = np.bincount(np.ravel(rows), minlength=4) / (2 * len(rows))
    chance, raw = float((shares**2).sum()), float(np.mean([a == b for a, b in rows]))
    r = fleiss_kappa(rows)
    assert r.value is None if chance == 1 else _near(r.value, (raw - chance) / (1 - chance))


@LAW
@given(table, st.permutations(range(3)))
def test_raters_are_exchangeable(rows: list[list[int | None]], order: list[int]) -> None:
    moved = [[row[i] for i in order] for row in rows]
    for coefficient in (fleiss_kappa, gwet_ac, krippendorff_alpha):
        assert _near(
            coefficient(rows, scale=[1, 2, 3, 4]).value,
            coefficient(moved, scale=[1, 2, 3, 4]).value,
        )


@LAW
@given(table)
def test_alpha_keeps_its_value_under_the_transformations_of_its_scale(rows: list[list[int | None]]) -> None:
    affine = [[None if v is None else 3 * v - 7 for v in row] for row in rows]
    monotone = [[None if v is None else v**3 for v in row] for row in rows]
    assert _near(
        krippendorff_alpha(rows, metric="interval").value, krippendorff_alpha(affine, metric="interval").value
    )
    assert _near(
        krippendorff_alpha(rows, metric="ordinal").value, krippendorff_alpha(monotone, metric="ordinal").value
    )


@LAW
@given(table)
def test_agreement_has_a_value_or_a_reason(rows: list[list[int | None]]) -> None:
    for r in (
        fleiss_kappa(rows),
        gwet_ac(rows),
        krippendorff_alpha(rows),
        krippendorff_alpha(rows, metric="ordinal"),
    ):
        assert (r.value is None) <= (r.undefined is not None)
        assert r.value is None or r.value <= 1 + 1e-9


@LAW
@given(
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=10), st.integers(-5, 5)
)
def test_consistency_ignores_a_raters_shift_and_agreement_never_gains(
    scores: list[list[int]], shift: int
) -> None:
    x = np.array(scores, dtype=float)
    moved = x + np.array([0, shift, 0])
    a, b = icc(x, form="C,1"), icc(moved, form="C,1")
    if a.value is not None and b.value is not None:
        assert abs(a.value - b.value) < 1e-6


@LAW
@given(values)
def test_tau_and_rho_turn_with_one_variable(rows: list[tuple[int, int]]) -> None:
    x, y = (list(v) for v in zip(*rows, strict=True))
    back = [-v for v in y]
    a, b = kendall_tau_b(x, y, seed=1, B=30), kendall_tau_b(x, back, seed=1, B=30)
    assert (a.value is None) == (b.value is None)
    if a.value is not None and b.value is not None:
        assert abs(a.value + b.value) < 1e-12
        assert a.p == b.p
        assert abs(a.value) <= 1 + 1e-12
    if len(x) <= 8:
        r, s = spearman_exact(x, y), spearman_exact(x, back)
        assert _near(r.value, None if s.value is None else -s.value)
        assert _near(r.p, s.p)


@LAW
@given(st.lists(st.integers(-20, 20), min_size=1, max_size=14))
def test_sign_flips_are_symmetric_and_their_interval_holds_the_mean(differences: list[int]) -> None:
    a, b = (
        sign_flip_test(differences, seed=1, B=500),
        sign_flip_test([-d for d in differences], seed=1, B=500),
    )
    assert a.p == b.p
    if a.low is not None and a.high is not None and a.value is not None:
        assert a.low <= a.value <= a.high


@LAW
@given(st.integers(2, 7).flatmap(lambda k: st.tuples(st.just(k), st.sets(st.sampled_from(
    [(i, j) for i in range(k) for j in range(i + 1, k)])))))  # fmt: skip
def test_arms_share_a_letter_exactly_where_they_do_not_separate(
    case: tuple[int, set[tuple[int, int]]],
) -> None:
    k, apart = case

    def result(value: float, p: float | None) -> Result:
        return Result(value=value, low=value - 1, high=value + 1, level=0.95, method="m", n=9, p=p)

    arms = tuple(result(float(i), None) for i in range(k))
    differences = tuple(
        Difference(i, j, result(float(i - j), 0.5), 0.001 if (i, j) in apart else 0.9)
        for i in range(k)
        for j in range(i + 1, k)
    )
    letters = tie_letters(Paired(arms, differences))
    for d in differences:
        shared = set(letters[d.first]) & set(letters[d.second])
        assert bool(shared) != d.separates
    assert all(letters)
