"""Asking again after named failures, by stamina: `Transient` and `BadReply`, and nothing else."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import stamina

from percuss.core.errors import BadReply, Transient
from percuss.core.ports import Model, is_simulated
from percuss.core.records import Reply, Request
from percuss.engine import uses

__all__ = ["ATTEMPTS", "Retrying", "patiently"]

T = TypeVar("T")

ATTEMPTS = 3
LONGEST_WAIT_S = 300.0
"""A server that asks for more patience than this has failed: the next start asks again."""

# Without a handler of its own, stamina's notes on retries would reach the terminal through the progress bar.
logging.getLogger("stamina").addHandler(logging.NullHandler())


class Retrying:
    """A model that is asked up to `attempts` times; a server's Retry-After decides how long to wait, where given.

    Args:
        model: who is asked.
        attempts: in all, the first included.
        wait_s: before the second attempt; it doubles, with as much again of jitter.
    """

    def __init__(self, model: Model, *, attempts: int = ATTEMPTS, wait_s: float = 0.5) -> None:
        self.id = model.id
        self.pin = model.pin
        self.simulated = is_simulated(model)
        self._model = model
        self._attempts = attempts
        self._wait_s = wait_s

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer a request.

        Raises:
            Transient, BadReply: the last attempt's, when all have failed.
            ModelError: any other, at once.
        """
        return await patiently(
            lambda: self._model.generate(request, epoch=epoch), attempts=self._attempts, wait_s=self._wait_s
        )


async def patiently(ask: Callable[[], Awaitable[T]], *, attempts: int = ATTEMPTS, wait_s: float = 0.5) -> T:
    """Await what `ask` makes, up to `attempts` times in all; the arguments are those of `Retrying`.

    Raises:
        Transient, BadReply: the last attempt's, when all have failed.
        ModelError: any other, at once.
    """
    try:
        return await ask()
    except (Transient, BadReply) as error:
        first = error
    # Setting stamina up costs as much as the rest of the engine, so only a call that failed once pays for it: its
    # first attempt is the one that has been made.
    async for attempt in stamina.retry_context(
        on=_patience,
        attempts=attempts,
        timeout=None,
        wait_initial=wait_s,
        wait_max=30.0,
        wait_jitter=wait_s,
    ):
        with attempt:
            if attempt.num == 1:
                raise first
            uses.tracing().attempts = attempt.num
            return await ask()
    raise AssertionError("stamina returns or raises")


def _patience(error: Exception) -> bool | float:
    if isinstance(error, Transient) and error.retry_after_s is not None:
        return error.retry_after_s if error.retry_after_s <= LONGEST_WAIT_S else False
    return isinstance(error, Transient | BadReply)
