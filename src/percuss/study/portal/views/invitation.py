"""The invitation: who asks, why, how many, how long, what is kept; consent; an account."""

import re

from itsdangerous import BadSignature, URLSafeTimedSerializer
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import Response

from percuss.core.errors import UsageError
from percuss.study.portal.choosing import password_problem
from percuss.study.portal.views.entering import enter
from percuss.study.portal.visit import Visit
from percuss.study.settings import KEPT, KEPT_BEFORE
from percuss.study.store import people, work
from percuss.study.store.people import Person

__all__ = ["consent_text", "held", "invited", "join", "let_go", "whom_to_ask"]

HELD_S = 3600
"""Seconds for which a browser that handed an invitation in may accept it."""


def invited(visit: Visit, token: str) -> Person:
    """Return whom a link invites.

    Raises:
        HTTPException: nobody (404); links that are guessed at are slowed down (429).
    """
    wait = visit.gate.by_place.wait_s(f"join\x1f{visit.client}")
    if wait:
        raise HTTPException(429, "Too many links that do not exist. Please wait some minutes.")
    with visit.study.database.read() as connection:
        person = people.invited(connection, visit.study.secret, token)
        if person is not None and people.expired(connection, person, visit.study.settings.invitation_days):
            raise HTTPException(410, "This invitation is too old and does not open any more.")
    if person is None:
        visit.gate.by_place.failed(f"join\x1f{visit.client}")
        raise HTTPException(404, "This invitation does not exist, or it was replaced by a newer one.")
    return person


def whom_to_ask(visit: Visit) -> Markup:
    """Return of whom somebody gets a new link."""
    told = visit.study.settings
    who = told.contact or told.asker
    if not who:
        return visit.t("For a new link ask whoever sent you this one. Answers that you gave stay.")
    return visit.t("For a new link ask here: {who}. Answers that you gave stay.", who=who.rstrip("."))


def _sealed(visit: Visit) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(visit.study.secret, salt="percuss-invited")


def _cookie(visit: Visit) -> str:
    return f"{visit.gate.cookie}_invited"


def held(visit: Visit) -> Person | None:
    """Return whom the invitation that this browser handed in invites, None where it handed none in or it is none any more."""
    try:
        code, number = _sealed(visit).loads(visit.asked.get(_cookie(visit), ""), max_age=HELD_S)
    except (BadSignature, ValueError):
        return None
    with visit.study.database.read() as connection:
        person = people.by_code(connection, str(code))
        if person is None or person.left or person.invitation != number:
            return None
        old = people.expired(connection, person, visit.study.settings.invitation_days)
    return None if old else person


def let_go(visit: Visit, response: Response) -> Response:
    """Let the browser forget the invitation that it handed in."""
    response.delete_cookie(
        _cookie(visit), path=visit.gate.cookie_path, secure=visit.gate.secure, httponly=True
    )
    return response


def _kept(visit: Visit, person: Person, response: Response) -> Response:
    response.set_cookie(
        _cookie(visit),
        str(_sealed(visit).dumps([person.code, person.invitation])),
        max_age=HELD_S,
        path=visit.gate.cookie_path,
        secure=visit.gate.secure,
        httponly=True,
        samesite="lax",
    )
    return response


def join(visit: Visit) -> Response:
    """Take an invitation in, show it, or accept it. Its secret comes in a form: in an address it would stand in logs and histories."""
    secret = visit.field("invitation").strip().rpartition("#")[2]
    person = invited(visit, secret) if secret else held(visit)
    if person is None:
        return visit.page("join.html")
    if visit.field("step") == "accept" or not secret:
        return _joining(visit, person)
    return _kept(visit, person, visit.go("/join"))


def _joining(visit: Visit, person: Person) -> Response:
    if person.joined:
        if visit.person is not None:
            return visit.go("/")
        return visit.page("login.html", problem="", login="", used=True, whom=whom_to_ask(visit))
    only = visit.gate.single_sign_on is not None and visit.gate.single_sign_on.only
    if visit.field("step") != "accept":
        return _form(visit, person)
    if only:
        raise HTTPException(403, "This study has single sign-on alone.")
    name, login, password = visit.field("name").strip(), visit.field("login").strip(), visit.field("password")
    at, problem = _problem(visit, name, login, password)
    if problem:
        return _form(visit, person, problem=problem, at=at, status=422)
    hashed = visit.gate.passwords.hash(password)
    try:
        visit.study.database.write(
            lambda c: people.join(
                c, person.code, name=name, login=login, password=hashed, consent=consent_text(visit)
            )
        )
    except UsageError as error:
        return _form(visit, person, problem=visit.why(error), at="login", status=422)
    return let_go(visit, enter(visit, person.code))


def kept_words(visit: Visit) -> str:
    """Return what is kept in the reader's language, where the study tells it in words of ours."""
    t, told = visit.t, visit.study.settings.kept
    ours = next((one for one in (KEPT, KEPT_BEFORE) if told.startswith(one)), "")
    days = re.search(r"\d+", told.removeprefix(ours)) if ours else None
    if days is None:
        return t.plain(told)
    end = t.plain("Your name and account are deleted {n} days after the study is archived.", n=days.group())
    return f"{t.plain(ours)} {end}"


def consent_text(visit: Visit) -> str:
    """Return what somebody agrees to: the words of the invitation."""
    told = visit.study.settings
    return "\n".join(
        (
            told.title or visit.t.plain(visit.study.design.title),
            told.asker,
            told.purpose,
            kept_words(visit),
            told.contact,
        )
    )


def _problem(visit: Visit, name: str, login: str, password: str) -> tuple[str, str]:
    """Return the field that is wrong and why; empty where none is."""
    if visit.field("consent") != "yes":
        return "consent", "Please tick that you have read this and take part."
    if not name:
        return "name", "Please give your name."
    if not 3 <= len(login) <= 120 or any(c.isspace() for c in login):
        text = (
            "Please give a sign-in name of at least 3 characters without spaces; your e-mail address will do."
        )
        return "login", text
    return "password", password_problem(password, login, name, visit.study.settings)


def _form(visit: Visit, person: Person, *, problem: str = "", at: str = "", status: int = 200) -> Response:
    with visit.study.database.read() as connection:
        progress = work.progress(connection, person.code)
    return visit.page(
        "invitation.html",
        status=status,
        invited=person,
        kept=kept_words(visit),
        count=progress.total,
        minutes=max(5, round(progress.total * visit.study.design.minutes / 5) * 5),
        problem=problem,
        at=at,
        consented=visit.field("consent") == "yes",
        name=visit.field("name"),
        login=visit.field("login"),
        oidc=visit.gate.single_sign_on,
    )
