"""The reader of expected elements on labelled sentences: near misses never count, and most wordings are found."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.literature import Literature
from percuss.protocols.skills.worlds.literature.clauses import direction
from percuss.protocols.skills.worlds.literature.elements import read
from percuss.protocols.skills.worlds.literature.expected import elements
from percuss.protocols.skills.worlds.literature.index import index
from percuss.protocols.skills.worlds.literature.tasks import gold_of

FOLDER = Path(__file__).parent
NAMES = {"retraction": "notice"}


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


WRITTEN = _rows("elements.jsonl")
"""Sentences written and labelled before the reader was; all about velorastat."""

REPORTS = _rows("reports.jsonl")
"""What a local model wrote when it was given seven records each and asked for a report; labelled before the reader had seen them.
The half `locked` has never been looked at for a change of the reader."""


def test_reports_of_a_real_model_are_read_as_labelled() -> None:
    """Floors: nothing is said that isn't (0 of 43), and 19 of 21 are found. First reading of the reader: dev 1 false, 1 missed of 32; locked 0, 0 of 32."""
    false, missed = list[str](), list[str]()
    for row in REPORTS:
        for role, element in elements(index(), row["topic"]).items():
            said = read(element, [row["text"]]).label == "said"
            if said != (role in row["said"]):
                (false if said else missed).append(f"{row['topic']} {role}")
    assert false == []
    assert len(missed) <= 2, missed
    assert sum(len(row["said"]) for row in REPORTS) == 21


@pytest.mark.parametrize("row", WRITTEN, ids=lambda row: row["text"][:60])
def test_a_written_sentence_is_read_as_labelled(row: dict[str, Any]) -> None:
    element = elements(index(), "velorastat")[NAMES.get(row["element"], row["element"])]
    found = read(element, [row["text"]])
    assert (found.label == "said") == (row["label"] == "said"), found


@pytest.mark.parametrize("topic", index().topics)
@pytest.mark.parametrize(
    "role", ["benefit", "pooled", "split", "null", "harm", "alert", "interaction", "notice"]
)
def test_the_record_itself_says_its_element_and_no_other_record_does(topic: str, role: str) -> None:
    element = elements(index(), topic)[role]
    assert read(element, [index().of(topic, role).text]).label == "said"
    others = [each for each in index().entries.values() if (each.topic, each.role) != (topic, role)]
    said = {each.role for each in others if read(element, [each.text]).label == "said"}
    assert said == set()


@pytest.mark.parametrize(
    ("clause", "outcome", "way"),
    [
        ("falls rose", "falls", "higher"),
        ("it did not lower falls", "falls", "none"),
        ("no fewer strokes were seen", "strokes", "none"),
        ("lowered falls and raised strokes", "strokes", "higher"),
        ("lowered falls and raised strokes", "falls", "lower"),
        ("a trial of falls", "falls", None),
    ],
)
def test_the_nearest_cue_says_the_way(clause: str, outcome: str, way: str | None) -> None:
    at = clause.index(outcome)
    assert direction(clause, (at, at + len(outcome))) == way


def test_a_number_belongs_to_the_outcome_beside_it() -> None:
    element = elements(index(), "velorastat")["benefit"]
    assert (
        read(element, ["Velorastat lowered admissions by 8% and raised hypotension to 24%."]).label == "other"
    )
    assert (
        read(element, ["Velorastat lowered admissions by 24% and raised hypotension to 8%."]).label == "said"
    )


MISSES = {
    "digits": lambda text: re.sub(r"(\d)(?=[\d.]*%)", lambda digit: str((int(digit[1]) + 1) % 10), text),
    "tenfold": lambda text: re.sub(r"(\d+)(?:\.(\d))?%", r"\g<1>\g<2>0%", text),
    "may": lambda text: f"It is unclear whether {text}",
    "untrue": lambda text: f"{text[:-1]} is false.",
    "no number": lambda text: re.sub(r"[\d.]+%", "much", text),
}


@pytest.mark.parametrize("task", Literature().tasks(0), ids=lambda task: task.id)
@pytest.mark.parametrize("miss", MISSES)
def test_near_misses_of_every_task_never_count(task: Task, miss: str) -> None:
    """Each sentence of the gold report by itself, with one thing changed; what has no number stays out of the number's misses."""
    gold = Literature().agents(task, 0)["gold"].steps[0][-1].arguments["evidence"]
    for element, piece in zip(gold_of(task).elements, gold, strict=True):
        assert read(element, [piece["claim"]]).label == "said"
        if element.number is None and miss in {"digits", "tenfold", "no number"}:
            continue
        changed = MISSES[miss](piece["claim"])
        assert changed != piece["claim"]
        assert read(element, [changed]).label != "said", changed
