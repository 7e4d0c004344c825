"""The tasks of the index: four reports over each topic, each with its time range, constraint and expected elements."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from percuss.core.seeds import generator
from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.literature.elements import Element
from percuss.protocols.skills.worlds.literature.expected import element
from percuss.protocols.skills.worlds.literature.index import Entry, index

__all__ = ["Gold", "gold_of", "tasks", "wording"]


class _Family(NamedTuple):
    first: int
    last: int
    roles: tuple[str, ...]
    designs: tuple[str, ...] = ()


_FAMILIES = {
    "benefit": _Family(
        2015, 2024, ("benefit", "pooled", "split", "null", "notice"), ("trial", "pooled analysis", "notice")
    ),
    "safety": _Family(2018, 2024, ("harm", "alert", "interaction", "null")),
    "recent": _Family(2020, 2024, ("split", "pooled", "harm", "alert", "interaction")),
    "disputed": _Family(2015, 2023, ("benefit", "split", "pooled", "notice")),
}
"""Years, expected elements by the role of their record, and designs allowed (none named: all). Children's records never are."""


class Gold(Record):
    """What a right report holds.

    Args:
        topic: the drug. elements: what is expected. first, last: years. designs: allowed ones; () = all.
    """

    topic: str
    elements: tuple[Element, ...]
    first: int
    last: int
    designs: tuple[str, ...] = ()

    def in_range(self, entry: Entry) -> bool:
        """Tell whether an `entry` was published in the years asked for."""
        return self.first <= entry.year <= self.last

    def allowed(self, entry: Entry) -> bool:
        """Tell whether an `entry` keeps the other constraints: of design, and adults only."""
        return entry.design != "series" and (not self.designs or entry.design in self.designs)


def gold_of(task: Task) -> Gold:
    """Return the gold of a `task` of this world."""
    return msgspec.convert(task.gold[0], type=Gold)


@cache
def wording() -> dict[str, dict[str, str]]:
    """Return what tasks and tools say."""
    return tomllib.loads((Path(__file__).parent / "wording.toml").read_text(encoding="utf-8"))


def tasks(seed: int) -> tuple[Task, ...]:
    """Return all tasks, family after family of one topic; the `seed` arranges the topics."""
    names = sorted(index().topics)
    order = [names[int(place)] for place in generator(seed, "topics").permutation(len(names))]
    return tuple(_task(topic, kind) for topic in order for kind in _FAMILIES)


def _task(topic: str, kind: str) -> Task:
    family = _FAMILIES[kind]
    gold = Gold(
        topic=topic,
        elements=tuple(element(index(), topic, role) for role in family.roles),
        first=family.first,
        last=family.last,
        designs=family.designs,
    )
    words = {
        "drug": topic,
        "condition": index().topics[topic].condition,
        "first": gold.first,
        "last": gold.last,
    }
    says = f"{wording()['says'][kind].format(**words)} {wording()['close']['text']}"
    return Task(id=f"literature-{topic}-{kind}", kind=kind, says=(says,), gold=(msgspec.to_builtins(gold),))
