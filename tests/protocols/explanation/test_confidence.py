"""Confidence calibration and the fit of its constants."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.core.errors import UsageError
from percuss.protocols.explanation.estimate.confidence import (
    calibration,
    fit_confidence_constants,
    normalised,
)

shares = st.floats(0, 1, allow_nan=False)


# papers/1 section 4.2: alpha 1.092, beta 0.728.
@pytest.mark.parametrize(("cf", "ct", "cc"), [(0, 1, 0), (0.5, 0.75, 0.727), (0.75, 0.5, 0.818), (1, 0, 0.272), (0.5, 0.5, 1)])  # fmt: skip
def test_golden_values(cf: float, ct: float, cc: float) -> None:
    assert calibration(cf, ct) == pytest.approx(cc, abs=1e-9)


@given(shares, shares)
def test_it_is_a_share_and_largest_where_tone_fits(cf: float, ct: float) -> None:
    assert 0 <= calibration(cf, ct) <= calibration(cf, cf) == 1


def test_scores_are_normalised() -> None:
    assert [normalised(score) for score in (1, 2, 3, 4, 5)] == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("kappa", [0.25, 0.728, 1.5, 3.0])
def test_a_planted_scale_is_recovered(kappa: float) -> None:
    dice = np.random.default_rng(5)
    cf, ct = dice.integers(0, 5, 120) / 4, dice.integers(0, 5, 120) / 4
    target = np.array([calibration(a, b, alpha=1.5 * kappa, beta=kappa) for a, b in zip(cf, ct, strict=True)])
    fit = fit_confidence_constants(cf, ct, target, 1.5, seed=1, B=200)
    assert fit.kappa.value == pytest.approx(kappa, abs=1e-3)
    assert fit.alpha == pytest.approx(1.5 * kappa, abs=2e-3)
    assert fit.mse < 1e-6
    assert fit.unpenalised == pytest.approx(float(np.mean(cf == ct)))
    assert fit.kappa.low is not None
    assert fit.kappa.low <= kappa + 1e-3


def test_the_interval_holds_the_scale_under_noise() -> None:
    # 95% intervals on 40 data sets: 33 or fewer hits have probability 0.014 if coverage is 95%.
    held = 0
    for seed in range(40):
        dice = np.random.default_rng(seed)
        cf, ct = dice.integers(0, 5, 80) / 4, dice.integers(0, 5, 80) / 4
        exact = np.array([calibration(a, b, alpha=1.092, beta=0.728) for a, b in zip(cf, ct, strict=True)])
        target = np.clip(exact + dice.normal(0, 0.05, 80), 0, 1)
        fit = fit_confidence_constants(cf, ct, target, 1.5, seed=seed, B=200)
        assert fit.kappa.low is not None
        assert fit.kappa.high is not None
        held += fit.kappa.low <= 0.728 <= fit.kappa.high
    assert held >= 33


@pytest.mark.parametrize(
    ("cf", "ct", "target", "rho", "words"),
    [
        ([0.5], [0.5], [1.0], 1.5, "at least 2"),
        ([0.5, 1], [0.5, 2], [1, 1], 1.5, "outside 0..1"),
        ([0.5, 1], [0.5, 1], [1, 1], 1.5, "no scale"),
        ([0.5, 1], [0, 1], [1, 1], 0, "rho"),
    ],
)
def test_what_cannot_be_fitted_is_refused(
    cf: list[float], ct: list[float], target: list[float], rho: float, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        fit_confidence_constants(cf, ct, target, rho, seed=1)
