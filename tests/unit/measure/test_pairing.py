"""One pairing layer: a model that fails on the hard half is compared on the other half, wherever it is compared."""

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from percuss.api.report.comparing import compare, headline
from percuss.core.errors import UsageError
from percuss.core.records import Cell
from percuss.measure.answered import answered_shares
from percuss.measure.compared import compared
from percuss.measure.dependence import NO_PAIR, hdis, model_hdi_differences
from percuss.measure.pairing import left_out_in, of_pairs, of_sides, paired, partners
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import arm_bounds, arm_differences, model_differences, rates
from percuss.measure.tally import Tally, tallies

RATE = Quantity("unsupported_rate", "unsupported claims", "How many?", "lower")
PLAN = Plan(seed=1, B=1_000)
CASES, HARD = 40, 20


def cell(case: int, num: float, den: float, model: str = "a", arm: str = "with", **more: Any) -> Cell:
    fields = {"name": "unsupported_rate", "labels": "rule:strict", "cluster": f"c{case}", **more}
    return Cell(model=model, arm=arm, case_id=f"c{case}", num=num, den=den, **fields)


def wrong(case: int) -> float:
    """What every model gets wrong of five claims: nearly nothing on easy cases, nearly all on hard ones."""
    return float(case % 3 == 0) if case < HARD else 5.0 - (case % 4 == 0)


def two_models() -> list[Cell]:
    """`a` answers all; `b` says the same where it answers, and refuses the hard half."""
    whole = [cell(i, wrong(i), 5) for i in range(CASES)]
    half = [cell(i, wrong(i), 5, "b") for i in range(HARD)]
    refused = [
        cell(i, 0, 0, "b", name="case_unsupported_rate", excluded={"refused": 1}) for i in range(HARD, CASES)
    ]
    return [*whole, *half, *refused]


def only(cells: Sequence[Cell]) -> Tally:
    return tallies(cells)["unsupported_rate", "rule:strict"]


def log(path: Path, model: str, scores: Sequence[Any], *, status: str = "success", epochs: int = 1) -> Path:
    """Write a log in Inspect's format; a score that is None is a sample that errored."""
    head = {
        "status": status,
        "eval": {"task": "mock", "model": model, "dataset": {"samples": CASES}, "config": {"epochs": epochs}},
    }
    with zipfile.ZipFile(path, "w") as held:
        held.writestr("_journal/start.json", json.dumps(head))
        if status != "started":
            held.writestr("header.json", json.dumps(head))
        for i, value in enumerate(scores):
            sample: dict[str, Any] = {"id": f"s{i}", "epoch": 1, "input": f"Is it {i}?", "metadata": {}}
            sample |= (
                {"error": {"message": "500"}} if value is None else {"scores": {"checked": {"value": value}}}
            )
            held.writestr(f"samples/s{i}_epoch_1.json", json.dumps(sample))
    return path


def test_the_panel_and_compare_on_runs_say_no_difference() -> None:
    cells = two_models()
    (panel,) = model_differences(only(cells), RATE, PLAN, arm="with")
    (pair,) = compared(cells, RATE, labels="rule:strict", arm="with", plan=PLAN).pairs
    assert panel.value == pair.difference.value == 0
    assert panel.clusters == pair.difference.clusters == HARD
    assert panel.n == pair.difference.n == 2 * HARD * 5
    assert panel.note.startswith("20 of 40 cases answered and scored on every side (left out: b 20 refused)")
    whole = [e.value for e in rates(only(cells), RATE, PLAN)]
    assert whole[0] is not None
    assert whole[1] is not None
    assert whole[0] - whole[1] > 0.3  # what an unpaired difference would have said


def test_compare_on_logs_says_the_same(tmp_path: Path) -> None:
    shares = [wrong(i) / 5 for i in range(CASES)]
    a = log(tmp_path / "a.eval", "a", shares)
    b = log(tmp_path / "b.eval", "b", [*shares[:HARD], *[None] * (CASES - HARD)])
    found = compare([a, b], resamples=1_000)
    assert found.pairs[0].difference.value == 0
    assert found.pairs[0].difference.clusters == HARD
    assert headline(found, a) == (
        "checked score; scorer: checked; 20 shared cases; 20 of 40 cases answered and scored on every side (left out: "
        "b 20 failed)"
    )


