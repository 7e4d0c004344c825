"""Rules `strict`: the paper's 19 Auto labels, and each clause of the algorithm by itself."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from percuss.core.labels import Support
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules import strict

GOLDEN = Path(__file__).parents[2] / "golden" / "claims"
PACKETS: dict[str, Any] = json.loads((GOLDEN / "packets.json").read_text(encoding="utf-8"))


def packet(name: str) -> Packet:
    """Read a packet of the labelled table."""
    body = PACKETS[name]
    if "facts" in body:
        return Packet(facts=tuple(Fact(**fact) for fact in body["facts"]))
    return Packet.of_layers(body["layers"]) if "layers" in body else Packet.of_text(*body["texts"])


def paper() -> Iterator[dict[str, Any]]:
    """The paper's claims in our words, with its tokens, cues and Auto labels (App. C, J, S)."""
    for line in (GOLDEN / "paper.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def test_the_paper_prints_nineteen_auto_labels() -> None:
    """7 in App. C, 7 in App. J, 5 in App. S."""
    ids = [row["id"] for row in paper()]
    assert [sum(name.startswith(letter) for name in ids) for letter in "CJS"] == [7, 7, 5]


@pytest.mark.parametrize("row", list(paper()), ids=lambda row: row["id"])
def test_strict_yields_the_auto_label(row: dict[str, Any]) -> None:
    """One algorithm, no special case."""
    finding = strict.check(row["claim"], packet(row["packet"]), layers_shown=row["shown"])
    assert finding.label == row["strict"], finding.rationale


FULL = ("pathology", "transcriptomics", "clinical", "fusion")


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Clinical contribution is 40.29%", "supported"),  # within 0.01 of 40.3, ends included
        ("Clinical contribution is 40.28%", "partial"),
        ("Tumor is 62%", "supported"),  # one percentage point of 0.61
        ("Tumor is 63%", "unsupported"),
        ("Tumor is 61.5%", "unsupported"),  # only integer percents have the wider band
        ("Seen in 2018 in tile_204 with CD8 and PD-1, T1a", "partial"),  # years and identifiers are no tokens
        ("Stage III and Tier Cold", "partial"),
        ("The tier is Hot, roughly", "partial"),
        ("Sex is male", "partial"),  # the field is null: no token, and a value was recognised
        ("The smoking history is long", "unknown"),
        ("The stage is not known", "partial"),
        (
            "Pathology shows tumor; RNA is not available",
            "supported",
        ),  # a cue reaches to the end of its clause
        ("No pathology is available", "unsupported"),
        ("No EGFR L858R mutation is reported", "partial"),
    ],
)
def test_each_clause_of_the_algorithm(claim: str, label: str) -> None:
    """Definitions, rule checker `strict`."""
    finding = strict.check(claim, packet("paper_B"), layers_shown=FULL)
    assert finding.label == label, finding.rationale


def test_values_are_held_against_the_full_packet_and_modalities_against_what_was_shown() -> None:
    """An invented "RNA shows" fails without evidence; a right value is supported and flagged as unseen."""
    reference = packet("paper_B")
    value = strict.check("Age is 46", reference, layers_shown=())
    assert (value.label, value.matches_unseen) == (Support.SUPPORTED, True)
    assert strict.check("Pathology shows tumor", reference, layers_shown=()).label == Support.UNSUPPORTED
    assert strict.check("No pathology was provided", reference, layers_shown=()).label == Support.SUPPORTED
    seen = strict.check("Age is 46", reference, layers_shown=FULL)
    assert not seen.matches_unseen


def test_a_value_equal_in_a_shown_and_a_hidden_layer_is_seen() -> None:
    """Only what no shown layer holds came from elsewhere."""
    reference = Packet.of_layers({"pathology": {"a": 0.5}, "clinical": {"b": 0.5}})
    assert not strict.check("It is 0.5", reference, layers_shown=("clinical",)).matches_unseen
    assert strict.check("It is 0.5", reference, layers_shown=("fusion",)).matches_unseen


def test_tokens_point_into_the_claim() -> None:
    """A report marks them."""
    claim = "Stage III, 46 years, RNA unavailable"
    finding = strict.check(claim, packet("paper_B"))
    assert [claim[token.start : token.stop] for token in finding.tokens] == [t.text for t in finding.tokens]
    assert [token.kind for token in finding.tokens] == ["enumerated", "number", "modality"]


def test_packets_that_python_holds_equal_keep_their_own_index() -> None:
    """1 == True in Python, not in a packet."""
    one, yes = Packet.of_layers({"pathology": {"x": 1}}), Packet.of_layers({"pathology": {"x": True}})
    assert strict.check("It is 1", one).label == Support.SUPPORTED
    assert strict.check("It is 1", yes).label == Support.UNSUPPORTED
