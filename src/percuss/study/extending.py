"""More items: drawn from those that were offered, held against arm and model together with those that are there, put on the lists."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select

from percuss.study.assignment import plan, plan_pages
from percuss.study.blinding import opaque
from percuss.study.items import Prepared, group_of
from percuss.study.leaking import leaking_fields
from percuss.study.lifecycle import state_of
from percuss.study.saying import CantNow
from percuss.study.settings import Settings
from percuss.study.store import ledger
from percuss.study.store.people import everybody
from percuss.study.store.tables import assignments, items, reserve
from percuss.study.store.verifying import attested
from percuss.study.study import Study

__all__ = ["extend"]


def extend(study: Study, count: int, *, by: str) -> int:
    """Draw more of the items that were offered when the study was made, and return how many.

    Whether anything on the screens would tell arm or model is tested before the study is written to: people who save
    meanwhile don't wait for it.

    Args:
        study: open. count: items wanted; what is judged on one page is never parted. by: code of who does it.

    Raises:
        UsageError: nothing is left, the study is locked, nobody is there to judge, or a shown field would tell arm or model.
    """
    with study.database.read() as connection:
        rows, _ = _next(connection, study.settings, count)
        met = _met(study, connection)
    fresh = [msgspec.json.decode(row.body, type=Prepared) for row in rows]
    told = leaking_fields([*met, *fresh], study.design, seed=study.settings.seed)
    if told:
        raise CantNow(
            "with these items the study would not be blind: {fields} would tell arm or model; nothing was added",
            fields=", ".join(told),
        )
    tested = frozenset(str(row.item) for row in rows)
    return study.database.write(lambda c: _extend(c, study, count, tested, by=by))


def _next(
    connection: Connection, settings: Settings, count: int
) -> tuple[list[Row[tuple[object, ...]]], list[str]]:
    """Return the items that come next and the page of each."""
    if state_of(connection) in ("locked", "archived"):
        raise CantNow("the study is {state}; it can't be extended", state=state_of(connection))
    rows, pages = _waiting(connection, settings, count)
    if not rows:
        raise CantNow("no item is in reserve; make the study with --sample from more items than it draws")
    return rows, pages


def _met(study: Study, connection: Connection) -> list[Prepared]:
    """Return the items that are there, in the order in which the first rater meets them, then those that others get."""
    known = study.all_items(connection)
    listed = select(assignments.c.item).order_by(assignments.c.rater, assignments.c.ordinal)
    order = dict.fromkeys([*connection.scalars(listed), *known])
    return [known[number] for number in order if number in known]


def _extend(connection: Connection, study: Study, count: int, tested: frozenset[str], *, by: str) -> int:
    settings = study.settings
    rows, pages = _next(connection, settings, count)
    if {row.item for row in rows} - tested:
        raise CantNow("somebody else extended the study meanwhile; please look again")
    raters = [one.code for one in everybody(connection) if one.role == "rater" and not one.left]
    first = 1 + (connection.scalar(select(func.max(items.c.id))) or 0)
    fresh = [
        {"id": first + n, "item": row.item, "body": row.body, "stratum": row.stratum}
        for n, row in enumerate(rows)
    ]
    connection.execute(insert(items), fresh)
    connection.execute(delete(reserve).where(reserve.c.item.in_([row.item for row in rows])))
    _assign(connection, study.secret, settings, raters, [row.stratum for row in rows], pages, first)
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
