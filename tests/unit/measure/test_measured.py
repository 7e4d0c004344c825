"""Every estimator on one made-up run, to the last digit that is said: a sign, a constant or a branch that moves shows here.

The golden lies in goldens/. After a change that is meant, `PERCUSS_WRITE_GOLDENS=1 pytest tests/unit/measure/test_measured.py`
writes it anew; read the difference before committing it. What the numbers ought to be is tested beside this, by laws.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from percuss.core.errors import UsageError
from percuss.core.records import Cell, Estimate
from percuss.measure.answered import answered_shares
from percuss.measure.compared import compared
from percuss.measure.correction import beside, corrected
from percuss.measure.dependence import POOLED, hdis, model_hdi_differences
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.ranks import apart_words, rank_tau, tau_b
from percuss.measure.rates import arm_differences, model_differences, rates
from percuss.measure.regression import held_against
from percuss.measure.tally import tallies
from percuss.measure.turned import turned
from percuss.measure.wording import covers_words, joined, p_words, plural, reasons_words, source_words
from tests.figures import hold, line

GOLDENS = Path(__file__).with_name("goldens")
WRONG = Quantity("wrong", "wrong claims", "How many?", "lower")
RIGHT = Quantity("right", "right claims", "How many?", "higher")
FALL = Quantity("wrong_delta", "fall", "By how much?", "neither", "points", "wrong")
MODELS = {"a/one": (0.1, 0.5), "b/two": (0.3, 0.6), "c/three": (0.32, 0.8), "phantom/p": (0.2, 0.4)}
PLAN = Plan(seed=7, B=300, scoring="s", simulated=frozenset({"phantom/p"}))


def cells(cases: int, *, labels: str = "rule:r", seed: int = 5) -> list[Cell]:
    """Return two numbers of four models in two arms, two answers a case; some answers fail, some claims are left out."""
    rng, out = np.random.default_rng(seed), list[Cell]()
    for model, chances in MODELS.items():
        for arm, chance in zip(("with", "without"), chances, strict=True):
            for case in range(cases):
                own = rng.beta(6 * chance, 6 * (1 - chance))
                for epoch in range(2):
                    made, left = int(rng.integers(2, 7)), int(rng.integers(0, 2))
                    wrong = int(rng.binomial(made, own))
                    failed = model != "a/one" and (case + epoch) % 11 == 3
                    where = {
                        "model": model,
                        "arm": arm,
                        "labels": labels,
                        "case_id": f"c{case}",
                        "cluster": f"k{case // 2}",
                    }
                    for name, num in (("wrong", wrong), ("right", made - wrong)):
                        counts = (0.0, 0.0) if failed else (float(num), float(made))
                        excluded = {"error:refused": 1} if failed else {"conflict": left} if left else {}
                        out.append(Cell(name=name, num=counts[0], den=counts[1], epoch=epoch, excluded=excluded, **where))  # type: ignore[arg-type] # fmt: skip
    return out


def lines(estimates: Iterable[Estimate]) -> Iterator[str]:
    """Yield each estimate with its fields, numbers to nine places."""
    yield from map(line, estimates)


def held(name: str, said: Iterable[str]) -> None:
    """Hold lines against their golden."""
    hold(GOLDENS / f"{name}.txt", said)


@pytest.mark.parametrize("cases", [2, 7, 44])
def test_every_number_of_a_run_is_as_it_was(cases: int) -> None:
    found = cells(cases)
    by = tallies(found)
    wrong, right = by["wrong", "rule:r"], by["right", "rule:r"]
    said = [
        *lines(rates(wrong, WRONG, PLAN, partner={"with": "without"})),
        *lines(rates(right, RIGHT, PLAN, proportion=False, decided={("a/one", "with"): 0.9})),
        *lines(arm_differences(wrong, FALL, PLAN, arm="with", baseline="without")),
        *lines(model_differences(wrong, WRONG, PLAN, arm="with")),
        *lines(hdis(wrong, PLAN, arm="with", baseline="without")),
        *lines(model_hdi_differences(wrong, PLAN, arm="with", baseline="without")),
        *lines(rank_tau(right, wrong, PLAN, arm="with", baseline="without")),
        *lines(rank_tau(right, wrong, Plan(seed=7, B=300), arm="with", baseline="without")),
        *lines(answered_shares(found, PLAN, baseline="without")),
        apart_words(list(model_differences(wrong, WRONG, PLAN, arm="with")), "wrong claims"),
    ]
    held(f"run-of-{cases}", said)


def test_people_beside_rules_correct_every_number_as_they_did() -> None:
    machine = cells(30)
    looked = [cell for cell in cells(30, labels="human", seed=6) if int(cell.case_id[1:]) % 3 == 0]
    judged = beside(tallies(machine)["wrong", "rule:r"], tallies(looked)["wrong", "human"])
    held("corrected", lines(corrected(judged, WRONG, PLAN, arm="with", baseline="without", delta=FALL)))
    assert len(list(corrected(judged, WRONG, PLAN, arm=None, baseline="without"))) == len(judged) == 8


@pytest.mark.parametrize(
    ("name", "quantity", "options"),
    [
        ("all", WRONG, {}), ("margin", WRONG, {"margin": 0.2}), ("baseline", WRONG, {"baseline": "b/two", "margin": 0.02}),
        ("best", RIGHT, {"baseline": "phantom/p"}), ("index", Quantity(**{**vars(POOLED), "cells": "wrong"}), {"without": "without", "baseline": "a/one"}),
    ],
)  # fmt: skip
def test_a_comparison_says_what_it_said(name: str, quantity: Quantity, options: dict[str, object]) -> None:
    found = compared(cells(24), quantity, labels="rule:r", arm="with", plan=PLAN, **options)  # type: ignore[arg-type]
    said = [*lines(found.singles), *lines(pair.difference for pair in found.pairs)]
    said += [
        *(pair.words for pair in found.pairs),
        *map(repr, found.ranks),
        found.left_out,
        *map(repr, found.turned),
    ]
    if quantity.better != "neither" and "baseline" in options:
        for margin in (0.01, 0.15, 0.6):
            said += [f"{o.state}: {o.sentence}" for o in held_against(found, (), margin)]
        with pytest.raises(UsageError, match="expected a margin above 0"):
            held_against(found, (), 0.0)
    held(f"compared-{name}", said)


def test_words_around_numbers() -> None:
    assert [source_words(each) for each in ("rule:r", "judge:a/b", "verifier:v", "agreement", "majority", "human", "corrected", "concordant", "x")] == [
        "rules r", "first pass of a/b", "verifier v", "judge, where both passes agree", "judge, most of three passes", "people",
        "people on a part, the machine on the rest", "where judge and rules give one label", "x",
    ]  # fmt: skip
    assert [plural(n, "case") for n in (0, 1, 1.4, 2, 1200)] == ["0 cases", "1 case", "1 case", "2 cases", "1,200 cases"]  # fmt: skip
    assert plural(2, "index", "indices") == "2 indices"
    assert [joined(list(words)) for words in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
    assert joined(["a", "b"], "or") == "a or b"
    assert reasons_words({"b": 2, "a": 2, "c": 3000}) == "c 3,000, a 2, b 2"
    assert [p_words(p) for p in (0.0, 0.0001, 0.0005, 0.04, 0.5, 1.0)] == [
        "p under 0.0001", "p 0.0001", "p 0.0005", "p 0.040", "p 0.500", "p 1.000",
    ]  # fmt: skip
    assert covers_words("cases, not of answers", judged=True).endswith("answers nor judge error")
    assert covers_words("cases", judged=True) == "cases, not judge error"
    assert covers_words("cases", judged=False) == "cases"


def test_three_models_and_two_hold_together_over_their_own_pairs() -> None:
    found = [cell for cell in cells(20) if cell.model != "c/three"]
    wrong = tallies(found)["wrong", "rule:r"]
    made = [*model_differences(wrong, WRONG, PLAN, arm="with"), *model_hdi_differences(wrong, PLAN, arm="with", baseline="without")]  # fmt: skip
    together = [(e.name, e.simulated) for e in made if e.stratum is not None]
    assert together == [("wrong_difference", True)] * 2 + [("hdi_pooled_difference", True)] * 2
    held("three-models", lines(made))


def test_a_case_that_one_of_two_answered_did_not_turn() -> None:
    def cell(model: str, case: str, num: float, den: float) -> Cell:
        return Cell(
            name="wrong", model=model, arm="with", labels="r", case_id=case, cluster=case, num=num, den=den
        )

    rows = [("o", "x", 1, 2), ("n", "x", 0, 2), ("o", "y", 0, 0), ("n", "y", 1, 2), ("o", "z", 1, 2), ("n", "z", 0, 0), ("o", "w", 1, 3), ("n", "w", 2, 6)]  # fmt: skip
    tally = tallies([cell(*row) for row in rows])["wrong", "r"]
    (only,) = turned(tally, WRONG, arm="with", baseline="o")
    assert (only.case, only.old, only.new, only.way) == ("x", 0.5, 0.0, "better")
    (only,) = turned(tally, RIGHT, arm="with", baseline="o")
    assert only.way == "worse"


def test_two_models_rank_alike_or_the_other_way_round() -> None:
    one, other, same = np.array([1.0, 2.0]), np.array([5.0, 3.0]), np.array([2.0, 2.0])
    assert (float(tau_b(one, one)), float(tau_b(one, other))) == (1.0, -1.0)
    assert np.isnan(tau_b(one, same))
