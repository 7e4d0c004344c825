"""Where somebody is signed in: each place is listed, and each or all of them end after the person has shown again who they are."""

import time

from starlette.responses import Response

from percuss.study.portal.visit import Visit
from percuss.study.store import people
from percuss.study.store.people import Session

__all__ = ["end", "shown"]

FRESH_S = 600
"""Who has no password here has shown who they are by a single sign-on of at most these seconds ago."""


def _listed(visit: Visit) -> list[Session]:
    """Return the sessions of who is signed in, this one first, then by last use."""
    with visit.study.database.read() as connection:
        return people.sessions_of(connection, visit.me.code, visit.cookie)


def end(visit: Visit) -> Response:
    """End the session that was named, all of them for `all`, and show the account again, or where one signs in."""
    sessions = _listed(visit)
    ids = [one.id for one in sessions if visit.field("session") in (one.handle, "all")]
    status, problem = _refused(visit, sessions)
    if not problem and not ids:
        status, problem = 422, "You are not signed in there any more."
    if problem:
        return shown(visit, status=status, problem=problem)
    code = visit.me.code
    visit.study.database.write(lambda c: people.end_listed(c, code, ids))
    visit.note(code, "signed out", code, {"everywhere": len(ids) == len(sessions), "sessions": len(ids)})
    if any(one.here and one.id in ids for one in sessions):
        response = visit.go("/login")
        response.headers["clear-site-data"] = '"cache", "storage"'  # drafts and pages that the browser kept
        return response
    return shown(visit, said="That sign-in is ended.")


def _refused(visit: Visit, sessions: list[Session]) -> tuple[int, str]:
    """Say why a person has not shown again who they are, with a status; empty where they have."""
    me, gate = visit.me, visit.gate
    by_name = f"{visit.client}\x1f{me.login}"
    if gate.by_name.wait_s(by_name):
        return 429, "Too many attempts. Please wait some minutes."
    if me.password:
        if not gate.passwords.fits(me.password, visit.field("known")[:1000]):
            gate.by_name.failed(by_name)
            return 422, "The present password is not right."
    elif not any(one.here and one.made_at >= time.time() - FRESH_S for one in sessions):
        return 422, "Please sign out, sign in again, and do this within ten minutes."
    return 200, ""


def shown(visit: Visit, *, status: int = 200, problem: str = "", said: str = "") -> Response:
    """Return the page of one's account."""
    return visit.page("account.html", status=status, problem=problem, said=said, places=_listed(visit))
