"""True statements that follow from a record: none is to be called unsupported, but for one (definitions, grounding, version 2)."""

import json
from collections.abc import Iterator
from pathlib import Path

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import support2
from percuss.evidence.rules.support2.tables import bands, members
from percuss.text.concepts import concepts

FILE = Path(__file__).with_name("derived.txt")
ENOUGH = 150
FLAGGED = 1
DECIDED = 0.6
"""Share of the claims that must be read as supported: undecided is honest, but a table that decides nothing is none."""


def packet_of(written: dict) -> Packet:
    """Make a packet of layers with `units` and `dates` by the last name of a field."""
    units, dates = written.pop("units", {}), written.pop("dates", {})
    made = Packet.of_layers(written, units=units)
    return Packet(facts=tuple(Fact(path=f.path, value=f.value, unit=f.unit, date=dates.get(f.leaf, "")) for f in made.facts), layers=made.layers)


def derived() -> Iterator[tuple[Packet, str]]:
    packet = Packet()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            packet = packet_of(json.loads(line))
        elif line and not line.startswith("#"):
            yield packet, line


def test_derived_claims_are_not_flagged() -> None:
    said = [(claim, support2(claim, packet).label) for packet, claim in derived()]
    assert len(said) >= ENOUGH
    flagged = [(claim, label) for claim, label in said if label in {"contradicted", "absent", "partial"}]
    assert len(flagged) <= FLAGGED, flagged
    assert sum(label == "supported" for _, label in said) >= DECIDED * len(said)


def test_the_table_of_derivations_names_known_concepts() -> None:
    named = {name for row in (*bands(), *members()) for name in (*row.gives, *row.excludes)}
    named |= {row.of for row in bands()} | {name for row in members() for name in row.of}
    assert named <= set(concepts())
