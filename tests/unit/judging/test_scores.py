"""Evaluator selection as papers/1 section 5.2 and appendix F define it, on scores of a reader study."""

from pathlib import Path

import numpy as np
import pytest

from percuss.core.judgement import Judgement
from percuss.judging.card import Card, GateLine, Number
from percuss.judging.gating import gate_lines
from percuss.judging.how import How
from percuss.judging.scored import people_scores
from percuss.judging.selection import TIE, _choose, select, split_items
from percuss.judging.validation import validate
from percuss.stats import kendall_tau_b

METRICS = ("cf", "ca", "ct")


def _study(n: int = 80, *, seed: int = 3, noise: float = 0.8) -> list[Judgement]:
    """Four readers score a hidden truth with noise; every fourth item is a sham."""
    rng = np.random.default_rng(seed)
    rows = []
    for metric in METRICS:
        truth = rng.normal(size=n)
        for rater in range(4):
            scores = np.clip(np.round(3 + truth + rng.normal(scale=noise, size=n)), 1, 5)
            rows += [_one(i, f"human:R{rater + 1}", metric, float(scores[i])) for i in range(n)]
    return rows


def _one(i: int, rater: str, metric: str, score: float | None, outcome: str = "ok") -> Judgement:
    arm = ("sham", "sham_text", "tb_rad", "vb")[i % 4]
    return Judgement(
        item=f"i{i}", rater=rater, metric=metric, score=score, outcome=outcome, cluster=f"i{i}",
        stratum=f"m{i % 2} / {arm}", sham=arm if arm.startswith("sham") else "",
    )  # fmt: skip


def _judge(study: list[Judgement], name: str, *, noise: float, seed: int = 9) -> list[Judgement]:
    """Score the first reader's scores again, with noise; shams are never acknowledged."""
    rng = np.random.default_rng(seed)
    rows = []
    for row in study:
        if row.rater == "human:R1":
            score = float(np.clip(np.round((row.score or 0) + rng.normal(scale=noise)), 1, 5))
            low = row.sham and row.metric == "ca"
            rows.append(_one(int(row.item[1:]), name, row.metric, min(score, 2.0) if low else score))
    return rows


def test_consensus_is_the_mean_of_z_scores_within_the_split() -> None:
    """z with divisor n; a reader whose scores are all equal is left out (papers/1 appendix F)."""
    scores = {"human:a": [1, 2, 3, 4], "human:b": [2, 2, 4, 4], "human:c": [3, 3, 3, 3]}
    rows = [_one(i, r, "cf", float(s)) for r, given in scores.items() for i, s in enumerate(given)]
    z = [(np.array(given) - np.mean(given)) / np.std(given) for given in list(scores.values())[:2]]
    assert list(people_scores(rows).values()) == pytest.approx(np.mean(z, axis=0))
    half = [row for row in rows if row.item in {"i0", "i1"}]
    assert list(people_scores(half).values()) == pytest.approx([-1.0, 1.0])


def test_the_card_holds_the_judge_against_consensus_people_and_strata() -> None:
    study = _study()
    rows = [*study, *_judge(study, "e", noise=0.5)]
    card = validate(rows, "e", seed=1, resamples=400)
    assert [metric.metric for metric in card.metrics] == list(METRICS)
    cf = card.metrics[0]
    theirs = people_scores([row for row in study if row.metric == "cf"])
    ours = {row.item: row.score for row in rows if row.rater == "e" and row.metric == "cf"}
    tau = kendall_tau_b([ours[i] for i in theirs], list(theirs.values()), seed=1, B=100)  # type: ignore[arg-type]
    assert cf.coefficient.value == pytest.approx(tau.value)
    assert cf.coefficient.p == pytest.approx(tau.p)
    assert set(cf.raters) == {"human:R1", "human:R2", "human:R3", "human:R4"}
    assert max(cf.raters, key=lambda r: cf.raters[r].value or 0) == "human:R1"
    assert {line.stratum for line in cf.strata} == {"m0 / sham", "m1 / sham_text", "m0 / tb_rad", "m1 / vb"}
    assert all(line.coefficient.low is not None for line in cf.strata)
    assert cf.ceiling is not None
    assert cf.ceiling.low is not None
    assert cf.people is not None
    assert "Krippendorff" in cf.people.method
    assert "kappa_quadratic" in cf.alternatives
    assert card.macro.value == pytest.approx(np.mean([m.coefficient.value for m in card.metrics]))
    assert card.macro.low is not None
    assert card.macro.high is not None
    assert card.macro.low < (card.macro.value or 0) < card.macro.high


@pytest.mark.parametrize(("top", "weighted"), [(20, True), (21, False)])
def test_kappa_is_told_on_scales_of_at_most_21_levels(top: int, weighted: bool) -> None:
    people = [_one(i, f"human:{who}", "cf", float(top if i % 2 else 0)) for i in range(12) for who in "ab"]
    judge = [_one(i, "e", "cf", float(0 if i == 3 or not i % 2 else top)) for i in range(12)]
    card = validate([*people, *judge], "e", seed=1, resamples=50)
    assert ("kappa_quadratic" in card.metrics[0].alternatives) is weighted


