"""What a case carries: one item, its passage, and another passage of the same book."""

from typing import Any

import msgspec

from percuss.core.records import Case, Record
from percuss.protocols.textbook.items.item import Item

__all__ = ["Task", "case_of", "task_of"]


class Task(Record):
    """Payload of a case.

    Args:
        item: the question with its reference.
        passage: text that it was made from; "" where none is held (then only the closed-book arm applies).
        wrong_passage: another passage of the same book; "" where there is none.
        book: whose passage it is. first: whether it is the first question of its passage, which is the one whose case
            asks for the continuation. others: rests of other passages of the book, for the contamination probe.
    """

    item: Item
    passage: str = ""
    wrong_passage: str = ""
    book: str = ""
    first: bool = True
    others: tuple[str, ...] = ()


def task_of(case: Case) -> Task:
    """Return the payload of a case."""
    payload: dict[str, Any] = case.payload
    return msgspec.convert(payload, Task)


def case_of(task: Task) -> Case:
    """Return a task as a case; questions of one passage are one cluster."""
    item = task.item
    return Case(
        id=item.id,
        cluster=item.passage or item.id,
        stratum=item.type,
        payload=msgspec.to_builtins(task),
    )
