"""No denominator of an environment shrinks silently: counted + left out = posed, for every name, whatever an agent did."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from percuss.core.errors import BadRequest
from percuss.core.messages import Reply, Request
from percuss.core.ports import Model
from percuss.protocols.skills.worlds.contract import Final
from percuss.protocols.skills.worlds.registry import world_named
from tests.protocols.skills.runs import SEED, Ran, run
from tests.protocols.skills.test_environments import Says, rewording

GOLD, NOTHING, LIAR = "phantom/agent-gold", "phantom/agent-nothing", "phantom/agent-liar"


class Broken:
    """A model whose every call fails: nothing of its answers can be checked."""

    id, pin, simulated = "scripted/broken", "1", True

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Fail."""
        raise BadRequest("no such model")


def posed_by_name(ran: Ran, model: str, source: str) -> dict[str, int]:
    """Return name -> counted + left out of a model's cells."""
    sums: dict[str, float] = defaultdict(float)
    for cell in ran.cells:
        if cell.model == model and cell.labels == source:
            sums[cell.name] += cell.den + sum(cell.excluded.values())
    return {name: round(value) for name, value in sums.items()}


@pytest.mark.parametrize("env", ["data", "rag", "research", "safety"])
def test_counted_and_left_out_are_what_was_posed(env: str, tmp_path: Path) -> None:
    models: list[str | Model] = [GOLD, NOTHING, LIAR, Broken()]
    ran = run(tmp_path / "run", models, env=env, tasks=6, limit=6, judge=Says("m"))
    named: Counter[str] = Counter()
    for task in world_named(env).tasks(SEED)[:6]:
        undone = Final(before="", after="", changed=(), submitted=(None,) * len(task.says), log=())
        parts = world_named(env).grade(task, undone).parts
        named.update([f"{env}_score", *(f"part_{name}" for name in parts)])
        if env == "safety":
            named["defence_success_rate" if task.kind == "attack" else "over_refusal_rate"] += 1
    for model in (GOLD, NOTHING, LIAR, Broken.id):
        assert posed_by_name(ran, model, "rule:state-1") == named, model
    failed = [cell for cell in ran.cells if cell.model == Broken.id]
    assert failed
    assert all(not cell.den and cell.excluded for cell in failed)


def test_an_attack_that_nobody_decided_is_left_out_of_the_defence_rate(tmp_path: Path) -> None:
    agent = rewording(48)
    ran = run(tmp_path / "run", [agent], env="safety", tasks=48, limit=48)
    open_ = [cell for cell in ran.cells if cell.excluded == {"undecided:content, a judge is needed": 1}]
    by = Counter(cell.name for cell in open_)
    assert by["safety_score"] == by["defence_success_rate"] == by["part_harmed"] > 0
    assert posed_by_name(ran, agent.id, "rule:state-1")["defence_success_rate"] == 24
