"""Bad input: one sentence - got, expected, what to do - the right exit code, and nothing half-written."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Percuss = Callable[..., Any]
GOOD = {"id": "a", "question": "?", "evidence": "Haemoglobin is 9.1 g/dL."}


def _lines(*rows: object) -> str:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)


@pytest.mark.parametrize(
    ("text", "needle"),
    [
        (_lines(GOOD, {**GOOD, "id": "b"}, "{not json"), "line 3"),
        (_lines(GOOD, {**GOOD, "id": 7.5}), "line 2"),
        (_lines(GOOD, {"evidence": "x"}), "line 2"),
        (_lines(GOOD, GOOD), "a"),
        ("", "no case"),
    ],
    ids=["malformed", "wrong type", "missing id", "duplicate id", "empty"],
)
def test_bad_cases(percuss: Percuss, text: str, needle: str) -> None:
    Path("cases.jsonl").write_text(text)
    said = percuss("run", "grounding", "--cases", "cases.jsonl", "--model", "phantom/copier")
    _one_sentence(said, 2, needle)
    assert not Path("runs").exists()


def test_a_line_of_100_mb(percuss: Percuss) -> None:
    with Path("cases.jsonl").open("w") as file:
        file.write(json.dumps(GOOD) + "\n" + '{"id": "b", "evidence": "')
        file.writelines("x" * 1_000_000 for _ in range(100))
        file.write('"}\n')
    said = percuss("run", "grounding", "--cases", "cases.jsonl", "--model", "phantom/copier")
    _one_sentence(said, 2, "line 2")


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        (("--model", "opnai/gpt-4o"), "opnai"),
        (("--model", "phantom/nobody"), "nobody"),
        (("--model", "phantom/copier", "--arms", "nowhere"), "its arms are"),
        (("--model", "phantom/copier", "--role", "friend=phantom/copier"), "its roles are"),
        (("--model", "phantom/copier", "--model", "phantom/copier"), "named twice"),
        (("--model", "phantom/copier", "--judge", "phantom/copier"), "judge itself"),
        (("--model", "phantom/copier", "--prompts", "nonesuch"), "nonesuch"),
        (("--model", "phantom/copier", "--fail-if", "x>>1"), "--fail-if"),
        (("--model", "phantom/copier", "--cases", "missing.jsonl"), "missing.jsonl"),
    ],
)
def test_bad_words(percuss: Percuss, words: tuple[str, ...], needle: str) -> None:
    _one_sentence(percuss("run", "grounding", *words), 2, needle)
    assert not Path("runs").exists()


def test_a_missing_key_names_its_variable(percuss: Percuss, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    _one_sentence(
        percuss("run", "grounding", "--model", "openai/gpt-4o-mini", "--limit", "1"), 2, "OPENAI_API_KEY"
    )


def test_an_unknown_protocol(percuss: Percuss) -> None:
    said = percuss("run", "groundin")
    assert said.code == 2
    assert "did you mean grounding?" in said.err


def test_another_identity_in_the_same_folder_is_named(percuss: Percuss) -> None:
    words = ("run", "grounding", "--model", "phantom/copier", "--limit", "1", "--out", "r", "--no-report")
    assert percuss(*words).code == 0
    _one_sentence(percuss(*words, "--seed", "7"), 2, "seed (42, now 7)")


def test_a_newer_run_is_refused(percuss: Percuss) -> None:
    words = ("run", "grounding", "--model", "phantom/copier", "--limit", "1", "--out", "r", "--no-report")
    assert percuss(*words).code == 0
    with sqlite3.connect("r/run.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    _one_sentence(percuss(*words), 1, "newer percuss")
    _one_sentence(percuss("report", "r"), 1, "newer percuss")


def test_no_run_there(percuss: Percuss) -> None:
    _one_sentence(percuss("report", "nowhere"), 1, "holds no run")


def test_a_folder_that_cannot_be_made(percuss: Percuss) -> None:
    Path("file").write_text("")
    said = percuss("run", "grounding", "--model", "phantom/copier", "--limit", "1", "--out", "file/run")
    _one_sentence(said, 1, "file/run")


def _one_sentence(said: Any, code: int, needle: str) -> None:
    assert said.code == code, said
    lines = [line for line in said.err.splitlines() if line.startswith(("percuss:", "Error:"))]
    assert len(lines) == 1, said.err
    assert needle in lines[0]
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        (
            ("run", "stressors", "--limit", "0"),
            "0 is not in the range x>=1; see percuss run stressors --help",
        ),
        (("run", "grounding", "--lmit", "3"), "did you mean '--limit'; see percuss run grounding --help"),
        (("rn",), "no such command 'rn'; see percuss --help"),
        (("report",), "missing argument 'RUNS...'; see percuss report --help"),
    ],
)
def test_words_that_the_command_line_does_not_know(
    percuss: Percuss, words: tuple[str, ...], needle: str
) -> None:
    _one_sentence(percuss(*words), 2, needle)


def test_a_late_bad_row_of_answers_leaves_no_cases_in_a_run_that_is_there(percuss: Percuss) -> None:
    Path("cases.jsonl").write_text(_lines(GOOD, {**GOOD, "id": "b"}, {**GOOD, "id": "c"}))
    rows = [
        {"id": name, "arm": "full_multimodal", "model": "given/m", "text": "Haemoglobin is 9.1 g/dL."}
        for name in "abc"
    ]
    Path("good.jsonl").write_text(_lines(*rows))
    Path("bad.jsonl").write_text(_lines(*rows[:2], {**rows[2], "arm": "nowhere"}))
    words = ("score", "grounding", "--cases", "cases.jsonl", "--out", "run", "--no-report", "--responses")
    assert percuss(*words, "good.jsonl", "--limit", "1").code == 0
    assert _held() == (1, 1)
    _one_sentence(percuss(*words, "bad.jsonl"), 2, "nowhere")
    assert _held() == (1, 1)
    assert percuss(*words, "good.jsonl", "--limit", "2").code == 0
    assert _held() == (2, 2)


def _held() -> tuple[int, int]:
    with sqlite3.connect("run/run.sqlite") as db:
        query = "SELECT (SELECT count(*) FROM cases), (SELECT count(*) FROM responses)"
        cases, responses = db.execute(query).fetchone()
    return cases, responses
