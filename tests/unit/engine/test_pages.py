"""Pages and searches are fetched once and read from the run ever after."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import FetchError
from percuss.core.ids import b2
from percuss.core.ports import Hit
from percuss.core.records import Blob
from percuss.engine import Archive, ArchivedFetch, ArchivedSearch
from percuss.net.fetching import Page
from percuss.store import RunStore
from percuss.store.calls import Page as OldPage
from percuss.store.calls import put_page
from percuss.store.fetches import list_fetches
from tests.tiny import create

TEXT = "<html><title>A</title><body><p>Die Größe nahm um 12% ab, und zwar in jeder Gruppe der Studie.</p></body></html>"


class Library:
    """Serves pages and one search; counts."""

    id = "library/test"

    def __init__(self) -> None:
        self.served: list[str] = []

    async def get(self, url: str) -> Page:
        self.served.append(url)
        if "missing" in url:
            return Page(url, 404, "text/html", "", b"gone")
        if "wall" in url:
            return Page(url, 200, "text/html", "", b"<html><body><p>Sign in to read this.</p></body></html>")
        return Page(url, 200, "text/html", "windows-1252", TEXT.encode("cp1252"))

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        self.served.append(query)
        if "down" in query:
            raise FetchError("the search did not answer", kind="timeout")
        return tuple(Hit(id=str(n), title=query, text="t", score=1.5) for n in range(k))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with create(tmp_path / "r", source="1") as made:
        yield made


async def test_a_page_is_fetched_once_with_its_charset_and_read_offline(store: RunStore) -> None:
    library = Library()
    first = await ArchivedFetch(Archive(store, library)).fetch("https://example.org/a")
    assert "Größe" in first.text
    assert first.data == TEXT.encode("cp1252")
    assert first.extractor.startswith("html trafilatura")
    for getter in (library, None):
        assert await ArchivedFetch(Archive(store, getter)).fetch("https://example.org/a") == first
    assert library.served == ["https://example.org/a"]


class Noticing(ThreadPoolExecutor):
    """Says when it is given something to read."""

    def __init__(self) -> None:
        super().__init__(1)
        self.given = asyncio.Event()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Take what is to be read."""
        self.given.set()
        return super().submit(fn, *args, **kwargs)


async def test_a_page_is_read_while_it_is_written_and_used_only_once_it_is_on_disk(store: RunStore) -> None:
    free = threading.Event()
    held = asyncio.create_task(store.write(_hold, free))
    with Noticing() as pool:
        fetched = asyncio.create_task(
            ArchivedFetch(Archive(store, Library(), pool=pool)).fetch("https://example.org/a")
        )
        await asyncio.wait_for(pool.given.wait(), 20)
        await asyncio.sleep(0.2)
        assert not fetched.done()
        free.set()
        assert "Größe" in (await asyncio.wait_for(fetched, 20)).text
        await held


def _hold(db: sqlite3.Connection, free: threading.Event) -> None:
    """Keep the only writer busy until the event is set."""
    assert free.wait(30)


async def test_the_same_bytes_under_two_addresses_are_read_alike_and_kept_once(store: RunStore) -> None:
    fetch = ArchivedFetch(Archive(store, Library()))
    one, two = await asyncio.gather(
        fetch.fetch("https://example.org/a"), fetch.fetch("https://example.org/b")
    )
    assert (one.text, one.digest) == (two.text, two.digest)
    assert store.read(lambda db: db.execute("SELECT count(*) FROM extracts").fetchone()) == (1,)


async def test_a_page_that_is_not_there_or_a_wall_is_a_failure_of_its_kind(store: RunStore) -> None:
    library = Library()
    for getter in (library, library, None):
        fetch = ArchivedFetch(Archive(store, getter))
        for url, kind in (
            ("https://example.org/missing", "status 404"),
            ("https://example.org/wall", "blocked"),
        ):
            with pytest.raises(FetchError) as told:
                await fetch.fetch(url)
            assert told.value.kind == kind
    assert len(library.served) == 2


async def test_searches_are_told_apart_by_query_and_size_and_replay_offline(store: RunStore) -> None:
    library = Library()
    search = ArchivedSearch(library, library.id, Archive(store, None), store)
    assert len(await search.search("tumour", k=2)) == 2
    assert len(await search.search("tumour", k=3)) == 3
    offline = ArchivedSearch(None, library.id, Archive(store, None), store)
    assert await offline.search("tumour", k=2) == await search.search("tumour", k=2)
    assert library.served == ["tumour", "tumour"]
    with pytest.raises(FetchError, match="nobody may be contacted"):
        await offline.search("never asked")


async def test_a_search_that_failed_is_asked_again_by_a_refetch_alone(store: RunStore) -> None:
    library = Library()
    for refetch, asked in (("no", 1), ("no", 1), ("failed", 2)):
        search = ArchivedSearch(library, library.id, Archive(store, None, refetch=refetch), store)  # type: ignore[arg-type]
        with pytest.raises(FetchError, match="did not answer") as told:
            await search.search("down")
        assert told.value.kind == "timeout"
        assert len(library.served) == asked
    assert len(store.read(list_fetches, b2("asked", "library/test?down&k=5"))) == 2


async def test_results_that_an_earlier_version_kept_are_read(store: RunStore) -> None:
    blob = Blob.of(b'[{"id":"1","title":"kept","text":"t"}]', "application/vnd.percuss+json")
    key = b2("search", "library/test", "old", 5)
    await store.write(put_page, OldPage(key=key, url="library/test?old", blob=blob, fetched_at=""))
    found = await ArchivedSearch(None, "library/test", Archive(store, None), store).search("old")
    assert [hit.title for hit in found] == ["kept"]
