"""Raters' lists once a study runs: open places go to another rater, and hidden repeats stay far from the first time."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, select, update

from percuss.study.assignment import REPEAT_GAP
from percuss.study.blinding import opaque
from percuss.study.items import group_of
from percuss.study.store.tables import assignments, labels
from percuss.study.study import Study

__all__ = ["Paged", "Place", "hand_over", "pages_of", "places", "spaced"]

Paged = Callable[[int], str]
"""Number of an item -> what is judged on one page: the item alone, or its case."""

_RENUMBER = (
    update(assignments).where(assignments.c.id == bindparam("row")).values(ordinal=bindparam("number"))
)
_GIVE = (
    update(assignments)
    .where(assignments.c.id == bindparam("row"))
    .values(rater=bindparam("to"), token=bindparam("known_as"), ordinal=bindparam("number"))
)


class Place(NamedTuple):
    """One place of a list: row of the table, item, whether it is a hidden repeat, whether it is answered, its page."""

    row: int
    item: int
    again: bool
    answered: bool
    page: str


def pages_of(study: Study, connection: Connection) -> Paged:
    """Return what tells the page of an item: the item alone, or what the study judges on one page."""
    page_by, known = study.settings.page_by, study.all_items(connection)

    def page_of(item: int) -> str:
        return group_of(known[item], page_by) if page_by else known[item].id

    return page_of


def places(connection: Connection, rater: str, page_of: Paged) -> list[Place]:
    """Return a rater's whole list in its order."""
    rows = connection.execute(
        select(assignments, labels.c.seq)
        .outerjoin(labels, labels.c.assignment == assignments.c.id)
        .where(assignments.c.rater == rater)
        .order_by(assignments.c.ordinal)
    )
    return [Place(row.id, row.item, bool(row.again), row.seq is not None, page_of(row.item)) for row in rows]


def spaced(listed: Iterable[Place], gap: int = REPEAT_GAP) -> list[Place]:
    """Return a list in which every hidden repeat stands more than `gap` pages after the first time, later where it has to.

    A repeat that has no room left, or whose first time is not on this list, is left out; what is answered stays.

    Args:
        listed: in the order wished for.
        gap: pages from the first time on, a page being one item or the items that are judged together.
    """
    first: dict[str, int] = {}
    waiting: list[list[Place]] = []
    done: list[list[Place]] = []
    for (page, again), members in groupby(listed, key=lambda one: (one.page, one.again)):
        group = list(members)
        if again and not any(one.answered for one in group):
            waiting.append(group)
        else:
            if not again:
                first.setdefault(page, len(done))
            done.append(group)
        for late in tuple(waiting):
            at = first.get(late[0].page)
            if at is not None and len(done) - at > gap:
                waiting.remove(late)
                done.append(late)
    return [one for group in done for one in group]


def hand_over(
    connection: Connection, secret: bytes, code: str, to: str, moving: Collection[int], page_of: Paged
) -> list[int]:
    """Put open places of one rater at the end of another's list, and return their items; the lists stay without gaps.

    Hidden repeats go along, and stay, where they can stand far enough from the first time; else they are dropped.

    Args:
        connection: to the study's database, writing.
        secret: of the study. code: who has the places. to: who gets them. moving: rows of the places.
        page_of: what is judged on one page with an item.
    """
    own, theirs = places(connection, code, page_of), places(connection, to, page_of)
    gone = [one for one in own if one.row in moving]
    left, listed = spaced(one for one in own if one.row not in moving), spaced([*theirs, *gone])
    kept = {one.row for one in (*left, *listed)}
    dropped = [one.row for one in (*own, *theirs) if one.row not in kept]
    connection.execute(delete(assignments).where(assignments.c.id.in_(dropped)))
    came = {one.row for one in gone}
    free = 1 + (connection.scalar(select(func.max(assignments.c.ordinal))) or 0)
    rows = [
        {
            "row": one.row,
            "to": to,
            "known_as": opaque(secret, "slot", to, one.item, int(one.again)),
            "number": free + n,
        }
        for n, one in enumerate(one for one in listed if one.row in came)
    ]
    if rows:
        connection.execute(_GIVE, rows)
    _number(connection, left)
    _number(connection, listed)
    return [one.item for one in listed if one.row in came and not one.again]


def _number(connection: Connection, listed: Sequence[Place]) -> None:
    """Number a list from 0 on, by way of numbers that no list has: no list has two places of one number at any time."""
    free = 1 + (connection.scalar(select(func.max(assignments.c.ordinal))) or 0)
    for start in (free, 0):
        rows = [{"row": one.row, "number": start + n} for n, one in enumerate(listed)]
        if rows:
            connection.execute(_RENUMBER, rows)
