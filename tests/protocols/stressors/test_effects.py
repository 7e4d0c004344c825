"""Contrasts of the factorial: golden numbers of the paper's printed cells, incomplete designs, relative risk."""

from collections.abc import Mapping

import numpy as np
import pytest

from percuss.core.records import Cell
from percuss.measure.quantity import Plan
from percuss.measure.tally import tallies
from percuss.protocols.stressors.estimate.contrasting import DOSE_LADDERS, doses
from percuss.protocols.stressors.estimate.effects import STRESSORS, contrasts, effects
from percuss.protocols.stressors.options import RATER
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL
from percuss.stats import relative_risk

# papers/3, appendix D.3: HPR of nine models in the order baseline, O, C, D, OC, OD, CD, OCD (order inferred).
HPR = {
    "llm/claude": (0.10, 0.17, 0.08, 0.17, 0.10, 0.20, 0.11, 0.13),
    "llm/qwen": (0.19, 0.23, 0.16, 0.24, 0.13, 0.30, 0.14, 0.12),
    "llm/gemini": (0.12, 0.21, 0.13, 0.18, 0.16, 0.23, 0.09, 0.08),
    "image/claude": (0.11, 0.28, 0.21, 0.31, 0.22, 0.35, 0.19, 0.25),
    "image/gemini": (0.11, 0.40, 0.26, 0.35, 0.21, 0.39, 0.28, 0.43),
    "image/gpt": (0.05, 0.21, 0.15, 0.17, 0.17, 0.33, 0.15, 0.17),
    "agent/kimi": (0.24, 0.41, 0.24, 0.28, 0.31, 0.37, 0.22, 0.20),
    "agent/claude": (0.23, 0.35, 0.17, 0.39, 0.25, 0.39, 0.22, 0.25),
    "agent/grok": (0.25, 0.40, 0.26, 0.34, 0.30, 0.37, 0.25, 0.47),
}


def cells(
    rows: Mapping[str, tuple[float | None, ...]], arms: tuple[str, ...] = FACTORIAL, name: str = "hpr"
) -> list[Cell]:
    return [
        Cell(name=name, model="m", arm=arm, labels=RATER, case_id=case, cluster=case, num=value or 0.0, den=0.0 if value is None else 1.0)
        for case, values in rows.items()
        for arm, value in zip(arms, values, strict=True)
    ]  # fmt: skip


def test_the_papers_printed_persistence() -> None:
    """Definitions, section 8: O +.067 (9 of 9 blocks positive), C -.060 (0 of 9), D +.043 (7 of 9)."""
    codes = contrasts(STRESSORS, FACTORIAL)
    table = np.array(list(HPR.values()))
    each = {effect: (table @ code) / 4 for effect, code in codes.items()}
    for effect, value, positive in (
        ("omission", 0.067, 9),
        ("contradiction", -0.060, 0),
        ("delay", 0.043, 7),
    ):
        assert float(each[effect].mean()) == pytest.approx(value, abs=0.0006)
        assert int((each[effect] > 0).sum()) == positive
    made = {e.arm: e for e in effects(tallies(cells(HPR)), Plan(seed=1, B=1_000))}
    assert made["effect:omission"].value == pytest.approx(float(each["omission"].mean()))
    assert made["effect:omission"].p == pytest.approx(2 / 512)


def test_codes_are_orthogonal_and_sum_to_nothing() -> None:
    codes = contrasts(STRESSORS, FACTORIAL)
    matrix = np.stack(list(codes.values()))
    assert matrix.shape == (7, 8)
    assert np.array_equal(matrix @ matrix.T, 8 * np.eye(7))
    assert not matrix.sum(axis=1).any()


