"""Corrected estimates: where the machine alone is biased, the corrected interval holds the planted value."""

from collections.abc import Mapping

import numpy as np
import pytest

from percuss.core.records import Cell, Estimate
from percuss.measure.correction import beside, corrected, unrolled
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.tally import tallies
from percuss.stats import Judged

RATE = Quantity("unsupported_rate", "unsupported claims", "What share?", "lower")
DELTA = Quantity("delta_u", "fall", "By how much?", "neither", "points", "unsupported_rate")
PLAN = Plan(seed=1)
SIMULATED = Plan(seed=1, simulated=frozenset({"phantom/c"}))
WITH, WITHOUT = 0.10, 0.60
HDI = 1 - WITH / WITHOUT
SENSITIVITY, SPECIFICITY = 0.70, 0.85
REPLICATES = 200


def _arm(rate: float, rng: np.random.Generator, *, patients: int = 60, claims: int = 8) -> Judged:
    """Claims of patients whose rates vary; people look at a random third, the machine errs at planted rates."""
    own = rng.beta(20 * rate, 20 * (1 - rate), size=patients)
    truth = (rng.random((patients, claims)) < own[:, None]).ravel()
    errs = rng.random(truth.size)
    machine = np.where(truth, errs < SENSITIVITY, errs > SPECIFICITY).astype(float)
    human = np.where(rng.random(truth.size) < 1 / 3, truth.astype(float), np.nan)
    return Judged(machine, human, np.repeat(np.arange(patients), claims))


def _found(seed: int) -> Mapping[str, Estimate]:
    rng = np.random.default_rng(seed)
    arms = {("m", "with"): _arm(WITH, rng), ("m", "without"): _arm(WITHOUT, rng)}
    found = corrected(arms, RATE, PLAN, arm="with", baseline="without", delta=DELTA)
    return {f"{e.name}:{e.arm}" if e.name == RATE.name else e.name: e for e in found}


def _holds(e: Estimate, planted: float) -> bool:
    return e.low is not None and e.high is not None and e.low <= planted <= e.high


@pytest.mark.slow
def test_corrected_intervals_cover_what_was_planted_and_the_machine_alone_does_not() -> None:
    """200 fixed seeds: at 95% coverage each count passes 17 with probability 0.012 (binomial), at 90% with 0.72."""
    planted = {"unsupported_rate:with": WITH, "unsupported_rate:without": WITHOUT, "delta_u": WITHOUT - WITH, "hdi_pooled": HDI}  # fmt: skip
    missed = dict.fromkeys(planted, 0)
    for seed in range(REPLICATES):
        found = _found(seed)
        for name, value in planted.items():
            missed[name] += not _holds(found[name], value)
    assert all(count <= 17 for count in missed.values()), missed
    alone = 1 - (WITH * SENSITIVITY + (1 - WITH) * (1 - SPECIFICITY)) / (
        WITHOUT * SENSITIVITY + (1 - WITHOUT) * (1 - SPECIFICITY)
    )
    assert alone < HDI - 0.2
    found = _found(0)
    assert found["hdi_pooled"].low is not None
    assert found["hdi_pooled"].low > alone


def test_what_is_said_beside_a_corrected_rate() -> None:
    e = _found(1)["unsupported_rate:with"]
    assert e.labels == "corrected"
    assert e.note.startswith("Rogan-Gladen, errors of this arm: 0.")
    assert "errors of the labeller" in e.covers
    assert (e.n, e.clusters) == (480, 60)


def test_models_differ_in_one_corrected_family_and_phantoms_in_their_own() -> None:
    rng = np.random.default_rng(4)
    judged = {
        (model, "with"): _arm(rate, rng) for model, rate in (("a", 0.1), ("b", 0.5), ("phantom/c", 0.3))
    }
    found = [e for e in corrected(judged, RATE, SIMULATED, arm="with", baseline="without") if e.versus]
    assert [(e.model, e.versus) for e in found] == [("a", "b"), ("a", "phantom/c"), ("b", "phantom/c")]
    assert [e.simulated for e in found] == [False, True, True]
    assert "1 pairs" in (found[0].family or "")
    assert found[0].p_adjusted == found[0].p
    assert "2 pairs with simulated" in (found[1].family or "")
    assert found[0].p is not None
    assert found[0].p < 0.001


@pytest.mark.parametrize(
    ("human", "words"),
    [
        ([None] * 6, "0 items have a human label"),
        ([0, None, None, None, None, None], "1 items have a human label"),
    ],
)
def test_too_few_labels_of_people_are_said_to_be_too_few(human: list[int | None], words: str) -> None:
    data = unrolled([(f"p{i}", i % 2, said, 1) for i, said in enumerate(human)])
    (e,) = corrected({("m", "with"): data}, RATE, PLAN, arm="with", baseline="without")
    assert e.value is None
    assert words in (e.undefined or "")
    assert "Rogan-Gladen undefined" in e.note


