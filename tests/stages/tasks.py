"""Books, items, teams and people's ratings: docs/textbook.md and docs/skills.md."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

import percuss
from percuss.protocols.textbook.items.item import Item
from percuss.study.study import open_study
from tests.protocols.textbook.books import LOOP, OSMOTIC, POTASSIUM, epub
from tests.stages.playing import Stage
from tests.stages.studying import answered
from tests.studies import jsonl

__all__ = ["skills", "textbook"]

STUDENTS = ("student", "student?closed=0.6&inverse=0.2", "student?closed=0.2")
ITEM: dict[str, Any] = {
    "question": "Which artery?",
    "answer": "B",
    "other": {"options": ["left", "right"], "task": "MedExam"},
}


@contextmanager
def skills(folder: Path) -> Iterator[Stage]:
    """Items with and without answers, and two people who rate the answers to open ones."""
    rows = [
        {**ITEM, "question": f"Which artery, {n}?", "other": {**ITEM["other"], "id": f"x{n}"}}
        for n in range(4)
    ]
    jsonl(folder / "mine.jsonl", rows)
    jsonl(folder / "blank.jsonl", [{**row, "answer": ""} for row in rows])
    agents = [f"phantom/{name}" for name in ("agent-gold", "agent?know=0.5", "agent-nothing")]
    percuss.run("skills", agents, limit=30, out=str(folder / "runs" / "open"), report=False)

    def rated(place: Path) -> None:
        with open_study(place / "studies" / "reliability") as held:
            answered(
                held, lambda n, person: {"consistency": str(min(5, 1 + n % 5 + (person and n % 7 == 0)))}
            )

    words = {"MODEL": "phantom/agent", "OTHER": "phantom/judge"}
    yield Stage(words=words, before={"percuss study export reliability": rated})


@contextmanager
def textbook(folder: Path) -> Iterator[Stage]:
    """A book, notes, a study's export, runs of students, and teams that hand in what they know."""
    (folder / "book.epub").write_bytes(epub([("Diuretics", [LOOP, POTASSIUM]), ("Mannitol", [OSMOTIC])]))
    (folder / "notes").mkdir()
    (folder / "notes" / "water.txt").write_text(f"Water\n\n{OSMOTIC}", encoding="utf-8")
    for name, student in zip("abc", STUDENTS, strict=True):
        out = str(folder / "runs" / name)
        percuss.run("textbook", f"phantom/{student}", limit=40, arms=("closed_book",), out=out, report=False)
    judged = [
        {"item": f"i{n}", "type": ("list", "true_false")[n % 2], "rater": rater, "relevance": 5 - (n % 9 == 0),
         "dispute": n in {0, 1}, "feedback": n in {1, 10}, "saved_at": f"2026-03-02T09:{2 * n:02}:00Z"}
        for n in range(20) for rater in ("r1", "r2")
    ]  # fmt: skip
    lines = [",".join(judged[0]), *(",".join(map(str, row.values())) for row in judged)]
    (folder / "export.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = {"openai/gpt-4o-mini": "phantom/author", "openai/gpt-4.1": "phantom/judge", "MODEL": "phantom/student", "OTHER": "phantom/marker"}  # fmt: skip
    yield Stage(words=words, before={"percuss submission check": _handed_in})


def _handed_in(folder: Path) -> None:
    """Let one team answer the private items rightly, and one every second of them."""
    gold = (folder / "task" / "gold" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    items = [msgspec.convert(json.loads(line), Item) for line in gold]
    rows = [
        {"id": item.id, "answer": list(item.answers) if item.type == "list" else item.answer}
        for item in items
    ]
    jsonl(folder / "team.jsonl", rows)
    (folder / "teams").mkdir()
    jsonl(folder / "teams" / "whole.jsonl", rows)
    jsonl(folder / "teams" / "half.jsonl", rows[::2])
