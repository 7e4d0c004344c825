"""One claim against one piece of evidence: `percuss.read`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from percuss.core.errors import BadInput
from percuss.core.strict import Record
from percuss.evidence.packet import LAYERS, Fact, Packet
from percuss.evidence.rules.support2 import RATER, Hang, support2
from percuss.exchange.fhir import packet_of_fhir
from percuss.judging.passport import Passport, passport_of
from percuss.text.language import ENGLISH, NAMES, language_of

__all__ = ["ReadClaim", "in_another_language", "packet_from", "read"]

_VALUED = frozenset({"value", "unit", "date"})


class ReadClaim(Record):
    """What was read of one claim.

    Args:
        claim: its text.
        label: supported, contradicted, absent (structured evidence only), partial, given, or undecided.
        reason: in a few words; of an undecided one, why.
        hangs_on: each part that was read with the fact that decided it.
        reader: name of the reader.
        read_right: how often that reader is right on English claims and evidence of this layout; None = never measured on such text.
    """

    claim: str
    label: Literal["supported", "contradicted", "absent", "partial", "given", "undecided"]
    reason: str
    hangs_on: tuple[Hang, ...]
    reader: str
    read_right: Passport | None


def read(
    claim: str, evidence: str | Sequence[str] | Mapping[str, Any] | Packet, *, question: str = ""
) -> ReadClaim:
    """Say whether evidence supports a claim, contradicts it, or doesn't hold it, and what that hangs on.

    Args:
        claim: one statement about the case.
        evidence: a text or several; nested facts, whose leaves are plain values or {"value", "unit", "date"}, and whose lists may hold
            entries with names (`{"test": "Hb", "result": 7.9, "unit": "g/dL"}`); a FHIR Bundle of one patient; or a Packet.
        question: the question's own text; what it says is "given".

    Returns:
        A frozen result; "undecided" is an honest answer, with its reason.

    Raises:
        BadInput: an empty claim, or evidence of another kind.

    >>> result = read("Potassium is normal.", {"labs": {"potassium": {"value": 5.9, "unit": "mmol/L"}}})
    >>> result.label, result.hangs_on[0].path
    ('contradicted', 'labs.potassium')
    """
    if not isinstance(claim, str) or not claim.strip():
        raise BadInput(f"a claim is a sentence; got {claim!r}, give the statement to be read")
    packet = packet_from(evidence)
    found = support2(claim, packet, question)
    layout = "structured" if packet.facts else "text"
    return ReadClaim(
        claim=claim,
        label=found.label,
        reason=found.reason,
        hangs_on=found.hangs_on,
        reader=RATER,
        read_right=None if in_another_language(claim, packet) else passport_of(RATER, layout=layout),
    )


def in_another_language(claim: str, packet: Packet) -> str:
    """Return the language of a claim, or of the texts that it is held against, where that isn't English; "" where it is or isn't told.

    Args:
        claim: its text. packet: the evidence.
    """
    told = (language_of(claim), language_of(" ".join(packet.texts)))
    return next((NAMES[language] for language in told if language not in {"", ENGLISH}), "")


def packet_from(evidence: object) -> Packet:
    """Return evidence as a packet.

    Args:
        evidence: text, texts, nested facts, a FHIR resource or Bundle of one patient, a list of facts `{path, value, unit?, date?}`, or a packet.

    Raises:
        BadInput: none of these, or nothing in it.
    """
    if isinstance(evidence, Packet):
        return evidence
    if evidence in ("", {}, []) or (isinstance(evidence, str) and not evidence.strip()):
        raise BadInput("evidence holds nothing; give a text, nested facts or a Packet")
    if isinstance(evidence, str):
        return Packet.of_text(evidence)
    if isinstance(evidence, Mapping) and isinstance(evidence.get("resourceType"), str):
        return packet_of_fhir(evidence)
    if isinstance(evidence, Mapping):
        facts = tuple(_facts(evidence, ""))
        return Packet(facts=facts, layers=_layers(facts))
    if isinstance(evidence, Sequence) and evidence and all(isinstance(part, str) for part in evidence):
        return Packet.of_text(*evidence)
    if isinstance(evidence, Sequence) and not isinstance(evidence, bytes):
        try:
            facts = msgspec.convert(list(evidence), tuple[Fact, ...])
        except msgspec.ValidationError:
            facts = ()
        if facts:
            return Packet(facts=facts, layers=_layers(facts))
    raise BadInput(
        f"evidence is text, nested facts or a Packet; got {type(evidence).__name__}, give one of these"
    )


def _layers(facts: Sequence[Fact]) -> tuple[str, ...]:
    heads = dict.fromkeys(fact.path.partition(".")[0] for fact in facts)
    return tuple(name for name in LAYERS if name in heads)


def _facts(node: Mapping[str, Any], path: str) -> Iterator[Fact]:
    for name, child in node.items():
        place = f"{path}.{name}" if path else str(name)
        if isinstance(child, list | tuple):
            yield from _facts({str(n): each for n, each in enumerate(child)}, place)
        elif isinstance(child, Mapping) and "value" in child and set(child) <= _VALUED:
            yield Fact(
                path=place, value=child["value"], unit=child.get("unit") or "", date=child.get("date") or ""
            )
        elif isinstance(child, Mapping):
            yield from _facts(child, place)
        elif child is None or isinstance(child, str | int | float | bool):
            yield Fact(path=place, value=child)
        else:
            raise BadInput(
                f"evidence field {place!r} is a {type(child).__name__}; give text, a number, true, false or null"
            )
