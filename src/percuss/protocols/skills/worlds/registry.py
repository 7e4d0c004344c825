"""Environments by the name that `--env` takes, each loaded when it is first asked for; one that isn't there isn't listed."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from percuss.core.errors import UsageError
from percuss.protocols.skills.worlds.contract import OnReal, Task, World

__all__ = ["BRIDGED", "ROOMS", "task_by_id", "world_named", "world_names"]

ROOMS = {
    "data": ("hospital", "Hospital"), "rag": ("library", "Library"), "research": ("literature", "Literature"),
    "safety": ("safety", "SafetyWorld"),
}  # fmt: skip
"""`--env` -> the folder of its world (definitions, section 6), and what is made of it."""
BRIDGED = {"fhir": ("fhir", "FhirServer")}
"""Worlds beside the paper's four, over the same hospital; `--env all` leaves them out."""


def world_names() -> tuple[str, ...]:
    """Return the environments that are there, in the paper's order."""
    return tuple(name for name, (room, _) in ROOMS.items() if find_spec(f"{__package__}.{room}") is not None)


@cache
def world_named(name: str, database: str = "") -> World:
    """Return an environment.

    Args:
        name: as `--env` takes it. database: address of the hospital's; empty: SQLite. Grading needs none.

    Raises:
        UsageError: there is none of that name, or no such kind of database.
    """
    known = (*world_names(), *BRIDGED)
    if name not in known:
        raise UsageError(f"no environment is called {name!r}; expected one of {', '.join(known)}")
    room, made = {**ROOMS, **BRIDGED}[name]
    module: Any = import_module(f"{__package__}.{room}")
    world: World = getattr(module, made)(*([database] if name == "data" else []))
    return world


@cache
def _tasks(name: str, seed: int) -> dict[str, Task]:
    world = world_named(name)
    real = world.real_tasks() if isinstance(world, OnReal) else ()
    return {task.id: task for task in (*world.tasks(seed), *real)}


def task_by_id(name: str, task: str, seed: int) -> Task:
    """Return a task of an environment.

    Args:
        name: of the environment. task: id. seed: that the tasks are made with.
    """
    return _tasks(name, seed)[task]
