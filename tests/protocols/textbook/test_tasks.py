"""A shared task from split to standings: nothing of the gold leaks, faults have lines, and silence gains nothing."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from percuss.cli import cli
from percuss.core.errors import UsageError
from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.items.item import CLOSED, Item
from percuss.protocols.textbook.items.released import FILES, load_released, released_row
from percuss.protocols.textbook.tasks.gold import commitment_of, question_row, split_items
from percuss.protocols.textbook.tasks.submission import read_submission

CLOSED_ITEMS = [item for item in bundled().items if item.type in CLOSED][:40]


def call(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, list(words), catch_exceptions=False, standalone_mode=False)
    return int(done.return_value or 0), done.output


def written(path: Path, rows: Sequence[Any]) -> Path:
    path.write_text(
        "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8"
    )
    return path


def gold(folder: Path) -> Path:
    folder.mkdir()
    return written(folder / "items.jsonl", [msgspec.to_builtins(item) for item in CLOSED_ITEMS])


def right(item: Item) -> Any:
    return list(item.answers) if item.type == "list" else item.answer


def test_a_split_keeps_passages_whole_and_a_commitment_fixes_the_gold() -> None:
    items = bundled().items
    public, private = split_items(items, 0.75, 3)
    assert len(public) + len(private) == len(items)
    assert not {item.passage for item in public} & {item.passage for item in private}
    assert (public, private) == split_items(items, 0.75, 3)
    made = commitment_of(private, "salt", "now")
    assert made == commitment_of(list(reversed(private)), "salt", "now")
    assert made.sha256 != commitment_of(private, "other", "now").sha256
    assert made.sha256 != commitment_of(private[1:], "salt", "now").sha256


def test_what_teams_get_holds_no_gold() -> None:
    for item in bundled().items:
        row = question_row(item)
        assert not {"answer", "answers", "explanation", "wrong_step", "passage", "twin"} & set(row)
        text = json.dumps({key: value for key, value in row.items() if key != "options"})
        if item.type in {"short_answer", "multi_hop"}:
            assert item.answer not in text
        assert ("reasoning" in row) == (
            item.type == "multi_hop_inverse"
        )  # elsewhere the steps lead to the answer


def test_faults_of_a_submission_have_lines(tmp_path: Path) -> None:
    first, second, third = CLOSED_ITEMS[:3]
    rows = [
        {"id": first.id, "answer": "True"}, "{broken", {"id": "nobody", "answer": "x"}, {"id": first.id, "answer": "False"}, ["list"],
        {"id": second.id, "answer": 3}, {"id": third.id, "answer": " "}, {"id": second.id, "answer": ["A", "B"]},
    ]  # fmt: skip
    held = read_submission(written(tmp_path / "team.jsonl", rows), CLOSED_ITEMS[:4])
    assert [fault.line for fault in held.faults] == [2, 3, 4, 5, 6, 0]
    assert [fault.line for fault in held.warnings] == [7]
    assert held.answers == {first.id: "True", second.id: '["A", "B"]', third.id: " "}
    assert "1 of 4 items have no answer" in held.faults[-1].words


def test_a_submission_is_checked_on_the_command_line(tmp_path: Path) -> None:
    file = gold(tmp_path / "gold")
    good = written(tmp_path / "good.jsonl", [{"id": item.id, "answer": right(item)} for item in CLOSED_ITEMS])
    code, said = call("submission", "check", str(good), "--gold", str(file))
    assert (code, said.strip()) == (0, "40 of 40 items answered, 0 faults, 0 warnings")
    bad = written(tmp_path / "bad.jsonl", [{"id": "x", "answer": "y"}])
    code, said = call("submission", "check", str(bad), "--gold", str(file.parent))
    assert code == 3
    assert "line 1: got the id 'x'" in said


def test_teams_are_ranked_and_silence_gains_nothing(tmp_path: Path) -> None:
    file = gold(tmp_path / "gold")
    teams = {
        "best": [{"id": item.id, "answer": right(item)} for item in CLOSED_ITEMS],
        "half": [{"id": item.id, "answer": right(item)} for item in CLOSED_ITEMS[::2]],
        "none": [{"id": CLOSED_ITEMS[0].id, "answer": "I don't know."}],
    }
    paths = [str(written(tmp_path / f"{team}.jsonl", rows)) for team, rows in teams.items()]
    code, said = call(
        "textbook", "rank", *paths, "--gold", str(file), "--out", str(tmp_path / "out"), "--resamples", "100"
    )
    assert code == 0
    assert [line.split()[1] for line in said.strip().splitlines()[1:]] == ["best", "half", "none"]
    scores = {
        team: json.loads((tmp_path / "out" / team / "scores.json").read_text(encoding="utf-8"))
        for team in teams
    }
    assert all(isinstance(value, int | float) for row in scores.values() for value in row.values())
    assert scores["best"]["score"] == 1
    assert scores["half"]["score"] == pytest.approx(0.5, abs=0.01)
    assert scores["none"]["score"] == 0
    assert scores["none"]["hallucination_rate"] == 1
    assert (scores["best"]["rank_best"], scores["best"]["rank_worst"], scores["none"]["rank_worst"]) == (
        1,
        1,
        3,
    )
    again = (
        "score",
        "textbook",
        "--gold",
        str(file),
        "--responses",
        *paths,
        "--out",
        str(tmp_path / "again"),
    )
    assert call(*again, "--resamples", "100") == (0, said)
    assert (tmp_path / "again" / "best" / "scores.json").read_bytes() == (
        tmp_path / "out" / "best" / "scores.json"
    ).read_bytes()
    page = (tmp_path / "out" / "half" / "page.md").read_text(encoding="utf-8")
    assert "20 of 40 items have no answer" in page
    assert not [
        item.id
        for item in CLOSED_ITEMS
        if item.type != "true_false" and str(item.answer or item.answers) in page
    ]


def test_a_step_that_nobody_can_read_counts_nothing_and_is_not_left_out(tmp_path: Path) -> None:
    items = [item for item in bundled().items if item.type == "multi_hop_inverse"][:4]
    rows = [json.dumps(msgspec.to_builtins(item)) for item in items]
    file = written(tmp_path / "items.jsonl", rows)
    said = {
        "steps": "Step {0.wrong_step}. {0.explanation}",
        "none": "{0.explanation}",
        "all": "It is step 1 or step 2. {0.explanation}",
    }
    teams = [
        str(
            written(
                tmp_path / f"{team}.jsonl", [{"id": item.id, "answer": words.format(item)} for item in items]
            )
        )
        for team, words in said.items()
    ]
    out = tmp_path / "out"
    code, _ = call("textbook", "rank", *teams, "--gold", str(file), "--role", "judge=phantom/marker", "--out", str(out), "--resamples", "100")  # fmt: skip
    assert code == 0
    scores = {
        team: json.loads((out / team / "scores.json").read_text(encoding="utf-8"))["score"] for team in said
    }
    assert scores == {"steps": 1, "none": 0, "all": 0}


def test_files_of_several_teams_need_a_gold(tmp_path: Path) -> None:
    one, two = (str(written(tmp_path / f"{name}.jsonl", [])) for name in ("a", "b"))
    with pytest.raises(UsageError, match="--gold GOLD to rank"):
        call("score", "textbook", "--responses", one, two)
    with pytest.raises(UsageError, match="expected --responses TEAM"):
        call("score", "textbook", "--gold", str(gold(tmp_path / "all")))


def test_a_prepared_task_is_kept_to_its_promise(tmp_path: Path) -> None:
    file = gold(tmp_path / "all")
    code, said = call(
        "textbook", "prepare-task", str(file), "--out", str(tmp_path / "task"), "--private", "0.5"
    )
    assert code == 0
    assert "keep gold/" in said
    held = tmp_path / "task" / "gold" / "items.jsonl"
    rows = [json.loads(line) for line in held.read_text(encoding="utf-8").splitlines()]
    answers = written(
        tmp_path / "t.jsonl", [{"id": row["id"], "answer": row["answer"] or row["answers"]} for row in rows]
    )
    code, said = call("submission", "check", str(answers), "--gold", str(held.parent))
    assert code == 0
    rows[0]["question"] += " Indeed."
    written(held, rows)
    code, said = call("submission", "check", str(answers), "--gold", str(held.parent))
    assert code == 3
    assert "not the one that was committed to" in said


def test_items_are_written_in_the_released_layout(tmp_path: Path) -> None:
    for kind, name in FILES.items():
        rows = [released_row(item) for item in bundled().items if item.type == kind]
        (tmp_path / name).write_text(json.dumps(rows), encoding="utf-8")
    loaded = load_released(tmp_path)
    assert len(loaded.items) == len(bundled().items)
    assert loaded.errors == loaded.notes == ()
