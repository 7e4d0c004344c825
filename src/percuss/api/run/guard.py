"""Records of patients from a hospital's systems stay on this machine unless the user says that they may leave it."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from percuss.api.run.caching import OFF, configured, refuse_cache
from percuss.api.run.prepare import Prepared, remote_models, remote_roles
from percuss.core.errors import UsageError

__all__ = ["GUARDED", "guard_cases", "guard_roles", "is_guarded", "with_config"]

GUARDED = "guarded"
"""Key of the manifest: whether the run's cases are guarded."""


def is_guarded(prepared: Prepared) -> bool:
    """Say whether the cases came from a hospital's systems: FHIR or DICOM, by content or by the names of their files.

    Args:
        prepared: the protocol's reader says so of what it recognised (`Found.guarded`); `guarded_sources` in
            protocol.toml lists endings of files that are guarded, also where a table names them.
    """
    if prepared.found is not None and prepared.found.guarded:
        return True
    endings = tuple(prepared.protocol.manifest.get("guarded_sources", ()))
    return _names_guarded(prepared.request.cases or "", endings)


def guard_cases(prepared: Prepared) -> None:
    """Refuse a run whose guarded cases would leave this machine, or whose answers may lie in no cache.

    Raises:
        UsageError: a model, judge, embedder or search is elsewhere and `--allow-remote` was not said; or a cache was asked for.
    """
    request = prepared.request
    if request.cache not in (None, OFF):
        refuse_cache(
            str(request.cache),
            guarded=is_guarded(prepared),
            no_text=request.no_text,
            source=str(request.cases),
        )
    if not prepared.request.allow_remote and is_guarded(prepared):
        _refuse(str(prepared.request.cases), remote_models(prepared))


def with_config(prepared: Prepared) -> Prepared:
    """Return a run with the cache that the user's config names, where the command says nothing of one and may have one.

    Args:
        prepared: as asked for.
    """
    request = prepared.request
    named = configured() if request.cache is None else None
    if named is None or request.no_text or is_guarded(prepared):
        return prepared
    return dataclasses.replace(prepared, request=msgspec.structs.replace(request, cache=named))


def guard_roles(
    manifest: Mapping[str, object], roles: Mapping[str, str], *, run: str, allow_remote: bool
) -> None:
    """Refuse a check of a run whose guarded cases would leave this machine.

    Args:
        manifest: of the run. roles: role -> model string. run: its folder. allow_remote: the user says they may leave.

    Raises:
        UsageError: as `guard_cases`.
    """
    if not allow_remote and manifest.get(GUARDED):
        _refuse(run, remote_roles({role: text for role, text in roles.items() if role != "model"}))


def _refuse(source: str, away: Sequence[str]) -> None:
    if away:
        raise UsageError(
            f"{source} holds records of patients and {away[0]} is not on this machine; "
            "name a local model, or say --allow-remote if the data may go there"
        )


def _names_guarded(source: str, endings: tuple[str, ...]) -> bool:
    """Say whether a source is a file of such an ending, or a table that names one."""
    if not endings or source.lower().endswith(endings):
        return bool(endings)
    path = Path(source)
    if path.suffix not in {".jsonl", ".csv"} or not path.is_file():
        return False
    words = tuple(f"{ending}{mark}" for ending in endings for mark in ('"', ","))
    with path.open(encoding="utf-8", errors="replace") as file:
        return any(word in line for line in map(str.lower, file) for word in words)
