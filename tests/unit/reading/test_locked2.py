"""The second locked set: other cases, labelled before the rules that it is scored on, and nothing of it in the dev half."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

FOLDER = Path(__file__).resolve().parents[2] / "reading"
FRESH = FOLDER / "locked2"
LIKE = 85  # rapidfuzz ratio from which texts are near-duplicates
ENOUGH = 300


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_every_row_is_of_a_case_that_stands_nowhere_else() -> None:
    former = {row["id"] for row in read(FOLDER / "contexts.jsonl")}
    held = {row["id"]: row for row in read(FRESH / "contexts.jsonl")}
    assert not former & set(held)
    for corpus in ("support", "speech_act"):
        rows = read(FRESH / f"{corpus}.jsonl")
        assert len({row["id"] for row in rows}) == len(rows)
        for row in rows:
            assert row["half"] == held[row["context"]]["half"] == "locked2", row["id"]
            assert row["group"] == row["context"], row["id"]


def test_nothing_of_it_resembles_what_authors_look_at() -> None:
    dev = {
        row["text"].lower()
        for corpus in ("support", "speech_act", "abstention")
        for row in read(FOLDER / f"{corpus}.jsonl")
        if row["half"] == "dev"
    }
    fresh = [
        row["text"].lower() for corpus in ("support", "speech_act") for row in read(FRESH / f"{corpus}.jsonl")
    ]
    like = process.cdist(fresh, sorted(dev), scorer=fuzz.ratio, score_cutoff=LIKE, dtype=np.uint8)
    assert not like.any()


def test_rows_of_models_stand_in_the_recorded_answers() -> None:
    answers: dict[tuple[str, str], str] = {}
    for row in read(FRESH / "answers.jsonl"):
        key = (f"model:{row['model']}|prompt:{row['prompt']}|t={row['temperature']}", row["case"])
        answers[key] = answers.get(key, "") + "\n" + " ".join(row["answer"].split())
    for corpus in ("support", "speech_act"):
        for row in read(FRESH / f"{corpus}.jsonl"):
            if row["origin"].startswith("model:"):
                assert row["text"] in answers[row["origin"], row["context"]], row["id"]


def test_with_the_former_locked_half_each_class_has_enough_claims_by_layout() -> None:
    kinds = {row["id"]: row["kind"] for folder in (FOLDER, FRESH) for row in read(folder / "contexts.jsonl")}
    counts = Counter(
        (kinds[row["context"]], "unsupported" if row["label"] in {"contradicted", "absent"} else row["label"])
        for folder in (FOLDER, FRESH)
        for row in read(folder / "support.jsonl")
        if row["half"] != "dev" and not row["given"]
    )
    for layout in ("structured", "text"):
        for label in ("supported", "unsupported"):
            assert counts[layout, label] >= ENOUGH, (layout, label)


def test_every_claim_was_labelled_twice() -> None:
    second = {(row["corpus"], row["id"]) for row in read(FRESH / "second.jsonl")}
    once = [row for row in read(FRESH / "support.jsonl") if ("support", row["id"]) not in second]
    assert len(once) <= 1  # none but a row that the second pass held for no claim
