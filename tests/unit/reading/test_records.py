"""Claims about records in other shapes: labelled before a rule read them; the half `locked` was never looked at by row."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))

import reading_records


def test_most_are_right_and_hardly_one_is_the_opposite() -> None:
    scored = list(reading_records.rows())
    for half, least in (("dev", 66), ("locked", 80)):
        said = Counter(
            "undecided" if said == "undecided" else said == row["label"]
            for row, said in scored
            if row["half"] == half
        )
        assert said[True] >= least
        assert said[False] <= 1
    of_clinics = Counter(
        (row["half"], "undecided" if said == "undecided" else said == row["label"])
        for row, said in reading_records.clinics()
    )
    assert of_clinics["dev", False] == 0
    assert of_clinics["locked", False] <= 1
    assert of_clinics["locked", True] >= 48
    assert reading_records.PAGE.read_text(encoding="utf-8") == reading_records.page(scored)
