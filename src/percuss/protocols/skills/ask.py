"""Ask the model under test: one call an item; in an environment, the loop of rounds and tools."""

from msgspec.structs import replace

from percuss.core.ports import Roles
from percuss.core.records import Posed, Transcript
from percuss.kit.asking import ask as ask_once
from percuss.protocols.skills.arms import opened
from percuss.protocols.skills.campaign import attacked
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.playing import LIMITS, run
from percuss.protocols.skills.worlds.registry import task_by_id, world_named

__all__ = ["ask"]


async def ask(posed: Posed, roles: Roles, options: SkillsOptions) -> Transcript:
    """Put an item, or let the model work at a task; `artifacts["final"]` then holds what is left (of a series of attacks, `artifacts["plays"]`).

    Args:
        posed: `script` names world, task and seed where the model is to act. roles: `models["model"]`, `scratch`, `once`.
        options: `steps`, and the request policy.
    """
    name = posed.script.get("world")
    if name is None:
        return await ask_once(posed, roles, options)
    seed, limits = int(posed.script["seed"]), replace(LIMITS, steps=options.steps)
    if "tries" in posed.script:
        tries = int(posed.script["tries"])
        return await attacked(posed, roles, options, opened, seed=seed, tries=tries, limits=limits)
    task = task_by_id(name, posed.script["task"], seed)
    world = world_named(name, options.database)
    return await run(posed, roles, options, world, task, seed=seed, limits=limits)
