"""Two raters at one screen settle where they differ; both are signed in there, and both are recorded.

The first signs in as always. The second proves who they are at the same screen, and from then on the session holds both, until
one of them leaves or the session ends. What they settle is an event of the first with the second `beside`.
"""

from sqlalchemy import Connection, select, update

from percuss.study.answers import Given, any_differ
from percuss.study.design import Design
from percuss.study.saying import CantNow
from percuss.study.store import ledger, work
from percuss.study.store.people import Person, by_code, session_key
from percuss.study.store.tables import sessions

__all__ = ["between", "part", "partner", "settle", "sit_down"]


def sit_down(connection: Connection, cookie: str, code: str) -> Person:
    """Take a second rater into the session of the first; that they are who they say was checked before.

    Args:
        connection: to the study's database, writing.
        cookie: of the first one's session. code: of the second.

    Raises:
        UsageError: nobody is signed in, or the second is no rater, the same person, or has left.
    """
    first = connection.scalar(select(sessions.c.person).where(sessions.c.id == session_key(cookie)))
    second = by_code(connection, code)
    if first is None:
        raise CantNow("nobody is signed in at this screen")
    if second is None or second.role != "rater" or second.left or second.code == first:
        raise CantNow("two different raters of this study settle together")
    connection.execute(update(sessions).where(sessions.c.id == session_key(cookie)).values(beside=code))
    ledger.append(connection, str(first), "sat together", code, {"beside": code})
    return second


def part(connection: Connection, cookie: str) -> None:
    """Let the second person leave the screen; the first stays signed in."""
    connection.execute(update(sessions).where(sessions.c.id == session_key(cookie)).values(beside=None))


def partner(connection: Connection, cookie: str) -> Person | None:
    """Return who sits beside the person of a session, None where nobody does or who did has left the study."""
    code = connection.scalar(select(sessions.c.beside).where(sessions.c.id == session_key(cookie)))
    found = by_code(connection, str(code)) if code else None
    return None if found is None or found.left else found


def between(connection: Connection, design: Design, one: str, other: str) -> dict[int, list[work.Labelled]]:
    """Return the items that both were asked for, once everybody asked has answered, where these two differ; settled ones too.

    Args:
        connection: to the study's database. design: of the study, which says what counts as a difference.
        one, other: codes of the two.
    """
    found: dict[int, list[work.Labelled]] = {}
    for item, labels in work.answered_by_all(connection).items():
        own = [label for label in labels if label.rater in (one, other)]
        if len(own) == 2 and any_differ(design, [label.given for label in own]):
            found[item] = sorted(own, key=lambda label: label.rater != one)
    return found


def settle(
    connection: Connection,
    pair: tuple[str, str],
    item: int,
    given: Given,
    reason: str,
    *,
    seen: str | None = None,
) -> str:
    """Save what two people settled together, both recorded, and return when.

    Args:
        connection: to the study's database, writing. pair: codes of who is signed in and who sits beside.
        item: its number. given: what they settled on. reason: why.
        seen: as in `work.save_consensus`.

    Raises:
        UsageError: one of them did not judge the item.
        Locked: another decision was saved since the form was read.
    """
    judged = {label.rater for label in work.answered_by_all(connection).get(item, ())}
    if len(set(pair)) != 2 or not set(pair) <= judged:
        raise CantNow(
            "both have to have judged an item before they settle it, and everybody else who was asked"
        )
    return work.save_consensus(connection, pair[0], item, given, reason, seen=seen, beside=pair[1])
