"""Pages by the fetching rules, archived; a failure is a finished row with its kind, and never means "it doesn't exist"."""

import asyncio
import datetime as dt
from concurrent.futures import Executor
from functools import partial

from msgspec import structs

from percuss.core.errors import BadInput, FetchError, HostRefused
from percuss.core.ports import Document
from percuss.net.fetching import PageFetcher
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.archive import Archive, PageRow
from percuss.protocols.citations.sources.page_record import known_of_page, known_of_text
from percuss.text.documents.page import PageText, read_page

__all__ = ["Pages", "now"]


def now() -> str:
    """Return the time in UTC, to the second."""
    return dt.datetime.now(tz=dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Pages:
    """Fetches pages into an archive; what is there isn't fetched again.

    Args:
        archive: where pages stay. fetcher: what reaches out; None = nobody is contacted.
        again: none, failed or all: which archived pages are fetched again.
        pool: processes that extract text, for many pages at once; None = a thread of this process.
    """

    def __init__(
        self,
        archive: Archive,
        fetcher: PageFetcher | None = None,
        *,
        again: str = "none",
        pool: Executor | None = None,
    ) -> None:
        self.archive = archive
        self._fetcher = fetcher
        self._again = again
        self._pool = pool
        self._done: set[str] = set()
        self._under_way: dict[str, asyncio.Lock] = {}

    async def page(self, url: str) -> PageRow:
        """Return the row of a page: fetched now, or archived."""
        async with self._under_way.setdefault(url, asyncio.Lock()):
            row = self.archive.find(url)
            if row is not None and not self._asks_again(row):
                return row
            if self._fetcher is None:
                if row is not None:
                    return row
                raise FetchError("the page is not in the archive, and no host is contacted", kind="blocked")
            self._done.add(url)
            return await self._fetched(url, self._fetcher)

    def _asks_again(self, row: PageRow) -> bool:
        if row.key in self._done or self._fetcher is None:
            return False
        return self._again == "all" or (self._again == "failed" and bool(row.failure))

    async def _fetched(self, url: str, fetcher: PageFetcher) -> PageRow:
        try:
            page = await fetcher.get(url)
        except FetchError as error:
            row = PageRow(key=url, fetched_at=now(), failure=error.kind or "refused", note=str(error))
            return await asyncio.to_thread(self.archive.put, row)
        except HostRefused as error:
            raise FetchError(
                str(error), kind="blocked"
            ) from None  # this start's rule, not the page's failure
        row = PageRow(
            key=url,
            url=page.url,
            status=page.status,
            media_type=page.media_type,
            charset=page.charset,
            fetched_at=now(),
        )
        return await asyncio.to_thread(self.archive.put, row, page.data)

    async def text(self, url: str) -> PageText:
        """Return the text of a page.

        Raises:
            FetchError: it can't be had; `kind` says why ("status" for 401, 403, 404, 5xx).
        """
        row = await self.page(url)
        _usable(row)
        try:
            return await self._text(row)
        except BadInput as error:
            raise FetchError(str(error), kind="blocked") from None

    async def _text(self, row: PageRow) -> PageText:
        if self._pool is None:
            return await asyncio.to_thread(self.archive.text, row)
        kept = self.archive.kept_text(row)
        if kept is not None:
            return kept
        data = await asyncio.to_thread(self.archive.data, row.digest)
        read = partial(read_page, row.media_type, data, row.charset, url=row.url)
        made = await asyncio.get_running_loop().run_in_executor(self._pool, read)
        return await asyncio.to_thread(self.archive.keep_text, row, made)

    async def fetch(self, url: str) -> Document:
        """Return a page as the port `Fetch` wants it.

        Raises:
            FetchError: as `text`.
        """
        row = await self.page(url)
        _usable(row)
        text = await self.text(url)
        return Document(
            url=row.url, media_type=row.media_type, text=text.text, data=self.archive.data(row.digest)
        )

    async def ask(self, cited: Reference, url: str) -> Answer:
        """Answer about a reference that is cited by URL: what the page says of itself, or why it can't be had."""
        try:
            row = await self.page(url)
            _usable(row)
            data = await asyncio.to_thread(self.archive.data, row.digest)
            known = (
                None if data.startswith(b"%PDF-") else await asyncio.to_thread(known_of_page, data, row.url)
            )
            text = await self.text(url)
        except FetchError as error:
            return Answer(source="web", by="url", state="failed", failure=error.kind or str(error))
        if text.wall:
            return Answer(source="web", by="url", state="failed", failure="blocked: a login or robot wall")
        known = known or known_of_text(text.text, row.url)
        ids = known.reference.ids | ({"url": cited.ids["url"]} if cited.ids.get("url") else {})
        reference = structs.replace(known.reference, ids=ids)
        record = structs.replace(known, reference=reference, text=text.text, text_whole=True)
        return Answer(source="web", by="url", state="found", records=(record,))


def _usable(row: PageRow) -> None:
    if row.failure:
        raise FetchError(row.note or row.failure, kind=row.failure)
    if row.status != 200:
        raise FetchError(f"{row.key[:120]} answered {row.status}", kind=f"status {row.status}")
