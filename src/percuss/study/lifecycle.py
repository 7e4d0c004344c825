"""A study's life: draft, pilot, open, paused, locked, archived; people who come and go; more items."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from percuss.study.assignment import plan, plan_pages
from percuss.study.blinding import opaque
from percuss.study.items import Prepared, group_of
from percuss.study.lists import hand_over, pages_of, places
from percuss.study.saying import CantNow, Said
from percuss.study.settings import Settings
from percuss.study.store import ledger
from percuss.study.store.people import NOBODY, Role, add_people, by_code, end_sessions, everybody
from percuss.study.store.settling import refuse_closed
from percuss.study.store.tables import assignments, consensus, items, labels, people, reserve
from percuss.study.store.tables import study as known
from percuss.study.store.verifying import attested
from percuss.study.study import Study

__all__ = ["JUDGING", "NEXT", "add", "extend", "in_reserve", "move", "replace", "state_of"]

NEXT: dict[str, tuple[str, ...]] = {
    "draft": ("pilot", "open"),
    "pilot": ("open",),
    "open": ("paused", "locked"),
    "paused": ("open", "locked"),
    "locked": ("archived",),
    "archived": (),
}
"""What may follow each state."""
MAY = (
    Said(sentence="the study is {state}; nothing may follow, not {to}"),
    Said(sentence="the study is {state}; {one} may follow, not {to}"),
    Said(sentence="the study is {state}; {one} or {other} may follow, not {to}"),
)
"""Why a state can't follow, by how many can."""
JUDGING = ("pilot", "open")


def state_of(connection: Connection) -> str:
    """Return the state of a study."""
    return connection.scalar(select(known.c.value).where(known.c.key == "state")) or "open"


def move(connection: Connection, to: str, *, by: str) -> int:
    """Bring a study into another state and return how many labels of the pilot were set aside.

    Args:
        connection: to the study's database, writing.
        to: one of `NEXT` of its state. What was said and settled in the pilot is set aside when the study opens; the
            ledger keeps it.
        by: code of who does it.

    Raises:
        UsageError: that state can't follow.
    """
    now = state_of(connection)
    if to not in NEXT[now]:
        raise CantNow(
            MAY[len(NEXT[now])].sentence,
            state=now,
            to=to,
            **dict(zip(("one", "other"), NEXT[now], strict=False)),
        )
    tokens: list[str] = []
    settled: list[str] = []
    if now == "pilot":
        joined = select(assignments.c.token).join(labels, labels.c.assignment == assignments.c.id)
        tokens = sorted(connection.scalars(joined))
        connection.execute(delete(labels))
        decided = select(items.c.item).join(consensus, consensus.c.item == items.c.id)
        settled = sorted(connection.scalars(decided))
        connection.execute(delete(consensus))
    connection.execute(update(known).where(known.c.key == "state").values(value=to))
    value = {"state": to, "set_aside": tokens, **({"unsettled": settled} if settled else {})}
    ledger.append(connection, by, "state", to, value, previous=now)
    return len(tokens)


def add(connection: Connection, role: Role, *, by: str) -> str:
    """Add a place for a person and return its code; a rater gets items by `replace`, `reassign` or `extend`.

    Raises:
        CantNow: the study is locked or archived.
    """
    refuse_closed(connection)
    (code,) = add_people(connection, role, 1)
    ledger.append(connection, by, "assigned", code, attested(connection, {"people": {code: role}}))
    return code


def replace(connection: Connection, study: Study, code: str, *, by: str) -> str:
    """Give what a rater has not answered yet to a new one, and return the new one's code; what was answered stays.

    Args:
        connection: to the study's database, writing.
        study: open. code: of who leaves. by: code of who does it.

    Raises:
        UsageError: no rater of this code, one who left already, or the study is locked or archived.
    """
    refuse_closed(connection)
    person = by_code(connection, code)
    if person is None or person.role != "rater" or person.left:
        raise CantNow("no rater {code} who could be replaced", code=repr(code))
    (fresh,) = add_people(connection, "rater", 1)
    page_of = pages_of(study, connection)
    opened = {one.row for one in places(connection, code, page_of) if not one.answered}
    moved = hand_over(connection, study.secret, code, fresh, opened, page_of)
    end_sessions(connection, code)
    gone = {name: None for name in NOBODY if name != "consented_at"}
    left = {"withdrawn_at": ledger.now(), "invitation": person.invitation + 1}
    connection.execute(update(people).where(people.c.code == code).values(**gone, **left))
    value = {"people": {fresh: "rater"}, "replaces": code, "items": len(moved)}
    ledger.append(connection, by, "assigned", fresh, attested(connection, value))
    return fresh


