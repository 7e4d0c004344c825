"""Wilson at effective trials, scores in PPI, and error rates that fixed seeds must keep."""

import doctest
import pkgutil
from importlib import import_module

import numpy as np
import pytest

from percuss import stats
from percuss.stats import (
    Judged,
    hdi_pooled,
    ppi_difference,
    ppi_hdi,
    ppi_rate,
    ppi_ratio,
    ratio_bootstrap,
    sign_flip_test,
    student_t,
    wilson,
    wilson_clustered,
)
from percuss.stats.clustered import effective_trials
from percuss.stats.resampling import Resamples

RNG = np.random.default_rng(51)


def test_clusters_that_copy_one_trial_are_worth_one_trial_each() -> None:
    one = RNG.binomial(1, 0.4, 400).astype(float)
    worth = effective_trials(one * 5, np.full(400, 5.0))
    assert worth == pytest.approx(400, rel=0.02)


def test_independent_trials_keep_their_number() -> None:
    k = RNG.binomial(5, 0.4, 4_000).astype(float)
    assert effective_trials(k, np.full(4_000, 5.0)) == pytest.approx(20_000, rel=0.07)


def test_effective_wilson_is_wilson_of_the_effective_trials() -> None:
    k, n = RNG.binomial(6, RNG.beta(1, 3, 30)).astype(float), np.full(30, 6.0)
    r, worth = wilson_clustered(k, n), float(effective_trials(k, n))
    plain = wilson(k.mean() / 6 * worth, worth)
    assert [r.value, r.low, r.high] == pytest.approx([plain.value, plain.low, plain.high])
    assert worth < 180


def test_rows_epochs_and_single_clusters() -> None:
    per_case = wilson_clustered([1, 0, 2, 1], [3, 3, 3, 3], clusters=["a", "a", "b", "b"])
    assert per_case.n == 2
    assert per_case.value == pytest.approx(1 / 3)
    assert wilson_clustered([1], [3]).undefined == "1 cluster; at least 2 are needed"
    assert wilson_clustered([0], [0]).undefined == "no trials: n is 0"


def test_few_events_put_effective_wilson_beside_the_bootstrap() -> None:
    few = ratio_bootstrap([1] + [0] * 29, np.full(30, 5), seed=1, B=200)
    many = ratio_bootstrap([1, 2, 3] * 10, np.full(30, 5), seed=1, B=200)
    assert few.alternative is not None
    assert few.alternative.method.startswith("Wilson, effective n")
    assert many.alternative is None


def test_ppi_of_scores_is_unbiased_and_shorter_than_the_labels() -> None:
    truth = RNG.normal(3, 1, 3_000)
    judge = truth + RNG.normal(0.5, 0.4, 3_000)
    human = np.where(np.arange(3_000) < 150, truth, np.nan)
    r, alone = ppi_rate(Judged(judge, human)), student_t(truth[:150])
    assert r.low is not None
    assert r.high is not None
    assert r.width is not None
    assert alone.width is not None
    assert r.low < 3 < r.high
    assert r.width < 0.6 * alone.width
    assert r.notes[0].startswith("weight of the judge 0.8")


def test_ppi_of_scores_pairs_its_arms_by_cluster() -> None:
    patient = np.arange(400)
    base = RNG.normal(0, 1, 400)
    arms = [base + shift + RNG.normal(0, 0.2, 400) for shift in (0.3, 0.0)]
    human = [np.where(patient < 100, a, np.nan) for a in arms]
    judged = [Judged(a + 0.1, h, patient) for a, h in zip(arms, human, strict=True)]
    paired = ppi_difference(*judged)
    apart = ppi_difference(judged[0], Judged(judged[1].judge, judged[1].human, patient + 1_000))
    assert paired.width is not None
    assert apart.width is not None
    assert paired.width < 0.5 * apart.width
    assert paired.low is not None
    assert paired.low > 0
    assert paired.p is not None
    assert paired.p < 0.05


def test_a_denominator_near_zero_leaves_one_bound_open() -> None:
    scores = Judged(RNG.normal(0.02, 1, 60), np.where(np.arange(60) < 30, RNG.normal(0.05, 1, 60), np.nan))
    other = Judged(RNG.normal(3, 1, 60), np.where(np.arange(60) < 30, RNG.normal(3, 1, 60), np.nan))
    r = ppi_ratio(other, scores)
    if r.value is not None:
        assert r.high is None
        assert r.undefined == "the rate in the denominator isn't separated from 0"
        assert "inf]" in str(r)
    assert ppi_hdi(other, scores).low is None


def test_judged_labels_no_human_saw_are_named() -> None:
    judge = np.array([1.0] * 3 + [0.0] * 20)
    human = np.array([np.nan] * 3 + [0.0] * 10 + [np.nan] * 10)
    assert (
        ppi_rate(Judged(judge, human)).undefined == "humans saw none of the 3 items that the judge called 1"
    )


def test_sign_flips_keep_their_level() -> None:
    """400 data sets under H0: a valid 5% test rejects at most 30 (binomial, 0.9%)."""
    rng = np.random.default_rng(52)
    p = [sign_flip_test(rng.normal(size=15), seed=i, B=199).p for i in range(400)]
    assert sum(x <= 0.05 for x in p if x is not None) <= 30


@pytest.mark.slow
def test_hdi_covers_at_119_patients() -> None:
    """definitions/grounding.md, acceptance: 200 settings x 200 data sets, 93-97% pooled, none below 87%.

    Counts alone, 119 patients, about 5.5 claims, u_b from .10; one W serves all settings.
    """
    rng = np.random.default_rng(53)
    n, reps = 119, 200
    w = np.concatenate(list(Resamples(n, 400, 54)))
    covered = []
    for _ in range(200):
        u_b = rng.uniform(0.10, 0.95)
        u_g = rng.uniform(0.2, 0.9) * u_b
        draws = []
        for rate in (u_g, u_b):
            total = rng.poisson(4.5, (n, reps)) + 1.0
            events = rng.binomial(total.astype(int), rate).astype(float)
            draws.append((w @ events) / (w @ total))
        boot = 1 - draws[0] / draws[1]
        low, high = np.quantile(boot, [0.025, 0.975], axis=0)
        truth = 1 - u_g / u_b
        covered.append(float(np.mean((low <= truth) & (truth <= high))))
    assert 0.93 <= np.mean(covered) <= 0.97
    assert min(covered) >= 0.87


def test_hdi_pooled_reads_the_same_limits_as_the_engine() -> None:
    n_g, n_b = RNG.poisson(5, 40) + 1, RNG.poisson(5, 40) + 1
    u_g, u_b = RNG.binomial(n_g, 0.2), RNG.binomial(n_b, 0.7)
    r = hdi_pooled(u_g, n_g, u_b, n_b, seed=9, B=400)
    w = np.concatenate(list(Resamples(40, 400, 9)))
    draws = 1 - (w @ u_g / (w @ n_g)) / (w @ u_b / (w @ n_b))
    assert [r.low, r.high] == pytest.approx(np.quantile(draws, [0.025, 0.975]))


@pytest.mark.parametrize("module", sorted(m.name for m in pkgutil.iter_modules(stats.__path__)))
def test_examples_in_docstrings_run(module: str) -> None:
    assert doctest.testmod(import_module(f"percuss.stats.{module}")).failed == 0
