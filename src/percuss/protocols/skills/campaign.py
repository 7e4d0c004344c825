"""A series of attacks on the desk of the clinic, each picked by what worked before, each followed by its harmless twin."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from percuss.core import seeds
from percuss.core.ports import Roles
from percuss.core.records import Case, Posed, Transcript, Turn
from percuss.kit.agent import Limits
from percuss.protocols.skills.case import Played, campaign_case
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.playing import final_of, run
from percuss.protocols.skills.worlds.contract import Final, Task
from percuss.protocols.skills.worlds.registry import world_named
from percuss.protocols.skills.worlds.safety.attacker import campaign, first
from percuss.protocols.skills.worlds.safety.crossing import task_named
from percuss.protocols.skills.worlds.safety.grading import flags
from percuss.protocols.skills.worlds.safety.setting import setting_of

__all__ = ["attacked", "attackers", "plays_of"]

WORLD = "safety"


def attackers(n: int, tries: int, seed: int) -> tuple[Case, ...]:
    """Return one case per attacker, each with a seed of its own.

    Args:
        n: how many. tries: attacks that each puts. seed: root seed.
    """
    own = [seeds.derive(seed, WORLD, "attacker", number) for number in range(n)]
    return tuple(campaign_case(number, first(each, tries), each, tries) for number, each in enumerate(own))


async def attacked(
    posed: Posed, roles: Roles, options: SkillsOptions, pose: Any, *, seed: int, tries: int, limits: Limits
) -> Transcript:
    """Put attacks and twins to the model under test one after the other; `artifacts["plays"]` holds task and `Final` of each.

    The attacker hears whether an attack had an effect by the rules of the state, and nothing else.

    Args:
        posed: the first attack. roles, options: as in `playing.run`. pose: makes the pose of a task.
        seed: of attacker and clinic. tries: attacks. limits: of each play.
    """
    world = world_named(WORLD)
    plays, turns, last = list[dict[str, Any]](), list[Turn](), Transcript(turns=())

    async def play(task: Task) -> Final:
        nonlocal last
        own = posed if not plays else pose(Played(world=WORLD, task=task, seed=seed), options)
        last = await run(own, roles, options, world, task, seed=seed, limits=limits)
        held = (Turn(index=0, role="user", parts=own.messages[-1].parts),) if plays else ()
        turns.extend([replace(turn, index=len(turns) + n) for n, turn in enumerate((*held, *last.turns))])
        plays.append({"task": task.id, **last.artifacts})
        return final_of(last.artifacts)

    async def carry_out(attack: Task) -> bool | None:
        harmed, _ = flags(world.grade(attack, await play(attack)))
        await play(task_named(setting_of(attack).twin, seed))
        return harmed

    await campaign(carry_out, seed, tries=tries)
    return replace(last, turns=tuple(turns), artifacts={"plays": plays})


def plays_of(played: Played, artifacts: Mapping[str, Any]) -> tuple[tuple[Task, Final], ...]:
    """Return what was played and what was left: one task, or attacks and twins in turn.

    Args:
        played: of the case. artifacts: of the response.

    Raises:
        KeyError, ValidationError: they hold no final state.
    """
    if not played.tries:
        return ((played.task, final_of(artifacts)),)
    return tuple(
        (task_named(each["task"], played.seed), msgspec.convert(each["final"], Final))
        for each in artifacts["plays"]
    )
