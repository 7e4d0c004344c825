"""Pages and searches of a run: each is asked for once and read from the run ever after, so judging replays offline."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from percuss.core.errors import BadInput, FetchError, HostRefused
from percuss.core.ids import b2, canonical_json
from percuss.core.ports import Document, Hit, Search
from percuss.engine.archive import Archive, Extracted, Seen
from percuss.net.fetching import Page
from percuss.store.calls import find_page
from percuss.store.fetches import Fetched
from percuss.store.run import RunStore
from percuss.text.documents.page import extractor_of, read_page

__all__ = ["ArchivedFetch", "ArchivedSearch"]

MEDIA_TYPE = "application/vnd.percuss+json"


class ArchivedFetch:
    """A `Fetch` whose pages stay in the run as bytes, and their text beside them by extractor and version.

    Args:
        archive: the run's pages.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def fetch(self, url: str) -> Document:
        """Return the document with its text.

        Raises:
            FetchError: no page, now or in an earlier start; `kind` is timeout, dns, tls, refused, too_large, blocked (a
                login wall and a file that can't be read too), or `status` with the server's word.
        """
        begun: list[asyncio.Task[Extracted]] = []

        def seen(fetched: Fetched, data: bytes) -> None:  # a page that came now is read while it is written
            if fetched.status == 200:
                begun.append(self._archive.begin(_reader_of(fetched), data))

        try:
            return await self._read(url, seen, begun)
        except HostRefused as error:  # this start's rule, not the page's failure: nothing of it is kept
            raise FetchError(str(error), kind="blocked") from None
        finally:
            for reading in begun:
                reading.cancel()

    async def _read(self, url: str, seen: Seen, begun: Sequence["asyncio.Task[Extracted]"]) -> Document:
        fetched, data = await self._archive.page(url, seen=seen)
        assert fetched.digest is not None
        if fetched.status != 200:
            raise FetchError(f"{url[:120]} answered {fetched.status}", kind=f"status {fetched.status}")
        name, version = extractor_of(fetched.media_type, data)
        read, under_way = _reader_of(fetched), begun[0] if begun else None
        try:
            extract = await self._archive.text(
                fetched.digest, name, version, read, data=data, begun=under_way
            )
        except BadInput as error:
            raise FetchError(str(error), kind="blocked") from None
        return Document(
            url=fetched.final_url, media_type=fetched.media_type, text=extract.text, data=data, pages=extract.pages,
            digest=fetched.digest, extractor=f"{name} {version}",
        )  # fmt: skip


def _reader_of(fetched: Fetched) -> Callable[[bytes], Extracted]:
    return partial(text_of, fetched.media_type, fetched.final_url)


def text_of(media_type: str, url: str, data: bytes) -> tuple[str, tuple[int, ...]]:
    """Return the text of a page and the offset of each of its pages; for an archive's `extract`.

    Args:
        media_type: as the server said, with its charset where there is one. url: for the sentence. data: bytes as sent.

    Raises:
        BadInput: it can't be read, or is a login or robot wall.
    """
    kind, _, charset = media_type.partition("; charset=")
    read = read_page(kind, data, charset, url=url)
    if read.wall:
        raise BadInput("is a login or robot wall", source=url or None)
    return read.text, read.pages


class ArchivedSearch:
    """A `Search` whose results stay in the run.

    Args:
        search: what reaches out; its id is part of the key. None contacts nobody.
        name: of the search. archive: the run's pages. store: the run, for results of earlier versions.
    """

    def __init__(self, search: Search | None, name: str, archive: Archive, store: RunStore) -> None:
        self.id = name
        self._search = search
        self._archive = archive
        self._store = store

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k hits, best first.

        Raises:
            FetchError: the search could not be reached, now or in an earlier start.
        """
        earlier = self._store.read(find_page, b2("search", self.id, query, k))
        if earlier is not None and earlier.blob is not None:  # kept so until reading 1
            return msgspec.json.decode(earlier.blob.data, type=tuple[Hit, ...])
        search = self._search

        async def get() -> Page:
            assert search is not None
            hits = await search.search(query, k=k)
            return Page("", 200, MEDIA_TYPE, "", canonical_json(hits))

        page = await self._archive.asked(f"{self.id}?{query}&k={k}", None if search is None else get)
        return msgspec.json.decode(page.data, type=tuple[Hit, ...])
