"""The index of invented records: facts of `topics.toml` told by the wordings of `templates.toml`, with the finding's place in each."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.seeds import generator
from percuss.core.strict import Record

__all__ = ["ROLES", "Entry", "Index", "Outcome", "Topic", "index", "words_of"]

FOLDER = Path(__file__).parent
ROLES = (
    "early", "benefit", "null", "retracted", "notice", "other", "harm", "split", "children", "alert", "pooled", "protocol",
    "interaction",
)  # fmt: skip
"""What a record is for its topic; each topic has one of each."""
ARRANGED = 20_261
"""Seed by which ids, months and sizes were dealt, so that an id says nothing of the record."""
_FINDING = re.compile(r"\[\[(.+?)\]\]")


class Outcome(Record):
    """An outcome by the words that name it; `concept` is its name in the concept table, "" = by its words alone."""

    say: str
    also: tuple[str, ...]
    concept: str = ""


class Entry(Record):
    """A record of the index.

    Args:
        id: `PX-` and four digits. role, topic: what it is for; never shown. finding: the sentence that carries it.
        linked: id of the notice of a retracted report, or of the report that a notice is about; "" = none.
    """

    id: str
    role: str
    topic: str
    title: str
    year: int
    month: int
    design: str
    text: str
    finding: str
    linked: str = ""


class Topic(Record):
    """The facts about one drug, as `topics.toml` has them."""

    drug: str
    other: str
    condition: str
    population: str
    group: Outcome
    a: Outcome
    b: Outcome
    c: Outcome
    d: Outcome
    n: int
    m: int
    k: int
    harm: tuple[float, float]
    alert: tuple[float, float]
    claimed: int
    partner: dict[str, Any]


class Index(Record):
    """All topics and records; `entries` in the order of their ids."""

    topics: dict[str, Topic]
    entries: dict[str, Entry]

    def of(self, topic: str, role: str) -> Entry:
        """Return the record of a `topic` with a `role`."""
        return next(each for each in self.entries.values() if (each.topic, each.role) == (topic, role))


@cache
def index() -> Index:
    """Return the index; it is the same for every seed."""
    told = tomllib.loads((FOLDER / "topics.toml").read_text(encoding="utf-8"))
    topics = {name: msgspec.convert({"drug": name, **facts}, type=Topic) for name, facts in told.items()}
    roles = [(name, role) for name in topics for role in ROLES]
    numbers = generator(ARRANGED, "ids").permutation(len(roles)) + 1
    names = {place: f"PX-{number:04d}" for place, number in zip(roles, numbers, strict=True)}
    entries = [_entry(topics[name], role, names) for name, role in roles]
    return Index(topics=topics, entries={each.id: each for each in sorted(entries, key=lambda each: each.id)})


@cache
def _templates() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "templates.toml").read_text(encoding="utf-8"))


def _entry(topic: Topic, role: str, names: dict[tuple[str, str], str]) -> Entry:
    template = _templates()[role]
    rng = generator(ARRANGED, topic.drug, role)
    linked = {"notice": "retracted", "retracted": "notice"}.get(role, "")
    link = names[topic.drug, linked] if linked else ""
    size = int(rng.integers(6, 90)) * template.get("scale", 40)
    words = {**words_of(topic), "size": f"{size:,}", "linked": link}
    text = template["texts"][int(rng.integers(len(template["texts"])))].format(**words)
    marked = _FINDING.search(text)
    assert marked is not None, role
    return Entry(
        id=names[topic.drug, role],
        role=role,
        topic=topic.drug,
        title=template["titles"][int(rng.integers(len(template["titles"])))].format(**words),
        year=template["year"],
        month=int(rng.integers(1, 13)),
        design=template["design"],
        text=_FINDING.sub(r"\1", text),
        finding=marked[1],
        linked=link,
    )


def words_of(topic: Topic) -> dict[str, Any]:
    """Return what the names in templates stand for, for a `topic`; a name with a capital letter asks for one."""
    words: dict[str, Any] = {
        "drug": topic.drug, "other": topic.other, "condition": topic.condition, "population": topic.population,
        "group": topic.group.say, "partner": topic.partner["say"], "rise": topic.partner["rise"],
        "n": topic.n, "m": topic.m, "k": topic.k, "claimed": topic.claimed,
        "harm": topic.harm[0], "harm0": topic.harm[1], "alert": topic.alert[0], "alert0": topic.alert[1],
        **{name: getattr(topic, name).say for name in "abcd"},
    }  # fmt: skip
    capital = {
        name.capitalize(): word[0].upper() + word[1:] for name, word in words.items() if isinstance(word, str)
    }
    return {**words, **capital}
