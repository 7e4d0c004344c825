"""The whole pipeline on phantoms: ask, check, estimate, and compare with what the planted rates imply."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace as change

from percuss.core.ports import Model, Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Estimate
from percuss.core.strict import Record
from percuss.engine import stages
from percuss.engine.identity import identity_of
from percuss.engine.journal import Journal, Journaled
from percuss.engine.prompts import load_prompts
from percuss.store import RunStore, survey

__all__ = ["PlantedRow", "planted"]


class PlantedRow(Record):
    """One estimate of one phantom: planted against measured.

    `holds` is whether the interval holds the planted value; None where the estimate is undefined.
    """

    model: str
    estimate: str
    arm: str
    planted: float
    measured: float | None
    low: float | None
    high: float | None
    n: int
    holds: bool | None
    undefined: str | None = None


async def planted(
    protocol: Protocol[Any],
    models: Sequence[Model],
    expected: Mapping[str, Mapping[tuple[str, str], float]],
    *,
    seed: int,
    limit: int,
    settings: Mapping[str, Any],
    arms: Sequence[str] | None = None,
    watcher: Callable[[Any], None] | None = None,
    opened: Callable[[RunStore], None] | None = None,
) -> tuple[PlantedRow, ...]:
    """Run phantoms through a protocol in a folder that is thrown away.

    Args:
        protocol: the protocol.
        models: phantoms. expected: id -> (estimate, arm) -> value that the planted rates imply.
        seed: root seed of the run.
        limit: cases. arms: None asks all.
        settings: fields of the protocol's Options.
        watcher: hears of every step of the stages.
        opened: hears of the run before the first call; a phantom that looks at pictures finds them there.
    """
    prompts = load_prompts(protocol.folder)
    options: Options = change(protocol.options(), prompts=prompts, **settings)
    with tempfile.TemporaryDirectory(prefix="percuss-selftest-") as folder:
        source = survey(protocol.cases(None, options, seed))
        identity = identity_of(protocol, options, source, seed=seed)
        with RunStore.create(Path(folder) / "run", identity) as store:
            store.add_cases(protocol.cases(None, options, seed), limit=limit)
            if opened is not None:
                opened(store)
            chosen = [arm for arm in protocol.arms(options) if arms is None or arm.name in arms]
            estimates = await _through(store, protocol, options, models, chosen, seed, limit, watcher)
    return tuple(
        row
        for model in models
        for (name, arm), value in expected[model.id].items()
        if (row := _row(estimates, model.id, name, arm, value)) is not None
    )


async def _through(
    store: RunStore,
    protocol: Protocol[Any],
    options: Options,
    models: Sequence[Model],
    arms: Sequence[Arm],
    seed: int,
    limit: int,
    watcher: Callable[[Any], None] | None,
) -> tuple[Estimate, ...]:
    """Ask, check and estimate."""
    journal = Journal(store)
    roles = Roles({}, seed=seed)
    journaled = [Journaled(model, journal) for model in models]
    await stages.ask(
        store, protocol, options, roles=roles, models=journaled, arms=arms, limit=limit, watcher=watcher
    )
    scoring = await stages.check(store, protocol, options, roles=roles, watcher=watcher)
    return await stages.estimate(store, protocol, options, scoring=scoring.id, seed=seed)


def _row(estimates: Sequence[Estimate], model: str, name: str, arm: str, value: float) -> PlantedRow | None:
    """Return the row of an expectation; None where the run estimates nothing of that name."""
    found = [
        e
        for e in estimates
        if (e.name, e.model, e.arm) == (name, model, arm) and e.versus is None and e.stratum is None
    ]
    if not found:
        return None
    e = found[0]
    holds = None
    if e.low is not None and e.high is not None:
        # A hair's breadth for planted 0 and 1, which a closed interval touches only up to rounding.
        holds = e.low - 1e-9 <= value <= e.high + 1e-9
    return PlantedRow(
        model=model,
        estimate=name,
        arm=arm,
        planted=value,
        measured=e.value,
        low=e.low,
        high=e.high,
        n=e.n,
        holds=holds,
        undefined=e.undefined,
    )
