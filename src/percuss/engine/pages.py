"""Pages and searches, journaled like calls: what was fetched once is read from the run, so judging replays offline."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from percuss.core.errors import FetchError
from percuss.core.ids import b2, canonical_json
from percuss.core.ports import Document, Fetch, Hit, Search
from percuss.core.records import Blob
from percuss.store.calls import Page, find_page, put_page
from percuss.store.run import RunStore
from percuss.store.scorings import now

__all__ = ["JournaledFetch", "JournaledSearch"]

T = TypeVar("T")

MEDIA_TYPE = "application/vnd.percuss+json"


class JournaledFetch:
    """A `Fetch` whose documents stay in the run; a page that failed is fetched again at the next start only.

    Args:
        fetch: what reaches out.
        store: the run.
    """

    def __init__(self, fetch: Fetch, store: RunStore) -> None:
        self._fetch = fetch
        self._store = store
        self._failed: dict[str, str] = {}

    async def fetch(self, url: str) -> Document:
        """Return the document.

        Raises:
            FetchError: it could not be fetched, now or earlier in this start.
        """
        key = b2("fetch", url)
        if key in self._failed:
            raise FetchError(self._failed[key])
        try:
            return await _kept(self._store, key, url, Document, lambda: self._fetch.fetch(url))
        except FetchError as error:
            self._failed[key] = str(error)
            page = Page(key=key, url=url, failure=str(error), fetched_at=now())
            await self._store.write(put_page, page)
            raise


class JournaledSearch:
    """A `Search` whose results stay in the run.

    Args:
        search: what reaches out; its id is part of the key.
        store: the run.
    """

    def __init__(self, search: Search, store: RunStore) -> None:
        self.id = search.id
        self._search = search
        self._store = store

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k hits, best first.

        Raises:
            FetchError: the search could not be reached.
        """
        key = b2("search", self.id, query, k)
        return await _kept(
            self._store, key, f"{self.id}?{query}", tuple[Hit, ...], lambda: self._search.search(query, k=k)
        )


async def _kept(store: RunStore, key: str, url: str, kind: type[T], get: Callable[[], Awaitable[T]]) -> T:
    page = store.read(find_page, key)
    if page is not None and page.blob is not None:
        return msgspec.json.decode(page.blob.data, type=kind)
    value = await get()
    blob = Blob.of(canonical_json(value), MEDIA_TYPE)
    await store.write(put_page, Page(key=key, url=url, blob=blob, fetched_at=now()))
    return value
