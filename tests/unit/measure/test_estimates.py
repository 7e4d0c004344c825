"""Cells to estimates for any protocol: ratios, means, differences, bounds, families."""

import doctest
from collections.abc import Sequence

import numpy as np
import pytest

from percuss.core.errors import UsageError
from percuss.core.records import Cell
from percuss.measure import dependence, quantity, ranks, rates, wording
from percuss.measure.dependence import hdi_bounds, hdis, model_hdi_differences
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.ranks import rank_tau, ranked, separates, tau_b
from percuss.measure.rates import SIMULTANEOUS, arm_differences, detectable, model_differences
from percuss.measure.tally import Tally, tallies
from percuss.stats.intervals import clopper_pearson
from percuss.stats.multiplicity import holm
from percuss.stats.result import Result

RATE = Quantity("unsupported_rate", "unsupported claims", "How many?", "lower")
PLAN = Plan(seed=42, B=500, scoring="s")
PLANTED = Plan(seed=42, B=500, scoring="s", simulated=frozenset({"phantom/x", "phantom/y"}))


def cell(
    case: str, num: float, den: float, *, model: str = "m", arm: str = "with", epoch: int = 0, **more: object
) -> Cell:
    fields = {"name": "unsupported_rate", "labels": "rule:strict", "cluster": case, **more}
    return Cell(model=model, arm=arm, case_id=case, num=num, den=den, epoch=epoch, **fields)  # type: ignore[arg-type]


def only(cells: Sequence[Cell]) -> Tally:
    return next(iter(tallies(cells).values()))


def counts(rate: float, cases: int, *, model: str, arm: str, seed: int, claims: int = 5) -> list[Cell]:
    rng = np.random.default_rng(seed)
    return [
        cell(f"c{i}", float(rng.binomial(claims, rate)), claims, model=model, arm=arm) for i in range(cases)
    ]


