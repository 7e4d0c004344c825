"""The coordinator gives open items of one rater to another; what was answered stays where it is."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from percuss.core.records import Record
from percuss.study.lifecycle import state_of
from percuss.study.lists import Place, hand_over, pages_of, places
from percuss.study.saying import CantNow
from percuss.study.store import ledger
from percuss.study.store.people import by_code, everybody
from percuss.study.store.tables import assignments, labels
from percuss.study.store.verifying import attested
from percuss.study.study import Study

__all__ = ["Moved", "reassign", "who_could"]


class Moved(Record):
    """Ids of the items that went to another rater, and of those that stayed since that one judges them too."""

    items: tuple[str, ...]
    stayed: tuple[str, ...]


def reassign(
    connection: Connection, study: Study, code: str, to: str, *, by: str, named: Sequence[str] = ()
) -> Moved:
    """Give open items of one rater to another one who does not judge them yet, at the end of that one's list.

    Args:
        connection: to the study's database, writing.
        study: open. code: who has the items. to: who gets them. by: code of who does it.
        named: ids of the items; what is judged on one page with them goes along. None: all that are open.

    Raises:
        UsageError: not two raters, the study is locked, an item that is not open there, or nothing that could go.
    """
    state = state_of(connection)
    if state in ("locked", "archived"):
        raise CantNow("the study is {state}; its items stay where they are", state=state)
    _refuse_others(connection, code, to)
    page_of, known = pages_of(study, connection), study.all_items(connection)
    opened = [one for one in places(connection, code, page_of) if not one.answered]
    wanted = _wanted(opened, {known[one.item].id: one.page for one in opened if not one.again}, named, code)
    both = {one.page for one in places(connection, to, page_of)}
    rows = [one.row for one in wanted if one.page not in both]
    if not rows:
        what = ", ".join(named[:3]) or "every open item"
        raise CantNow("{to} judges {what} too; choose another rater", to=to, what=what)
    moved = tuple(known[n].id for n in hand_over(connection, study.secret, code, to, rows, page_of))
    stayed = tuple(known[one.item].id for one in wanted if one.page in both and not one.again)
    value = {"reassigned": list(moved), "from": code}
    ledger.append(connection, by, "assigned", to, attested(connection, value))
    return Moved(items=moved, stayed=stayed)


def _refuse_others(connection: Connection, code: str, to: str) -> None:
    for one in (code, to):
        person = by_code(connection, one)
        if person is None or person.role != "rater":
            raise CantNow("there is no rater {code}; items go from one rater to another", code=repr(one))
        if one == to and person.left:
            raise CantNow("{to} has left; choose somebody who judges, or add a rater", to=to)
    if code == to:
        raise CantNow("{to} has these items already; choose another rater", to=to)


def _wanted(opened: Sequence[Place], pages: dict[str, str], named: Sequence[str], code: str) -> list[Place]:
    """Return the open places of the pages on which the named items stand; of all where none is named."""
    strange = [one for one in named if one not in pages]
    if strange:
        what = ", ".join(strange[:3])
        raise CantNow(
            "{what} is not open on the list of {code}; what is answered stays", what=what, code=code
        )
    if not pages:
        raise CantNow("nothing is open on the list of {code}", code=code)
    here = {pages[one] for one in named} or set(pages.values())
    return [one for one in opened if one.page in here]


def who_could(connection: Connection, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who has an item open, and who could take it: raters who are there and do not have it.

    Args:
        connection: to the study's database. number: of the item.
    """
    having = select(assignments.c.rater, labels.c.seq).outerjoin(
        labels, labels.c.assignment == assignments.c.id
    )
    rows = connection.execute(having.where(assignments.c.item == number, assignments.c.again == 0))
    answered = {row.rater: row.seq is not None for row in rows}
    raters = [one for one in everybody(connection) if one.role == "rater"]
    free = tuple(one.code for one in raters if one.code not in answered and not one.left)
    return tuple(one.code for one in raters if answered.get(one.code) is False), free
