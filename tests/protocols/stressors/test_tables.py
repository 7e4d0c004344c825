"""Every metric can be made again from the tables `scores` and `audit`, by the program of docs/recompute.md."""

import asyncio
import csv
import re
from pathlib import Path
from typing import Any

import pytest

from percuss.kit.tables import Tables
from percuss.protocols.stressors.commands import COMMANDS
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.tables import AUDIT, SCORES
from tests.protocols.stressors.runs import Ran, run

ARMS = ["baseline", "contradiction", "omission+contradiction+delay", "strike:draw=1", "sham_strike:draw=1"]
NAMES = (
    "gdr", "ir", "pir", "cdr", "restated", "rur", "pcr", "smr", "cho", "cfa", "final_accuracy", "accuracy_turn_1", "brier",
    "right_when_probable", "nfr", "ufr", "hpr", "ef", "fcr", "replay_diagnosis",
)  # fmt: skip
PAGE = Path(__file__).parents[3] / "docs" / "recompute.md"


class Plain:
    """As much of a session as the command needs."""

    dry_run = False


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    options = StressorsOptions(resamples=100, counterfactual=1)
    model = "clinician?fabricate=0.4&wrong=0.6"
    return run(tmp_path_factory.mktemp("run") / "run", [model], options=options, arms=ARMS, limit=8)


def written(ran: Ran, folder: Path) -> Any:
    session: Any = Plain()

    async def ran_it() -> Any:
        return await COMMANDS["tables"].run(Tables(run=str(ran.folder), out=str(folder)), session)

    return asyncio.run(ran_it())


def recomputed(folder: Path) -> dict[tuple[str, str, str], float]:
    _, program = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    room: dict[str, Any] = {}
    exec(program, room)
    found: dict[tuple[str, str, str], float] = room["recomputed"](folder)
    return found


def test_the_page_makes_the_metrics_again(ran: Ran, tmp_path: Path) -> None:
    assert "rows of scores" in written(ran, tmp_path).text
    found = recomputed(tmp_path)
    compared = set()
    for e in ran.estimates:
        arm = next((a for a in ARMS if a.partition(":")[0] == e.arm), e.arm)
        if (
            e.name in NAMES
            and e.value is not None
            and e.labels == "rule:flow"
            and e.arm in {a.partition(":")[0] for a in ARMS}
        ):
            assert found[e.name, e.model, arm] == pytest.approx(e.value), (e.name, e.arm)
            compared.add(e.name)
    assert compared == set(NAMES)


def test_the_tables_hold_what_each_turn_declares_and_every_statement(ran: Ran, tmp_path: Path) -> None:
    written(ran, tmp_path)
    rows = {}
    for name, columns in (("scores", SCORES), ("audit", AUDIT)):
        with (tmp_path / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            rows[name] = list(csv.DictReader(file))
        assert tuple(rows[name][0]) == columns
    declared = [row for row in rows["audit"] if row["metric"] == "declared"]
    assert len(declared) == 4 * 8 * 3  # turns, cases, arms that don't replay
    assert all(row["hangs_on"] and row["certainty"] for row in declared)
    assert all(bool(row["label"]) != bool(row["unscored"]) for row in rows["scores"])
    assert len({(row["statement"], row["reader"]) for row in rows["scores"]}) == len(rows["scores"])
