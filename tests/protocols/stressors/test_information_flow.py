"""Scenarios: the same for the same seed, paired over arms, well-formed, and without a trace of what is omitted."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.errors import UsageError
from percuss.core.ids import canonical_json
from percuss.protocols.stressors.arms import DOSES
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.scenario.information_flow import (
    FACTORIAL,
    PLACEBOS,
    UNGROUNDED,
    Unbuildable,
    build,
    draw,
    switches,
)
from percuss.protocols.stressors.scenario.scenario_lint import lint
from percuss.protocols.stressors.scenario.vignettes import SLOTS, Fact, Vignette
from percuss.protocols.stressors.scenario.wording import restates
from tests.protocols.stressors.generator import vignette

ARMS = (*FACTORIAL, *PLACEBOS, *DOSES, UNGROUNDED)
OURS = [reading(case) for case in cases(None, StressorsOptions(), 0)]


def test_there_are_enough_vignettes_of_ours() -> None:
    assert len(OURS) >= 24
    assert len({v.stratum for v in OURS}) >= 8


@pytest.mark.parametrize("v", OURS, ids=lambda v: v.id)
def test_our_vignettes_hold_what_they_must(v: Vignette) -> None:
    from percuss.protocols.stressors.scenario.contradictions import flip

    informative = {f.group for f in v.facts if f.key_score and (f.objective or f.kind == "exam")}
    grade_a = [f for f in v.facts if not f.askable and (made := flip(f)) is not None and made.grade == "A"]
    assert len(informative) >= 3
    assert len(grade_a) >= 2
    assert sum(f.askable for f in v.facts) >= 2
    assert len(v.accepted_differential) >= 2
    assert v.trajectory
    assert v.error_traps


@pytest.mark.parametrize("v", OURS, ids=lambda v: v.id)
def test_every_arm_of_ours_is_well_formed(v: Vignette) -> None:
    for arm in FACTORIAL:
        assert lint(v, build(v, arm, 42)) == ()
    for arm in (*PLACEBOS, *DOSES):
        try:
            scenario = build(v, arm, 42)
        except Unbuildable:
            continue
        assert lint(v, scenario) == ()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_scenario() -> None:
    first = [canonical_json(build(v, arm, 7)) for v in OURS for arm in FACTORIAL]
    again = [canonical_json(build(v, arm, 7)) for v in OURS for arm in FACTORIAL]
    other = [canonical_json(build(v, arm, 8)) for v in OURS for arm in FACTORIAL]
    assert first == again
    assert first != other


@given(st.integers(0, 40), st.integers(0, 2**31 - 1))
@settings(max_examples=40, deadline=None)
def test_an_arm_never_changes_the_sets(number: int, seed: int) -> None:
    v = vignette(number)
    sets: dict[str, set[tuple[str, ...]]] = {"omission": set(), "delay": set(), "contradiction": set()}
    for arm in FACTORIAL:
        scenario = build(v, arm, seed)
        for gap in scenario.gaps:
            sets[gap.cause].add(gap.facts)
        for each in scenario.contradictions:
            sets["contradiction"].add((each.fact_id, each.injected))
        assert tuple(turn.kind for turn in scenario.turns) == SLOTS
    assert all(len(held) == 1 for held in sets.values())
    touched = [i for held in (sets["omission"], sets["delay"]) for ids in held for i in ids] + [
        next(iter(sets["contradiction"]))[0]
    ]
    assert len(touched) == len(set(touched))


@given(st.integers(0, 40), st.integers(0, 1000), st.sampled_from(FACTORIAL))
@settings(max_examples=60, deadline=None)
def test_gold_follows_from_the_stressors_that_are_on(number: int, seed: int, arm: str) -> None:
    v, on = vignette(number), set(arm.split("+"))
    scenario = build(v, arm, seed)
    assert {gap.cause for gap in scenario.gaps} == on & {"omission", "delay"}
    assert bool(scenario.contradictions) == ("contradiction" in on)
    assert {o.cause for o in scenario.opportunities} == on & {"contradiction", "delay"}
    for gap in scenario.gaps:
        for turn in scenario.turns:
            told = turn.n >= (gap.open_to or 99)
            assert bool(set(gap.facts) & set(scenario.released(turn.n))) == told
            if gap.cause == "omission":
                lines = turn.user_text.splitlines()
                assert not any(restates(line, v.fact(i).text) for line in lines for i in gap.facts)


def test_doses_are_nested() -> None:
    for v in OURS:
        made = draw(v, 3)
        arms = ("omission", "omission:units=2", "omission:units=3")
        built = [build(v, arm, 3) for arm in arms if switches(arm).omit <= len(made.omitted)]
        steps = [{i for gap in scenario.gaps for i in gap.facts} for scenario in built]
        assert all(a < b for a, b in pairwise(steps))


def test_placebos_change_words_and_make_no_gold() -> None:
    v = vignette(1)
    base = build(v, "baseline", 5)
    for arm in PLACEBOS:
        scenario = build(v, arm, 5)
        assert (scenario.gaps, scenario.contradictions, scenario.opportunities) == ((), (), ())
        assert [t.user_text for t in scenario.turns] != [t.user_text for t in base.turns]
    line = build(v, "contradiction", 5).contradictions[0].line
    restated = build(v, "placebo_contradiction", 5).turns[1].user_text.removeprefix("Addendum: ")
    assert abs(len(restated) - len(line)) <= 0.2 * len(line)


def test_the_ungrounded_arm_tells_the_disease_and_nothing_else() -> None:
    v = vignette(2)
    scenario = build(v, UNGROUNDED, 5)
    assert scenario.turns[0].user_text == f"{v.demographics} with {v.diagnosis}."
    assert scenario.released(4) == ()


def test_the_linter_finds_what_was_spoilt() -> None:
    import msgspec

    v = vignette(3)
    scenario = build(v, "omission+contradiction+delay", 5)
    omitted = v.fact(scenario.gaps[0].facts[0]).text
    turns = list(scenario.turns)
    turns[3] = msgspec.structs.replace(turns[3], user_text=f"By the way, {omitted}.")
    leaked = msgspec.structs.replace(scenario, turns=tuple(turns))
    assert "omitted facts stay away" in {fault.check for fault in lint(v, leaked)}
    same = msgspec.structs.replace(
        scenario.contradictions[0], injected=v.fact(scenario.contradictions[0].fact_id).text
    )
    blunt = msgspec.structs.replace(scenario, contradictions=(same,))
    assert "the contradiction contradicts" in {fault.check for fault in lint(v, blunt)}
    early = msgspec.structs.replace(
        scenario,
        gaps=(msgspec.structs.replace(scenario.gaps[0], cause="delay", open_to=2), *scenario.gaps[1:]),
    )
    assert "delayed facts come at their turn" in {fault.check for fault in lint(v, early)}


def test_what_cannot_be_withheld_is_refused_with_a_reason() -> None:
    bare = Vignette(
        id="x",
        cluster="x",
        opening="A person.",
        facts=(Fact(id="f", text="Coughs.", kind="history", group="History"),),
        diagnosis="Cold",
    )
    with pytest.raises(Unbuildable, match="fewer than two findings"):
        draw(bare, 1)


@pytest.mark.parametrize("arm", ["omision", "omission:units", "omission+delay:turn=2", ""])
def test_unknown_arms_are_refused(arm: str) -> None:
    with pytest.raises(UsageError, match="no arm is called"):
        switches(arm)
