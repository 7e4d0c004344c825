"""Figures held against their golden, to nine places: what several rooms need to say that no number moved."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

__all__ = ["hold", "line"]


def line(made: Any) -> str:
    """Return a record on one line, without what it leaves open, its numbers to nine places."""
    fields = {
        key: value for key, value in msgspec.to_builtins(made).items() if value not in (None, "", {}, [])
    }
    return json.dumps(_rounded(fields), sort_keys=True)


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    return round(value, 9) if isinstance(value, float) else value


def hold(file: Path, said: Iterable[str]) -> None:
    """Hold lines against their golden; PERCUSS_WRITE_GOLDENS=1 writes it anew."""
    text = "\n".join(said) + "\n"
    if os.environ.get("PERCUSS_WRITE_GOLDENS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines()
