"""Rates corrected for the judge: Rogan-Gladen, prediction-powered estimates."""

import numpy as np
import numpy.typing as npt
import pytest

from percuss.stats import (
    Judged,
    StatsError,
    judge_accuracy,
    judge_accuracy_by_stratum,
    ppi_difference,
    ppi_hdi,
    ppi_rate,
    ppi_ratio,
    rogan_gladen,
    student_t,
    wilson,
)

Floats = npt.NDArray[np.float64]


def judged(
    rng: np.random.Generator,
    *,
    rate: float,
    n: int,
    labelled: int,
    sensitivity: float = 0.9,
    specificity: float = 0.85,
) -> tuple[Judged, Floats]:
    """Items with a truth, a judge that errs at planted rates, and humans on the first few."""
    truth = (rng.random(n) < rate).astype(float)
    right = rng.random(n) < np.where(truth == 1, sensitivity, specificity)
    judge = np.where(right, truth, 1 - truth)
    human = np.where(np.arange(n) < labelled, truth, np.nan)
    return Judged(judge, human), truth


def test_rogan_gladen_inverts_the_judges_errors() -> None:
    # True prevalence 0.3, sensitivity 0.9, specificity 0.8: the judge says 0.3 x 0.9 + 0.7 x 0.2 = 0.41.
    r = rogan_gladen(410, 1000, sensitivity=(90, 100), specificity=(80, 100))
    assert r.value == pytest.approx(0.3)
    assert r.low is not None
    assert r.high is not None
    assert r.low < 0.3 < r.high


def test_a_perfect_judge_changes_nothing() -> None:
    r = rogan_gladen(20, 100, sensitivity=(10**6, 10**6), specificity=(10**6, 10**6))
    w = wilson(20, 100)
    assert [r.value, r.low, r.high] == pytest.approx([w.value, w.low, w.high], abs=0.01)


def test_delta_method_is_its_formula() -> None:
    q, se, sp, n, m = 0.41, 0.9, 0.8, 1000, 100
    p = (q + sp - 1) / (se + sp - 1)
    error = np.sqrt(q * (1 - q) / n + p**2 * se * (1 - se) / m + (1 - p) ** 2 * sp * (1 - sp) / m) / (
        se + sp - 1
    )
    r = rogan_gladen(410, n, sensitivity=(90, m), specificity=(80, m), method="delta")
    assert [r.low, r.high] == pytest.approx([p - 1.959964 * error, p + 1.959964 * error])


def test_bootstrap_and_adjusted_limits_are_near_delta_at_large_samples() -> None:
    counts = {"sensitivity": (900, 1000), "specificity": (800, 1000)}
    delta = rogan_gladen(4100, 10_000, method="delta", **counts)  # type: ignore[arg-type]
    for other in (
        rogan_gladen(4100, 10_000, **counts),  # type: ignore[arg-type]
        rogan_gladen(4100, 10_000, method="bootstrap", seed=1, **counts),  # type: ignore[arg-type]
    ):
        assert [other.low, other.high] == pytest.approx([delta.low, delta.high], abs=0.003)


def test_a_clipped_rate_is_noted() -> None:
    r = rogan_gladen(5, 100, sensitivity=(45, 50), specificity=(45, 50))
    assert r.value == 0
    assert r.notes == ("the corrected rate -0.0625 was clipped to 0",)
    assert r.high is not None
    assert r.high > 0.02


@pytest.mark.parametrize(
    ("sensitivity", "specificity", "reason"),
    [
        ((5, 10), (5, 10), "the judge is no better than chance (sensitivity 0.500, specificity 0.500)"),
        ((0, 0), (5, 10), "no validated positives"),
        ((5, 10), (0, 0), "no validated negatives"),
    ],
)
def test_a_judge_that_tells_nothing_is_undefined(
    sensitivity: tuple[int, int], specificity: tuple[int, int], reason: str
) -> None:
    assert rogan_gladen(5, 20, sensitivity=sensitivity, specificity=specificity).undefined == reason


def test_few_validated_items_leave_the_interval_undefined() -> None:
    r = rogan_gladen(0, 1, sensitivity=(1, 1), specificity=(1, 4))
    assert (r.value, r.low) == (0.0, None)
    assert r.undefined == "with so few validated items the judge can't be told from chance"


def test_accuracy_counts_each_class() -> None:
    a = judge_accuracy([1, 1, 0, 0, 1], [1, 0, 0, 1, 1])
    assert (a.true_positive, a.positive, a.true_negative, a.negative) == (2, 3, 1, 2)
    per = judge_accuracy_by_stratum([1, 1, 0, 0], [1, 0, 0, 0], ["g", "g", "b", "b"])
    assert list(per) == ["b", "g"]
    assert per["b"].sensitivity.undefined == "no trials: n is 0"
    with pytest.raises(StatsError, match="judge holds values other than 0 and 1"):
        judge_accuracy([2, 1], [1, 0])


def test_ppi_on_fully_labelled_data_is_the_human_mean() -> None:
    data, truth = judged(np.random.default_rng(1), rate=0.3, n=200, labelled=200)
    r, t = ppi_rate(data), student_t(truth)
    # Score limits and Student's, both with the t quantile of 199 degrees of freedom.
    assert [r.value, r.low, r.high] == pytest.approx([t.value, t.low, t.high], abs=2e-3)


