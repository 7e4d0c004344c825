"""Web searches by their wire formats: Serper, Brave and Tavily; each answers with titles, addresses and extracts.

serper  POST /search {"q", "num"}, X-API-KEY; {"organic": [{title, link, snippet}]}
brave   GET /res/v1/web/search?q=&count=, X-Subscription-Token; {"web": {"results": [{title, url, description}]}}
tavily  POST /search {"query", "max_results"}, Bearer; {"results": [{title, url, content}]}
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import msgspec

from percuss.core.errors import FetchError
from percuss.core.ports import Hit
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["BRAVE", "SERPER", "TAVILY", "Brave", "Serper", "Tavily"]

SERPER, BRAVE, TAVILY = "https://google.serper.dev", "https://api.search.brave.com", "https://api.tavily.com"


class _WebSearch(ABC):
    """What the three share.

    Args:
        polite: the client. api_key: sent in a header, never kept. base_url: of the endpoint, or one that speaks its format.
    """

    id = ""
    address = ""
    fields = ("title", "url", "content")
    """Names of title, address and extract in a row of the answer."""

    def __init__(self, polite: Polite, *, api_key: str = "", base_url: str = "") -> None:
        self._polite = polite
        self._key = api_key
        self._base = base_url or self.address

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k results, best first.

        Raises:
            FetchError: no answer, or one of another format.
        """
        status, body = await self._sent(query, k)
        if status != 200:
            raise FetchError(f"{self.id} answered {status}", kind=f"status {status}")
        try:
            rows = self._rows(msgspec.json.decode(body, type=dict[str, Any]))
        except (msgspec.DecodeError, AttributeError):
            raise FetchError(
                f"{self.id} answered with something that is not its format", kind="status"
            ) from None
        title, url, text = self.fields
        return tuple(
            Hit(id=str(row[url]), title=str(row.get(title) or ""), text=str(row.get(text) or ""), url=str(row[url]), score=1 / rank)
            for rank, row in enumerate(rows[:k], start=1)
            if isinstance(row, dict) and row.get(url)
        )  # fmt: skip

    @abstractmethod
    async def _sent(self, query: str, k: int) -> tuple[int, bytes]:
        """Return status and body of what the endpoint answers."""

    def _rows(self, answer: Mapping[str, Any]) -> list[Any]:
        return list(answer.get("results") or [])


class Serper(_WebSearch):
    """A `Search` over Serper's endpoint."""

    id = "serper"
    address = SERPER
    fields = ("title", "link", "snippet")

    async def _sent(self, query: str, k: int) -> tuple[int, bytes]:
        return await self._polite.raw(
            self.id, self._base, "/search", post={"q": query, "num": k}, headers={"X-API-KEY": self._key}
        )

    def _rows(self, answer: Mapping[str, Any]) -> list[Any]:
        return list(answer.get("organic") or [])


class Brave(_WebSearch):
    """A `Search` over Brave's endpoint."""

    id = "brave"
    address = BRAVE
    fields = ("title", "url", "description")

    async def _sent(self, query: str, k: int) -> tuple[int, bytes]:
        asked = {"q": query[:400], "count": str(k)}
        return await self._polite.raw(
            self.id, self._base, "/res/v1/web/search", asked, headers={"X-Subscription-Token": self._key}
        )

    def _rows(self, answer: Mapping[str, Any]) -> list[Any]:
        return list((answer.get("web") or {}).get("results") or [])


class Tavily(_WebSearch):
    """A `Search` over Tavily's endpoint."""

    id = "tavily"
    address = TAVILY

    async def _sent(self, query: str, k: int) -> tuple[int, bytes]:
        asked = {"query": query[:400], "max_results": k}
        return await self._polite.raw(
            self.id, self._base, "/search", post=asked, headers={"Authorization": f"Bearer {self._key}"}
        )
