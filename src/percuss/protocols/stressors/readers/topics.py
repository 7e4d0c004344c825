"""What a question or a sentence is about: concepts, the way a thing is looked at, where, and which chapter of a history.

Concepts come from the concept layer; the table `data/topics.jsonl` adds ways of asking that name no concept ("what do the leads
look like"), panels with their members, and signs that stand for the test that shows them.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple

import msgspec

from percuss.core.strict import Record
from percuss.text.concepts import concept, concepts, mentions, with_parents

__all__ = ["CATEGORIES", "Topics", "panel_members", "read_topics", "sign_members"]

Role = Literal["category", "modality", "region", "topic", "exam", "panel", "sign"]


class _Row(Record):
    """One line of the table: `said` finds it in a text; panels and signs have `members`."""

    role: Role
    name: str
    said: str = ""
    members: tuple[str, ...] = ()


class Topics(NamedTuple):
    """What a text is about.

    Args:
        concepts: canonical names of analytes, tests, findings, drugs and diagnoses; and topics of the table.
        modalities: ways of looking ("radiograph", "biopsy"). regions: where ("chest").
        exams: parts of an examination. categories: chapters of a history.
    """

    concepts: frozenset[str]
    modalities: frozenset[str]
    regions: frozenset[str]
    exams: frozenset[str]
    categories: frozenset[str]

    @property
    def nothing(self) -> bool:
        """Whether nothing was found."""
        return not any(self)


@lru_cache(maxsize=1)
def _table() -> tuple[_Row, ...]:
    lines = (
        resources.files("percuss.protocols.stressors.data").joinpath("topics.jsonl").read_bytes().splitlines()
    )
    return tuple(msgspec.json.decode(line, type=_Row) for line in lines)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[Role, str, re.Pattern[str]], ...]:
    return tuple((r.role, r.name, re.compile(r.said, re.IGNORECASE)) for r in _table() if r.said)


@lru_cache(maxsize=1)
def _members() -> dict[str, dict[str, frozenset[str]]]:
    held: dict[str, dict[str, frozenset[str]]] = {"panel": {}, "sign": {}}
    for row in _table():
        if row.role in held:
            held[row.role][row.name] = frozenset(row.members)
    return held


CATEGORIES = (
    "family history", "social history", "medication", "allergies", "past history", "dental history", "review of systems", "vital signs",
    "history",
)  # fmt: skip
"""Chapters that are asked for by name, the more specific first."""


def panel_members(name: str) -> frozenset[str]:
    """Return the analytes of a panel; none for what is no panel."""
    return _members()["panel"].get(name, frozenset())


def sign_members(name: str) -> frozenset[str]:
    """Return the tests that a sign is asked of ("vegetation": the echocardiogram); a state is asked of its analyte."""
    return _members()["sign"].get(name, frozenset()) | _state_of().get(name, frozenset())


@lru_cache(maxsize=1)
def _state_of() -> dict[str, frozenset[str]]:
    """States by name ("hyponatraemia") with what they are states of."""
    held: dict[str, set[str]] = {}
    for each in concepts().values():
        for state in (each.high, each.low):
            if state:
                held.setdefault(state, set()).add(each.name)
    return {state: frozenset(names) for state, names in held.items()}


_NOT_ASKED = frozenset({"anatomy", "organism", "gene"})


@lru_cache(maxsize=16384)
def read_topics(text: str) -> Topics:
    """Return what a text is about.

    Args:
        text: a question, a sentence, or the name of a group or label.

    >>> sorted(read_topics("Has a chest X-ray been done?").modalities)
    ['radiograph']
    """
    found: dict[str, set[str]] = {r: set() for r in ("category", "modality", "region", "topic", "exam")}
    for role, name, pattern in _patterns():
        if pattern.search(text):
            found[role].add(name)
    # An abbreviation with several meanings is asked of the record in each of them; what isn't there is not found.
    named = {name for m in mentions(text) if m.kind not in _NOT_ASKED for name in (m.concept, *m.others)}
    return Topics(
        frozenset(named | found["topic"]),
        frozenset(found["modality"]),
        frozenset(found["region"]),
        frozenset(found["exam"]),
        frozenset(found["category"]),
    )


def wider(names: Iterable[str]) -> frozenset[str]:
    """Return concepts with all their broader ones."""
    return frozenset(up for name in names for up in (with_parents(name) if concept(name) else (name,)))
