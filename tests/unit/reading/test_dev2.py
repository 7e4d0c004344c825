"""The claims that authors labelled later: of dev cases or cases of their own, and nothing of them resembles a locked row."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

FOLDER = Path(__file__).resolve().parents[2] / "reading"
LIKE = 85  # rapidfuzz ratio from which texts are near-duplicates


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def test_every_row_is_of_a_case_that_authors_may_look_at() -> None:
    halves = {
        row["id"]: row["half"] for name in ("", "locked2/", "dev2/") for row in read(f"{name}contexts.jsonl")
    }
    rows = read("dev2/support.jsonl")
    assert len({row["id"] for row in rows}) == len(rows) >= 300
    for row in rows:
        assert row["half"] == "dev2", row["id"]
        assert halves[row["context"]] in {"dev", "dev2"}, row["id"]
        assert row["label"] in {"supported", "contradicted", "absent", "partial", "unclear"}, row["id"]


def test_nothing_of_it_resembles_a_locked_row() -> None:
    locked = {
        row["text"].lower()
        for name in ("support", "speech_act", "abstention", "locked2/support", "locked2/speech_act")
        for row in read(f"{name}.jsonl")
        if row["half"] != "dev"
    }
    more = [row["text"].lower() for row in read("dev2/support.jsonl")]
    like = process.cdist(more, sorted(locked), scorer=fuzz.ratio, score_cutoff=LIKE, dtype=np.uint8)
    assert not like.any()
