"""Phantom raters go through the portal: tables exactly, estimates within their intervals, ledgers that verify."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss import stats
from percuss.cli.selftest import command, make_folder
from percuss.core.errors import UsageError
from percuss.study.selftest.planted import Habit, expected_kappa, expected_same
from percuss.study.selftest.run import Found, Row, run_studies, study_page
from percuss.study.selftest.studies import STUDIES


@pytest.mark.slow
def test_a_small_study_recovers_what_was_planted_and_its_table_is_exact() -> None:
    """One seed of two studies; `percuss selftest study` runs all six, scripts/full 200 seeds."""
    found = run_studies([42], names=("ranks", "sources"), B=200)
    assert found.passed, found.rows
    assert (found.studies, found.verified) == (2, 2)
    assert "2 of 2 ledgers verify" in study_page(found, [42])


def rows(figure: str, held: int, n: int) -> list[Row]:
    """Return the rows of an estimate whose intervals hold so often, tables exact."""
    told: dict[str, Any] = {
        "study": "s",
        "paper": "P",
        "figure": figure,
        "planted": 0.5,
        "measured": 0.5,
        "low": 0.0,
    }
    return [Row(**told, seed=seed, high=1.0, holds=seed < held, table=True) for seed in range(n)]


@pytest.mark.parametrize(("held", "passed"), [(190, True), (176, True), (160, False), (0, False)])
def test_one_estimate_that_misses_too_often_fails_a_self_test_whose_others_hold(
    held: int, passed: bool
) -> None:
    found = Found(
        rows=(
            *rows("kappa", 200, 200),
            *rows("same", held, 200),
            *rows("bias", 200, 200),
            *rows("ceiling", 200, 200),
        ),
        studies=1,
        verified=1,
    )
    assert found.passed is passed
    assert f"misses most often (s, same) {held / 200:.1%} of 200" in study_page(found, range(200))


def test_the_folder_of_the_page_is_made_before_minutes_are_spent(tmp_path: Path) -> None:
    make_folder(tmp_path / "new" / "deep")
    assert (tmp_path / "new" / "deep").is_dir()
    (tmp_path / "file").write_text("")
    told = CliRunner().invoke(command, ["study", "--out", str(tmp_path / "file")])
    assert isinstance(told.exception, UsageError)
    assert "can't write into" in str(told.exception)


def test_the_five_papers_have_their_studies() -> None:
    assert {one.paper.split()[0] for one in STUDIES} == {"Gonehal", "Moll", "Fan", "MedBench", "Colelough"}
    by_name = {one.name: one for one in STUDIES}
    assert (by_name["claims"].items, len(by_name["claims"].habits)) == (300, 2)
    assert len(by_name["readers"].habits) == 4
    assert (by_name["likert"].items, len(by_name["likert"].habits)) == (440, 3)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.floats(0.3, 1.0), st.floats(0.3, 1.0), st.integers(2, 5))
def test_the_expected_kappa_is_that_of_very_many_items(one: float, other: float, values: int) -> None:
    a, b, truth = Habit.careful(values, one), Habit.careful(values, other), [1 / values] * values
    rng = np.random.default_rng(1)
    true = rng.integers(values, size=4000)
    said = [[habit.draw(int(t), 0.0, rng) for t in true] for habit in (a, b)]
    found = stats.cohen_kappa(said[0], said[1], scale=list(range(values)))
    assert found.value == pytest.approx(expected_kappa(a, b, truth), abs=0.08)
    assert np.mean(np.equal(said[0], said[1])) == pytest.approx(expected_same(a, b, truth), abs=0.05)


def test_drift_and_fatigue_lower_agreement() -> None:
    plain, tired = Habit.careful(3, 0.9), Habit.careful(3, 0.9, fatigue=0.5)
    assert expected_kappa(plain, tired, (0.5, 0.3, 0.2)) < expected_kappa(plain, plain, (0.5, 0.3, 0.2))
    steady, drifting = Habit.near(5, 0.7), Habit.near(5, 0.7, drift=0.5)
    even = [0.2] * 5
    assert expected_same(steady, drifting, even) <= expected_same(steady, steady, even) + 1e-9
