"""What `percuss demo` shows is what today's readers say of the recorded answers, not what an earlier version said."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from percuss.api.report.demo import recorded_run
from percuss.api.run.recheck import Recheck, other_rules, recheck
from percuss.store import RunStore
from percuss.store.dropping import drop_scoring


@pytest.mark.slow
def test_the_recorded_labels_are_those_of_the_readers_of_today(tmp_path: Path) -> None:
    with recorded_run(tmp_path / "run") as folder:
        with RunStore.open(folder) as store:
            scoring = store.latest_scoring()
            kept = store.estimates(scoring.id)
        with sqlite3.connect(folder / "run.sqlite") as db:
            drop_scoring(db, scoring.id)
        db.close()
        rules = next(rater for rater in scoring.raters if rater.startswith("rule:")).removeprefix("rule:")
        made = asyncio.run(recheck(Recheck(run=str(folder), settings={"rules": rules})))
    assert made.scoring.id == scoring.id
    numbers = [
        (e.name, e.model, e.arm, e.labels, e.stratum, e.value, e.low, e.high, e.n) for e in made.estimates
    ]
    assert numbers == [
        (e.name, e.model, e.arm, e.labels, e.stratum, e.value, e.low, e.high, e.n) for e in kept
    ]


def test_a_check_says_when_it_reads_by_other_rules_than_the_latest_scoring(tmp_path: Path) -> None:
    with recorded_run(tmp_path / "run") as folder:
        said = other_rules(str(folder), {})
        assert said.startswith("Reads by strict, the rules that this run was made with")
        assert said.endswith("--rules support-2 reads like it.")
        assert other_rules(str(folder), {"rules": "paper"}) == ""
