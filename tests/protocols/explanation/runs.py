"""Runs of the protocol on the simulated reader, through the real store and stages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from percuss.core.ports import Model, Roles
from percuss.core.records import Case, Cell, Estimate
from percuss.core.sections import Section
from percuss.engine import ask, check, estimate, identity_of
from percuss.phantoms import phantom
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.told import told_to_reader
from percuss.store import RunStore, survey

SEED = 42


@dataclass(frozen=True)
class Ran:
    """A finished run."""

    cases: tuple[Case, ...]
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    sections: tuple[Section, ...]
    models: tuple[str, ...]
    folder: Path
    scoring: str

    def one(self, name: str, arm: str, labels: str | None = None, model: str | None = None) -> Estimate:
        return next(
            e
            for e in self.estimates
            if (e.name, e.arm) == (name, arm)
            and labels in {None, e.labels}
            and model in {None, e.model}
            and not e.versus
        )


def run(
    folder: Path,
    models: Sequence[str],
    *,
    options: ExplanationOptions | None = None,
    source: str | None = None,
    arms: Sequence[str] | None = None,
    judge: Model | None = None,
    seed: int = SEED,
) -> Ran:
    """Ask, check and estimate in a folder."""
    return asyncio.run(
        _run(folder, models, options or ExplanationOptions(resamples=500), source, arms, judge, seed)
    )


async def _run(
    folder: Path,
    models: Sequence[str],
    options: ExplanationOptions,
    source: str | None,
    arms: Sequence[str] | None,
    judge: Model | None,
    seed: int,
) -> Ran:
    cases = tuple(PROTOCOL.cases(source, options, seed))
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=seed, roles={})
    chosen = [arm for arm in PROTOCOL.arms(options) if arms is None or arm.name in arms]
    roles = Roles({} if judge is None else {"judge": judge}, seed=seed)
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases))
        extra = {"questionnaire": told_to_reader(), "blobs": store.blobs}
        made = [phantom(f"phantom/{name}", seed=seed, extra=extra) for name in models]
        await ask(store, PROTOCOL, options, roles=roles, models=made, arms=chosen)
        scoring = await check(store, PROTOCOL, options, roles=roles)
        found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=seed)
        cells = tuple(store.cells(scoring.id))
        sections = store.sections(scoring.id)
    return Ran(cases, cells, tuple(found), tuple(sections), tuple(m.id for m in made), folder, scoring.id)
