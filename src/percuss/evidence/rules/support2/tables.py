"""The shipped tables of `support-2`: derivations, levels, phrases, topics; each a JSONL file that a test checks."""

from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from percuss.core.strict import Record
from percuss.text.cued import CuedTable

__all__ = [
    "Band",
    "LevelRow",
    "Member",
    "Phrase",
    "StageRow",
    "bands",
    "kinds_of_section",
    "level_row",
    "members",
    "phrase_table",
    "phrases",
    "stages",
]


class Band(Record):
    """A range of a value and what follows from it.

    Args:
        of: concept of the value. low, below: low <= value < below; None = open.
        gives: concepts that follow. excludes: concepts that can't be.
    """

    of: str
    low: float | None = None
    below: float | None = None
    gives: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


class Member(Record):
    """Concepts from each of which others follow: a drug its class, a diagnosis its broader one.

    Args:
        of: any of these. gives: what follows. excludes: what can't be.
        drug: a class of drugs.
    """

    of: tuple[str, ...]
    gives: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    drug: bool = False


class StageRow(Record):
    """A stage group by its TNM categories (TNM, 8th edition); an empty category means any.

    Args:
        cancer: "lung", or "" for every solid tumour. t, n, m: categories. gives: the stage group.
    """

    cancer: str
    t: tuple[str, ...]
    n: str
    m: str
    gives: str


class LevelRow(Record):
    """Where an attribute without a laboratory range is surely low, normal or high; between them nothing is said.

    Args:
        low: up to here it is low. normal: inside it is normal. high: from here it is high. source: of the limits.
    """

    of: str
    low: float
    normal: tuple[float, float]
    high: float
    source: str


class Phrase(Record):
    """A form of words that states a value, beyond what the concept layer reads.

    Args:
        pattern: regular expression; its first group, if there is one, is the value.
        attribute: concept that it speaks of. kind: code, quantity or age (a number or a span of years).
        value: the value where no group holds it. unit: canonical. fold: "lower" or "roman".
        low, high: ends of a span.
    """

    pattern: str
    attribute: str
    kind: Literal["code", "quantity", "age"]
    value: str = ""
    unit: str = ""
    fold: Literal["", "lower", "roman"] = ""
    low: int | None = None
    high: int | None = None


class _Derivation(msgspec.Struct, frozen=True):
    kind: Literal["band", "implies", "class", "stage"]


class _Topic(Record):
    section: tuple[str, ...]
    kinds: tuple[str, ...]


def _lines(name: str) -> list[bytes]:
    return [
        line for line in resources.files(__package__).joinpath("data", name).read_bytes().splitlines() if line
    ]


@lru_cache(maxsize=1)
def _derivations() -> tuple[tuple[Band, ...], tuple[Member, ...], tuple[StageRow, ...]]:
    band: list[Band] = []
    member: list[Member] = []
    stage: list[StageRow] = []
    for line in _lines("derivations.jsonl"):
        row = msgspec.json.decode(line)
        kind = row.pop("kind")
        if kind == "band":
            band.append(msgspec.convert(row, Band))
        elif kind == "stage":
            stage.append(msgspec.convert(row, StageRow))
        else:
            member.append(msgspec.convert({**row, "drug": kind == "class"}, Member))
    return tuple(band), tuple(member), tuple(stage)


def bands() -> tuple[Band, ...]:
    """Return what follows from ranges of values."""
    return _derivations()[0]


def members() -> tuple[Member, ...]:
    """Return what follows from a drug or a diagnosis."""
    return _derivations()[1]


def stages() -> tuple[StageRow, ...]:
    """Return stage groups by TNM category."""
    return _derivations()[2]


@lru_cache(maxsize=1)
def _levels() -> dict[str, LevelRow]:
    return {
        row.of: row for row in (msgspec.json.decode(line, type=LevelRow) for line in _lines("levels.jsonl"))
    }


def level_row(attribute: str, kind: str, parents: tuple[str, ...]) -> LevelRow | None:
    """Return the limits of an attribute: its own, a parent's, or those of its kind."""
    table = _levels()
    for name in (attribute, *parents, "signature" if attribute.endswith("signature") else kind):
        if name in table:
            return table[name]
    return None


@lru_cache(maxsize=1)
def phrases() -> tuple[Phrase, ...]:
    """Return the forms of words."""
    return tuple(msgspec.json.decode(line, type=Phrase) for line in _lines("phrases.jsonl"))


@lru_cache(maxsize=1)
def phrase_table() -> CuedTable:
    """Return the expressions of the forms of words, by what they need."""
    return CuedTable(each.pattern for each in phrases())


@lru_cache(maxsize=1)
def _topics() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _lines("topics.jsonl"):
        row = msgspec.json.decode(line, type=_Topic)
        for section in row.section:
            found.setdefault(section, set()).update(row.kinds)
    return {section: frozenset(kinds) for section, kinds in found.items()}


def kinds_of_section(section: str) -> frozenset[str]:
    """Return the kinds of concepts that a section or layer of a packet claims to cover; none for one that isn't in the table."""
    return _topics().get(section.lower(), frozenset())
