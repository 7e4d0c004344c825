"""Signing in and out."""

from sqlalchemy import Connection
from starlette.responses import PlainTextResponse, Response

from percuss.study.portal.visit import Visit
from percuss.study.store import people

__all__ = ["health", "home_of", "login", "logout", "start"]


def home_of(visit: Visit) -> str:
    """Return the page on which a person of this role begins."""
    person = visit.person
    if person is None:
        return "/login"
    if person.role == "rater":
        return "/work" if person.practised >= len(visit.study.design.practice) else "/guide"
    return {"adjudicator": "/adjudicate", "coordinator": "/coordinate"}[person.role]


def start(visit: Visit) -> Response:
    """Send everybody to where they begin."""
    return visit.go(home_of(visit))


def health(visit: Visit) -> Response:
    """Tell a proxy that the study is served."""
    with visit.study.database.read() as connection:
        people.by_code(connection, "c1")
    return PlainTextResponse("ok\n")


def login(visit: Visit) -> Response:
    """Show the form, or check name and password."""
    if visit.method == "GET":
        return visit.page("login.html", problem="", login="")
    login_name = visit.field("login")[:120]
    by_name, by_place = f"{visit.client}\x1f{login_name.strip().lower()}", visit.client
    wait = max(visit.gate.by_name.wait_s(by_name), visit.gate.by_place.wait_s(by_place))
    if wait:
        minutes = -(-wait // 60)
        text = f"Too many attempts. Please wait {minutes} minute{'s' if minutes > 1 else ''} and try again."
        response = visit.page("login.html", status=429, problem=text, login=login_name)
        response.headers["retry-after"] = str(wait)
        return response
    with visit.study.database.read() as connection:
        person = people.by_login(connection, login_name)
    fits = visit.gate.passwords.fits(person.password if person else "", visit.field("password")[:1000])
    if person is None or not fits or not person.joined:
        visit.gate.by_name.failed(by_name)
        visit.gate.by_place.failed(by_place)
        text = "Name or password is not right. If you have forgotten it, ask for a new invitation link."
        return visit.page("login.html", status=401, problem=text, login=login_name)
    visit.gate.by_name.forget(by_name)
    return enter(visit, person.code)


def enter(visit: Visit, code: str) -> Response:
    """Open a session with a fresh cookie and go to where the person begins."""
    old = visit.cookie

    def opened(connection: Connection) -> str:
        people.close_session(connection, old)
        return people.open_session(connection, code)

    visit.cookie = visit.study.database.write(opened)
    with visit.study.database.read() as connection:
        visit.person = people.by_code(connection, code)
    return visit.go(home_of(visit))


def logout(visit: Visit) -> Response:
    """End the session."""
    cookie = visit.cookie
    visit.study.database.write(lambda c: people.close_session(c, cookie))
    return visit.go("/login")
