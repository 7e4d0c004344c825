"""Claims on records in fields, and second labels: whole records in one half, half true and half false, every first label read twice."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

READING = Path(__file__).resolve().parents[2] / "reading"
TOPICS = {"microbiology", "series", "graded", "tnm", "genomics", "medication", "labs", "imaging"}


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (READING / name).read_text(encoding="utf-8").splitlines()]


def test_halves_are_whole_records_and_hold_every_topic() -> None:
    records = {row["id"]: row["half"] for row in _rows("records/evidence_fields.jsonl")}
    claims = _rows("records/claims_fields.jsonl")
    assert Counter(records.values()) == {"dev": 6, "locked": 6}
    assert all(row["half"] == records[row["evidence"]] for row in claims)
    for half in ("dev", "locked"):
        assert {row["kind"] for row in claims if row["half"] == half} >= TOPICS


def test_each_record_has_ten_true_and_ten_false_and_unclear_ones_say_why() -> None:
    claims = _rows("records/claims_fields.jsonl")
    assert len({row["id"] for row in claims}) == len({row["text"] for row in claims}) == len(claims) == 248
    labels = Counter((row["evidence"], row["label"]) for row in claims)
    assert {n for (_, label), n in labels.items() if label != "unclear"} == {10}
    assert all(row.get("reason") for row in claims if row["label"] == "unclear")


def test_second_labels_are_of_every_first_one() -> None:
    for first, second, same in (
        ("records/claims_clinics.jsonl", "records/second_clinics.jsonl", 210),
        ("explanation/withheld.jsonl", "explanation/withheld_second.jsonl", 115),
    ):
        again = {row["id"]: row["label"] for row in _rows(second)}
        labels = {row["id"]: row["label"] for row in _rows(first)}
        assert set(labels) == set(again)
        assert sum(label == again[name] for name, label in labels.items()) == same
