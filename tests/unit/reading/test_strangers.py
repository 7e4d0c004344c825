"""Claims on kinds of records that no other set holds, labelled before a rule was run on them: none is read as its opposite."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))

import reading_records


def test_none_is_read_as_its_opposite_and_half_are_right() -> None:
    scored = list(reading_records.strangers())
    assert len(scored) == 160
    opposite = [
        row["text"]
        for row, said in scored
        if {said, row["label"]} == {"supported", "unsupported"}
        or (row["label"] == "partial") > (said == "undecided")
    ]
    assert opposite == []
    assert Counter(said == row["label"] for row, said in scored)[True] >= 82
