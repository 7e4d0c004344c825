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
from percuss.protocols.textbook import PROTOCOL
from percuss.protocols.textbook.options import TextbookOptions
from percuss.protocols.textbook.phantom import PHANTOMS
from percuss.protocols.textbook.planting import extras
from percuss.store import RunStore, survey

SEED = 42


@dataclass(frozen=True)
class Ran:
    """What a run came to."""

    cases: tuple[Case, ...]
    scored: tuple[ScoredResponse, ...]
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    sections: tuple[Section, ...]

    def one(self, name: str, arm: str = "closed_book", labels: str | None = None, **where: Any) -> Estimate:
        """Return the estimate of a name in an arm."""
        keys = {"stratum": None, "versus": None, "name": name, "arm": arm, **where}
        return next(
            e for e in self.estimates
            if all(getattr(e, k) == v for k, v in keys.items()) and labels in {None, e.labels}
        )  # fmt: skip


def run(
    folder: Path, models: Sequence[str | Model], *, limit: int = 15, source: str | None = None, arms: Sequence[str] = ("closed_book",),
    judge: str | None = None, **settings: Any,
) -> Ran:  # fmt: skip
    """Ask, check and estimate; models are phantoms by name, or models."""
    options = replace(TextbookOptions(resamples=100), prompts=load_prompts(PROTOCOL.folder), **settings)
    cases = list(PROTOCOL.cases(source, options, SEED))[:limit]
    extra = extras({"student"}, lambda: cases, None)  # type: ignore[arg-type]
    made = [phantom(m, seed=SEED, extra=extra, known=PHANTOMS) if isinstance(m, str) else m for m in models]
    roles = Roles({} if judge is None else {"judge": phantom(judge, seed=SEED, known=PHANTOMS)}, seed=SEED)
    return asyncio.run(_run(folder, made, options, cases, arms, roles))


async def _run(
    folder: Path,
    models: Sequence[Any],
    options: TextbookOptions,
    cases: list[Case],
    arms: Sequence[str],
    roles: Roles,
) -> Ran:
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    chosen = [arm for arm in PROTOCOL.arms(options) if arm.name in arms]
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases))
        await ask(store, PROTOCOL, options, roles=roles, models=models, arms=chosen)
        scoring = await check(store, PROTOCOL, options, roles=roles)
        found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)
        scored = tuple(store.view(scoring.id).assessed())
        return Ran(
            tuple(cases),
            scored,
            tuple(store.cells(scoring.id)),
            tuple(found),
            tuple(store.sections(scoring.id)),
        )
