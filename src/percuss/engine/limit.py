"""At most n calls at a time to one place, each with an end."""

import asyncio
import time

from percuss.core.errors import Transient
from percuss.core.ports import Model, is_simulated
from percuss.core.records import Reply, Request
from percuss.engine import uses

__all__ = ["TIMEOUT_S", "Limited"]

TIMEOUT_S = 120.0


class Limited:
    """A model that is asked in one of `slots` at a time; the slot is free as soon as the reply is in.

    Args:
        model: who is asked.
        slots: shared by all models that one limit is for.
        timeout_s: time for one attempt, waiting for a slot not counted.
    """

    def __init__(self, model: Model, slots: asyncio.Semaphore, *, timeout_s: float = TIMEOUT_S) -> None:
        self.id = model.id
        self.pin = model.pin
        self.simulated = is_simulated(model)
        self._model = model
        self._slots = slots
        self._timeout_s = timeout_s

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer a request.

        Raises:
            Transient: no reply within the time.
            ModelError: as the model raises.
        """
        async with self._slots:
            started = time.perf_counter()
            try:
                async with asyncio.timeout(self._timeout_s):
                    return await self._model.generate(request, epoch=epoch)
            except TimeoutError as error:
                raise Transient(f"{self.id} gave no reply within {self._timeout_s:g} s") from error
            finally:
                uses.tracing().latency_s = time.perf_counter() - started
