"""A certificate: answers with seeded statements, checked in the scoring that they are to certify, hidden from every count."""

from collections.abc import AsyncIterator
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Response, Scoring
from percuss.engine.making import Maker, Unit
from percuss.engine.once import JournaledOnce
from percuss.engine.pool import drain
from percuss.store import RunStore
from percuss.store.responses import put_response
from percuss.store.scorings import put_checked

__all__ = ["certify"]

WORKERS = 8


async def certify(
    store: RunStore, protocol: Protocol[Any], options: Options, *, roles: Roles, scoring: Scoring, seed: int
) -> int:
    """Seed statements whose truth is known among the answers of every model, have them checked, and return how many answers.

    Args:
        store: the run. protocol, options: how it reads; roles: who reads. scoring: that is certified. seed: root seed.

    Raises:
        UsageError: the protocol seeds nothing.
    """
    if protocol.seeded is None:
        raise UsageError(
            f"{protocol.name} has no seeded statements, so nothing can be certified; leave --certify out"
        )
    view = store.view(scoring.id)
    models = [model for model in view.models if model not in view.simulated] or list(view.models)
    maker = Maker(protocol, options, roles, blobs=store.blobs, once=JournaledOnce(store))
    n = 0

    async def made() -> AsyncIterator[Response]:
        for response in protocol.seeded(view, models, seed):
            yield response

    async def settle(response: Response) -> None:
        nonlocal n
        await store.write(put_response, response)
        unit = Unit(
            case=view.case(response.case_id), arm=Arm(name=response.arm), epoch=response.epoch,
            model=response.model, response=response, scoring=scoring.id,
        )  # fmt: skip
        outcome = await maker.check(unit)
        assert outcome.checked is not None
        await store.write(put_checked, scoring.id, outcome.checked, outcome.uses)
        n += 1

    await drain(made(), settle, workers=WORKERS)
    return n
