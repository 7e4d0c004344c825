"""People: invitations, accounts, sessions. Names stay in this table and leave the study nowhere."""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from percuss.core.ids import b2
from percuss.core.records import Record
from percuss.study.saying import CantNow
from percuss.study.store import ledger
from percuss.study.store.accounts import forget_account, seal_account
from percuss.study.store.tables import assignments, contents, labels, people, sessions, study
from percuss.study.store.tables import ledger as table

__all__ = [
    "PREFIX",
    "SESSION_S",
    "Person",
    "Session",
    "Visitor",
    "add_people",
    "by_code",
    "by_login",
    "by_subject",
    "close_session",
    "end_listed",
    "end_sessions",
    "everybody",
    "expired",
    "invitation",
    "invited",
    "join",
    "language_chosen",
    "open_session",
    "practice_fits",
    "reinvite",
    "session_key",
    "sessions_of",
    "set_language",
    "set_password",
    "set_practised",
    "who",
    "withdraw",
]

Role = Literal["rater", "adjudicator", "coordinator", "imported"]
PREFIX: dict[str, str] = {"rater": "r", "adjudicator": "a", "coordinator": "c", "imported": "x"}
SESSION_S = 12 * 60 * 60  # a working day; closing the browser does not end it, signing out does
_STATE = select(study.c.value).where(study.c.key == "state").scalar_subquery()
_WHO = (
    select(people, sessions.c.seen_at, sessions.c.made_at, _STATE.label("state"))
    .join(sessions, sessions.c.person == people.c.code)
    .where(sessions.c.id == bindparam("key"))
)
LONGEST_S = 24 * 60 * 60  # used or not, a session ends after a day
SEEN_S = 300  # a session's last use is written at most this often


NOBODY: dict[str, None] = dict.fromkeys(
    ("joined_at", "consented_at", "login", "password", "issuer", "subject", "factor")
)  # a place that nobody holds: no password, no identity at a provider, no second factor, no consent


class Person(Record):
    """A person of the study. `code` is what exports show; `name` and `login` are not exported; who `left` has no way in.

    `factor` is the sealed seed of their one-time codes, empty where there is none.
    """

    code: str
    role: Role
    name: str = ""
    login: str = ""
    password: str = ""
    invitation: int = 1
    joined: bool = False
    practised: int = 0
    left: bool = False
    factor: str = ""


def _person(row: Row[tuple[object, ...]] | None) -> Person | None:
    if row is None:
        return None
    return Person(
        code=row.code,
        role=row.role,
        name=row.name or "",
        login=row.login or "",
        password=row.password or "",
        invitation=row.invitation,
        joined=row.joined_at is not None,
        left=row.withdrawn_at is not None,
        practised=row.practised,
        factor=row.factor or "",
    )


def add_people(connection: Connection, role: Role, count: int) -> tuple[str, ...]:
    """Add places for people of a role and return their codes."""
    taken = len(connection.execute(select(people.c.code).where(people.c.role == role)).all())
    codes = tuple(f"{PREFIX[role]}{taken + n + 1}" for n in range(count))
    for code in codes:
        row = {"code": code, "role": role, "invitation": 1, "practised": 0, "invited_at": ledger.now()}
        connection.execute(insert(people).values(**row))
    return codes


def everybody(connection: Connection) -> tuple[Person, ...]:
    """Return all people, by role and number."""
    found = [_person(row) for row in connection.execute(select(people))]
    order = list(PREFIX)
    return tuple(sorted((p for p in found if p), key=lambda p: (order.index(p.role), len(p.code), p.code)))


def by_code(connection: Connection, code: str) -> Person | None:
    """Return a person by code."""
    return _person(connection.execute(select(people).where(people.c.code == code)).first())


def by_login(connection: Connection, login: str) -> Person | None:
    """Return a person by the name they sign in with, without regard to case."""
    return _person(connection.execute(select(people).where(people.c.login == login.strip().lower())).first())


def by_subject(connection: Connection, issuer: str, subject: str) -> Person | None:
    """Return a person by their identity at a sign-on provider."""
    same = (people.c.issuer == issuer) & (people.c.subject == subject)
    return _person(connection.execute(select(people).where(same)).first())


def invitation(secret: bytes, person: Person) -> str:
    """Return the secret part of a person's invitation link; raising `person.invitation` makes older links invalid."""
    message = f"invite\x1f{person.code}\x1f{person.invitation}".encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()[:40]


