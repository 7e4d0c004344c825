"""A simulated clinician's planted behaviour comes back: exactly against its draws, and within error against its rates."""

from collections.abc import Mapping

import numpy as np
import pytest

from percuss.core.messages import Request
from percuss.core.ports import ScoredResponse
from percuss.measure.quantity import Plan
from percuss.measure.tally import tallies
from percuss.protocols.stressors.estimate.counting import ARM, EMPTY
from percuss.protocols.stressors.estimate.effects import effects
from percuss.protocols.stressors.estimate.names import METRICS, exists
from percuss.protocols.stressors.estimate.numbers import estimates
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, PLACEBOS
from tests.protocols.stressors.direct import cells_of, clinician, paired, trial
from tests.protocols.stressors.generator import vignette

pytestmark = pytest.mark.slow

ALL = "omission+contradiction+delay"
NAME = "phantom/clinician?fabricate=0.45&wrong=0.75"
MADE = [vignette(number) for number in range(160)]


@pytest.fixture(scope="module")
def found() -> list[ScoredResponse]:
    model = clinician(NAME, MADE, 3)
    return [*trial(MADE, (ALL,), model, 3), *trial(MADE[:60], ("omission",), model, 3)]


def means(found: list[ScoredResponse]) -> Mapping[tuple[str, str], tuple[float, int, float]]:
    held: dict[tuple[str, str], list[float]] = {}
    for cell in cells_of(found, 3):
        if cell.labels == RATER and cell.den == 1 and not cell.name.endswith("_pooled"):
            held.setdefault((cell.name, cell.arm), []).append(cell.num)
    return {k: (float(np.mean(v)), len(v), float(np.std(v))) for k, v in held.items()}


def test_every_metric_lies_within_error_of_what_was_planted(found: list[ScoredResponse]) -> None:
    # 3.9 standard errors each: over 37 comparisons a sound build fails once in 280 seeds; the seed is fixed. The benchmark
    # benchmarks/stressors_recovery.py holds the means of 200 seeds to .01 of these expectations.
    got = means(found)
    expected = clinician(NAME, MADE, 3).expected((ALL, "omission"))
    compared = 0
    for key, want in expected.items():
        if key not in got:
            continue
        mean, n, spread = got[key]
        compared += 1
        assert abs(mean - want) <= 3.9 * max(spread, 0.05) / np.sqrt(n) + 1e-9, (key, mean, want, n)
        if key[1] == ALL:
            assert n >= 100, key
    assert compared >= 35


def test_reading_equals_the_plan_exactly(found: list[ScoredResponse]) -> None:
    """Counts of each trajectory are those that its draws imply, item by item."""
    model = clinician(NAME, MADE, 3)
    for each in found[:60]:
        request = _first(each, model.id)
        draws = model.planner.draws(request)
        rows: dict[str, list[bool]] = {}
        for r in next(v for v in each.verdicts if v.aspect == "audit").evidence:
            rows.setdefault(r["metric"], []).append(r["hit"])
        labels = {v.subject: v.label for v in each.verdicts if v.aspect == "support"}
        born = [c for c in each.claims if c.payload["line"] == c.id and c.payload["type"] != "evidence"]
        made = sum(labels[c.id] == "unsupported" for c in born if c.payload["type"] == "numeric")
        assert made == sum(b.fabricated for b in draws.births if b.kind == "numeric")
        assert sum(rows["gdr"]) == sum(draws.gaps[: len(rows["gdr"])])
        assert len(rows.get("pir", ())) == (2 if draws.asks else 0)
        if draws.asks:
            assert rows["pir"] == list(draws.relevant)
        assert rows["cfa"] == [draws.alarmed]
        if "contradiction" in each.response.arm:
            assert rows["cdr"] == [draws.flagged[0]]


