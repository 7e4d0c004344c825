"""Registries, searches and pages on a loopback: pace, failures by kind, archive and replay, hostile pages."""

import asyncio
import time
from pathlib import Path

import pytest

from percuss.core.errors import FetchError
from percuss.core.ports import Document, Hit
from percuss.net.client import Client
from percuss.net.fetching import Limits, PageFetcher
from percuss.protocols.citations.audit.audit import Online, audit
from percuss.protocols.citations.audit.document import of_text
from percuss.protocols.citations.audit.library import Library
from percuss.protocols.citations.content.rule import check_content
from percuss.protocols.citations.judge.planner import RulePlanner
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.sources.archive import Archive
from percuss.protocols.citations.sources.fetch import Pages
from percuss.protocols.citations.sources.gather import Wanted, gather
from percuss.protocols.citations.sources.passages import BUDGET_WORDS, blocks, select
from percuss.protocols.citations.sources.polite import Polite
from percuss.protocols.citations.sources.pubmed import articles
from percuss.protocols.citations.sources.resolve import RESOLVERS, resolvers
from percuss.protocols.citations.sources.web_search import Serper
from tests.citing import Hurried, Web, article_set, vancouver, work

WORKS = [work(n) for n in range(12)]
SHORT = Limits(timeout_s=30, max_bytes=2 << 20, max_wire_bytes=2 << 20)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("slow", "timeout"), ("loop", "blocked"), ("private", "blocked"), ("huge", "too_large"), ("login", "blocked: a login or robot wall"),
        ("status/401", "status 401"), ("status/403", "status 403"), ("status/404", "status 404"), ("status/500", "status 500"),
    ],
)  # fmt: skip
async def test_every_failure_has_its_kind(path: str, kind: str, tmp_path: Path) -> None:
    async with Web(WORKS) as server, Hurried(server.place, most=2 << 20) as fetcher:
        answer = await Pages(Archive(tmp_path), fetcher).ask(
            Reference(ids={"url": "x"}), f"{server.url}/{path}"
        )
    assert (answer.state, answer.failure) == ("failed", kind)


async def test_a_bomb_is_cut_while_it_unfolds(tmp_path: Path) -> None:
    limits = Limits(timeout_s=120, max_bytes=2 << 20)
    async with Web(WORKS) as server, PageFetcher(limits=limits, allow=[server.place]) as fetcher:
        row = await Pages(Archive(tmp_path), fetcher).page(f"{server.url}/bomb")
    assert row.failure == "too_large"


async def test_private_addresses_unknown_names_and_closed_ports(tmp_path: Path) -> None:
    async with PageFetcher(limits=SHORT, allow=["127.0.0.1:9"]) as fetcher:
        pages = Pages(Archive(tmp_path), fetcher)
        kinds = [
            (await pages.page(url)).failure
            for url in (
                "http://127.0.0.1:8/a",
                "http://nowhere.invalid/",
                "http://127.0.0.1:9/a",
                "ftp://a.org/b",
            )
        ]
    assert kinds == ["blocked", "dns", "refused", "blocked"]


async def test_judging_replays_from_the_archive_byte_for_byte(tmp_path: Path) -> None:
    async with Web(WORKS) as server, PageFetcher(allow=[server.place]) as fetcher:
        pages = Pages(Archive(tmp_path), fetcher)
        urls = [f"{server.url}/page/{n}" for n in range(6)] + [f"{server.url}/status/404"]
        first = [await _inputs(pages, url) for url in urls]
        asked = len(server.asked)
        again = [await _inputs(Pages(Archive(tmp_path), None), url) for url in urls]
        assert len(server.asked) == asked
    assert again == first
    assert first[-1] == ("status 404", ())
    assert any(page is not None for _, passages in first for *_, page in passages)  # a PDF's pages are kept


async def _inputs(pages: Pages, url: str) -> tuple[str, tuple[tuple[str, int, int, int | None], ...]]:
    try:
        text = await pages.text(url)
    except FetchError as error:
        return error.kind, ()
    chosen = await select("starting dose once daily", [(url, text)])
    return text.extractor, tuple((each.text, each.start, each.stop, each.page) for each in chosen)


