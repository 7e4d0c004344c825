"""The paper's means and SOTA rates, made again from its per-task tables (appendix D.1)."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from percuss.protocols.skills.catalogue import catalogue
from percuss.protocols.skills.scorers.standing import macro_means, standings

HERE = Path(__file__).parent
TRACKS = {"llm": "LLM", "multimodal": "multimodal", "agent": "agent"}
PUBLISHED: dict[str, Any] = json.loads((HERE / "published.json").read_text(encoding="utf-8"))


def scores(track: str) -> dict[str, dict[str, float]]:
    """Return task -> model -> score of a track."""
    with (HERE / f"d1_{track}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["task"]: {name: float(value) for name, value in row.items() if name != "task"} for row in rows
    }


@pytest.mark.parametrize("track", TRACKS)
def test_the_tables_hold_the_tasks_of_the_catalogue(track: str) -> None:
    assert set(scores(track)) == {task.name for task in catalogue() if task.track == TRACKS[track]}


@pytest.mark.parametrize("track", TRACKS)
def test_means_over_tasks_are_those_of_table_2(track: str) -> None:
    made = macro_means(scores(track))
    printed = PUBLISHED["means"][track]
    assert len(printed) >= 10
    assert all(abs(made[model] - value) <= 0.01 for model, value in printed.items())


@pytest.mark.parametrize(("track", "wins"), [("llm", 37), ("multimodal", 12), ("agent", 18)])
def test_sota_rates_give_ties_to_every_winner(track: str, wins: int) -> None:
    made = standings(scores(track))
    assert sum(one.wins for one in made.values()) == wins
    assert sum(one.split_rate for one in made.values()) == pytest.approx(1)
    for row in PUBLISHED["sota"]:
        if row["model"] in made and (row[track] or row["model"] != "GLM-5.1"):
            assert round(made[row["model"]].rate, 2) == row[track], row["model"]


def test_the_model_that_is_printed_twice_has_both_its_rates() -> None:
    rows = [row for row in PUBLISHED["sota"] if row["model"] == "GLM-5.1"]
    assert len(rows) == 2
    for track in TRACKS:
        assert round(standings(scores(track))["GLM-5.1"].rate, 2) == max(row[track] for row in rows)
