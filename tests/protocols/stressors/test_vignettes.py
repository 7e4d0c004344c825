"""The bundled vignettes: nothing told settles a diagnosis while something is missing, contradictions matter, no field is dead."""

import pytest

from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.readers.diagnoses import named
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, build, draw
from percuss.protocols.stressors.scenario.scenario_lint import lint
from percuss.protocols.stressors.scenario.units import decisive_units
from percuss.protocols.stressors.scenario.vignettes import Vignette

HELD = tuple(reading(case) for case in cases(None, StressorsOptions(), 0))


def test_there_are_forty_each_with_what_it_needs() -> None:
    assert len(HELD) >= 40
    for v in HELD:
        ids = {fact.id for fact in v.facts}
        assert v.sufficient_sets
        assert all(set(each) <= ids for each in v.sufficient_sets)
        assert set(v.consequences) <= ids
        assert decisive_units(v) is not None, v.id
        assert v.first_impression == v.trajectory[0].expect
        assert v.trajectory[-1].expect == v.diagnosis
        assert v.error_traps
        assert v.reviewed_by == "none"


def test_the_first_impression_is_wrong_and_the_names_are_right() -> None:
    for v in HELD:
        names = (v.diagnosis, *v.aliases)
        assert named(v.first_impression, names).standing != "gold", v.id
        assert all(named(name, names).standing == "gold" for name in names), v.id


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(200), marks=pytest.mark.slow)])
def test_no_sufficient_set_is_told_while_a_gap_is_open(seeds: range) -> None:
    """The linter holds this, and rebuilds; here only what is told is looked at, in every arm and seed."""
    mattering = total = 0
    for v in HELD:
        asked = {fact.id for fact in v.facts if fact.askable}
        for seed in seeds:
            for arm in FACTORIAL:
                scenario = build(v, arm, seed)
                for turn in scenario.turns:
                    if any(gap.is_open(turn.n) for gap in scenario.gaps):
                        assert not v.settled_by(asked | set(scenario.released(turn.n))), (v.id, arm, seed)
                total += len(scenario.contradictions)
                mattering += sum(each.would_change != "nothing" for each in scenario.contradictions)
    assert mattering >= 0.8 * total


def test_every_scenario_of_every_vignette_is_well_formed() -> None:
    for v in HELD:
        for arm in FACTORIAL:
            assert lint(v, build(v, arm, 7)) == (), (v.id, arm)


def test_the_delayed_group_settles_what_was_open() -> None:
    for v in HELD:
        scenario = build(v, "delay", 3)
        assert v.settled_by(scenario.released(4)), v.id
        assert not v.settled_by(scenario.released(2)), v.id


def test_a_set_told_while_a_gap_is_open_is_found_by_the_linter() -> None:
    v = HELD[0]
    leaking = _with_sets(v, ((v.facts[0].id,),))
    assert "no sufficient set while a gap is open" in {
        fault.check for fault in lint(leaking, build(v, "omission", 1))
    }


def _with_sets(v: Vignette, sets: tuple[tuple[str, ...], ...]) -> Vignette:
    import msgspec

    return msgspec.structs.replace(v, sufficient_sets=sets)


def test_two_contradictions_can_be_drawn_and_the_first_changes_something() -> None:
    for v in HELD:
        targets = draw(v, 1).targets
        assert len(targets) == 2
        assert v.consequences.get(targets[0][0].id, "nothing") != "nothing", v.id
