"""Several studies on one address: each under a path of its own, with its own people, cookies, keys and database."""

import re
from collections.abc import Mapping, MutableMapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from percuss.study.portal.app import application, gate_of, hosts_of
from percuss.study.portal.look import Look
from percuss.study.portal.security import Passwords, Perimeter, Receive, Scope, Send
from percuss.study.portal.visit import cookie_name, language_cookie
from percuss.study.portal.words import language_of, words_of
from percuss.study.store import people
from percuss.study.study import Study

__all__ = ["portals", "slugs"]


def slugs(names: Sequence[str]) -> tuple[str, ...]:
    """Return the part of the path under which each study is reached: plain, short, and each another one.

    >>> slugs(["Ward/7", "ward 7", "研究"])
    ('ward-7', 'ward-7-2', 'study')
    """
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "study"
        number = 2
        slug = plain
        while slug in found:
            slug, number = f"{plain}-{number}", number + 1
        found.append(slug)
    return tuple(found)


class _Front:
    """Hands a request to the study whose path it asks for; the front page lists the studies that one is signed in to."""

    def __init__(self, studies: Mapping[str, Study], apps: Mapping[str, Any], public_url: str) -> None:
        self.studies = studies
        self.apps = apps
        self.base = urlsplit(public_url).path.rstrip("/")
        self.secure = public_url.startswith("https://")
        self.look = Look(f"{self.base}/{next(iter(studies))}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        slug, _, rest = scope["path"].removeprefix("/").partition("/")
        if slug in self.apps:
            path = f"{self.base}/{slug}/{rest}"
            await self.apps[slug]({**scope, "path": path, "raw_path": path.encode()}, receive, send)
        else:
            lost = scope["path"] != "/"
            text = await run_in_threadpool(self._page, scope, lost=lost)
            page = HTMLResponse(text, 404 if lost else 200, headers={"cache-control": "no-store"})
            await page(scope, receive, send)

    def _page(self, scope: MutableMapping[str, Any], *, lost: bool) -> str:
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            cookies = SimpleCookie()
        mine = []
        for slug, study in self.studies.items():
            cookie = cookies.get(cookie_name(study.secret, secure=self.secure))
            if cookie is None:
                continue
            with study.database.peek() as connection:
                person = people.who(connection, cookie.value).person
            if person is not None:
                mine.append(
                    (f"{self.base}/{slug}/", study.settings.title or study.settings.name, person.role)
                )
        name = language_cookie(secure=self.secure)
        kept = cookies[name].value if name in cookies else ""
        first = next(iter(self.studies.values())).settings.language
        words = words_of(language_of(kept, otherwise=language_of(first)))
        return self.look.render("front.html", mine=mine, t=words, lost=lost)


def portals(
    studies: Sequence[Study], *, public_url: str, host: str = "127.0.0.1", passwords: Passwords | None = None
) -> Any:
    """Return one ASGI application for several studies, each under its own path.

    Args:
        studies: open; closing them is up to the caller.
        public_url: address under which people reach all of them, without a slash at the end.
        host: address that it listens on. passwords: how they are hashed; None: as for one study.
    """
    named = dict(zip(slugs([one.settings.name for one in studies]), studies, strict=True))
    shared = urlsplit(public_url).path.rstrip("/") or "/"  # the front page sees who is signed in to what
    gates = {
        slug: gate_of(study, public_url=f"{public_url}/{slug}", passwords=passwords, cookies=shared)
        for slug, study in named.items()
    }
    for gate in gates.values():
        gate.others = [other for other in gates.values() if other is not gate]
    apps = {slug: application(gate, host=host) for slug, gate in gates.items()}
    front = _Front(named, apps, public_url)
    secure = public_url.startswith("https:")
    return Perimeter(front, base=front.base, hosts=hosts_of(public_url, host), secure=secure)
