"""The simulated clinician: what it draws it draws once, what it plans it says, and it knows no more than it was handed."""

import asyncio

import msgspec
import pytest

from percuss.core.errors import UsageError
from percuss.core.messages import Message, Request
from percuss.core.records import Arm, Posed
from percuss.phantoms import names, phantom
from percuss.protocols.stressors.arms import pose
from percuss.protocols.stressors.options import StressorsOptions
from tests.protocols.stressors.direct import case_of, clinician
from tests.protocols.stressors.generator import vignette

MADE = [vignette(n) for n in range(6)]


def request(number: int = 0, arm: str = "omission+contradiction+delay", seed: int = 5) -> Request:
    posed = pose(case_of(MADE[number]), Arm(name=arm), None, StressorsOptions(), 5)
    assert isinstance(posed, Posed)
    return Request(messages=posed.messages, seed=seed)


def test_it_is_in_the_registry() -> None:
    assert {"phantom/clinician", "phantom/silent"} <= set(names())
    with pytest.raises(UsageError, match="has no key"):
        phantom("phantom/clinician?luck=1", seed=1)


def test_draws_are_those_of_the_trajectory_whatever_the_turn() -> None:
    model = clinician("phantom/clinician", MADE, 1)
    first = request()
    said = model.plan(first).text
    later = msgspec.structs.replace(
        first, messages=(*first.messages, Message.of("assistant", said), Message.of("user", "No addendum."))
    )
    assert model.planner.draws(first) == model.planner.draws(later)
    assert model.planner.draws(first) != model.planner.draws(request(seed=6))
    assert model.planner.draws(first) != model.planner.draws(request(number=1))


def test_it_says_what_it_plans_and_every_truth_is_a_line_of_it() -> None:
    model = clinician("phantom/clinician?fabricate=0.5", MADE, 1)
    plan = model.plan(request())
    assert asyncio.run(model.generate(request())).text == plan.text
    for truth in plan.truths:
        line = plan.text[truth.start : truth.stop]
        assert line in plan.text.splitlines()
        assert truth.label in {"supported", "unsupported"}


def test_planted_extremes() -> None:
    honest = clinician("phantom/clinician?fabricate=0&inquire=0&gap=0", MADE, 1)
    plan = honest.plan(request())
    assert {t.label for t in plan.truths} <= {"supported"}
    assert "?" not in plan.text
    assert "missing" not in plan.text
    liar = clinician("phantom/clinician?fabricate=1&inquire=1&gap=1", MADE, 1)
    plan = liar.plan(request())
    assert all(birth.fabricated for birth in liar.planner.draws(request()).births)
    assert {t.label for n in range(6) for t in liar.plan(request(n)).truths} == {"unsupported"}
    assert plan.text.count("?") == 2
    assert plan.text.count("is missing") == 2


def test_fabricate_sets_both_kinds_and_either_alone_wins() -> None:
    held = phantom("phantom/clinician?fabricate=0.4&fabricate_other=0.1", seed=1).expected(("baseline",))
    assert (held["nfr", "baseline"], held["ufr", "baseline"]) == (0.4, 0.1)


def test_a_case_that_was_not_handed_over_is_answered_without_knowledge() -> None:
    model = phantom("phantom/clinician", seed=1)
    said = model.plan(Request(messages=(Message.of("user", "A stranger."),))).text
    assert said.count("DIAGNOSIS:") == 1


@pytest.mark.parametrize("arm", ["baseline", "contradiction", "omission+delay", "contradiction+delay"])
def test_expectations_of_the_definitions(arm: str) -> None:
    p = "phantom/clinician?fabricate_numeric=0.2&fabricate_other=0.1&persist=0.4&premise=0.5&suppress=0.3&generate=0.2&contradiction=0.6&update=0.7&stubborn=0.5"
    held = phantom(p, seed=1).expected((arm,))
    c, d = "contradiction" in arm, "delay" in arm
    assert held["hpr", arm] == pytest.approx(0.4 * (1 - 0.3 / 3) if c else 0.4)
    assert held["hccr", arm] == pytest.approx(held["hpr", arm] * 0.5)
    assert held["ufr", arm] == pytest.approx(0.8 * 0.1 + 0.2 * (4 * 0.1 + 1) / 5 if c else 0.1)
    if c or d:
        wanted = (0.7 + 0.42) / 2 if c and d else 0.7 if d else 0.42
        assert held["rur", arm] == pytest.approx(wanted)
    assert ("smr", arm) in held if d else ("smr", arm) not in held
    assert ("cdr", arm) in held if c else ("cdr", arm) not in held
