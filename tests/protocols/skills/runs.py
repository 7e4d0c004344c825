"""Small runs of the protocol through the real store and stages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from percuss.core.ports import Model, Roles, ScoredResponse
from percuss.core.records import Case, Cell, Estimate
from percuss.core.sections import Section
from percuss.engine import ask, check, estimate, identity_of
from percuss.engine.prompts import load_prompts
from percuss.phantoms import phantom
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.phantom import PHANTOMS
from percuss.protocols.skills.planting import extras
from percuss.store import RunStore, survey

SEED = 42


@dataclass(frozen=True)
class Ran:
    """What a run came to."""

    scored: tuple[ScoredResponse, ...]
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    sections: tuple[Section, ...]

    def one(self, name: str, model: str, stratum: str | None = None, labels: str | None = None) -> Estimate:
        """Return the estimate of a name for a model."""
        return next(
            e for e in self.estimates
            if (e.name, e.model, e.stratum, e.versus) == (name, model, stratum, None) and labels in {None, e.labels}
        )  # fmt: skip


def run(
    folder: Path, models: Sequence[str | Model], *, limit: int = 24, source: str | None = None, judge: Model | None = None,
    **settings: Any,
) -> Ran:  # fmt: skip
    """Ask, check and estimate; models are phantoms by name, or models."""
    options = replace(SkillsOptions(resamples=100), **{"prompts": load_prompts(PROTOCOL.folder), **settings})
    cases = list(PROTOCOL.cases(source, options, SEED))[:limit]
    extra = extras({"agent"}, lambda: cases, None)  # type: ignore[arg-type]
    made = [phantom(m, seed=SEED, extra=extra, known=PHANTOMS) if isinstance(m, str) else m for m in models]
    roles = Roles({} if judge is None else {"judge": judge}, seed=SEED)
    return asyncio.run(_run(folder, made, options, cases, roles))


async def _run(
    folder: Path, models: Sequence[Any], options: SkillsOptions, cases: list[Case], roles: Roles
) -> Ran:
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases))
        await ask(store, PROTOCOL, options, roles=roles, models=models, arms=list(PROTOCOL.arms(options)))
        scoring = await check(store, PROTOCOL, options, roles=roles)
        found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)
        scored = tuple(store.view(scoring.id).assessed())
        return Ran(scored, tuple(store.cells(scoring.id)), tuple(found), tuple(store.sections(scoring.id)))
