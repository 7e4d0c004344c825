"""The frame around a mention is read as labelled."""

from pathlib import Path

import pytest

from percuss.text.concepts import mentions
from percuss.text.frames import FRAMES, triggers

LABELLED = Path(__file__).parent / "labelled" / "frames.txt"


def rows() -> list[tuple[str, str]]:
    lines = LABELLED.read_text(encoding="utf-8").splitlines()
    return [
        (a, b.strip())
        for a, _, b in (line.partition(" =>") for line in lines if line and not line.startswith("#"))
    ]


@pytest.mark.parametrize(("text", "label"), rows(), ids=lambda v: v[:40])
def test_frames_are_read_as_labelled(text: str, label: str) -> None:
    expected = {tuple(part.strip().split(": ")) for part in label.split(";")}
    read = {(m.concept, " ".join(sorted(m.frames)) or "plain") for m in mentions(text)}
    expected = {(name, " ".join(sorted(frames.split()))) for name, frames in expected}
    assert expected <= read, read


def test_every_trigger_row_has_an_example_in_which_it_stands() -> None:
    for row in triggers():
        assert set(row.frame) <= {*FRAMES, "pseudo", "ends"}
        plain = row.example.lower().replace("'", " ")
        assert any(word.lower() in plain for word in row.words), row