def test_ppi_is_unbiased_where_the_judge_is_not() -> None:
    """400 data sets: the mean error is within 3 standard errors of 0; the judge alone is off by 0.075."""
    rng = np.random.default_rng(2)
    errors, biased = [], []
    for _ in range(400):
        data, truth = judged(rng, rate=0.3, n=400, labelled=80)
        value = ppi_rate(data).value
        assert value is not None
        errors.append(value - 0.3)
        biased.append(np.mean(np.asarray(data.judge)) - 0.3)
        assert truth.shape == (400,)
    assert abs(np.mean(errors)) < 3 * np.std(errors) / 20
    assert np.mean(biased) == pytest.approx(0.075, abs=0.01)


def test_ppi_beats_the_labels_alone() -> None:
    data, truth = judged(
        np.random.default_rng(3), rate=0.4, n=5_000, labelled=200, sensitivity=0.97, specificity=0.97
    )
    with_judge, alone = ppi_rate(data).width, student_t(truth[:200]).width
    assert with_judge is not None
    assert alone is not None
    assert with_judge < 0.6 * alone


def test_ppi_ignores_a_judge_that_guesses() -> None:
    rng = np.random.default_rng(4)
    data, truth = judged(rng, rate=0.4, n=4_000, labelled=300, sensitivity=0.5, specificity=0.5)
    with_judge, alone = ppi_rate(data).width, student_t(truth[:300]).width
    assert with_judge == pytest.approx(alone, rel=0.03)


def test_no_judge_error_among_the_labelled_still_leaves_doubt() -> None:
    data, _ = judged(np.random.default_rng(5), rate=0.3, n=10_000, labelled=30, sensitivity=1, specificity=1)
    r = ppi_rate(data)
    assert r.width is not None
    # Wilson's 0 of 9 and 21 of 21 at the judge's shares: about 0.3 x 0.28 and 0.7 x 0.15 in quadrature.
    assert 0.15 < r.width < 0.25


def test_clusters_widen_ppi() -> None:
    data, _ = judged(np.random.default_rng(6), rate=0.3, n=300, labelled=100)
    judge, human = (np.repeat(np.asarray(x), 3) for x in (data.judge, data.human))
    naive = ppi_rate(Judged(judge, human)).width
    honest = ppi_rate(Judged(judge, human, np.repeat(np.arange(300), 3))).width
    assert naive is not None
    assert honest is not None
    assert honest > 1.5 * naive


def test_corrected_hdi_recovers_what_the_judge_hides() -> None:
    """Planted u_g .05 and u_b .60 (HDI .917); the judge alone sees 1 - .1875/.60 = .69."""
    rng = np.random.default_rng(7)
    g, _ = judged(rng, rate=0.05, n=6_000, labelled=600)
    b, _ = judged(rng, rate=0.60, n=6_000, labelled=600)
    r = ppi_hdi(g, b)
    assert r.low is not None
    assert r.high is not None
    assert r.low < 0.917 < r.high
    assert r.low > 0.85
    raw = 1 - np.mean(np.asarray(g.judge)) / np.mean(np.asarray(b.judge))
    assert raw < 0.75
    ratio = ppi_ratio(g, b)
    assert ratio.value is not None
    assert r.value == pytest.approx(1 - ratio.value)


def test_paired_differences_share_their_clusters() -> None:
    rng = np.random.default_rng(8)
    clusters = np.arange(500)
    shared = rng.random(500) < 0.4
    first = Judged(shared.astype(float), np.where(clusters < 200, shared, np.nan), clusters)
    flipped = np.where(rng.random(500) < 0.05, ~shared, shared)
    second = Judged(flipped.astype(float), np.where(clusters < 200, flipped, np.nan), clusters)
    paired = ppi_difference(first, second)
    apart = ppi_difference(first, Judged(second.judge, second.human, clusters + 1_000))
    assert paired.width is not None
    assert apart.width is not None
    assert paired.width < apart.width
    assert paired.p is not None


@pytest.mark.parametrize(
    ("judge", "human", "reason"),
    [
        ([1, 0, 1], [np.nan, np.nan, 1], "1 items have a human label; at least 2 are needed"),
        ([1], [1], "1 items have a human label; at least 2 are needed"),
    ],
)
def test_too_few_labels_are_undefined(judge: list[float], human: list[float], reason: str) -> None:
    assert ppi_rate(Judged(judge, human)).undefined == reason


def test_a_baseline_without_events_leaves_corrected_hdi_undefined() -> None:
    none = Judged(np.zeros(50), np.where(np.arange(50) < 20, 0.0, np.nan))
    some = Judged(np.tile([0.0, 1.0], 25), np.where(np.arange(50) < 20, np.tile([0.0, 1.0], 25), np.nan))
    assert ppi_hdi(some, none).undefined == "the rate in the denominator is 0 (ungrounded arm)"


def test_bad_input_is_one_sentence() -> None:
    with pytest.raises(StatsError, match=r"human has shape \(1,\) beside \(2,\); one label or NaN per item"):
        ppi_rate(Judged([1, 0], [1]))
    with pytest.raises(StatsError, match="judge holds nan at position 0"):
        ppi_rate(Judged([np.nan, 0], [1, 0]))
    with pytest.raises(StatsError, match="draws at random and has no seed"):
        rogan_gladen(5, 10, sensitivity=(9, 10), specificity=(9, 10), method="bootstrap")
