"""Pages of a run: each is fetched once, a failure being as final as an answer, and read from the run ever after."""

import asyncio
import typing
from collections.abc import Callable
from typing import Any, Literal

from percuss.core.errors import FetchError
from percuss.core.ids import b2
from percuss.core.records import Blob
from percuss.net.fetching import Page
from percuss.store.blobs import get_blob
from percuss.store.fetches import Extract, Fetched, find_extract, latest_fetch, put_extract, put_fetch
from percuss.store.run import RunStore
from percuss.store.scorings import now

__all__ = ["Archive", "Refetch"]

Refetch = Literal["no", "failed", "all"]


class Getter(typing.Protocol):
    """What reaches out for a page: `percuss.net.fetching.PageFetcher`, or a fake."""

    async def get(self, url: str) -> Page:
        """Return the page, or raise a `FetchError`."""
        ...


class Archive:
    """The pages of a run.

    Args:
        store: the run.
        getter: what reaches out; None contacts nobody, and a page that the run lacks is a failure that isn't kept.
        refetch: which pages are asked for again, once in this start, their new row standing after the old one.
    """

    def __init__(self, store: RunStore, getter: Getter | None, *, refetch: Refetch = "no") -> None:
        self._store = store
        self._getter = getter
        self._refetch = refetch
        self._asked: set[str] = set()
        self._flights: dict[str, asyncio.Lock] = {}

    async def page(self, url: str) -> tuple[Fetched, bytes]:
        """Return a page and its bytes as they were sent.

        Raises:
            FetchError: it could not be fetched, now or in an earlier start; `kind` says how.
            HostRefused: offline, and the page is not in the run.
        """
        key = b2("page", url)
        async with self._flights.setdefault(key, asyncio.Lock()):
            fetched = self._store.read(latest_fetch, key)
            if self._wanted(key, fetched):
                fetched = await self._fetch(key, url)
        if fetched is None:
            raise FetchError(f"the run holds no page of {url}, and nobody may be contacted", kind="blocked")
        if fetched.digest is None:
            raise FetchError(fetched.said, kind=fetched.failure or "")
        return fetched, self._store.read(get_blob, fetched.digest).data

    def _wanted(self, key: str, held: Fetched | None) -> bool:
        if self._getter is None or key in self._asked:
            return False
        if held is None or self._refetch == "all":
            return True
        return self._refetch == "failed" and held.failure is not None

    async def _fetch(self, key: str, url: str) -> Fetched:
        assert self._getter is not None
        blob = None
        try:
            page = await self._getter.get(url)
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
                media_type=page.media_type,
                date=page.date,
                etag=page.etag,
                digest=blob.digest,
                fetched_at=now(),
            )
        await self._store.write(put_fetch, fetched, blob)
        self._asked.add(key)
        return fetched

    async def text(
        self,
        digest: str,
        extractor: str,
        version: str,
        extract: Callable[[bytes], tuple[str, tuple[int, ...]]],
        options: dict[str, Any] | None = None,
    ) -> Extract:
        """Return the text of some bytes of the run, read out of them once by extractor, version and options.

        Args:
            digest: of the bytes. extractor, version, options: all that the text depends on beside them.
            extract: returns text and the offset at which each page begins; called in a thread.

        Raises:
            KeyError: the run holds no such bytes. What `extract` raises is not kept.
        """
        chosen = options or {}
        held = self._store.read(find_extract, digest, extractor, version, chosen)
        if held is not None:
            return held
        blob = self._store.read(get_blob, digest)
        text, pages = await asyncio.to_thread(extract, blob.data)
        made = Extract(
            digest=digest, extractor=extractor, version=version, options=chosen, text=text, pages=pages
        )
        await self._store.write(put_extract, made)
        return made
