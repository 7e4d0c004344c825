"""The tasks of the knowledge base: six families over each topic, with gold that names documents, passages and places."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.seeds import generator
from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.library.documents import Mark, Topic, shelf

__all__ = ["Gold", "gold_of", "tasks", "wording"]

COPY = "~copy"
AGREEING = ("new", "new~copy", "same")
"""Marks that state one fact: in the document in force, its copy, and the second document."""


class Gold(Record):
    """What a right submission holds.

    Args:
        relevant: ids of all relevant documents; the first is the one that gold cites or follows.
        groups: one group of marks for each passage to be cited; any mark of a group will do.
        copies: ids that have to be left out. follow: ids of which one has to be followed; () = nothing to follow.
        order: labels in the right order; () = nothing to order.
    """

    relevant: tuple[str, ...]
    groups: tuple[tuple[Mark, ...], ...]
    copies: tuple[str, ...] = ()
    follow: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


def gold_of(task: Task) -> Gold:
    """Return the gold of a `task` of this world."""
    return msgspec.convert(task.gold[0], type=Gold)


@cache
def wording() -> dict[str, dict[str, str]]:
    """Return what tasks and tools say."""
    return tomllib.loads((Path(__file__).parent / "wording.toml").read_text(encoding="utf-8"))


def tasks(seed: int) -> tuple[Task, ...]:
    """Return all tasks, family after family of one topic, so that any dozen in a row has every family.

    Args:
        seed: arranges the topics, and the documents whose passages are out of order.
    """
    topics = shelf(seed).topics
    order = generator(seed, "topics").permutation(len(topics))
    return tuple(task for place in order for task in _of_topic(topics[int(place)], seed))


def _of_topic(topic: Topic, seed: int) -> list[Task]:
    current, second, outdated, steps = (topic.of(kind) for kind in ("current", "second", "outdated", "steps"))
    agreeing = (current.id, topic.of("copy").id, second.id)
    marked = topic.marks
    same = tuple(marked[name] for name in AGREEING)
    found = [
        ("noise", topic.head["noise"]["asks"], Gold(relevant=agreeing, groups=(same,))),
        ("rewrite", topic.head["rewrite"]["asks"], Gold(relevant=agreeing, groups=(same,))),
        (
            "copies",
            topic.head["copies"]["states"],
            Gold(
                relevant=(current.id, second.id),
                groups=((marked["new"],), (marked["same"],)),
                copies=(topic.of("copy").id,),
            ),
        ),
        (
            "order",
            steps.title,
            Gold(relevant=(steps.id,), groups=((marked["first"],), (marked["last"],)), order=steps.order),
        ),
        ("join", topic.head["join"]["asks"], Gold(relevant=agreeing, groups=(same, (marked["detail"],)))),
        (
            "conflict",
            topic.head["conflict"]["asks"],
            _disagreeing(outdated.id, marked["old"], agreeing, same),
        ),
    ]
    if "strength" in topic.head:
        weak = _disagreeing(topic.of("weak").id, marked["weak"], agreeing, same)
        found.append(("strength", topic.head["strength"]["asks"], weak))
    return [_task(topic.name, family, asks, gold, seed) for family, asks, gold in found]


def _disagreeing(other: str, side: Mark, agreeing: tuple[str, ...], same: tuple[Mark, ...]) -> Gold:
    return Gold(relevant=(*agreeing, other), groups=((side,), same), follow=agreeing)


def _task(topic: str, family: str, asks: str, gold: Gold, seed: int) -> Task:
    kind = "conflict" if family == "strength" else family
    says = wording()["says"][kind].format(asks=asks, states=asks, title=asks)
    setting: dict[str, Any] = {"seed": seed, "topic": topic}
    return Task(
        id=f"library-{topic}-{family}",
        kind=kind,
        says=(says,),
        gold=(msgspec.to_builtins(gold),),
        setting=setting,
    )
