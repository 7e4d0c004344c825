"""Who was asked for an item and is still waited for: a place that somebody left without an answer is nobody's any more."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, func, select

from percuss.study.store.tables import assignments, labels, ledger, people

__all__ = ["is_complete", "waited_for"]

_OPEN_TO = assignments.join(people, people.c.code == assignments.c.rater).outerjoin(
    labels, labels.c.assignment == assignments.c.id
)
_FORGOTTEN = select(func.min(ledger.c.at)).where(ledger.c.what == "forgotten").scalar_subquery()
_COUNTS = (assignments.c.again == 0) & (
    people.c.withdrawn_at.is_(None)
    | labels.c.assignment.is_not(None)  # what somebody who left had said before counts
    | (people.c.withdrawn_at >= _FORGOTTEN)  # they did not leave: names were deleted after the end
)
_PLACES = (
    select(assignments.c.item, func.count())
    .select_from(_OPEN_TO)
    .where(_COUNTS, assignments.c.rater.not_in(bindparam("left_out", expanding=True)))
    .group_by(assignments.c.item)
)
_ASKED = (
    select(func.count(assignments.c.id), func.count(labels.c.assignment))
    .select_from(_OPEN_TO)
    .where(_COUNTS, assignments.c.item == bindparam("item"))
)


def waited_for(connection: Connection, left_out: Sequence[str] = ()) -> dict[int, int]:
    """Return item -> people who have judged it or still are to.

    Args:
        connection: to the study's database. left_out: codes of people who are not counted.
    """
    return {row[0]: row[1] for row in connection.execute(_PLACES, {"left_out": list(left_out)})}


def is_complete(connection: Connection, item: int) -> bool:
    """Return whether several people were asked for an item and all of them who are still there have answered it."""
    asked, answered = connection.execute(_ASKED, {"item": item}).one()
    return bool(asked > 1 and asked == answered)
