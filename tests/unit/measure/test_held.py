"""What tallies and results hold: counts of scored items and clusters, the policy of a judge, and what was not measured."""

from dataclasses import dataclass

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from percuss.core.records import Cell, Estimate
from percuss.core.sections import Figure
from percuss.measure.compared import Pair
from percuss.measure.dependence import hdis, model_hdi_differences
from percuss.measure.numbers import interval, show
from percuss.measure.quantity import Plan, Quantity, result_of
from percuss.measure.ranks import _few, _tau_result, rank_tau, ranked
from percuss.measure.rates import arm_bounds, rates
from percuss.measure.regression import non_inferior
from percuss.measure.results import Results
from percuss.measure.tally import Tally, tallies
from percuss.measure.turned import SAME, turned
from percuss.stats.bootstrap import MAX_DROPPED
from tests.unit.kit.views import Held, answer, rate


def cell(case: str, den: float, *, model: str = "one", cluster: str = "") -> Cell:
    return Cell(
        name="rate",
        model=model,
        arm="with",
        labels="rule:x",
        case_id=case,
        cluster=cluster or case,
        num=0.0,
        den=den,
    )


def test_scored_counts_items_and_is_nought_where_nothing_is_held() -> None:
    held = tallies([cell("a", 3), cell("b", 1), cell("c", 0)])["rate", "rule:x"]
    assert held.scored("one", "with") == 4
    assert held.scored("two", "with") == 0
    assert held.scored("one", "without") == 0
    assert (held.name, held.labels, held.rows) == ("rate", "rule:x", ("a", "b", "c"))


def test_a_cluster_contributes_from_its_first_item_on() -> None:
    cells = [cell("a", 1), cell("b", 0), cell("c", 1, cluster="a"), cell("d", 7)]
    held = tallies(cells)["rate", "rule:x"]
    assert held.clusters_of("one", "with") == 2
    assert held.clusters_of("two", "with") == 0


@pytest.mark.parametrize(
    ("labels", "policy"), [("majority", "majority"), ("agreement", "agreement"), ("rule:x", "agreement")]
)
def test_the_policy_is_that_of_the_judges_estimates(labels: str, policy: str) -> None:
    found = [rate("m", "with"), replace(rate("m", "with"), labels=labels)]
    assert Results(Held([]), found, rated=found[0].name).policy == policy


def test_a_figure_that_was_not_measured_says_so() -> None:
    known: Estimate = rate("m", "with", 0.25)
    results = Results(Held([]), [known], rated=known.name)
    assert results.figure(known.name, "m", "with").value == 0.25
    assert results.figure(known.name, "other", "with").undefined == "not measured"
    assert results.figure(known.name, "other", "with", missing="not asked").undefined == "not asked"


def test_a_rank_correlation_has_limits_while_one_resample_in_a_hundred_is_undefined_and_none_with_more() -> (
    None
):
    plan = Plan(seed=1, B=1_000)
    drawn = np.linspace(-1, 1, 1_000)
    most = round(MAX_DROPPED * len(drawn))
    drawn[:most] = np.nan
    kept = _tau_result(0.5, drawn, "", 4, plan)
    assert kept.low is not None
    assert kept.low < kept.high  # type: ignore[operator]
    drawn[: most + 1] = np.nan
    lost = _tau_result(0.5, drawn, "", 4, plan)
    assert lost.low is None
    assert lost.undefined == f"{most + 1} of 1000 resamples are undefined, more than 1%"
    assert _tau_result(0.5, np.linspace(-1, 1, 1_000), "few cases", 4, plan).undefined == "few cases"


def test_a_cut_answer_that_left_nothing_out_still_counts_among_the_answers_of_its_case() -> None:
    """Counts of a case are averaged over its answers: one with no claims at all is an answer, one left out whole is none."""
    said = msgspec.structs.replace(cell("a", 4), num=2.0)
    silent = msgspec.structs.replace(cell("a", 0), epoch=1)
    lost = msgspec.structs.replace(cell("a", 0), epoch=2, excluded={"refused": 1})
    num, den = tallies([said, silent])["rate", "rule:x"].columns("one", "with")
    assert (num.tolist(), den.tolist()) == ([1.0], [2.0])
    num, den = tallies([said, lost])["rate", "rule:x"].columns("one", "with")
    assert (num.tolist(), den.tolist()) == ([2.0], [4.0])


def test_models_without_an_estimate_are_those_of_the_run() -> None:
    run = Held([answer(1, "with", "a"), answer(1, "with", "b")])
    assert Results(run, [], rated="unsupported_rate").every == ("a", "b")
    assert Results(run, [rate("a", "with")], rated="unsupported_rate").every == ("a",)


def test_a_number_is_rated_by_its_name_and_by_the_primary_one_where_none_is_named() -> None:
    primary = rate("m", "with")
    other = replace(rate("m", "with"), name="partial_rate", primary=False)
    assert Results(Held([]), [primary, other], rated="partial_rate").rated == "partial_rate"
    assert Results(Held([]), [primary, other]).rated == primary.name
    assert Results(Held([]), [other]).rated == ""


