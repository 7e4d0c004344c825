"""Calls in text: held against replies of real models that a person labelled before the reader was written."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.core.messages import Tool
from percuss.kit.calling import LONGEST, read_calls

CORPUS = Path(__file__).parents[2] / "protocols/skills/corpus"


def _tool(name: str, **properties: str) -> Tool:
    schema = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}}
    return Tool(name=name, description="", parameters={**schema, "required": list(properties)})


TOOLS = (_tool("query", sql="string"), _tool("notes", patient_id="integer"), _tool("submit", rows="array"))


def rows(name: str) -> list[dict[str, Any]]:
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read(text: str) -> tuple[str, list[Any]]:
    found = read_calls(text, TOOLS)
    if found.undecided:
        return "undecided", []
    return ("call" if found.calls else "none"), [
        [call.name, json.loads(call.arguments)] for call in found.calls
    ]


FILES = [path.stem for path in sorted(CORPUS.glob("*.jsonl"))]


@pytest.mark.parametrize("name", FILES)
def test_what_it_calls_a_call_is_one_with_the_very_arguments(name: str) -> None:
    wrong = [
        row["text"]
        for row in rows(name)
        if read(row["text"])[0] == "call" and read(row["text"]) != ("call", row.get("calls"))
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_no_call_of_a_model_is_missed(name: str) -> None:
    missed = [row["text"] for row in rows(name) if row["label"] == "call" and read(row["text"])[0] != "call"]
    assert missed == []


def test_what_it_says_of_the_rest() -> None:
    """Every row by label and reading; an echo of the instruction is undecided to it, which comes to the same."""
    counted = Counter((row["label"], read(row["text"])[0]) for row in rows("tool_calls"))
    assert counted == {
        ("call", "call"): 31,
        ("none", "none"): 67,
        ("none", "undecided"): 3,
        ("undecided", "undecided"): 9,
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"name": "query", "parameters": {"sql": "SELECT 1"}}', "call"),
        (
            '{"name": "query", "parameters": {"type": "object", "properties": {"sql": {"type": "string"}}}}',
            "none",
        ),
        ('{"name": "query", "description": "Runs.", "parameters": {"a": 1}}', "none"),
        ('{"tool": "notes"}', "call"),
        ('{"tool": "query", "arguments": {"sql": NaN}}', "undecided"),
        ('{"tool": "query", "argum', "undecided"),
        ('{"name": "query", "argum', "undecided"),
        ('{"name": "Ada", "bor', "none"),
        ('{"notes": {"patient_id": 4}}', "call"),
        ('{"notes": "None were found."}', "none"),
        ("[" * 9_000, "none"),
        ('{"a":' * 3_000, "none"),
        ("{" * (LONGEST + 1), "undecided"),
        ("a" * (LONGEST + 1), "none"),
    ],
)
def test_forms(text: str, said: str) -> None:
    assert read(text)[0] == said


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_never_raises_and_prose_around_a_call_takes_nothing_from_it(before: str, after: str) -> None:
    read_calls(before + after, TOOLS)
    call = '{"tool": "query", "arguments": {"sql": "SELECT 1"}}'
    words = before.replace("{", "").replace("[", ""), after.replace("{", "").replace("[", "")
    assert read(f"{words[0]}\n{call}\n{words[1]}") == ("call", [["query", {"sql": "SELECT 1"}]])