async def test_an_empty_archive_contacts_nobody(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="not in the archive"):
        await Pages(Archive(tmp_path), None).page("http://example.org/")


async def test_only_refetch_asks_again_and_appends(tmp_path: Path) -> None:
    async with Web(WORKS) as server, Hurried(server.place) as fetcher:
        for again, expected in (("none", 1), ("none", 1), ("failed", 2), ("all", 3)):
            await Pages(Archive(tmp_path), fetcher, again=again).page(f"{server.url}/slow")
            assert len(server.asked) == expected
    assert len((tmp_path / "pages.jsonl").read_bytes().splitlines()) == 3


async def test_a_changed_archive_is_noticed(tmp_path: Path) -> None:
    async with Web(WORKS) as server, PageFetcher(allow=[server.place]) as fetcher:
        row = await Pages(Archive(tmp_path), fetcher).page(f"{server.url}/page/1")
    next((tmp_path / "blobs").rglob(row.digest)).write_bytes(b"other")
    with pytest.raises(FetchError, match="changed"):
        await Pages(Archive(tmp_path), None).text(row.key)


async def test_wrong_charset_and_pleading_pages(tmp_path: Path) -> None:
    async with Web(WORKS) as server, PageFetcher(allow=[server.place]) as fetcher:
        pages = Pages(Archive(tmp_path), fetcher)
        assert "Übelkeit" in (await pages.text(f"{server.url}/charset")).text
        plea = (await pages.text(f"{server.url}/pleading")).text
    assert check_content(WORKS[1].facts[0], plea).label == "no"


async def test_pdf_passages_know_their_page_and_the_budget(tmp_path: Path) -> None:
    async with Web(WORKS) as server, PageFetcher(allow=[server.place]) as fetcher:
        text = await Pages(Archive(tmp_path), fetcher).text(f"{server.url}/page/3")
    assert text.pages
    for each in blocks("a", text):
        assert text.text[each.start : each.stop] == each.text
        assert len(each.text.split()) <= 220
    chosen = await select(WORKS[3].facts[1], [("a", text)] * 1)
    assert sum(len(each.text.split()) for each in chosen) <= BUDGET_WORDS
    assert chosen[0].is_head
    assert any(WORKS[3].facts[1].split()[0] in each.text for each in chosen)


# ---- registries


async def test_serper_crossref_openalex_pubmed_speak_their_formats(tmp_path: Path) -> None:
    del tmp_path
    async with Web(WORKS) as server, Client() as client:
        polite = Polite(client, per_second=1000)
        hits = await Serper(polite, api_key="k", base_url=f"{server.url}/serper").search(
            WORKS[4].record.title, k=3
        )
        assert hits[0].title == WORKS[4].record.title
        for resolver in resolvers(("crossref", "openalex", "pubmed"), polite, server.environment()):
            (answer, *_) = await resolver.ask(WORKS[4].record)
            assert answer.records[0].reference.title == WORKS[4].record.title, resolver.name
            assert answer.records[0].reference.year == WORKS[4].record.year
        assert polite.bytes_sent > 0
    assert set(RESOLVERS) == {"crossref", "pubmed", "openalex", "datacite", "arxiv"}


@pytest.mark.parametrize(
    ("kinds", "state", "notice"),
    [
        (("CommentIn",), "", ""),
        (("ErratumIn", "ExpressionOfConcernIn"), "concern", "PubMed: Expression Of Concern In Lancet. 2021;1:2"),
        (("UpdateIn",), "superseded", "PubMed: Update In Lancet. 2021;1:2"),
        (("ExpressionOfConcernIn", "RetractionIn"), "retracted", "PubMed: Retraction In Lancet. 2021;1:2"),
    ],
)  # fmt: skip
def test_what_pubmed_says_of_an_article_since(kinds: tuple[str, ...], state: str, notice: str) -> None:
    """An expression of concern stands in the article's own record, not in its summary."""
    each = WORKS[1]
    body = article_set([each], [(kind, "Lancet. 2021;1:2") for kind in kinds]).encode()
    assert articles(body) == {
        each.record.ids["pmid"]: (f"RESULTS: {each.facts[0]} {each.facts[1]}", state, notice)
    }


