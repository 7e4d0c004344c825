"""Labels and consensus: what is next, what was saved, what two people saw differently."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, Select, bindparam, exists, func, insert, select, update

from percuss import __version__
from percuss.core.records import Record
from percuss.study.answers import Given
from percuss.study.store import ledger
from percuss.study.store.asked import is_complete, waited_for
from percuss.study.store.settling import Agreed, Locked, NotListed, agreed, save_consensus
from percuss.study.store.tables import assignments, labels, people

__all__ = [
    "Agreed",
    "Labelled",
    "Locked",
    "NotListed",
    "Progress",
    "Slot",
    "Turn",
    "agreed",
    "answered",
    "answered_by_all",
    "is_complete",
    "labelled",
    "last_saved",
    "newest",
    "next_slot",
    "place_of",
    "placed",
    "progress",
    "progress_of_all",
    "save_consensus",
    "save_label",
    "slot_of",
    "slots_by_token",
    "slots_of",
    "turn",
]


class Slot(Record):
    """One place of a rater's list. `given` is None until it is saved."""

    id: int
    token: str
    rater: str
    item: int
    ordinal: int
    again: bool
    given: Given | None = None
    saved_at: str = ""


class Progress(Record):
    """How far a rater is; `saved_at` is the time of the last save, empty before the first."""

    done: int
    total: int
    saved_at: str = ""


class Turn(NamedTuple):
    """Where a rater is: the next place without a label, how far they are, and the saved place before it (its token)."""

    slot: Slot
    progress: Progress
    back: str


class Labelled(Record):
    """One saved label with who gave it to what: `given` stands, `first` was said first and never changes."""

    rater: str
    item: int
    again: bool
    given: Given
    saved_at: str
    token: str
    first: Given
    revision: int


_SLOT = (
    assignments.c.id,
    assignments.c.token,
    assignments.c.rater,
    assignments.c.item,
    assignments.c.ordinal,
    assignments.c.again,
    labels.c.body,
    labels.c.saved_at,
    labels.c.first,
    labels.c.revision,
)


def _slots() -> Select[Any]:
    return select(*_SLOT).outerjoin(labels, labels.c.assignment == assignments.c.id)


# The statements of a save are built once: building them each time costs more than running them.
_MINE = assignments.c.rater == bindparam("rater")
_NEXT = _slots().where(_MINE, labels.c.assignment.is_(None)).order_by(assignments.c.ordinal).limit(1)
_LIST = _slots().where(_MINE).order_by(assignments.c.ordinal)
_BY_TOKEN = _slots().where(assignments.c.token.in_(bindparam("tokens", expanding=True)))
_ONE = _slots().where(_MINE, assignments.c.token == bindparam("token"))
_BACK = (
    _slots()
    .where(_MINE, labels.c.assignment.is_not(None), assignments.c.ordinal < bindparam("before"))
    .order_by(assignments.c.ordinal.desc())
    .limit(1)
)
_OWN, _OWN_LABELS = assignments.alias("own"), labels.alias("own_labels")
_OF_OWN = _OWN.c.rater == bindparam("rater")
_JOINED = _OWN.outerjoin(_OWN_LABELS, _OWN_LABELS.c.assignment == _OWN.c.id)
_PLACE = _ONE.add_columns(
    exists()
    .select_from(_JOINED)
    .where(_OF_OWN, _OWN.c.ordinal < assignments.c.ordinal, _OWN_LABELS.c.assignment.is_(None))
    .label("early")
)


def _said(column: Any) -> Any:
    """Return what the label of one own place holds, empty where there is none.

    One by one: joined, PostgreSQL reads every label of the study for the few of one rater.
    """
    return select(column).where(_OWN_LABELS.c.assignment == _OWN.c.id).correlate(_OWN).scalar_subquery()


_TOTAL = func.count()
_DONE, _LAST = func.count(_said(_OWN_LABELS.c.assignment)), func.max(_said(_OWN_LABELS.c.saved_at))
_PROGRESS = select(_TOTAL, _DONE, _LAST).select_from(_OWN).where(_OF_OWN)
_TURN = _NEXT.add_columns(
    select(_TOTAL).select_from(_OWN).where(_OF_OWN).scalar_subquery().label("total"),
    select(_DONE).select_from(_OWN).where(_OF_OWN).scalar_subquery().label("done"),
    select(_LAST).select_from(_OWN).where(_OF_OWN).scalar_subquery().label("last"),
    select(_OWN.c.token)
    .select_from(_JOINED)
    .where(_OF_OWN, _OWN_LABELS.c.assignment.is_not(None), _OWN.c.ordinal < assignments.c.ordinal)
    .order_by(_OWN.c.ordinal.desc())
    .limit(1)
    .scalar_subquery()
    .label("back"),
)
_PROGRESS_OF_ALL = (
    select(
        assignments.c.rater,
        func.count(assignments.c.id),
        func.count(labels.c.assignment),
        func.max(labels.c.saved_at),
    )
    .select_from(assignments)
    .outerjoin(labels, labels.c.assignment == assignments.c.id)
    .group_by(assignments.c.rater)
)
_SAVE = insert(labels)
_CHANGE = (
    update(labels)
    .where(labels.c.assignment == bindparam("slot"))
    .values(
        body=bindparam("new_body"),
        saved_at=bindparam("at"),
        seq=bindparam("entry"),
        revision=labels.c.revision + 1,
    )
)