def in_reserve(connection: Connection) -> int:
    """Return how many items were offered and not drawn."""
    return connection.scalar(select(func.count()).select_from(reserve)) or 0


def extend(connection: Connection, secret: bytes, settings: Settings, count: int, *, by: str) -> int:
    """Draw more of the items that were offered when the study was made, and return how many.

    Args:
        connection: to the study's database, writing.
        secret: of the study. settings: its plan, by which the new items are assigned to the raters who are there.
        count: items wanted; what is judged on one page is never parted. by: code of who does it.

    Raises:
        UsageError: nothing is left, the study is locked, or nobody is there to judge.
    """
    if state_of(connection) in ("locked", "archived"):
        raise CantNow("the study is {state}; it can't be extended", state=state_of(connection))
    rows, pages = _waiting(connection, settings, count)
    if not rows:
        raise CantNow("no item is in reserve; make the study with --sample from more items than it draws")
    raters = [one.code for one in everybody(connection) if one.role == "rater" and not one.left]
    first = 1 + (connection.scalar(select(func.max(items.c.id))) or 0)
    fresh = [
        {"id": first + n, "item": row.item, "body": row.body, "stratum": row.stratum}
        for n, row in enumerate(rows)
    ]
    connection.execute(insert(items), fresh)
    connection.execute(delete(reserve).where(reserve.c.item.in_([row.item for row in rows])))
    _assign(connection, secret, settings, raters, [row.stratum for row in rows], pages, first)
    value = {"extended": [row.item for row in rows]}
    ledger.append(connection, by, "assigned", settings.name, attested(connection, value))
    return len(rows)


def _waiting(
    connection: Connection, settings: Settings, count: int
) -> tuple[list[Row[tuple[object, ...]]], list[str]]:
    """Return the next items in reserve, and the page of each."""
    rows = list(connection.execute(select(reserve).order_by(reserve.c.ordinal)))
    if not settings.page_by:
        return rows[: max(count, 0)], [str(row.item) for row in rows[: max(count, 0)]]
    pages = [group_of(msgspec.json.decode(row.body, type=Prepared), settings.page_by) for row in rows]
    stop = max(0, min(count, len(rows)))
    while 0 < stop < len(rows) and pages[stop] == pages[stop - 1]:
        stop += 1
    return rows[:stop], pages[:stop]


def _assign(
    connection: Connection,
    secret: bytes,
    settings: Settings,
    raters: Sequence[str],
    strata: Sequence[str],
    pages: Sequence[str],
    first: int,
) -> None:
    overlap = settings.overlap if len(raters) > 1 else 0.0
    depth, seed = min(settings.depth, max(2, len(raters))), settings.seed + first
    if settings.page_by:
        slots = plan_pages(pages, strata, raters, overlap=overlap, depth=depth, repeats=0.0, seed=seed)
    else:
        slots = plan(strata, raters, overlap=overlap, depth=depth, repeats=0.0, seed=seed)
    last = {
        row[0]: int(row[1])
        for row in connection.execute(
            select(assignments.c.rater, func.max(assignments.c.ordinal)).group_by(assignments.c.rater)
        )
    }
    listed = [
        {
            "token": opaque(secret, "slot", slot.rater, first + slot.item, 0),
            "rater": slot.rater,
            "item": first + slot.item,
            "ordinal": last.get(slot.rater, -1) + 1 + slot.ordinal,
            "again": 0,
        }
        for slot in slots
    ]
    connection.execute(insert(assignments), listed)
