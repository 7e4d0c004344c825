"""Seed questions over the bundled library, each with two follow-ups and the documents that answer it."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from percuss.core.strict import Record

__all__ = ["Seed", "bundled_seeds"]

FILE = Path(__file__).parent / "seeds.toml"


class Seed(Record):
    """One seed question.

    `documents` names what answers it; empty where nothing in the library does, and `unanswerable` then says why.
    """

    id: str
    domain: str
    category: str
    question: str
    follow_ups: tuple[str, str]
    documents: tuple[str, ...]
    unanswerable: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    seed: list[Seed]


@cache
def bundled_seeds() -> tuple[Seed, ...]:
    """Return the bundled seeds, in the order of their ids."""
    return tuple(msgspec.convert(tomllib.loads(FILE.read_text(encoding="utf-8")), _File).seed)
