"""Records and claims written for tests of readers: a line of JSON opens a record, the lines after it are said of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.evidence.packet import Fact, Packet


def packet_of(written: dict[str, Any]) -> Packet:
    """Make a packet of layers with `units` and `dates` by the last name of a field."""
    units, dates = written.pop("units", {}), written.pop("dates", {})
    made = Packet.of_layers(written, units=units)
    facts = tuple(
        Fact(path=f.path, value=f.value, unit=f.unit, date=dates.get(f.leaf, "")) for f in made.facts
    )
    return Packet(facts=facts, layers=made.layers)


def written(file: Path) -> Iterator[tuple[Packet, str]]:
    """Yield each line of a file with the record it is said of."""
    packet = Packet()
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            packet = packet_of(json.loads(line))
        elif line and not line.startswith("#"):
            yield packet, line
