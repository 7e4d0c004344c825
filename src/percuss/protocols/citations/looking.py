"""Looking a reference up: the corpus of the question, then the registries and pages that the run may ask."""

import asyncio
from dataclasses import dataclass, field

from msgspec import structs

from percuss.core.errors import FetchError
from percuss.core.ports import Document, Embedder, Fetch, Hit, Search
from percuss.protocols.citations.case import Inquiry
from percuss.protocols.citations.corpus import CorpusSearch, answers_of, is_ours, tolerance_of
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import Answer, Finding, decide
from percuss.protocols.citations.sources.backends import CORPUS, Backends
from percuss.protocols.citations.sources.opened import address_of, answer_of_page

__all__ = ["World"]


@dataclass(frozen=True)
class World:
    """Where the sources of one question may be looked for.

    Args:
        inquiry: whose corpus. backends: registries and searches of the run; None = the corpus alone.
        fetch: opens pages; None = never. strict: both pages of a reference must agree.
        opened: text -> the page that was opened for it, so that a passage can be opened at its place.
    """

    inquiry: Inquiry
    corpus: CorpusSearch
    backends: Backends | None = None
    fetch: Fetch | None = None
    strict: bool = False
    opened: dict[str, Document] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        inquiry: Inquiry,
        search: Search | None,
        fetch: Fetch | None,
        embedder: Embedder | None,
        *,
        strict: bool,
    ) -> "World":
        """Return the world of a question: with no search, and with the corpus alone, nobody is contacted."""
        backends = search if isinstance(search, Backends) and search.opens_pages else None
        opens = None if backends is None else fetch
        return cls(inquiry, CorpusSearch(inquiry, embedder), backends, opens, strict)

    async def look_up(self, cited: Reference) -> Finding:
        """Decide on a reference; what is the library's own is asked of nobody else."""
        answers = await asyncio.to_thread(answers_of, cited, self.inquiry)
        online = self.backends is not None and not is_ours(cited)
        if online:
            answers = (*answers, *await self._online(cited))
        tolerance = tolerance_of(strict=self.strict)
        return await asyncio.to_thread(decide, cited, answers, tolerance=tolerance, corpus_only=not online)

    async def _online(self, cited: Reference) -> tuple[Answer, ...]:
        assert self.backends is not None
        answers = await self.backends.ask(cited)
        url = address_of(cited)
        named = any(answer.records for answer in answers if answer.by != "search")
        return answers if named or not url or self.fetch is None else (*answers, await self._page(cited, url))

    async def _page(self, cited: Reference, url: str) -> Answer:
        assert self.fetch is not None
        try:
            document = await self.fetch.fetch(url)
        except FetchError as error:
            return Answer(source="web", by="url", state="failed", failure=error.kind or str(error))
        self.opened[document.text] = structs.replace(document, data=b"")
        return await asyncio.to_thread(answer_of_page, cited, document)

    @property
    def search(self) -> Search:
        """The searches of the run and the corpus, as one."""
        if self.backends is None:
            return self.corpus
        return _Both(self.corpus, self.backends) if CORPUS in self.backends.names else self.backends


@dataclass(frozen=True)
class _Both:
    """The corpus first, then the web: what is at hand costs nothing."""

    corpus: CorpusSearch
    backends: Backends

    @property
    def id(self) -> str:
        return self.backends.id

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        near = await self.corpus.search(query, k=max(1, k // 2))
        return (*near, *await self.backends.search(query, k=k - len(near)))
