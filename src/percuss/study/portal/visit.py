"""One request: who comes, with which form, and the ways to answer."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

from starlette.responses import HTMLResponse, RedirectResponse, Response

from percuss.core.errors import PercussError
from percuss.study import oidc
from percuss.study.portal.claims import Claims
from percuss.study.portal.look import Look
from percuss.study.portal.security import Attempts, Passwords, csrf_token, draft_key
from percuss.study.portal.words import LANGUAGES, Words, language_of, words_of
from percuss.study.saying import CantNow, Said
from percuss.study.settings import Oidc
from percuss.study.store import ledger
from percuss.study.store.people import SESSION_S, Person
from percuss.study.store.work import Slot
from percuss.study.study import Study

__all__ = ["Gate", "View", "Visit", "cookie_name", "language_cookie"]

LANGUAGE_S = 365 * 24 * 60 * 60


def cookie_name(secret: bytes, *, secure: bool) -> str:
    """Return the name of a study's own cookie: studies on one host don't share one; over https it is bound to the host.

    Args:
        secret: of the study. secure: whether people come by https; `__Host-` then keeps other hosts of the domain out.
    """
    own = hashlib.sha256(b"cookie\x1f" + secret).hexdigest()[:8]
    return f"__Host-percuss_{own}" if secure else f"percuss_{own}"


def language_cookie(*, secure: bool) -> str:
    """Return the name of the cookie that keeps the language somebody chose."""
    return "__Host-percuss_language" if secure else "percuss_language"


@dataclass
class Gate:
    """What all requests share.

    Args:
        study: the open study.
        look: renders the pages.
        public_url: scheme, host and base path under which people reach the study; empty: as they came.
        base: base path, without a slash at the end.
        cookies: path of the cookies where several studies share an address; empty: the base path.
        proxies: addresses of proxies whose word on where somebody comes from is taken.
        others: gates of the other studies that are served on the same address.
        turns: code -> the open place that each rater was shown last: a save needs not look for it; the writer asks what holds.
        by_name, by_account, by_place: failed sign-ins of a name from one place, of an account from anywhere, from a place.
    """

    study: Study
    look: Look
    public_url: str = ""
    base: str = ""
    cookies: str = ""
    passwords: Passwords = field(default_factory=Passwords)
    proxies: frozenset[str] = frozenset()
    by_name: Attempts = field(default_factory=lambda: Attempts(5))
    by_account: Attempts = field(default_factory=lambda: Attempts(10, 900.0))
    by_place: Attempts = field(default_factory=lambda: Attempts(40))
    sign_ons: Attempts = field(default_factory=lambda: Attempts(20))
    claims: Claims = field(default_factory=Claims)
    others: list["Gate"] = field(default_factory=list)
    turns: dict[str, Slot] = field(default_factory=dict)
    words: Callable[[str], Words] = words_of
    provider: oidc.Provider = field(default_factory=oidc.Provider)

    @cached_property
    def cookie(self) -> str:
        """Name of the cookie of this study."""
        return cookie_name(self.study.secret, secure=self.secure)

    @property
    def cookie_path(self) -> str:
        """Path of the cookies: `__Host-` allows the root alone."""
        return "/" if self.secure else self.cookies or self.base or "/"

    @property
    def secure(self) -> bool:
        """Whether cookies are sent over https only."""
        return self.public_url.startswith("https://")

    @property
    def single_sign_on(self) -> Oidc | None:
        """Settings of single sign-on, None where there is none."""
        return self.study.settings.oidc


@dataclass
class Visit:
    """A request, ready for a view.

    Args:
        form: field -> values of a submitted form.
        path: parts of the path that the page's pattern names.
        person: who is signed in, None for a visitor.
        cookie: the browser's cookie, made new where it had none.
        htmx: the answer goes into the page, not in its place.
        here: path of the page, "/" where it can't be loaded again. chosen: language chosen with this request.
        state: of the study; empty where nobody is signed in.
    """

    gate: Gate
    method: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, list[str]]
    person: Person | None
    cookie: str
    client: str
    htmx: bool = False
    state: str = ""
    origin: str = ""
    asked: Mapping[str, str] = field(default_factory=dict)
    here: str = "/"
    chosen: str = ""

    @property
    def study(self) -> Study:
        """The study."""
        return self.gate.study

    @property
    def me(self) -> Person:
        """The person signed in; a page that needs one is never reached without."""
        assert self.person is not None
        return self.person

    @cached_property
    def csrf(self) -> str:
        """The token of this browser's forms."""
        return csrf_token(self.study.secret, self.cookie)

    @property
    def draft_key(self) -> str:
        """The key by which this person's browser seals what is begun: it comes with each page and is stored by none."""
        return draft_key(self.study.secret, self.me.code)

    @property
    def language(self) -> str:
        """The language of who reads: as chosen, else the study's."""
        kept = self.chosen or self.asked.get(language_cookie(secure=self.gate.secure), "")
        return language_of(kept, otherwise=language_of(self.study.settings.language))

    @property
    def t(self) -> Words:
        """The words of who reads."""
        return self.gate.words(self.language)

    def field(self, name: str) -> str:
        """Return the first value of a form field, empty where it was not sent."""
        return (self.form.get(name) or [""])[0]

    def url(self, path: str) -> str:
        """Return the address of one of our pages, base path included."""
        return self.gate.base + quote(path, safe="/?=&%-._~")

    def page(self, template: str, *, status: int = 200, **context: Any) -> Response:
        """Render a page, or the part of it that an htmx request swaps in."""
        html = self.gate.look.render(
            template,
            visit=self,
            t=self.t,
            study=self.study.settings,
            design=self.study.design,
            csrf=self.csrf,
            person=self.person,
            url=self.url,
            layout="part.html" if self.htmx else "page.html",
            **context,
        )
        return self.keep(HTMLResponse(html, status_code=status, headers={"cache-control": "no-store"}))

    def go(self, path: str) -> Response:
        """Send the browser to another of our pages."""
        if self.htmx:
            return self.keep(Response(status_code=204, headers={"HX-Redirect": self.url(path)}))
        return self.keep(RedirectResponse(self.url(path), status_code=303))

    def show(self, view: "View", path: str) -> Response:
        """Answer a form with another page: in place for htmx, by redirect for a plain form."""
        if not self.htmx:
            return self.go(path)
        response = view(self)
        response.headers["HX-Push-Url"] = self.url(path)
        return response

    def why(self, error: PercussError) -> str:
        """Return why something could not be done, as a sentence in the reader's language."""
        said = self.tell(error.said) if isinstance(error, CantNow) else str(error)
        return f"{said[:1].upper()}{said[1:]}."

    def tell(self, said: Said) -> str:
        """Return a sentence with what stands in it in the reader's language."""
        return self.t.plain(
            said.sentence, **{name: self.t.plain(value) for name, value in said.values.items()}
        )

    def note(self, who: str, what: str, subject: str, value: object = None) -> None:
        """Write something that happened into the ledger, soon."""
        self.study.database.post(lambda c: ledger.append(c, who, what, subject, value))

    def keep(self, response: Response) -> Response:
        """Send the cookie along."""
        response.set_cookie(
            self.gate.cookie,
            self.cookie,
            max_age=SESSION_S,
            path=self.gate.cookie_path,
            secure=self.gate.secure,
            httponly=True,
            samesite="lax",
        )
        if self.chosen in LANGUAGES:
            response.set_cookie(
                language_cookie(secure=self.gate.secure),
                self.chosen,
                max_age=LANGUAGE_S,
                path=self.gate.cookie_path,
                secure=self.gate.secure,
                httponly=True,
                samesite="lax",
            )
        return response


View = Callable[[Visit], Response]
