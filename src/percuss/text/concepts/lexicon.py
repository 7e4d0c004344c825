"""Everything that the matcher looks for, as one tree of words: concepts, qualifiers, levels, routes, frequencies, triggers of frames."""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from percuss.text.concepts.table import Concept, concepts
from percuss.text.frames import triggers
from percuss.text.words import PAIRS, Keys

__all__ = ["END", "Entry", "Lexicon", "Meaning", "Node", "lexicon", "meaning_of"]

END = ""
"""The key under which a node of the tree holds what ends there."""

# Abbreviations that are words in lower case or capitals: they count only as written.
_AS_WRITTEN = frozenset(
    "egfr psa crps "
    "all hit ten pan net map lad cap hap pad gas mac rai sob pet dre des toe tee aso aid tof aps mat dic cac bac pac pra sofa meld met ret alk "
    "kit grace mig art age and its ice rap ago aim arm ear fat gap had has her him his hot ill leg lip may men new nor not now off old one our "
    "out own per pre raw red rib run saw sea see set she sit six son sum tax tea the tie tip too top two use was way wet who why yes you fast "
    "dress heart lump absolute estimate cpe pcr pml aids mds cat pic pip mcp chop lot tab pie pod dat cps tps tls nap ops lab sma ada rsv mmf nah "
    "crt vsd sle spe hus cin ich gad scd apl mcl pcl acl cml rpr los cup nac ida pid".split()
) - frozenset("pcr pml mds sle cin ich gad acl cml rpr rsv pip mcp dat nac".split())


class Entry(NamedTuple):
    """What a phrase stands for.

    Args:
        role: "concept", "qualifier", "level", "route", "frequency" or "trigger".
        name: the concept, or the value of the word.
        dimension: of a qualifier.
        exact: the abbreviation as it must be written; "" = case doesn't matter.
        flag: "number" = only beside a number, "ambiguous" = means other things too.
        frame, reach: of a trigger.
    """

    role: str
    name: str
    dimension: str = ""
    exact: str = ""
    flag: str = ""
    frame: tuple[str, ...] = ()
    reach: str = ""


class Meaning(NamedTuple):
    """What a phrase may stand for, sorted by role.

    Args:
        entries: all of them. named: concepts. triggers: of frames. qualifiers: (dimension, value) pairs. level: word of interpretation; "" = none.
        given: (role, value) of route and frequency. anatomy: name of an anatomical concept; "" = none.
        exact: whether a spelling must be looked at. numbered: whether a concept counts only beside a number.
    """

    entries: tuple[Entry, ...]
    named: tuple[Entry, ...]
    triggers: tuple[Entry, ...]
    qualifiers: tuple[tuple[str, str], ...]
    level: str
    given: tuple[tuple[str, str], ...]
    anatomy: str
    exact: bool
    numbered: bool


@lru_cache(maxsize=16384)
def meaning_of(entries: tuple[Entry, ...]) -> Meaning:
    """Return entries sorted by role."""
    named = tuple(entry for entry in entries if entry.role == "concept")
    return Meaning(
        entries,
        named,
        tuple(entry for entry in entries if entry.role == "trigger"),
        tuple((entry.dimension, entry.name) for entry in entries if entry.role == "qualifier"),
        next((entry.name for entry in entries if entry.role == "level"), ""),
        tuple((entry.role, entry.name) for entry in entries if entry.role in {"route", "frequency"}),
        next((entry.name for entry in named if concepts()[entry.name].kind == "anatomy"), ""),
        any(entry.exact for entry in entries),
        any(entry.flag == "number" for entry in named),
    )


class _Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: str
    dimension: str
    value: str
    words: tuple[str, ...]


Node = dict[str, Any]


class _Firsts(dict[str, "Node | None"]):
    """Words as written to the node that begins with them; None for the many that begin nothing."""

    LIMIT = 200_000

    def __init__(self, tree: Node, keys: Keys) -> None:
        super().__init__()
        self.tree, self.word_keys = tree, keys

    def __missing__(self, word: str) -> "Node | None":
        if len(self) > self.LIMIT:
            self.clear()
        node: Node | None = self.tree.get(self.word_keys[word])
        self[word] = node
        return node


