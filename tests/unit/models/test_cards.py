"""Model cards: what is stated is kept in its words, what isn't is said so, a file of something else is one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadInput
from percuss.models.cards import STATED, chosen_cards, in_words

GPT = {"reasoning_effort": "medium (default)", "knowledge_cutoff": "2024-09-30", "released": "2025-08-07"}
"""GPT-5-thinking, papers/2, Table 6."""


def _file(folder: Path, content: Any) -> Path:
    path = folder / "cards.json"
    path.write_text(json.dumps(content))
    return path


def test_the_cards_of_the_models_of_a_run_are_chosen_whatever_else_the_file_holds(tmp_path: Path) -> None:
    path = _file(tmp_path, {"openai/gpt-5": GPT, "embedded/ward": {"weights": "open"}, "x/y": {}})
    held = chosen_cards(path, ["openai/gpt-5", "embedded/ward?ctx=2048", "z/unknown"])
    assert list(held) == ["openai/gpt-5", "embedded/ward"]
    assert in_words(held["openai/gpt-5"]) == {**GPT, "weights": "not stated"}
    assert in_words(None) == dict.fromkeys(STATED, "not stated")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"a/b": {"cutoff": "2024"}}, "unknown field `cutoff`"),
        ({"a/b": {"released": 2024}}, "Expected `str`"),
        ([], "Expected `object`"),
        ({"other/model": GPT}, "has no card of a/b or c/d"),
    ],
)
def test_what_is_no_card_is_one_sentence(tmp_path: Path, content: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        chosen_cards(_file(tmp_path, content), ["a/b", "c/d"])


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        chosen_cards(tmp_path / "none.json", ["a/b"])