def _scores(name: str, scores: Mapping[int, float], labels: str) -> list[Cell]:
    return [
        Cell(
            name=name,
            model="m",
            arm="with",
            labels=labels,
            case_id=f"c{n}",
            cluster=f"c{n}",
            num=score,
            den=1,
        )
        for n, score in scores.items()
    ]


def test_scores_of_a_machine_are_set_right_by_people_on_a_part() -> None:
    rng = np.random.default_rng(5)
    truth = np.clip(rng.normal(0.4, 0.15, 150), 0, 1)
    machine = _scores("ca", {n: float(min(t + 0.2, 1)) for n, t in enumerate(truth)}, "judge:j")
    people = _scores("ca", {n: float(truth[n]) for n in range(0, 150, 3)}, "human")
    held = tallies([*machine, *people])
    judged = beside(held["ca", "judge:j"], held["ca", "human"])
    assert np.isnan(np.asarray(judged["m", "with"].human)).sum() == 100
    (e,) = corrected(judged, Quantity("ca", "score"), PLAN, arm=None, baseline="")
    assert (e.labels, e.n, e.clusters) == ("corrected", 150, 150)
    assert e.low is not None
    assert e.high is not None
    assert e.low <= truth.mean() <= e.high < (truth + 0.2).mean()
    assert "Rogan" not in e.note
    assert "50 claims labelled by people" in e.covers
    assert beside(held["ca", "judge:j"], tallies(_scores("ca", {999: 1.0}, "human"))["ca", "human"]) == {}


def test_an_arm_without_claims_is_undefined() -> None:
    (e,) = corrected({("m", "with"): unrolled([])}, RATE, PLAN, arm="with", baseline="without")
    assert e.value is None
    assert e.undefined
    assert e.n == 0


def test_the_other_correction_stands_beside_or_says_why_not() -> None:
    """Errors seen in the arm itself: 20 of 80 by the machine; of 40 that people read, 8 of 10 wrong ones and 27 of 30 right ones found."""
    machine = np.array([1.0] * 8 + [0.0] * 2 + [1.0] * 3 + [0.0] * 27 + [1.0] * 9 + [0.0] * 31)
    human = np.array([1.0] * 10 + [0.0] * 30 + [np.nan] * 40)

    def note(machine: object, human: object, clusters: object = None) -> str:
        data = Judged(machine, human, clusters)  # type: ignore[arg-type]
        (found,) = corrected({("m", "with"): data}, RATE, PLAN, arm=None, baseline="without")
        return found.note

    alone = note(machine, human)
    assert alone.startswith("Rogan-Gladen, errors of this arm: 0.214 [")  # (.25 + .9 - 1) / (.8 + .9 - 1)
    assert note(machine, human, np.arange(80)) == alone
    assert note(machine, human, np.arange(80) // 8) != alone, "claims of one case tell less"
    assert note(machine, np.where(human == 1, np.nan, human)).startswith("Rogan-Gladen undefined: ")
    assert "Rogan-Gladen" not in note(machine / 2, human), "scores have no sensitivity"
    assert "Rogan-Gladen" not in note(machine, human / 2)


@pytest.mark.slow
def test_the_corrected_difference_of_two_indices_covers_what_was_planted() -> None:
    """100 fixed seeds, two models of one planted index each: at 95% coverage more than 10 misses have probability 0.01."""
    low = 1 - 0.30 / WITHOUT
    missed = separated = 0
    for seed in range(100):
        rng = np.random.default_rng(1_000 + seed)
        arms = {
            ("a", "with"): _arm(WITH, rng), ("a", "without"): _arm(WITHOUT, rng),
            ("b", "with"): _arm(0.30, rng), ("b", "without"): _arm(WITHOUT, rng),
        }  # fmt: skip
        made = corrected(arms, RATE, PLAN, arm="with", baseline="without", delta=DELTA)
        one = next(e for e in made if e.name == "hdi_pooled_difference")
        assert (one.model, one.versus, one.labels, one.baseline) == ("a", "b", "corrected", "without")
        missed += not _holds(one, HDI - low)
        separated += (one.p_adjusted or 1.0) <= 0.05
        assert one.low is not None
        assert one.high is not None
        assert ((one.p or 1.0) < 0.05) == (one.low > 0 or one.high < 0)
    assert missed <= 10, missed
    assert separated >= 50, separated