def test_incomplete_cases_are_fitted_with_case_intercepts() -> None:
    rng = np.random.default_rng(2)
    on = np.array([[f in arm.split("+") for f in STRESSORS] for arm in FACTORIAL], dtype=float)
    rows: dict[str, tuple[float | None, ...]] = {}
    for number in range(40):
        y = rng.normal(0.4, 0.2) + 0.2 * on[:, 0] - 0.1 * on[:, 2] + rng.normal(0, 0.02, 8)
        rows[str(number)] = tuple(None if rng.random() < 0.2 else float(v) for v in y)
    made = {e.arm: e for e in effects(tallies(cells(rows)), Plan(seed=1, B=1_000))}
    assert made["effect:omission"].value == pytest.approx(0.2, abs=0.02)
    assert made["effect:delay"].value == pytest.approx(-0.1, abs=0.02)
    assert "case intercepts" in made["effect:omission"].method
    assert "of 40 cases have all 8 arms" in made["effect:omission"].note


def test_halves_are_the_two_by_two_that_exists() -> None:
    rows = {str(n): (None, None, 0.5, None, 0.7, None, 0.4, 0.6) for n in range(12)}
    made = {e.arm: e for e in effects(tallies(cells(rows, name="cdr")), Plan(seed=1, B=1_000))}
    assert set(made) == {"effect:omission", "effect:delay", "effect:omission*delay"}
    assert made["effect:omission"].value == pytest.approx(0.2)
    assert made["effect:delay"].value == pytest.approx(-0.1)


def test_dose_slopes() -> None:
    arms = tuple(arm for arm, _ in DOSE_LADDERS["omission"])
    rows = {str(n): (0.1 + n / 100, 0.2 + n / 100, 0.3 + n / 100, 0.4 + n / 100) for n in range(20)}
    [slope] = [
        e for e in doses(tallies(cells(rows, arms)), Plan(seed=1, B=1_000)) if e.arm == "dose:omission"
    ]
    assert slope.value == pytest.approx(0.1)
    assert slope.n == 20


def test_relative_risk_golden_and_empty_cells() -> None:
    # 30/100 against 10/100 is 3; with an empty cell 0.5 is added to all four: (20.5/31) / (0.5/41) = 54.2...
    assert relative_risk([30], [100], [10], [100], seed=1, B=100).value == pytest.approx(3.0)
    empty = relative_risk([20], [30], [0], [40], seed=1, B=100).value
    assert empty == pytest.approx((20.5 / 31) / (0.5 / 41))
    assert relative_risk([0], [0], [1], [4], seed=1, B=100).undefined == "one of the two groups has no items"


def test_relative_risk_covers() -> None:
    rng = np.random.default_rng(4)
    covered = 0
    for seed in range(100):
        own = rng.beta(4, 6, 60)
        a, c = rng.binomial(4, own), rng.binomial(4, own / 2)
        r = relative_risk(a, np.full(60, 4), c, np.full(60, 4), seed=seed, B=500)
        assert r.low is not None
        assert r.high is not None
        covered += r.low <= 2 <= r.high
    assert 89 <= covered <= 100


def test_incomplete_designs_do_not_cry_wolf() -> None:
    """Main effects and interactions of nothing, with a fifth of the cells absent and one true effect beside them."""
    rng = np.random.default_rng(8)
    on = np.array(["omission" in arm.split("+") for arm in FACTORIAL], dtype=float)
    false = tests = 0
    for seed in range(40):
        rows: dict[str, tuple[float | None, ...]] = {}
        for number in range(24):
            y = rng.normal(0.4, 0.2) + 0.3 * on + rng.exponential(0.1, 8)
            rows[str(number)] = tuple(None if rng.random() < 0.2 else float(v) for v in y)
        made = {e.arm: e for e in effects(tallies(cells(rows)), Plan(seed=seed, B=400))}
        assert made["effect:omission"].p is not None
        assert made["effect:omission"].p < 0.01
        for arm, e in made.items():
            if arm != "effect:omission":
                assert e.p is not None
                tests += 1
                false += e.p < 0.05
    # 240 tests at 5%: 12 expected; under a true 5% more than 26 happen once in 10,000 (binomial).
    assert tests == 240
    assert false <= 26
