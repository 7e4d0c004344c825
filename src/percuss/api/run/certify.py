"""A certificate: answers with seeded statements, checked in the scoring that they are to certify, hidden from every count."""

from collections.abc import AsyncIterator
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.ports import Roles, RunView
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Response, Scoring
from percuss.engine.making import Maker, Unit
from percuss.engine.once import JournaledOnce
from percuss.engine.pool import drain
from percuss.store import RunStore
from percuss.store.costs import costs
from percuss.store.responses import put_response
from percuss.store.scorings import put_checked

__all__ = ["certify", "priced"]

WORKERS = 8


def priced(store: RunStore, protocol: Protocol[Any], *, roles: Roles, scoring: Scoring, seed: int) -> str:
    """Return in one sentence what certifying asks of a judge and costs, by what its calls of this run did; "" where rules alone read.

    Args:
        store, protocol, roles, scoring, seed: as in `certify`.
    """
    if roles.models.get("judge") is None or protocol.seeded is None:
        return ""
    view = store.view(scoring.id)
    n = sum(len(made.artifacts.get("seeds", ())) for made in protocol.seeded(view, _models(view), seed))
    rows = [row for row in store.read(costs) if (row["stage"], row["role"]) == ("check", "judge")]
    asked, usd = (sum(row[name] or 0 for row in rows) for name in ("calls", "usd"))
    price = (
        f", about {usd / asked * n * roles.judge_passes:.2f} USD by what its calls of this run cost"
        if asked
        else ""
    )
    return (
        f"certificate: {n:,} seeded statements, at most {n * roles.judge_passes:,} calls of the judge{price}"
    )


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
    models = _models(view)
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


def _models(view: RunView) -> list[str]:
    """Return the models whose answers are imitated: the real ones, else all."""
    return [model for model in view.models if model not in view.simulated] or list(view.models)
