"""Pages of a run: each is fetched once, a failure being as final as an answer, and read from the run ever after."""

import asyncio
import typing
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from typing import Any, Literal

from percuss.core.errors import FetchError
from percuss.core.ids import b2
from percuss.core.records import Blob
from percuss.engine.gathered import Gathered
from percuss.engine.in_processes import InProcesses
from percuss.net.fetching import Page
from percuss.store.blobs import get_blob
from percuss.store.fetches import Extract, Fetched, find_extract, latest_fetch, put_extract, put_fetch
from percuss.store.run import RunStore
from percuss.store.scorings import now

__all__ = ["Archive", "Get", "Getter", "Refetch", "typed"]

Refetch = Literal["no", "failed", "all"]
_UTF_8 = frozenset({"utf-8", "utf8"})
Get = Callable[[], Awaitable[Page]]
"""Reaches out for one page, or raises a `FetchError`."""
Extracted = tuple[str, tuple[int, ...]]
"""Text, and the offset at which each of its pages begins."""
Seen = Callable[[Fetched, bytes], None]
"""Told of a page that came now, before it is on disk."""


class Getter(typing.Protocol):
    """What reaches out for a page: `percuss.net.fetching.PageFetcher`, or a fake."""

    async def get(self, url: str) -> Page:
        """Return the page, or raise a `FetchError`."""
        ...


def typed(media_type: str, charset: str) -> str:
    """Return a media type with its charset, where that is said and isn't UTF-8.

    >>> typed("text/html", "windows-1252"), typed("text/html", "utf-8")
    ('text/html; charset=windows-1252', 'text/html')
    """
    return f"{media_type}; charset={charset}" if charset and charset.lower() not in _UTF_8 else media_type


class Archive:
    """The pages of a run, and the answers of searches and registries, which are kept as pages are.

    Args:
        store: the run.
        getter: what reaches out; None contacts nobody, and a page that the run lacks is a failure that isn't kept.
        refetch: which pages are asked for again, once in this start, their new row standing after the old one.
        pool: processes that read text out of bytes, for many pages at once; None = a thread of this process.
    """

    def __init__(
        self,
        store: RunStore,
        getter: Getter | None,
        *,
        refetch: Refetch = "no",
        pool: Executor | None = None,
    ) -> None:
        self._store = store
        self._writes = Gathered(store)
        self._getter = getter
        self._refetch = refetch
        self._read = None if pool is None else InProcesses(pool)
        self._done: set[str] = set()
        self._unread: set[str] = set()  # bytes that this start brought: the run holds no text of them yet
        self._flights: dict[str, asyncio.Lock] = {}

    async def page(self, url: str, *, seen: Seen | None = None) -> tuple[Fetched, bytes]:
        """Return a page and its bytes as they were sent.

        Args:
            url: of the page. seen: told of a page that comes now, so that its reading begins while it is written.

        Raises:
            FetchError: it could not be fetched, now or in an earlier start; `kind` says how.
            HostRefused: the host isn't allowed, and the page is not in the run.
        """
        getter = self._getter
        return await self._row(
            b2("page", url), url, None if getter is None else lambda: getter.get(url), seen
        )

    async def asked(self, key: str, get: Get | None) -> Page:
        """Return what a search or registry answered to something, asked once.

        Args:
            key: all that the answer depends on, and nothing personal. get: asks; None = nobody may be contacted.

        Raises:
            FetchError: it could not be asked, now or in an earlier start.
        """
        fetched, data = await self._row(b2("asked", key), key, get)
        return Page(fetched.final_url, fetched.status or 0, fetched.media_type, "", data)

    async def _row(
        self, key: str, url: str, get: Get | None, seen: Seen | None = None
    ) -> tuple[Fetched, bytes]:
        with self._writes.one_under_way():
            return await self._found(key, url, get, seen)

    async def _found(self, key: str, url: str, get: Get | None, seen: Seen | None) -> tuple[Fetched, bytes]:
        async with self._flights.setdefault(key, asyncio.Lock()):
            fetched = self._store.read(latest_fetch, key)
            if get is not None and self._wanted(key, fetched):
                fetched, data = await self._fetch(key, url, get, seen)
                if fetched.digest is not None:
                    return fetched, data
        if fetched is None:
            raise FetchError(f"the run holds no page of {url}, and nobody may be contacted", kind="blocked")
        if fetched.digest is None:
            raise FetchError(fetched.said, kind=fetched.failure or "")
        return fetched, self._store.read(get_blob, fetched.digest).data

    def _wanted(self, key: str, held: Fetched | None) -> bool:
        if key in self._done:
            return False
        if held is None or self._refetch == "all":
            return True
        return self._refetch == "failed" and held.failure is not None

    async def _fetch(self, key: str, url: str, get: Get, seen: Seen | None) -> tuple[Fetched, bytes]:
        blob = None
        try:
            page = await get()
        except FetchError as error:
            kind = error.kind or "other"
            fetched = Fetched(key=key, url=url, failure=kind, said=str(error), fetched_at=now())
        else:
            blob = Blob.of(page.data, page.media_type)
            fetched = Fetched(
                key=key,
                url=url,
                final_url=page.url,
                status=page.status,
                media_type=typed(page.media_type, page.charset),
                date=page.date,
                etag=page.etag,
                digest=blob.digest,
                fetched_at=now(),
            )
            if seen is not None:
                seen(fetched, blob.data)
        if await self._writes.write(put_fetch, fetched, blob) and fetched.digest is not None:
            self._unread.add(fetched.digest)
        self._done.add(key)
        return fetched, b"" if blob is None else blob.data

    def begin(self, extract: Callable[[bytes], Extracted], data: bytes) -> "asyncio.Task[Extracted]":
        """Begin to read text out of bytes that aren't on disk yet; `text` takes it up, or whoever began it cancels it."""
        begun = asyncio.get_running_loop().create_task(self._reading(extract, data))
        begun.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may take it up
        return begun

    async def _reading(self, extract: Callable[[bytes], Extracted], data: bytes) -> Extracted:
        return await (asyncio.to_thread(extract, data) if self._read is None else self._read(extract, data))

    async def text(
        self,
        digest: str,
        extractor: str,
        version: str,
        extract: Callable[[bytes], Extracted],
        options: dict[str, Any] | None = None,
        *,
        data: bytes | None = None,
        begun: "asyncio.Task[Extracted] | None" = None,
    ) -> Extract:
        """Return the text of some bytes of the run, read out of them once by extractor, version and options.

        Args:
            digest: of the bytes. extractor, version, options: all that the text depends on beside them.
            extract: returns text and the offset at which each page begins; called in a thread or in a process of the pool.
            data: the bytes, where they are at hand; None reads them from the run.
            begun: this very reading of these bytes, where it is under way (`begin`).

        Raises:
            KeyError: the run holds no such bytes. What `extract` raises is not kept.
        """
        chosen = options or {}
        if digest in self._unread:
            self._unread.discard(digest)
        else:
            held = self._store.read(find_extract, digest, extractor, version, chosen)
            if held is not None:
                return held
        sent = self._store.read(get_blob, digest).data if data is None else data
        with self._writes.one_under_way():
            text, pages = await (self._reading(extract, sent) if begun is None else begun)
            made = Extract(
                digest=digest, extractor=extractor, version=version, options=chosen, text=text, pages=pages
            )
            await self._writes.write(put_extract, made)
        return made
