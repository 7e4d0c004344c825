"""The second factor: asked for after the password, set up and removed on one's account page."""

import hashlib

from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.responses import Response

from percuss.study.portal.views import devices
from percuss.study.portal.views.entering import enter
from percuss.study.portal.visit import Visit
from percuss.study.store import factor, people
from percuss.study.store.people import Person

__all__ = ["ask", "change", "enter_code", "owed"]

WAITING_S = 300  # seconds between password and code
SETTING_UP_S = 900  # seconds for setting an app up
WRONG = "This code is not right, or it was used already. Wait for the next one and type it in."


def owed(visit: Visit) -> bool:
    """Return whether somebody must set a second factor up before anything else."""
    person = visit.person
    asked = visit.study.settings.second_factor and person is not None and person.password
    return bool(asked and person and not person.factor)


def _kept(visit: Visit, purpose: str) -> URLSafeTimedSerializer:
    """What is handed to the browser to bring back: sealed, and of this browser alone."""
    own = hashlib.sha256(visit.cookie.encode()).hexdigest()
    return URLSafeTimedSerializer(visit.study.secret, salt=f"percuss-{purpose}-{own}")


def ask(visit: Visit, person: Person, *, problem: str = "", status: int = 200) -> Response:
    """Ask for the code of somebody whose password was right."""
    waiting = _kept(visit, "code").dumps(person.code)
    return visit.page("code.html", status=status, waiting=waiting, problem=problem)


def enter_code(visit: Visit) -> Response:
    """Check the code and open the session; each code opens one."""
    try:
        code = str(_kept(visit, "code").loads(visit.field("waiting"), max_age=WAITING_S))
    except BadSignature:
        return visit.page(
            "login.html", status=422, problem="This took too long. Please sign in again.", login=""
        )
    with visit.study.database.read() as connection:
        person = people.by_code(connection, code)
    if person is None or not person.factor or person.left:
        return visit.page("login.html", status=422, problem="Please sign in again.", login="")
    wait = visit.gate.by_account.wait_s(person.login)
    if wait:
        text = visit.t.n(
            -(-wait // 60),
            "Too many attempts. Please wait {n} minute and try again.",
            "Too many attempts. Please wait {n} minutes and try again.",
        )
        return ask(visit, person, problem=text, status=429)
    step = factor.fits(factor.opened(visit.study.secret, person.factor), visit.field("code"))
    if step is None or not visit.study.database.write(lambda c: factor.take_step(c, code, step)):
        visit.gate.by_account.failed(person.login)
        visit.note(code, "sign-in failed", "", {"from": visit.client, "second factor": True})
        return ask(visit, person, problem=WRONG, status=401)
    visit.gate.by_account.forget(person.login)
    return enter(visit, code)


def change(visit: Visit) -> Response:
    """Begin or finish setting a second factor up, or remove it; the present password is asked for each time."""
    me, gate = visit.me, visit.gate
    by_name = f"{visit.client}\x1f{me.login}"
    if gate.by_name.wait_s(by_name):
        return _account(visit, 429, "Too many attempts. Please wait some minutes.")
    if visit.field("step") == "factor-code":
        return _finish(visit)
    if not gate.passwords.fits(me.password, visit.field("known")[:1000]):
        gate.by_name.failed(by_name)
        return _account(visit, 422, "The present password is not right.")
    if visit.field("step") == "factor-end":
        if visit.study.settings.second_factor:
            return _account(visit, 422, "This study asks everybody for a second factor.")
        visit.study.database.write(lambda c: factor.remove_factor(c, me.code))
        return visit.go("/account")
    return _show(visit, factor.fresh())


def _show(visit: Visit, seed: str, problem: str = "", status: int = 200) -> Response:
    name = visit.study.settings.name
    return visit.page(
        "factor.html",
        status=status,
        seed=" ".join(seed[n : n + 4] for n in range(0, len(seed), 4)),
        address=factor.address_of(seed, who=visit.me.login, study=name),
        kept=_kept(visit, "seed").dumps(seed),
        problem=problem,
    )


def _finish(visit: Visit) -> Response:
    try:
        seed = str(_kept(visit, "seed").loads(visit.field("kept"), max_age=SETTING_UP_S))
    except BadSignature:
        return _account(visit, 422, "This took too long. Please begin again.")
    step = factor.fits(seed, visit.field("code"))
    if step is None:
        return _show(visit, seed, problem=WRONG, status=422)
    code, kept, keep = visit.me.code, factor.sealed(visit.study.secret, seed), visit.cookie
    visit.study.database.write(lambda c: factor.set_factor(c, code, kept, step))
    visit.study.database.write(lambda c: people.end_sessions(c, code, keep=keep))
    with visit.study.database.read() as connection:
        visit.person = people.by_code(connection, code)
    return devices.shown(visit, said="The second factor is on; you are signed out everywhere else.")


def _account(visit: Visit, status: int, problem: str) -> Response:
    return devices.shown(visit, status=status, problem=problem)
