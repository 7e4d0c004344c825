"""What makes answers comparable (the run's identity), and what makes verdicts comparable (a scoring's id)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from percuss.core.ports import Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Scoring
from percuss.engine.prompts import prompt_digests
from percuss.store.cases import CaseSource
from percuss.store.identity import Identity
from percuss.store.scorings import now

__all__ = ["identity_of", "scoring_of"]

_POLICY = ("max_tokens", "temperature", "top_p")
_CHECKING = ("check", "embed", "extract", "judge", "plan")
_NEITHER = {"prompts", "prompt_set"}


def identity_of(
    protocol: Protocol[Any],
    options: Options,
    source: CaseSource,
    *,
    seed: int,
    roles: Mapping[str, str] | None = None,
) -> Identity:
    """Return the identity of a run.

    Args:
        protocol: its version `N-X` counts by N. Where protocol.toml has `[identity] options = [..]`, these settings
            of asking count beside temperature, top_p and max_tokens.
        options: with `prompts` filled in. Prompts whose name begins with judge, extract, embed, check or plan, or stands
            in `[check] names` of protocol.toml, serve checking and belong to the scoring instead.
        source: the whole source of cases.
        seed: root seed.
        roles: role -> model id of whoever plays beside the model under test; a counterpart (`user`) shapes the answers
            and counts, roles of checking (names as with prompts) and the model under test do not.
    """
    named = [*_POLICY, *_of_asking(protocol)]
    values = msgspec.to_builtins(options)
    return Identity(
        protocol=protocol.name,
        version=protocol.version.partition("-")[0],
        prompts={
            name: text
            for name, text in prompt_digests(options.prompts).items()
            if not _checks(protocol, name)
        },
        cases=source.digest,
        n_cases=source.n,
        policy={**{name: values[name] for name in named}, **_counterparts(protocol, roles or {})},
        seed=seed,
    )


def scoring_of(protocol: Protocol[Any], options: Options, roles: Roles) -> Scoring:
    """Return the scoring that a check with these options and these roles makes: its raters, and all that they depend on.

    Args:
        protocol: names its rule raters by `raters(options)`.
        options: every setting that is not of asking counts.
        roles: its roles of checking count; a judge rates once a pass.
    """
    judge = roles.models.get("judge")
    passes = () if judge is None else tuple(f"judge:{judge.id}#{k}" for k in range(1, roles.judge_passes + 1))
    left = {*_POLICY, *_of_asking(protocol), *_NEITHER}
    config = {
        "protocol": protocol.name,
        "version": protocol.version,
        "options": {name: value for name, value in msgspec.to_builtins(options).items() if name not in left},
        "prompts": {
            name: text for name, text in prompt_digests(options.prompts).items() if _checks(protocol, name)
        },
        "models": {
            role: [model.id, model.pin]
            for role, model in sorted(roles.models.items())
            if _checks(protocol, role)
        },
        "embedder": None if roles.embedder is None else roles.embedder.id,
        "search": None if roles.search is None else roles.search.id,
        "seed": roles.seed,
    }
    return Scoring.of((*protocol.raters(options), *passes), config, now())


def _of_asking(protocol: Protocol[Any]) -> tuple[str, ...]:
    return tuple(sorted(protocol.manifest.get("identity", {}).get("options", ())))


def _counterparts(protocol: Protocol[Any], roles: Mapping[str, str]) -> dict[str, str]:
    asking = {role for role in roles if role != "model" and not _checks(protocol, role)}
    return {f"role {role}": roles[role] for role in sorted(asking)}


def _checks(protocol: Protocol[Any], name: str) -> bool:
    """Tell whether a prompt or role serves checking."""
    return name.startswith(_CHECKING) or name in protocol.manifest.get("check", {}).get("names", ())
