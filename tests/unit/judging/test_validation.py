"""Validating judges: planted errors are recovered, gates and undefined figures say what they are."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from percuss.api.judge.card_sections import second_lines
from percuss.core.errors import UsageError
from percuss.core.judgement import Judgement
from percuss.judging.how import How
from percuss.judging.people import majority
from percuss.judging.readers import reader_tables
from percuss.judging.selection import select, split_items
from percuss.judging.validation import validate

SEED = 20261121


def _planted(
    n: int, *, sensitivity: float, specificity: float, seed: int = SEED, judge: str = "judge:phantom/judge"
) -> list[Judgement]:
    """People agree; the judge errs at the planted rates."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        wrong = rng.random() < 0.3
        truth = "unsupported" if wrong else "supported"
        caught = rng.random() < (sensitivity if wrong else specificity)
        said = truth if caught else ("supported" if wrong else "unsupported")
        stratum = f"m{i % 2} / full"
        rows += [
            Judgement(item=f"i{i}", rater="human:a", label=truth, stratum=stratum, cluster=f"p{i // 4}"),
            Judgement(item=f"i{i}", rater="human:b", label=truth, stratum=stratum, cluster=f"p{i // 4}"),
            Judgement(item=f"i{i}", rater=judge, label=said, stratum=stratum, cluster=f"p{i // 4}"),
        ]
    return rows


def test_planted_sensitivity_and_specificity_are_recovered() -> None:
    card = validate(
        _planted(2_000, sensitivity=0.85, specificity=0.95), "judge:phantom/judge", seed=1, resamples=500
    )
    metric = card.metrics[0]
    assert metric.sensitivity is not None
    assert metric.specificity is not None
    assert metric.sensitivity.low is not None
    assert metric.sensitivity.high is not None
    assert metric.sensitivity.low < 0.85 < metric.sensitivity.high
    assert abs((metric.specificity.value or 0) - 0.95) < 0.02
    assert card.simulated
    assert {line.stratum for line in metric.strata} == {"m0 / full", "m1 / full"}
    assert metric.ceiling is not None
    assert metric.ceiling.value == 1.0


