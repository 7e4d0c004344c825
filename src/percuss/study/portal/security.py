"""What keeps a study's answers its own: headers, request forgery tokens, limits on guessing, passwords, hosts."""

import hashlib
import hmac
import threading
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

__all__ = [
    "HEADERS",
    "Attempts",
    "Passwords",
    "Perimeter",
    "csrf_token",
    "draft_key",
    "same_origin",
]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# No inline script or style anywhere; pictures come from here only; nothing may frame the page or be posted elsewhere.
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "font-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # `no-referrer` would make browsers send `Origin: null` with our own forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


HTTPS = {"strict-transport-security": "max-age=31536000"}
"""Beside them where people come by https; whether it holds for names below the host is for whoever owns these to say."""


def draft_key(secret: bytes, code: str) -> str:
    """Return the key of a person's drafts, 32 bytes in hex: what a browser keeps of them can't be read without a sign-in.

    Args:
        secret: of the study. code: of the person.
    """
    return hmac.new(secret, f"draft\x1f{code}".encode(), hashlib.sha256).hexdigest()


def csrf_token(secret: bytes, cookie: str) -> str:
    """Return the token that a form must carry, bound to the browser's cookie."""
    return hmac.new(secret, b"csrf\x1f" + cookie.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def same_origin(origin: str | None, host: str, public_url: str) -> bool:
    """Return whether a request that changes something comes from our own pages, as far as its headers tell.

    Args:
        origin: the `Origin` header; None where the browser sent none, which the token alone must then make good.
        host: the `Host` header.
        public_url: address under which people reach the study; empty where none was set.
    """
    if origin is None:
        return True
    came = urlsplit(origin)
    if public_url and (came.scheme, came.netloc) == urlsplit(public_url)[:2]:
        return True
    return came.netloc == host and bool(host)


class Attempts:
    """Counts failures in a sliding window; what has failed too often must wait.

    Args:
        limit: failures allowed; window_s: seconds for which a failure counts.
    """

    def __init__(self, limit: int, window_s: float = 300.0) -> None:
        self.limit = limit
        self.window_s = window_s
        self._failures: dict[str, deque[float]] = defaultdict(deque)
        self._guard = threading.Lock()

    def wait_s(self, key: str) -> int:
        """Return the seconds to wait before the next attempt; 0: go on."""
        with self._guard:
            failures = self._recent(key)
            if len(failures) < self.limit:
                return 0
            return max(1, int(failures[0] + self.window_s - time.monotonic()) + 1)

    def failed(self, key: str) -> None:
        """Count a failure."""
        with self._guard:
            self._recent(key).append(time.monotonic())
            if len(self._failures) > 10_000:  # an attacker who varies the key must not fill the memory
                self._failures.pop(next(iter(self._failures)))

    def forget(self, key: str) -> None:
        """Forget the failures of a key after a success."""
        with self._guard:
            self._failures.pop(key, None)

    def _recent(self, key: str) -> deque[float]:
        failures = self._failures[key]
        while failures and failures[0] < time.monotonic() - self.window_s:
            failures.popleft()
        return failures


class Passwords:
    """Hashes and checks passwords with Argon2id, at the first recommended cost of RFC 9106 for little memory.

    Args:
        memory_kib: memory of one hash.
        rounds: passes over it.
    """

    def __init__(self, *, memory_kib: int = 64 * 1024, rounds: int = 3) -> None:
        self.memory_kib = memory_kib
        self.rounds = rounds
        self._at_once = threading.BoundedSemaphore(2)  # a hundred sign-ins at once must not take 6 GB

    @cached_property
    def _hasher(self) -> Any:
        from argon2 import PasswordHasher

        return PasswordHasher(memory_cost=self.memory_kib, time_cost=self.rounds)

    @cached_property
    def _nobody(self) -> str:
        return self.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """Return the hash of a password."""
        with self._at_once:
            return str(self._hasher.hash(password))

    def fits(self, stored: str, password: str) -> bool:
        """Return whether a password fits; where there is no account the same work is done, so that time tells nothing."""
        from argon2.exceptions import InvalidHashError, VerificationError

        target = stored or self._nobody
        with self._at_once:
            try:
                return bool(self._hasher.verify(target, password)) and bool(stored)
            except (VerificationError, InvalidHashError):
                return False


class Perimeter:
    """Outermost layer: answers only for known hosts, takes the base path off, adds the security headers.

    Args:
        app: what is inside.
        base: path under which the study is reached ("/study"), empty for the root. A proxy may strip it or not.
        hosts: host names that are answered; None: any.
        secure: whether people come by https; browsers are told to come by nothing else then.
    """

    def __init__(self, app: App, *, base: str, hosts: frozenset[str] | None, secure: bool = False) -> None:
        self.app = app
        self.headers = [(k.encode(), v.encode()) for k, v in {**HEADERS, **(HTTPS if secure else {})}.items()]
        self.base = base
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = {key.lower() for key, _ in message["headers"]}
                more = [(name, value) for name, value in self.headers if name not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        if self.hosts is not None and host.rpartition(":")[0 if ":" in host else 2] not in self.hosts:
            await _plain(guarded, 421, "This address is not served here.")
            return
        path = scope["path"]
        if self.base and (path == self.base or path.startswith(self.base + "/")):
            scope = {**scope, "path": path[len(self.base) :] or "/"}
        await self.app(scope, receive, guarded)


async def _plain(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
