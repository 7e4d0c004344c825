"""What `percuss selftest skills` plants, and what scripted agents are constructed with."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from percuss.core.ports import Blobs
from percuss.core.records import Case
from percuss.phantoms.selftest import SelftestPlan
from percuss.protocols.skills.arms import shown, ticket_of
from percuss.protocols.skills.case import Item, Played, item_of, played_of
from percuss.protocols.skills.scorers.accuracy import LETTERS
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.registry import world_named
from percuss.protocols.skills.worlds.safety.attacker import within_reach

__all__ = ["PLAN", "extras"]

WRONG = "It is hard to say."


def extras(phantoms: Collection[str], held: Callable[[], Iterable[Case]], blobs: Blobs) -> Mapping[str, Any]:
    """Return what scripted agents are made with: the items of the run, and the scripts of its tasks.

    Args:
        phantoms: names in the run. held: the cases of the run. blobs: not used.
    """
    del blobs
    if not any(name.partition("-")[0] == "agent" for name in phantoms):
        return {}
    items, tasks = list[dict[str, Any]](), list[dict[str, Any]]()
    for case in held():
        played = played_of(case)
        if played is None:
            items.append(_item(item_of(case)))
            continue
        tasks += [_task(replace(played, task=task)) for task in _may_meet(played)]
    return {"skills": {"items": items, "tasks": tasks}}


def _may_meet(played: Played) -> tuple[Task, ...]:
    return within_reach(played.seed, played.tries) if played.tries else (played.task,)


def _task(played: Played) -> dict[str, Any]:
    scripts = world_named(played.world).agents(played.task, played.seed)
    return {
        "world": played.world, "id": played.task.id, "kind": played.task.kind, "ticket": ticket_of(played),
        "scripts": {name: msgspec.to_builtins(script) for name, script in scripts.items()},
    }  # fmt: skip


def _item(item: Item) -> dict[str, Any]:
    right = "" if item.is_blank else _right(item)
    offered = [*LETTERS[: len(item.options)], *item.labels] or [right or WRONG, WRONG]
    wrong = next(
        (each for each in offered if item.format in {"choice", "class"} and each != right), _wrong(item)
    )
    return {
        "id": item.id, "question": item.question, "key": (*item.options, *item.labels, "")[0], "right": right, "wrong": wrong,
        "choices": offered, "images": [digest for digest, _ in item.images],
    }  # fmt: skip


def _right(item: Item) -> str:
    """Return the reference as a right answer says it."""
    if item.format == "choice":
        by_text = dict(zip(item.options, LETTERS, strict=False))
        return by_text.get(item.answer, str(item.answer))
    if item.format in {"multi", "class"} and isinstance(item.answer, list):
        return ", ".join(item.answer) or "none"
    if item.format == "calc":
        return f"Answer: {item.answer:.2f}"
    return shown(item)


def _wrong(item: Item) -> str:
    """Return an answer that can be read and is wrong."""
    if item.format == "extract" and isinstance(item.answer, dict):
        return json.dumps(dict.fromkeys(item.answer, "not given"))
    if item.format == "calc" and isinstance(item.answer, int | float):
        return f"Answer: {item.answer + 1000:.2f}"
    if item.format == "multi":
        right = set(item.answer or ())
        return next(letter for letter in LETTERS if letter not in right)
    return "[]" if item.format == "boxes" else WRONG


PLAN = SelftestPlan(
    models=("phantom/agent", "phantom/agent?know=0.9", "phantom/agent?know=0.3"),
    limit=60,
    estimates=("accuracy", "macro_recall"),
    settings={"resamples": 1_000},
)
