"""Which models a rule may compare (reading.md, section 2): by its errors in each one's own text, or by seeded errors found alike."""

import pytest

from percuss.core.records import Cell, Estimate
from percuss.measure.comparable import not_comparable
from percuss.measure.compared import compared
from percuss.measure.quantity import Plan, Quantity

RULE = "rule:support-2"


def own(model: str, value: float | None) -> Estimate:
    return Estimate(
        name="own_text", model=model, arm="all arms", labels=RULE, value=value,
        undefined="0 of its own claims were labelled, 60 are needed" if value is None else None, note="" if value is None else "so many",
    )  # fmt: skip


def recall(model: str, value: float, half: float, arm: str = "full_multimodal") -> Estimate:
    return Estimate(
        name="certificate_recall", model=model, arm=arm, labels=RULE, value=value, low=value - half, high=value + half, n=200,
    )  # fmt: skip


BOTH_ARMS = ("full_multimodal", "ungrounded")


@pytest.mark.parametrize(
    ("estimates", "may"),
    [
        ([own("a", 1), own("b", 1)], True),
        ([own("a", 1), own("b", 0)], False),
        ([own("a", 1), own("b", None)], False),
        ([own("a", None), own("b", None)], False),
        ([own("a", None), own("b", None), *(recall(m, 0.9, 0.04, at) for m in "ab" for at in BOTH_ARMS)], True),
        ([own("a", None), own("b", None), *(recall(m, 0.9, 0.09, at) for m in "ab" for at in BOTH_ARMS)], False),
        ([own("a", None), own("b", None), recall("a", 0.9, 0.01), recall("b", 0.78, 0.01)], False),
        ([own("a", None), own("b", None), recall("a", 0.9, 0.01), recall("b", 0.9, 0.01), recall("a", 0.9, 0.01, "ungrounded")], False),
        ([own("a", 0), own("b", 1), recall("a", 0.9, 0.01), recall("b", 0.9, 0.01)], True),
        ([], True),
    ],
    ids=[
        "floors hold in both", "in one alone", "one was never looked at", "neither was", "recalls agree in both arms",
        "their interval is wide", "recalls differ", "recalls of one arm alone", "recalls agree beside floors that don't hold", "nothing says",
    ],
)  # fmt: skip
def test_when_a_rule_may_compare_two_models(estimates: list[Estimate], may: bool) -> None:
    assert (not_comparable(estimates, RULE, ("a", "b")) == "") is may
    assert not_comparable(estimates, "human", ("a", "b")) == "", "people read both alike"


def test_over_runs_such_a_pair_has_no_difference() -> None:
    """The trap: a rule compared models though nobody had held it against either one's own text."""
    cells = [
        Cell(
            name="unsupported_rate", labels=RULE, model=model, arm="x", case_id=f"c{n}", cluster=f"c{n}", epoch=0,
            num=bad, den=5, excluded={}, stratum="", scoring="s",
        )
        for model, bad in (("a", 1), ("b", 4)) for n in range(60)
    ]  # fmt: skip
    words = Quantity("unsupported_rate", "unsupported", "?", "lower")

    def pair(*estimates: Estimate) -> str:
        found = compared(cells, words, labels=RULE, arm="x", plan=Plan(seed=1, B=200), beside=estimates)
        return found.pairs[0].words

    assert pair(own("a", 1), own("b", 1)).startswith("a is lower than b: ")
    assert pair(own("a", 1), own("b", None)) == (
        "a and b: undefined (not comparable by rules support-2: the rule is not known to read both models alike: "
        "0 of its own claims were labelled, 60 are needed (b))"
    )
