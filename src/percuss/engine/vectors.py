"""Vectors of an endpoint, journaled like calls: a text is embedded and paid once, whatever is checked again."""

import asyncio
import typing
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from percuss.core.ids import b2
from percuss.core.ports import Embedder
from percuss.core.records import Blob
from percuss.engine.retry import ATTEMPTS, patiently
from percuss.store.calls import Page, find_page, put_page
from percuss.store.run import RunStore
from percuss.store.scorings import now

__all__ = ["JournaledEmbedder"]

MEDIA_TYPE = "application/vnd.percuss+float32"
Row = NDArray[np.float32]


class Pinned(Embedder, typing.Protocol):
    """An embedder that says what its id leaves open (the host)."""

    @property
    def pin(self) -> str: ...


class JournaledEmbedder:
    """An `Embedder` whose vectors stay in the run, one row a text; named failures are asked again as a model's are.

    Args:
        embedder: what reaches out; its id and pin are part of the key.
        store: the run.
        attempts: of a batch, in all.
        wait_s: before the second attempt; it doubles.
    """

    def __init__(
        self, embedder: Pinned, store: RunStore, *, attempts: int = ATTEMPTS, wait_s: float = 0.5
    ) -> None:
        self.id = embedder.id
        self.pin = embedder.pin
        self._embedder = embedder
        self._store = store
        self._attempts = attempts
        self._wait_s = wait_s
        self._flights: dict[str, asyncio.Future[Row | None]] = {}

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (n, d) whose rows have length 1, in the order of the texts; no text gives (0, 0).

        Raises:
            ModelError: as the embedder's own call.
        """
        rows: dict[str, Row] = {}
        while wanted := [text for text in dict.fromkeys(texts) if text not in rows]:
            flying = {text: self._flights[text] for text in wanted if text in self._flights}
            found = {text: self._find(text) for text in wanted if text not in flying}
            rows.update({text: row for text, row in found.items() if row is not None})
            if missing := [text for text, row in found.items() if row is None]:
                rows.update(await self._lead(missing))
            for text, flight in flying.items():
                row = await asyncio.shield(flight)
                if row is not None:  # else its leader failed or was cancelled: whoever comes first leads anew
                    rows[text] = row
        return np.stack([rows[text] for text in texts]) if texts else np.zeros((0, 0), dtype=np.float32)

    async def _lead(self, texts: list[str]) -> dict[str, Row]:
        loop = asyncio.get_running_loop()
        flights = {text: loop.create_future() for text in texts}
        self._flights.update(flights)
        made: dict[str, Row] = {}
        try:
            asked = await patiently(
                lambda: self._embedder.embed(texts), attempts=self._attempts, wait_s=self._wait_s
            )
            made = dict(zip(texts, asked, strict=True))
            await asyncio.gather(*(self._keep(text, row) for text, row in made.items()))
        finally:
            for text, flight in flights.items():
                del self._flights[text]
                flight.set_result(made.get(text))
        return made

    def _key(self, text: str) -> str:
        return b2("embed", self.id, self.pin, text)

    def _find(self, text: str) -> Row | None:
        page = self._store.read(find_page, self._key(text))
        return None if page is None or page.blob is None else np.frombuffer(page.blob.data, dtype="<f4")

    async def _keep(self, text: str, row: Row) -> None:
        blob = Blob.of(np.asarray(row, dtype="<f4").tobytes(), MEDIA_TYPE)
        page = Page(key=self._key(text), url=f"{self.id}@{self.pin}", blob=blob, fetched_at=now())
        await self._store.write(put_page, page)
