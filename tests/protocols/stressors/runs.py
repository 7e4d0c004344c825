"""Runs of the protocol on phantoms, through the real store and stages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from percuss.core.ports import Model, Roles
from percuss.core.records import Cell, Estimate
from percuss.core.sections import Section
from percuss.engine import ask, check, estimate, identity_of
from percuss.phantoms import phantom
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.options import StressorsOptions
from percuss.store import RunStore, survey

SEED = 42


@dataclass(frozen=True)
class Ran:
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    sections: tuple[Section, ...]
    folder: Path

    def one(self, name: str, arm: str, **where: Any) -> Estimate:
        keys = {"stratum": None, "versus": None, "name": name, "arm": arm, **where}
        return next(e for e in self.estimates if all(getattr(e, k) == v for k, v in keys.items()))


def run(
    folder: Path, models: Sequence[str], *, options: StressorsOptions | None = None, source: str | None = None,
    limit: int | None = None, arms: Sequence[str] | None = None, judge: Model | None = None,
) -> Ran:  # fmt: skip
    return asyncio.run(
        _run(folder, models, options or StressorsOptions(resamples=300), source, limit, arms, judge)
    )


async def _run(
    folder: Path, models: Sequence[str], options: StressorsOptions, source: str | None, limit: int | None,
    arms: Sequence[str] | None, judge: Model | None,
) -> Ran:  # fmt: skip
    cases = list(PROTOCOL.cases(source, options, SEED))
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    chosen = [arm for arm in PROTOCOL.arms(options) if arms is None or arm.name in arms]
    models_by_role: dict[str, Model] = {} if judge is None else {"judge": judge}
    roles = Roles(models_by_role, seed=SEED)
    clinic = [case.payload for case in cases]
    made = tuple(phantom(m, seed=SEED, extra={"clinic": clinic}) for m in models)
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases), limit=limit)
        await ask(store, PROTOCOL, options, roles=roles, models=made, arms=chosen, limit=limit)
        scoring = await check(store, PROTOCOL, options, roles=roles)
        found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)
        return Ran(tuple(store.cells(scoring.id)), found, store.sections(scoring.id), folder)
