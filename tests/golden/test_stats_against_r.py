"""Statistics against numbers that R computed; script, versions and date stand in tests/golden/stats."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from percuss import stats

R = json.loads((Path(__file__).parent / "stats" / "r.json").read_text(encoding="utf-8"))

A = [1, 2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 2, 1, 3, 2, 1, 1, 3, 2, 2, 3, 1, 2, 3]
B = [1, 2, 3, 2, 2, 1, 2, 2, 3, 3, 1, 2, 1, 3, 3, 1, 1, 3, 2, 1, 3, 1, 2, 2]
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
U = np.array([1, 0, 3, 2, 0, 1, 5, 0, 2, 1, 0, 4.0])
N = np.array([5, 6, 7, 4, 5, 6, 8, 3, 5, 6, 4, 7.0])


@pytest.mark.parametrize(("k", "n"), [(1090, 5543), (0, 20), (3, 17), (29, 30)])
@pytest.mark.parametrize("name", ["wilson", "clopper_pearson"])
def test_intervals_of_a_proportion(name: str, k: int, n: int) -> None:
    r = getattr(stats, name)(k, n)
    assert [r.low, r.high] == pytest.approx(R[f"{name} {k}/{n}"], abs=1e-10)


def test_student_t() -> None:
    r = stats.student_t([2.1, 3.4, 1.9, 5.6, 4.4, 3.3])
    assert [r.low, r.high] == pytest.approx(R["student_t"])


def test_p_values_of_two_arms() -> None:
    assert stats.two_proportion_z(15, 60, 5, 62).p == pytest.approx(R["two_proportion_z p"][0])
    assert stats.mcnemar_exact(0, 12, 4, 0).p == pytest.approx(R["mcnemar p 12 4"][0])


@pytest.mark.parametrize("name", ["holm", "bonferroni", "benjamini_hochberg"])
def test_adjusted_p(name: str) -> None:
    assert getattr(stats, name)([0.001, 0.009, 0.04, 0.03, 0.2, 0.011]) == pytest.approx(R[name])


def test_kendall_tau_b_with_and_without_ties() -> None:
    tied = ([1, 2, 2, 3, 4, 4, 5, 1, 3, 5, 2, 4], [1, 3, 2, 3, 5, 4, 4, 2, 2, 5, 1, 3])
    free = ([4, 7, 8, 5, 6, 3, 2, 1, 9], [2, 9, 6, 5, 8, 1, 4, 3, 7])
    for (x, y), name in ((tied, "tau tied"), (free, "tau exact")):
        r = stats.kendall_tau_b(x, y, seed=1, B=100)
        assert [r.value, r.p] == pytest.approx(R[name])


def test_spearman_of_paper_4() -> None:
    """papers/4, section 5.3: rho -0.7143 with n 8; the exact p is 0.0576, which the paper rounds to 0.058."""
    r = stats.spearman_exact(range(1, 9), [4, 7, 8, 5, 6, 3, 2, 1])
    assert [r.value, r.p] == pytest.approx(R["spearman exact"])
    assert (round(r.value or 0, 4), round(r.p or 0, 4)) == (-0.7143, 0.0576)


@pytest.mark.parametrize("weights", ["nominal", "linear", "quadratic"])
def test_cohen_kappa_and_its_standard_error(weights: str) -> None:
    r = stats.cohen_kappa(A, B, weights=weights, level=0.6827)  # type: ignore[arg-type]
    value, error = R[f"kappa {weights}"]
    assert r.value == pytest.approx(value)
    assert r.low is not None
    # R prints the large-sample error; at level 0.6827 the half width is one of them.
    assert value - r.low == pytest.approx(error, rel=1e-3)


@pytest.mark.parametrize("form", ["A,1", "A,k", "C,1", "C,k"])
def test_icc_on_the_table_of_shrout_and_fleiss(form: str) -> None:
    r = stats.icc(SHROUT_FLEISS, form=form)  # type: ignore[arg-type]
    assert [r.value, r.low, r.high, r.p] == pytest.approx(R[f"icc {form}"], rel=1e-6)


def test_bradley_terry_is_the_logistic_regression() -> None:
    wins = [[0, 7, 9, 5], [3, 0, 6, 6], [1, 4, 0, 3], [5, 4, 7, 0]]
    rows = []
    for i in range(4):
        for j in range(4):
            row = [float("nan")] * 4
            row[i], row[j] = 1.0, 2.0
            rows += [row] * wins[i][j] if i != j else []
    r = stats.bradley_terry(rows, seed=1, B=50)
    assert [s.value for s in r.strengths] == pytest.approx(R["bradley_terry"])


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_bootstrap_limits_of_a_ratio(method: str) -> None:
    """Both sides draw 99,999 resamples of 12 clusters; the limits are a grid of rationals, within 0.004."""
    r = stats.ratio_bootstrap(U, N, seed=3, B=99_999, method=method)  # type: ignore[arg-type]
    assert [r.low, r.high] == pytest.approx(R[f"boot {method}"], abs=0.004)


def test_tie_letters_of_multcomp() -> None:
    close = {(0, 1), (0, 2), (1, 2), (2, 3), (3, 4)} - {(0, 2)}
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    differences = tuple(
        SimpleNamespace(first=i, second=j, separates=(i, j) not in close, result=SimpleNamespace(value=1.0))
        for i, j in pairs
    )
    arms = tuple(SimpleNamespace(value=-float(i)) for i in range(5))
    paired = SimpleNamespace(arms=arms, differences=differences)
    assert list(stats.tie_letters(paired)) == R["tie letters"]  # type: ignore[arg-type]
