"""Pages and searches are fetched once and read from the run ever after."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from percuss.core.errors import FetchError
from percuss.core.ports import Document, Hit
from percuss.engine import JournaledFetch, JournaledSearch
from percuss.store import RunStore
from tests.tiny import create


class Library:
    """Serves one page and one search; counts."""

    id = "library/test"

    def __init__(self) -> None:
        self.served: list[str] = []

    async def fetch(self, url: str) -> Document:
        self.served.append(url)
        if "missing" in url:
            raise FetchError("404")
        return Document(url=url, media_type="text/html", text="Größe", data=b"\x00\xff")

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        self.served.append(query)
        return tuple(Hit(id=str(n), title=query, text="t", score=1.5) for n in range(k))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with create(tmp_path / "r", source="1") as made:
        yield made


async def test_a_page_is_fetched_once(store: RunStore) -> None:
    library = Library()
    first = await JournaledFetch(library, store).fetch("https://example.org/a")
    assert await JournaledFetch(library, store).fetch("https://example.org/a") == first
    assert first.data == b"\x00\xff"
    assert library.served == ["https://example.org/a"]


async def test_a_failed_page_is_fetched_again_at_the_next_start_only(store: RunStore) -> None:
    library = Library()
    fetch = JournaledFetch(library, store)
    for _ in range(2):
        with pytest.raises(FetchError, match="404"):
            await fetch.fetch("https://example.org/missing")
    assert len(library.served) == 1
    with pytest.raises(FetchError):
        await JournaledFetch(library, store).fetch("https://example.org/missing")
    assert len(library.served) == 2


async def test_searches_are_told_apart_by_query_and_size(store: RunStore) -> None:
    library = Library()
    search = JournaledSearch(library, store)
    assert len(await search.search("tumour", k=2)) == 2
    assert len(await search.search("tumour", k=3)) == 3
    assert await search.search("tumour", k=2) == await search.search("tumour", k=2)
    assert library.served == ["tumour", "tumour"]
