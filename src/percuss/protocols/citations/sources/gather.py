"""Gathering what a claim is judged by: rounds of a query, five results and a few pages read in full.

A planner says each round whether the texts are enough, what to look for next, and which results to read (papers/2 section
4.3.1; definitions/citations, "Search, passages, fallback"). The same claim, planner and archive gather the same texts.
"""

import asyncio
import typing
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from percuss.core.errors import FetchError
from percuss.core.ports import Document, Fetch, Hit, Search
from percuss.core.strict import Record
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.sources.opened import page_text
from percuss.protocols.citations.sources.queries import PER_QUERY, same_query
from percuss.text.documents.page import PageText

__all__ = ["HTML_PICKS", "PDF_PICKS", "ROUNDS", "Gathered", "Planner", "Step", "Wanted", "gather"]

ROUNDS, HTML_PICKS, PDF_PICKS = 5, 2, 1
"""Rounds at the most, and pages that are read in full in one (definitions/citations, "Search, passages, fallback")."""


class Wanted(Record):
    """What is looked for: the reference as cited, and what it is said to hold."""

    cited: Reference
    description: str


class Step(Record):
    """What a planner says in one round.

    Args:
        enough: no further round. reason: in one sentence. query: the next one; "" = none.
        picks: places in the list of results (from 0) that are to be read in full, in order of worth.
    """

    enough: bool = False
    reason: str = ""
    query: str = ""
    picks: tuple[int, ...] = ()


@dataclass
class Gathered:
    """What the rounds brought.

    Args:
        hits: results, each address once, in the order in which they came.
        documents: address -> what was read in full. failures: address or search -> kind of failure.
        queries: those that were put. stop: why no further round was made.
    """

    hits: list[Hit] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    queries: list[str] = field(default_factory=list)
    rounds: int = 0
    stop: str = ""

    @property
    def texts(self) -> tuple[tuple[str, PageText], ...]:
        """Address and text of what was read in full."""
        return tuple((url, page_text(each)) for url, each in self.documents.items())


class Planner(typing.Protocol):
    """Says what a round does."""

    async def step(self, wanted: Wanted, so_far: Gathered, rounds_left: int) -> Step:
        """Return the next step."""
        ...


Decisive = Callable[[Gathered], Awaitable[bool]]


async def gather(
    wanted: Wanted,
    planner: Planner,
    search: Search | None,
    fetch: Fetch | None,
    *,
    held: Mapping[str, Known] | None = None,
    rounds: int = ROUNDS,
    decisive: Decisive | None = None,
) -> Gathered:
    """Gather texts for a claim.

    Args:
        wanted: the claim's reference and description. planner: says what to do.
        search: None = nothing is searched. fetch: None = nothing is opened but what is held.
        held: address -> record of the corpus, whose text is at hand. rounds: at the most.
        decisive: says whether what was read so far decides; None = the planner alone says when it is enough.

    It stops where a passage decides, where the planner has enough, at a query that was put before, after two rounds that brought no new address,
    and after the last round, whose picks are read.
    """
    found, known = Gathered(), held or {}
    idle = 0
    while True:
        step = await planner.step(wanted, found, rounds - found.rounds)
        await _read(step.picks, found, fetch, known)
        if decisive is not None and await decisive(found):
            found.stop = "decided"
            return found
        if step.enough or found.rounds >= rounds or not step.query or search is None:
            found.stop = "enough" if step.enough else "rounds" if found.rounds >= rounds else "no query"
            return found
        if any(same_query(step.query, earlier) for earlier in found.queries):
            found.stop = "query repeated"
            return found
        before = len(found.hits)
        await _ask(step.query, found, search)
        idle = idle + 1 if len(found.hits) == before else 0
        if idle == 2:
            found.stop = "nothing new twice"
            return found


async def _ask(query: str, found: Gathered, search: Search) -> None:
    found.queries.append(query)
    found.rounds += 1
    try:
        hits = await search.search(query, k=PER_QUERY)
    except FetchError as error:
        found.failures[f"search: {query[:80]}"] = error.kind or str(error)
        return
    seen = {hit.url or hit.id for hit in found.hits}
    found.hits += [hit for hit in hits if (hit.url or hit.id) not in seen]


async def _read(
    picks: Sequence[int], found: Gathered, fetch: Fetch | None, held: Mapping[str, Known]
) -> None:
    """Read picked results in full: two web pages and one PDF at the most; what was read before is free."""
    room = {"html": HTML_PICKS, "pdf": PDF_PICKS}
    urls = []
    for place in dict.fromkeys(picks):
        hit = found.hits[place] if 0 <= place < len(found.hits) else None
        if hit is None or not hit.url or hit.url in found.documents or hit.url in found.failures:
            continue
        kind = "pdf" if _is_pdf(hit.url) else "html"
        if room[kind]:
            room[kind] -= 1
            urls.append(hit.url)
    for url, read in zip(
        urls, await asyncio.gather(*(_opened(url, fetch, held) for url in urls)), strict=True
    ):
        if isinstance(read, Document):
            found.documents[url] = read
        else:
            found.failures[url] = read


async def _opened(url: str, fetch: Fetch | None, held: Mapping[str, Known]) -> Document | str:
    known = held.get(url)
    if known is not None:
        return Document(url=url, media_type="text/plain", text=known.text, extractor="corpus")
    if fetch is None:
        return "blocked"
    try:
        # A large check has hundreds of claims under way: bytes are in the archive, and are not held here.
        return structs.replace(await fetch.fetch(url), data=b"")
    except FetchError as error:
        return error.kind or str(error)


def _is_pdf(url: str) -> bool:
    path = url.lower().split("?")[0].split("#")[0]
    return path.endswith(".pdf") or "/pdf/" in path
