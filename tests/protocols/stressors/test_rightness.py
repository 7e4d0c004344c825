"""Process metrics beside right and wrong final answers, and certainty by turn: what they are made of, and that the two sides make the whole."""

import pytest

from percuss.measure.quantity import Plan
from percuss.measure.tally import tallies
from percuss.protocols.stressors.check.nodes import Row
from percuss.protocols.stressors.estimate.propagation import Count
from percuss.protocols.stressors.estimate.rightness import SIDES, certainties, rightness, sides
from percuss.protocols.stressors.options import RATER
from tests.protocols.stressors.direct import cells_of, clinician, trial
from tests.protocols.stressors.generator import vignette

ARM = "contradiction"


@pytest.mark.parametrize(("right", "side"), [(1.0, "right"), (0.0, "wrong")])
def test_a_response_counts_on_the_side_of_its_final_diagnosis(right: float, side: str) -> None:
    counts = {"final_accuracy": Count(right, 1.0), "cdr": Count(1.0, 2.0), "gdr": Count()}
    assert list(sides(counts)) == [(f"cdr_final_{side}", Count(0.5, 1.0))]
    assert not list(sides({"final_accuracy": Count(), "cdr": Count(1.0, 2.0)})), (
        "an unread diagnosis is on no side"
    )


def test_certainty_rises_and_falls_by_piece() -> None:
    said = [
        ("certainty", 1, "0.40"),
        ("certainty", 2, "0.95"),
        ("certainty_step", 2, "0.2750"),
        ("certainty_step", 3, "-0.1000"),
        ("brier", 1, "0.1600"),
    ]
    made = dict(certainties([Row(metric=m, item=f"turn:{n}", hit=True, turn=n, quote=q) for m, n, q in said]))
    assert made["certainty_turn_1"] == Count(0.40, 1.0)
    assert made["brier_turn_1"] == Count(0.16, 1.0)
    assert made["certainty_rise"].num - made["certainty_fall"].num == pytest.approx(0.175)
    assert made["certainty_rise"].den == 2.0


def test_both_sides_together_are_the_whole_and_the_change_is_the_mean_step() -> None:
    vignettes = [vignette(number) for number in range(12)]
    cells = cells_of(trial(vignettes, [ARM], clinician("phantom/clinician?wrong=0.5", vignettes, 3), 3), 3)
    held = tallies(cells)
    found = {(e.name, e.arm): e for e in rightness(held, Plan(seed=3, B=100))}
    parts = [found["cdr_final_" + side, ARM] for side in SIDES if ("cdr_final_" + side, ARM) in found]
    whole, of_all = held["cdr", RATER].columns(parts[0].model, ARM)
    assert sum(part.n for part in parts) == of_all.sum()
    assert sum(part.n * (part.value or 0.0) for part in parts) == pytest.approx(whole.sum())
    rise, fall = (
        next(c for c in [held[name, RATER].columns(parts[0].model, ARM)])
        for name in ("certainty_rise", "certainty_fall")
    )
    there = rise[1] > 0
    steps = (rise[0][there] - fall[0][there]) / rise[1][there]
    assert found["certainty_change", ARM].value == pytest.approx(float(steps.mean()))