def invited(connection: Connection, secret: bytes, token: str) -> Person | None:
    """Return whom a link invites, None where nobody."""
    found = None
    for person in everybody(connection):  # all are compared, so that time tells nothing
        fits = hmac.compare_digest(invitation(secret, person).encode(), token.encode("utf-8", "replace"))
        if fits and not person.left:
            found = person
    return found


def join(
    connection: Connection,
    code: str,
    *,
    name: str,
    login: str | None = None,
    password: str | None = None,
    identity: tuple[str, str] | None = None,
    consent: str = "",
) -> None:
    """Accept an invitation, consent included.

    Args:
        connection: to the study's database.
        code: of the invitation.
        login: what the person signs in with; None with single sign-on.
        password: its Argon2 hash.
        identity: (issuer, subject) of single sign-on.
        consent: the text that the person agreed to; the ledger keeps its digest.

    Raises:
        UsageError: the sign-in name or identity belongs to somebody else of this study.
    """
    other = by_login(connection, login) if login else None
    if identity is not None:
        other = by_subject(connection, *identity)
    if other is not None and other.code != code:
        raise CantNow("this name is taken in this study; choose another one")
    mine = update(people).where(people.c.code == code)
    issuer, subject = identity or (None, None)
    connection.execute(
        mine.values(
            name=name.strip()[:120],
            login=login.strip().lower()[:120] if login else None,
            password=password,
            issuer=issuer,
            subject=subject,
        )
    )
    said = {"consent": True, "text": b2(consent), "by": "sso" if identity else "password"}
    _, at = ledger.append(connection, code, "joined", code, said | seal_account(connection, code))
    connection.execute(mine.values(joined_at=at, consented_at=at))
    end_sessions(connection, code)


def reinvite(connection: Connection, code: str, by: str) -> Person | None:
    """Make a new invitation for a person: old link, sessions, password and single sign-on end, the answers stay."""
    person = by_code(connection, code)
    if person is None:
        return None
    raised = person.invitation + 1
    connection.execute(
        update(people)
        .where(people.c.code == code)
        .values(invitation=raised, invited_at=ledger.now(), **NOBODY)
    )
    end_sessions(connection, code)
    forget_account(connection, code)
    ledger.append(connection, by, "invited again", code, {"invitation": raised})
    return by_code(connection, code)


def withdraw(connection: Connection, code: str, *, by: str) -> int:
    """Take everything back that a person said: contents and salts, labels, practice, name, account; return the labels.

    The ledger keeps its chain and an entry that says so; what others said, and what an adjudicator settled, stays.

    Args:
        connection: to the study's database.
        code: whose. by: code of who does it.
    """
    said = (*ledger.LABELS, "practice")
    mine = [
        row.seq
        for row in connection.execute(select(table.c.seq).where(table.c.who == code, table.c.what.in_(said)))
    ]
    slots = {
        row.id: row.token
        for row in connection.execute(select(assignments).where(assignments.c.rater == code))
    }
    given = list(connection.scalars(select(labels.c.assignment).where(labels.c.assignment.in_(slots))))
    connection.execute(delete(labels).where(labels.c.assignment.in_(given)))
    connection.execute(delete(contents).where(contents.c.seq.in_(mine)))
    end_sessions(connection, code)
    connection.execute(delete(study).where(study.c.key == f"language:{code}"))
    forget_account(connection, code)
    person = by_code(connection, code)
    value = {"contents": mine, "set_aside": sorted(slots[one] for one in given)}
    _, at = ledger.append(connection, by, "withdrawn", code, value)
    gone = {**NOBODY, "name": None, "practised": 0, "withdrawn_at": at}
    raised = 1 + (person.invitation if person else 0)
    connection.execute(update(people).where(people.c.code == code).values(**gone, invitation=raised))
    return len(given)


def practice_fits(connection: Connection, code: str, count: int) -> list[float]:
    """Return the share of each of somebody's last practice answers that fitted the reference, newest first.

    Args:
        connection: to the study's database. code: whose. count: how many.
    """
    query = (
        select(contents.c.body)
        .join(table, table.c.seq == contents.c.seq)
        .where(table.c.who == code, table.c.what == "practice")
        .order_by(table.c.seq.desc())
        .limit(count)
    )
    bodies = [json.loads(body)["value"] for body in connection.scalars(query)]
    return [float(one["fits"]) for one in bodies if isinstance(one, dict) and "fits" in one]


def set_language(connection: Connection, code: str, language: str) -> None:
    """Keep the language in which a person reads the screens."""
    key = f"language:{code}"
    connection.execute(delete(study).where(study.c.key == key))
    connection.execute(insert(study).values(key=key, value=language))