def _slot(row: Row[Any] | None) -> Slot | None:
    if row is None:
        return None
    return Slot(
        id=row.id,
        token=row.token,
        rater=row.rater,
        item=row.item,
        ordinal=row.ordinal,
        again=bool(row.again),
        given=None if row.body is None else msgspec.json.decode(row.body, type=Given),
        saved_at=row.saved_at or "",
    )


def next_slot(connection: Connection, rater: str) -> Slot | None:
    """Return the first place of a rater's list that has no label, None at the end."""
    return _slot(connection.execute(_NEXT, {"rater": rater}).first())


def turn(connection: Connection, rater: str) -> Turn | None:
    """Return where a rater is, by one statement; None at the end of the list."""
    row = connection.execute(_TURN, {"rater": rater}).first()
    slot = _slot(row)
    if row is None or slot is None:
        return None
    return Turn(slot, Progress(done=row.done, total=row.total, saved_at=row.last or ""), row.back or "")


def place_of(connection: Connection, rater: str, token: str) -> tuple[Slot | None, bool]:
    """Return a rater's own place by its token, and whether an earlier one of the same list has no label yet."""
    row = connection.execute(_PLACE, {"rater": rater, "token": token}).first()
    return _slot(row), row is not None and bool(row.early)


def slot_of(connection: Connection, rater: str, token: str) -> Slot | None:
    """Return a rater's own place by its token; another rater's token is as unknown as any."""
    return _slot(connection.execute(_ONE, {"rater": rater, "token": token}).first())


def slots_of(connection: Connection, rater: str) -> tuple[Slot, ...]:
    """Return a rater's whole list in its order."""
    return tuple(slot for row in connection.execute(_LIST, {"rater": rater}) if (slot := _slot(row)))


def last_saved(connection: Connection, rater: str, before: int) -> Slot | None:
    """Return the saved place nearest before a place of the list: what undo opens.

    Args:
        connection: to the study's database.
        rater: who judges.
        before: ordinal of that place; the length of the list gives the last of all.
    """
    return _slot(connection.execute(_BACK, {"rater": rater, "before": before}).first())


def progress(connection: Connection, rater: str) -> Progress:
    """Return how far a rater is."""
    row = connection.execute(_PROGRESS, {"rater": rater}).one()
    return Progress(done=row[1], total=row[0], saved_at=row[2] or "")


def progress_of_all(connection: Connection) -> dict[str, Progress]:
    """Return rater -> how far they are, in one query; who has no list is not in it."""
    return {
        row[0]: Progress(done=row[2], total=row[1], saved_at=row[3] or "")
        for row in connection.execute(_PROGRESS_OF_ALL)
    }


def save_label(
    connection: Connection, rater: str, token: str, given: Given, *, reason: str = "", what: str = "label"
) -> str:
    """Save a label and its ledger entry; saving the same again changes nothing, so a lost reply can be sent again.

    Args:
        connection: to the study's database. rater, token: whose place. given: the answer.
        reason: why it is changed; a first answer needs none. what: kind of a first answer's entry.

    Returns: time of the save.

    Raises:
        NotListed: the rater has no such place.
        Locked: a change after everybody asked for the item has answered.
    """
    slot = _before(connection, rater, token)
    if slot is None:
        raise NotListed("this item is not on your list")
    if slot.given is not None and _same(slot.given, given):
        return slot.saved_at
    plain = {**msgspec.to_builtins(given), "app": __version__}
    before = None if slot.given is None else msgspec.to_builtins(slot.given)
    if slot.given is not None:
        ledger.flush(connection)  # somebody else's answer to the item may be among what is held back
        if is_complete(connection, slot.item):
            raise Locked(
                "everybody who was asked has answered this item; answers to it can't be changed any more"
            )
    kind = "revised" if slot.given is not None else "repeat" if slot.again else what
    why = reason if slot.given is not None else ""
    seq, at = ledger.append(connection, rater, kind, token, plain, previous=before, reason=why)
    body = msgspec.json.encode(given).decode()
    if slot.given is None:
        row = {"assignment": slot.id, "body": body, "first": body, "saved_at": at, "revision": 1, "seq": seq}
        ledger.put(connection, _SAVE, row)
    else:
        connection.execute(_CHANGE, {"slot": slot.id, "new_body": body, "at": at, "entry": seq})
    return at


