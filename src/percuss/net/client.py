"""The client for endpoints that the user named: one session, limits per host, no redirects, bounded replies."""

import asyncio
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urljoin
from urllib.request import getproxies_environment, proxy_bypass

from percuss.core.errors import PercussError
from percuss.net import offline
from percuss.net.addresses import Place, is_loopback, place
from percuss.net.contacts import Contacts

if TYPE_CHECKING:
    import aiohttp

__all__ = ["Answer", "Client", "NetError"]

_MIB = 1 << 20


class NetError(PercussError):
    """No answer came: `kind` is timeout, reset, unreachable, tls, status or size."""

    def __init__(self, message: str, *, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class Answer(NamedTuple):
    """An HTTP answer of any status. `headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Client:
    """Sends requests to named endpoints and counts the hosts.

    The session opens at the first request, in the running loop; close the client, or use it as a context manager.
    Redirects are answers like any other: following one would hand the key to another host.

    Args:
        per_host: requests in flight to one host at a time; waiting for a slot doesn't count as time-out.
        connect_s: seconds to resolve and connect.
        contacts: where requests are counted; None makes a new record.
    """

    def __init__(
        self, *, per_host: int = 512, connect_s: float = 15.0, contacts: Contacts | None = None
    ) -> None:
        self.contacts = Contacts() if contacts is None else contacts
        self._connect_s = connect_s
        self._slots: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(per_host))
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections; the client can be used again."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def post(
        self,
        url: str,
        *,
        body: bytes,
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 120.0,
        max_bytes: int = 64 * _MIB,
    ) -> Answer:
        """Post bytes and return the answer, whatever its status.

        Args:
            url: absolute URL.
            body: sent as it is; give its content type in `headers`.
            headers: sent with it; never repeated in an error.
            timeout_s: seconds for the whole exchange, waiting for a slot excluded.
            max_bytes: a longer answer is an error.

        Raises:
            HostRefused: offline, and the host isn't allowed.
            NetError: no complete answer came.
        """
        return await self._send("POST", url, body, headers, timeout_s, max_bytes)

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 30.0,
        max_bytes: int = 64 * _MIB,
    ) -> Answer:
        """Get a URL and return the answer, whatever its status (see `post`)."""
        return await self._send("GET", url, None, headers, timeout_s, max_bytes)

    async def _send(
        self,
        method: str,
        url: str,
        body: bytes | None,
        headers: Mapping[str, str] | None,
        timeout_s: float,
        max_bytes: int,
    ) -> Answer:
        async with self._exchange(method, url, body, headers, timeout_s) as response:
            data = await _read(response, max_bytes, place(url))
            return Answer(response.status, _lower(response.headers), data)

    async def download(
        self,
        url: str,
        to: Path,
        *,
        on_bytes: Callable[[int, int | None], None] | None = None,
        stall_s: float = 30.0,
        max_redirects: int = 5,
    ) -> None:
        """Download a public file, continuing where an earlier attempt broke off; redirects to https are followed.

        Args:
            max_redirects: redirects that are followed at most.
            url: where the file is; no header of ours is sent, so a redirect can't carry a key away.
            to: grows as bytes arrive; what it holds is asked for no second time.
            on_bytes: told the bytes so far and in all (None where the server doesn't say).
            stall_s: seconds without a byte after which the attempt ends.

        Raises:
            HostRefused, NetError: as `post`, and for a status other than 200, 206 or 416.
        """
        for _ in range(max_redirects + 1):
            have = await asyncio.to_thread(_size, to)
            headers = {"Range": f"bytes={have}-"} if have else {}
            headers["Accept-Encoding"] = "identity"
            async with self._exchange("GET", url, None, headers, None, stall_s=stall_s) as response:
                target = _redirect(url, response)
                if target is None:
                    await _write(response, to, have, on_bytes, place(url))
                    return
            url = target
        raise NetError(f"{place(url)} redirects more than {max_redirects} times", kind="status")

    @asynccontextmanager
    async def _exchange(
        self,
        method: str,
        url: str,
        body: bytes | None,
        headers: Mapping[str, str] | None,
        timeout_s: float | None,
        *,
        stall_s: float | None = None,
    ) -> "AsyncIterator[aiohttp.ClientResponse]":
        import aiohttp

        where = place(url)
        offline.check(where.host, where.port)
        session = self._session or self._open()
        connect_s = min(self._connect_s, timeout_s or self._connect_s)
        timeout = aiohttp.ClientTimeout(total=timeout_s, sock_connect=connect_s, sock_read=stall_s)
        async with self._slots[str(where)]:
            self.contacts.add(str(where))
            try:
                async with session.request(
                    method,
                    url,
                    data=body,
                    headers=headers,
                    timeout=timeout,
                    allow_redirects=False,
                    proxy=_proxy(where),
                ) as response:
                    yield response
            except (aiohttp.ClientError, TimeoutError, ConnectionError, socket.gaierror) as error:
                # `from None`: aiohttp's errors carry the request with its headers, and so the key.
                raise _named(error, where, timeout_s or stall_s or self._connect_s) from None

    def _open(self) -> "aiohttp.ClientSession":
        import aiohttp

        connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, resolver=_resolver())
        self._session = aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), headers={"User-Agent": "percuss"}
        )
        return self._session


def _resolver() -> Any:
    from aiohttp.resolver import ThreadedResolver

    class Learning(ThreadedResolver):
        """The system's resolver; tells `offline` what an allowed host was resolved to."""

        async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[Any]:
            found = await super().resolve(host, port, family)
            offline.learn(host, [entry["host"] for entry in found])
            return found

    return Learning()


def _proxy(where: Place) -> str | None:
    """Return the proxy that the environment names for a host; none for this machine."""
    if is_loopback(where.host):
        return None
    proxies = getproxies_environment()
    if proxy_bypass(f"{where.host}:{where.port}"):
        return None
    return proxies.get(where.scheme) or proxies.get("all")


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


async def _read(response: "aiohttp.ClientResponse", max_bytes: int, where: Place) -> bytes:
    if (response.content_length or 0) <= max_bytes:
        chunks, total = [], 0
        async for chunk in response.content.iter_any():
            chunks.append(chunk)
            total += len(chunk)
            if total > max_bytes:
                break
        else:
            return b"".join(chunks)
    raise NetError(f"{where} sent more than {max_bytes // _MIB} MiB; expected a shorter answer", kind="size")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _redirect(url: str, response: "aiohttp.ClientResponse") -> str | None:
    """Return where a redirect leads; None when it is none."""
    if response.status not in (301, 302, 303, 307, 308):
        return None
    target = urljoin(url, response.headers.get("Location", ""))
    if place(target).scheme != "https" and place(url).scheme == "https":
        raise NetError(f"{place(url)} redirects to an address without TLS", kind="status")
    return target


async def _write(
    response: "aiohttp.ClientResponse",
    to: Path,
    have: int,
    on_bytes: Callable[[int, int | None], None] | None,
    where: Place,
) -> None:
    if response.status == 416:  # nothing is left to send
        return
    if response.status not in (200, 206):
        raise NetError(f"{where} answered {response.status}; expected the file", kind="status")
    done = have if response.status == 206 else 0
    length = response.content_length
    total = None if length is None else done + length
    with to.open("ab" if done else "wb") as file:
        async for chunk in response.content.iter_chunked(_MIB):
            file.write(chunk)
            done += len(chunk)
            if on_bytes is not None:
                on_bytes(done, total)


def _named(error: Exception, where: Place, timeout_s: float) -> NetError:
    import aiohttp

    if isinstance(error, TimeoutError):
        return NetError(f"{where} did not answer within {timeout_s:g} s", kind="timeout")
    if isinstance(error, aiohttp.ClientSSLError):
        return NetError(f"{where} has no certificate that this machine trusts", kind="tls")
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return NetError(
            f"the name of {where} cannot be resolved; check the address or the network", kind="unreachable"
        )
    if isinstance(error, aiohttp.ClientConnectorError):
        return NetError(f"nothing answers at {where}; check that the server runs there", kind="unreachable")
    return NetError(f"{where} broke the connection off", kind="reset")
