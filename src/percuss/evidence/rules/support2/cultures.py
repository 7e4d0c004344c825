"""Cultures as a record has them: what grew in which specimen, and what it is resistant or susceptible to."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.shapes import TESTED
from percuss.text.concepts import mentions

__all__ = ["Isolate", "Tested", "category", "isolates", "of_a_test", "same_drug", "same_organism"]

_ORGANISM = frozenset(
    "organism organisms isolate pathogen species organism_name microorganism bacterium bacteria growth".split()
)
_SPECIMEN = frozenset("specimen sample source specimen_type sample_type site culture type material".split())
_TAKEN = ("collected", "date", "taken", "collected_at", "sampled", "received")
_RESULT = frozenset("result culture_result growth value finding interpretation".split())
_CULTURE = re.compile(r"^(?P<of>[a-z_]+?)_cultures?$", re.IGNORECASE)
_NOTHING = re.compile(
    r"^(?:(?:no|nil)\s(?:bacterial\s|significant\s)?growth\b.*|no\sorganisms?\b.*|negative|sterile|none)\W*$",
    re.IGNORECASE,
)
_CATEGORIES = {
    "s": "susceptible", "susceptible": "susceptible", "sensitive": "susceptible", "r": "resistant", "resistant": "resistant",
    "i": "intermediate", "intermediate": "intermediate",
}  # fmt: skip
_TESTS = re.compile(r"suscept|sensitiv|antibiogram|^ast$|resist|antibiotic", re.IGNORECASE)
_DRUG = frozenset("drug antibiotic agent antimicrobial name medication".split())
_READ = frozenset("result interpretation category susceptibility value status sir".split())
_NAMES = {
    "pneumococcus": "streptococcus pneumoniae", "meningococcus": "neisseria meningitidis", "gonococcus": "neisseria gonorrhoeae",
    "pneumococci": "streptococcus pneumoniae",
}  # fmt: skip
_BINOMIAL = re.compile(r"^(?:[A-Z][a-z]+(?:\s[a-z]+)?|[A-Z]\.\s?[a-z]+)(?:\s(?:spp?\.?|species))?$")
_SHORTEST_GENUS = 4


class Tested(NamedTuple):
    """A drug that an isolate was tested against: susceptible, intermediate or resistant, and the fact that says so."""

    drug: str
    category: str
    fact: Fact


class Isolate(NamedTuple):
    """What one culture gave.

    Args:
        specimen: in small letters; "" = not said. date: when it was taken; "" = not said. organism: "" = nothing grew.
        fact: that says so. tested: what it was tested against.
    """

    specimen: str
    date: str
    organism: str
    fact: Fact
    tested: tuple[Tested, ...]


@lru_cache(maxsize=512)
def isolates(packet: Packet) -> tuple[Isolate, ...]:
    """Return the cultures of a packet, those in which nothing grew among them.

    Args:
        packet: the full packet of a case.

    >>> held = Packet.of_layers({"cultures": [{"specimen": "urine", "organism": "Escherichia coli", "susceptibilities": {"ampicillin": "R"}}]})
    >>> [(each.specimen, each.organism, each.tested[0].category) for each in isolates(held)]
    [('urine', 'Escherichia coli', 'resistant')]
    """
    groups: dict[str, list[Fact]] = {}
    for fact in packet.facts:
        if fact.leaf.lower() in _ORGANISM and not fact.path.rpartition(".")[2].isdigit():
            groups.setdefault(fact.path.rpartition(".")[0], [])
    for fact in packet.facts:
        for head, held in groups.items():
            if fact.path.startswith(f"{head}." if head else ""):
                held.append(fact)
    found = [made for head, facts in groups.items() if (made := _isolate(head, facts)) is not None]
    return (*found, *_of_fields(packet))


@lru_cache(maxsize=512)
def of_a_test(packet: Packet) -> frozenset[str]:
    """Return the places of drugs that something was tested against: nobody takes them.

    Args:
        packet: the full packet of a case.
    """
    tested = {test.fact.path for each in isolates(packet) for test in each.tested}
    listed = {f.path for f in packet.facts if any(TESTED.search(part) for part in f.path.split(".")[:-1])}
    return frozenset(tested | listed)


def _isolate(head: str, facts: list[Fact]) -> Isolate | None:
    own = {fact.leaf.lower(): fact for fact in facts if fact.path.rpartition(".")[0] == head}
    specimen = next(
        (str(own[leaf].value) for leaf in own if leaf in _SPECIMEN and isinstance(own[leaf].value, str)), ""
    )
    date = next((str(own[leaf].value)[:10] for leaf in _TAKEN if leaf in own and own[leaf].value), "")
    named = next(
        (
            own[leaf]
            for leaf in own
            if leaf in _ORGANISM and isinstance(own[leaf].value, str) and own[leaf].value
        ),
        None,
    )
    if named is None or _NOTHING.match(str(named.value)):
        denied = [
            own[leaf] for leaf in own if leaf in _RESULT | _ORGANISM and _NOTHING.match(str(own[leaf].value))
        ]
        return Isolate(_specimen(specimen), date, "", denied[0], ()) if denied else None
    return Isolate(_specimen(specimen), date, str(named.value).strip(), named, tuple(_tests(head, facts)))


def _of_fields(packet: Packet) -> Iterator[Isolate]:
    """Yield the cultures that stand as a field each: `blood_culture: "no growth"`."""
    for fact in packet.facts:
        match = _CULTURE.match(fact.leaf)
        if match is None or not isinstance(fact.value, str):
            continue
        said = fact.value.strip()
        if _NOTHING.match(said):
            yield Isolate(_specimen(match["of"]), fact.date, "", fact, ())
        elif _BINOMIAL.match(said):
            yield Isolate(_specimen(match["of"]), fact.date, said, fact, ())


def _specimen(said: str) -> str:
    return re.sub(r"\bcultures?\b", " ", said.lower().replace("_", " ")).strip()


def _tests(head: str, facts: list[Fact]) -> Iterator[Tested]:
    entries: dict[str, dict[str, Fact]] = {}
    for fact in facts:
        above, _, leaf = fact.path.rpartition(".")
        inside = fact.path[len(head) :].lower()
        if _TESTS.search(inside) and any(part.isdigit() for part in above.split(".")[head.count(".") + 1 :]):
            entries.setdefault(above, {})[leaf.lower()] = fact
        elif category(fact.value) and leaf.lower() not in _READ:
            yield Tested(leaf.replace("_", " ").lower(), category(fact.value), fact)
    for parts in entries.values():
        drug = next((parts[leaf] for leaf in parts if leaf in _DRUG), None)
        read = next((parts[leaf] for leaf in parts if leaf in _READ and category(parts[leaf].value)), None)
        if drug is not None and read is not None:
            yield Tested(str(drug.value).lower(), category(read.value), read)


def category(said: object) -> str:
    """Return susceptible, intermediate or resistant for what stands beside a drug; "" for anything else.

    >>> category("R"), category("sensitive"), category("pending")
    ('resistant', 'susceptible', '')
    """
    return _CATEGORIES.get(said.strip().lower(), "") if isinstance(said, str) else ""


def same_drug(said: str, held: str) -> bool:
    """Tell whether two names are of one drug.

    Args:
        said: of a claim. held: of a record.
    """
    one, other = (re.sub(r"[^a-z]+", " ", name.lower()).strip() for name in (said, held))
    if one == other:
        return True
    return (
        bool(one and other)
        and {m.concept for m in mentions(one)} == {m.concept for m in mentions(other)} != set()
    )


def same_organism(said: str, held: str) -> bool | None:
    """Tell whether a claim's organism is that of a record; None where one of the two may be the other.

    Args:
        said: of a claim. held: of a record.

    >>> same_organism("E. coli", "Escherichia coli"), same_organism("Klebsiella", "Escherichia coli"), same_organism("coliforms", "Escherichia coli")
    (True, False, None)
    """
    one, other = _words(said), _words(held)
    if one == other:
        return True
    if not _BINOMIAL.match(said) and " ".join(one) not in _NAMES.values():
        return None
    if not _BINOMIAL.match(held):
        return None
    genus = (
        one[0] == other[0]
        or (len(one[0]) == 1 and other[0].startswith(one[0]))
        or (len(one[0]) >= _SHORTEST_GENUS and other[0].startswith(one[0]))
    )
    if len(one) == 1:
        return genus if len(one[0]) >= _SHORTEST_GENUS else None
    if len(other) == 1:
        return None if genus else False
    return genus and one[1] == other[1]


def _words(name: str) -> list[str]:
    said = re.sub(r"\s(?:spp?\.?|species)$", "", name.strip().lower())
    return re.findall(r"[a-z]+", _NAMES.get(said, said)) or [""]
