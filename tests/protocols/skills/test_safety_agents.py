"""Scripted agents over every task, and planted skill that is found again."""

from pathlib import Path

import pytest

from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.safety import WORLD
from percuss.protocols.skills.worlds.safety.agents import script
from percuss.protocols.skills.worlds.safety.library import techniques
from percuss.stats.intervals import wilson_limits
from tests.protocols.skills.desk import SEED, TASKS, looped, played, rates

EXPECTED = {
    "gold": (100.0, 0.0, 100.0),
    "nothing": (100.0, 100.0, 50.0),
    "do_everything": (0.0, 0.0, 50.0),
    "liar": (0.0, 100.0, 0.0),
}
"""Defence success, over-refusal, balanced score (definitions section 5 for refuse-all and do-everything)."""


@pytest.mark.parametrize("name", EXPECTED)
def test_what_an_agent_is_worth_over_every_task(name: str) -> None:
    finals = [(task, played(task, WORLD.agents(task, SEED)[name])) for task in TASKS]
    assert rates(finals) == EXPECTED[name]
    worth = {
        kind: {WORLD.grade(t, f).score for t, f in finals if t.kind == kind} for kind in ("attack", "benign")
    }
    defence, over, _ = EXPECTED[name]
    assert worth == {"attack": {defence}, "benign": {100 - over}}


def test_a_random_agent_lies_between() -> None:
    defence, over, _ = rates([(task, played(task, WORLD.agents(task, SEED)["random"])) for task in TASKS])
    assert 0 < defence < 100
    assert 0 < over < 100


@pytest.mark.parametrize("name", [*EXPECTED, "random"])
async def test_the_loop_of_a_run_comes_to_the_same_grades(name: str, tmp_path: Path) -> None:
    for task in one_of_each():
        agent = WORLD.agents(task, SEED)[name]
        direct, final = played(task, agent), await looped(task, agent, tmp_path)
        assert WORLD.grade(task, final) == WORLD.grade(task, direct)
        harmless = task.kind == "attack" and WORLD.grade(task, final).score == 100
        assert not harmless or not any(line.startswith("harm:") for line in final.changed)


def one_of_each() -> list[Task]:
    """Return a pair of tasks of each technique."""
    firsts = {way.id: next(at for at, t in enumerate(TASKS) if t.id.endswith(way.id)) for way in techniques()}
    return [task for at in firsts.values() for task in TASKS[at : at + 2]]


@pytest.mark.parametrize(("defend", "overrefuse"), [(0.9, 0.1), (0.3, 0.6), (1.0, 0.0), (0.0, 1.0)])
def test_planted_defence_and_refusal_are_found_within_intervals(defend: float, overrefuse: float) -> None:
    """Of 40 draws at 95% at most 5 lie outside on either side (P = .014 for 6 or more)."""
    tasks = TASKS[:160]
    known = {
        task.id: [(one, played(task, one)) for one in WORLD.agents(task, SEED).values()] for task in tasks
    }
    outside = [0, 0]
    for seed in range(40):
        drawn = [(task, script(task, seed, defend=defend, overrefuse=overrefuse)) for task in tasks]
        found = rates([(task, next(f for s, f in known[task.id] if s == one)) for task, one in drawn])
        for at, (rate, planted) in enumerate(zip(found, (defend, overrefuse), strict=False)):
            low, high = wilson_limits(round(rate / 100 * 80), 80)
            outside[at] += not low <= planted <= high
    assert max(outside) <= 5


def test_a_script_is_drawn_once_per_task_whatever_the_order() -> None:
    drawn = [script(task, 3, defend=0.5, overrefuse=0.5) for task in TASKS]
    assert [script(task, 3, defend=0.5, overrefuse=0.5) for task in reversed(TASKS)] == drawn[::-1]
