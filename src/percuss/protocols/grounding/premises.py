"""A packet as premises: what a verifier reads in place of JSON, one sentence a fact."""

from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.text.sentences import split

__all__ = ["premises"]


def premises(packet: Packet) -> tuple[str, ...]:
    """Return the sentences of a packet: one a fact (attribute, value, unit, date), then those of its passages.

    Args:
        packet: the one reference of a case; the same whichever arm a claim is of.

    >>> premises(Packet.of_layers({"clinical": {"age": 61, "stage": None}}))
    ('Clinical: age is 61.', 'Clinical: stage is not recorded.')
    """
    told = [_sentence(fact, packet) for fact in packet.facts]
    return (*told, *(text[start:stop] for text in packet.texts for start, stop in split(text)))


def _sentence(fact: Fact, packet: Packet) -> str:
    layer = layer_of(fact.path)
    named = layer in packet.layers and "." in fact.path
    path = fact.path.partition(".")[2] if named else fact.path
    words = path.replace(".", " ").replace("_", " ")
    head = f"{layer.replace('_', ' ').capitalize()}: {words}" if named else words[:1].upper() + words[1:]
    value = {None: "not recorded", True: "yes", False: "no"}.get(fact.value) if fact.value is None or isinstance(fact.value, bool) else str(fact.value)  # fmt: skip
    parts = (value or "", "" if fact.value is None else fact.unit, f"on {fact.date}" if fact.date else "")
    return f"{head} is {' '.join(filter(None, parts))}."
