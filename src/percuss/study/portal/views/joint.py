"""Two people at one screen: the second signs in beside the first, they see where they differ, settle, and both are recorded."""

from dataclasses import replace

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.responses import Response

from percuss.core.errors import UsageError
from percuss.study.answers import Given, read_answer
from percuss.study.blinding import opaque
from percuss.study.portal.views.adjudication import (
    MIN_REASON,
    closed,
    lettered,
    settled_of,
    settling_page,
)
from percuss.study.portal.views.shown import letters_of, text_length, told
from percuss.study.portal.visit import Visit
from percuss.study.store import factor, people, together, work
from percuss.study.store.people import Person
from percuss.study.store.work import Labelled

__all__ = ["begin", "item", "part"]

WRONG = "Name, password or code is not right."


def _elsewhere(visit: Visit) -> Response | None:
    """Return the page that says who settles differences where it is not two raters together."""
    if visit.study.settings.settling == "together":
        return None
    text = "In this study an adjudicator settles differences: there is nothing for you to do here. Please go on with your items."
    return visit.page("sorry.html", title="Nothing to settle together", text=text, to_items=True)


def begin(visit: Visit) -> Response:
    """Ask the second person to sit down, or show the next difference between the two."""
    if (page := _elsewhere(visit) or closed(visit)) is not None:
        return page
    if visit.method == "POST":
        return _sit_down(visit)
    with visit.study.database.read() as connection:
        partner = together.partner(connection, visit.cookie)
        differing = _between(visit, connection, partner)
        settled = work.agreed(connection)
    waiting = [number for number in differing if number not in settled]
    if partner is not None and waiting:
        return _page(visit, waiting[0])
    done = partner is not None and bool(differing)
    return visit.page("joint.html", partner=partner, settled=done, problem="", login="")


def _between(visit: Visit, connection: Connection, partner: Person | None) -> dict[int, list[Labelled]]:
    if partner is None:
        return {}
    return together.between(connection, visit.study.design, visit.me.code, partner.code)


def _sit_down(visit: Visit) -> Response:
    """Check who the second person is, as at signing in, and take them into the session."""
    gate, login = visit.gate, visit.field("login")[:120]
    account = login.strip().lower()
    by_name = f"{visit.client}\x1f{account}"
    wait = max(
        gate.by_name.wait_s(by_name), gate.by_account.wait_s(account), gate.by_place.wait_s(visit.client)
    )
    if wait:
        return _again(visit, "Too many attempts. Please wait some minutes.", login, 429)
    with visit.study.database.read() as connection:
        other = people.by_login(connection, login)
    fits = gate.passwords.fits(other.password if other else "", visit.field("password")[:1000])
    if other is None or not fits or not other.joined or not _code_fits(visit, other):
        for attempts, key in (
            (gate.by_name, by_name),
            (gate.by_account, account),
            (gate.by_place, visit.client),
        ):
            attempts.failed(key)
        visit.note(
            other.code if other else "visitor", "sign-in failed", "", {"from": visit.client, "beside": True}
        )
        return _again(visit, WRONG, login, 401)
    gate.by_account.forget(account)
    cookie, code = visit.cookie, other.code
    try:
        visit.study.database.write(lambda c: together.sit_down(c, cookie, code))
    except UsageError:
        return _again(visit, "Two different raters of this study settle together.", login, 422)
    return visit.go("/joint")


def _code_fits(visit: Visit, other: Person) -> bool:
    """Return whether the second person's one-time code is right, where they have a second factor."""
    if not other.factor:
        return not visit.study.settings.second_factor
    step = factor.fits(factor.opened(visit.study.secret, other.factor), visit.field("code"))
    return step is not None and bool(
        visit.study.database.write(lambda c: factor.take_step(c, other.code, step))
    )


def _again(visit: Visit, problem: str, login: str, status: int) -> Response:
    return visit.page("joint.html", status=status, partner=None, settled=False, problem=problem, login=login)


def part(visit: Visit) -> Response:
    """Let the second person leave the screen."""
    cookie = visit.cookie
    visit.study.database.write(lambda c: together.part(c, cookie))
    return visit.go("/joint")


def _token(visit: Visit, number: int, other: str) -> str:
    return opaque(visit.study.secret, "joint", visit.me.code, other, number)


def item(visit: Visit) -> Response:
    """Show a difference between the two, or save what they settled."""
    if (page := _elsewhere(visit) or closed(visit)) is not None:
        return page
    with visit.study.database.read() as connection:
        partner = together.partner(connection, visit.cookie)
        differing = _between(visit, connection, partner)
    if partner is None:
        return visit.go("/joint")
    number = next((n for n in differing if _token(visit, n, partner.code) == visit.path["token"]), None)
    if number is None:
        raise HTTPException(404, "There is no such item to settle.")
    return _page(visit, number) if visit.method == "GET" else _save(visit, number, partner)


def _save(visit: Visit, number: int, partner: Person) -> Response:
    design = visit.study.design
    with visit.study.database.read() as connection:
        shown = visit.study.item(connection, number).shown
    letters = letters_of(design, shown, _token(visit, number, partner.code))
    length = text_length(design, shown)
    given, problems = read_answer(
        design, visit.form, letters=letters, length=length, questions=design.settled
    )
    reason = visit.field("reason").strip()[:4000]
    wrong: tuple[str, ...] = told(visit, problems)
    if len(reason) < MIN_REASON:
        wrong = (*wrong, "Please give the reason for your decision.")
    if wrong:
        return _page(visit, number, problems=wrong, given=given, status=422)
    pair, seen = (visit.me.code, partner.code), visit.field("seen")
    try:
        visit.study.database.write(lambda c: together.settle(c, pair, number, given, reason, seen=seen))
    except work.Locked as error:
        fresh = replace(visit, form={})
        return _page(fresh, number, problems=(visit.why(error),), status=422)
    return visit.show(_next, "/joint")


def _next(visit: Visit) -> Response:
    return begin(replace(visit, method="GET", form={}))


def _page(
    visit: Visit,
    number: int,
    *,
    problems: tuple[str, ...] = (),
    given: Given | None = None,
    status: int = 200,
) -> Response:
    with visit.study.database.read() as connection:
        partner = together.partner(connection, visit.cookie)
        differing = _between(visit, connection, partner)
        held = visit.study.item(connection, number)
        settled = work.agreed(connection)
    assert partner is not None
    if status == 200:
        visit.note(visit.me.code, "viewed", held.id, {"beside": partner.code})
    token, labels = _token(visit, number, partner.code), differing[number]
    before = [n for n in differing if n in settled and n != number]
    return settling_page(
        visit,
        f"/joint/{token}",
        held.shown,
        lettered(visit, token, labels, held.shown, named=True),
        known=settled.get(number),
        progress=settled_of(differing, settled),
        back=f"/joint/{_token(visit, before[-1], partner.code)}" if before else "",
        pair=(visit.me.code, partner.code),
        token=token,
        pictures=visit.url(f"/picture/{labels[0].token}"),
        problems=problems,
        given=given,
        status=status,
    )
