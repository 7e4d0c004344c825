#!/usr/bin/env python3
"""Write the difficulty of open bundled questions from a person's reading of local models' answers (tests/reading/textbook/open_answers.jsonl).

Usage: .venv/bin/python scripts/textbook_difficulty.py

A score is what the protocol gives that label (equivalent 1, partial .5, wrong 0); of an inverse multi-hop question the mean of it and of the step named
(the right one 1, one beside it .5, else 0). Scores of closed questions stay as they are: these are made by rule.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from percuss.protocols.textbook.check import JUDGED, VALUE
from percuss.protocols.textbook.corpus import FOLDER, bundled
from percuss.protocols.textbook.items.item import CLOSED

ROOT = Path(__file__).resolve().parents[1]
READ = ROOT / "tests" / "reading" / "textbook" / "open_answers.jsonl"
HELD = FOLDER / "difficulty.json"
BESIDE = 0.5
"""Score of a step beside the wrong one (definitions, "Scorers")."""
ITEMS = {item.id: item for item in bundled().items}
Scores = dict[str, dict[str, float]]


def score_of(row: Mapping[str, Any]) -> float:
    """Return what an answer is worth by its label, and by the step that it names where one is asked for."""
    said, item = VALUE[JUDGED[row["label"]]], ITEMS[row["item"]]
    if item.type != "multi_hop_inverse" or item.wrong_step is None:
        return said
    off = None if row["step"] is None else abs(row["step"] - item.wrong_step)
    step = {0: 1.0, 1: BESIDE}.get(off, 0.0) if off is not None else 0.0
    return (said + step) / 2


def scores_of(rows: Iterable[Mapping[str, Any]]) -> Scores:
    """Return question -> model -> score of labelled answers."""
    out: Scores = {}
    for row in rows:
        out.setdefault(row["item"], {})[row["model"]] = score_of(row)
    return {name: dict(sorted(scores.items())) for name, scores in out.items()}


def labelled() -> list[dict[str, Any]]:
    """Return the labelled answers."""
    return [json.loads(line) for line in READ.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Write all scores, in the order of the bundled questions."""
    held: Scores = json.loads(HELD.read_text(encoding="utf-8"))
    found = {name: each for name, each in held.items() if ITEMS[name].type in CLOSED} | scores_of(labelled())
    ordered = {name: found[name] for name in ITEMS if name in found}
    HELD.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    print(f"{len(ordered)} of {len(ITEMS)} questions")


if __name__ == "__main__":
    main()
