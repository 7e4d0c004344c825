"""A verifier in a run: pending pairs of one case go together, and equal ones once, whichever response asks for them."""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass, field

from percuss.core.ports import is_simulated
from percuss.core.verifying import Pair, Verification, Verifier
from percuss.engine.uses import collecting, note
from percuss.store.calls import Call

__all__ = ["Batched", "Batches"]

GATHER_S = 0.01
"""How long the first pair of a case waits for others; while a batch is read, the next one gathers by itself."""
CASES = 64
"""Cases whose pairs are remembered: checking goes by case, so that all askers of one come close together."""

_Read = tuple[Verification, tuple[Call, ...]]


@dataclass(slots=True)
class _Of:
    """The pairs of one case: those that were asked for, each with what came or comes of it, and those still to be read."""

    asked: dict[Pair, asyncio.Future[_Read]] = field(default_factory=dict)
    pending: list[Pair] = field(default_factory=list)
    waiting: int = 0
    reading: asyncio.Task[None] | None = None


class Batches:
    """What responses under check ask of one verifier, gathered by case.

    Args:
        verifier: reads the pairs; one that reads faster together gets all pending pairs of a case, another one by one.
    """

    def __init__(self, verifier: Verifier) -> None:
        self.verifier = verifier
        self._turn = asyncio.Lock()
        self._cases: OrderedDict[str, _Of] = OrderedDict()

    async def read(self, case: str, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        """Return one verification per pair; the calls that they took are noted for whoever asks.

        Args:
            case: id. pairs: of that case.

        Raises:
            Exception: what the verifier raised, for all whose pair it was reading; asked again, it reads again.
        """
        of = self._of(case)
        wanted = list(dict.fromkeys(pairs))
        first = {pair for pair in wanted if pair not in of.asked}
        for pair in first:
            of.asked[pair] = asyncio.get_running_loop().create_future()
        of.pending.extend(pair for pair in wanted if pair in first)
        if of.pending and of.reading is None:
            of.reading = asyncio.get_running_loop().create_task(self._drain(of), context=Context())
        coming = {pair: of.asked[pair] for pair in wanted}
        of.waiting += 1
        try:
            await asyncio.wait(coming.values()) if coming else None
        except asyncio.CancelledError:
            await self._let_go(of)
            raise
        finally:
            of.waiting -= 1
        if any(
            future.cancelled() for future in coming.values()
        ):  # with their first asker: whoever is left asks anew
            return await self.read(case, pairs)
        read = {pair: future.result() for pair, future in coming.items()}
        for pair, (_, calls) in read.items():
            for call in calls:
                note(call, hit=pair not in first, role="verifier")
        return tuple(read[pair][0] for pair in pairs)

    def _of(self, case: str) -> _Of:
        of = self._cases.setdefault(case, _Of())
        self._cases.move_to_end(case)
        for name in [name for name, each in self._cases.items() if not (each.waiting or each.reading)]:
            if len(self._cases) <= CASES or name == case:
                break
            del self._cases[name]
        return of

    async def _let_go(self, of: _Of) -> None:
        """Stop the reading that nobody else waits for."""
        if of.waiting == 1 and of.reading is not None:
            of.reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait((of.reading,))

    async def _drain(self, of: _Of) -> None:
        try:
            await asyncio.sleep(GATHER_S)
            while of.pending:
                if not self.verifier.at_once:
                    await self._settle(of, [of.pending.pop(0)])
                    continue
                async with self._turn:
                    batch, of.pending = of.pending, []
                    await self._settle(of, batch)
        finally:
            of.reading = None
            for pair in [pair for pair, future in of.asked.items() if not future.done()]:
                of.asked.pop(pair).cancel()
            of.pending = []

    async def _settle(self, of: _Of, batch: list[Pair]) -> None:
        try:
            with collecting() as collected:
                read = await self.verifier.verify(batch)
            for pair, verification in zip(batch, read, strict=True):
                of.asked[pair].set_result((verification, tuple(collected.calls.values())))
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asked
            for pair in batch:
                future = of.asked.pop(pair)
                if not future.done():
                    future.set_exception(error)
                    future.exception()  # nobody may be waiting any more


class Batched:
    """The verifier as the check of one response sees it.

    Args:
        batches: of the run. case: id of the response's case.
    """

    def __init__(self, batches: Batches, case: str) -> None:
        self.id = batches.verifier.id
        self.pin = batches.verifier.pin
        self.at_once = batches.verifier.at_once
        self.simulated = is_simulated(batches.verifier)
        self._batches = batches
        self._case = case

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        """Return one verification per pair, in order.

        Raises:
            OverBudget: the run's limit was reached; BadInput: the verifier cannot verify.
        """
        return await self._batches.read(self._case, pairs)
