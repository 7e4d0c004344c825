"""DataCite, arXiv, Brave and Tavily on the loopback; EndNote's and Word's own records in a .docx; hostile pages in a run."""

import itertools
import zipfile
from pathlib import Path

import pytest

from percuss.core.errors import BadInput, FetchError
from percuss.core.ports import Document
from percuss.engine import Archive, ArchivedFetch
from percuss.net.client import Client
from percuss.net.fetching import Limits, Page
from percuss.protocols.citations.audit.docx import read_docx
from percuss.protocols.citations.references.names import surname
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import decide
from percuss.protocols.citations.sources.backends import built, names_of
from percuss.protocols.citations.sources.opened import answer_of_page
from percuss.protocols.citations.sources.polite import Polite
from percuss.protocols.citations.sources.resolve import resolvers
from tests.citing import Hurried, Web, work
from tests.citing_files import endnote, word_list
from tests.tiny import create

WORKS = [work(n) for n in range(12)]


async def test_datacite_answers_by_doi_and_a_doi_that_it_lacks_is_no_proof() -> None:
    async with Web(WORKS) as server, Client() as client:
        (asked,) = resolvers(("datacite",), Polite(client, per_second=1000), server.environment())
        (held,) = await asked.ask(WORKS[4].record)
        found = decide(WORKS[4].record, [held])
        assert (held.state, found.status) == ("found", "found")
        assert held.records[0].reference.publisher == "Harbour Press"
        (lacking,) = await asked.ask(Reference(ids={"doi": "10.5555/nowhere.1"}))
        assert (lacking.state, lacking.authority) == ("absent", False)
        assert await asked.ask(Reference(title="No identifier")) == ()


async def test_arxiv_is_the_authority_for_its_ids_and_marks_what_was_withdrawn() -> None:
    works = [WORKS[4], WORKS[5]._replace(state="retracted")]
    async with Web(works) as server, Client() as client:
        (asked,) = resolvers(("arxiv",), Polite(client, per_second=1000), server.environment())
        (right,) = await asked.ask(Reference(title=WORKS[4].record.title, ids={"arxiv": "2101.00004"}))
        assert right.records[0].reference.title == WORKS[4].record.title
        assert right.records[0].reference.year == WORKS[4].record.year
        (gone,) = await asked.ask(Reference(ids={"arxiv": "2101.00005"}))
        assert gone.records[0].state == "retracted"
        cited = Reference(title="Of whales and lamps", ids={"arxiv": "2101.00009"})
        (lacking,) = await asked.ask(cited)
        assert decide(cited, [lacking]).status == "nonexistent"
        (searched,) = await asked.ask(Reference(title=WORKS[4].record.title))
        assert searched.by == "search"
        assert searched.records


@pytest.mark.parametrize("name", ["serper", "brave", "tavily", "crossref", "openalex", "pubmed"])
async def test_every_search_speaks_its_format(name: str) -> None:
    async with Web(WORKS) as server, Client() as client:
        backends = built(names_of(name), Polite(client, per_second=1000), server.environment())
        hits = await backends.search(WORKS[4].record.title, k=3)
        assert hits[0].title == WORKS[4].record.title
        assert hits[0].url.startswith("http")


async def test_searches_are_merged_in_turn_and_one_that_fails_does_not_hide_the_others() -> None:
    async with Web(WORKS) as server, Client() as client:
        polite = Polite(client, per_second=1000, tries=1)
        where = {**server.environment(), "BRAVE_BASE_URL": f"{server.url}/status/500"}
        both = built(("serper", "brave"), polite, where)
        assert await both.search(WORKS[4].record.title)
        alone = built(("brave",), polite, where)
        with pytest.raises(FetchError, match="brave"):
            await alone.search(WORKS[4].record.title)


@pytest.mark.parametrize(
    "data",
    [
        endnote([w.record for w in WORKS], packed=False),
        endnote([w.record for w in WORKS], packed=True),
        word_list([w.record for w in WORKS]),
    ],
)
def test_records_of_endnote_and_of_word_are_read_whole(data: bytes) -> None:
    found = read_docx("a.docx", data).references
    assert [each.title for each in found] == [w.record.title for w in WORKS]
    for each, held in zip(found, WORKS, strict=True):
        assert (each.year, each.volume, each.pages, each.ids["doi"]) == (
            held.record.year, held.record.volume, held.record.pages, held.record.ids["doi"],
        )  # fmt: skip
        assert surname(each.authors[0]) == surname(held.record.authors[0])


# ---- hostile pages, fetched into a run


@pytest.mark.parametrize(
    ("path", "kind"),
    [("slow", "timeout"), ("loop", "blocked"), ("private", "blocked"), ("huge", "too_large"), ("bomb", "too_large"), ("login", "blocked"),
     ("status/403", "status 403"), ("status/404", "status 404")],
)  # fmt: skip
async def test_a_hostile_page_is_a_finished_row_of_its_kind(path: str, kind: str, tmp_path: Path) -> None:
    with create(tmp_path / "r", source="1") as store:
        async with Web(WORKS) as server, Hurried(server.place, most=2 << 20) as pages:
            url = f"{server.url}/{path}"
            for getter in (pages, pages, None):
                with pytest.raises(FetchError) as told:
                    await ArchivedFetch(Archive(store, getter)).fetch(url)
                assert told.value.kind == kind
            assert (
                sum(asked.startswith(f"/{path.split('/', maxsplit=1)[0]}") for asked in server.asked)
                <= Limits().max_redirects + 1
            )


class Server:
    """Serves the same bytes for everything."""

    def __init__(self, data: bytes, media_type: str) -> None:
        self.page = Page("https://example.org/a", 200, media_type, "", data)

    async def get(self, url: str) -> Page:
        del url
        return self.page


def many_pages(n: int) -> bytes:
    """Make a PDF whose page tree says that it has very many pages."""
    kids = b" ".join(itertools.repeat(b"4 0 R", n))
    body = (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count "
        + str(n).encode()
        + b"/Kids["
    )
    return (
        body
        + kids
        + b"]>>endobj\n4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (many_pages(100_000), "application/pdf"),
        (b"%PDF-1.7 broken", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"", "image/png"),
    ],
)
async def test_what_cannot_be_read_is_blocked_in_a_sentence(
    data: bytes, media_type: str, tmp_path: Path
) -> None:
    with create(tmp_path / "r", source="1") as store:
        with pytest.raises(FetchError) as told:
            await ArchivedFetch(Archive(store, Server(data, media_type))).fetch("https://example.org/a")
        assert told.value.kind == "blocked"


async def test_pages_that_plead_and_wrong_charsets_are_read_as_text(tmp_path: Path) -> None:
    with create(tmp_path / "r", source="1") as store:
        async with Web(WORKS) as server, Hurried(server.place, most=2 << 20) as pages:
            fetch = ArchivedFetch(Archive(store, pages))
            assert "Übelkeit" in (await fetch.fetch(f"{server.url}/charset")).text
            plea: Document = await fetch.fetch(f"{server.url}/pleading")
    cited = Reference(title=WORKS[4].record.title, ids={"url": "example.org/x"})
    assert decide(cited, [answer_of_page(cited, plea)]).status != "found"


def test_a_docx_part_that_is_no_xml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(word_list([WORKS[1].record]))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("customXml/item2.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")

    with pytest.raises(BadInput, match="declares entities"):
        read_docx("a.docx", path.read_bytes())
