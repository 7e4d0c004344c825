"""A packet as premises: what a verifier reads in place of JSON, one sentence a fact."""

from itertools import groupby

from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.evidence.shapes import shaped
from percuss.text.sentences import split

__all__ = ["premises"]


def premises(packet: Packet) -> tuple[str, ...]:
    """Return the sentences of a packet: one a fact (attribute, value, unit, date), then those of its passages.

    Args:
        packet: the one reference of a case; the same whichever arm a claim is of.

    >>> premises(Packet.of_layers({"clinical": {"age": 61, "stage": None}}))
    ('Clinical: age is 61.', 'Clinical: stage is not recorded.')
    >>> premises(Packet.of_layers({"labs": [{"test": "Hb", "result": 7.9, "unit": "g/dL"}]}))
    ('Observations hb is 7.9 g/dL.',)
    """
    facts = shaped(packet).packet.facts
    told = [_sentence(tuple(held), packet) for _, held in groupby(facts, key=_entry)]
    return (*told, *(text[start:stop] for text in packet.texts for start, stop in split(text)))


def _entry(fact: Fact) -> str:
    """Return what is said in one sentence: an entry of a list, or the fact alone."""
    parts = fact.path.split(".")
    numbered = [n for n, part in enumerate(parts[:-1]) if part.isdigit()]
    return ".".join(parts[: numbered[-1] + 1]) if numbered else fact.path


def _sentence(facts: tuple[Fact, ...], packet: Packet) -> str:
    layer = layer_of(facts[0].path)
    named = layer in packet.layers and "." in facts[0].path
    said = [_said(fact, named=named) for fact in facts]
    told = ", ".join(said)
    return f"{layer.replace('_', ' ').capitalize()}: {told}." if named else f"{told[:1].upper()}{told[1:]}."


def _said(fact: Fact, *, named: bool) -> str:
    path = fact.path.partition(".")[2] if named else fact.path
    words = " ".join(part for part in path.split(".") if not part.isdigit()).replace("_", " ")
    value = {None: "not recorded", True: "yes", False: "no"}.get(fact.value) if fact.value is None or isinstance(fact.value, bool) else str(fact.value)  # fmt: skip
    parts = (value or "", "" if fact.value is None else fact.unit, f"on {fact.date}" if fact.date else "")
    return f"{words} is {' '.join(filter(None, parts))}"