def test_a_difference_is_a_turn_only_where_it_is_more_than_rounding() -> None:
    def tally(wrong: float) -> Tally:
        sides = [cell("a", 1e9, model="old"), replace(cell("a", 1e9, model="new"), num=wrong)]
        return tallies(sides)["rate", "rule:x"]

    quantity = Quantity("rate", "wrong", "How many?", "lower")
    assert SAME == 1e-9
    assert list(turned(tally(1), quantity, arm="with", baseline="old")) == []
    assert [each.way for each in turned(tally(2), quantity, arm="with", baseline="old")] == ["worse"]


def test_models_are_ranked_by_the_pairs_among_them_alone() -> None:
    """A report of real models gets the pairs with simulated ones, too; they have no place in the ranking."""
    singles = [rate("a", "with", 0.2), rate("b", "with", 0.4)]

    def pair(first: str, second: str) -> Estimate:
        return replace(
            rate(first, "with", 0.2), name="unsupported_rate_difference", versus=second, p_adjusted=0.001
        )

    foreign = [pair("phantom/p", "a"), pair("b", "phantom/p"), pair("phantom/p", "phantom/q")]
    alone = ranked(singles, [pair("b", "a")], higher_first=False)
    assert ranked(singles, [*foreign, pair("b", "a")], higher_first=False) == alone
    assert [(each.model, each.best, each.worst) for each in alone] == [("a", 1, 1), ("b", 2, 2)]


def test_a_missing_answer_could_be_as_good_or_as_bad_as_the_best_and_the_worst_case() -> None:
    """Four answers of 2 items at 0/2, 1/2, 2/2 and none scored, one refused: it has 2 items, and a rate between 0 and 1."""
    made = [replace(cell(c, 2), num=n) for c, n in (("a", 0.0), ("b", 1.0), ("c", 2.0))]
    empty = cell("d", 0)
    lost = replace(cell("e", 0), name="sentences", excluded={"refused": 1})
    tally = tallies([*made, empty, lost])["rate", "rule:x"]
    assert arm_bounds(tally, "one", "with") == (3 / 8, 5 / 8)
    even = [replace(cell(c, 2), num=1.0) for c in "abc"]
    assert arm_bounds(tallies([*even, empty, lost])["rate", "rule:x"], "one", "with") == (0.5, 0.5)


def test_a_case_is_gone_only_where_all_of_it_was_left_out() -> None:
    part = replace(cell("a", 3), excluded={"conflict": 2})
    whole = replace(cell("b", 0), excluded={"conflict": 2})
    silent = cell("c", 0)
    again = [replace(cell("d", 0), excluded={"refused": 1}), replace(cell("d", 1), epoch=1)]
    tally = tallies([part, whole, silent, *again])["rate", "rule:x"]
    assert tally.gone["one", "with"] == {"b": "conflict"}
    assert tally.answered("one", "with").tolist() == [True, False, True, True]


def test_a_case_of_one_item_may_turn() -> None:
    sides = [cell("a", 1, model="old"), replace(cell("a", 1, model="new"), num=1.0)]
    tally = tallies(sides)["rate", "rule:x"]
    quantity = Quantity("rate", "wrong", "How many?", "lower")
    (only,) = turned(tally, quantity, arm="with", baseline="old")
    assert (only.case, only.old, only.new, only.way) == ("a", 0.0, 1.0, "worse")


def test_a_bound_that_tells_nothing_is_no_interval() -> None:
    """ "At most 99.9%" and "at least 0.1%" are true of every share."""
    assert interval(None, 0.999, "share", 1) == interval(0.001, None, "share", 1) == "(no interval)"
    assert interval(None, 0.99, "share", 1) == "(at most 99.0%)"
    assert interval(0.01, None, "share", 1) == "(at least 1.0%)"
    assert interval(None, 0.999, "ratio", 2) == "(at most 1.00)"


def _difference(**fields: object) -> Estimate:
    plain = rate("a", "with", 0.2)
    return replace(plain, name="unsupported_rate_difference", versus="b", unit="points", **fields)


@pytest.mark.parametrize(("low", "high"), [(None, 0.1), (-0.1, None), (None, None)])
def test_a_difference_with_one_bound_decides_nothing(low: float | None, high: float | None) -> None:
    d = _difference(low=low, high=high, p_adjusted=0.5, note="interval undefined: few cases")
    assert Pair(d, None).words == "a and b differ by 20.0 points, p 0.500 (Holm), no interval (few cases)"
    (outcome,) = non_inferior(_Compared(Quantity("r", "r", "?", "lower"), (Pair(d, None),)), 0.5)  # type: ignore[arg-type]
    assert outcome.state == "inconclusive"
    assert outcome.sentence.endswith("no interval on both sides")


@dataclass(frozen=True)
class _Compared:
    """As much of a comparison as a margin reads."""

    quantity: Quantity
    pairs: tuple[Pair, ...]


