"""One client for all registries: at their pace, with Retry-After, counting what is sent, keeping what was answered."""

import asyncio
import datetime as dt
import email.utils
import time
import typing
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec

from percuss.core.errors import FetchError
from percuss.net.client import Answer as HttpAnswer
from percuss.net.client import Client, NetError
from percuss.net.fetching import Page

__all__ = ["PER_SECOND", "Kept", "Polite"]

PER_SECOND = 5.0
"""Requests to one host a second at most (definitions/citations, "Audit", acceptance)."""
_LONGEST_WAIT_S = 60.0
_PERSONAL = frozenset({"mailto", "email", "api_key", "tool"})  # sent, never kept
_KINDS = {
    "timeout": "timeout",
    "reset": "refused",
    "unreachable": "refused",
    "tls": "tls",
    "status": "refused",
    "size": "too_large",
}


class Kept(typing.Protocol):
    """Where answers stay: the archive of a run, or a folder."""

    async def asked(self, key: str, get: Callable[[], Awaitable[Page]] | None) -> Page:
        """Return what was answered to something, asked once; `get` is None where nobody may be contacted."""
        ...


class Polite:
    """Asks registries.

    Args:
        client: of the run, so that hosts are counted and `--offline` holds; None = only what was kept is answered.
        archive: where answers stay, so that an interrupted audit goes on and a repeated one asks nothing.
        mail: address given to those that ask for one; "" = none.
        per_second: requests to one host a second at most.
        tries: attempts at one request.
    """

    def __init__(
        self,
        client: Client | None,
        *,
        archive: Kept | None = None,
        mail: str = "",
        per_second: float = PER_SECOND,
        tries: int = 3,
    ) -> None:
        self._client = client
        self._archive = archive
        self.mail = mail
        self._interval_s = 1.0 / per_second
        self._own: dict[str, float] = {}
        self._tries = tries
        self._next: defaultdict[str, float] = defaultdict(float)
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.bytes_sent = 0
        self.requests = 0

    def pace(self, base: str, per_second: float) -> None:
        """Let one host be asked more often (or less) than the others: a paid search has no polite pool."""
        self._own[base.split("/")[2]] = 1.0 / per_second

    async def json(self, source: str, base: str, path: str, **query: str) -> tuple[int, Any]:
        """Return status and JSON of an answer; a status of 400, 404 or 410 is an answer.

        Raises:
            FetchError: no answer; `kind` is timeout, dns, tls, refused, too_large or status.
        """
        status, body = await self.raw(source, base, path, query)
        if status != 200:
            return status, None
        try:
            return status, msgspec.json.decode(body)
        except msgspec.DecodeError:
            raise FetchError(f"{source} answered with something that is no JSON", kind="status") from None

    async def raw(
        self,
        source: str,
        base: str,
        path: str,
        query: Mapping[str, str] | None = None,
        *,
        post: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Return status and body of an answer (see `json`); `post` is sent as JSON."""
        asked = f"{path}?{urlencode(sorted(query.items()))}" if query else path
        shown = sorted((name, value) for name, value in (query or {}).items() if name not in _PERSONAL)
        body = None if post is None else msgspec.json.encode(post)
        key = f"{source}:{path}?{urlencode(shown)}" + (f"#{body.decode()}" if body else "")
        url = f"{base.rstrip('/')}{asked}"

        async def get() -> Page:
            answer = await self._asked(source, url, body, dict(headers or {}))
            return Page("", answer.status, "application/json", "", answer.body)

        if self._archive is not None:
            page = await self._archive.asked(key, None if self._client is None else get)
        elif self._client is not None:
            page = await get()
        else:
            raise FetchError(f"{source} was not asked: no host is contacted", kind="blocked")
        return page.status, page.data

    async def _asked(self, source: str, url: str, body: bytes | None, headers: dict[str, str]) -> HttpAnswer:
        assert self._client is not None
        host = url.split("/")[2]
        agent = f"percuss (mailto:{self.mail})" if self.mail else "percuss"
        headers = {"Accept": "application/json, */*;q=0.5", "User-Agent": agent, **headers}
        failure = FetchError(f"{source} gave no answer", kind="status")
        for attempt in range(self._tries):
            await self._turn(host)
            self.requests += 1
            self.bytes_sent += len(url.encode()) + len(body or b"")
            try:
                if body is None:
                    answer = await self._client.get(url, headers=headers)
                else:
                    answer = await self._client.post(
                        url, body=body, headers={**headers, "Content-Type": "application/json"}
                    )
            except NetError as error:
                failure = FetchError(
                    f"{source} could not be asked: {error}", kind=_KINDS.get(error.kind, "refused")
                )
                continue
            if answer.status in {200, 400, 404, 410}:
                return answer
            failure = FetchError(f"{source} answered {answer.status}", kind=f"status {answer.status}")
            if answer.status not in {429, 500, 502, 503, 504}:
                break
            self._wait(host, answer.headers.get("retry-after", ""), attempt)
        raise failure

    async def _turn(self, host: str) -> None:
        async with self._turns[host]:
            wait = self._next[host] - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            self._next[host] = max(time.monotonic(), self._next[host]) + self._own.get(host, self._interval_s)

    def _wait(self, host: str, said: str, attempt: int) -> None:
        """Put a host's next request off as it asks: seconds, a date, or our own pause."""
        pause = 0.5 * 2**attempt
        if said.strip().isdigit():
            pause = float(said)
        elif said:
            when = email.utils.parsedate_to_datetime(said) if _is_date(said) else None
            pause = (when - dt.datetime.now(tz=dt.UTC)).total_seconds() if when else pause
        self._next[host] = max(self._next[host], time.monotonic() + min(max(pause, 0.0), _LONGEST_WAIT_S))


def _is_date(text: str) -> bool:
    parsed = email.utils.parsedate_tz(text)
    return parsed is not None and parsed[9] is not None