def _before(connection: Connection, rater: str, token: str) -> Slot | None:
    """Return a rater's place as it is before a save: as the writer asked it for a whole batch, else as it is now."""
    held: ledger.Held | None = connection.get_execution_options().get("held")
    known = held.known.pop(token, None) if held is not None else None
    if isinstance(known, Slot) and known.rater == rater:
        return known
    return slot_of(connection, rater, token)


def slots_by_token(connection: Connection, tokens: Sequence[str]) -> dict[str, Slot]:
    """Return token -> place, for many places of any raters at once."""
    found = (_slot(row) for row in connection.execute(_BY_TOKEN, {"tokens": list(tokens)}))
    return {slot.token: slot for slot in found if slot is not None}


def _same(one: Given, other: Given) -> bool:
    return (one.answer, one.cant, one.notes) == (other.answer, other.cant, other.notes)


def labelled(connection: Connection, *, rater: str | None = None) -> tuple[Labelled, ...]:
    """Return all labels, hidden repeats included, by rater and place.

    Args:
        connection: to the study's database. rater: only this person's; None: everybody's.
    """
    query = _LABELLED if rater is None else _LABELLED.where(assignments.c.rater == rater)
    return tuple(label for _, label in _read(connection, query))


def placed(connection: Connection, *, after: int = 0) -> dict[tuple[str, int], Labelled]:
    """Return (rater, place) -> label of the labels that came or changed after an entry of the ledger; 0 gives all."""
    return dict(_read(connection, _LABELLED.where(labels.c.seq > after)))


_LABELLED = (
    select(*_SLOT)
    .join(labels, labels.c.assignment == assignments.c.id)
    .order_by(assignments.c.rater, assignments.c.ordinal)
)


def _read(connection: Connection, query: Select[Any]) -> Iterator[tuple[tuple[str, int], Labelled]]:
    for row in connection.execute(query):
        given = msgspec.json.decode(row.body, type=Given)
        label = Labelled(
            rater=row.rater,
            item=row.item,
            again=bool(row.again),
            given=given,
            saved_at=row.saved_at,
            token=row.token,
            first=given if row.first == row.body else msgspec.json.decode(row.first, type=Given),
            revision=row.revision,
        )
        yield (row.rater, row.ordinal), label


def newest(connection: Connection) -> tuple[int, int]:
    """Return the ledger's number of the newest label and how many labels there are: equal as long as none came or changed."""
    last, count = connection.execute(select(func.max(labels.c.seq), func.count())).one()
    return int(last or 0), int(count)


def answered_by_all(
    connection: Connection, every: Sequence[Labelled] | None = None
) -> dict[int, list[Labelled]]:
    """Return the labels of items that several people were to judge, once all of them have; hidden repeats are no labels here.

    Args:
        connection: to the study's database. every: all labels, where they are at hand; None reads them.
    """
    return {item: got for item, got in answered(connection, every).items() if len(got) >= 2}


def answered(connection: Connection, every: Sequence[Labelled] | None = None) -> dict[int, list[Labelled]]:
    """Return the labels of items that everybody who was asked has judged, one person or several.

    Args:
        connection: to the study's database. every: as in `answered_by_all`.

    Nobody is waited for who has withdrawn or was replaced, nor, where labels were imported, who has not labelled anything:
    their places came with the study.
    """
    found: dict[int, list[Labelled]] = defaultdict(list)
    for label in labelled(connection) if every is None else every:
        if not label.again:
            found[label.item].append(label)
    came = {label.rater for got in found.values() for label in got}
    elsewhere = set(connection.scalars(select(people.c.code).where(people.c.role == "imported")))
    imported = {item for item, got in found.items() if elsewhere & {label.rater for label in got}}
    places = waited_for(connection)
    if imported:
        absent = sorted(set(rater_codes(connection)) - came)
        of_those = waited_for(connection, absent)
        places |= {item: of_those.get(item, 0) for item in imported}
    return {item: got for item, got in sorted(found.items()) if len(got) == places.get(item, 0)}


def rater_codes(connection: Connection) -> tuple[str, ...]:
    """Return the codes of everybody who labels, imported raters included."""
    query = select(people.c.code).where(people.c.role.in_(("rater", "imported"))).order_by(people.c.code)
    return tuple(connection.scalars(query))
