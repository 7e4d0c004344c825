"""A certificate: answers with seeded statements, checked in the scoring that they are to certify, hidden from every count."""

from collections.abc import AsyncIterator
from typing import Any

from percuss.api.run.verbalise import Verbalised
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

__all__ = ["WORKERS", "certify", "priced"]

WORKERS = 8


NOBODY = Verbalised()


def priced(
    store: RunStore, protocol: Protocol[Any], *, roles: Roles, scoring: Scoring, seed: int, told: Verbalised = NOBODY
) -> str:  # fmt: skip
    """Return in one sentence what certifying asks of a judge and costs, by what its calls of this run did; "" where rules alone read.

    Args:
        store, protocol, roles, scoring, seed, told: as in `certify`.
    """
    if roles.models.get("judge") is None or protocol.seeded is None:
        return ""
    view = store.view(scoring.id)
    made = protocol.seeded(view, _models(view), seed, told.replies)
    n = sum(len(one.artifacts.get("seeds", ())) for one in made)
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
    store: RunStore, protocol: Protocol[Any], options: Options, *, roles: Roles, scoring: Scoring, seed: int, told: Verbalised = NOBODY
) -> int:  # fmt: skip
    """Seed statements whose truth is known among the answers of every model, have them checked, and return how many answers.

    Args:
        store: the run. protocol, options: how it reads; roles: who reads. scoring: that is certified. seed: root seed.
        told: what a verbaliser said; its calls stand beside the first of these answers.

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
        for response in protocol.seeded(view, models, seed, told.replies):
            yield response

    async def settle(response: Response) -> None:
        nonlocal n
        await store.write(put_response, response, () if n else told.uses)
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
