"""The application: the table of pages with who may see them, and the one way in."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from percuss.core.errors import PercussError
from percuss.study.plain import plain
from percuss.study.portal.look import STATIC, Look
from percuss.study.portal.security import Passwords, Perimeter, csrf_token, same_origin
from percuss.study.portal.views import (
    account,
    adjudication,
    coordination,
    factor,
    invitation,
    joint,
    listing,
    media,
    practice,
    sso,
    work,
)
from percuss.study.portal.visit import Gate, View, Visit
from percuss.study.portal.words import Words, words_of
from percuss.study.store import people
from percuss.study.store.people import Visitor
from percuss.study.study import Study

__all__ = ["PAGES", "Page", "application", "gate_of", "hosts_of", "portal"]

MAX_FORM = 400_000  # bytes; an answer with many marks and notes is far below
ANYONE = frozenset({"visitor", "rater", "adjudicator", "coordinator"})
SIGNED_IN = ANYONE - {"visitor"}
BEFORE_FACTOR = frozenset({"/account", "/language", "/logout", "/health"})
"""What somebody reaches whose study asks for a second factor, before it is set up."""
TITLES = {403: "Not possible", 429: "Please wait"}
"""Headings of pages that say no, by status; where there is none, it was not found."""
RATER, ADJUDICATOR, COORDINATOR = frozenset({"rater"}), frozenset({"adjudicator"}), frozenset({"coordinator"})


@dataclass(frozen=True)
class Page:
    """One page: where, how, for whom. Whoever is not named is refused before the view is called."""

    path: str
    view: View
    methods: tuple[str, ...]
    roles: frozenset[str]


PAGES = (
    Page("/", account.start, ("GET",), ANYONE),
    Page("/health", account.health, ("GET",), ANYONE),
    Page("/login", account.login, ("GET", "POST"), ANYONE),
    Page("/login/code", factor.enter_code, ("POST",), ANYONE),
    Page("/logout", account.logout, ("POST",), SIGNED_IN),
    Page("/join", invitation.join, ("GET", "POST"), ANYONE),
    Page("/language", account.language, ("POST",), ANYONE),
    Page("/account", account.account, ("GET", "POST"), SIGNED_IN),
    Page("/account/withdraw", account.withdraw, ("POST",), RATER),
    Page("/sso/start", sso.start, ("GET",), ANYONE),
    Page("/sso/back", sso.back, ("GET",), ANYONE),
    Page("/guide", practice.guide, ("GET",), SIGNED_IN),
    Page("/practice", practice.practise, ("GET", "POST"), RATER),
    Page("/practice/picture/{number}/{n}", media.practice_picture, ("GET",), RATER),
    Page("/work", work.current, ("GET",), RATER),
    Page("/work/{token}", work.item, ("GET", "POST"), RATER),
    Page("/list", listing.places, ("GET",), RATER | ADJUDICATOR),
    Page("/case/{token}", work.case, ("GET", "POST"), RATER),
    Page("/joint", joint.begin, ("GET", "POST"), RATER),
    Page("/joint/part", joint.part, ("POST",), RATER),
    Page("/joint/{token}", joint.item, ("GET", "POST"), RATER),
    Page("/pause", work.pause, ("GET",), RATER | ADJUDICATOR),
    Page("/done", work.done, ("GET",), RATER),
    Page("/picture/{token}/{n}", media.picture, ("GET",), RATER | ADJUDICATOR),
    Page("/adjudicate", adjudication.current, ("GET",), ADJUDICATOR),
    Page("/adjudicate/{token}", adjudication.item, ("GET", "POST"), ADJUDICATOR),
    Page("/coordinate", coordination.overview, ("GET",), COORDINATOR),
    Page("/coordinate/act/{what}", coordination.act, ("POST",), COORDINATOR),
    Page("/coordinate/people", coordination.named, ("GET",), COORDINATOR),
    Page("/coordinate/item/{number}", coordination.drill, ("GET",), COORDINATOR),
    Page("/coordinate/picture/{number}/{n}", media.preview, ("GET",), COORDINATOR),
    Page("/coordinate/seal", coordination.sealed, ("POST",), COORDINATOR),
    Page("/coordinate/verify", coordination.verify, ("POST",), COORDINATOR),
    Page("/coordinate/invite/{code}", coordination.invite, ("POST",), COORDINATOR),
    Page("/coordinate/export/{kind}", coordination.export, ("GET",), COORDINATOR),
)


def _visitor(gate: Gate, cookie: str) -> Visitor:
    with gate.study.database.peek() as connection:
        found = people.who(connection, cookie)
    if found.stale:
        gate.study.database.write(lambda c: people.touch_session(c, cookie))
    return found


def _came_from(gate: Gate, request: Request) -> str:
    """Return the address of who asks: the nearest one that is no declared proxy's; others' `X-Forwarded-For` is not believed."""
    client = request.client.host if request.client else ""
    hops = [hop.strip() for line in request.headers.getlist("x-forwarded-for") for hop in line.split(",")]
    while client in gate.proxies and hops:
        client = hops.pop()
    return client


def _visit(gate: Gate, page: Page, request: Request, form: Mapping[str, list[str]]) -> Visit:
    cookie = request.cookies.get(gate.cookie, "")
    visitor = _visitor(gate, cookie) if cookie else Visitor(None)
    return Visit(
        gate=gate,
        method="GET" if request.method == "HEAD" else request.method,
        path={name: plain(part) for name, part in request.path_params.items()},
        query=request.query_params,
        form=form,
        person=visitor.person,
        state=visitor.state,
        cookie=cookie or secrets.token_urlsafe(32),
        client=_came_from(gate, request),
        htmx=request.headers.get("hx-request") == "true",
        origin=gate.public_url or f"{request.url.scheme}://{request.headers.get('host', '')}{gate.base}",
        asked=request.cookies,
        here=request.url.path if "GET" in page.methods else "/",
    )


def _forged(gate: Gate, request: Request, form: Mapping[str, list[str]], visit: Visit) -> bool:
    sent = (form.get("csrf") or [""])[0]
    expected = csrf_token(gate.study.secret, visit.cookie)
    ours = same_origin(request.headers.get("origin"), request.headers.get("host", ""), gate.public_url)
    fits = secrets.compare_digest(sent.encode("utf-8", "replace"), expected.encode())
    return not (ours and fits and gate.cookie in request.cookies)


def _serve(gate: Gate, page: Page, request: Request, form: Mapping[str, list[str]]) -> Response:
    visit = _visit(gate, page, request, form)
    role = visit.person.role if visit.person else "visitor"
    if role not in page.roles:
        if visit.person is None:
            return visit.page("login.html", status=401, problem="Please sign in first.", login="")
        visit.note(visit.person.code, "refused", page.path, {"why": "not their page"})
        return visit.page(
            "sorry.html", status=403, title="Not your page", text="This page is for another role."
        )
    if visit.method == "POST" and _forged(gate, request, form, visit):
        if visit.person is not None:
            visit.note(visit.person.code, "refused", page.path, {"why": "not a form of ours"})
        text = "This form is too old, or it did not come from this site. Go back, load the page again and repeat it."
        return visit.page("sorry.html", status=403, title="Please send it again", text=text)
    if page.path not in BEFORE_FACTOR and factor.owed(visit):
        return visit.go("/account")
    try:
        return page.view(visit)
    except HTTPException as error:
        return _sorry(visit, page, error)
    except PercussError as error:
        return visit.page("sorry.html", status=500, title="That did not work", text=visit.why(error))


def _sorry(visit: Visit, page: Page, error: HTTPException) -> Response:
    """Say why there is no such page for whoever asks; where it is an invitation's, whom to ask for another one."""
    code, more = error.status_code, ""
    title = TITLES.get(code, "Not found")
    if page.path == "/join" and code in (404, 410):
        title, more = "This link does not work", invitation.whom_to_ask(visit)
    return visit.page("sorry.html", status=code, title=title, text=error.detail, more=more)


