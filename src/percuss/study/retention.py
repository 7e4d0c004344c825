"""Retention: so many days after a study was archived, who took part is forgotten; what they said stays under codes."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, func, select, update

from percuss.core.errors import UsageError
from percuss.study.lifecycle import state_of
from percuss.study.settings import Settings
from percuss.study.store import ledger
from percuss.study.store.accounts import forget_account
from percuss.study.store.people import NOBODY
from percuss.study.store.tables import ledger as chain
from percuss.study.store.tables import people, sessions
from percuss.study.study import Study

__all__ = ["forget", "forget_where_due", "forgotten_on", "is_due"]

PERSONAL = ("name", *(field for field in NOBODY if field not in ("consented_at", "joined_at")))
"""What is deleted of a person. When they joined and consented stays, for the ledger says it too."""


def forgotten_on(connection: Connection, settings: Settings) -> datetime | None:
    """Return when the people of an archived study are to be forgotten; None where it is not archived, or they are kept."""
    if not settings.retention_days or state_of(connection) != "archived":
        return None
    at = connection.scalar(
        select(func.max(chain.c.at)).where(chain.c.what == "state", chain.c.subject == "archived")
    )
    return datetime.fromisoformat(str(at)) + timedelta(days=settings.retention_days) if at else None


def is_due(connection: Connection, settings: Settings, *, now: datetime | None = None) -> bool:
    """Return whether that time has come and somebody is still known.

    Args:
        connection: to the study's database. settings: how many days. now: with its time zone; None: this moment.
    """
    on = forgotten_on(connection, settings)
    known = [people.c[field].is_not(None) for field in PERSONAL]
    if on is None or (now or datetime.now(UTC)) < on:
        return False
    return any(connection.execute(select(people.c.code).where(one).limit(1)).first() for one in known)


def forget_where_due(study: Study, *, now: datetime | None = None) -> bool:
    """Forget the people of a study whose days are over, and return whether it was done.

    Args:
        study: open. now: with its time zone; None: this moment.
    """
    told = study.settings
    done = bool(study.database.write(lambda c: is_due(c, told, now=now) and forget(c, by="system")))
    if done:
        study.database.scrub()
    return done


def forget(connection: Connection, *, by: str) -> int:
    """Delete names, sign-in names, passwords, identities, second factors and sessions; return how many people it was.

    Args:
        connection: to the study's database, writing. by: code of who does it.

    Raises:
        UsageError: the study is not archived.
    """
    state = state_of(connection)
    if state != "archived":
        raise UsageError(f"the study is {state}; archive it first, for nobody can sign in afterwards")
    joined = sorted(connection.scalars(select(people.c.code).where(people.c.joined_at.is_not(None))))
    connection.execute(delete(sessions))
    forget_account(connection)
    _, at = ledger.append(connection, by, "forgotten", "people", {"erased": joined})
    left = func.coalesce(people.c.withdrawn_at, at)  # who had left before stays so
    connection.execute(
        update(people).values(
            **dict.fromkeys(PERSONAL), invitation=people.c.invitation + 1, withdrawn_at=left
        )
    )
    return len(joined)
