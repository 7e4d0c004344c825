"""The cache across runs, as a model under the journal: what another run was answered is not asked again."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

from percuss.core.messages import WebSearchRequest
from percuss.core.ports import Model, is_simulated
from percuss.core.records import Reply, Request
from percuss.engine import uses
from percuss.engine.journal import key_of
from percuss.store.replies import KeptReply, Replies
from percuss.store.scorings import now
from percuss.store.sent import CACHED

__all__ = ["LOOSE_DAYS", "Cached"]

LOOSE_DAYS = 30
"""Days after which a model that nothing pins down is asked again: an endpoint may serve another one by then."""


class Cached:
    """A model whose replies are looked up in the cache before it is asked, and kept there afterwards.

    Failures are not kept, nor what a model says that searches the web. A reply from the cache takes nothing of the
    budget; its row in the journal has no attempt, costs nothing, and bears the time at which it was made.

    Args:
        model: who is asked.
        replies: the cache.
        pinned: whether id and pin say exactly which model it is (weights, version); else replies hold for 30 days.
        clock: UTC time, ISO 8601.
    """

    def __init__(
        self, model: Model, replies: Replies, *, pinned: bool, clock: Callable[[], str] = now
    ) -> None:
        self.id = model.id
        self.pin = model.pin
        self.simulated = is_simulated(model)
        self._model = model
        self._replies = replies
        self._pinned = pinned
        self._clock = clock

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer from the cache, or ask the model.

        Raises:
            ModelError: as the model raises.
        """
        if isinstance(request, WebSearchRequest):
            return await self._model.generate(request, epoch=epoch)
        key = key_of(self, request, epoch)
        kept = await asyncio.to_thread(self._replies.find, key)
        if kept is not None and self._holds(kept):
            trace = uses.tracing()
            trace.attempts, trace.latency_s, trace.made_at = CACHED, 0.0, kept.made_at
            return kept.reply
        reply = await self._model.generate(request, epoch=epoch)
        await asyncio.to_thread(self._replies.keep, key, self.id, reply, self._clock())
        return reply

    def _holds(self, kept: KeptReply) -> bool:
        age = datetime.fromisoformat(self._clock()) - datetime.fromisoformat(kept.made_at)
        return self._pinned or age <= timedelta(days=LOOSE_DAYS)
