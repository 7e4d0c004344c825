"""The manifest: what a run is made of, as rows of the run and as a readable manifest.json beside it."""

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import UsageError
from percuss.store.packed import read_json, write_json

__all__ = ["name_model", "put_manifest", "read_manifest", "write_beside"]


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


def write_beside(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write manifest.json whole or not at all, readable by its owner only."""
    text = msgspec.json.format(msgspec.json.encode(dict(manifest), order="sorted"), indent=2)
    fresh = folder / "manifest.json.new"
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(text + b"\n")
    fresh.replace(folder / "manifest.json")
