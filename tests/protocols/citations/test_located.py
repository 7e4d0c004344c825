"""An identifier that leads elsewhere, or nowhere, hides no work: its title is looked for, by registries, libraries and searches."""

import pytest

from percuss.core.ports import Document, Hit
from percuss.net.client import Client
from percuss.protocols.citations.audit.audit import Online, audit
from percuss.protocols.citations.audit.document import of_text
from percuss.protocols.citations.audit.library import Library
from percuss.protocols.citations.audit.report import corrected
from percuss.protocols.citations.judge.planner import RulePlanner
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.sources.gather import Gathered, Wanted, gather
from percuss.protocols.citations.sources.polite import Polite
from percuss.protocols.citations.sources.resolve import ask_all, resolvers
from tests.citing import Web, known, pmc, vancouver, work

WORKS = [work(n) for n in range(12)]
RIGHT, OTHER = WORKS[3].record, WORKS[7].record


def _cited(doi: str) -> str:
    return vancouver(RIGHT).replace(RIGHT.ids["doi"], doi)


@pytest.mark.parametrize("registry", ["crossref", "openalex", "pubmed"])
@pytest.mark.parametrize("doi", [OTHER.ids["doi"], "10.5555/planted.9999"])
async def test_registries_find_the_work_of_a_wrong_doi(registry: str, doi: str) -> None:
    assert RIGHT.ids["doi"] in vancouver(RIGHT)
    document = of_text("a.md", f"A claim [1].\n\n## References\n1. {_cited(doi)}\n")
    async with Web(WORKS) as server, Client() as client:
        polite = Polite(client, per_second=1000)
        online = Online(resolvers((registry,), polite, server.environment()), polite)
        (line,) = (await audit([document], [], online)).lines
    found = line.finding
    assert found.candidate is not None
    assert found.candidate.reference.title == RIGHT.title
    if doi == OTHER.ids["doi"]:
        assert found.word == "mismatch:identifier"
        assert f"doi {doi} is another work: {OTHER.title[:80]}" in found.notes
        assert corrected(line).ids["doi"] == RIGHT.ids["doi"]
    elif registry == "crossref":  # alone an authority for a DOI that it lacks
        assert found.word == "mismatch:identifier"
        assert f"crossref has no doi {doi}" in found.notes


async def test_a_right_doi_is_asked_for_once() -> None:
    async with Web(WORKS) as server, Client() as client:
        polite = Polite(client, per_second=1000)
        await ask_all(RIGHT, resolvers(("crossref", "openalex"), polite, server.environment()))
        assert polite.requests == 2
        await ask_all(
            Reference(ids={"doi": OTHER.ids["doi"]}), resolvers(("crossref",), polite, server.environment())
        )
        assert polite.requests == 3, "without a title there is none to look for"


async def test_a_library_finds_the_work_of_a_wrong_doi() -> None:
    library = Library(map(known, WORKS))
    document = of_text("a.md", f"A claim [1].\n\n## References\n1. {_cited(OTHER.ids['doi'])}\n")
    (line,) = (await audit([document], [library])).lines
    assert line.finding.word == "mismatch:identifier"
    assert corrected(line).ids["doi"] == RIGHT.ids["doi"]


class Index:
    """A search that knows other works by the DOI and the right one by its title alone."""

    id = "scripted/index"

    def __init__(self, *, right_doi: bool) -> None:
        self.right_doi = right_doi
        self.queries: list[str] = []

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        del k
        self.queries.append(query)
        right = Hit(id="r", title=RIGHT.title, text="", url="https://right.example/1")
        other = Hit(id="o", title=OTHER.title, text="", url=f"https://doi.example/{OTHER.ids['doi']}")
        by_doi = query.startswith("10.")
        return (right,) if (by_doi and self.right_doi) or query == RIGHT.title else (other,) if by_doi else ()

    async def fetch(self, url: str) -> Document:
        return Document(url=url, media_type="text/html", text=f"{url} says so.")


async def _gathered(index: Index, *, decides_at: str = "never") -> Gathered:
    async def decisive(found: Gathered) -> bool:
        return any(decides_at in url for url in found.documents)

    wanted = Wanted(
        cited=Reference(title=RIGHT.title, ids={"doi": OTHER.ids["doi"]}),
        description="Lanterns burn for 9 hours.",
    )
    return await gather(wanted, RulePlanner(), index, index, decisive=decisive)


async def test_without_a_planner_the_title_follows_an_identifier_that_brought_something_else() -> None:
    index = Index(right_doi=False)
    found = await _gathered(index)
    assert index.queries[:3] == [OTHER.ids["doi"], RIGHT.title, "Lanterns burn for 9 hours."]
    assert "https://right.example/1" in found.documents


async def test_an_identifier_that_brought_the_source_is_enough() -> None:
    index = Index(right_doi=True)
    await _gathered(index)
    doi, said = OTHER.ids["doi"], "Lanterns burn for 9 hours."
    assert index.queries == [doi, said, f"{doi} {said}"]


async def test_the_search_ends_where_a_passage_decides() -> None:
    index = Index(right_doi=True)
    found = await _gathered(index, decides_at="right.example")
    assert (index.queries, found.stop) == ([OTHER.ids["doi"]], "decided")


@pytest.mark.parametrize("registry", ["pubmed", "openalex"])
async def test_a_number_of_pubmed_central_leads_to_its_work(registry: str) -> None:
    cited = Reference(raw=pmc(WORKS[3]), ids={"pmcid": pmc(WORKS[3])})
    async with Web(WORKS) as server, Client() as client:
        asked = resolvers((registry,), Polite(client, per_second=1000), server.environment())
        (answer,) = await ask_all(cited, asked)
    assert (answer.by, answer.state) == ("pmcid", "found")
    assert [each.reference.title for each in answer.records] == [RIGHT.title]
