"""What simulated models are constructed with: a memoriser its table of records, the fake judge its rule.

Phantoms may import neither protocols nor checkers, so that the checker is never tested on itself; whoever composes a
run hands them what they need.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from percuss.core.labels import Support
from percuss.store import RunStore

__all__ = ["phantom_extras"]


def phantom_extras(texts: Sequence[str], store: RunStore) -> Mapping[str, Any]:
    """Return what the phantoms among some model strings are constructed with, by name.

    Args:
        texts: model strings of a run.
        store: the run, with its cases.
    """
    extras: dict[str, Any] = {}
    if any("phantom/memoriser" in text for text in texts):
        extras["memory"] = _memory(store)
    if any("phantom/judge" in text for text in texts):
        extras["rule"] = _rule
    if any("phantom/reader" in text for text in texts):
        from percuss.protocols.explanation.told import told_to_reader

        extras |= {"questionnaire": told_to_reader(), "blobs": store.blobs}
    if any("phantom/clinician" in text for text in texts):
        extras["clinic"] = [
            case.payload for case in store.cases() if {"opening", "facts"} <= set(case.payload)
        ]
    return extras


def _memory(store: RunStore) -> dict[str, Any]:
    """Return case id -> evidence as a tree, for cases that carry a packet."""
    from percuss.evidence.packet import Packet

    held = ((case.id, case.payload["packet"]) for case in store.cases() if "packet" in case.payload)
    return {case: msgspec.convert(packet, Packet).tree() for case, packet in held}


def _rule(evidence: str, claim: str, shown: str) -> str:
    """Return what the extended rules say of a claim; `unknown` where they are undecided.

    Args:
        evidence, claim: of the judge's prompt. shown: what it says that the writer saw, without which an honest "no
            data" is called wrong.
    """
    from percuss.evidence.rules import checker

    finding = checker.check(claim, _packet(evidence), layers_shown=_layers(shown), rules="extended")
    return Support.UNKNOWN.value if finding.label is None else finding.label.value


def _layers(shown: str) -> tuple[str, ...] | None:
    """Return the layers that a judge's prompt names as shown; None for all of them."""
    if shown.startswith("none"):
        return ()
    some = re.search(r"only the layers? (.*?) of this evidence", shown)
    return tuple(some.group(1).split(", ")) if some else None


@lru_cache(maxsize=1024)
def _packet(evidence: str) -> Any:
    from percuss.evidence.packet import Packet

    try:
        tree = json.loads(evidence)
    except json.JSONDecodeError:
        return Packet.of_text(evidence)
    return Packet.of_layers(tree) if isinstance(tree, dict) else Packet.of_text(evidence)
