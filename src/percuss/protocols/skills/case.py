"""What a case carries: an item of a task of the catalogue, or a task of an environment."""

from typing import Any

import msgspec

from percuss.core.ids import b2
from percuss.core.records import Blob, Case
from percuss.core.strict import Record
from percuss.protocols.skills.catalogue import catalogue, task_named
from percuss.protocols.skills.worlds.contract import Task

__all__ = [
    "Item",
    "Played",
    "campaign_case",
    "item_of",
    "metrics_of",
    "played_of",
    "task_of_case",
    "world_case",
]

BESIDE = "FHIR tasks"
"""Stratum of tasks that stand beside the catalogue: they are in none of its tracks."""
ACCURACY_FORMATS = frozenset({"choice", "multi", "class", "extract", "calc"})


class Item(Record):
    """One item of the catalogue.

    Args:
        id: its own. task, format: of the catalogue. question: what is put. answer: the reference; None: none is held, and the
            answers are kept as a submission.
        options, labels: what may be chosen. points: key points of a right answer. criteria: of a judge.
        tolerance: of an amount. relative: boxes are shares of the side, not pixels. images: digests, in order.
        source: where it is from.
    """

    id: str
    task: str
    format: str
    question: str
    answer: Any = None
    options: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    points: tuple[Any, ...] = ()
    criteria: tuple[Any, ...] = ()
    tolerance: float | None = None
    relative: bool = False
    size: tuple[int, int] | None = None
    images: tuple[tuple[str, str], ...] = ()
    source: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether no reference is held."""
        return self.answer is None or self.answer == ""

    def case(self, cluster: str, blobs: tuple[Blob, ...]) -> Case:
        """Return the item as a case.

        Args:
            cluster: what is resampled together. blobs: its images.
        """
        return Case(
            id=self.id, cluster=cluster, stratum=self.task, payload={"item": msgspec.to_builtins(self)}, blobs=blobs
        )  # fmt: skip


class Played(Record):
    """One task of an environment, or a series of attacks that one attacker puts.

    Args:
        world: its name. task: whole, gold included; of a series the first attack. seed: that world and task are made with.
        tries: attacks of the series; 0 = one task alone.
    """

    world: str
    task: Task
    seed: int
    tries: int = 0


def item_of(case: Case) -> Item:
    """Return the item of a case of the catalogue."""
    return msgspec.convert(case.payload["item"], Item)


def played_of(case: Case) -> Played | None:
    """Return the task of an environment that a case carries; None for an item."""
    held = case.payload.get("played")
    return None if held is None else msgspec.convert(held, Played)


def world_case(world: str, task: Task, seed: int) -> Case:
    """Return a task of an environment as a case.

    Args:
        world: its name. task: of it. seed: that tasks and world are made with.
    """
    name = next((each.name for each in catalogue() if each.environment == world), BESIDE)
    played = Played(world=world, task=task, seed=seed)
    return Case(
        id=f"{world}:{task.id}", cluster=_cluster(task),
        stratum=name, payload={"played": msgspec.to_builtins(played)},
    )  # fmt: skip


def campaign_case(number: int, attack: Task, seed: int, tries: int) -> Case:
    """Return a series of attacks as a case.

    Args:
        number: of the attacker. attack: its first. seed: its own. tries: attacks that it puts.
    """
    case = world_case("safety", attack, seed)
    played = Played(world="safety", task=attack, seed=seed, tries=tries)
    name = f"safety:attacker-{number}"
    return msgspec.structs.replace(
        case, id=name, cluster=name, payload={"played": msgspec.to_builtins(played)}
    )


def _cluster(task: Task) -> str:
    """Return what a task and its twin share; a task without a twin stands alone."""
    twin = task.setting.get("twin")
    return b2(sorted([task.id, str(twin)])) if twin else task.id


def task_of_case(case: Case) -> str:
    """Return the name of the task of the catalogue that a case belongs to."""
    return case.stratum


def metrics_of(item: Item) -> tuple[str, ...]:
    """Return the metrics that an item can be scored by: those of its task that its format and its references allow."""
    wanted = task_named(item.task).metrics
    able = {
        "judge": True,
        "macro_recall": bool(item.points) or item.format in {"open", "gen"},
        "accuracy": item.format in ACCURACY_FORMATS | {"boxes"},
        "micro_f1": item.format in {"class", "extract", "multi"},
        "iou": item.format == "boxes",
        "edit": item.format == "ocr",
    }
    return tuple(name for name in wanted if able.get(name))
