"""Where cases come from: the bundled items, a user's JSONL, or the tasks of environments."""

from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import Case
from percuss.protocols.skills.campaign import attackers
from percuss.protocols.skills.case import world_case
from percuss.protocols.skills.catalogue import task_named
from percuss.protocols.skills.items.reading import OWN, read
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.worlds.contract import OnReal, Task, World
from percuss.protocols.skills.worlds.registry import world_named, world_names

__all__ = ["cases"]


def cases(source: str | None, options: SkillsOptions, seed: int) -> Iterator[Case]:
    """Yield one case an item, or one a task of the environments asked for, in turn.

    Args:
        source: a user's JSONL; None: the bundled items, or with `--env` its tasks.
        options: `env`, `task`, `tasks`, `tries`. seed: root seed; tasks and worlds are made with it.

    Raises:
        BadInput: a row that is no item, by line, or none at all. UsageError: `--env` with a file, or an unknown task.
    """
    if options.env:
        if source is not None:
            raise UsageError(
                "got --env and --cases; the tasks of an environment are its own, so give one of the two"
            )
        yield from _tasks(world_names() if options.env == "all" else (options.env,), options, seed)
        return
    wanted = task_named(options.task).name if options.task else ""
    if source is not None:
        yield from _some(read(Path(source), wanted), source)
        return
    held = (case for case in read(OWN, "") if wanted in {"", case.stratum})
    yield from _some(held, f"the bundled set, for the task {wanted}" if wanted else "the bundled set")


def _tasks(names: tuple[str, ...], options: SkillsOptions, seed: int) -> Iterator[Case]:
    if options.tries and "safety" not in names:
        raise UsageError(
            f"got --tries with --env {options.env}; an attacker is only in the environments safety and all"
        )
    queues = [_of_world(name, options, seed) for name in names]
    for row in zip_longest(*queues):
        yield from (case for case in row if case is not None)


def _world(name: str, options: SkillsOptions) -> World:
    """Return an environment; the hospital's database is tried here, before the first call."""
    return world_named(name, options.database)


def _of_world(name: str, options: SkillsOptions, seed: int) -> Iterator[Case]:
    world = _world(name, options)
    if name == "safety" and options.tries:
        yield from attackers(options.tasks, options.tries, seed)
        return
    own = world.tasks(seed) if options.topics == "invented" else _real(world)
    for task in islice(own, options.tasks):
        yield world_case(name, task, seed)


def _real(world: World) -> tuple[Task, ...]:
    if not isinstance(world, OnReal):
        raise UsageError(
            f"got --topics real with the environment {world.name}; real topics are only in research"
        )
    return world.real_tasks()


def _some(held: Iterator[Case], source: str) -> Iterator[Case]:
    empty = True
    for case in held:
        empty = False
        yield case
    if empty:
        raise BadInput("holds no item", source=source)
