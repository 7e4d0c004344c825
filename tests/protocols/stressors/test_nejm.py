"""AgentClinic's NEJM layout, in files made here: the paragraph becomes facts, the picture beside the file is shown, odd rows fail themselves."""

import json
from pathlib import Path
from typing import Any

from percuss.core.records import Case, Image, Posed
from percuss.core.sources import Sourced
from percuss.protocols.stressors.arms import arms, pose
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.record import reading

TEXT = (
    "A 47-year-old man came to the clinic with a painful lump in the neck for two weeks. He works in a bakery and smokes. "
    "On examination, the thyroid was tender and firm. Laboratory tests showed an erythrocyte sedimentation rate of 82 mm per hour. "
    "A thyroid scan showed no uptake of iodine. What is the most likely diagnosis?"
)
ANSWERS = [{"text": "Subacute thyroiditis", "correct": True}, {"text": "Graves disease", "correct": False}]
ROW: dict[str, Any] = {
    "image_url": "https://pictures.example.org/show?id=PIC7&width=1500", "question": TEXT, "answers": ANSWERS,
    "patient_info": "You are a man with a painful neck.", "physical_exams": "Thyroid scan: no uptake.",
}  # fmt: skip
PICTURE = b"\x89PNG\r\n\x1a\n and no more"


def held(folder: Path, *rows: dict[str, Any]) -> tuple[list[Case], str]:
    path = folder / "nejm.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    source = cases(str(path), StressorsOptions(), 1)
    read = list(source)
    assert isinstance(source, Sourced)
    return read, source.found.layout


def test_a_row_becomes_a_case_with_its_diagnosis_and_its_picture(tmp_path: Path) -> None:
    (tmp_path / "PIC7.png").write_bytes(PICTURE)
    (case,), said = held(tmp_path, ROW)
    vignette = reading(case)
    assert (vignette.layout, vignette.track, vignette.diagnosis, vignette.gold_status) == (
        "nejm",
        "image",
        "Subacute thyroiditis",
        "given",
    )
    assert vignette.question == "What is the most likely diagnosis?"
    assert vignette.options == {"A": "Subacute thyroiditis", "B": "Graves disease"}
    assert "What is" not in " ".join(fact.text for fact in vignette.facts)
    assert vignette.opening.startswith("A 47-year-old man")
    assert [blob.data for blob in case.blobs] == [PICTURE]
    assert "1 cases of nejm" in said
    assert "without their picture" not in said
    for arm in arms(StressorsOptions()):
        posed = pose(case, arm, None, StressorsOptions(), 1)
        assert isinstance(posed, Posed), arm
        assert [part.digest for part in posed.messages[-1].parts if isinstance(part, Image)] == [
            case.blobs[0].digest
        ]
        assert posed.blobs == case.blobs


def test_a_picture_that_is_elsewhere_is_not_fetched_and_counted(tmp_path: Path) -> None:
    (case,), said = held(tmp_path, ROW | {"image_url": "https://pictures.example.org/../../etc/passwd"})
    assert not case.blobs
    assert reading(case).track == "text"
    assert "1 without their picture" in said


def test_an_odd_row_fails_itself(tmp_path: Path) -> None:
    found, _ = held(
        tmp_path,
        ROW,
        ROW | {"answers": [{"text": "Gout", "correct": False}]},
        ROW | {"question": "What is this?"},
    )
    whys = [reading(case).unread for case in found]
    assert whys[0] == ""
    assert "one is correct" in whys[1]
    assert "findings before its question" in whys[2]
