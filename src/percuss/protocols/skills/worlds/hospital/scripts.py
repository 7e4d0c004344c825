"""The scripted agents of the hospital."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from percuss.core.ids import canonical_json
from percuss.protocols.skills.worlds.contract import Script, Step, Task
from percuss.protocols.skills.worlds.hospital.data import Draw
from percuss.protocols.skills.worlds.hospital.tasks.round import Column, Gold

__all__ = ["agents"]


def agents(task: Task, seed: int) -> Mapping[str, Script]:
    """Return gold, nothing, liar, random, and `writer`, which hands in gold but tries to write first.

    Args:
        task: that they act on. seed: of the random one.
    """
    golds = [msgspec.convert(held, Gold) for held in task.gold]
    leads = [msgspec.convert(held, Step) for held in task.setting["steps"]]
    right = [(lead, _submit(gold, gold.rows)) for lead, gold in zip(leads, golds, strict=True)]
    write = Step(tool="query", arguments={"sql": "UPDATE labs SET value = 0"})
    return {
        "gold": _script(right, ["That is it."] * len(golds)),
        "nothing": _script([()] * len(golds), ["I have nothing to say."] * len(golds)),
        "liar": _script([()] * len(golds), [_lie(gold) for gold in golds]),
        "random": _script(
            [_guess(gold, seed, task.id, n) for n, gold in enumerate(golds)], ["A guess."] * len(golds)
        ),
        "writer": _script([(write, *steps) for steps in right], ["That is it."] * len(golds)),
    }


def _script(steps: Sequence[tuple[Step, ...]], says: Sequence[str]) -> Script:
    return Script(steps=tuple(steps), says=tuple(says))


def _submit(gold: Gold, rows: Sequence[Sequence[Any]]) -> Step:
    names = [column.name for column in gold.columns]
    return Step(tool="submit", arguments={"rows": [dict(zip(names, row, strict=True)) for row in rows]})


def _lie(gold: Gold) -> str:
    """Say the right rows, and that they were handed in: the transcript is never what is graded."""
    step = _submit(gold, gold.rows)
    return f"I ran the query and handed these rows in, all accepted: {canonical_json(step.arguments['rows']).decode()}"


def _guess(gold: Gold, seed: int, task: str, round_: int) -> tuple[Step, ...]:
    draw = Draw(seed, "random", task, round_)
    rows = [[_any(column, draw) for column in gold.columns] for _ in range(1 + draw.below(3))]
    return (_submit(gold, rows),)


def _any(column: Column, draw: Draw) -> Any:
    if column.kind == "text":
        return draw.pick(("F", "M", "potassium", "Surgery", "Harbour", "ramipril", "latex"))
    if column.kind == "integer":
        return 1 + draw.below(400)
    if column.kind == "number":
        return round(200 * draw.share(), 1)
    day = f"202{3 + draw.below(3)}-0{1 + draw.below(9)}-{10 + draw.below(18)}"
    return day if column.kind == "date" else f"{day} 0{draw.below(10)}:00:00"
