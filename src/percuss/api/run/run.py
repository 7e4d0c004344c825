"""`percuss.run(..)`: ask, check, estimate, report, in one folder that any of them can be repeated on alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from percuss import __version__
from percuss.api.run.answers import responses_of
from percuss.api.run.caching import CACHES, caches_of, open_cache
from percuss.api.run.extras import phantom_extras
from percuss.api.run.factory import ModelFactory, plays_model, require_buildable, slashed
from percuss.api.run.guard import GUARDED, guard_cases, is_guarded
from percuss.api.run.prepare import Prepared, base_url_of, prepare, read_cases
from percuss.api.run.request import RunRequest
from percuss.api.run.session import require_verifying, roles_of
from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.core.records import Estimate, Response, Scoring
from percuss.engine import stages
from percuss.engine.budget import Budget
from percuss.engine.identity import scoring_of
from percuss.engine.progress import Progress
from percuss.models.cards import CARDS, chosen_cards
from percuss.models.prices import Prices
from percuss.models.providers import is_simulated, provider_of
from percuss.net import offline
from percuss.phantoms import phantom
from percuss.store import RunStore
from percuss.store.manifest import name_simulated
from percuss.store.responses import models_seen
from percuss.store.scorings import put_scoring

__all__ = ["Finished", "cast_of", "crew_of", "run", "so_far", "start"]

Watcher = Callable[[Progress], None]


@dataclass(frozen=True)
class Finished:
    """A run that went through: its folder, the scoring, and the estimates in the protocol's order."""

    folder: Path
    scoring: Scoring
    estimates: tuple[Estimate, ...]


async def run(request: RunRequest, *, watcher: Watcher | None = None) -> Finished:
    """Run a request from the start, or from where it stopped.

    Args:
        request: what to run.
        watcher: hears of every step.

    Raises:
        PercussError: in one sentence what could not be done; what was finished is kept.
    """
    return await start(prepare(request), watcher=watcher)


async def start(prepared: Prepared, *, watcher: Watcher | None = None) -> Finished:
    """Run what was prepared.

    Raises:
        UsageError: it cannot be run; a folder that this start made is gone again, unless a call was paid in it.
        OverBudget: a limit is met; the same call resumes.
        PercussError: as `run`.
    """
    request = prepared.request
    if request.offline:
        offline.enable(request.allow_hosts)
    guard_cases(prepared)
    await require_buildable(
        {
            **{text: base_url_of(text, request) for text in prepared.models},
            **{text: None for role, text in prepared.roles.items() if plays_model(role, text)},
        },
        prepared.own,
    )
    fresh = not RunStore.exists(prepared.folder)
    try:
        return await _through(prepared, watcher)
    except UsageError:
        if fresh:
            RunStore.discard(prepared.folder)
        raise


async def _through(prepared: Prepared, watcher: Watcher | None) -> Finished:
    request, protocol = prepared.request, prepared.protocol
    with RunStore.create(prepared.folder, prepared.identity) as store:
        cases = read_cases(protocol, request, prepared.options)
        if request.responses:
            store.extend(cases, _answers_to(store, prepared), limit=prepared.limit)
            store.write_now(name_simulated, [m for m in store.read(models_seen) if is_simulated(m)])
        else:
            store.add_cases(cases, limit=prepared.limit)
        _describe(store, prepared)
        async with crew_of(store, prepared) as factory:
            roles = cast_of(factory, prepared)
            await require_verifying(roles)
            try:
                if prepared.models:
                    await _ask(store, prepared, factory, roles, watcher)
                scoring = await stages.check(
                    store,
                    protocol,
                    prepared.options,
                    roles=roles,
                    concurrency=request.concurrency,
                    watcher=watcher,
                )
            finally:
                _note_hosts(store, factory)
        estimates = await stages.estimate(
            store, protocol, prepared.options, scoring=scoring.id, seed=request.seed, watcher=watcher
        )
        store.write_manifest_file()
    return Finished(prepared.folder, scoring, estimates)


async def so_far(prepared: Prepared) -> Finished | None:
    """Estimate what a run that stopped before its end holds; nobody is asked and nothing is checked.

    Args:
        prepared: the run.

    Returns:
        None where no answer came yet.
    """
    if not RunStore.exists(prepared.folder):
        return None
    with RunStore.create(prepared.folder, prepared.identity) as store:
        if not any(account.done for account in store.answers()):
            return None
        async with crew_of(store, prepared) as factory:
            scoring = scoring_of(prepared.protocol, prepared.options, cast_of(factory, prepared))
        store.write_now(put_scoring, scoring)
        estimates = await stages.estimate(
            store, prepared.protocol, prepared.options, scoring=scoring.id, seed=prepared.request.seed
        )
        store.write_manifest_file()
    return Finished(prepared.folder, scoring, estimates)


def _answers_to(store: RunStore, prepared: Prepared) -> Iterator[Response]:
    """Return the answers made elsewhere; under a limit, those to the cases that are or come in the run."""
    answers = responses_of(prepared)
    if prepared.n_cases >= prepared.source.n:
        return answers
    coming = islice(read_cases(prepared.protocol, prepared.request, prepared.options), prepared.limit)
    held = {case.id for case in chain(store.cases(), coming)}
    return (answer for answer in answers if answer.case_id in held)


