"""Making away from the run: a unit and what it is made with come as bytes, finished calls go through a port, bytes return.

A process or machine that holds no run rebuilds protocol and models from `Spec`, makes what `Unit` says, and hands back an
`Outcome`; whoever holds the run writes it. The same seam serves an executor of any kind.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from percuss.api.catalog import load
from percuss.api.run.extras import extras_of
from percuss.api.run.factory import ModelFactory
from percuss.api.run.session import roles_of
from percuss.core.records import Blob, Case, Record
from percuss.engine.budget import Budget
from percuss.engine.journal import Calls
from percuss.engine.making import Maker, Outcome, Unit
from percuss.models.prices import Prices

__all__ = ["Spec", "make"]


class Spec(Record):
    """All that a unit is made with, beside the unit.

    Args:
        protocol: its name. options: its settings, prompts included.
        models: role -> model string; `model` is the one under test.
        base_url: address of the endpoint of the model under test; None: as its provider says.
        seed: root seed of the run.
        cases: what simulated models know beforehand; () for all others.
    """

    protocol: str
    options: dict[str, Any]
    models: dict[str, str]
    seed: int
    base_url: str | None = None
    cases: tuple[Case, ...] = ()


class _Held:
    """Bytes of one making: those that came with it, and those that it made."""

    def __init__(self, given: Iterable[Blob]) -> None:
        self._given = {blob.digest: blob for blob in given}
        self.made: dict[str, Blob] = {}

    def get(self, digest: str) -> Blob:
        return self.made.get(digest) or self._given[digest]

    def put(self, blob: Blob) -> None:
        self.made[blob.digest] = blob

    async def keep(self, blob: Blob) -> None:
        self.put(blob)


async def make(unit: bytes, spec: bytes, calls: Calls) -> bytes:
    """Make one answer or one check, and return its `Outcome`.

    Args:
        unit: a `Unit` in MessagePack; with a response it is checked, else it is answered.
        spec: a `Spec` in MessagePack.
        calls: finds finished calls, and keeps new ones before they are used.

    Raises:
        PercussError: the run as a whole cannot go on.
    """
    wanted, given = msgspec.msgpack.decode(unit, type=Unit), _spec(spec)
    held = _Held(wanted.case.blobs)
    factory = ModelFactory(
        None,
        seed=given.seed,
        budget=Budget(),
        prices=Prices.read(None),
        concurrency=1,
        extra=extras_of(tuple(given.models.values()), lambda: given.cases, held),
        calls=calls,
        blobs=held,
    )
    async with factory:
        outcome = await _made(wanted, given, factory, held)
    made = tuple(blob for blob in held.made.values() if blob.recipe is None)
    return msgspec.msgpack.encode(msgspec.structs.replace(outcome, blobs=made))


async def _made(unit: Unit, spec: Spec, factory: ModelFactory, held: _Held) -> Outcome:
    protocol = load(spec.protocol)
    options = msgspec.convert(spec.options, protocol.options)
    others = {role: text for role, text in spec.models.items() if role != "model"}
    roles = roles_of(factory, others, seed=spec.seed, judge_policy=options.judge_policy)
    maker = Maker(protocol, options, roles, keep=held.keep, blobs=held)
    if unit.response is not None:
        return await maker.check(unit)
    return await maker.answer(unit, factory.model(spec.models["model"], base_url=spec.base_url))


@lru_cache(maxsize=8)
def _spec(data: bytes) -> Spec:
    return msgspec.msgpack.decode(data, type=Spec)