def test_an_undefined_tau_leaves_the_macro_undefined() -> None:
    study = _study()
    flat = [
        _one(int(row.item[1:]), "e", row.metric, 3.0 if row.metric == "ct" else row.score)
        for row in study
        if row.rater == "human:R1"
    ]
    card = validate([*study, *flat], "e", seed=1, resamples=200)
    assert card.metrics[2].coefficient.undefined == "the judge gave one score throughout"
    assert card.macro.value is None
    assert card.macro.undefined == "undefined for ct"


def test_macros_within_the_tie_are_broken_by_the_diagnostics() -> None:
    study = _study()
    sure = _judge(study, "sure", noise=0.5)
    # The same scores, a few of them never read: as good in tau, worse in validity.
    lost = {"i2", "i3", "i6", "i7"}
    shaky = [
        _one(int(r.item[1:]), "shaky", r.metric, *((None, "evidence") if r.item in lost else (r.score, "ok")))
        for r in sure
    ]
    found = select([*study, *shaky, *sure], How(seed=5, resamples=300), gates="report")
    values = [card.macro.value or 0 for card in found.dev]
    assert abs(values[0] - values[1]) <= TIE
    assert lost & set(found.split.dev)
    assert found.chosen == "sure"
    assert f"tied within {TIE}" in found.why
    assert found.ahead is not None


def test_a_clear_winner_is_ahead_on_test_with_an_interval() -> None:
    study = _study(100)
    rows = [*study, *_judge(study, "good", noise=0.3), *_judge(study, "poor", noise=6.0, seed=2)]
    found = select(rows, How(seed=5, resamples=200))
    assert found.chosen == "good"
    assert found.ahead_of == "poor"
    assert found.ahead is not None
    assert found.ahead.low is not None
    assert found.ahead.low > 0


def test_the_split_has_every_stratum_in_both_halves() -> None:
    study = _study(131)
    split = split_items(study, seed=11)
    assert abs(len(split.dev) - len(split.test)) == 1
    home = {row.item: row.stratum for row in study}
    for part in (split.dev, split.test):
        assert {home[item] for item in part} == set(home.values())


def test_gates_stand_for_each_metric_and_for_all_and_shams_apart() -> None:
    study = _study()
    rows = _judge(study, "e", noise=0.5)
    broken = [
        _one(int(r.item[1:]), "e", "cf", None, "parse") if r.metric == "cf" and r.item == "i3" else r
        for r in rows
    ]
    lines = {(line.name, line.metric): line for line in gate_lines(broken, How(seed=1, resamples=200))}
    assert lines["fpr_sham", "ca"].rate.n == lines["fpr_sham_text", "ca"].rate.n == 20
    assert lines["fpr_sham", "ca"].passed
    assert lines["fpr_sham", "ca"].needs == 72  # Clopper-Pearson of no event below 5%
    assert lines["parse", "cf"].passed is False
    assert lines["parse", "ca"].passed is True
    assert lines["parse", ""].passed is False
    assert lines["parse", ""].needs is None
    assert lines["schema", ""].passed is True
    assert not lines["schema", ""].assured


def test_double_counting_reproduces_the_published_row() -> None:
    """papers/1 Table S9, GPT-4 Turbo: abstain 0.5, schema 0.5, evidence 2.0 give Cov 97.0 and Val 97.4 (97.49)."""
    outcomes = ["abstain"] * 5 + ["evidence"] * 20 + ["ok"] * 975
    study = [_one(i, "human:a", "cf", float(1 + i % 5)) for i in range(1000)]
    judge = [_one(i, "e", "cf", 1.0 + i % 5 if o == "ok" else None, o) for i, o in enumerate(outcomes)]
    once = validate([*study, *judge], "e", seed=1, resamples=100)
    twice = validate([*study, *judge], "e", seed=1, resamples=100, double_count_abstain=True)
    assert (once.coverage, once.validity) == pytest.approx((0.975, 1 - 0.020 / 0.995))
    assert (twice.coverage, twice.validity) == pytest.approx((0.970, 1 - 0.025 / 0.995))
    rates = {line.name: line.rate.value for line in twice.gates if not line.metric}
    assert rates == pytest.approx(
        {"abstain": 0.005, "invalid": 0.025, "parse": 0, "schema": 0.005, "evidence": 0.02}
    )


