"""`percuss skills list`: the catalogue by track and dimension."""

from collections.abc import Iterator
from itertools import groupby

import msgspec

from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.protocols.skills.catalogue import EMPTY, METRICS, SOURCE, TRACKS, CatalogueTask, catalogue

__all__ = ["ListOptions", "list_tasks", "listing"]


class ListOptions(Record):
    """Settings of `percuss skills list`: none of its own."""


async def list_tasks(options: ListOptions, session: Session) -> CommandResult:
    """Return the catalogue as text, and as a list of objects for `--json`.

    Args:
        options, session: not used; nobody is asked.
    """
    del options, session
    return CommandResult(
        text="\n".join(listing()), listed=tuple(msgspec.to_builtins(task) for task in catalogue())
    )


def listing() -> Iterator[str]:
    """Yield the lines of the catalogue: track, dimension, tasks; the dimension without a task; where it is from."""
    tasks = catalogue()
    width = max(len(task.name) for task in tasks)
    for track, own in groupby(tasks, key=lambda task: task.track):
        held = tuple(own)
        yield f"{TRACKS[track]}: {len(held)} tasks"
        for dimension, rows in groupby(held, key=lambda task: task.dimension):
            yield from [f"  {dimension}"] if dimension else []
            yield from (_line(task, width) for task in rows)
        if track == "agent":
            yield f"  {EMPTY}\n    (no task in the paper; SafetyAgent below stands for it)"
        yield ""
    dimensions = {(task.track, task.dimension) for task in tasks if task.dimension}
    yield f"{len(tasks)} tasks, {len(dimensions)} dimensions with tasks and one without"
    yield SOURCE


def _line(task: CatalogueTask, width: int) -> str:
    metrics = " and ".join(METRICS[name] for name in task.metrics)
    environment = f"  --env {task.environment}" if task.environment else ""
    return f"    {task.name:<{width}}  {', '.join(task.formats):<20}  {metrics:<27}  {task.says}{environment}"
