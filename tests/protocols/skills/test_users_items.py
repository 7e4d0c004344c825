"""A user's JSONL: with answers, without, and with every fault that it can have, each named with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadInput, UsageError
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.case import item_of
from percuss.protocols.skills.items.predicting import rows_of
from percuss.protocols.skills.options import SkillsOptions
from tests.protocols.skills.runs import SEED, run

PNG = Path(__file__).parents[3] / "src/percuss/protocols/skills/items/pictures/report-1.png"
CHOICE: dict[str, Any] = {
    "question": "Which artery?",
    "answer": "B",
    "other": {"id": "x1", "source": "ours", "task": "MedExam", "options": ["left", "right"]},
}


def written(folder: Path, *rows: Any) -> Path:
    """Write rows as JSONL and return the file."""
    file = folder / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def refused(folder: Path, *rows: Any, task: str = "") -> str:
    """Return the words in which a file is refused."""
    with pytest.raises(BadInput) as caught:
        list(PROTOCOL.cases(str(written(folder, *rows)), SkillsOptions(task=task), SEED))
    return str(caught.value)


def test_rows_with_answers_are_scored(tmp_path: Path) -> None:
    rows = [
        {**CHOICE, "other": {**CHOICE["other"], "id": f"x{n}", "year": 2020}} for n in range(4)
    ]  # fmt: skip
    ran = run(tmp_path / "run", ["phantom/agent-gold"], source=str(written(tmp_path, *rows)))
    found = ran.one("score", "phantom/agent-gold")
    assert (found.value, found.n) == (1, 4)


def test_rows_without_answers_are_a_submission_that_scores_nothing_and_says_so(tmp_path: Path) -> None:
    rows = [
        {
            "question": f"Which artery, {n}?",
            "answer": "",
            "other": {"id": f"x{n}", "options": ["left", "right"]},
        }
        for n in range(3)
    ]
    file = str(written(tmp_path, *rows))
    ran = run(tmp_path / "run", ["phantom/agent-random"], source=file, task="MedExam")
    found = ran.one("score", "phantom/agent-random")
    assert found.value is None
    assert found.excluded == {"not_checkable:no reference is held": 3}
    assert [len(scored.response.text) > 0 for scored in ran.scored] == [True] * 3
    assert "are kept as a submission" in str(ran.sections)
    kept = list(rows_of(tmp_path / "run"))
    assert [row["other"]["id"] for row in kept] == ["x0", "x1", "x2"]
    assert all(row["answer"] and set(row) == {"question", "answer", "other"} for row in kept)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"prompt": "x", "answer": "B"}, "has the columns 'prompt'; expected {\"question\""),
        ({"answer": "B", "other": {"task": "MedExam"}}, "has no question"),
        ({"question": " ", "other": {"task": "MedExam"}}, "has no question"),
        ({"question": "x", "answer": "B"}, "names no task; expected one in other.task, or --task NAME"),
        ({"question": "x", "other": {"task": "MedWhat"}}, "no task is called 'MedWhat'"),
        ({"question": "x", "other": {"task": "DataAgent"}}, "is an environment; run it with --env data"),
        ({"question": "x", "other": "task"}, "something else than an object under other"),
        ({"question": "x", "other": [1]}, "something else than an object under other"),
        ({"question": "x", "other": {"task": "MedExam", "format": "essay"}}, "has the format 'essay'"),
        ({"question": "x", "other": {"task": "MedOCR", "images": ["gone.png"]}}, "'gone.png', which is not there"),
        ({"question": "x", "other": {"task": "MedOCR", "images": ["scan.tiff"]}}, "expected a file that ends in .png"),
        ({"question": "x", "other": {"task": "MedOCR", "images": "scan.png"}}, "has str under other.images"),
        ({"question": "x", "answer": [[0, 0, 1, 1]], "other": {"task": "MedDetect"}}, "says no coordinates"),
        ({"question": "x", "other": {"task": "MedDetect", "coordinates": "cm"}}, "has the coordinates 'cm'"),
        ({"question": "x", "answer": "much", "other": {"task": "MedInsureCalc"}}, "'much' is no amount"),
        ({"question": "x", "answer": "{", "other": {"task": "SMDoc"}}, "its answer is no JSON"),
        ({"question": "x", "answer": "y", "other": {"task": "MedHC", "points": [3]}}, "other.points can't be read"),
        ({"question": "x", "answer": "y", "other": {"task": "MedHC", "criteria": [{"says": "a", "weight": -1}]}}, "other.criteria can't"),
        ({"question": "x", "answer": "C", "other": {"task": "MedExam", "options": ["a", "b"]}}, "'C', which is none of its 2 options"),
        ({"question": "x", "answer": "A", "other": {"task": "MedExam"}}, "has 0 options; expected two or more"),
        ({"question": "x", "other": {"task": "MedExam", "options": ["a"]}}, "has 1 options; expected two or more"),
        ({"question": "x", "answer": "A", "other": {"task": "MedExam", "options": ["a", " A"]}}, "has ' A' twice under other.options"),
        ({"question": "x", "answer": "A", "other": {"task": "MedExam", "options": ["a", ""]}}, "has an empty text under other.options"),
        ({"question": "x", "answer": ["A"], "other": {"task": "MedExam", "options": ["a", "b"]}}, "is a list; expected text"),
        ({"question": "x", "answer": [], "other": {"task": "DDx-advanced", "options": ["a", "b"]}}, "has no right option"),
        ({"question": "x", "answer": ["E"], "other": {"task": "DDx-advanced", "options": ["a", "b"]}}, "'E', which is none"),
        ({"question": "x", "answer": "skin", "other": {"task": "MedHG", "labels": ["eye", "ear"]}}, "'skin', which is none of its 2 labels"),
        ({"question": "x", "answer": "blur", "other": {"task": "MedQC"}}, "is text; expected a list of texts"),
        ({"question": "x", "answer": "{}", "other": {"task": "SMDoc"}}, "is an empty object; expected an object of its fields"),
        ({"question": "x", "answer": True, "other": {"task": "MedInsureCalc"}}, "is true or false; expected an amount"),
        ({"question": "x", "answer": [[5, 5, 1, 1]], "other": {"task": "MedDetect", "coordinates": "pixel"}}, "first corner is not above"),
        ({"question": "x", "answer": {"says": "y"}, "other": {"task": "MedHC"}}, "is an object; expected text"),
        ({"question": "x", "answer": 3, "other": {"task": "MedOCR"}}, "is a number; expected text"),
        ({"question": "x", "answer": "1", "other": {"task": "MedInsureCalc", "tolerance": "a bit"}}, "Expected `float"),
    ],
)  # fmt: skip
def test_every_fault_is_named_with_its_line(row: Any, words: str, tmp_path: Path) -> None:
    said = refused(tmp_path, CHOICE, row)
    assert words in said, said
    assert "mine.jsonl" in said
    assert "2" in said


def test_two_items_of_one_id_and_an_empty_file(tmp_path: Path) -> None:
    assert "a second item has the id 'x1'" in refused(tmp_path, CHOICE, CHOICE)
    assert "holds no item" in refused(tmp_path)
    with pytest.raises(UsageError, match="no task is called 'Nothing'"):
        list(PROTOCOL.cases(str(written(tmp_path, CHOICE)), SkillsOptions(task="Nothing"), SEED))


def test_an_image_is_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(PNG.read_bytes())
    row = {"question": "Read it.", "answer": "Hb 12.5", "other": {"task": "MedOCR", "images": ["scan.png"]}}
    (case,) = PROTOCOL.cases(str(written(tmp_path, row)), SkillsOptions(), SEED)
    assert case.blobs[0].data == PNG.read_bytes()
    assert item_of(case).images == ((case.blobs[0].digest, "image/png"),)


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"PNG", "no image"), (b"\xff\xd8\xff\xe0", "image/jpeg"), (b"RIFF0000WEBP", "image/webp")],
)
def test_what_only_bears_the_name_of_an_image_is_refused(data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(data)
    row = {"question": "Read it.", "answer": "Hb", "other": {"task": "MedOCR", "images": ["scan.png"]}}
    assert f"'scan.png', which is {words} by its first bytes; expected image/png" in refused(tmp_path, row)


@pytest.mark.parametrize(
    ("answer", "other", "shape", "gold"),
    [
        ("ABD", {"options": ["a", "b", "c", "d"]}, "multi", ["A", "B", "D"]),
        ("A,C", {"options": ["a", "b", "c"]}, "multi", ["A", "C"]),
        (["A", "C"], {"options": ["a", "b", "c"]}, "multi", ["A", "C"]),
        ("B", {"options": ["a", "b"]}, "choice", "B"),
        ("The dose is too high.", {}, "open", "The dose is too high."),
    ],
)
def test_the_format_is_read_off_options_and_answer_where_a_task_has_several(
    answer: Any, other: dict[str, Any], shape: str, gold: Any, tmp_path: Path
) -> None:
    row = {"question": "x", "answer": answer, "other": {"task": "MedRxCheck", **other}}
    (case,) = PROTOCOL.cases(str(written(tmp_path, row)), SkillsOptions(), SEED)
    assert (item_of(case).format, item_of(case).answer) == (shape, gold)
