"""Fetching what somebody else named: pages cited by models, links in documents, redirects of both.

The content is hostile. Only http and https; no private, loopback or link-local address, checked after the name was
resolved and for the very address that is connected to, so that a name can't change its mind in between; every redirect
is checked like the first URL; time, bytes on the wire and bytes after decompression are bounded; no cookie, proxy,
credential or header of ours goes along.
"""

import asyncio
import zlib
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urljoin

from percuss.core.errors import FetchError, UsageError
from percuss.net import offline
from percuss.net.addresses import Place, is_public, place
from percuss.net.contacts import Contacts

if TYPE_CHECKING:
    import aiohttp

__all__ = ["Limits", "Page", "PageFetcher"]

_MIB = 1 << 20
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Limits(NamedTuple):
    """What a page may cost: bytes after decompression, bytes on the wire, redirects, and seconds in all."""

    max_bytes: int = 20 * _MIB
    max_wire_bytes: int = 20 * _MIB
    max_redirects: int = 5
    timeout_s: float = 30.0


class Page(NamedTuple):
    """A fetched page. `url` is the final one; `media_type` is in lower case; what wasn't said (charset, date, etag) is empty."""

    url: str
    status: int
    media_type: str
    charset: str
    data: bytes
    date: str = ""
    etag: str = ""


class PageFetcher:
    """Fetches pages under the rules for hostile content.

    Args:
        limits: what a page may cost.
        allow: `host:port` places that may be private after all: a mirror that the user named.
        per_host: requests in flight to one host at a time.
        contacts: where requests are counted; None makes a new record.
        user_agent: how we introduce ourselves.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        allow: Iterable[str] = (),
        per_host: int = 4,
        contacts: Contacts | None = None,
        user_agent: str = "percuss",
    ) -> None:
        self.contacts = Contacts() if contacts is None else contacts
        self._limits = limits or Limits()
        self._allow = frozenset(allow)
        self._per_host = per_host
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._user_agent = user_agent
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections; the fetcher can be used again."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def get(self, url: str, *, accept: str = "text/html,application/pdf,*/*;q=0.5") -> Page:
        """Fetch a page; a status other than 200 is returned like any other, so that a dead link can be told.

        Args:
            url: absolute URL.
            accept: media types that are wanted.

        Raises:
            HostRefused: offline, and a host on the way isn't allowed.
            FetchError: an address that isn't public, a limit, or no answer; the sentence says which.
        """
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                return await self._follow(url, accept)
        except TimeoutError:
            raise FetchError(
                f"{_shown(url)} took longer than {self._limits.timeout_s:g} s", kind="timeout"
            ) from None

    async def _follow(self, url: str, accept: str) -> Page:
        for _ in range(self._limits.max_redirects + 1):
            where = self._checked(url)
            slot = self._slots.setdefault(str(where), asyncio.Semaphore(self._per_host))
            async with slot:
                found = await self._once(url, where, accept)
            if isinstance(found, Page):
                return found
            url = urljoin(url, found)
        raise FetchError(
            f"{_shown(url)} redirects more than {self._limits.max_redirects} times", kind="blocked"
        )

    def _checked(self, url: str) -> Place:
        try:
            where = place(url)
        except UsageError as error:
            raise FetchError(str(error), kind="blocked") from None
        offline.check(where.host, where.port)
        if (
            self._is_literal(where.host)
            and not self._allowed(where.host, where.port)
            and not is_public(where.host)
        ):
            raise _refused(where.host, where.host)
        return where

    async def _once(self, url: str, where: Place, accept: str) -> Page | str:
        """Ask once; return the page, or the URL that it redirects to."""
        import aiohttp

        session = self._session or self._open()
        self.contacts.add(str(where))
        try:
            async with session.get(url, allow_redirects=False, headers={"Accept": accept}) as response:
                target = response.headers.get("Location")
                if response.status in _REDIRECTS and target:
                    return target
                data = await self._read(response, where)
                said = {name: response.headers.get(name.capitalize(), "") for name in ("date", "etag")}
                kind, charset = response.content_type.lower(), response.charset or ""
                return Page(url, response.status, kind, charset, data, **said)
        except (aiohttp.ClientError, ConnectionError, ValueError, zlib.error) as error:
            reason, kind = _reason(error)
            raise FetchError(f"{where} gave no page ({reason})", kind=kind) from None

    async def _read(self, response: "aiohttp.ClientResponse", where: Place) -> bytes:
        """Read a body within the limits; decompression is ours, so that a bomb is cut while it unfolds."""
        limits = self._limits
        inflate = _decoder(response.headers.get("Content-Encoding", ""), where)
        chunks: list[bytes] = []
        wire = total = 0
        async for chunk in response.content.iter_chunked(65536):
            wire += len(chunk)
            # One byte over the limit is enough to know that there is more.
            room = limits.max_bytes + 1 - total
            plain = await asyncio.to_thread(inflate.decompress, chunk, room) if inflate else chunk
            total += len(plain)
            if wire > limits.max_wire_bytes or total > limits.max_bytes:
                raise FetchError(
                    f"{where} sent more than {limits.max_bytes // _MIB} MiB; expected a page",
                    kind="too_large",
                )
            chunks.append(plain)
        return b"".join(chunks)

    def _open(self) -> "aiohttp.ClientSession":
        import aiohttp

        connector = aiohttp.TCPConnector(limit=0, use_dns_cache=False, resolver=self._resolver())
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": self._user_agent, "Accept-Encoding": "gzip, deflate"},
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(),  # none of its own: `get` bounds all of it
            trust_env=False,
            max_line_size=16384,
            max_field_size=16384,
        )
        return self._session

    def _resolver(self) -> Any:
        from aiohttp.resolver import ThreadedResolver

        fetcher = self

        class Guarded(ThreadedResolver):
            """Resolves a name and refuses it when any of its addresses isn't public."""

            async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[Any]:
                found = await super().resolve(host, port, family)
                addresses = [entry["host"] for entry in found]
                offline.learn(host, addresses)
                for address in addresses:
                    if not fetcher._allowed(host, port) and not is_public(address):
                        raise _refused(host, address)
                return found

        return Guarded()

    def _allowed(self, host: str, port: int) -> bool:
        return f"{host}:{port}" in self._allow

    @staticmethod
    def _is_literal(host: str) -> bool:
        # aiohttp asks no resolver for literal addresses; everything else (2130706433, 0x7f.1) it does resolve.
        return ":" in host or host.replace(".", "").isdigit()