@pytest.mark.parametrize("module", [rates, wording, quantity, dependence, ranks])
def test_examples_in_docstrings(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_rows_are_aligned_over_models_and_arms() -> None:
    tally = only([cell("a", 1, 2), cell("b", 0, 3), cell("b", 2, 2, model="n"), cell("c", 1, 1, model="n")])
    assert tally.rows == ("a", "b", "c")
    assert tally.columns("m", "with")[0].tolist() == [1, 0, 0]
    assert tally.columns("n", "with")[1].tolist() == [0, 2, 1]
    assert tally.columns("n", "without")[1].tolist() == [0, 0, 0]
    assert tally.clusters_of("m", "with") == 2


def test_arms_add_up() -> None:
    cells = [
        cell("a", 1, 2, excluded={"error": 1}),
        cell("a", 0, 3, arm="without", excluded={"error": 2}),
        cell("b", 2, 2),
    ]
    merged = only(cells).over_arms("all arms")
    assert merged.arms == ("all arms",)
    assert merged.columns("m", "all arms")[0].tolist() == [1, 2]
    assert merged.columns("m", "all arms")[1].tolist() == [5, 2]
    assert merged.left_out("m", "all arms") == {"error": 3}


def test_two_cells_for_one_place_are_refused() -> None:
    with pytest.raises(UsageError, match="two cells 'unsupported_rate' for case 'a'"):
        tallies([cell("a", 1, 2), cell("a", 0, 2)])


def test_a_rate_with_everything_beside_it() -> None:
    cells = [cell("a", 1, 4, excluded={"conflict": 1}), cell("b", 2, 4, excluded={"conflict": 2, "error": 1})]
    (e,) = rates.rates(only(cells), RATE, PLAN, decided={("m", "with"): 0.75})
    assert e.value == 3 / 8
    assert (e.n, e.clusters, e.excluded) == (8, 2, {"conflict": 3, "error": 1})
    assert e.bounds == (3 / 12, 7 / 12)
    assert (e.decided_share, e.label, e.better, e.scoring) == (0.75, "unsupported claims", "lower", "s")
    assert e.covers == "sampling of cases, not of answers (1 epoch)"
    assert not e.simulated


def test_nothing_happened_is_at_most_something() -> None:
    (e,) = rates.rates(only([cell(f"c{i}", 0, 5) for i in range(20)]), RATE, PLAN)
    assert (e.value, e.low, e.sided) == (0, None, "high")
    # Wilson's upper limit of 0 in 100 / (1 + 4 x 0.2): claims of a case that hang together by 0.2.
    assert e.high == pytest.approx(3.8415 / (100 / 1.8 + 3.8415), abs=1e-5)
    assert "one-sided 97.5%" in e.method
    assert e.note == "0 cases with an event, fewer than 3"
    assert e.seed is None


def test_single_answers_get_the_exact_bound() -> None:
    (e,) = rates.rates(only([cell(f"c{i}", float(i > 0), 1) for i in range(60)]), RATE, PLAN)
    assert (e.sided, e.high) == ("low", None)
    assert "Clopper-Pearson (policy" in e.method
    assert e.low is not None
    # A little below the exact one, by the t quantile of 59 degrees of freedom.
    assert -0.01 < e.low - (clopper_pearson(59, 60).low or 0) < 0


def test_nothing_scored_is_undefined() -> None:
    (e,) = rates.rates(only([cell("a", 0, 0, excluded={"error": 3})]), RATE, PLAN)
    assert e.value is None
    assert e.undefined
    assert e.bounds == (0, 1)


def test_phantoms_are_marked() -> None:
    (e,) = rates.rates(
        only([cell("a", 1, 2, model="phantom/x"), cell("b", 1, 2, model="phantom/x")]), RATE, PLANTED
    )
    assert e.simulated


def test_epochs_are_averaged_within_a_case() -> None:
    cells = [cell(f"c{i}", float(i % 2), 2, epoch=k) for i in range(40) for k in range(3)]
    once = [c for c in cells if c.epoch == 0]
    (thrice,), (single,) = (rates.rates(only(some), RATE, PLAN) for some in (cells, once))
    assert thrice.covers == "sampling of cases and of answers (3 epochs)"
    assert (thrice.n, single.n) == (240, 80)
    # The same counts three times say no more of other cases than once.
    assert (thrice.value, thrice.low, thrice.high) == (single.value, single.low, single.high)


def test_a_case_weighs_the_same_however_often_it_was_answered() -> None:
    cells = [
        cell("a", 2, 4, epoch=0), cell("a", 4, 4, epoch=1), cell("a", 0, 0, epoch=2, excluded={"refused": 1}),
        cell("b", 0, 4, epoch=0),
    ]  # fmt: skip
    tally = only(cells)
    (e,) = rates.rates(tally, RATE, PLAN)
    assert tally.columns("m", "with")[0].tolist() == [3, 0]
    assert tally.summed("m", "with")[0].tolist() == [6, 0]
    assert e.value == 3 / 8
    assert e.n == 12
    assert e.excluded == {"refused": 1}
    assert e.bounds == pytest.approx((3 / (8 + 1 / 3), (3 + 1 / 3) / (8 + 1 / 3)))


def test_cases_of_one_cluster_are_drawn_together() -> None:
    alone = [cell(f"c{i}", 4.0 * (i % 2), 4) for i in range(40)]
    joined = [cell(f"c{i}", 4.0 * (i % 2), 4, cluster=f"k{i % 8}") for i in range(40)]
    (narrow,), (wide,) = (rates.rates(only(cells), RATE, PLAN) for cells in (alone, joined))
    assert narrow.low is not None
    assert wide.low is not None
    assert wide.low < narrow.low
    assert wide.clusters == 8


@pytest.mark.parametrize(
    ("without", "grounded", "low", "high"),
    [
        (16.0, 0.2, 0.9843, 0.9907),
        (5.9, 4.0, 0.3077, 0.3361),
        (64.8, 5.2, 0.9189, 0.9206),
        (91.5, 14.0, 0.8464, 0.8476),
    ],
)
def test_rounding_of_table_2_allows_these_pooled_indices(
    without: float, grounded: float, low: float, high: float
) -> None:
    """papers/0 Table 2, rounded to 0.1 points; definitions/grounding.md, HDI."""
    corners = [
        1 - (g / 100) / (b / 100)
        for g in (grounded - 0.05, grounded + 0.05)
        for b in (without - 0.05, without + 0.05)
    ]
    assert min(corners) == pytest.approx(low, abs=6e-5)
    assert max(corners) == pytest.approx(high, abs=6e-5)
    cells = [cell("a", grounded, 100), cell("a", without, 100, arm="without")]
    cells += [cell("b", grounded, 100), cell("b", without, 100, arm="without")]
    pooled = next(hdis(only(cells), PLAN, arm="with", baseline="without"))
    assert pooled.value is not None
    assert low - 6e-5 <= pooled.value <= high + 6e-5


def test_hdi_pooled_and_macro_estimate_different_things() -> None:
    cells = [cell("a", 1, 5), cell("a", 1, 5, arm="without"), cell("b", 0, 5), cell("b", 4, 5, arm="without")]
    cells += [cell("c", 0, 5), cell("c", 0, 5, arm="without")]
    pooled, whole, macro = hdis(only(cells), PLAN, arm="with", baseline="without")
    assert (whole.name, whole.value) == ("hdi_all", pooled.value)
    assert (pooled.name, macro.name) == ("hdi_pooled", "hdi_macro")
    assert pooled.value == pytest.approx(1 - 1 / 5)
    assert macro.value == pytest.approx((0 + 1) / 2)
    assert macro.note.startswith("undefined in 1 of 3 cases")
    assert pooled.baseline == "without"


def test_bounds_of_hdi() -> None:
    assert hdi_bounds((0, 0, 0), (5, 10, 0)) is None
    assert hdi_bounds((0, 10, 0), (0, 10, 5)) is None
    found = hdi_bounds((1, 8, 2), (5, 10, 0))
    assert found is not None
    assert found == pytest.approx((1 - 0.3 / 0.5, 1 - 0.1 / 0.5))


def test_arms_are_compared_within_cases() -> None:
    cells = counts(0.1, 40, model="m", arm="with", seed=1) + counts(0.6, 40, model="m", arm="without", seed=2)
    words = Quantity("delta_u", "fall", unit="points", cells="unsupported_rate")
    (e,) = arm_differences(only(cells), words, PLAN, arm="with", baseline="without")
    assert e.value == pytest.approx(0.5, abs=0.1)
    assert (e.arm, e.baseline, e.unit) == ("with", "without", "points")
    assert e.low is not None
    assert e.low > 0.3


def test_families_are_named_and_corrected() -> None:
    cells = [
        c
        for k, m in enumerate(("a", "b", "d"))
        for c in counts(0.1 + 0.3 * k, 40, model=m, arm="with", seed=k)
    ]
    found = [e for e in model_differences(only(cells), RATE, PLAN, arm="with") if e.stratum is None]
    assert [(e.model, e.versus) for e in found] == [("a", "b"), ("a", "d"), ("b", "d")]
    assert {e.family for e in found} == {"unsupported_rate_difference · with · rule:strict · 3 pairs"}
    assert all(e.p is not None and 0 < e.p < 1 / 500 for e in found)  # no floor at 1/B
    assert [e.p_adjusted for e in found] == list(holm([e.p or 0 for e in found]))
    assert all(separates(e) for e in found)
    wide = [e for e in model_differences(only(cells), RATE, PLAN, arm="with") if e.stratum == SIMULTANEOUS]
    assert all(w.level == pytest.approx(1 - 0.05 / 3) for w in wide)
    assert all((w.low or 0) <= (e.low or 0) for w, e in zip(wide, found, strict=True))


def test_simulated_models_cost_real_ones_nothing() -> None:
    cells = [
        c
        for k, m in enumerate(("a", "b", "phantom/x", "phantom/y"))
        for c in counts(0.1 + 0.1 * k, 60, model=m, arm="with", seed=k)
    ]
    every = list(model_differences(only(cells), RATE, PLANTED, arm="with"))
    found = [e for e in every if e.stratum is None]
    together = [e for e in every if e.stratum == SIMULTANEOUS]
    assert [e.simulated for e in together] == [True] * 5, "one pair of real models needs no family"
    assert all(e.level == pytest.approx(1 - 0.05 / 5) for e in together)
    real = [e for e in found if not e.simulated]
    assert [(e.model, e.versus) for e in real] == [("a", "b")]
    assert real[0].p == real[0].p_adjusted
    assert len(found) == 6


def test_an_undefined_side_leaves_the_difference_undefined() -> None:
    cells = [
        c
        for arm, rate in (("with", 0.1), ("without", 0.5))
        for c in counts(rate, 20, model="a", arm=arm, seed=1)
    ]
    cells += [cell(f"c{i}", 0, 5, model="b", arm=arm) for i in range(20) for arm in ("with", "without")]
    (e,) = [
        e
        for e in model_hdi_differences(only(cells), PLAN, arm="with", baseline="without")
        if e.stratum is None
    ]
    assert e.value is None
    assert e.undefined is not None
    assert "undefined for one of the two" in e.undefined


def test_what_could_have_been_seen() -> None:
    se = 0.05
    result = Result(value=0.0, low=-1.959964 * se, high=1.959964 * se, level=0.95, method="x", n=10)
    assert detectable(result) == pytest.approx((1.959964 + 0.841621) * se, rel=1e-4)
    assert detectable(result, tests=6) > detectable(result)  # type: ignore[operator]


def test_tau_of_the_four_models_is_zero() -> None:
    """definitions/grounding.md: 3 pairs agree, 3 don't (papers/0 Tables 2 and 3)."""
    support = np.array([0.844, 0.877, 0.932, 0.819])
    hdi = np.array([0.984, 0.336, 0.919, 0.847])
    assert tau_b(support, hdi) == 0


def test_ranks_hold_what_no_pair_contradicts() -> None:
    cells = [
        c
        for m, p, s in (("a", 0.1, 1), ("b", 0.12, 2), ("d", 0.7, 3))
        for c in counts(p, 40, model=m, arm="with", seed=s)
    ]
    tally = only(cells)
    singles = list(rates.rates(tally, RATE, PLAN))
    pairs = [e for e in model_differences(tally, RATE, PLAN, arm="with") if e.stratum is None]
    rows = {r.model: r for r in ranked(singles, pairs, higher_first=False)}
    assert (rows["a"].best, rows["a"].worst) == (1, 2)
    assert rows["a"].letters == rows["b"].letters != rows["d"].letters
    assert (rows["d"].best, rows["d"].worst) == (3, 3)


def test_tau_has_an_interval() -> None:
    cells: list[Cell] = []
    for k, m in enumerate(("a", "b", "d")):
        for arm, rate in (("with", 0.05 + 0.15 * k), ("without", 0.8)):
            made = counts(rate, 80, model=m, arm=arm, seed=10 * k + len(arm))
            cells += made
            cells += [
                cell(c.case_id, c.den - c.num, c.den, model=m, arm=arm, name="supported_rate") for c in made
            ]
    held = tallies(cells)
    supported, unsupported = (held[n, "rule:strict"] for n in ("supported_rate", "unsupported_rate"))
    (tau,) = rank_tau(supported, unsupported, PLAN, arm="with", baseline="without")
    assert tau.value == 1
    assert tau.n == 3
    assert tau.low is not None
