"""All that a run looks for sources with, behind one search: web searches, registries, and the corpus of the question.

A registry is asked in two ways: about a reference (`ask`, its record compared field by field), and by words (`search`,
its works as results). `Backends` merges the results of all in turn, and counts what was asked.
"""

from collections.abc import Callable, Mapping, Sequence

from percuss.core.errors import FetchError, UsageError
from percuss.core.ports import Hit, Search
from percuss.evidence.search import together
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.polite import Polite
from percuss.protocols.citations.sources.queries import PER_QUERY
from percuss.protocols.citations.sources.resolve import RESOLVERS, Resolver, ask_all, resolvers
from percuss.protocols.citations.sources.web_search import BRAVE, SERPER, TAVILY, Brave, Serper, Tavily

__all__ = ["CORPUS", "WEB", "WEB_SEARCHES", "Backends", "built", "names_of"]

WEB_SEARCHES: Mapping[str, Callable[..., Search]] = {"serper": Serper, "brave": Brave, "tavily": Tavily}
CORPUS = "corpus"
"""The documents of the question, which need nobody."""
WEB = "web"
"""No search: pages that a reference or result names are opened."""
ADDRESSES = {**RESOLVERS, "serper": SERPER, "brave": BRAVE, "tavily": TAVILY}
_BY_TITLE = frozenset({"crossref", "openalex", "pubmed", "arxiv"})
_PACE = {"serper": 50.0, "brave": 20.0, "tavily": 20.0}
"""Requests a second; registries have a pace of their own (`polite.PER_SECOND`)."""


class Backends:
    """A `Search` over several.

    Args:
        names: as the user gave them. resolvers: registries among them. searches: web searches among them.
    """

    def __init__(
        self, names: Sequence[str], resolvers: Sequence[Resolver] = (), searches: Sequence[Search] = ()
    ) -> None:
        self.id = ",".join(names)
        self.names = tuple(names)
        self.resolvers = tuple(resolvers)
        self._searches = (*searches, *(ByTitle(each) for each in resolvers if each.name in _BY_TITLE))

    @property
    def opens_pages(self) -> bool:
        """Whether pages may be fetched: where anything but the corpus is searched."""
        return set(self.names) != {CORPUS}

    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Return what all registries say of one reference; a failure is an answer."""
        return await ask_all(cited, self.resolvers)

    async def search(self, query: str, *, k: int = PER_QUERY) -> tuple[Hit, ...]:
        """Return at most k results of all searches, in turn, each address once.

        Raises:
            FetchError: none of them answered, and at least one could not be asked.
        """
        return await together(self._searches, query, k=k)


class ByTitle:
    """A registry as a search by words.

    Args:
        resolver: of the registry.
    """

    def __init__(self, resolver: Resolver) -> None:
        self.id = resolver.name
        self._resolver = resolver

    async def search(self, query: str, *, k: int = PER_QUERY) -> tuple[Hit, ...]:
        """Return works whose records are nearest, as the registry orders them.

        Raises:
            FetchError: the registry could not be asked.
        """
        answers = await self._resolver.ask(Reference(title=query[:300], raw=query[:300]))
        failed = next((answer for answer in answers if answer.state == "failed"), None)
        if failed is not None:
            raise FetchError(f"{self.id} could not be asked", kind=failed.failure)
        records = [known for answer in answers for known in answer.records]
        return tuple(_hit(known, 1 / rank) for rank, known in enumerate(records[:k], start=1))


def _hit(known: Known, score: float) -> Hit:
    record = known.reference
    people = ", ".join(map(str, record.authors[:6]))
    where = " ".join(
        part for part in (record.container, str(record.year or ""), record.volume, record.pages) if part
    )
    flag = f" [{known.state}]" if known.state else ""
    text = "\n".join(part for part in (people, where + flag, known.text) if part)
    return Hit(id=address(record), title=record.title, text=text, url=address(record), score=score)


def address(record: Reference) -> str:
    """Return where a work is to be read; empty where nothing says it."""
    ids = record.ids
    if ids.get("doi"):
        return f"https://doi.org/{ids['doi']}"
    if ids.get("arxiv"):
        return f"https://arxiv.org/abs/{ids['arxiv']}"
    return f"https://pubmed.ncbi.nlm.nih.gov/{ids['pmid']}/" if ids.get("pmid") else ""


def names_of(text: str) -> tuple[str, ...]:
    """Return the names in a comma list.

    Raises:
        UsageError: one that isn't a search, or none.
    """
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    known = (*ADDRESSES, CORPUS, WEB)
    strange = [name for name in names if name not in known]
    if strange or not names:
        raise UsageError(f"--search got {(strange or [text])[0]!r}; expected some of {', '.join(known)}")
    return names


def built(names: Sequence[str], polite: Polite, environment: Mapping[str, str]) -> Backends:
    """Build backends by name; addresses from `<NAME>_BASE_URL`, keys from `<NAME>_API_KEY`.

    Args:
        names: of `names_of`. polite: the client that all share. environment: where addresses and keys are.

    Raises:
        UsageError: a web search without a key that has no address of one's own.
    """
    searches = []
    for name in names:
        if name in WEB_SEARCHES:
            key, base = (
                environment.get(f"{name.upper()}_API_KEY", ""),
                environment.get(f"{name.upper()}_BASE_URL", ""),
            )
            if not key and not base:
                raise UsageError(
                    f"--search {name} needs a key; put it into {name.upper()}_API_KEY, or name your own server in {name.upper()}_BASE_URL"
                )
            polite.pace(base or ADDRESSES[name], _PACE[name])
            searches.append(WEB_SEARCHES[name](polite, api_key=key, base_url=base))
    return Backends(
        names, resolvers([name for name in names if name in RESOLVERS], polite, environment), searches
    )