def _refused(host: str, address: str) -> FetchError:
    where = host if host == address else f"{host} ({address})"
    return FetchError(
        f"{where} is no address of the public internet; expected one, since the URL came from a text",
        kind="blocked",
    )


def _decoder(encoding: str, where: Place) -> Any:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name in ("gzip", "x-gzip"):
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    if name == "deflate":
        return _Deflate()
    raise FetchError(f"{where} sent the encoding {name[:20]!r}; expected gzip or deflate", kind="blocked")


class _Deflate:
    """`deflate` with or without the zlib header: servers send both."""

    def __init__(self) -> None:
        self._inner: Any = None

    def decompress(self, data: bytes, longest: int) -> bytes:
        if self._inner is None:
            raw = bool(data) and (data[0] & 0x0F) != 8
            self._inner = zlib.decompressobj(wbits=-zlib.MAX_WBITS if raw else zlib.MAX_WBITS)
        plain: bytes = self._inner.decompress(data, longest)
        return plain


def _shown(url: str) -> str:
    """Return where a URL leads, without what it may carry."""
    try:
        return str(place(url))
    except UsageError:
        return "the URL"


def _reason(error: Exception) -> tuple[str, str]:
    """Return what went wrong, in words and as the kind of a `FetchError`."""
    import aiohttp

    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its name cannot be resolved", "dns"
    if isinstance(error, aiohttp.ClientSSLError):
        return "no certificate that this machine trusts", "tls"
    if isinstance(error, aiohttp.ClientConnectorError):
        return "nothing answers there", "refused"
    return "the connection broke off or the answer is malformed", "refused"
