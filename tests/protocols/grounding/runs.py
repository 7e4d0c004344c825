"""Runs of the protocol on phantoms, through the real store and stages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core.ports import Embedder, Model, Roles
from percuss.core.records import Cell, Estimate
from percuss.core.sections import Section
from percuss.core.verifying import Verifier
from percuss.engine import ask, check, estimate, identity_of
from percuss.phantoms import Phantom, phantom
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading
from percuss.store import RunStore, survey

SEED = 42
MAIN = ("full_multimodal", "ungrounded")


class HashEmbedder:
    """Bags of words hashed into 256 places: equal texts are equal, texts without a common word are orthogonal."""

    id = "hash-256"

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 256), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").replace(",", " ").split():
                row[sum(word.encode()) * 31 % 256] += 1
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[np.float32] = rows / np.maximum(norms, 1e-9)
        return unit


class PlacedEmbedder(HashEmbedder):
    """The same under the name of an embedder whose threshold is placed, so that overlap at it is measured."""

    id = "embedded/minilm-l6-int8"


@dataclass(frozen=True)
class Ran:
    """A finished run: its phantoms and everything that was estimated."""

    phantoms: tuple[Phantom, ...]
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    sections: tuple[Section, ...]
    folder: Path
    scoring: str

    def one(self, name: str, model: str, arm: str = "full_multimodal", **where: Any) -> Estimate:
        keys = {"stratum": None, "name": name, "model": model, "arm": arm, **where}
        return next(e for e in self.estimates if all(getattr(e, k) == v for k, v in keys.items()))


def run(
    folder: Path,
    models: Sequence[str],
    *,
    options: GroundingOptions | None = None,
    source: str | None = None,
    limit: int | None = None,
    arms: Sequence[str] = MAIN,
    judge: Model | None = None,
    embedder: Embedder | None = None,
    seed: int = SEED,
    epochs: int = 1,
    extra: Sequence[Model] = (),
    verifier: Verifier | None = None,
) -> Ran:
    """Ask, check and estimate phantoms in a folder."""
    return asyncio.run(
        _run(
            folder, models, options or GroundingOptions(resamples=1_000), source, limit, arms, judge, embedder, seed, epochs, extra, verifier
        )
    )  # fmt: skip


async def _run(
    folder: Path,
    models: Sequence[str],
    options: GroundingOptions,
    source: str | None,
    limit: int | None,
    arms: Sequence[str],
    judge: Model | None,
    embedder: Embedder | None,
    seed: int,
    epochs: int,
    extra: Sequence[Model] = (),
    verifier: Verifier | None = None,
) -> Ran:
    cases = list(PROTOCOL.cases(source, options, seed))
    memory = {case.id: reading(case).packet.tree() for case in cases}
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=seed, roles={})
    chosen = [arm for arm in PROTOCOL.arms(options) if arm.name in arms]
    models_by_role: dict[str, Model] = {} if judge is None else {"judge": judge}
    roles = Roles(models_by_role, seed=seed, embedder=embedder, verifier=verifier)
    made = tuple(phantom(f"phantom/{m}", seed=seed, extra={"memory": memory}) for m in models)
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases), limit=limit)
        await ask(
            store,
            PROTOCOL,
            options,
            roles=roles,
            models=(*made, *extra),
            arms=chosen,
            limit=limit,
            epochs=epochs,
        )
        scoring = await check(store, PROTOCOL, options, roles=roles)
        found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=seed)
        cells = tuple(store.cells(scoring.id))
        sections = store.sections(scoring.id)
    return Ran(made, cells, found, sections, folder, scoring.id)
