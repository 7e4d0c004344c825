"""Scores against people, end to end: a run, a study with the design likert5, phantom raters, and the command's figures."""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from percuss.api.run.protocol_commands import CommandRequest, run_command
from percuss.core.errors import BadInput
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.people.command import rated_of
from percuss.protocols.skills.scorers.likert import level_of, reliability
from percuss.study.answers import Given
from percuss.study.design import load_design
from percuss.study.export import export_file
from percuss.study.runs import items_of_run
from percuss.study.store import work
from percuss.study.study import Study
from tests.protocols.skills.runs import run
from tests.studies import make

AGENTS = ("phantom/agent-gold", "phantom/agent?know=0.5", "phantom/agent-nothing")


def rate(study: Study, rater: str, scores: dict[str, float], wrong: float, seed: int) -> None:
    """Rate a whole list as a phantom does: the level of the score, one off in a planted share."""
    draws = np.random.default_rng(seed)
    with study.database.read() as connection:
        ids = {number: item.id for number, item in study.all_items(connection).items()}
    while True:
        with study.database.read() as connection:
            slot = work.next_slot(connection, rater)
        if slot is None:
            return
        level = int(level_of(scores[ids[slot.item]]).value or 1)
        if draws.random() < wrong:
            level = min(5, max(1, level + (1 if level < 3 else -1)))
        given = Given(answer={"consistency": str(level)}, active_ms=4_000)
        study.database.write(lambda c, s=slot, g=given: work.save_label(c, rater, s.token, g))  # type: ignore[misc]


def test_phantom_raters_through_a_study(tmp_path: Path) -> None:
    run(tmp_path / "run", AGENTS, limit=60)
    listed, _ = items_of_run(tmp_path / "run", load_design("likert5"), lambda _: PROTOCOL)
    assert len(listed) >= 30
    assert all({"question", "reference"} <= set(item.shown) and "answer" in item.content for item in listed)
    kept = [item for item in listed if "score" in item.hidden]
    scores = {item.id: float(item.hidden["score"]) for item in kept}
    with make(tmp_path / "study", "likert5", listed=kept, raters=3, depth=3, repeats=0.0) as study:
        for n, rater in enumerate(("r1", "r2", "r3")):
            rate(study, rater, scores, 0.2, n)
        file = export_file(study, tmp_path / "labels.csv", "csv")
    made = asyncio.run(
        run_command(CommandRequest(protocol="skills", command="reliability", options={"file": str(file)}))
    )
    assert made.text.startswith(f"{len(kept)} answers rated by 3 people; 0 left out")
    assert made.data["icc"] > 0.9
    assert made.data["spearman"] > 0.8
    assert 0.8 < made.data["kappa"] < 1


def test_three_numbers_by_hand() -> None:
    made = reliability([10, 30, 50, 70, 90], [[1, 1], [2, 2], [3, 3], [4, 4], [5, 4]], seed=1)
    assert made.spearman.value == pytest.approx(1)
    assert made.kappa.value == pytest.approx(1)
    assert made.icc.value == pytest.approx(0.974, abs=0.005)


def test_an_export_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="has no column consistency"):
        rated_of([{"item": "a", "rater": "r1", "support": "yes"}], "x.csv")
    with pytest.raises(BadInput, match="has 1 people and 1 answers"):
        rated_of([{"item": "a", "rater": "r1", "consistency": "3", "hidden.score": "50"}], "x.csv")
