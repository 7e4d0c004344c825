"""What makes answers comparable (the run's identity), and what makes verdicts comparable (a scoring's id)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from percuss.core.instrument import Instrument, Options
from percuss.core.ports import Cast
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
    instrument: Instrument[Any],
    options: Options,
    source: CaseSource,
    *,
    seed: int,
    roles: Mapping[str, str] | None = None,
) -> Identity:
    """Return the identity of a run.

    Args:
        instrument: its version `N-X` counts by N. Where protocol.toml has `[identity] options = [..]`, these settings
            of asking count beside temperature, top_p and max_tokens.
        options: with `prompts` filled in. Prompts whose name begins with judge, extract, embed, check or plan, or stands
            in `[check] names` of protocol.toml, serve checking and belong to the scoring instead.
        source: the whole source of cases.
        seed: root seed.
        roles: role -> model id of whoever plays beside the model under test; a counterpart (`user`) shapes the answers
            and counts, roles of checking (names as with prompts) and the model under test do not.
    """
    named = [*_POLICY, *_of_asking(instrument)]
    values = msgspec.to_builtins(options)
    return Identity(
        protocol=instrument.name,
        version=instrument.version.partition("-")[0],
        prompts={
            name: text
            for name, text in prompt_digests(options.prompts).items()
            if not _checks(instrument, name)
        },
        cases=source.digest,
        n_cases=source.n,
        policy={**{name: values[name] for name in named}, **_counterparts(instrument, roles or {})},
        seed=seed,
    )


def scoring_of(instrument: Instrument[Any], options: Options, cast: Cast) -> Scoring:
    """Return the scoring that a check with these options and this cast makes: its raters, and all that they depend on.

    Args:
        instrument: names its rule raters by `raters(options)`.
        options: every setting that is not of asking counts.
        cast: its roles of checking count; a judge rates once a pass.
    """
    judge = cast.models.get("judge")
    passes = () if judge is None else tuple(f"judge:{judge.id}#{k}" for k in range(1, cast.judge_passes + 1))
    left = {*_POLICY, *_of_asking(instrument), *_NEITHER}
    config = {
        "protocol": instrument.name,
        "version": instrument.version,
        "options": {name: value for name, value in msgspec.to_builtins(options).items() if name not in left},
        "prompts": {
            name: text for name, text in prompt_digests(options.prompts).items() if _checks(instrument, name)
        },
        "models": {
            role: [model.id, model.pin]
            for role, model in sorted(cast.models.items())
            if _checks(instrument, role)
        },
        "embedder": None if cast.embedder is None else cast.embedder.id,
        "search": None if cast.search is None else cast.search.id,
        "seed": cast.seed,
    }
    return Scoring.of((*instrument.raters(options), *passes), config, now())


def _of_asking(instrument: Instrument[Any]) -> tuple[str, ...]:
    return tuple(sorted(instrument.manifest.get("identity", {}).get("options", ())))


def _counterparts(instrument: Instrument[Any], roles: Mapping[str, str]) -> dict[str, str]:
    asking = {role for role in roles if role != "model" and not _checks(instrument, role)}
    return {f"role {role}": roles[role] for role in sorted(asking)}


def _checks(instrument: Instrument[Any], name: str) -> bool:
    """Tell whether a prompt or role serves checking."""
    return name.startswith(_CHECKING) or name in instrument.manifest.get("check", {}).get("names", ())
