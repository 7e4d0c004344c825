"""Plays a script against a world of documents, without a model or a loop between."""

import tempfile
from pathlib import Path
from typing import Any

from percuss.core.ports import Roles
from percuss.protocols.skills.worlds.contract import Action, Final, Grade, Script, Task, World


async def played(
    world: World, task: Task, script: Script, *, seed: int = 0, roles: Roles | None = None
) -> Final:
    """Do a script's calls in a world and return what is left; the round ends where a tool says so."""
    log: list[Action] = []
    with tempfile.TemporaryDirectory() as folder, world.open(task, seed, Path(folder), roles) as state:
        before = state.digest()
        for number, steps in enumerate(script.steps):
            state.begin(number)
            for step in steps:
                result = await state.call(step.tool, step.arguments)
                log.append(result.logged(len(log), number, step.tool, step.arguments))
                if result.done:
                    break
        return Final(
            before=before,
            after=state.digest(),
            changed=state.changed(),
            submitted=tuple(state.submitted(n) for n in range(len(task.says))),
            log=tuple(log),
        )


async def graded(
    world: World, task: Task, script: Script, *, seed: int = 0, roles: Roles | None = None
) -> Grade:
    return world.grade(task, await played(world, task, script, seed=seed, roles=roles))


def handed(submission: object, *, limit: str = "") -> Final:
    """Return a final state in which something was handed in, whatever it is."""
    return Final(before="", after="", changed=(), submitted=(submission,), log=(), limit=limit)


def gold_submission(world: World, task: Task) -> dict[str, Any]:
    """Return what the scripted agent that is right hands in."""
    return dict(world.agents(task, 0)["gold"].steps[0][-1].arguments)
