"""Planted snippets: what does not exist is found, what exists is not accused, what can't be known is left alone."""

from pathlib import Path

import pytest

from percuss.protocols.citations.code import CodeReading, check_answer
from tests.loading import loaded

PLANTED = loaded(Path(__file__).with_name("planted.py"))
# Known, and counted as missed: what a generic context manager gives, and methods of an abstract class's subclasses.
MISSED = {"d.create_file", "keep_ratio="}


def read(code: str) -> CodeReading:
    fenced = "```" in code or code.startswith("Run `")
    return check_answer(code if fenced else f"```python\n{code}\n```", index=PLANTED.INDEX)


def found(code: str, item: str, status: str) -> bool:
    return any(f.status == status and item in f.name for f in read(code).findings)


def accused(code: str) -> list[str]:
    return [f"{f.name}: {f.reason}" for f in read(code).findings if f.status == "nonexistent"]


def test_there_are_enough() -> None:
    assert len(PLANTED.MISSING) + len(PLANTED.REAL) + len(PLANTED.UNKNOWABLE) >= 240
    assert len(PLANTED.MISSING) >= 130


@pytest.mark.parametrize("plant", PLANTED.MISSING, ids=lambda plant: f"{plant.kind}:{plant.item}")
def test_what_does_not_exist_is_found(plant: tuple[str, str, str]) -> None:
    _, code, item = plant
    if item in MISSED:
        assert not found(code, item, "nonexistent"), "it is found now: take it out of MISSED"
        return
    assert found(code, item, "nonexistent")
    assert len(accused(code)) == 1


@pytest.mark.parametrize("plant", PLANTED.REAL, ids=lambda plant: f"{plant.kind}:{plant.item}")
def test_what_exists_is_not_accused(plant: tuple[str, str, str]) -> None:
    assert accused(plant[1]) == []


@pytest.mark.parametrize("plant", PLANTED.UNKNOWABLE, ids=lambda plant: f"{plant.kind}:{plant.item}")
def test_what_cannot_be_known_is_not_checkable(plant: tuple[str, str, str]) -> None:
    _, code, item = plant
    assert accused(code) == []
    assert found(code, item, "not_checkable")


@pytest.mark.parametrize("code", PLANTED.LONG, ids=lambda code: code.split("\n")[0])
def test_longer_sound_code_is_not_accused(code: str) -> None:
    assert accused(code) == []


def test_precision_and_recall() -> None:
    hit = sum(found(plant.code, plant.item, "nonexistent") for plant in PLANTED.MISSING)
    right = [*(plant.code for plant in (*PLANTED.REAL, *PLANTED.UNKNOWABLE)), *PLANTED.LONG]
    wrong = sum(bool(accused(code)) for code in right)
    decided = sum(found(plant.code, plant.item, "ok") for plant in PLANTED.REAL)
    precision, recall = hit / (hit + wrong), hit / len(PLANTED.MISSING)
    print(
        f"\n{len(PLANTED.MISSING)} planted faults: {hit} found (recall {recall:.3f}); {len(right)} sound snippets:"
        f" {wrong} accused (precision {precision:.3f}); {decided} of {len(PLANTED.REAL)} real items said to exist"
    )
    assert precision >= 0.98
    assert recall >= 0.90
    assert decided / len(PLANTED.REAL) >= 0.90
