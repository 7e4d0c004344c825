"""What a grounding case carries: a question, evidence in one packet, and what it may be compared with."""

import msgspec

from percuss.core.ids import canonical_json
from percuss.core.records import Case, Claim, Record
from percuss.evidence.packet import LAYERS, Fact, Packet

__all__ = [
    "ARM_LAYERS",
    "Grounding",
    "evidence_json",
    "given",
    "reading",
    "record_of",
    "shown_layers",
    "statement",
]

ARM_LAYERS: dict[str, tuple[str, ...]] = {
    "pathology_only": ("pathology",),
    "pathology_rna": ("pathology", "transcriptomics"),
    "full_multimodal": LAYERS,
    "full": LAYERS,
    "literature": LAYERS,
    "shuffled": LAYERS,
    "ungrounded": (),
    "no_id": (),
}
"""Layers that each arm shows (papers/0 section 4.3; `shuffled`, `no_id` and `literature` are ours)."""


class Grounding(Record):
    """Payload of a case.

    Args:
        question: what is asked; "" for the protocol's own question.
        cohort: name of the cohort, shown in every arm; "" for none.
        packet: the evidence.
        donor: id of the case whose packet the arm `shuffled` shows; None where the arm was not asked for.
        donor_packet: that case's evidence.
        record: an external record of the same case, for the three-way status; None where there is none.
    """

    packet: Packet
    question: str = ""
    cohort: str = ""
    donor: str | None = None
    donor_packet: Packet | None = None
    record: Packet | None = None

    @property
    def layered(self) -> bool:
        """Whether the evidence is made of the paper's layers, so that it can be shown in depths."""
        return any(name in LAYERS for name in self.packet.layers)


def reading(case: Case) -> Grounding:
    """Return the payload of a case as its record."""
    return msgspec.convert(case.payload, Grounding)


def statement(claim: Claim) -> str:
    """Return what a claim says, standing alone: its own words, after the subject that it shares with its sentence."""
    return str(claim.payload.get("says") or claim.text)


def record_of(case: Case) -> Packet | None:
    """Return the external record of a case, without reading the rest of what it carries; None where it has none."""
    held = case.payload.get("record")
    return None if held is None else msgspec.convert(held, Packet)


def shown_layers(content: Grounding, arm: str) -> tuple[str, ...]:
    """Return the layers of a case that an arm shows, empty ones included."""
    if not content.layered:
        return content.packet.layers if ARM_LAYERS.get(arm) else ()
    return tuple(name for name in ARM_LAYERS.get(arm, ()) if name in content.packet.layers)


def given(content: Grounding, arm: str) -> Packet:
    """Return the packet that an arm shows; empty where it shows none."""
    if arm == "shuffled" and content.donor_packet is not None:
        return content.donor_packet
    if not ARM_LAYERS.get(arm):
        return Packet(layers=content.packet.layers)
    shown = shown_layers(content, arm)
    return content.packet.restricted(shown) if content.layered else content.packet


def evidence_json(packet: Packet, shown: tuple[str, ...]) -> str:
    """Return a packet as it stands in a prompt: texts as they are, facts as JSON with one layer a line.

    A fact without a layer is written with its unit and date ("13.2 g/dL (2024-03-01)"); in layers the field's name tells.

    Args:
        packet: the evidence.
        shown: layers that the arm shows; others are left out, not shown as null.
    """
    tree = _dated(packet).tree()
    texts = tree.pop("texts", [])
    hidden = set(packet.layers) - set(shown)
    names = [*packet.layers, *(name for name in tree if name not in packet.layers)]
    lines = [f'"{name}": {canonical_text(tree[name])}' for name in names if name not in hidden]
    parts = ["{\n" + ",\n".join(lines) + "\n}"] if lines else []
    return "\n\n".join([*parts, *texts])


def _dated(packet: Packet) -> Packet:
    """Return a packet without layers with units and dates written into its values."""
    if packet.layers or not any(fact.unit or fact.date for fact in packet.facts):
        return packet
    return msgspec.structs.replace(packet, facts=tuple(map(_written, packet.facts)))


def _written(fact: Fact) -> Fact:
    if not (fact.unit or fact.date):
        return fact
    said = (
        "not recorded"
        if fact.value is None
        else str(fact.value).lower()
        if isinstance(fact.value, bool)
        else fact.value
    )
    parts = (str(said), "" if fact.value is None else fact.unit, f"({fact.date})" if fact.date else "")
    return msgspec.structs.replace(fact, value=" ".join(filter(None, parts)))


def canonical_text(value: object) -> str:
    """Return a value as JSON in its own order, with a space after each comma and colon."""
    encoded = msgspec.json.encode(value) if isinstance(value, dict) else canonical_json(value)
    return msgspec.json.format(encoded, indent=0).decode()