def test_hdi_rests_on_cases_answered_in_both_arms() -> None:
    bare = [cell(i, 5 if i >= HARD else 2, 5, arm="without") for i in range(CASES)]
    grounded = [cell(i, float(i % 2), 5) for i in range(HARD)]
    lost = [cell(i, 0, 0, name="sentences", excluded={"refused": 1}) for i in range(HARD, CASES)]
    pooled, whole, _ = hdis(only([*bare, *grounded, *lost]), PLAN, arm="with", baseline="without")
    assert pooled.value == pytest.approx(1 - 0.1 / 0.4)
    assert whole.value == pytest.approx(1 - 0.1 / 0.7)
    assert pooled.clusters == HARD
    assert "with 20 refused" in pooled.note
    tally = only([*bare, *grounded, *lost])
    (delta,) = arm_differences(tally, RATE, PLAN, arm="with", baseline="without")
    assert delta.value == pytest.approx(0.4 - 0.1)
    u = {e.arm: e.value for e in rates(tally, RATE, PLAN, partner={"with": "without", "without": "with"})}
    assert u == {"with": pytest.approx(0.1), "without": pytest.approx(0.4)}


def test_an_index_without_a_complete_pair_says_so() -> None:
    """It said that there are no claims with evidence, of which there were twenty cases full."""
    bare = [cell(i, 2, 5, arm="without") for i in range(HARD)]
    grounded = [cell(i, 1, 5) for i in range(HARD, CASES)]
    tally = only([*bare, *grounded])
    pooled, whole, _ = hdis(tally, PLAN, arm="with", baseline="without")
    assert whole.value == pytest.approx(0.5)
    assert pooled.undefined == NO_PAIR
    silent = [cell(i, 0, 0, arm="without", excluded={"undecided:by rule": 3}) for i in range(CASES)]
    pooled, whole, _ = hdis(only([*grounded, *silent]), PLAN, arm="with", baseline="without")
    assert str(pooled.undefined).startswith("no claims without evidence")
    assert str(whole.undefined).startswith("no claims without evidence")


def test_what_a_difference_left_out_is_found_in_its_note() -> None:
    (panel,) = model_differences(only(two_models()), RATE, PLAN, arm="with")
    assert left_out_in(panel.note) == (
        "20 of 40 cases answered and scored on every side (left out: b 20 refused)"
    )
    assert left_out_in("interval undefined: 1 case") == ""
    sides = "; ".join(f"m{i} 3 undecided (by rule)" for i in range(9))
    long = left_out_in(f"20 of 40 cases answered and scored on every side (left out: {sides}); and more")
    assert long.endswith("m5 3 undecided (by rule); 3 more sides)")


def test_sums_over_arms_rest_on_complete_pairs() -> None:
    """A model that refuses the hard half of one side's arms: unpaired sums would differ, pairs do not."""
    bad = [float(i % 3) for i in range(CASES)]
    sides = [cell(i, bad[i], 5, arm=arm) for arm in ("a:one", "b:one", "a:two") for i in range(CASES)]
    hard = {i for i in range(CASES) if bad[i] == 2}
    lost = [
        cell(i, 0, 0, arm="b:two", excluded={"refused": 1}) if i in hard else cell(i, bad[i], 5, arm="b:two")
        for i in range(CASES)
    ]
    tally = only([*sides, *lost])
    both = of_pairs(tally, "a", [("a:one", "a:two"), ("b:one", "b:two")])
    assert np.array_equal(both.first, both.second)
    assert (
        both.words
        == f"{2 * CASES - len(hard)} of {2 * CASES} pairs of answers answered and scored on both sides"
    )
    loose = of_sides(tally, "a", ["a:one", "b:one"], ["b:two"])
    assert set(np.flatnonzero(loose.first[1] == 0)) == hard
    assert loose.words == f"{CASES - len(hard)} of {CASES} cases answered and scored on both sides"
    assert of_pairs(tally, "a", [("a:one", "a:two")]).words == ""
    assert not of_pairs(tally, "a", [("a:one", "nowhere")]).first[1].any()


def test_partners_are_the_baseline_and_the_first_condition_that_was_asked() -> None:
    assert partners(("with", "without", "half"), ("full", "with", "half"), "without") == {
        "with": "without", "half": "without", "without": "with",
    }  # fmt: skip
    assert partners(("with", "half"), ("with",), "without") == {}
    assert partners(("without",), ("with",), "without") == {}


def test_equal_rates_with_a_third_refused_hold_zero() -> None:
    """39 of 119 answers refused, on the cases that are wrong anyway: unpaired HDI would claim an effect."""
    bad = [float(i % 5) for i in range(119)]
    bare = [cell(i, bad[i], 5, arm="without") for i in range(119)]
    kept = sorted(range(119), key=lambda i: bad[i])[:80]
    grounded = [cell(i, bad[(i * 7) % 119] if i < 0 else bad[i], 5) for i in kept]
    pooled, whole, _ = hdis(only([*bare, *grounded]), PLAN, arm="with", baseline="without")
    assert pooled.value == 0
    assert whole.value is not None
    assert whole.value > 0.3


