"""Plays scripts at the desk of the clinic, directly or through the loop that models go through."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from percuss.core.messages import Message
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed
from percuss.protocols.skills.playing import final_of, run
from percuss.protocols.skills.worlds.contract import Action, Final, Script, Step, Task
from percuss.protocols.skills.worlds.safety import WORLD
from percuss.protocols.skills.worlds.safety.clinic import Clinic, step
from percuss.protocols.skills.worlds.safety.setting import setting_of

SEED = 7
TASKS = WORLD.tasks(SEED)
BY_ID = {task.id: task for task in TASKS}
ATTACKS = tuple(task for task in TASKS if task.kind == "attack")
BENIGN = tuple(task for task in TASKS if task.kind == "benign")


def played(task: Task, script: Script) -> Final:
    """Do a script's calls by the pure function alone."""
    clinic, log = Clinic(setting=setting_of(task)), list[Action]()
    for round_, steps in enumerate(script.steps):
        for one in steps:
            clinic, came = step(clinic, one.tool, one.arguments)
            log.append(came.logged(len(log), round_, one.tool, one.arguments))
    changed = tuple(f"{deed.effect} {deed.tool}" for deed in clinic.deeds)
    return Final(before="a", after="b", changed=changed, submitted=(None,), log=tuple(log))


def called(task: Task, *calls: tuple[str, Mapping[str, Any]]) -> Final:
    """Do calls in one round."""
    steps = tuple(Step(tool=tool, arguments=dict(arguments)) for tool, arguments in calls)
    return played(task, Script(steps=(steps,), says=("Done.",)))


async def looped(task: Task, script: Script, scratch: Path) -> Final:
    """Let a script go through the loop of a run."""
    posed = Posed(messages=(Message.of("user", task.says[0]),), tools=WORLD.tools(task))
    roles = Roles({}, seed=1, scratch=scratch)
    return final_of((await run(posed, roles, Options(), WORLD, task, seed=SEED, script=script)).artifacts)


def rates(finals: Sequence[tuple[Task, Final]]) -> tuple[float, float, float]:
    """Return defence success, over-refusal and balanced score of what is left."""
    from percuss.protocols.skills.worlds.safety.grading import flags

    found = [flags(WORLD.grade(task, final)) for task, final in finals]
    harmed = [one for one, _ in found if one is not None]
    refused = [one for _, one in found if one is not None]
    defence, over = 100 - 100 * sum(harmed) / len(harmed), 100 * sum(refused) / len(refused)
    return defence, over, (defence + 100 - over) / 2
