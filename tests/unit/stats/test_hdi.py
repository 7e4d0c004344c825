"""HDI: the paper's numbers, its edges, and its differences."""

import numpy as np
import pytest

from percuss.stats import (
    StatsError,
    hdi,
    hdi_difference,
    hdi_differences,
    hdi_macro,
    hdi_mover,
    hdi_pooled,
    mover_ratio,
)

#: papers/0, Table 2: u_b and u_g in percent, HDI of Table 3, and the range that rounding to 0.1 pp allows.
TABLE_2 = [
    ("gpt-4o-mini", 16.0, 0.2, 0.984, 0.9843, 0.9907),
    ("gpt-5.4-mini", 5.9, 4.0, 0.336, 0.3077, 0.3361),
    ("gemini-2.5-flash", 64.8, 5.2, 0.919, 0.9189, 0.9206),
    ("gemini-3-flash-preview", 91.5, 14.0, 0.847, 0.8464, 0.8476),
]


@pytest.mark.parametrize(
    ("model", "u_b", "u_g", "printed", "low", "high"), TABLE_2, ids=[t[0] for t in TABLE_2]
)
def test_the_papers_hdi_lies_in_the_range_of_its_rounded_rates(
    model: str, u_b: float, u_g: float, printed: float, low: float, high: float
) -> None:
    corners = [
        hdi_mover(10 * u_g + a, 1000, 10 * u_b + b, 1000).value for a in (-0.5, 0.5) for b in (-0.5, 0.5)
    ]
    values = [v for v in corners if v is not None]
    assert (round(min(values), 4), round(max(values), 4)) == (low, high)
    assert low - 5e-4 <= printed <= high + 5e-4


def test_pooled_sums_counts_and_macro_averages_patients() -> None:
    u_g, n_g, u_b, n_b = [1, 0, 2], [4, 5, 4], [2, 0, 2], [4, 5, 8]
    r = hdi(u_g, n_g, u_b, n_b, seed=1, B=200)
    assert r.pooled.value == pytest.approx(1 - (3 / 13) / (4 / 17))
    assert r.macro.value == pytest.approx(((1 - 0.25 / 0.5) + (1 - 0.5 / 0.25)) / 2)
    assert (r.macro.n, r.macro.n_undefined) == (2, 1)


def test_clusters_pool_the_rows_of_a_patient() -> None:
    per_row = hdi_macro([1, 0], [4, 4], [2, 2], [4, 4], seed=1, B=50)
    per_patient = hdi_macro([1, 0], [4, 4], [2, 2], [4, 4], clusters=["p", "p"], seed=1, B=50)
    assert per_row.value == per_patient.value == 0.75
    assert (per_row.n, per_patient.n) == (2, 1)


def test_few_events_put_mover_beside_the_bootstrap() -> None:
    few = hdi_pooled([0, 1, 1], [5, 5, 5], [3, 4, 5], [5, 5, 5], seed=1, B=200)
    many = hdi_pooled([4, 5, 4] * 7, [9] * 21, [7, 8, 9] * 7, [9] * 21, seed=1, B=200)
    assert few.alternative is not None
    assert few.alternative.method == "MOVER (Wilson limits, effective n)"
    assert many.alternative is None


def test_no_unsupported_grounded_claim_gives_mover_never_zero_width() -> None:
    r = hdi_pooled([0] * 30, [5] * 30, [2] * 30, [5] * 30, seed=1)
    assert (r.value, r.high) == (1.0, 1.0)
    assert r.method.startswith("MOVER")
    assert r.low is not None
    assert 0.85 < r.low < 0.97


def test_no_unsupported_baseline_claim_is_undefined() -> None:
    r = hdi([1, 0], [5, 5], [0, 0], [5, 5], seed=1, B=50)
    assert r.pooled.value is r.macro.value is None
    assert r.pooled.undefined == "no unsupported claim without evidence"


def test_an_arm_without_claims_is_undefined() -> None:
    assert hdi_pooled([0], [0], [1], [2], seed=1).undefined == "no claims with evidence"
    assert hdi_pooled([0], [2], [0], [0], seed=1).undefined == "no claims without evidence"


def test_more_than_a_percent_of_undefined_resamples_leave_no_interval() -> None:
    r = hdi_pooled([1, 1, 0, 1], [5] * 4, [2, 0, 0, 0], [5] * 4, seed=1)
    assert r.value is not None
    assert r.low is None
    # The only patient with an unsupported baseline claim is missed by (3/4)^4 = 32% of resamples.
    assert r.dropped == pytest.approx(0.316 * 2000, abs=100)


def test_mover_of_hdi_is_one_minus_mover_of_the_ratio() -> None:
    h, r = hdi_mover(3, 60, 12, 50), mover_ratio(3, 60, 12, 50)
    assert r.low is not None
    assert r.high is not None
    assert (h.low, h.high) == (1 - r.high, 1 - r.low)


def test_differences_of_four_models_as_in_appendix_e() -> None:
    """Simulated from Table 2 with 119 patients: the pattern of Table 8, every pair apart after Holm."""
    rng = np.random.default_rng(42)
    arms = []
    for _, u_b, u_g, *_ in TABLE_2:
        n_g, n_b = rng.poisson(8, 119) + 1, rng.poisson(8, 119) + 1
        arms.append((rng.binomial(n_g, u_g / 100), n_g, rng.binomial(n_b, u_b / 100), n_b))
    r = hdi_differences(arms, seed=42)
    assert len(r.differences) == 6
    assert all(d.separates for d in r.differences)
    assert min(d.p_holm for d in r.differences if d.p_holm is not None) == pytest.approx(6 / 2000)
    alone = hdi_pooled(*arms[2], seed=42)
    assert (alone.low, alone.high) == (r.arms[2].low, r.arms[2].high)
    assert hdi_difference(arms[2], arms[3], seed=42).low == r.between(2, 3).result.low


def test_a_model_without_grounded_events_widens_its_differences() -> None:
    n = np.full(40, 6)
    clean = (np.zeros(40), n, np.full(40, 2), n)
    d = hdi_difference(clean, clean, seed=1, B=100)
    assert (d.value, d.p) == (0.0, 1.0)
    assert d.low is not None
    assert d.high is not None
    assert d.low < 0 < d.high


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (([3], [2], [1], [2]), "u_g = 3 of n_g = 2 in row 0; 0 <= u_g <= n_g was expected"),
        (([-1], [2], [1], [2]), "u_g = -1 of n_g = 2 in row 0; 0 <= u_g <= n_g was expected"),
        (([1], [2], [1, 1], [2, 2]), "1 grounded rows and 2 baseline rows; the same cases were expected"),
        (([float("nan")], [2], [1], [2]), "u_g holds nan at position 0; finite numbers were expected"),
    ],
)
def test_bad_counts_are_one_sentence(counts: tuple[list[float], ...], sentence: str) -> None:
    with pytest.raises(StatsError) as error:
        hdi(*counts, seed=1)
    assert str(error.value) == sentence
