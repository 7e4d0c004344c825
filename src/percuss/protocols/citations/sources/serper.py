"""A web search in Serper's wire format: POST /search {"q", "num"} with X-API-KEY; answers {"organic": [{title, link, snippet}]}."""

import msgspec

from percuss.core.errors import FetchError
from percuss.core.ports import Hit
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["SERPER", "Serper"]

SERPER = "https://google.serper.dev"


class Serper:
    """A `Search` over Serper's endpoint, or any that speaks its format.

    Args:
        polite: the client. api_key: sent as X-API-KEY, never kept. base_url: of the endpoint.
    """

    def __init__(self, polite: Polite, *, api_key: str = "", base_url: str = SERPER) -> None:
        self.id = "serper"
        self._polite = polite
        self._key = api_key
        self._base = base_url

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k results, best first.

        Raises:
            FetchError: no answer, or one of another format.
        """
        status, body = await self._polite.raw(
            self.id, self._base, "/search", post={"q": query, "num": k}, headers={"X-API-KEY": self._key}
        )
        if status != 200:
            raise FetchError(f"serper answered {status}", kind=f"status {status}")
        try:
            rows = msgspec.json.decode(body, type=dict).get("organic") or []
        except msgspec.DecodeError:
            raise FetchError("serper answered with something that is no JSON", kind="status") from None
        return tuple(
            Hit(
                id=str(row.get("link") or ""), title=str(row.get("title") or ""), text=str(row.get("snippet") or ""),
                url=str(row.get("link") or ""), score=1 / rank,
            )
            for rank, row in enumerate(rows[:k], start=1)
            if isinstance(row, dict) and row.get("link")
        )  # fmt: skip