def _both_arms(counts: dict[str, tuple[float, float]]) -> tuple[Tally, Tally]:
    """Return support and its lack of models: of 4 claims a case, wrong with evidence, wrong without, over 12 cases."""
    wrong, right = [], []
    for model, (grounded, bare) in counts.items():
        for n in range(12):
            for arm, num in (("with", grounded), ("without", bare)):
                one = replace(cell(f"c{n}", 4, model=model), arm=arm, num=num)
                wrong.append(one)
                right.append(replace(one, name="right", num=4 - num))
    held = tallies([*wrong, *right])
    return held["right", "rule:x"], held["rate", "rule:x"]


def test_models_without_a_defined_index_are_ranked_by_none() -> None:
    plan = Plan(seed=1, B=50)
    three = {"a": (1.0, 4.0), "b": (2.0, 3.0), "c": (3.0, 3.0)}
    (alone,) = rank_tau(*_both_arms(three), plan, arm="with", baseline="without")
    assert (alone.value, alone.n) == (1.0, 3)
    (beside,) = rank_tau(*_both_arms({**three, "d": (0.0, 0.0)}), plan, arm="with", baseline="without")
    assert (beside.value, beside.n) == (1.0, 3), "d says nothing unsupported without evidence: no index"
    tied = dict.fromkeys("abc", (2.0, 3.0))
    assert list(rank_tau(*_both_arms(tied), plan, arm="with", baseline="without")) == []
    assert (
        list(rank_tau(*_both_arms({"a": (1.0, 4.0), "b": (2.0, 3.0)}), plan, arm="with", baseline="without"))
        == []
    )


def test_an_index_needs_both_arms_and_has_no_bounds_where_nothing_may_be_wrong_without_evidence() -> None:
    plan = Plan(seed=1, B=50)
    sides = [
        replace(cell(f"c{n}", 4), arm=arm, num=float(n % 3)) for n in range(9) for arm in ("with", "without")
    ]
    alone = [replace(each, model="alone") for each in sides if each.arm == "with"]
    found = list(hdis(tallies([*sides, *alone])["rate", "rule:x"], plan, arm="with", baseline="without"))
    assert {e.model for e in found} == {"one"}
    clean = [
        replace(each, num=0.0, excluded={"conflict": 1}) if each.arm == "without" else each for each in sides
    ]
    pooled = next(hdis(tallies(clean)["rate", "rule:x"], plan, arm="with", baseline="without"))
    assert (pooled.value, pooled.bounds) == (None, None)


def test_nought_is_a_value_and_none_comes_last() -> None:
    found = [
        rate("a", "with", 0.5),
        rate("b", "with", 0.0),
        rate("c", "with", None, n=0),
        rate("d", "with", 0.9),
    ]
    results = Results(Held([]), found)
    assert results.ordered(found[0].name, lower_first=True) == ("b", "a", "d", "c")
    assert results.ordered(found[0].name, lower_first=False) == ("d", "a", "b", "c")


def test_a_model_has_a_rate_in_the_arms_that_it_was_asked_in() -> None:
    sides = [replace(cell(f"c{n}", 4), arm=arm, num=1.0) for n in range(3) for arm in ("with", "without")]
    tally = tallies([*sides, cell("c0", 4, model="two")])["rate", "rule:x"]
    found = rates(tally, Quantity("rate", "wrong", "?", "lower"), Plan(seed=1, B=50))
    assert [(e.model, e.arm) for e in found] == [("one", "with"), ("one", "without"), ("two", "with")]


def test_cases_without_an_item_decide_nothing_of_an_interval() -> None:
    num, den = np.full(60, 2.0), np.full(60, 4.0)
    assert _few([(num, den)]) == ""
    assert _few([(den, den)]).startswith("60 equal cases and 0 with the scarcer outcome in one arm")
    empty = np.zeros(30)
    assert _few([(np.append(den, empty), np.append(den, empty))]) == _few([(den, den)])


def test_models_without_a_shared_case_have_no_difference_of_indices() -> None:
    apart = [
        replace(cell(f"{model}{n}", 4, model=model), arm=arm, num=1.0 + (arm == "without"))
        for model in "ab" for n in range(5) for arm in ("with", "without")
    ]  # fmt: skip
    tally = tallies(apart)["rate", "rule:x"]
    (found, *_) = model_hdi_differences(tally, Plan(seed=1, B=50), arm="with", baseline="without")
    assert (found.value, found.clusters) == (None, 0)


def test_a_count_is_a_count_unless_it_was_estimated() -> None:
    assert show(Figure(value=1_200, unit="count")) == "1,200"
    assert show(Figure(value=12, low=9, high=15, unit="count")).endswith("[9, 15]")
    assert show(Figure(value=0.5)) == "50.0% (no interval)"


def test_an_estimate_becomes_the_result_that_it_was() -> None:
    whole = rate("m", "with", 0.2)
    assert result_of(whole).undefined is None
    bound = replace(whole, low=None, high=0.3, sided="high")
    assert (result_of(bound).sided, result_of(bound).undefined) == ("high", None)
    bare = replace(whole, low=None, high=None)
    assert result_of(bare).undefined == "no interval"
    assert result_of(replace(bare, value=None, undefined="few cases")).undefined == "few cases"
