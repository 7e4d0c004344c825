"""The invitation: who asks, why, how many, how long, what is kept; consent; an account."""

import re

from starlette.exceptions import HTTPException
from starlette.responses import Response

from percuss.core.errors import UsageError
from percuss.study.portal.choosing import password_problem
from percuss.study.portal.views.entering import enter
from percuss.study.portal.visit import Visit
from percuss.study.settings import KEPT
from percuss.study.store import people, work
from percuss.study.store.people import Person

__all__ = ["consent_text", "invited", "join"]


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
            raise HTTPException(410, "This invitation is too old. Please ask for a new link.")
    if person is None:
        visit.gate.by_place.failed(f"join\x1f{visit.client}")
        raise HTTPException(404, "This invitation does not exist, or it was replaced by a newer one.")
    return person


def join(visit: Visit) -> Response:
    """Show the invitation, or accept it."""
    person = invited(visit, visit.path["token"])
    if person.joined:
        return visit.go("/login")
    only = visit.gate.single_sign_on is not None and visit.gate.single_sign_on.only
    if only and visit.method == "POST":
        raise HTTPException(403, "This study has single sign-on alone.")
    if visit.method == "GET":
        return _form(visit, person)
    name, login, password = visit.field("name").strip(), visit.field("login").strip(), visit.field("password")
    problem = _problem(visit, name, login, password)
    if problem:
        return _form(visit, person, problem=problem, status=422)
    hashed = visit.gate.passwords.hash(password)
    try:
        visit.study.database.write(
            lambda c: people.join(
                c, person.code, name=name, login=login, password=hashed, consent=consent_text(visit)
            )
        )
    except UsageError as error:
        return _form(visit, person, problem=visit.why(error), status=422)
    return enter(visit, person.code)


def kept_words(visit: Visit) -> str:
    """Return what is kept in the reader's language, where the study tells it in words of ours."""
    t, told = visit.t, visit.study.settings.kept
    days = re.search(r"\d+", told.removeprefix(KEPT)) if told.startswith(KEPT) else None
    if days is None:
        return t.plain(told)
    end = t.plain("Your name and account are deleted {n} days after the study is archived.", n=days.group())
    return f"{t.plain(KEPT)} {end}"


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


def _problem(visit: Visit, name: str, login: str, password: str) -> str:
    if visit.field("consent") != "yes":
        return "Please tick that you have read this and take part."
    if not name:
        return "Please give your name."
    if not 3 <= len(login) <= 120 or any(c.isspace() for c in login):
        return (
            "Please give a sign-in name of at least 3 characters without spaces; your e-mail address will do."
        )
    return password_problem(password, login, name, visit.study.settings)


def _form(visit: Visit, person: Person, *, problem: str = "", status: int = 200) -> Response:
    with visit.study.database.read() as connection:
        progress = work.progress(connection, person.code)
    return visit.page(
        "invitation.html",
        status=status,
        invited=person,
        kept=kept_words(visit),
        token=visit.path["token"],
        count=progress.total,
        minutes=max(5, round(progress.total * visit.study.design.minutes / 5) * 5),
        problem=problem,
        name=visit.field("name"),
        login=visit.field("login"),
        oidc=visit.gate.single_sign_on,
    )
