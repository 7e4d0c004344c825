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

__all__ = ["CHECKING", "identity_of", "quoted_for", "reading_of", "scoring_of"]

_POLICY = ("max_tokens", "temperature", "top_p")
CHECKING = frozenset({"judge", "embedder", "extractor", "verifier"})
"""Roles of checking: they belong to a scoring, never to the run."""
_NEITHER = {"prompts", "prompt_set"}


def identity_of(
    protocol: Protocol[Any],
    options: Options,
    source: CaseSource,
    *,
    seed: int,
    roles: Mapping[str, str] | None = None,
    conditioning: Scoring | None = None,
) -> Identity:
    """Return the identity of a run.

    Args:
        protocol: its `asking` counts. Where protocol.toml has `[identity] options = [..]`, these settings of asking
            count beside temperature, top_p and max_tokens.
        options: with `prompts` filled in. Prompts that protocol.toml lists under `[prompts] checking` alone belong to
            the scoring instead.
        source: the whole source of cases.
        seed: root seed.
        roles: role -> model id of whoever plays beside the model under test; a counterpart (`user`) shapes the answers
            and counts, roles of checking (`CHECKING`) and the model under test do not.
        conditioning: the scoring whose verdicts followers are posed with; None where no arm needs verdicts.
    """
    named = [*_POLICY, *_of_asking(protocol)]
    values = msgspec.to_builtins(options)
    return Identity(
        protocol=protocol.name,
        version=str(protocol.asking),
        prompts={
            name: text
            for name, text in prompt_digests(options.prompts).items()
            if not protocol.reads_with(name)
        },
        cases=source.digest,
        n_cases=source.n,
        policy={
            **{name: values[name] for name in named},
            **_counterparts(roles or {}, checking_roles(protocol)),
            **({} if conditioning is None else {"conditioning": conditioning.id}),
        },
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
        "reading": protocol.reading,
        "options": {name: value for name, value in msgspec.to_builtins(options).items() if name not in left},
        "prompts": {
            name: text
            for name, text in prompt_digests(options.prompts).items()
            if protocol.reads_with(name) and _asked_of(protocol, name) <= roles.models.keys()
        },
        "models": {
            role: [model.id, model.pin]
            for role, model in sorted(roles.models.items())
            if role in checking_roles(protocol)
        },
        "embedder": None if roles.embedder is None else roles.embedder.id,
        "search": None if roles.search is None else roles.search.id,
        "seed": roles.seed,
    }
    if versions := protocol.manifest.get("readers", {}).get("versions"):
        config["readers"] = dict(versions)
    if roles.verifier is not None:
        config["verifier"] = [roles.verifier.id, roles.verifier.pin]
    return Scoring.of((*protocol.raters(options), *passes), config, now())


def _of_asking(protocol: Protocol[Any]) -> tuple[str, ...]:
    return tuple(sorted(protocol.manifest.get("identity", {}).get("options", ())))


def _asked_of(protocol: Protocol[Any], prompt: str) -> set[str]:
    """Return the role that alone is asked by a prompt, as `[prompts.of_role]` of the manifest says: without it the prompt reads nothing."""
    role = protocol.manifest.get("prompts", {}).get("of_role", {}).get(prompt)
    return set() if role is None else {role}


def checking_roles(protocol: Protocol[Any]) -> frozenset[str]:
    """Return the roles that belong to a scoring and never to the run: `CHECKING`, and those that the manifest lists.

    Args:
        protocol: `[identity] checking_roles = [..]` of its manifest, such as a search that only judging uses.
    """
    return CHECKING | frozenset(protocol.manifest.get("identity", {}).get("checking_roles", ()))


def _counterparts(roles: Mapping[str, str], checking: frozenset[str]) -> dict[str, str]:
    return {f"role {role}": roles[role] for role in sorted(roles) if role != "model" and role not in checking}


def quoted_for(scoring: Scoring, protocol: Protocol[Any], reader: str, version: str) -> bool:
    """Tell whether a passport is of the very version that made a scoring's labels.

    Args:
        scoring: whose labels. protocol: `[readers.versions]` of its manifest names the versions of today; a reader without one has
            no versions to tell apart. reader: as verdicts name it. version: of the passport.
    """
    if reader not in protocol.manifest.get("readers", {}).get("versions", {}):
        return True
    return bool(scoring.config.get("readers", {}).get(reader) == version)


def reading_of(scoring: Scoring) -> int:
    """Return the reading that a scoring was made with; those of 0.1, which did not write it down, are reading 1."""
    return int(scoring.config.get("reading", 1))
