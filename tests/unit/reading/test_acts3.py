"""The third set of speech acts: cases of their own, nothing locked like what authors look at, sentences of models as recorded."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

FOLDER = Path(__file__).resolve().parents[2] / "reading"
THIRD = FOLDER / "acts3"
LIKE = 85  # rapidfuzz ratio from which texts are near-duplicates
FEWEST = 150


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


ROWS = read(THIRD / "speech_act.jsonl")


def test_every_row_is_of_a_case_that_no_other_sentence_is_of() -> None:
    cases = {row["id"]: row["half"] for row in read(THIRD / "contexts.jsonl")}
    former = {row["id"] for folder in (FOLDER, FOLDER / "locked2") for row in read(folder / "contexts.jsonl")}
    assert not former & set(cases)
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert all(row["group"] == row["context"] and row["half"] == cases[row["context"]] for row in ROWS)


def test_no_locked_sentence_resembles_one_that_authors_look_at() -> None:
    other = [
        row
        for file in ("speech_act.jsonl", "support.jsonl", "locked2/speech_act.jsonl", "locked2/support.jsonl")
        for row in read(FOLDER / file)
    ]
    dev = {row["text"].lower() for row in (*ROWS, *other) if row["half"] == "dev"}
    locked = {row["text"].lower() for row in (*ROWS, *other) if row["half"] != "dev"}
    new = {row["text"].lower() for row in ROWS}
    for some, others in ((dev & new, locked), (locked & new, dev)):
        like = process.cdist(
            sorted(some), sorted(others), scorer=fuzz.ratio, score_cutoff=LIKE, dtype=np.uint8
        )
        assert not like.any()


def test_sentences_of_models_stand_in_the_recorded_answers() -> None:
    answers = {
        row["id"]: row for file in (FOLDER / "stressors" / "answers").glob("*.jsonl") for row in read(file)
    }
    of_models = [row for row in ROWS if row["origin"].startswith("model:")]
    for row in of_models:
        recorded = answers[row["answer"]]
        assert row["text"] in recorded["answer"], row["id"]
        assert (
            row["origin"]
            == f"model:{recorded['model']}|prompt:{recorded['prompt']}|t={recorded['temperature']}"
        )
        assert row["context"] == recorded["case"]
    assert of_models


def test_each_half_is_large_enough_and_holds_every_act() -> None:
    halves = Counter(row["half"] for row in ROWS)
    assert min(halves["dev"], halves["locked3"]) >= FEWEST
    acts = {(row["half"], row["label"]) for row in ROWS}
    assert len(acts) == 2 * len({act for _, act in acts}) == 12
