"""Opening a session, by whichever way somebody proved who they are."""

from sqlalchemy import Connection
from starlette.responses import Response

from percuss.study.portal.visit import Visit
from percuss.study.store import ledger, people

__all__ = ["enter", "home_of"]


def home_of(visit: Visit) -> str:
    """Return the page on which a person of this role begins."""
    person = visit.person
    if person is None:
        return "/login"
    if person.role == "rater":
        return "/work" if person.practised >= len(visit.study.design.practice) else "/guide"
    return {"adjudicator": "/adjudicate", "coordinator": "/coordinate"}[person.role]


def enter(visit: Visit, code: str) -> Response:
    """Open a session with a fresh cookie and go to where the person begins."""
    old = visit.cookie

    def opened(connection: Connection) -> str:
        people.close_session(connection, old)
        ledger.append(connection, code, "signed in", code, {"from": visit.client})
        return people.open_session(connection, code)

    visit.cookie = visit.study.database.write(opened)
    with visit.study.database.read() as connection:
        visit.person = people.by_code(connection, code)
        visit.chosen = people.language_chosen(connection, code)
    return visit.go(home_of(visit))