def _first(each: ScoredResponse, model: str) -> Request:
    from percuss.core.records import Arm, Posed
    from percuss.protocols.stressors.arms import pose

    posed = pose(each.case, Arm(name=each.response.arm), None, StressorsOptions(), 3)
    assert isinstance(posed, Posed)
    return Request(messages=posed.messages, seed=paired(3, model, each.case.id))


def test_crying_wolf_scores_full_on_detection_and_on_false_alarms() -> None:
    loud = clinician("phantom/clinician?contradiction=1&false_alarm=1", MADE, 1)
    held = means(trial(MADE[:12], ("contradiction", "baseline"), loud, 3))
    assert held["cdr", "contradiction"][0] == 1
    assert held["cfa", "contradiction"][0] == 1
    assert held["cfa", "baseline"][0] == 1


def test_silence_is_not_applicable_and_never_zero() -> None:
    cells = cells_of(trial(MADE[:8], FACTORIAL, clinician("phantom/silent", MADE, 1), 3), 3)
    made = {(e.name, e.arm): e for e in estimates(cells, StressorsOptions(resamples=200), 1)}
    for name in ("pir", "rir", "ef", "fcr", "hpr", "hccr", "nfr", "ufr", "dhdr"):
        for arm in FACTORIAL:
            assert made[name, arm].value is None
            assert made[name, arm].undefined
    assert made["cdr", "contradiction"].value == 0
    assert made["cihsr", "baseline"].undefined == "never applicable: no stressor lacks contradiction"
    assert {r for c in cells for r in c.excluded} <= {ARM, EMPTY, "not_applicable:arm"}


def test_structural_dashes_follow_the_arm() -> None:
    cells = cells_of(trial(MADE[:3], FACTORIAL, clinician(NAME, MADE, 1), 3), 3)
    for metric in METRICS:
        for arm in FACTORIAL:
            ours = [c for c in cells if (c.name, c.arm) == (metric.quantity.name, arm)]
            assert ours
            assert all((c.excluded == {ARM: 1}) != exists(metric, arm) for c in ours)


def test_planted_interaction_and_main_effect_are_found_at_107_vignettes() -> None:
    from benchmarks.stressors_placebo import found_effects

    main, inter, o, od = found_effects(3)
    assert (main, inter) == (3, 3)
    assert o == pytest.approx(0.10 + 0.16 / 2, abs=0.03)
    assert od == pytest.approx(0.16 / 2, abs=0.03)


def test_a_planted_interaction_of_the_clinician_is_found() -> None:
    shifted = clinician("phantom/clinician?shift_omission=0.2&shift_both=0.3&new=0.05&anchor=0", MADE, 2)
    cells = cells_of(trial(MADE[:26], FACTORIAL, shifted, 3), 3)
    held = {k: v for k, v in tallies(cells).items() if k == ("fcr", RATER)}
    made = {e.arm: e for e in effects(held, Plan(seed=1, B=5_000))}
    for effect, planted in (("effect:omission", 0.35), ("effect:omission*delay", 0.15)):
        e = made[effect]
        assert e.low is not None
        assert e.high is not None
        assert e.low <= planted <= e.high
        assert e.p_adjusted is not None
        assert e.p_adjusted < 0.05
    assert made["effect:contradiction"].p_adjusted is None or made["effect:contradiction"].p_adjusted > 0.05


def test_placebos_stay_quiet() -> None:
    from benchmarks.stressors_placebo import placebo_alarms

    # Under a true 5% more than 3 of 12 happens once in 470; the seeds are fixed.
    assert placebo_alarms(12) <= 3


def test_placebo_arms_of_the_clinician_are_like_baseline() -> None:
    held = means(trial(MADE[:30], ("baseline", *PLACEBOS), clinician(NAME, MADE, 4), 3))
    for arm in PLACEBOS:
        assert abs(held["nfr", arm][0] - held["nfr", "baseline"][0]) < 0.2
        assert ("gdr", arm) not in held
        assert ("cdr", arm) not in held
