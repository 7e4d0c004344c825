"""An event loop that says which callback kept it busy, in processor time: a busy machine is nobody's fault."""

import asyncio
import time
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeVarTuple

__all__ = ["Watched"]

Ts = TypeVarTuple("Ts")


class Watched(asyncio.SelectorEventLoop):
    """Keep (milliseconds, what) of each callback that took longer than `limit_ms` of processor time in this thread."""

    limit_ms = 12.0

    def __init__(self) -> None:
        super().__init__()
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
