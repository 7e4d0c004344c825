"""Scoring a run again with other rules or judges: appends a scoring, asks no model under test."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.api.catalog import load
from percuss.api.run.caching import CACHES, OFF, caches_of, open_cache, refuse_cache
from percuss.api.run.certify import WORKERS, certify, priced
from percuss.api.run.extras import phantom_extras
from percuss.api.run.factory import ModelFactory, plays_model, require_buildable
from percuss.api.run.guard import GUARDED, guard_roles
from percuss.api.run.independence import require_independent
from percuss.api.run.run import Finished, Watcher
from percuss.api.run.session import require_roles, require_verifying, roles_of
from percuss.api.run.verbalise import ROLE, price_of_words, verbalise
from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Record, Scoring
from percuss.engine import stages
from percuss.engine.budget import Budget
from percuss.engine.prompts import DEFAULT, load_prompts
from percuss.models.prices import Prices
from percuss.net import offline
from percuss.store import RunStore
from percuss.store.scorings import HUMAN

__all__ = [
    "Recheck",
    "estimate_again",
    "options_of",
    "other_rules",
    "prompts_of",
    "protocol_of",
    "recheck",
]


class Recheck(Record):
    """A check of an existing run as its user asks for it; what is not given is as the run was made."""

    run: str
    judge: str | None = None
    embedder: str | None = None
    fallback: str | None = None
    search: str | None = None
    roles: dict[str, str] = {}
    settings: dict[str, Any] = {}
    prompts: str | None = None
    concurrency: int = 10
    max_usd: float | None = None
    offline: bool = False
    allow_hosts: tuple[str, ...] = ()
    allow_self_judge: bool = False
    allow_remote: bool = False
    certify: bool = False
    refetch: Literal["no", "failed", "all"] = "no"
    processes: int = 0
    cache: str | None = None


def options_of(protocol: Protocol[Any], held: dict[str, Any], settings: dict[str, Any]) -> Options:
    """Return the options that a run was made with, some settings replaced.

    Raises:
        UsageError: a setting that the protocol does not have, or a value that does not fit.
    """
    known = set(protocol.options.__struct_fields__)
    strange = sorted(set(settings) - known)
    if strange:
        raise UsageError(f"{protocol.name} has no setting {strange[0]!r}; it has {', '.join(sorted(known))}")
    try:
        options: Options = msgspec.convert({**held, **settings}, protocol.options, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"a setting of {protocol.name} does not fit: {error}") from error
    return options


def other_rules(run: str, settings: Mapping[str, Any]) -> str:
    """Say in one sentence that a check reads by the run's own rules where its latest scoring had others; "" where they agree.

    Args:
        run: its folder. settings: of the check; rules that it names are its own.

    Raises:
        RunError: there is no run.
    """
    with RunStore.open(Path(run)) as store:
        made = store.manifest().get("options", {}).get("rules")
        last = [one for one in store.scorings() if one.id != HUMAN][-1:]
    had = last[0].config.get("options", {}).get("rules") if last else None
    if "rules" in settings or not made or not had or made == had:
        return ""
    return f"Reads by {made}, the rules that this run was made with; its latest scoring was by {had}: --rules {had} reads like it."


def prompts_of(protocol: Protocol[Any], held: Mapping[str, Any], choice: str | None) -> dict[str, str]:
    """Return the prompts of a check: the run's own, but those of checking as they are now where the reading has risen.

    Args:
        protocol: the protocol. held: manifest of the run.
        choice: a named set or folder laid over all; None keeps the run's.
    """
    prompts: dict[str, str] = dict(held.get("options", {}).get("prompts", {}))
    now = load_prompts(protocol.folder, choice or DEFAULT)
    if choice is not None:
        return {**prompts, **now}
    if held.get("reading", 1) != protocol.reading:
        prompts.update({name: text for name, text in now.items() if protocol.reads_with(name)})
    return prompts


def protocol_of(run: str) -> Protocol[Any]:
    """Return the protocol of a run.

    Raises:
        RunError: there is no run.
    """
    with RunStore.open(Path(run)) as store:
        return load(store.manifest()["protocol"])


async def recheck(
    asked: Recheck, *, watcher: Watcher | None = None, tell: Callable[[str], None] | None = None
) -> Finished:
    """Check a run again and estimate the new scoring.

    Args:
        asked: what to check. watcher: sees each step. tell: gets what a certificate will ask of a judge before it does.

    Raises:
        PercussError: in one sentence what could not be done; nothing of the run is lost.
    """
    if asked.offline:
        offline.enable(asked.allow_hosts)
    protocol, options, roles, seed = await _wanted(asked)
    with RunStore.open(Path(asked.run), writable=True) as store:
        store.update_manifest({CACHES: caches_of(store.manifest(), asked.cache)})
        factory = ModelFactory(
            store,
            seed=seed,
            budget=Budget(usd=asked.max_usd),
            prices=Prices.read(None),
            concurrency=asked.concurrency,
            extra=phantom_extras(tuple(roles.values()), store),
            refetch=asked.refetch,
            processes=asked.processes,
            contact=not asked.offline or bool(asked.allow_hosts),
            allow=asked.allow_hosts,
            replies=open_cache(asked.cache),
        )
        async with factory:
            playing = roles_of(
                factory, roles, seed=seed, judge_policy=options.judge_policy, searching=protocol.searching
            )
            await require_verifying(playing)
            scoring = await stages.check(
                store, protocol, options, roles=playing, concurrency=asked.concurrency, watcher=watcher
            )
            if asked.certify:
                await _certified(store, protocol, options, playing, scoring, seed, factory, tell)
        estimates = await stages.estimate(
            store, protocol, options, scoring=scoring.id, seed=seed, watcher=watcher
        )
        store.write_manifest_file()
    return Finished(Path(asked.run), scoring, estimates)


async def _certified(
    store: RunStore, protocol: Protocol[Any], options: Options, playing: Roles, scoring: Scoring, seed: int, factory: ModelFactory,
    tell: Callable[[str], None] | None,
) -> None:  # fmt: skip
    """Have facts put into words where somebody does that, then certify; what either costs is told before it is asked."""
    shared: dict[str, Any] = {"roles": playing, "scoring": scoring, "seed": seed}
    say = tell or (lambda _: None)
    if ROLE in playing.models:
        price = factory.price_of(playing.models[ROLE].id)
        if line := price_of_words(store, protocol, options, **shared, price=price):
            say(line)
    told = await verbalise(store, protocol, options, **shared, workers=WORKERS)
    if line := priced(store, protocol, **shared, told=told):
        say(line)
    await certify(store, protocol, options, **shared, told=told)


async def _wanted(asked: Recheck) -> tuple[Protocol[Any], Options, dict[str, str], int]:
    """Return protocol, options, roles and seed of a check, the run being only read.

    Raises:
        UsageError: the check can't mean anything; nothing was written.
    """
    with RunStore.open(Path(asked.run)) as store:
        held = store.manifest()
        protocol = load(held["protocol"])
        settings = {**asked.settings, "prompts": prompts_of(protocol, held, asked.prompts)}
        options = options_of(protocol, held["options"], settings)
        roles = _roles(asked, held, store)
    require_roles(protocol, roles)
    guard_roles(held, roles, run=asked.run, allow_remote=asked.allow_remote)
    if asked.cache not in (None, OFF):
        refuse_cache(str(asked.cache), guarded=bool(held.get(GUARDED)), no_text=False, source=asked.run)
    await require_buildable({text: None for role, text in roles.items() if plays_model(role, text)})
    return protocol, options, roles, int(held["seed"])


async def estimate_again(folder: Path, *, scoring: str | None = None) -> Finished:
    """Estimate a scoring anew from its rows, people's labels included.

    Args:
        folder: the run.
        scoring: id; None takes the latest.
    """
    with RunStore.open(folder, writable=True) as store:
        held = store.manifest()
        protocol = load(held["protocol"])
        chosen = next((s for s in store.scorings() if s.id == scoring), None) or store.latest_scoring()
        settings = {
            k: v
            for k, v in chosen.config.get("options", {}).items()
            if k in protocol.options.__struct_fields__
        }
        options = options_of(protocol, held["options"], settings)
        estimates = await stages.estimate(store, protocol, options, scoring=chosen.id, seed=int(held["seed"]))
    return Finished(folder, chosen, estimates)


def _roles(asked: Recheck, held: dict[str, Any], store: RunStore) -> dict[str, str]:
    roles = {**held.get("roles", {}), **asked.roles}
    if asked.judge is not None:
        roles["judge"] = asked.judge
    for role in ("embedder", "fallback", "search"):
        if getattr(asked, role) is not None:
            roles[role] = getattr(asked, role)
    under_test = [name for name, _ in store.manifest().get("models", [])]
    require_independent(roles, under_test, allowed=asked.allow_self_judge)
    return roles
