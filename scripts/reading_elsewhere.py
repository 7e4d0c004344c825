"""Scores rules of support on the labelled sets that lie beside the project (`../shared/data/reading`, or $PERCUSS_SHARED).

They were labelled by others, part of them is kept elsewhere, and no rule is fitted to a row of them. Imported by
`scripts/reading.py`, which prints the counts into docs/reading.md.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.evidence.packet import Fact, Packet
from percuss.protocols.grounding.cohort import facts
from percuss.protocols.grounding.cohort import packet_of as cohort_packet

SHARED = (
    Path(os.environ.get("PERCUSS_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    / "data"
    / "reading"
)
FILES = ("claims", "adversarial", "demo_claims")

COHORT = "TCGA-LUAD (lung adenocarcinoma)"
"""What the questions of the recorded runs say of every case beside its number."""

Says = Callable[[str, Packet, str], str | None]
"""(claim, packet, what the question says of the case) -> supported, unsupported, partial, availability, general, or None where it is undecided."""


def packet_of(held: Mapping[str, Any]) -> Packet:
    """Make the packet of a row."""
    return Packet(
        facts=tuple(Fact(**fact) for fact in held["facts"]),
        texts=tuple(held["texts"]),
        layers=tuple(held.get("layers") or ()),
    )


def rows() -> Iterator[tuple[str, str, str, Packet, str]]:
    """Yield (set, label, claim, packet, what the question says of the case) of every row that is scored; none where the folder isn't there."""
    if not SHARED.is_dir():
        return
    cases = {row["case_id"]: row for row in facts()}
    for name in FILES:
        for line in (SHARED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if name == "demo_claims":
                if row["label"] != "unclear":
                    yield (
                        "structured",
                        row["label"],
                        row["text"],
                        cohort_packet(cases[row["case_id"]]),
                        COHORT,
                    )
            else:
                packet = packet_of(row["packet"])
                yield "structured" if packet.facts else "text", row["label"], row["claim"], packet, ""


def outcome(label: str, said: str | None) -> str:
    """Return "right", "opposite", "other" or "undecided"."""
    if said is None:
        return "undecided"
    if label == "not_unsupported":
        return {
            "supported": "right",
            "availability": "right",
            "general": "right",
            "unsupported": "opposite",
        }.get(said, "other")
    if said == label:
        return "right"
    return "opposite" if {label, said} == {"supported", "unsupported"} else "other"


def counts(says: Says) -> dict[str, Counter[str]]:
    """Return outcomes by layout."""
    found: dict[str, Counter[str]] = {}
    for layout, label, claim, packet, asked in rows():
        found.setdefault(layout, Counter())[outcome(label, says(claim, packet, asked))] += 1
    return found