async def _form(request: Request) -> dict[str, list[str]]:
    """Read an urlencoded form of bounded size; files are not taken."""
    if request.method != "POST":
        return {}
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM:
            raise HTTPException(413, "This is more than a form of ours can hold.")
    kind = request.headers.get("content-type", "").partition(";")[0]
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Forms are sent urlencoded.")
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=2000)
    return {name: [plain(value) for value in values] for name, values in fields.items()}


def _endpoint(gate: Gate, page: Page) -> Any:
    async def endpoint(request: Request) -> Response:
        try:
            form = await _form(request)
        except ValueError:
            raise HTTPException(400, "This form could not be read.") from None
        return await run_in_threadpool(_serve, gate, page, request, form)

    return endpoint


def _elsewhere(gate: Gate) -> Any:
    """Return what answers where no page is: the portal's own page of it, signed in or not."""
    page = Page("", account.start, ("GET",), ANYONE)

    def said(request: Request, error: HTTPException) -> Response:
        visit = _visit(gate, page, request, {})
        return visit.page(
            "sorry.html", status=error.status_code, title="Not found", text="There is no such page."
        )

    async def answer(request: Request, error: HTTPException) -> Response:
        return await run_in_threadpool(said, request, error)

    return answer


class _Static(StaticFiles):
    """Static files; an address that names a version may be kept for good, since another version has another address."""

    def file_response(self, full_path: Any, stat_result: Any, scope: Any, status_code: int = 200) -> Response:
        """Send a file with how long it may be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        if scope["query_string"].startswith(b"v="):
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def hosts_of(public_url: str, host: str) -> frozenset[str] | None:
    """Return the host names to answer for: on loopback only its own, against DNS rebinding; with a public URL that too."""
    local = {"127.0.0.1", "localhost", "[::1]"}
    named = urlsplit(public_url).hostname if public_url else None
    if host in ("127.0.0.1", "localhost", "::1"):
        return frozenset(local | ({named} if named else set()))
    return frozenset(local | {named, host}) if named else None


def portal(study: Study, *, host: str = "127.0.0.1", **how: Any) -> Any:
    """Return the ASGI application of a study.

    Args:
        study: an open study; closing it is up to the caller.
        host: address that it listens on, which decides the host names it answers for.
        how: public_url, passwords, cookies and words, as `gate_of` takes them.
    """
    return application(gate_of(study, **how), host=host)


def gate_of(
    study: Study,
    *,
    public_url: str = "",
    passwords: Passwords | None = None,
    cookies: str = "",
    words: Callable[[str], Words] = words_of,
) -> Gate:
    """Return what all requests of a study share.

    Args:
        study: an open study.
        public_url: address under which people reach it, base path included; empty: as they came.
        passwords: how passwords are hashed; None: at the cost that RFC 9106 recommends.
        cookies: path of the cookies where several studies share an address; empty: the base path.
        words: gives the words of a language.
    """
    public_url = public_url.rstrip("/")
    base = urlsplit(public_url).path.rstrip("/") if public_url else ""
    return Gate(
        study=study,
        look=Look(base),
        public_url=public_url,
        base=base,
        cookies=cookies,
        passwords=passwords or Passwords(),
        proxies=frozenset(study.settings.proxies),
        words=words,
    )


def application(gate: Gate, *, host: str) -> Any:
    """Return the ASGI application of a gate, for the address that it listens on."""
    routes: list[BaseRoute] = [Route(p.path, _endpoint(gate, p), methods=list(p.methods)) for p in PAGES]
    routes.append(Mount("/static", _Static(directory=STATIC)))
    hosts = hosts_of(gate.public_url, host)
    return Perimeter(
        Starlette(routes=routes, exception_handlers={404: _elsewhere(gate)}),
        base=gate.base,
        hosts=hosts,
        secure=gate.secure,
    )
