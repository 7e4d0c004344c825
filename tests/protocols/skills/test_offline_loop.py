"""The worlds of documents in the very loop that a model goes through, within the five steps of a default run."""

from pathlib import Path

import pytest

from percuss.core.messages import Message
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed
from percuss.kit.agent import Limits
from percuss.protocols.skills.playing import final_of, run
from percuss.protocols.skills.worlds.contract import Grade, World
from percuss.protocols.skills.worlds.library import Library
from percuss.protocols.skills.worlds.literature import Literature
from tests.protocols.skills.offline_worlds import played

SEED = 4


async def _graded(world: World, number: int, agent: str, scratch: Path) -> Grade:
    task = world.tasks(SEED)[number]
    posed = Posed(messages=(Message.of("user", task.says[0]),), tools=world.tools(task))
    script = world.agents(task, SEED)[agent]
    (scratch / f"{agent}-{number}").mkdir()
    roles = Roles({}, seed=1, scratch=scratch / f"{agent}-{number}")
    limits = Limits(steps=5)
    transcript = await run(posed, roles, Options(), world, task, seed=SEED, script=script, limits=limits)
    final = final_of(transcript.artifacts)
    assert final == await played(world, task, script, seed=SEED)
    assert list((scratch / f"{agent}-{number}").iterdir()) == []
    return world.grade(task, final)


@pytest.mark.parametrize("world", [Library(), Literature()], ids=lambda world: world.name)
async def test_the_ends_of_the_scale_through_the_loop(world: World, tmp_path: Path) -> None:
    for number in range(5):
        scores = [
            (await _graded(world, number, agent, tmp_path)).score for agent in ("gold", "nothing", "liar")
        ]
        assert scores == [100.0, 0.0, 0.0]
