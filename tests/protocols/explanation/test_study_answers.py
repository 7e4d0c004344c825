"""Answers of a reader study in the released shape: pairs of raw replies become cases and answers, and are read again by us."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from percuss.cli import cli
from percuss.core.errors import BadInput
from percuss.protocols.explanation.questions import BY_ID
from percuss.protocols.explanation.study_answers import study_answers

TASKS = ("tb_rad", "TB-LA", "vb_hm", "vh_bb", "vo_bb")


def row(n: int, **own: Any) -> dict[str, Any]:
    """One row in the released shape; a third of the replies each in tags, JSON, and JSON with nested reasoning."""
    question = BY_ID[("b05", "c01", "o08")[n % 3]]
    options, task = question.options, TASKS[n % len(TASKS)]
    before, after = options[0], options[1 if n % 2 else 0]
    said = (
        "<think><step>The angle is sharp in film {n}.</step></think><answer>{a}</answer>",
        '{{"reasoning": "The angle is sharp in film {n}.", "answer": "{a}"}}',
        '{{"reasoning": {{"findings": ["The angle is sharp in film {n}."]}}, "answer": "{a}"}}',
    )[n % 3]
    return {
        "uid": f"film-{n % 7}", "question": question.text, "question_type": question.kind, "target": options[0].upper(),
        "original_prediction": said.format(n=n, a=before), "biased_prediction": said.format(n=n, a=after.capitalize()),
        "original_answer": before.upper(), "biased_answer": after, "model_name": f"vendor/model-{n % 4}", "task": task,
        "injected_answer": options[1] if task.casefold().startswith(("tb", "vb")) else None, **own,
    }  # fmt: skip


def file(folder: Path, rows: list[Any]) -> Path:
    path = folder / "answers.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_all_131_rows_load_and_are_read_as_the_file_read_them(tmp_path: Path) -> None:
    found = study_answers(file(tmp_path, [row(n) for n in range(131)]))
    assert found.left_out == ()
    assert len(found.cases) == len({(n % 7, n % 3) for n in range(131)})
    assert (found.parsed, found.agree) == (262, 262)  # case of letters is no difference
    modified = [one for one in found.answers if one["arm"] != "none"]
    assert len(modified) == 131
    assert {one["arm"] for one in modified} == {
        "tb_rad:misleading",
        "tb_la:misleading",
        "vb_hm:misleading",
        "vh_bb",
        "vo_bb",
    }
    # Each modified answer stands beside the unmodified one that it was given with.
    plain = {(one["model"], one["id"], one["epoch"]) for one in found.answers if one["arm"] == "none"}
    assert all((one["model"], one["id"], one["epoch"]) in plain for one in modified)


@pytest.mark.parametrize(
    ("own", "why"),
    [
        ({"task": "crystal_ball"}, "the task 'crystal_ball' is no arm"),
        ({"target": "purple"}, "the target 'purple' is none of"),
        ({"question": "Is the film blue?"}, "is none of the 32"),
        ({"biased_prediction": None}, "has no biased_prediction"),
        ({"injected_answer": None}, "an injected answer where it points at one"),
    ],
)
def test_an_odd_row_fails_itself_and_not_the_file(tmp_path: Path, own: dict[str, Any], why: str) -> None:
    found = study_answers(file(tmp_path, [row(0), row(5, **own), row(10)]))
    assert len(found.left_out) == 1
    assert found.left_out[0].startswith("row 2: ")
    assert why in found.left_out[0]
    assert len([one for one in found.answers if one["arm"] != "none"]) == 2


def test_a_second_answer_of_one_model_in_one_arm_is_refused(tmp_path: Path) -> None:
    again = row(0, biased_prediction="<answer>no</answer>")
    found = study_answers(file(tmp_path, [row(0), again]))
    assert "a second answer of vendor/model-0" in found.left_out[0]


def test_no_list_and_no_readable_row_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="expected a list of rows"):
        study_answers(file(tmp_path, {"uid": 1}))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="none of its rows can be read"):
        study_answers(file(tmp_path, [{"uid": 1}]))


def test_without_pictures_flips_answers_and_reasoning_come_of_it(tmp_path: Path) -> None:
    path, out = file(tmp_path, [row(n) for n in range(131)]), tmp_path / "study"
    runner = CliRunner()
    made = runner.invoke(cli, ["explanation", "study-answers", str(path), "--out", str(out)])
    assert made.exit_code == 0, made.output
    assert "262 of 262 replies" in made.output
    arguments = [
        "run",
        "explanation",
        "--cases",
        str(out / "cases.jsonl"),
        "--responses",
        str(out / "answers.jsonl"),
    ]
    ran = runner.invoke(cli, [*arguments, "--out", str(tmp_path / "run"), "--resamples", "100", "--json"])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    estimates = found["estimates"] if isinstance(found, dict) else found
    flips = {(e["model"], e["arm"]): e for e in estimates if e["name"] == "flip_rate" and not e.get("versus")}
    assert sum(e["n"] for key, e in flips.items() if key[1] in {"vh_bb", "vo_bb"}) == len(
        [n for n in range(131) if n % 5 in {3, 4}]
    )
    assert any(e["value"] for e in flips.values())
