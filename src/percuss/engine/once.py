"""What the run keeps for makers: bytes by digest, and the outcome of anything but a model's call, made once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from percuss.core.ids import b2
from percuss.core.records import Blob
from percuss.store.made import find_made, put_made
from percuss.store.run import RunStore

__all__ = ["JournaledOnce"]

MEDIA_TYPE = "application/octet-stream"


class JournaledOnce:
    """The `Once` port over a run: what was made is on disk before it is returned; askers of one key share the making.

    Args:
        store: the run.
    """

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._flights: dict[str, asyncio.Lock] = {}

    async def __call__(self, kind: str, key: Any, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return what `make` made the first time that this kind and key were asked for.

        Args:
            kind: what is made: tool, page, embedding, file.
            key: all that the outcome depends on, as JSON.
            make: makes it; what it raises is not kept.
        """
        name = b2("once", kind, key)
        async with self._flights.setdefault(name, asyncio.Lock()):
            held = self._store.read(find_made, name)
            if held is None:
                blob = Blob.of(await make(), MEDIA_TYPE)
                await self._store.write(put_made, name, kind, blob)
                held = blob.data
        return held
