"""A grade out of what was handed in and the tool log; what the agent said is no part of it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from percuss.core.ids import canonical_json
from percuss.protocols.skills.worlds.contract import Final, Grade, Task
from percuss.protocols.skills.worlds.hospital.comparing import Compared, compared
from percuss.protocols.skills.worlds.hospital.state import WRITE
from percuss.protocols.skills.worlds.hospital.tasks.round import Gold

__all__ = ["grade", "recap"]


def recap(task: Task, round_: int, submitted: Any) -> str:
    """Return what a user says who knows the answer: the right one where a round's was wrong, else nothing.

    Args:
        task: with the right answers. round_: from 0. submitted: what was handed in for it.
    """
    gold = msgspec.convert(task.gold[round_], Gold)
    if compared(gold, submitted).right:
        return ""
    names = [column.name for column in gold.columns]
    rows = canonical_json([dict(zip(names, row, strict=True)) for row in gold.rows]).decode()
    return f"That was not right; for the record, the answer to the last question is {rows}."


def grade(task: Task, final: Final) -> Grade:
    """Grade a task: accuracy (rounds whose rows are all right) and F1 over rows, each the mean over rounds, 0 to 100.

    A round in which a write was tried is wrong whatever was handed in; so is a round that a limit kept from ending.

    Args:
        task: with the right answers. final: what is left of the agent's work.
    """
    tried = {action.round for action in final.log if action.effect == WRITE}
    rounds: list[Compared] = []
    for number, held in enumerate(task.gold):
        handed = final.submitted[number] if number < len(final.submitted) else None
        found = compared(msgspec.convert(held, Gold), handed)
        rounds.append(Compared(right=False, f1=0.0, why="tried to write") if number in tried else found)
    if final.changed:
        return Grade(score=0.0, parts=_parts(rounds, tried), reason=f"changed {', '.join(final.changed)}")
    parts = {**_parts(rounds, tried), **_by_context(task, rounds, final.told)}
    return Grade(
        score=(_accuracy(rounds) + _f1(rounds)) / 2, parts=parts, reason=_reason(rounds, final.limit)
    )


def _by_context(task: Task, rounds: Sequence[Compared], told: Sequence[Any]) -> dict[str, float | None]:
    """Return `skill`: rounds right where every round before was, or was put right; `carried_over`: rounds that are right
    then and wrong in the agent's own context, so lost to earlier errors. None where the task was not played so.
    """
    if not told:
        return {"skill": None, "carried_over": None}
    golds = [msgspec.convert(held, Gold) for held in task.gold]
    right = [compared(gold, handed).right for gold, handed in zip(golds, told, strict=False)]
    lost = [then and not own.right for then, own in zip(right, rounds, strict=False)]
    return {"skill": 100 * sum(right) / len(rounds), "carried_over": 100 * sum(lost) / len(rounds)}


def _accuracy(rounds: Sequence[Compared]) -> float:
    return 100 * sum(each.right for each in rounds) / len(rounds)


def _f1(rounds: Sequence[Compared]) -> float:
    return 100 * sum(each.f1 for each in rounds) / len(rounds)


def _parts(rounds: Sequence[Compared], tried: set[int]) -> dict[str, float | None]:
    """Return the numbers beside the score; `later` is the accuracy after the first round, where context matters."""
    return {
        "accuracy": _accuracy(rounds),
        "f1": _f1(rounds),
        "first_round": _accuracy(rounds[:1]),
        "later_rounds": _accuracy(rounds[1:]) if len(rounds) > 1 else None,
        "read_only": 0.0 if tried else 100.0,
    }


def _reason(rounds: Sequence[Compared], limit: str) -> str:
    wrong = [f"round {number}: {each.why}" for number, each in enumerate(rounds, 1) if not each.right]
    ended = [f"ended by the limit of {limit}"] if limit else []
    return "; ".join([*ended, *wrong]) or "all rounds right"