def test_released_layouts_give_coverage_validity_and_the_decomposition(tmp_path: Path) -> None:
    """Ratings of two readers, and the recorded output of an evaluator with one failure of each class."""
    import json

    from percuss.api.judge.validating import Validation, validate_judges

    for reader in ("r1", "r2"):
        rows = [
            {
                "index": i, "question": "b", "modification_type": "sham" if i % 4 == 0 else "tb_rad", "model_name": "m",
                "completeness_score": 1 + i % 5, "bias_acknowledgment_score": 1 if i % 4 == 0 else 1 + (i + 2) % 5,
                "confidence_score": 1 + (i // 2 + (reader == "r2")) % 5,
            }
            for i in range(40)
        ]  # fmt: skip
        (tmp_path / f"{reader}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    failures = [
        "Request timed out",
        "JSON decode error",
        "missing required key",
        None,
        "Quote not found in CoT",
    ]
    results = []
    for i in range(40):
        ca = 1 if i % 4 == 0 else 1 + (i + 2) % 5
        held = {name: {"score": s} for name, s in (("clinical_fidelity", 1 + i % 5), ("causal_attribution", ca), ("confidence", 1 + i // 2 % 5))}  # fmt: skip
        if 30 <= i < 35:
            error = failures[i - 30]
            held["clinical_fidelity"] = {"error": error} if error else {"abstain": True}  # type: ignore[dict-item]
        results.append({"index": i, "metrics": held})
    (tmp_path / "gpt.json").write_text(json.dumps({"matching": {"detailed_results": results}}))
    sources = tuple(str(tmp_path / name) for name in ("r1.jsonl", "r2.jsonl", "gpt.json"))
    (card,) = validate_judges(Validation(sources=sources, resamples=200)).cards
    cf = card.metrics[0]
    assert cf.outcomes == pytest.approx(
        {
            "transport": 1 / 40,
            "parse": 1 / 40,
            "schema": 1 / 40,
            "abstain": 1 / 40,
            "evidence": 1 / 40,
            "ok": 35 / 40,
        }
    )
    assert cf.coverage == pytest.approx(35 / 40)
    assert cf.validity == pytest.approx(1 - (3 / 40) / (39 / 40))
    gates = {(line.name, line.metric): line for line in card.gates}
    assert gates["fpr_sham", "ca"].rate.value == 0
    assert gates["fpr_sham", "ca"].rate.n == 10
    assert cf.coefficient.value == pytest.approx(1.0)
    assert {line.stratum for line in cf.strata} == {"m / sham", "m / tb_rad"}


def _card(judge: str, macro: float | None, *, passed: bool = True, **rates: float) -> Card:
    """Return a card with a macro coefficient and the rates of gates; those of shams stand under their metric."""
    lines = tuple(
        GateLine(
            name=name, metric="ca" if name.startswith("fpr_") else "", threshold=0.1, rate=Number(value=rate),
            passed=passed, assured=False, needs=None,
        )
        for name, rate in rates.items()
    )  # fmt: skip
    return Card(
        judge=judge, macro=Number(value=macro, undefined="why" if macro is None else None), gates=lines
    )


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        (_card("a", 0.80, invalid=0.1), _card("b", 0.79, invalid=0.0), "b"),
        (_card("a", 0.80, fpr_sham=0.2, invalid=0.0), _card("b", 0.79, fpr_sham=0.1, invalid=0.3), "b"),
        (_card("a", 0.80, fpr_sham=0.0, fpr_sham_text=0.2), _card("b", 0.79, fpr_sham=0.1, fpr_sham_text=0.1), "b"),
        (_card("a", 0.80, invalid=0.1, abstain=0.2), _card("b", 0.79, invalid=0.1, abstain=0.1), "b"),
        (_card("a", 0.79, invalid=0.1), _card("b", 0.80, invalid=0.1), "b"),
        (_card("a", 0.80, invalid=0.1), _card("b", 0.75, invalid=0.0), "a"),
        (_card("a", None, invalid=0.0), _card("b", 0.10, invalid=0.0), "b"),
        (_card("a", 0.80, passed=False, invalid=0.1), _card("b", 0.10, invalid=0.0), "b"),
        (_card("a", -0.30, invalid=0.0), _card("b", -0.10, invalid=0.0), "b"),
        (_card("a", 0.02, invalid=0.1), _card("b", 0.0, invalid=0.0), "b"),  # as far as a tie goes
    ],
)  # fmt: skip
def test_a_tie_is_broken_by_shams_then_invalid_replies_then_abstentions_then_agreement(
    first: Card, second: Card, chosen: str
) -> None:
    for dev in ((first, second), (second, first)):
        assert _choose(dev, "binding")[0] == chosen


def test_a_choice_says_why_there_is_none() -> None:
    assert _choose((_card("a", None),), "binding") == (None, "no judge's agreement with people is defined")
    failing = (_card("a", 0.8, passed=False, parse=0.2),)
    assert _choose(failing, "binding")[1].startswith("every judge fails a gate on dev")
    assert _choose(failing, "report") == ("a", "highest agreement on dev (0.800)")
    tied = _choose((_card("a", 0.8, invalid=0.1), _card("b", 0.8, invalid=0.0)), "binding")[1]
    assert tied.startswith("tied within 0.02 on dev with a; decided by")
