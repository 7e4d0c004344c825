"""The manifest: what a run is made of, as rows of the run and as a readable manifest.json beside it."""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import UsageError
from percuss.store.packed import read_json, write_json

__all__ = [
    "name_model",
    "name_simulated",
    "put_manifest",
    "read_manifest",
    "simulated_models",
    "write_beside",
]

SIMULATED = "simulated"
"""Key of the manifest: the models, judges included, that are simulations."""
_SIMULATED_0_1 = ("phantom/", "scripted/")


def read_manifest(db: sqlite3.Connection) -> dict[str, Any]:
    """Return the manifest as a mapping of JSON values."""
    return {
        key: read_json(value, object)
        for key, value in db.execute("SELECT key, value FROM manifest ORDER BY key")
    }


def put_manifest(db: sqlite3.Connection, entries: Mapping[str, Any]) -> None:
    """Write entries of the manifest; others stay."""
    db.executemany(
        "INSERT OR REPLACE INTO manifest (key, value) VALUES (?,?)",
        [(key, write_json(value)) for key, value in entries.items()],
    )


def name_model(db: sqlite3.Connection, model: str, pin: str) -> None:
    """Remember a model under test in the order in which it was first named.

    Raises:
        UsageError: the run has asked a model of this name that is not the same one (weights, host, version).
    """
    models = dict(read_manifest(db).get("models", []))
    if models.setdefault(model, pin) != pin:
        raise UsageError(
            f"model {model!r} of this run is {models[model]!r}, and now {pin!r} was given; "
            "two models under one name cannot share a run; give --out another folder"
        )
    put_manifest(db, {"models": [[name, known] for name, known in models.items()]})


def name_simulated(db: sqlite3.Connection, models: Iterable[str]) -> None:
    """Remember models, judges included, that are simulations."""
    held = simulated_models(db)
    named = sorted({*held, *models})
    if frozenset(named) != held or SIMULATED not in read_manifest(db):
        put_manifest(db, {SIMULATED: named})


def simulated_models(db: sqlite3.Connection) -> frozenset[str]:
    """Return the models of a run that are simulations; in a run of 0.1, which did not write it down, by their names."""
    manifest = read_manifest(db)
    if SIMULATED in manifest:
        return frozenset(manifest[SIMULATED])
    named = {row[0] for row in db.execute("SELECT DISTINCT model FROM responses")}
    raters = (read_json(row[0], list[str]) for row in db.execute("SELECT raters FROM scorings"))
    named |= {
        rater.removeprefix("judge:").rpartition("#")[0]
        for group in raters
        for rater in group
        if "judge:" in rater
    }
    return frozenset(name for name in named if name.startswith(_SIMULATED_0_1))


def write_beside(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write manifest.json whole or not at all, readable by its owner only."""
    text = msgspec.json.format(msgspec.json.encode(dict(manifest), order="sorted"), indent=2)
    fresh = folder / "manifest.json.new"
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(text + b"\n")
    fresh.replace(folder / "manifest.json")
