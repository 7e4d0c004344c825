"""The one arm, and what an item or a task looks like in it."""

import json

from percuss.core.ids import b2
from percuss.core.messages import Image, Part, Tool
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Arm, Case, Earlier, Message, Posed, Text
from percuss.protocols.skills.case import Item, Played, item_of, played_of
from percuss.protocols.skills.catalogue import task_named
from percuss.protocols.skills.options import SkillsOptions, prompt
from percuss.protocols.skills.scorers.accuracy import LETTERS
from percuss.protocols.skills.worlds.registry import world_named

__all__ = ["ASKED", "arms", "fields_of", "opened", "pose", "shown", "ticket_of"]

ASKED = "asked"


def arms(options: SkillsOptions) -> tuple[Arm, ...]:
    """Return the one arm: every item and every task is put as it is.

    Args:
        options: not used.
    """
    del options
    return (Arm(name=ASKED),)


def pose(case: Case, arm: Arm, earlier: Earlier | None, options: SkillsOptions, seed: int) -> Posed:
    """Put an item to the model, or open a task of an environment.

    Args:
        case: an item or a task. arm: the one. earlier: not used, no arm follows another. options: prompts. seed: not used.
    """
    del arm, earlier, seed
    played = played_of(case)
    if played is not None:
        return opened(played, options)
    item = item_of(case)
    name = "labels" if item.format == "class" and "micro_f1" in task_named(item.task).metrics else item.format
    text = fill(prompt(options, f"ask_{name}"), fields_of(item))
    images: tuple[Part, ...] = tuple(Image(digest=digest, media_type=kind) for digest, kind in item.images)
    return Posed(
        messages=(Message.of("system", prompt(options, "system")), Message(role="user", parts=(*images, Text(text=text)))),
        blobs=case.blobs,
    )  # fmt: skip


def fields_of(item: Item) -> dict[str, str]:
    """Return what an item's prompt may be filled with; no reference is among it but the names of fields."""
    offered = item.options or item.labels
    fields = item.answer if item.format == "extract" and isinstance(item.answer, dict) else {}
    return {
        "question": neutralise(item.question),
        "options": "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, offered, strict=False)),
        "fields": ", ".join(fields) or "every field that is asked for",
        "coordinates": "shares of the sides, from 0 to 1" if item.relative else "pixels",
    }


def opened(played: Played, options: SkillsOptions) -> Posed:
    """Return the first round of a task, with its tools; a series of attacks begins with its first.

    Args:
        played: the task. options: prompts.
    """
    tools = world_named(played.world).tools(played.task)
    fields = {"tools": "\n".join(_line(tool) for tool in tools), "ticket": ticket_of(played)}
    system = fill(prompt(options, "agent"), fields)
    return Posed(
        messages=(Message.of("system", system), Message.of("user", played.task.says[0])), tools=tools,
        script={"world": played.world, "task": played.task.id, "seed": played.seed, **({"tries": played.tries} if played.tries else {})},
    )  # fmt: skip


def ticket_of(played: Played) -> str:
    """Return the number of a task's conversation: it says nothing of the task, and tells tasks that open alike apart.

    Args:
        played: the task.
    """
    return b2("ticket", played.world, played.task.id, played.seed)[:8]


def _line(tool: Tool) -> str:
    return f"- {tool.name}({', '.join(tool.parameters.get('properties', {}))}): {tool.description}"


def shown(item: Item) -> str:
    """Return the reference of an item as a person reads it."""
    answer = item.answer
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
