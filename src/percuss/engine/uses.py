"""Which calls made what: a collector that travels with the task, so that protocols need no code for it.

A stage opens `collecting()` around the making of one response; `Journaled` notes each call there, with the role in
which `Player` made it. Tasks that a protocol starts inherit the collector.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from percuss.core.ports import Model, is_simulated
from percuss.core.records import Reply, Request, Usage
from percuss.store.calls import Call
from percuss.store.responses import Use

__all__ = ["Collected", "Listener", "Player", "Trace", "collecting", "note", "traced", "tracing"]


Listener = Callable[[Call, bool], None]
"""Hears of every call as it is noted, and whether the journal answered."""


@dataclass(slots=True)
class Collected:
    """The calls noted so far, each key once a role; `listener` hears of every call as it is noted."""

    listener: Callable[[Call, bool], None] | None = None
    calls: dict[tuple[str, str], Call] = field(default_factory=dict)

    def uses(self) -> tuple[Use, ...]:
        """Return role and key of every call, for the rows of `uses`."""
        return tuple(Use(role=role, key=key) for role, key in sorted(self.calls))

    def usage(self) -> Usage:
        """Return what the calls took when they were made, whether now or in an earlier start."""
        calls = {call.key: call for call in self.calls.values()}
        return Usage(
            calls=len(calls),
            tokens_in=sum(call.tokens_in for call in calls.values()),
            tokens_out=sum(call.tokens_out for call in calls.values()),
            cost_usd=sum(calls[key].cost_usd for key in sorted(calls)),
        )


@dataclass(slots=True)
class Trace:
    """What the wrappers under the journal find out about one call; `made_at` where the cache across runs answered."""

    attempts: int = 1
    latency_s: float | None = None
    cost_usd: float = 0.0
    made_at: str | None = None


_COLLECTED: ContextVar[Collected | None] = ContextVar("percuss_collected", default=None)
_ROLE: ContextVar[str] = ContextVar("percuss_role", default="")
_TRACE: ContextVar[Trace | None] = ContextVar("percuss_trace", default=None)


@contextmanager
def collecting(listener: Callable[[Call, bool], None] | None = None) -> Iterator[Collected]:
    """Collect the calls made within the block, by this task and those that it starts."""
    collected = Collected(listener)
    token = _COLLECTED.set(collected)
    try:
        yield collected
    finally:
        _COLLECTED.reset(token)


def note(call: Call, *, hit: bool, role: str | None = None) -> None:
    """Note a finished call; `hit` tells whether the journal answered, `role` who played; None: whoever plays now."""
    collected = _COLLECTED.get()
    if collected is not None:
        # Without the texts: a long conversation's calls would otherwise all stay in memory.
        slim = Call(
            key=call.key,
            model=call.model,
            epoch=call.epoch,
            request=b"",
            tokens_in=call.tokens_in,
            tokens_out=call.tokens_out,
            cost_usd=call.cost_usd,
        )
        collected.calls[_ROLE.get() if role is None else role, call.key] = slim
        if collected.listener is not None:
            collected.listener(slim, hit)


def tracing() -> Trace:
    """Return the trace of the call that is being made; outside the journal one that nobody reads."""
    return _TRACE.get() or Trace()


@contextmanager
def traced() -> Iterator[Trace]:
    """Give the wrappers within the block a trace to write to."""
    trace = Trace()
    token = _TRACE.set(trace)
    try:
        yield trace
    finally:
        _TRACE.reset(token)


class Player:
    """A model in a role of one response: its calls are noted under the role, its epochs count from the response's.

    Args:
        model: who plays.
        role: name in `Roles.models`.
        epoch: epoch of the response while asking; 0 while checking, where a judge's pass k is epoch k.
    """

    def __init__(self, model: Model, role: str, epoch: int = 0) -> None:
        self.id = model.id
        self.pin = model.pin
        self.simulated = is_simulated(model)
        self._model = model
        self._role = role
        self._epoch = epoch

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer a request as the model would."""
        token = _ROLE.set(self._role)
        try:
            return await self._model.generate(request, epoch=self._epoch + epoch)
        finally:
            _ROLE.reset(token)
