"""Pages that somebody else named."""

import gzip
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from percuss.core.errors import FetchError
from percuss.net.fetching import Limits, PageFetcher

Write = Callable[..., bytes]


def allowing(raw: Any, **limits: Any) -> PageFetcher:
    """Return a fetcher that may reach the test's server, and no other place of this machine."""
    return PageFetcher(allow=[f"127.0.0.1:{raw.port}"], limits=Limits(**limits))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://2130706433:{port}/",  # 127.0.0.1 as one number
        "http://0x7f000001:{port}/",
        "http://127.1:{port}/",
        "http://0.0.0.0:{port}/",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/",
        "http://192.168.0.1/admin",
    ],
)
async def test_addresses_of_this_machine_and_network_are_refused(raw: Any, url: str) -> None:
    async with PageFetcher(limits=Limits(timeout_s=3)) as fetcher:
        with pytest.raises(FetchError):
            await fetcher.get(url.format(port=raw.port))
    assert raw.seen == []


async def test_the_sentence_says_why(raw: Any) -> None:
    async with PageFetcher() as fetcher:
        with pytest.raises(FetchError, match=r"localhost \(.*\) is no address of the public internet"):
            await fetcher.get(f"http://localhost:{raw.port}/")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.org/x", "gopher://x", "javascript:1", "http://a:b@x/"]
)
async def test_only_the_web(url: str) -> None:
    async with PageFetcher() as fetcher:
        with pytest.raises(FetchError, match="expected"):
            await fetcher.get(url)


async def test_a_page_comes_with_its_type_and_final_url(raw: Any, write_page: Write) -> None:
    hop = write_page(b"", status="301 Moved", headers="Location: ../final\r\n")
    html = write_page("<p>é".encode("latin-1"), headers="Content-Type: Text/HTML; charset=latin-1\r\n")
    raw.reply = lambda path: html if path == "/final" else hop
    async with allowing(raw) as fetcher:
        page = await fetcher.get(f"{raw.url}/a/b")
    assert page.url == f"{raw.url}/final"
    assert (page.status, page.media_type, page.charset) == (200, "text/html", "latin-1")
    assert page.data == "<p>é".encode("latin-1")
    assert fetcher.contacts.counts() == {f"127.0.0.1:{raw.port}": 2}


async def test_a_dead_link_is_a_page_with_its_status(raw: Any, write_page: Write) -> None:
    raw.reply = lambda _path: write_page(b"gone", status="404 Not Found")
    async with allowing(raw) as fetcher:
        assert (await fetcher.get(raw.url)).status == 404


@pytest.mark.parametrize(
    "target", ["http://localhost:{port}/secret", "http://[::1]:{port}/", "http://127.1:{port}/", "file:///x"]
)
async def test_redirects_are_checked_like_the_first_url(raw: Any, write_page: Write, target: str) -> None:
    location = target.format(port=raw.port)
    raw.reply = lambda _path: write_page(b"", status="302 Found", headers=f"Location: {location}\r\n")
    async with allowing(raw) as fetcher:
        with pytest.raises(FetchError):
            await fetcher.get(f"{raw.url}/start")
    assert raw.seen == ["/start"]


async def test_redirects_end(raw: Any, write_page: Write) -> None:
    raw.reply = lambda _path: write_page(b"", status="302 Found", headers="Location: /again\r\n")
    async with allowing(raw, max_redirects=3) as fetcher:
        with pytest.raises(FetchError, match="more than 3 times"):
            await fetcher.get(raw.url)
    assert len(raw.seen) == 4


@pytest.mark.parametrize("encode", [gzip.compress, zlib.compress], ids=["gzip", "deflate"])
async def test_a_decompression_bomb_is_cut_while_it_unfolds(raw: Any, write_page: Write, encode: Any) -> None:
    bomb = encode(b"\0" * 50_000_000)
    name = "gzip" if encode is gzip.compress else "deflate"
    raw.reply = lambda _path: write_page(bomb, headers=f"Content-Encoding: {name}\r\n")
    async with allowing(raw, max_bytes=1 << 20) as fetcher:
        with pytest.raises(FetchError, match="more than 1 MiB"):
            await fetcher.get(raw.url)


@pytest.mark.parametrize("name", ["gzip", "deflate", "raw-deflate", "identity"])
async def test_encodings_unfold(raw: Any, write_page: Write, name: str) -> None:
    text = b"evidence " * 10_000
    packed = {
        "gzip": gzip.compress(text),
        "deflate": zlib.compress(text),
        "raw-deflate": zlib.compress(text)[2:-4],
        "identity": text,
    }[name]
    header = f"Content-Encoding: {name.removeprefix('raw-')}\r\n"
    raw.reply = lambda _path: write_page(packed, headers=header)
    async with allowing(raw) as fetcher:
        assert (await fetcher.get(raw.url)).data == text


async def test_an_unknown_encoding_is_refused(raw: Any, write_page: Write) -> None:
    raw.reply = lambda _path: write_page(b"?", headers="Content-Encoding: br\r\n")
    async with allowing(raw) as fetcher:
        with pytest.raises(FetchError, match="'br'"):
            await fetcher.get(raw.url)


async def test_a_damaged_archive_is_a_fetch_error(raw: Any, write_page: Write) -> None:
    raw.reply = lambda _path: write_page(b"not gzip at all", headers="Content-Encoding: gzip\r\n")
    async with allowing(raw) as fetcher:
        with pytest.raises(FetchError):
            await fetcher.get(raw.url)


async def test_a_page_that_takes_too_long_ends(raw: Any) -> None:
    raw.reply = lambda _path: None
    async with allowing(raw, timeout_s=0.2) as fetcher:
        with pytest.raises(FetchError, match=r"longer than 0\.2 s"):
            await fetcher.get(raw.url)


async def test_nothing_of_ours_goes_along(raw: Any, write_page: Write) -> None:
    raw.reply = lambda _path: write_page(b"x", headers="Set-Cookie: a=b\r\n")
    async with allowing(raw) as fetcher:
        await fetcher.get(raw.url)
        await fetcher.get(raw.url)
    assert not any("cookie" in head.lower() or "authorization" in head.lower() for head in raw.headers)