def language_chosen(connection: Connection, code: str) -> str:
    """Return the language that a person chose, empty where they chose none."""
    return connection.scalar(select(study.c.value).where(study.c.key == f"language:{code}")) or ""


def set_practised(connection: Connection, code: str, count: int, value: object) -> None:
    """Keep how many practice items a person has done, and what they answered."""
    connection.execute(update(people).where(people.c.code == code).values(practised=count))
    ledger.append(connection, code, "practice", f"{code}:{count}", value)


def session_key(cookie: str) -> str:
    """Return the key under which a session is kept: a stolen database opens none."""
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()


def open_session(connection: Connection, code: str) -> str:
    """Open a session and return a fresh cookie for it: a cookie from before signing in never becomes a session."""
    cookie = secrets.token_urlsafe(32)
    at = int(time.time())
    connection.execute(delete(sessions).where(sessions.c.seen_at < at - SESSION_S))
    connection.execute(insert(sessions).values(id=session_key(cookie), person=code, made_at=at, seen_at=at))
    return cookie


def close_session(connection: Connection, cookie: str) -> None:
    """End a session."""
    connection.execute(delete(sessions).where(sessions.c.id == session_key(cookie)))


def end_sessions(connection: Connection, code: str, *, keep: str = "") -> None:
    """End all sessions of a person but the one whose cookie is kept; whose screen they shared goes on alone."""
    connection.execute(delete(sessions).where(sessions.c.person == code, sessions.c.id != session_key(keep)))
    connection.execute(update(sessions).where(sessions.c.beside == code).values(beside=None))


class Session(NamedTuple):
    """A place where somebody is signed in: `handle` names it in a form, times in seconds since 1970; `here`: the one that asks."""

    id: str
    handle: str
    made_at: int
    seen_at: int
    here: bool

    @property
    def made(self) -> str:
        """When it began, as a page tells it."""
        return datetime.fromtimestamp(self.made_at, UTC).isoformat()

    @property
    def seen(self) -> str:
        """When it was used last, within five minutes."""
        return datetime.fromtimestamp(self.seen_at, UTC).isoformat()


def sessions_of(connection: Connection, code: str, cookie: str) -> list[Session]:
    """Return the sessions of a person that still open something, that of a cookie first, then by last use."""
    at, here = int(time.time()), session_key(cookie)
    query = select(sessions).where(
        sessions.c.person == code, sessions.c.seen_at >= at - SESSION_S, sessions.c.made_at >= at - LONGEST_S
    )
    found = [
        Session(row.id, b2("session", row.id)[:16], row.made_at, row.seen_at, row.id == here)
        for row in connection.execute(query)
    ]
    return sorted(found, key=lambda one: (not one.here, -one.seen_at, one.handle))


def end_listed(connection: Connection, code: str, ids: Sequence[str]) -> None:
    """End some sessions of a person."""
    connection.execute(delete(sessions).where(sessions.c.person == code, sessions.c.id.in_(ids)))


def set_password(connection: Connection, code: str, hashed: str, *, keep: str) -> None:
    """Set a new password and end all other sessions."""
    connection.execute(update(people).where(people.c.code == code).values(password=hashed))
    end_sessions(connection, code, keep=keep)
    ledger.append(connection, code, "password changed", code, seal_account(connection, code))


def expired(connection: Connection, person: Person, days: int) -> bool:
    """Return whether an invitation is older than its days; 0 days: never."""
    at = connection.scalar(select(people.c.invited_at).where(people.c.code == person.code))
    if not days or not at:
        return False
    return datetime.fromisoformat(str(at)) + timedelta(days=days) < datetime.now(UTC)


class Visitor(NamedTuple):
    """Whose session a cookie opens, None where nobody's; `stale`: its last use should be written down; state of the study."""

    person: Person | None
    stale: bool = False
    state: str = ""


def who(connection: Connection, cookie: str) -> Visitor:
    """Return whose session a cookie opens, and in which state the study is, at once."""
    row = connection.execute(_WHO, {"key": session_key(cookie)}).first()
    at = int(time.time())
    if row is None or row.seen_at < at - SESSION_S or row.made_at < at - LONGEST_S:
        return Visitor(None)
    return Visitor(_person(row), row.seen_at < at - SEEN_S, row.state or "open")


def touch_session(connection: Connection, cookie: str) -> None:
    """Write down that a session is in use."""
    connection.execute(
        update(sessions).where(sessions.c.id == session_key(cookie)).values(seen_at=int(time.time()))
    )


def codes_of(persons: Sequence[Person], role: Role) -> tuple[str, ...]:
    """Return the codes of the people of a role."""
    return tuple(person.code for person in persons if person.role == role)
