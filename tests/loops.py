"""An event loop that says which callback kept it busy, in processor time: a busy machine is nobody's fault."""

import asyncio
import time
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeVarTuple

from percuss.text.sentences import split

__all__ = ["Watched"]

Ts = TypeVarTuple("Ts")
TEXT = (
    "The patient, aged 61 yr., has a stage IIB adenocarcinoma (2.4 cm) of the left upper lobe. No RNA data. "
    * 240
)


PIECES = 6
"""How many times longer than the yardstick a callback may take."""


class Watched(asyncio.SelectorEventLoop):
    """Keep (milliseconds, what) of each callback that took longer than `limit_ms` of processor time in this thread.

    The limit is a ratio, 6 pieces of the package's own work (about 3 ms each, 18 in all, on a quiet machine): a busy
    machine and a tracer make both slower.
    """

    def __init__(self) -> None:
        super().__init__()
        self.limit_ms = PIECES * _yardstick()
        self.slow: list[tuple[float, str]] = []

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        return super().call_soon(self._timed(callback), *args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        return super().call_soon_threadsafe(self._timed(callback), *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return super().call_at(when, self._timed(callback), *args, context=context)

    def _timed(self, callback: Callable[[*Ts], object]) -> Callable[[*Ts], None]:
        def timed(*args: *Ts) -> None:
            began = time.thread_time()
            try:
                callback(*args)
            finally:
                took = (time.thread_time() - began) * 1e3
                if took > self.limit_ms:
                    self.slow.append((took, _named(callback)))

        return timed


def _yardstick() -> float:
    """Return milliseconds of cutting a fixed text into sentences: the best of five."""
    took = []
    for _ in range(5):
        began = time.thread_time()
        split(TEXT)
        took.append((time.thread_time() - began) * 1e3)
    return min(took)


def _named(callback: Any) -> str:
    """Return the chain of coroutines that a task stands in, or the callback."""
    task = getattr(callback, "__self__", None)
    if not isinstance(task, asyncio.Task):
        return repr(callback)
    names: list[str] = []
    awaited: Any = task.get_coro()
    while hasattr(awaited, "cr_code"):
        names.append(awaited.cr_code.co_qualname)
        awaited = awaited.cr_await
    return " > ".join(names)
