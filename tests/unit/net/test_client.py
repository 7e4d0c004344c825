"""The client for named endpoints."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import UsageError
from percuss.net.client import Client, NetError
from percuss.net.contacts import Contacts

Write = Callable[..., bytes]


async def test_answers_of_any_status_come_back_whole(raw: Any, write_page: Write) -> None:
    raw.reply = lambda _path: write_page(b"slow down", status="429 Too Many", headers="Retry-After: 3\r\n")
    async with Client() as client:
        answer = await client.post(f"{raw.url}/x", body=b"{}", headers={"X-A": "b"})
    assert (answer.status, answer.body, answer.headers["retry-after"]) == (429, b"slow down", "3")
    assert "X-A: b" in raw.headers[0]


async def test_redirects_are_not_followed_so_that_a_key_stays_where_it_was_sent(
    raw: Any, write_page: Write
) -> None:
    raw.reply = lambda _path: write_page(b"", status="302 Found", headers="Location: /elsewhere\r\n")
    async with Client() as client:
        answer = await client.get(f"{raw.url}/x", headers={"Authorization": "Bearer canary"})
    assert answer.status == 302
    assert raw.seen == ["/x"]


async def test_requests_are_counted_by_host(raw: Any) -> None:
    contacts = Contacts()
    async with Client(contacts=contacts) as client:
        await asyncio.gather(*(client.get(f"{raw.url}/{path}") for path in range(5)))
    assert contacts.counts() == {f"127.0.0.1:{raw.port}": 5}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, "timeout"),
        (b"", "reset"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "reset"),
        (b"not http at all\r\n\r\n", "reset"),
    ],
)
async def test_failures_are_named(raw: Any, answer: bytes | None, kind: str) -> None:
    raw.reply = lambda _path: answer
    async with Client() as client:
        with pytest.raises(NetError) as caught:
            await client.get(raw.url, timeout_s=0.3, headers={"Authorization": "Bearer canary"})
    assert caught.value.kind == kind
    assert "canary" not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


async def test_nobody_listens() -> None:
    async with Client() as client:
        with pytest.raises(NetError, match=r"nothing answers at 127\.0\.0\.1:9") as caught:
            await client.get("http://127.0.0.1:9/x", timeout_s=2)
    assert caught.value.kind == "unreachable"


@pytest.mark.parametrize("headers", ["", "Content-Encoding: gzip\r\n"])
async def test_a_long_answer_is_cut_off(raw: Any, write_page: Write, headers: str) -> None:
    import gzip

    body = b"x" * 3_000_000
    data = gzip.compress(body) if headers else body
    raw.reply = lambda _path: write_page(data, headers=headers)
    async with Client() as client:
        with pytest.raises(NetError, match="more than 1 MiB") as caught:
            await client.get(raw.url, max_bytes=1 << 20)
        assert len((await client.get(raw.url)).body) == 3_000_000
    assert caught.value.kind == "size"


async def test_at_most_so_many_requests_to_one_host_at_a_time(raw: Any, write_page: Write) -> None:
    from percuss.models.loopback import Loopback

    at_once = most = 0

    async def answer(_body: dict[str, Any]) -> str:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.02)
        at_once -= 1
        return "done"

    body = b'{"model": "m", "messages": []}'
    async with Loopback(answer) as server, Client(per_host=3) as client:
        await asyncio.gather(*(client.post(f"{server.url}/chat/completions", body=body) for _ in range(12)))
    assert most == 3


async def test_a_url_with_a_password_is_refused() -> None:
    async with Client() as client:
        with pytest.raises(UsageError, match="user name or password"):
            await client.get("http://a:b@127.0.0.1/")


async def test_a_download_goes_on_where_it_broke_off(raw: Any, write_page: Write, tmp_path: Path) -> None:
    data = os.urandom(200_000)
    raw.reply = lambda _path: write_page(data)[:100_000]
    target, told = tmp_path / "file", []
    async with Client() as client:
        with pytest.raises(NetError):
            await client.download(
                f"{raw.url}/f", target, on_bytes=lambda done, total: told.append((done, total))
            )
        have = target.stat().st_size
        assert 0 < have < len(data)
        raw.reply = lambda _path: write_page(data[have:], status="206 Partial Content")
        await client.download(f"{raw.url}/f", target, on_bytes=lambda done, total: told.append((done, total)))
    assert target.read_bytes() == data
    assert f"Range: bytes={have}-" in raw.headers[-1]
    assert told[-1] == (len(data), len(data))


async def test_a_download_starts_again_when_the_server_knows_no_ranges(
    raw: Any, write_page: Write, tmp_path: Path
) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old bytes")
    raw.reply = lambda _path: write_page(b"the whole file")
    async with Client() as client:
        await client.download(f"{raw.url}/f", target)
    assert target.read_bytes() == b"the whole file"


async def test_a_download_follows_redirects_but_not_for_ever(
    raw: Any, write_page: Write, tmp_path: Path
) -> None:
    hop = write_page(b"", status="302 Found", headers="Location: /final\r\n")
    raw.reply = lambda path: write_page(b"here") if path == "/final" else hop
    async with Client() as client:
        await client.download(f"{raw.url}/f", tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == b"here"
        raw.reply = lambda _path: hop
        with pytest.raises(NetError, match="redirects more than 5 times"):
            await client.download(f"{raw.url}/f", tmp_path / "other")


async def test_a_missing_file_is_no_download(raw: Any, write_page: Write, tmp_path: Path) -> None:
    raw.reply = lambda _path: write_page(b"not found", status="404 Not Found")
    async with Client() as client:
        with pytest.raises(NetError, match="answered 404"):
            await client.download(f"{raw.url}/f", tmp_path / "file")
    assert not (tmp_path / "file").exists()
