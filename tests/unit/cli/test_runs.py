"""`percuss runs`: which there are, and the ways back."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import percuss as library

Percuss = Callable[..., Any]


@pytest.fixture
def two(percuss: Percuss) -> Percuss:
    """A run of two simulated models in runs/r."""
    words = ("run", "grounding", "-m", "phantom/copier", "-m", "phantom/confabulator", "--limit", "2")
    assert percuss(*words, "--out", "runs/r").code == 0
    return percuss


def test_list_and_show(two: Percuss) -> None:
    assert "runs/r: grounding" in two("runs", "list").out
    shown = two("runs", "show", "runs/r").out
    assert "phantom/copier, full_multimodal: 2 of 2 answered, 2 usable" in shown
    (listed,) = json.loads(two("runs", "list", "--json").out)
    assert (listed["protocol"], listed["cases"]) == ("grounding", 2)
    assert two("runs", "list", "elsewhere").out.startswith("no run in elsewhere")


def test_a_dropped_model_leaves_no_answer_and_the_calls_that_were_paid(two: Percuss) -> None:
    before = json.loads(two("runs", "show", "runs/r", "--json").out)
    said = two("runs", "drop", "runs/r", "phantom/copier", "--yes")
    assert (said.code, said.out.split(" ")[0]) == (0, str(sum(a["asked"] for a in before["answers"]) // 2))
    after = json.loads(two("runs", "show", "runs/r", "--json").out)
    assert {a["model"] for a in after["answers"]} == {"phantom/confabulator"}
    assert after["calls"] == before["calls"]
    assert {e.model for e in library.open("runs/r")} == {"phantom/confabulator"}
    assert "phantom/copier" not in two("report", "runs/r").out
    assert "phantom/copier" not in Path("runs/r/manifest.json").read_text().partition('"starts"')[0]
    assert two("verify", "runs/r").code == 0


def test_a_dropped_model_comes_back_without_a_new_call(two: Percuss) -> None:
    before = json.loads(two("runs", "show", "runs/r", "--json").out)
    assert two("runs", "drop", "runs/r", "phantom/copier", "--yes").code == 0
    words = ("run", "grounding", "-m", "phantom/copier", "-m", "phantom/confabulator", "--limit", "2")
    assert two(*words, "--out", "runs/r").code == 0
    after = json.loads(two("runs", "show", "runs/r", "--json").out)
    for facts in (before, after):
        facts["answers"].sort(key=lambda account: (account["model"], account["arm"]))
    assert after == before


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        (
            ("runs", "drop", "runs/r", "phantom/copyer", "--yes"),
            "it has phantom/copier, phantom/confabulator",
        ),
        (("runs", "show", "nowhere"), "holds no run"),
        (("runs", "rm", "nowhere", "--yes"), "holds no run"),
    ],
)
def test_wrong_words_change_nothing(two: Percuss, words: tuple[str, ...], needle: str) -> None:
    said = two(*words)
    assert said.code in {1, 2}
    assert needle in said.err


def test_the_only_model_is_not_dropped(percuss: Percuss) -> None:
    assert percuss("run", "grounding", "-m", "phantom/copier", "--limit", "1", "--out", "r").code == 0
    said = percuss("runs", "drop", "r", "phantom/copier", "--yes")
    assert said.code == 2
    assert "percuss runs rm r" in said.err


def test_a_removed_run_takes_nothing_else_along(two: Percuss) -> None:
    Path("runs/r/notes.txt").write_text("mine")
    said = two("runs", "rm", "runs/r", "--yes")
    assert "left there: notes.txt" in said.out
    assert [path.name for path in Path("runs/r").iterdir()] == ["notes.txt"]


def test_nothing_is_removed_unasked(two: Percuss) -> None:
    del two
    words = [sys.executable, "-m", "percuss", "runs", "rm", "runs/r"]
    said = subprocess.run(words, input="n\n", capture_output=True, text=True, check=False)
    assert said.returncode == 130
    assert "16 answers, 16 calls" in said.stderr
    assert Path("runs/r/run.sqlite").exists()
