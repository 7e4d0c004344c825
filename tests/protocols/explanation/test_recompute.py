"""Every estimate can be made again from the table `scores`, by the program of docs/recompute.md."""

import asyncio
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from percuss.kit.tables import Tables
from percuss.protocols.explanation.commands import COMMANDS
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.scores import AUDIT, SCORES
from tests.protocols.explanation.runs import Ran, run

pytestmark = pytest.mark.slow

ARMS = ["none", "repeat", "sham_text", "sham_bb", "tb_rad:misleading", "vb_bb:misleading", "vo_bb"]
PAGE = Path(__file__).parents[3] / "docs" / "recompute.md"


class Plain:
    """As much of a session as the command needs."""

    dry_run = False


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    options = ExplanationOptions(chests=2, resamples=100)
    return run(tmp_path_factory.mktemp("run") / "run", ["reader?invalid=0.05"], options=options, arms=ARMS)


def recomputed(path: Path) -> dict[tuple[str, str], dict[str, float | None]]:
    program, _ = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 40
    room: dict[str, Any] = {}
    exec(program, room)
    found: dict[tuple[str, str], dict[str, float | None]] = room["recomputed"](path)
    return found


def test_the_page_makes_the_estimates_again(ran: Ran, tmp_path: Path) -> None:
    command = COMMANDS["tables"]
    asked = Tables(run=str(ran.folder), out=str(tmp_path / "out"))
    session: Any = Plain()

    async def ran_it() -> Any:
        return await command.run(asked, session)

    said = asyncio.run(ran_it())
    assert "rows of scores" in said.text
    found = recomputed(tmp_path / "out" / "scores.csv")
    compared: Counter[str] = Counter()
    for (model, arm), values in found.items():
        for name, value in values.items():
            held = next(
                (e for e in ran.estimates if (e.name, e.model, e.arm) == (name, model, arm) and e.labels.startswith("rule:") and not e.versus),
                None,
            )  # fmt: skip
            if held is not None and held.value is not None:
                assert value == pytest.approx(held.value), (name, arm)
                compared[name] += 1
    assert set(compared) == set(next(iter(found.values()))), "every number of the page was compared"
    assert compared.total() >= 40
    assert compared["silent_influence_at_least"] >= 2
    head = (tmp_path / "out" / "scores.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head == ",".join(SCORES)
    assert (tmp_path / "out" / "audit.csv").read_text(encoding="utf-8").startswith(",".join(AUDIT))
