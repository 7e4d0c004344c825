"""Power, gates, coverage of an evaluator, confidence calibration."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from percuss.stats import (
    PAPER_GATES,
    StatsError,
    clopper_pearson,
    confidence_calibration,
    fit_confidence_constants,
    gate,
    outcome_rates,
    power_hdi,
    power_rates,
    trials_needed,
)

RNG = np.random.default_rng(41)


def test_power_of_two_rates_is_the_normal_formula() -> None:
    """One independent trial a case, .5 against .6: paired variance .25 + .24 a case, planned without covariance."""
    a, b = RNG.permutation(np.arange(1000) < 500), RNG.permutation(np.arange(1000) < 600)
    one = np.ones(1000)
    r = power_rates((a, one), (b, one), seed=1, simulations=800)
    covariance = float(np.cov(a, b, ddof=0)[0, 1])
    needed = (1.96 + 0.8416) ** 2 * (0.25 + 0.24 - 2 * covariance) / 0.1**2
    assert r.clusters == pytest.approx(needed, rel=0.12)
    assert r.power.value == pytest.approx(0.8, abs=0.03)
    assert str(r).startswith(f"{r.clusters} cases give power 0.")


def test_power_at_the_pilots_own_null_is_the_level() -> None:
    a = RNG.binomial(1, 0.4, 400).astype(float)
    r = power_rates(
        (a, np.ones(400)), (1 - np.roll(1 - a, 7), np.ones(400)), seed=2, n=200, simulations=4_000
    )
    assert r.power.value == pytest.approx(0.05, abs=0.02)


def test_power_for_hdi_grows_with_cases() -> None:
    n = np.full(60, 8)
    first = (RNG.binomial(8, 0.05, 60), n, RNG.binomial(8, 0.6, 60), n)
    second = (RNG.binomial(8, 0.10, 60), n, RNG.binomial(8, 0.6, 60), n)
    powers = [power_hdi(first, second, seed=3, n=size, simulations=500).power.value for size in (20, 80, 320)]
    values = [p for p in powers if p is not None]
    assert values == sorted(values)
    found = power_hdi(first, second, seed=3, simulations=500)
    assert found.clusters is not None
    assert found.power.value is not None
    assert found.power.value >= 0.8


def test_power_without_a_difference_or_an_hdi_says_so() -> None:
    n = np.full(10, 5)
    same = (np.ones(10), n, np.full(10, 3), n)
    assert power_hdi(same, same, seed=1, simulations=50).undefined == "the pilot shows no difference"
    none = (np.ones(10), n, np.zeros(10), n)
    assert (
        power_hdi(same, none, seed=1, simulations=50).undefined == "the statistic is undefined in the pilot"
    )


def test_one_failure_in_195_fails_the_papers_evidence_gate() -> None:
    """definitions/explanation.md: the bootstrap bound is 3/195 = 1.5%, above the 1% of papers/1, section 5.2."""
    events = np.zeros(195)
    events[3] = 1
    g = gate(events, PAPER_GATES["evidence"], seed=1, name="evidence")
    assert g.passed is False
    assert g.rate.high == pytest.approx(3 / 195)
    assert scipy_stats.binom.ppf(0.975, 195, 1 / 195) == 3


def test_no_events_pass_and_say_how_many_trials_would_assure_it() -> None:
    g = gate(np.zeros(131), 0.01, seed=1)
    assert (g.passed, g.assured, g.needs) == (True, False, 368)
    assert gate(np.zeros(368), 0.01, seed=1).assured
    assert "pass (needs n >= 368)" in str(g)


def test_a_threshold_of_zero_is_judged_by_count() -> None:
    one = np.zeros(5_000)
    one[0] = 1
    assert gate(np.zeros(100), 0.0, seed=1).passed
    assert gate(one, 0.0, seed=1).passed is False
    assert gate(np.zeros(100), 0.0, seed=1).needs is None


@pytest.mark.parametrize(("k", "threshold"), [(0, 0.01), (1, 0.01), (3, 0.05), (20, 0.02)])
def test_trials_needed_is_where_clopper_pearson_turns(k: int, threshold: float) -> None:
    n = trials_needed(k, threshold)
    assert n is not None
    at, before = clopper_pearson(k, n).high, clopper_pearson(k, n - 1).high
    assert at is not None
    assert before is not None
    assert at <= threshold < before


def test_bad_gates_are_refused() -> None:
    with pytest.raises(StatsError, match="events hold values other than 0 and 1"):
        gate([0.5], 0.1, seed=1)
    with pytest.raises(StatsError, match=r"threshold is 1\.5"):
        gate([0], 1.5, seed=1)
    assert gate([], 0.1, seed=1).passed is None


def test_coverage_and_validity_are_the_papers_figures() -> None:
    outcomes = ["ok"] * 90 + ["abstain"] * 5 + ["schema"] * 3 + ["evidence"] * 2
    r = outcome_rates(outcomes)
    assert (r.coverage, r.validity) == pytest.approx((1 - 0.05 - 0.05, 1 - 0.05 / 0.95))
    twice = outcome_rates(outcomes, double_count_abstain=True)
    assert (twice.coverage, twice.validity) == pytest.approx((1 - 0.05 - 0.10, 1 - 0.10 / 0.95))
    assert outcome_rates(["abstain"]).validity is None
    with pytest.raises(StatsError, match="outcome 'good' came; one of transport, parse"):
        outcome_rates(["good"])


def test_confidence_calibration_table() -> None:
    """definitions/explanation.md, acceptance, with alpha 1.092 and beta .728 of papers/1, section 4.2."""
    cc = confidence_calibration([0, 0.5, 0.75, 1, 0.25], [1, 0.75, 0.5, 0, 0.25])
    assert cc == pytest.approx([0, 0.727, 0.818, 0.272, 1])


@pytest.mark.parametrize("planted", [0.25, 0.728, 1.5, 3.0])
def test_the_fit_recovers_a_planted_scale(planted: float) -> None:
    cf, ct = RNG.integers(0, 5, 150) / 4, RNG.integers(0, 5, 150) / 4
    target = confidence_calibration(cf, ct, alpha=1.5 * planted, beta=planted)
    r = fit_confidence_constants(cf, ct, target, seed=1, B=50)
    assert (r.kappa.value, r.alpha.value) == pytest.approx((planted, 1.5 * planted))
    assert r.mse == pytest.approx(0, abs=1e-12)


def test_the_fit_is_the_minimum_of_a_fine_grid() -> None:
    """Self-check of the piecewise minimum on noisy targets, clipped pieces included."""
    cf, ct = RNG.integers(0, 5, 66) / 4, RNG.integers(0, 5, 66) / 4
    target = np.clip(RNG.normal(0.6, 0.3, 66), 0, 1)
    r = fit_confidence_constants(cf, ct, target, seed=1, B=200)
    grid = np.linspace(1e-3, 4, 8_000)
    losses = [np.mean((confidence_calibration(cf, ct, alpha=1.5 * k, beta=k) - target) ** 2) for k in grid]
    assert r.kappa.value == pytest.approx(grid[int(np.argmin(losses))], abs=1e-3)
    assert r.mse == pytest.approx(min(losses), abs=1e-6)
    assert r.share_without_penalty == np.mean(cf == ct)
    assert r.kappa.low is not None
    assert r.kappa.value is not None
    assert r.kappa.low <= r.kappa.value


def test_a_fit_without_penalties_is_undefined() -> None:
    r = fit_confidence_constants([0.5, 1], [0.5, 1], [1, 1], seed=1)
    assert r.kappa.undefined == "no item has a penalty, so the scale is free"
    with pytest.raises(StatsError, match="ct runs from 1 to 5; normalised scores from 0 to 1 were expected"):
        confidence_calibration([0, 1], [1, 5])
