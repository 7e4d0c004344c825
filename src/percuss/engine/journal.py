"""The journal: every model call is content-addressed, paid once, and finished when its row is on disk.

key = BLAKE2b-128 of canonical JSON {"v":1,"model":id,"pin":pin,"epoch":n,"request":{..}}: keys sorted, defaults written
out, floats as floats, images by digest. No header, API key, URL path, time-out or attempt count is in it.
"""

import asyncio
import math
import time
import typing
from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec.structs import replace

from percuss.core.errors import BadRequest, ModelError
from percuss.core.ids import canonical_json, digest
from percuss.core.ports import Model, is_simulated
from percuss.core.records import Reply, Request
from percuss.engine import uses
from percuss.store.calls import Call, find_call, put_call
from percuss.store.run import RunStore
from percuss.store.scorings import now
from percuss.store.sent import CACHED

__all__ = ["VERSION", "Calls", "Journal", "Journaled", "StoredCalls", "key_of", "keyed_document"]

VERSION = 1
"""Version of the key. It rises when equal calls get other keys; the changelog then says that calls are paid again."""


def keyed_document(model: str, pin: str, request: Request, epoch: int = 0) -> bytes:
    """Return the canonical JSON whose digest is the key of a call; the journal stores it as the request.

    Raises:
        BadRequest: the request holds what JSON can't: a number that is not finite, or half a surrogate pair.
    """
    temperature, top_p = float(request.temperature) + 0.0, float(request.top_p) + 0.0
    if not (math.isfinite(temperature) and math.isfinite(top_p)):
        raise BadRequest(
            f"temperature {temperature} and top_p {top_p} must be finite numbers; mend the request"
        )
    if type(request.temperature) is not float or type(request.top_p) is not float:
        request = replace(request, temperature=temperature, top_p=top_p)
    document = {"v": VERSION, "model": model, "pin": pin, "epoch": epoch, "request": request}
    try:
        return canonical_json(document)
    except UnicodeEncodeError as error:
        raise BadRequest(
            f"a message is not valid Unicode ({error.reason}); mend the text of the case"
        ) from error


def key_of(model: Model, request: Request, epoch: int = 0) -> str:
    """Return the key of a call."""
    return digest(keyed_document(model.id, model.pin, request, epoch))


class Calls(typing.Protocol):
    """Where finished calls are: a run's own file, or whoever holds it for a maker elsewhere."""

    def find(self, keys: Sequence[str]) -> Mapping[str, Call]:
        """Return the finished calls among some keys."""
        ...

    async def append(self, calls: Sequence[Call]) -> None:
        """Keep finished calls, and return once they are on disk."""
        ...


class StoredCalls:
    """The calls of a run in its own file.

    Args:
        store: the run.
    """

    def __init__(self, store: RunStore) -> None:
        self._store = store

    def find(self, keys: Sequence[str]) -> Mapping[str, Call]:
        """Return the finished calls among some keys."""
        read = self._store.read
        return {key: call for key in keys if (call := read(find_call, key)) is not None}

    async def append(self, calls: Sequence[Call]) -> None:
        """Keep finished calls, and return once they are on disk."""
        for call in calls:
            await self._store.write(put_call, call)


class Journal:
    """The calls of a run: looks up what is finished, lets askers of one key share a call, and writes what is new.

    Args:
        calls: the run, or another place where its finished calls are.
        retry_failed: ask calls again that failed terminally (refused, bad request) in an earlier start.
    """

    def __init__(self, calls: RunStore | Calls, *, retry_failed: bool = False) -> None:
        self._calls: Calls = StoredCalls(calls) if isinstance(calls, RunStore) else calls
        self._retry_failed = retry_failed
        self._asked: set[str] = set()
        self._flights: dict[str, asyncio.Future[Call | Exception | None]] = {}

    def find(self, key: str) -> Call | None:
        """Return the finished call of a key; None where it must be asked."""
        call = self._calls.find((key,)).get(key)
        if call is not None and call.failure and self._retry_failed and key not in self._asked:
            return None
        return call

    async def settle(self, key: str, ask: Callable[[], Awaitable[Call]]) -> tuple[Call, bool]:
        """Return the finished call of a key and whether the journal had it; else ask, write, and return then.

        Raises:
            ModelError: a failure that is no row: all who share the call get it, and the next start asks again.
        """
        while True:
            flight = self._flights.get(key)
            if flight is None:
                call = self.find(key)
                if call is not None:
                    return call, True
                return await self._lead(key, ask), False
            outcome = await asyncio.shield(flight)
            if isinstance(outcome, Exception):
                raise outcome
            if outcome is not None:
                return outcome, True
            # Its leader was cancelled: whoever comes first leads anew.

    async def _lead(self, key: str, ask: Callable[[], Awaitable[Call]]) -> Call:
        flight: asyncio.Future[Call | Exception | None] = asyncio.get_running_loop().create_future()
        self._flights[key] = flight
        outcome: Call | Exception | None = None
        try:
            outcome = await ask()
            await self._calls.append((outcome,))
            if self._retry_failed:
                self._asked.add(key)
        except Exception as error:
            outcome = error
            raise
        except BaseException:
            outcome = None
            raise
        finally:
            del self._flights[key]
            flight.set_result(outcome)
        return outcome


class Journaled:
    """A model whose calls go through the journal: the outermost wrapper, so that nobody can miss it."""

    def __init__(self, model: Model, journal: Journal) -> None:
        self.id = model.id
        self.pin = model.pin
        self.simulated = is_simulated(model)
        self._model = model
        self._journal = journal

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer from the journal, or ask the model and return once the row is on disk.

        Raises:
            ModelError: the model failed, now or (terminally) in an earlier start.
        """
        document = keyed_document(self.id, self.pin, request, epoch)
        key = digest(document)
        call, hit = await self._journal.settle(key, lambda: self._ask(key, document, request, epoch))
        uses.note(call, hit=hit or call.attempts == CACHED)
        return call.outcome()

    async def _ask(self, key: str, document: bytes, request: Request, epoch: int) -> Call:
        started = time.perf_counter()
        reply: Reply | None = None
        failure: tuple[str, str] | None = None
        with uses.traced() as trace:
            try:
                reply = await self._model.generate(request, epoch=epoch)
            except ModelError as error:
                kind = Call.kind(error)
                if kind is None:
                    raise
                failure = (kind, str(error))
        return Call(
            key=key,
            model=self.id,
            epoch=epoch,
            request=document,
            reply=reply,
            failure=failure,
            tokens_in=0 if reply is None else reply.tokens_in,
            tokens_out=0 if reply is None else reply.tokens_out,
            cost_usd=trace.cost_usd,
            latency_s=trace.latency_s if trace.latency_s is not None else time.perf_counter() - started,
            attempts=trace.attempts,
            finished_at=trace.made_at or now(),
        )
