"""Topics that a claim can be recognised by and that a packet without a word of them doesn't hold: occupation, risk, spread, course."""

from functools import lru_cache
from importlib import resources

import msgspec

from percuss.core.strict import Record
from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.wording import stems
from percuss.text.cued import Cued, CuedTable

__all__ = ["Topic", "topics", "unheld"]

_DENIED = Cued(
    r"\b(?:no|not|never|without|nor|neither|cannot|unknown|unclear|missing|unavailable|if|whether|should|would|could\sbe)\b|n['’]t\b"
)
"""Words after which a topic is denied, or left open: silence agrees with them as well."""
_CARRIED = frozenset({"what only a slide or a scan shows", "course under treatment"})
"""Topics of which a denial is a statement as specific as the finding ("has not responded to treatment")."""
_CASE_SECTIONS = 2
"""Sections from which on a packet is the record of a case and not a single result."""


class Topic(Record):
    """A topic with the words that name it.

    Args:
        topic: in words. pattern: regular expression of a claim of it. unless: words of a packet that may speak of it.
    """

    topic: str
    pattern: str
    unless: str


@lru_cache(maxsize=1)
def topics() -> tuple[tuple[Topic, Cued, frozenset[str]], ...]:
    """Return the topics, each with its expression and the words that a packet holds if it speaks of it."""
    lines = resources.files(__package__).joinpath("data", "unheld.jsonl").read_bytes().splitlines()
    made = [msgspec.json.decode(line, type=Topic) for line in lines if line]
    return tuple((each, Cued(each.pattern), stems(each.unless)) for each in made)


@lru_cache(maxsize=1)
def _patterns() -> CuedTable:
    """Return the expressions of the topics, by what they need."""
    return CuedTable(topic.pattern for topic, _, _ in topics())


@lru_cache(maxsize=512)
def _words(packet: Packet) -> frozenset[str]:
    held: set[str] = set()
    for fact in packet.facts:
        text = fact.value if isinstance(fact.value, str) else ""
        held |= stems(f"{fact.path} {text}".replace("_", " ").replace(".", " "))
    return frozenset(held)


@lru_cache(maxsize=512)
def _is_case(packet: Packet) -> bool:
    """Tell whether a packet is the structured record of a case."""
    return not packet.texts and len({fact.path.partition(".")[0] for fact in packet.facts}) >= _CASE_SECTIONS


def unheld(claim: str, packet: Packet, question: str = "") -> str:
    """Return the topic of a claim that a structured packet doesn't speak of; "" where there is none.

    Args:
        claim: the claim's text. packet: the full packet of the case. question: its own text; a topic that it names is none of the claim's.
    """
    if not _is_case(packet):
        return ""
    places = _patterns().places(claim)
    denied = bool(places) and _DENIED.search(claim) is not None
    for place in places:
        topic, pattern, unless = topics()[place]
        if denied and topic.topic not in _CARRIED:
            continue
        if pattern.search(claim) and not unless & _words(packet) and not pattern.search(question):
            return topic.topic
    return ""