@pytest.mark.parametrize("body", [b"", b"{}", b"<PubmedArticleSet", b"<a><!DOCTYPE a></a>"])
def test_an_answer_of_pubmed_that_is_no_xml_holds_no_article(body: bytes) -> None:
    assert articles(body) == {}


async def test_pace_and_retry_after() -> None:
    async with Web(WORKS) as server, Client() as client:
        polite = Polite(client, per_second=20)
        started = time.monotonic()
        await asyncio.gather(
            *(polite.json("crossref", f"{server.url}/crossref", f"/works/{n}") for n in range(11))
        )
        assert time.monotonic() - started >= 10 / 20
        server.limited = 1
        started = time.monotonic()
        status, _ = await polite.json("crossref", f"{server.url}/crossref", "/works/10.5555%2Fplanted.0001")
        assert (status, time.monotonic() - started >= 1.0) == (200, True)


async def test_a_registry_that_fails_is_a_failed_answer() -> None:
    doi = WORKS[1].record.ids["doi"]
    async with Web(WORKS, broken=frozenset({doi})) as server, Client() as client:
        (asked,) = resolvers(("crossref",), Polite(client, per_second=1000, tries=1), server.environment())
        (answer, *_) = await asked.ask(Reference(ids={"doi": doi}))
    assert (answer.state, answer.failure) == ("failed", "status 500")


async def test_an_audit_asks_nothing_twice_and_sends_only_references(tmp_path: Path) -> None:
    secret = "The unpublished finding of this manuscript is a secret."
    text = f"{secret} It was studied before [1, 2].\n\n## References\n1. {vancouver(WORKS[1].record)}\n2. {vancouver(WORKS[2].record)}\n"
    document = of_text("manuscript.md", text)
    async with Web(WORKS) as server, Client() as client:
        for start in range(2):
            polite = Polite(client, archive=Archive(tmp_path), per_second=1000)
            online = Online(resolvers(("crossref", "pubmed"), polite, server.environment()), polite)
            report = await audit([document], [], online)
            assert report.counts()["found"] == 2
            assert (report.requests == 0) is (start == 1)
        sent = " ".join(server.asked)
    assert "unpublished" not in sent
    assert "manuscript" not in sent


@pytest.mark.parametrize("registry", ["crossref", "pubmed"])
async def test_content_of_an_audit_comes_from_the_records(registry: str) -> None:
    each = WORKS[2]
    claim = each.facts[1].removesuffix(".")
    text = f"{claim} [1]. {claim.replace(' mg', '0 mg')} [1].\n\n## References\n1. {vancouver(each.record)}\n"
    async with Web(WORKS) as server, Client() as client:
        polite = Polite(client, per_second=1000)
        online = Online(resolvers((registry,), polite, server.environment()), polite)
        report = await audit([of_text("a.md", text)], [], online, content=True)
    assert [line.label for line in report.content] == ["yes", "no"]
    offline = await audit([of_text("a.md", text)], [Library([])], content=True)
    assert [line.label for line in offline.content] == ["not_checkable", "not_checkable"]


class Shelf:
    """Finds four links to one work; all but the last answer 403."""

    id = "scripted/shelf"
    title = "Lanterns of the northern shore"

    def __init__(self) -> None:
        self.opened: list[str] = []

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        del query, k
        urls = [f"https://{host}.example/10.5555/lanterns" for host in ("doi", "publisher", "index")]
        return tuple(
            Hit(id=url, title=self.title, text="", url=url) for url in (*urls, "https://copy.example/4")
        )

    async def fetch(self, url: str) -> Document:
        self.opened.append(url)
        if "copy" not in url:
            raise FetchError("got 403", kind="status 403")
        return Document(url=url, media_type="text/html", text="Lanterns burn for 9 hours.")


async def test_links_that_failed_leave_the_turn_to_a_copy_that_can_be_read() -> None:
    shelf = Shelf()
    cited = Reference(title=shelf.title, ids={"doi": "10.5555/lanterns"})
    wanted = Wanted(cited=cited, description="Lanterns burn for 9 hours.")
    found = await gather(wanted, RulePlanner(), shelf, shelf)
    assert list(found.documents) == ["https://copy.example/4"]
    assert len(found.failures) == 3
    assert len(shelf.opened) == len(set(shelf.opened)), "nothing is asked for twice"
