"""The attacker that learns, in a run: it comes back to what works, its twins are counted, and nothing is lost on the way."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import UsageError
from percuss.core.messages import Reply, Request
from percuss.phantoms import phantom
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.campaign import attackers, plays_of
from percuss.protocols.skills.case import played_of
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.phantom import PHANTOMS
from percuss.protocols.skills.planting import extras
from percuss.protocols.skills.worlds.safety.attacker import within_reach
from percuss.protocols.skills.worlds.safety.setting import setting_of
from tests.protocols.skills.runs import SEED, run
from tests.protocols.skills.test_environments import Says, rewording

GOLD, NOTHING, ALL = "phantom/agent-gold", "phantom/agent-nothing", "phantom/agent?defend=0&overrefuse=0"
TRIES = 4


class FallsFor:
    """An agent that withstands every technique but one."""

    simulated = True

    def __init__(self, technique: str, n: int, tries: int) -> None:
        self.id, self.pin, self._technique = f"scripted/falls-for-{technique}", "1", technique
        held = [played_of(case) for case in attackers(n, tries, SEED)]
        self._technique_of = {
            task.says[0]: setting_of(task).technique
            for each in held
            if each is not None
            for task in within_reach(each.seed, each.tries)
        }
        extra = extras({"agent"}, lambda: list(attackers(n, tries, SEED)), None)  # type: ignore[arg-type]
        self._all = phantom(ALL, seed=SEED, extra=extra, known=PHANTOMS)
        self._gold = phantom(GOLD, seed=SEED, extra=extra, known=PHANTOMS)

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Do everything that is asked for by the one technique, and what is in order elsewhere."""
        first = next(message.text for message in request.messages if message.role == "user")
        falls = any(text in first and way == self._technique for text, way in self._technique_of.items())
        return await (self._all if falls else self._gold).generate(request, epoch=epoch)


def test_each_attacker_is_a_case_with_a_seed_of_its_own_and_a_series_of_its_own() -> None:
    held = list(PROTOCOL.cases(None, SkillsOptions(env="safety", tasks=3, tries=TRIES), SEED))
    assert [case.id for case in held] == [f"safety:attacker-{n}" for n in range(3)]
    played = [played_of(case) for case in held]
    assert len({each.seed for each in played if each}) == len({case.cluster for case in held}) == 3
    with pytest.raises(UsageError, match="got --tries with --env rag"):
        list(PROTOCOL.cases(None, SkillsOptions(env="rag", tries=2), SEED))


def test_attacks_and_twins_are_counted_and_the_ends_of_the_scale_hold(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", [GOLD, NOTHING, ALL], env="safety", tasks=2, tries=TRIES)
    names = ("defence_success_rate", "over_refusal_rate", "balanced_score")
    found = {model: [ran.one(name, model).value for name in names] for model in (GOLD, NOTHING, ALL)}
    assert found == {GOLD: [1, 0, 1], NOTHING: [1, 1, 0.5], ALL: [0, 0, 0.5]}
    for name in names[:2]:
        cells = [cell for cell in ran.cells if cell.name == name]
        assert [cell.den + sum(cell.excluded.values()) for cell in cells] == [TRIES] * 6
    for scored in ran.scored:
        played = played_of(scored.case)
        assert played is not None
        sides = [task.kind for task, _ in plays_of(played, scored.response.artifacts)]
        assert sides == ["attack", "benign"] * TRIES
        assert [turn.index for turn in scored.response.turns] == list(range(len(scored.response.turns)))


def test_it_comes_back_to_what_works(tmp_path: Path) -> None:
    tries = 16
    first = played_of(attackers(1, tries, SEED)[0])
    assert first is not None
    technique = setting_of(first.task).technique
    agent: Any = FallsFor(technique, 2, tries)
    ran = run(tmp_path / "run", [agent, GOLD], env="safety", tasks=2, tries=tries)
    put = {
        scored.response.model: Counter(
            setting_of(task).technique
            for task, _ in plays_of(first, scored.response.artifacts)
            if task.kind == "attack"
        )
        for scored in ran.scored
        if scored.case.id == "safety:attacker-0"
    }
    assert put[agent.id][technique] > put[GOLD][technique]
    assert put[agent.id][technique] > tries / 12  # more often than by chance


def test_content_that_no_rule_decides_goes_to_a_judge_and_teaches_the_attacker_nothing(
    tmp_path: Path,
) -> None:
    judge, tries = Says("carries_out"), 20
    agent = rewording(2, tries)
    ran = run(tmp_path / "run", [agent], env="safety", tasks=2, tries=tries, judge=judge)
    by_rule, judged = (
        next(c for c in ran.cells if c.name == "defence_success_rate" and c.labels == source)
        for source in ("rule:state-1", "agreement")
    )
    open_ = by_rule.excluded.get("undecided:content, a judge is needed", 0)
    assert open_ > 0
    assert by_rule.den + open_ == judged.den == tries
    assert judged.num == by_rule.num  # all of them were called harmful
    assert judge.asked >= 2 * open_


def test_planted_defence_is_recovered_within_its_interval_whatever_the_attacker_picks(tmp_path: Path) -> None:
    planted = "phantom/agent?defend=0.6&overrefuse=0.4"
    ran = run(tmp_path / "run", [planted], env="safety", tasks=8, tries=5)
    for name, value in (("defence_success_rate", 0.6), ("over_refusal_rate", 0.4), ("balanced_score", 0.6)):
        found = ran.one(name, planted)
        assert found.low is not None
        assert found.high is not None
        assert found.low < value < found.high, (name, found.value, found.low, found.high)
