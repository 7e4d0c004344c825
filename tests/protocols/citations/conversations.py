"""Conversations of the protocol, asked and checked through the real store and stages."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from percuss.core.ports import Fetch, Model, Roles, ScoredResponse, Search
from percuss.core.records import Cell, Claim, Estimate
from percuss.core.sections import Section
from percuss.engine import Journal, Journaled, ask, check, estimate, identity_of
from percuss.engine.prompts import load_prompts
from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.library import Document, bundled
from percuss.protocols.citations.options import CitationsOptions
from percuss.store import RunStore, survey

SEED = 42


@dataclass(frozen=True)
class Ran:
    """What a run came to."""

    scored: tuple[ScoredResponse, ...]
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    sections: tuple[Section, ...]

    def one(self, name: str, arm: str = "closed_book", **where: Any) -> Estimate:
        """Return the estimate of a name in an arm."""
        keys = {"stratum": None, "versus": None, "name": name, "arm": arm, **where}
        return next(e for e in self.estimates if all(getattr(e, k) == v for k, v in keys.items()))


def run(
    folder: Path, model: Model, *, limit: int = 1, source: str | None = None, arms: Sequence[str] = ("closed_book",),
    roles: dict[str, Model] | None = None, **settings: Any,
) -> Ran:  # fmt: skip
    """Ask, check and estimate."""
    return asyncio.run(ran(folder, model, limit=limit, source=source, arms=arms, roles=roles, **settings))


async def ran(
    folder: Path, model: Model | None, *, limit: int = 1, source: str | None = None, arms: Sequence[str] = ("closed_book",),
    roles: dict[str, Model] | None = None, reach: Callable[[RunStore], tuple[Search | None, Fetch | None]] | None = None,
    **settings: Any,
) -> Ran:  # fmt: skip
    """Ask, check and estimate; `reach` makes search and fetch of a run, no model checks again what was answered."""
    options = replace(CitationsOptions(resamples=200), prompts=load_prompts(PROTOCOL.folder), **settings)
    cases = list(PROTOCOL.cases(source, options, SEED))
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    chosen = [arm for arm in PROTOCOL.arms(options) if arm.name in arms]
    with RunStore.create(folder, identity) as store:
        search, fetch = (None, None) if reach is None else reach(store)
        playing = {role: Journaled(each, Journal(store)) for role, each in (roles or {}).items()}
        roles_ = Roles(playing, seed=SEED, search=search, fetch=fetch)
        store.add_cases(iter(cases), limit=limit)
        if model is not None:
            await ask(
                store,
                PROTOCOL,
                options,
                roles=roles_,
                models=(Journaled(model, Journal(store)),),
                arms=chosen,
                limit=limit,
            )
        scoring = await check(store, PROTOCOL, options, roles=roles_)
        found = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)
        view = store.view(scoring.id)
        return Ran(
            tuple(view.assessed()), tuple(store.cells(scoring.id)), tuple(found), store.sections(scoring.id)
        )


def document(name: str) -> Document:
    """Return a document of the bundled library."""
    found = bundled().find(name)
    assert found is not None
    return found


def entry(held: Document, **other: Any) -> str:
    """Return the entry of a reference list that cites a document, with some fields changed."""
    said = {
        "title": held.title,
        "year": held.year,
        "volume": held.volume,
        "pages": held.pages,
        "doi": held.doi,
        **other,
    }
    first, last = said["pages"]
    return (
        f"{held.organisation}. {said['title']}. {held.container}. {said['year']};{said['volume']}:{first}-{last}."
        f" doi:{said['doi']}"
    )


def answer(*pairs: tuple[str, str]) -> str:
    """Return an answer of statements with numbered references."""
    said = " ".join(f"{sentence.rstrip('.')} [{n}]." for n, (sentence, _) in enumerate(pairs, start=1))
    listed = "\n".join(f"[{n}] {reference}" for n, (_, reference) in enumerate(pairs, start=1))
    return f"{said}\n\nReferences\n{listed}"


def labels(scored: ScoredResponse) -> list[dict[str, str]]:
    """Return aspect -> label or reason, one mapping a claim."""
    return [_said(scored, claim) for claim in scored.claims]


def _said(scored: ScoredResponse, claim: Claim) -> dict[str, str]:
    return {v.aspect: v.label or v.unscored or "" for v in scored.verdicts if v.subject == claim.id}
