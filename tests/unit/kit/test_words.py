"""What the default report says in words, and which estimate leads: the sentences a reader trusts."""

from typing import Any

import pytest

from percuss.core.protocol import Options, Primary
from percuss.core.records import Cell, Estimate
from percuss.kit.estimating import Counted, Rates
from percuss.kit.report.differing import pair_words
from percuss.kit.report.instrument import _answer
from percuss.kit.report.outline import Shown, outline_of
from percuss.kit.report.panel import _pair_line
from percuss.measure.quantity import Quantity

SHOWN = Shown("rate_difference", "wrong answers", "with")


def difference(
    value: float | None, low: float | None = None, high: float | None = None, **f: Any
) -> Estimate:
    fields: dict[str, Any] = {"undefined": "no answers"} if value is None else {}
    return Estimate(
        name="rate_difference",
        model="one",
        versus="two",
        arm="with",
        labels="rule:x",
        unit="points",
        value=value,
        low=low,
        high=high,
        **{**fields, **f},
    )


@pytest.mark.parametrize(
    ("e", "sign", "words"),
    [
        (difference(0.2, 0.1, 0.3, p_adjusted=0.01), 1, "higher by 20.0 points [10.0, 30.0]"),
        (difference(0.2, 0.1, 0.3, p_adjusted=0.01), -1, "lower by 20.0 points [10.0, 30.0]"),
        (difference(-0.2, -0.3, -0.1, p_adjusted=0.01), 1, "lower by 20.0 points [10.0, 30.0]"),
        (difference(-0.2, -0.3, -0.1, p_adjusted=0.01), -1, "higher by 20.0 points [10.0, 30.0]"),
        (difference(0.2, -0.1, 0.3, p_adjusted=0.4), 1, "not separable"),
        (
            difference(0.2, -0.1, 0.3, p_adjusted=0.4, detectable=0.25),
            1,
            "not separable; we could have seen 25.0 points",
        ),
        (difference(None), 1, "undefined (no answers)"),
    ],
)
def test_a_pair_of_models_in_words(e: Estimate, sign: int, words: str) -> None:
    assert pair_words(e, sign) == words


def test_a_line_of_the_panel_says_whether_two_models_differ() -> None:
    assert (
        _pair_line(difference(None), SHOWN) == "one and two cannot be compared in wrong answers: no answers."
    )
    apart = difference(0.2, 0.1, 0.3, p_adjusted=0.01, family="rate_difference · with · rule:x · 1 pairs")
    assert _pair_line(apart, SHOWN) == (
        "one and two differ in wrong answers: 20.0 points [10.0, 30.0], p 0.010 (Holm, 1 pair)."
    )
    together = difference(0.2, -0.1, 0.3, p_adjusted=0.4, detectable=0.25)
    assert _pair_line(together, SHOWN) == (
        "one and two are not separable in wrong answers: 20.0 points [-10.0, 30.0]; we could have seen 25.0 points."
    )


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        (["yes"], "Of 1 planted number 1 lies in the measured interval."),
        (["yes", "no", "yes"], "Of 3 planted numbers 2 lie in the measured interval."),
        (["no"], "Of 1 planted number 0 lie in the measured interval."),
        (
            ["no interval", ""],
            "What was planted is not recorded in this run, so it shows what was measured alone.",
        ),
    ],
)
def test_what_was_planted_and_found_in_words(holds: list[str], words: str) -> None:
    assert _answer([{"holds": each} for each in holds]) == words


def cells(names: tuple[str, ...] = ("one", "two")) -> list[Cell]:
    return [
        Cell(
            name="rate",
            model=model,
            arm=arm,
            labels=labels,
            case_id=f"c{n}",
            cluster=f"c{n}",
            num=float((n + at) % 3 == 0 and arm == "with"),
            den=1.0,
        )
        for at, model in enumerate(names)
        for arm in ("with", "without")
        for labels in ("rule:x", "agreement")
        for n in range(12)
    ]


PRIMARY = Primary(estimate="rate", labels="rule:x", arms=("with", "without"), family="f", words="w")


def made() -> list[Estimate]:
    rate = Counted(Quantity("rate", "wrong answers", better="lower"), "unsupported")
    return list(Rates([rate], PRIMARY).estimates(cells(), Options(), 5))


def test_one_estimate_a_model_leads_and_no_difference_does() -> None:
    found = made()
    leads = [e for e in found if e.primary]
    assert [(e.name, e.model, e.arm, e.labels, e.versus) for e in leads] == [
        ("rate", "one", "with", "agreement", None),
        ("rate", "two", "with", "agreement", None),
    ]
    assert found[: len(leads)] == leads


def test_an_effect_is_the_rate_in_the_arm_minus_that_in_the_baseline() -> None:
    effects = [e for e in made() if e.name == "rate_effect"]
    assert {(e.arm, e.baseline) for e in effects} == {("with", "without")}
    assert {e.value for e in effects} == {4 / 12}
    rates = {(e.model, e.arm): e.value for e in made() if e.name == "rate" and e.labels == "rule:x"}
    assert (rates["one", "with"], rates["one", "without"]) == (4 / 12, 0)


def test_the_outline_of_a_manifest_names_each_arm_in_the_titles_of_the_lead() -> None:
    toml = {
        "primary": {"estimate": "rate", "arms": ["with", "without"], "words": "w"},
        "arm_words": {"with": "with evidence", "without": "without evidence"},
    }
    outline = outline_of(made(), toml)
    assert [shown.title for shown in outline.columns][:2] == [
        "wrong answers, with evidence",
        "wrong answers, without evidence",
    ]
    assert outline.lead.title == "wrong answers"
    assert (outline.arm, outline.baseline) == ("with", "without")
