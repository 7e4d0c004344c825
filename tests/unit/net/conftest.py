"""A raw HTTP server on this machine, for answers that no decent server gives."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

Reply = Callable[[str], bytes]


class RawServer:
    """Answers each request with the bytes that `reply` returns for its path; None closes the connection."""

    def __init__(self) -> None:
        self.port = 0
        self.reply: Callable[[str], bytes | None] = lambda _path: page(b"hello")
        self.seen: list[str] = []
        self.headers: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        path = head.split(" ")[1]
        self.seen.append(path)
        self.headers.append(head)
        answer = self.reply(path)
        if answer is None:
            await asyncio.sleep(30)
        else:
            writer.write(answer)
            try:
                await writer.drain()
            except ConnectionError:
                return
        writer.close()


def page(body: bytes, *, status: str = "200 OK", headers: str = "") -> bytes:
    """Return an HTTP answer."""
    return (
        f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n".encode()
        + body
    )


@pytest.fixture
async def raw() -> AsyncIterator[RawServer]:
    server = RawServer()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    yield server
    listening.close()


@pytest.fixture
def write_page() -> Callable[..., bytes]:
    return page
