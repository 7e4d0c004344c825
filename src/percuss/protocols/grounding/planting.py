"""What `percuss selftest grounding` plants."""

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec

from percuss.core.ports import Blobs
from percuss.core.records import Case
from percuss.evidence.packet import Packet
from percuss.phantoms.selftest import SelftestPlan
from percuss.protocols.grounding.traps import traps

__all__ = ["PLAN", "extras", "traps"]


def extras(phantoms: Collection[str], held: Callable[[], Iterable[Case]], blobs: Blobs) -> Mapping[str, Any]:
    """Return what `phantom/memoriser` is made with: case id -> evidence as a tree, for cases that carry a packet.

    Args:
        phantoms: names in the run. held: the cases of the run. blobs: not used.
    """
    del blobs
    if "memoriser" not in phantoms:
        return {}
    packets = ((case.id, case.payload["packet"]) for case in held() if "packet" in case.payload)
    return {"memory": {case: msgspec.convert(packet, Packet).tree() for case, packet in packets}}


def _plan() -> SelftestPlan:
    pairs = itertools.product((0.01, 0.05, 0.12), (0.15, 0.35, 0.55, 0.75, 0.9))
    confabulators = [f"phantom/confabulator?with={a:g}&without={b:g}" for a, b in pairs]
    garblers = [
        f"phantom/garbler?with={a:g}&without={b:g}"
        for a, b in itertools.product((0.2, 0.4, 0.6), (0.3, 0.6, 0.8))
    ]
    copiers = [
        f"phantom/copier?with={a:g}&without={b:g}" for a, b in itertools.product((0.02, 0.1), (0.2, 0.5, 0.8))
    ]
    return SelftestPlan(
        models=(*confabulators, *garblers, *copiers),
        limit=60,
        arms=("full_multimodal", "ungrounded"),
        estimates=("hdi_pooled", "unsupported_rate"),
        settings={"resamples": 1_000},
    )


PLAN = _plan()