def test_a_missing_answer_moves_the_bounds_as_far_as_a_case_of_its_arm_could() -> None:
    cells = [cell(0, 1, 4), cell(1, 3, 4), cell(2, 0, 0, name="sentences", excluded={"refused": 1})]
    assert arm_bounds(only(cells), "a", "with") == pytest.approx(((4 + 1) / 12, (4 + 3) / 12))
    assert arm_bounds(only(cells[:2]), "a", "with") == (0.5, 0.5)


def test_an_answer_without_claims_is_an_answer() -> None:
    silent = [cell(0, 0, 1, name="sentences"), cell(1, 2, 5), cell(1, 0, 1, name="sentences")]
    other = [cell(i, 1, 5, "b") for i in range(2)]
    tally = only([*silent, *other])
    assert tally.answered("a", "with").tolist() == [True, True]
    assert paired(tally, [("a", "with"), ("b", "with")]).words == ""


def test_what_a_simulated_model_refused_takes_nothing_from_real_ones() -> None:
    cells = two_models()[:CASES] + [cell(i, wrong(i), 5, "b") for i in range(CASES)]
    cells += [cell(i, wrong(i), 5, "phantom/x") for i in range(HARD)]
    plan = Plan(seed=1, B=1_000, simulated=frozenset({"phantom/x"}))
    found = {
        (e.model, e.versus): e
        for e in model_differences(only(cells), RATE, plan, arm="with")
        if not e.stratum
    }
    assert found["a", "b"].clusters == CASES
    assert found["a", "phantom/x"].clusters == HARD
    assert len(found) == 3


def test_no_shared_case_is_said() -> None:
    cells = [cell(0, 1, 2), cell(1, 1, 2, "b")]
    with pytest.raises(UsageError, match="share no case that all of them answered"):
        compared(cells, RATE, labels="rule:strict", arm="with", plan=PLAN)
    (d,) = model_differences(only(cells), RATE, PLAN, arm="with")
    assert d.value is None
    assert not list(model_hdi_differences(only(cells), PLAN, arm="with", baseline="without"))


def test_logs_that_did_not_finish_say_so(tmp_path: Path) -> None:
    shares = [wrong(i) / 5 for i in range(CASES)]
    a = log(tmp_path / "a.eval", "a", shares)
    for status, words in (
        ("cancelled", "cancelled"),
        ("started", "broke off"),
        ("error", "stopped by an error"),
    ):
        b = log(tmp_path / f"{status}.eval", "b", shares[:30], status=status)
        found = compare([a, b], resamples=1_000)
        assert headline(found, a).endswith(
            f"30 shared cases; {status}.eval {words} after 30 of 40 samples; "
            "30 of 40 cases answered and scored on every side (left out: b 10 not asked)"
        )


def test_yes_and_no_are_scores_and_a_mapping_is_one_score_per_key(tmp_path: Path) -> None:
    said = ["yes" if i % 3 else "no" for i in range(CASES)]
    a, b = log(tmp_path / "a.eval", "a", said), log(tmp_path / "b.eval", "b", [s.upper() for s in said])
    assert [e.value for e in compare([a, b], resamples=1_000).singles] == [26 / 40] * 2
    several = [{"right": i % 2, "polite": True} for i in range(CASES)]
    a, b = (log(tmp_path / f"{name}2.eval", name, several) for name in "ab")
    with pytest.raises(UsageError, match=r"scorers checked.polite, checked.right; name one with --scorer"):
        compare([a, b])
    assert [e.value for e in compare([a, b], scorer="checked.right", resamples=1_000).singles] == [0.5, 0.5]


def test_the_answered_share_is_an_outcome_of_its_own() -> None:
    cells = [cell(i, wrong(i), 5, arm="without") for i in range(CASES)]
    cells += [cell(i, wrong(i), 5) for i in range(HARD)]
    cells += [cell(i, 0, 0, name="sentences", excluded={"refused": 1}) for i in range(HARD, CASES)]
    found = {(e.name, e.arm): e for e in answered_shares(cells, PLAN, baseline="without")}
    assert found["answered_share", "with"].value == 0.5
    assert found["answered_share", "with"].low is not None
    assert (found["answered_share", "without"].value, found["answered_share", "without"].sided) == (1, "low")
    assert found["answered_share_delta", "with"].value == 0.5