class Lexicon:
    """The tree of phrases with the caches of words met.

    Attributes:
        tree: key of a first word -> node; a node maps the next key, and END to the entries that end there.
        firsts: word as written -> node or None.
        keys: word as written -> key.
    """

    def __init__(self) -> None:
        self.tree: Node = {}
        self.keys = _KEYS
        self.size = 0
        for phrase, entry in _phrases():
            self._add(phrase, entry)
        self.firsts = _Firsts(self.tree, self.keys)

    def _add(self, phrase: tuple[str, ...], entry: Entry) -> None:
        node = self.tree
        for key in phrase:
            node = node.setdefault(key, {})
        held: tuple[Entry, ...] = node.get(END, ())
        if entry not in held and not any(
            each.role == entry.role == "concept" and each.name == entry.name and not each.exact
            for each in held
        ):
            node[END] = (*held, entry)
            self.size += 1


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the one lexicon, built at the first use."""
    return Lexicon()


_KEYS = Keys()


def _split(phrase: str) -> tuple[str, ...]:
    keys = _KEYS
    return tuple([keys[word] for word, _ in PAIRS.findall(phrase)])


def _phrases() -> Iterator[tuple[tuple[str, ...], Entry]]:
    places = {
        _split(name)
        for each in concepts().values()
        if each.kind == "anatomy"
        for name in (each.name, *each.also)
    }
    heads = {place[0] for place in places if len(place) == 1}
    for each in concepts().values():
        yield from _of_concept(each, heads)
    lines = resources.files(__package__).joinpath("data", "words.jsonl").read_bytes().splitlines()
    for word in msgspec.json.decode(b"[" + b",".join(lines) + b"]", type=list[_Word]):
        for phrase in word.words:
            exact = phrase if phrase.isupper() and len(phrase) <= 3 else ""
            yield _split(phrase), Entry(word.role, word.value, word.dimension, exact)
    for trigger in triggers():
        for phrase in trigger.words:
            yield _split(phrase), Entry("trigger", phrase, frame=trigger.frame, reach=trigger.reach)


_ADJECTIVES = (
    ("emia", "emic"),
    ("cardia", "cardic"),
    ("pnea", "pneic"),
    ("cytosis", "cytotic"),
    ("tension", "tensive"),
)


def _of_concept(each: Concept, heads: set[str]) -> Iterator[tuple[tuple[str, ...], Entry]]:
    plain = Entry("concept", each.name)
    for name in (each.name, *each.also):
        shouted = name.isupper() and name.isalpha() and len(name) > 1
        exact = name if shouted and name.lower() in _AS_WRITTEN else ""
        entry = plain._replace(exact=exact) if exact else plain
        keys = _split(name)
        yield keys, entry
        if "-" in name and len(keys) == 2 and len(keys[0]) + len(keys[1]) > 4:
            yield (_KEYS[keys[0] + keys[1]],), entry
        if len(keys) == 1:
            for ending, adjective in _ADJECTIVES:
                if keys[0].endswith(ending) and len(keys[0]) > len(ending) + 2:
                    yield (keys[0][: -len(ending)] + adjective,), entry
        elif len(keys) == 2 and keys[0] in heads and each.kind in {"finding", "diagnosis", "test"}:
            for joint in (("of",), ("in",), ("of", "the"), ("in", "the"), ("of", "his"), ("of", "her")):
                yield (keys[1], *joint, keys[0]), entry
    for names, flag in (
        (each.short, ""),
        (each.short_with_number, "number"),
        (each.short_ambiguous, "ambiguous"),
    ):
        for name in names:
            letters = re.sub(r"[\W_]", "", name)
            safe = not flag and len(letters) >= 3 and name.lower() not in _AS_WRITTEN
            yield _split(name), Entry("concept", each.name, exact="" if safe else name, flag=flag)
