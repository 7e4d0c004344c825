"""Pages of a run: a failure is a finished row, only a refetch asks again and appends, and offline nobody is contacted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from percuss.core.errors import FetchError
from percuss.core.ids import b2
from percuss.engine.archive import Archive
from percuss.net.fetching import Page
from percuss.store import RunStore
from percuss.store.fetches import list_fetches
from tests.tiny import create

URL, GONE = "https://example.org/a", "https://example.org/gone"


class Web:
    """Serves pages that change with each visit; some time out."""

    def __init__(self, *, mended: bool = False) -> None:
        self.visits: list[str] = []
        self.mended = mended

    async def get(self, url: str) -> Page:
        self.visits.append(url)
        if "gone" in url and not self.mended:
            raise FetchError("example.org took longer than 30 s", kind="timeout")
        data = f"<p>visit {len(self.visits)}</p>".encode()
        return Page(url + "/final", 200, "text/html", "utf-8", data, "Sun, 22 Nov 2026 10:00:00 GMT", '"e"')


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with create(tmp_path / "r", source="1") as made:
        yield made


async def test_a_page_is_fetched_once_with_all_that_the_server_said(store: RunStore) -> None:
    web = Web()
    fetched, data = await Archive(store, web).page(URL)
    assert (fetched.url, fetched.final_url, fetched.status, fetched.etag) == (URL, URL + "/final", 200, '"e"')
    assert (fetched.date, fetched.media_type) == ("Sun, 22 Nov 2026 10:00:00 GMT", "text/html")
    assert data == b"<p>visit 1</p>"
    assert await Archive(store, web).page(URL) == (fetched, data)
    assert await Archive(store, None).page(URL) == (fetched, data), "offline: the same bytes"
    assert web.visits == [URL]


async def test_a_failure_is_a_finished_row_until_a_refetch(store: RunStore) -> None:
    web = Web()
    for _ in range(2):
        with pytest.raises(FetchError, match="took longer than 30 s") as told:
            await Archive(store, web).page(GONE)
        assert told.value.kind == "timeout"
    await Archive(store, web).page(URL)
    assert web.visits == [GONE, URL]
    mended = Web(mended=True)
    again = Archive(store, mended, refetch="failed")
    for url in (GONE, GONE, URL):
        await again.page(url)
    assert mended.visits == [GONE], "once, and only what failed"
    attempts = store.read(list_fetches, b2("page", GONE))
    assert [attempt.failure for attempt in attempts] == ["timeout", None]
    everything = Archive(store, mended, refetch="all")
    for url in (GONE, URL):
        await everything.page(url)
    assert mended.visits == [GONE, GONE, URL]


async def test_offline_a_page_that_is_not_there_is_a_failure_that_is_not_kept(store: RunStore) -> None:
    with pytest.raises(FetchError, match="nobody may be contacted"):
        await Archive(store, None).page(URL)
    assert not store.read(list_fetches, b2("page", URL))
    assert (await Archive(store, Web()).page(URL))[1]


async def test_text_is_a_row_by_extractor_version_and_options(store: RunStore) -> None:
    archive, read = Archive(store, Web()), list[bytes]()
    fetched, data = await archive.page(URL)
    assert fetched.digest is not None

    def plain(given: bytes) -> tuple[str, tuple[int, ...]]:
        read.append(given)
        return given.decode().removeprefix("<p>").removesuffix("</p>"), (0, 3)

    first = await archive.text(fetched.digest, "plain", "1", plain)
    assert (first.text, first.pages) == ("visit 1", (0, 3))
    assert await Archive(store, None).text(fetched.digest, "plain", "1", plain) == first
    await archive.text(fetched.digest, "plain", "2", plain)
    await archive.text(fetched.digest, "plain", "1", plain, {"tables": False})
    assert read == [data] * 3
