"""Corrections for many tests."""

import pytest

from percuss.stats import StatsError, benjamini_hochberg, bonferroni, holm


def test_holm_of_table_8_without_and_with_the_floor() -> None:
    """papers/0, Table 8; with the 1/B floor as definitions/grounding.md gives it."""
    assert holm([0, 0, 0, 0, 0.001, 0.009]) == pytest.approx((0, 0, 0, 0, 0.002, 0.009))
    floored = [0.0005] * 4 + [0.001, 0.009]
    assert holm(floored) == pytest.approx((0.003,) * 5 + (0.009,))


def test_order_of_input_is_kept() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx((0.06, 0.03, 0.06))
    assert benjamini_hochberg([0.04, 0.01, 0.03]) == pytest.approx((0.04, 0.03, 0.04))


def test_statsmodels_agrees() -> None:
    from statsmodels.stats.multitest import multipletests

    p = [0.001, 0.02, 0.02, 0.3, 0.9, 0.04, 0.0004]
    for ours, theirs in ((holm, "holm"), (bonferroni, "bonferroni"), (benjamini_hochberg, "fdr_bh")):
        assert ours(p) == pytest.approx(multipletests(p, method=theirs)[1])


@pytest.mark.parametrize("correct", [holm, bonferroni, benjamini_hochberg])
def test_nothing_in_nothing_out_and_bad_p_refused(correct: object) -> None:
    assert callable(correct)
    assert correct([]) == ()
    with pytest.raises(StatsError, match=r"p-values from 0\.2 to 1\.2 came; 0 to 1 was expected"):
        correct([0.2, 1.2])
