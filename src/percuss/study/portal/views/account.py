"""Signing in and out."""

import re

from starlette.responses import PlainTextResponse, Response

from percuss.study.portal.choosing import password_problem
from percuss.study.portal.views import devices, factor
from percuss.study.portal.views.elsewhere import enter_elsewhere, same_password
from percuss.study.portal.views.entering import enter, home_of
from percuss.study.portal.visit import Visit
from percuss.study.portal.words import LANGUAGES
from percuss.study.store import people

__all__ = [
    "account",
    "health",
    "language",
    "login",
    "logout",
    "start",
    "withdraw",
]


OWN = re.compile(r"/(?:[\w~-][\w./~-]*)?")  # a page of ours: not the address of another host


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
    if visit.gate.single_sign_on is not None and visit.gate.single_sign_on.only:
        return visit.page("login.html", status=403, problem="This study has single sign-on alone.", login="")
    account = login_name.strip().lower()
    by_name, by_place = f"{visit.client}\x1f{account}", visit.client
    gate = visit.gate
    wait = max(gate.by_name.wait_s(by_name), gate.by_place.wait_s(by_place), gate.by_account.wait_s(account))
    if wait:
        minutes = -(-wait // 60)
        text: str = visit.t.n(
            minutes,
            "Too many attempts. Please wait {n} minute and try again.",
            "Too many attempts. Please wait {n} minutes and try again.",
        )
        response = visit.page("login.html", status=429, problem=text, login=login_name)
        response.headers["retry-after"] = str(wait)
        return response
    with visit.study.database.read() as connection:
        person = people.by_login(connection, login_name)
    fits = visit.gate.passwords.fits(person.password if person else "", visit.field("password")[:1000])
    if person is None or not fits or not person.joined:
        visit.gate.by_name.failed(by_name)
        visit.gate.by_place.failed(by_place)
        visit.gate.by_account.failed(account)
        visit.note(person.code if person else "visitor", "sign-in failed", "", {"from": visit.client})
        text = "Name or password is not right. If you have forgotten it, ask for a new invitation link."
        return visit.page("login.html", status=401, problem=text, login=login_name)
    visit.gate.by_name.forget(by_name)
    if person.factor:
        return factor.ask(visit, person)
    visit.gate.by_account.forget(account)
    return enter_elsewhere(visit, enter(visit, person.code), login_name, visit.field("password")[:1000])


def logout(visit: Visit) -> Response:
    """End the session."""
    cookie = visit.cookie
    code = visit.me.code
    visit.study.database.write(lambda c: people.close_session(c, cookie))
    visit.note(code, "signed out", code)
    response = visit.go("/login")
    response.headers["clear-site-data"] = '"cache", "storage"'  # drafts and pages that the browser kept
    return response


def account(visit: Visit) -> Response:
    """Show one's account, change the password, or sign out elsewhere."""
    if visit.method == "GET":
        return devices.shown(visit)
    code = visit.me.code
    if visit.field("step").startswith("factor"):
        return factor.change(visit)
    if visit.field("step") == "sessions":
        return devices.end(visit)
    known, fresh = visit.field("known")[:1000], visit.field("password")
    by_name = f"{visit.client}\x1f{visit.me.login}"
    if visit.gate.by_name.wait_s(by_name):
        return devices.shown(visit, status=429, problem="Too many attempts. Please wait some minutes.")
    if not visit.gate.passwords.fits(visit.me.password, known):
        visit.gate.by_name.failed(by_name)
        return devices.shown(visit, status=422, problem="The present password is not right.")
    problem = password_problem(fresh, visit.me.login, visit.me.name, visit.study.settings)
    if problem:
        return devices.shown(visit, status=422, problem=problem)
    hashed, keep = visit.gate.passwords.hash(fresh), visit.cookie
    visit.study.database.write(lambda c: people.set_password(c, code, hashed, keep=keep))
    same_password(visit, known, hashed)
    return devices.shown(visit, said="The password is changed; you are signed out everywhere else.")


def language(visit: Visit) -> Response:
    """Keep the language that somebody chose, and show the page again in it."""
    name, back = visit.field("language"), visit.field("back")
    if name in LANGUAGES:
        visit.chosen = name
        if visit.person is not None:
            code = visit.person.code
            visit.study.database.write(lambda c: people.set_language(c, code, name))
    return visit.go(back if OWN.fullmatch(back) else "/")


def withdraw(visit: Visit) -> Response:
    """Take everything back that a rater said, as the consent promises."""
    if visit.field("sure") != "yes":
        return devices.shown(visit, status=422, problem="Please tick that you want to withdraw.")
    code = visit.me.code
    visit.study.database.write(lambda c: people.withdraw(c, code, by=code))
    visit.study.database.scrub()
    visit.person = None  # nobody is signed in any more: the page offers neither account nor signing out
    text = "Your answers, notes and your account are deleted. Thank you for having taken part."
    return visit.page("sorry.html", title="You have withdrawn", text=text, over=True)
