"""A tiny protocol of three arms in a row: `first`, `second` after its answer, `third` after the second's verdicts."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from percuss.core.ports import Model, Roles
from percuss.core.protocol import Protocol
from percuss.core.records import Arm, Case, Earlier, Message, NotApplicable, Posed, Scoring
from percuss.engine import Journal, Journaled, ask, check, estimate, identity_of
from percuss.engine.conditioning import conditioning_of
from percuss.store import RunStore, survey
from tests.tiny import SEED, TINY, Echo, TinyOptions

ARMS = (
    Arm(name="third", after="second", needs="verdicts"),
    Arm(name="first", baseline=True),
    Arm(name="second", after="first"),
)


def arms(options: TinyOptions) -> tuple[Arm, ...]:
    return ARMS


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: TinyOptions, seed: int
) -> Posed | NotApplicable:
    if (earlier is None) != (arm.after is None):
        raise ValueError(f"{arm.name} was posed with {earlier}")
    told = f"{case.payload['text']} [{case.id}/{arm.name}]"
    if earlier is not None:
        kept = [
            claim.text
            for claim, verdict in zip(earlier.claims, earlier.verdicts, strict=False)
            if verdict.label == "supported"
        ]
        told += f" Before: {earlier.response.text} Kept: {'; '.join(kept)} ({len(earlier.claims)})"
    return Posed(messages=(Message.of("user", told),))


CHAIN: Protocol[TinyOptions] = replace(TINY, name="chain", arms=arms, pose=pose)


def create(folder: Path, source: str | None = "6", protocol: Protocol[Any] = CHAIN) -> RunStore:
    """Start or extend a run of a chain."""
    options, roles = protocol.options(), Roles({}, seed=SEED)
    conditioning = conditioning_of(protocol, options, roles, protocol.arms(options))
    found = survey(protocol.cases(source, options, SEED))
    store = RunStore.create(
        folder, identity_of(protocol, options, found, seed=SEED, conditioning=conditioning)
    )
    store.add_cases(protocol.cases(source, options, SEED))
    return store


async def whole(
    store: RunStore,
    models: Sequence[Model],
    *,
    judge: Model | None = None,
    protocol: Protocol[Any] = CHAIN,
    **how: Any,
) -> Scoring:
    """Ask, check and estimate."""
    options = protocol.options() if judge is None else TinyOptions(judged=True)
    plain = Roles({}, seed=SEED)
    await ask(store, protocol, protocol.options(), roles=plain, models=models, **how)
    scoring = await check(store, protocol, options, roles=Roles({"judge": judge} if judge else {}, seed=SEED))
    await estimate(store, protocol, options, scoring=scoring.id, seed=SEED)
    return scoring


async def _through(folder: Path, url: str, source: str, concurrency: int) -> None:
    from percuss.engine import Limited, Retrying
    from percuss.models.endpoints import endpoint
    from percuss.models.openai_compatible import OpenAICompatible
    from percuss.net.client import Client

    async with Client() as client:
        there = endpoint("vllm", {}, base_url=url)
        bare = OpenAICompatible(id="vllm/any", name="any", endpoint=there, client=client)
        with create(folder, source) as store:
            model = Journaled(
                Retrying(Limited(bare, asyncio.Semaphore(concurrency)), wait_s=0.01), Journal(store)
            )
            await whole(store, [model], concurrency=concurrency)


def run_in_child(folder: Path, url: str, source: str, concurrency: int) -> None:
    """Run the chain against a server; the target of a process that may be killed."""
    asyncio.run(_through(folder, url, source, concurrency))


def echo(name: str = "test/echo", **how: Any) -> Echo:
    """Return a model that answers with sentences made of the request."""
    return Echo(name, **how)
