"""What was settled: by an adjudicator, or by two people at one screen; no decision replaces another unseen."""

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from percuss.core.records import Record
from percuss.study.answers import Given
from percuss.study.saying import CantNow
from percuss.study.store import ledger
from percuss.study.store.tables import consensus, items, study

__all__ = ["CLOSED", "Agreed", "Locked", "NotListed", "agreed", "refuse_closed", "save_consensus"]

CLOSED = ("locked", "archived")
"""States in which nothing that is said of an item, and nobody's list, changes any more."""


class Locked(CantNow):
    """The answer can't be changed any more."""


class NotListed(CantNow):
    """A place that is on no list of the one who asks."""


def refuse_closed(connection: Connection) -> None:
    """Refuse what would change a study after it was locked, and perhaps sealed.

    Raises:
        CantNow: the study is locked or archived.
    """
    state = connection.scalar(select(study.c.value).where(study.c.key == "state"))
    if state in CLOSED:
        raise CantNow("the study is {state}; nothing in it changes any more", state=state)


class Agreed(Record):
    """What was settled, with the reason, by an adjudicator or by two people at one screen (`adjudicator` and `beside`)."""

    item: int
    adjudicator: str
    given: Given
    reason: str
    saved_at: str
    beside: str = ""

    @property
    def by(self) -> str:
        """Code of who settled it, both where two did."""
        return f"{self.adjudicator}+{self.beside}" if self.beside else self.adjudicator


def agreed(connection: Connection) -> dict[int, Agreed]:
    """Return what was settled, by item."""
    return {
        row.item: Agreed(
            item=row.item,
            adjudicator=row.adjudicator,
            given=msgspec.json.decode(row.body, type=Given),
            reason=row.reason,
            saved_at=row.saved_at,
            beside=row.beside or "",
        )
        for row in connection.execute(select(consensus).order_by(consensus.c.item))
    }


def save_consensus(
    connection: Connection,
    adjudicator: str,
    item: int,
    given: Given,
    reason: str,
    *,
    seen: str | None = None,
    beside: str = "",
) -> str:
    """Save what the adjudicator settled on, with the reason, and the ledger entry.

    Args:
        connection: to the study's database, writing. adjudicator: who settles. item: its number.
        given: the decision. reason: why.
        seen: time of the decision that stood when the form was read, empty where there was none; None: whatever stands.
        beside: code of the second of two people who settle at one screen; empty where one does.

    Returns: time of the save.

    Raises:
        Locked: another decision was saved since the form was read; it is not replaced unseen.
        CantNow: the study is locked or archived.
    """
    refuse_closed(connection)
    name = connection.scalar(select(items.c.item).where(items.c.id == item))
    before = agreed(connection).get(item)
    if seen is not None and (before.saved_at if before else "") != seen:
        raise Locked("this item was settled meanwhile; look at that decision first")
    plain = {"given": msgspec.to_builtins(given), "reason": reason, **({"beside": beside} if beside else {})}
    previous = (
        None if before is None else {"given": msgspec.to_builtins(before.given), "reason": before.reason}
    )
    seq, at = ledger.append(
        connection, adjudicator, "consensus", str(name), plain, previous=previous, reason=reason
    )
    values = {
        "item": item,
        "adjudicator": adjudicator,
        "beside": beside or None,
        "body": msgspec.json.encode(given).decode(),
        "reason": reason,
        "saved_at": at,
        "seq": seq,
    }
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    upsert = dialect.insert(consensus).values(**values)
    connection.execute(upsert.on_conflict_do_update(index_elements=["item"], set_=values))
    return str(values["saved_at"])
