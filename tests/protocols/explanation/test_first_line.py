"""The panel's first line: what a test pattern can't tell, and what a small model leaves undefined."""

import asyncio
import json
from pathlib import Path

from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Roles
from percuss.core.sections import Panel
from percuss.engine import ask, check, estimate, identity_of
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.store import RunStore, survey
from tests.protocols.explanation.runs import SEED, run

ARMS = ("none", "sham_text", "tb_rad:misleading")


class Small:
    """A model that says one thing; nothing calls it simulated, as nothing does an endpoint's model."""

    id = "vllm/small"
    pin = None

    def __init__(self, text: str) -> None:
        self._text = text

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del request, epoch
        return Reply(parts=(Text(text=self._text),), finish="stop")


async def _real(folder: Path, text: str) -> Panel:
    """A run of a model that is no simulation."""
    options = ExplanationOptions(chests=1, resamples=100)
    cases = tuple(PROTOCOL.cases(None, options, SEED))
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases))
        arms = [arm for arm in PROTOCOL.arms(options) if arm.name in ARMS]
        model = Small(text)
        await ask(store, PROTOCOL, options, roles=Roles({}, seed=SEED), models=[model], arms=arms)
        scoring = await check(store, PROTOCOL, options, roles=Roles({}, seed=SEED))
        await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)
        sections = list(store.sections(scoring.id))
    panel = next(section.record for section in sections if section.kind == "panel")
    assert isinstance(panel, Panel)
    return panel


def test_a_real_model_on_drawings_has_no_accuracy_and_the_first_line_says_why(tmp_path: Path) -> None:
    panel = asyncio.run(_real(tmp_path / "run", "The picture shows a chest."))
    assert panel.lines[0].startswith("The synthetic chests are a test pattern")
    assert "vllm/small leaves undefined: " in panel.lines[0]
    assert "silently moved" in panel.lines[0]
    words = json.dumps([row.figures["accuracy[none]"].undefined for row in panel.rows])
    assert "test pattern" in words


def test_a_simulated_reader_keeps_its_accuracy(tmp_path: Path) -> None:
    options = ExplanationOptions(chests=1, resamples=100)
    ran = run(tmp_path / "run", ["reader"], options=options, arms=[*ARMS, "repeat", "vo_bb"])
    panel = next(section.record for section in ran.sections if section.kind == "panel")
    assert isinstance(panel, Panel)
    assert "test pattern" not in " ".join(panel.lines)
    assert panel.rows[0].figures["accuracy[none]"].undefined is None
