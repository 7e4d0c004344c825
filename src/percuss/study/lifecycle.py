"""A study's life: draft, pilot, open, paused, locked, archived; people who come and go; more items."""

from sqlalchemy import Connection, delete, func, select, update

from percuss.study.lists import hand_over, pages_of, places
from percuss.study.saying import CantNow, Said
from percuss.study.store import ledger
from percuss.study.store.accounts import forget_account
from percuss.study.store.people import NOBODY, Role, add_people, by_code, end_sessions
from percuss.study.store.settling import refuse_closed
from percuss.study.store.tables import assignments, consensus, items, labels, people, reserve
from percuss.study.store.tables import study as known
from percuss.study.store.verifying import attested
from percuss.study.study import Study

__all__ = ["JUDGING", "NEXT", "add", "in_reserve", "move", "replace", "state_of"]

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
    forget_account(connection, code)
    value = {"people": {fresh: "rater"}, "replaces": code, "items": len(moved)}
    ledger.append(connection, by, "assigned", fresh, attested(connection, value))
    return fresh


def in_reserve(connection: Connection) -> int:
    """Return how many items were offered and not drawn."""
    return connection.scalar(select(func.count()).select_from(reserve)) or 0