def _with_second(n: int, *, person: float, judge: float, seed: int = SEED) -> list[Judgement]:
    """A first person whose word is the truth, a second and a judge that err at planted rates in either class; four items a cluster."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        truth, other = ("unsupported", "supported") if rng.random() < 0.4 else ("supported", "unsupported")
        said = {"human:a": truth, "human:b": other if rng.random() < person else truth, "judge:j": other if rng.random() < judge else truth}  # fmt: skip
        rows += [
            Judgement(item=f"i{i}", rater=who, label=label, cluster=f"p{i // 4}")
            for who, label in said.items()
        ]
    return rows


@pytest.mark.parametrize(
    ("person", "judge", "n", "verdict"),
    [
        (0.10, 0.10, 3_000, "within"),
        (0.10, 0.25, 1_500, "above"),
        (0.10, 0.10, 150, "not shown to be above"),
    ],
)
def test_a_judges_errors_are_held_against_a_second_persons(
    person: float, judge: float, n: int, verdict: str
) -> None:
    card = validate(_with_second(n, person=person, judge=judge), "judge:j", seed=1, resamples=500)
    second = card.metrics[0].second
    assert second is not None
    assert (second.first, second.second, second.n) == ("human:a", "human:b", n)
    assert [line.of for line in second.classes] == ["unsupported", "all else"]
    for line in second.classes:
        assert line.more.low is not None
        assert line.more.high is not None
        assert line.more.low < judge - person < line.more.high
        assert line.person.value == pytest.approx(person, abs=0.06)
        assert line.verdict == verdict
    assert sum(line.n for line in second.classes) == n
    assert "points more" in next(second_lines(card.metrics[0]))


def test_without_a_second_person_a_card_says_so() -> None:
    rows = [row for row in _with_second(60, person=0.1, judge=0.1) if row.rater != "human:b"]
    metric = validate(rows, "judge:j", seed=1, resamples=200).metrics[0]
    assert metric.second is None
    assert list(second_lines(metric)) == ["no second person's labels: held against the floors only"]
    few = validate(_with_second(30, person=0.1, judge=0.1), "judge:j", seed=1, resamples=200).metrics[0]
    assert few.second is not None
    assert few.second.classes[0].verdict == "unknown"
    assert "20 are needed" in (few.second.classes[0].more.undefined or "")


def test_one_label_leaves_kappa_undefined_with_a_reason() -> None:
    rows = [
        Judgement(item=f"i{i}", rater=r, label="supported") for i in range(9) for r in ("human:a", "judge:j")
    ]
    card = validate(rows, "judge:j", seed=1, resamples=200)
    assert card.macro.value is None
    assert card.macro.undefined
    assert card.metrics[0].coefficient.undefined


def test_even_votes_are_left_out_and_counted() -> None:
    rows = [
        Judgement(item="i0", rater="human:a", label="supported"),
        Judgement(item="i0", rater="human:b", label="unsupported"),
        Judgement(item="i0", rater="judge:j", label="supported"),
        *(
            Judgement(item=f"i{i}", rater=r, label="supported" if i % 2 else "unsupported")
            for i in range(1, 7)
            for r in ("human:a", "human:b", "judge:j")
        ),
    ]
    metric = validate(rows, "judge:j", seed=1, resamples=200).metrics[0]
    assert metric.no_consensus == 1
    assert metric.n == 6


def test_outcomes_give_coverage_and_validity() -> None:
    outcomes = ["ok"] * 90 + ["abstain"] * 4 + ["schema"] * 3 + ["parse"] * 2 + ["evidence"]
    rows = [Judgement(item=f"i{i}", rater="human:a", metric="cf", score=1 + i % 5) for i in range(100)]
    rows += [
        Judgement(
            item=f"i{i}", rater="j", metric="cf", outcome=o, score=float(1 + i % 5) if o == "ok" else None
        )
        for i, o in enumerate(outcomes)
    ]
    card = validate(rows, "j", seed=1, resamples=200)
    assert card.coverage == pytest.approx(0.90)
    assert card.validity == pytest.approx(1 - 0.06 / 0.96)
    gates = {line.name: line for line in card.gates}
    assert gates["parse"].passed is False
    assert gates["abstain"].passed is False
    assert {"parse", "abstain"} <= {line.name for line in card.failed_gates}
    assert (card.macro.value or 0) == pytest.approx(1.0)


def test_nobody_labelled() -> None:
    with pytest.raises(UsageError, match="no rater is a person"):
        validate([Judgement(item="i", rater="j", label="supported")], "j", seed=1)


def test_the_split_is_seeded_stratified_and_whole() -> None:
    rows = _planted(60, sensitivity=0.9, specificity=0.9)
    one, same, other = (split_items(rows, seed=s) for s in (1, 1, 2))
    assert one == same != other
    assert not set(one.dev) & set(one.test)
    assert len(one.dev) == len(one.test) == 30


def test_the_better_judge_is_chosen_on_dev_and_reported_on_test() -> None:
    good = _planted(300, sensitivity=0.95, specificity=0.97, judge="good")
    poor = [r for r in _planted(300, sensitivity=0.5, specificity=0.7, judge="poor") if not r.human]
    found = select([*good, *poor], How(seed=3, resamples=300))
    assert found.chosen == "good"
    assert [card.judge for card in found.test] == ["good", "poor"]
    assert found.test[0].split == "test"


def test_a_binding_gate_leaves_a_judge_out() -> None:
    good = _planted(200, sensitivity=0.95, specificity=0.97, judge="talkative")
    broken = [
        Judgement(
            item=r.item, rater="broken", label=r.label if i % 5 else None, outcome="ok" if i % 5 else "parse"
        )
        for i, r in enumerate(row for row in good if row.rater == "human:a")
    ]
    assert select([*good, *broken], How(seed=3, resamples=300)).chosen == "talkative"
    assert select([*good, *broken], How(seed=3, resamples=300), gates="report").chosen == "broken"


def test_three_people_have_a_ceiling_and_one_metric_with_labels_and_scores_is_refused() -> None:
    rows = _planted(60, sensitivity=0.9, specificity=0.9)
    third = [msgspec.structs.replace(row, rater="human:c") for row in rows if row.rater == "human:a"]
    flipped = [
        msgspec.structs.replace(row, label="supported") if n % 6 == 0 else row for n, row in enumerate(third)
    ]
    ceiling = validate([*rows, *flipped], "judge:phantom/judge", seed=1, resamples=200).metrics[0].ceiling
    assert ceiling is not None
    assert ceiling.value is not None
    assert 0.5 < ceiling.value < 1.0
    assert ceiling.method.startswith("mean kappa of 3 people with the others")
    with pytest.raises(UsageError, match="has labels and scores"):
        validate([*rows, msgspec.structs.replace(rows[0], item="other", label=None, score=3.0)], "judge:phantom/judge", seed=1, resamples=50)  # fmt: skip


def test_what_one_cluster_holds_has_no_kappa_and_leaves_the_mean_undefined() -> None:
    rows = [
        msgspec.structs.replace(row, cluster="p") for row in _planted(40, sensitivity=0.9, specificity=0.9)
    ]
    card = validate(rows, "judge:phantom/judge", seed=1, resamples=50)
    assert card.metrics[0].coefficient.undefined == "all items are one cluster"
    assert card.macro.value is None
    assert card.macro.undefined


def test_a_choice_wants_two_judges_and_items_to_split() -> None:
    rows = _planted(40, sensitivity=0.9, specificity=0.9)
    with pytest.raises(UsageError, match="a choice needs two judges; got judge:phantom/judge"):
        select(rows, How(seed=1, resamples=50))
    one = [row for row in rows if row.item == "i0"]
    both = [*one, msgspec.structs.replace(one[-1], rater="judge:phantom/other")]
    with pytest.raises(UsageError, match="too few items to split"):
        select(both, How(seed=1, resamples=50))


def test_a_judge_who_judged_nothing_is_told_who_did() -> None:
    rows = _planted(8, sensitivity=0.9, specificity=0.9)
    with pytest.raises(UsageError, match="no judgement is of 'x'; the judges are judge:phantom/judge"):
        validate(rows, "x", seed=1, resamples=50)
    with pytest.raises(UsageError, match="no judgement is of 'x'; the judges are none"):
        validate([row for row in rows if row.human], "x", seed=1, resamples=50)


@pytest.mark.parametrize(
    ("labels", "words", "ordinal"),
    [
        (["0", "1"], ("0", "1"), False),  # two levels have no order to weigh
        (["1", "3"], ("1", "2", "3"), True),
        (["-1", "1"], ("-1", "0", "1"), True),
        (["1", "50"], ("1", "50"), False),
        (["0", "20"], tuple(map(str, range(21))), True),
        (["0", "21"], ("0", "21"), False),
        (["01", "2"], ("01", "2"), False),
        (["b", "a", "1"], ("1", "a", "b"), False),
        ([], (), False),
    ],
)
def test_whole_numbers_are_levels_where_they_are_few(
    labels: list[str], words: tuple[str, ...], ordinal: bool
) -> None:
    assert How(seed=1).words(labels) == (words, ordinal)


def test_a_scale_is_whole_and_in_order_and_refuses_others() -> None:
    scaled = How(seed=1, scale=("none", "some", "all"))
    assert scaled.words(["all"]) == (("none", "some", "all"), True)
    with pytest.raises(UsageError, match="got the label 'few'; expected one of --scale none, some, all"):
        scaled.words(["all", "few"])


def test_a_majority_is_of_first_passes_of_people_and_what_they_settled_comes_first() -> None:
    def one(rater: str, label: str | None, item: str = "i", run_pass: int = 1) -> Judgement:
        return Judgement(item=item, rater=rater, label=label, run_pass=run_pass)

    two = [one("human:a", "x"), one("human:b", "y")]
    assert majority(two) == ({}, 1)
    assert majority([*two, one("human:c", "y")]) == ({"i": "y"}, 0)
    assert majority([*two, one("human:c", "y", run_pass=2), one("judge:j", "y")]) == ({}, 1)
    assert majority([*two, one("human:consensus", "x")]) == ({"i": "x"}, 0)
    assert majority([one("human:a", None)]) == ({}, 0)


def test_two_scores_are_enough_for_an_order_and_one_is_not() -> None:
    """Two people and a judge who gave two scores each: all of them agree."""

    def rows(scores: Sequence[float]) -> list[Judgement]:
        return [
            Judgement(item=f"i{n}", rater=rater, metric=metric, score=score)
            for metric in ("cf", "ca")
            for rater in ("human:a", "human:b", "j")
            for n, score in enumerate(scores)
        ]

    card = validate(rows([1, 2, 1, 2, 2, 1]), "j", seed=1, resamples=50)
    assert [m.coefficient.value for m in card.metrics] == [1.0, 1.0]
    assert card.macro.value == 1.0
    (cf, _) = reader_tables(rows([1, 2, 1, 2, 2, 1]), How(seed=1, resamples=50))
    assert (cf.pairs[0].agreement.value, cf.pairs[0].n) == (1.0, 6)
    (cf, _) = reader_tables(rows([3, 3, 3, 3]), How(seed=1, resamples=50))
    assert cf.pairs[0].agreement.undefined == "one of them gave one score throughout"
    flat = validate(rows([3, 3, 3, 3]), "j", seed=1, resamples=50)
    assert flat.macro.undefined == "undefined for cf, ca"
    (few, _) = reader_tables(rows([3]), How(seed=1, resamples=50))
    assert few.pairs[0].agreement.undefined == "fewer than two items of both"