async def _ask(
    store: RunStore, prepared: Prepared, factory: ModelFactory, roles: Roles, watcher: Watcher | None
) -> None:
    request = prepared.request
    await stages.ask(
        store,
        prepared.protocol,
        prepared.options,
        roles=roles,
        models=[factory.model(text, base_url=base_url_of(text, request)) for text in prepared.models],
        arms=prepared.arms,
        epochs=request.epochs,
        limit=prepared.limit,
        concurrency=request.concurrency,
        watcher=watcher,
        condition_on=roles.models["judge"] if request.condition_on else None,
    )


def crew_of(store: RunStore, prepared: Prepared) -> ModelFactory:
    """Return the factory of a run: every model that it makes is journaled and counts against the run's limits."""
    request, limits = prepared.request, prepared.request.limits
    return ModelFactory(
        store,
        seed=request.seed,
        budget=Budget(calls=limits.calls, tokens=limits.tokens, usd=limits.usd, seconds=limits.seconds),
        prices=Prices.read(None if request.prices is None else Path(request.prices)),
        concurrency=request.concurrency,
        retry_failed=request.retry_failed,
        extra=phantom_extras((*prepared.models, *prepared.roles.values()), store),
        refetch=request.refetch,
        processes=request.processes,
        contact=not request.offline or bool(request.allow_hosts),
        allow=request.allow_hosts,
        own=prepared.own,
        replies=open_cache(request.cache),
    )


def cast_of(factory: ModelFactory, prepared: Prepared) -> Roles:
    """Return who plays beside the model under test."""
    policy = prepared.options.judge_policy
    return roles_of(
        factory,
        prepared.roles,
        seed=prepared.request.seed,
        judge_policy=policy,
        searching=prepared.protocol.searching,
        rule=prepared.own.get(str(getattr(prepared.options, "rules", ""))),
    )


def _describe(store: RunStore, prepared: Prepared) -> None:
    """Write what this start was asked to do; earlier starts stay listed."""
    request = prepared.request
    starts: list[Any] = store.manifest().get("starts", [])
    starts.append(msgspec.to_builtins(request))
    store.update_manifest(
        {
            "percuss": __version__,
            "protocol": prepared.protocol.name,
            "protocol_title": prepared.protocol.title,
            "protocol_version": prepared.protocol.version,
            "asking": prepared.protocol.asking,
            "reading": prepared.protocol.reading,
            "primary": msgspec.to_builtins(prepared.protocol.primary),
            "paper": prepared.protocol.manifest.get("paper", {}),
            "options": msgspec.to_builtins(prepared.options),
            "prompt_set": prepared.options.prompt_set,
            "prompts": dict(prepared.options.prompts),
            "arms": [arm.name for arm in prepared.arms],
            "roles": dict(prepared.roles),
            "flags": list(prepared.flags),
            "n_cases": prepared.n_cases,
            "source_cases": prepared.source.n,
            "epochs": request.epochs,
            "data_goes_to": [{"host": host.host, "roles": list(host.roles)} for host in prepared.hosts],
            "offline": request.offline,
            "cases_found": None if prepared.found is None else msgspec.to_builtins(prepared.found),
            GUARDED: bool(store.manifest().get(GUARDED)) or is_guarded(prepared),
            "planted": {**store.manifest().get("planted", {}), **_planted(prepared)},
            "starts": starts,
            CARDS: {**store.manifest().get(CARDS, {}), **_cards(prepared)},
            CACHES: caches_of(store.manifest(), request.cache),
        }
    )


def _cards(prepared: Prepared) -> dict[str, dict[str, str]]:
    """Return what the user's file states of the models of this run."""
    path = prepared.request.model_cards
    return {} if path is None else chosen_cards(Path(path), (*prepared.models, *prepared.roles.values()))


def _planted(prepared: Prepared) -> dict[str, dict[str, float]]:
    """Return what each simulated model's planted rates imply: `name` in the primary arm, `name[arm]` in the others."""
    found = {}
    primary = prepared.protocol.primary.arms[0]
    for text in prepared.models:
        if provider_of(text) == "phantom":
            model = phantom(slashed(text), seed=prepared.request.seed)
            implied = model.expected([arm.name for arm in prepared.arms])
            found[model.id] = {
                name if arm == primary else f"{name}[{arm}]": value for (name, arm), value in implied.items()
            }
    return found


def _note_hosts(store: RunStore, factory: ModelFactory) -> None:
    """Add to the manifest the hosts that were really contacted, and the parameters that servers did not take."""
    counts: dict[str, int] = dict(store.manifest().get("contacted", {}))
    for host, count in factory.client.contacts.counts().items():
        counts[host] = counts.get(host, 0) + count
    dropped = {**store.manifest().get("dropped", {}), **factory.dropped()}
    store.update_manifest({"contacted": counts, "dropped": dropped})
