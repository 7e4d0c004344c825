"""Packets: layers, facts, texts; what is empty; what an arm shows."""

import msgspec
import pytest

from percuss.core.errors import BadInput
from percuss.evidence.packet import Packet

LAYERS = {
    "pathology": {"fractions": {"tumor": 0.61}, "tiles": [{"id": "tile_1", "score": 0.8}]},
    "transcriptomics": {"available": False, "z": None},
    "clinical": None,
    "fusion": {"score": 0.0},
}


def test_layers_become_facts_and_back() -> None:
    """Paths are dotted, list items numbered; null layers keep their name."""
    packet = Packet.of_layers(LAYERS, units={"score": "points"}, sources={"pathology": "slide"})
    first = packet.facts[0]
    assert (first.path, first.value, first.source) == ("pathology.fractions.tumor", 0.61, "slide")
    assert packet.layers == ("pathology", "transcriptomics", "clinical", "fusion")
    assert packet.tree()["clinical"] is None
    assert packet.tree()["fusion"] == {"score": 0.0}


def test_only_null_and_false_are_empty() -> None:
    """Definitions: 0 is a value."""
    assert Packet.of_layers(LAYERS).filled == {"pathology", "fusion"}


def test_an_arm_shows_some_layers() -> None:
    """What is not shown is gone, its name stays."""
    packet = Packet.of_layers(LAYERS).restricted(("fusion",))
    assert [fact.path for fact in packet.facts] == ["fusion.score"]
    assert packet.layers == ("pathology", "transcriptomics", "clinical", "fusion")
    assert Packet.of_layers(LAYERS).restricted(()).facts == ()


def test_a_packet_travels_as_json() -> None:
    """Both ways, equal."""
    packet = Packet.of_layers(LAYERS, texts=["a note"])
    assert msgspec.json.decode(msgspec.json.encode(packet), type=Packet) == packet


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"x", object()])
def test_what_json_does_not_know_is_bad_input(value: object) -> None:
    """One sentence that names the field."""
    with pytest.raises(BadInput, match=r"clinical\.x"):
        Packet.of_layers({"clinical": {"x": value}})
