"""The environments as the protocol runs them: scripted agents through the same loop, and planted skill recovered."""

import json
from pathlib import Path

import msgspec
import pytest

from percuss.core.errors import UsageError
from percuss.core.messages import Reply, Request, Text
from percuss.phantoms import Phantom, phantom
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.arms import ticket_of
from percuss.protocols.skills.case import played_of
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.phantom import PHANTOMS
from percuss.protocols.skills.planting import extras
from percuss.protocols.skills.worlds.registry import ROOMS, task_by_id, world_named, world_names
from tests.protocols.skills.runs import SEED, run

GOLD, NOTHING, LIAR = "phantom/agent-gold", "phantom/agent-nothing", "phantom/agent-liar"
PLANTED = "phantom/agent?cite=0.6&defend=0.6&overrefuse=0.4&recall=0.6&sql=0.6"


def test_all_four_environments_are_there() -> None:
    assert world_names() == tuple(ROOMS)
    assert [world_named(name).name for name in ROOMS] == list(ROOMS)
    with pytest.raises(UsageError, match="no environment is called 'nothing'"):
        world_named("nothing")


def test_cases_take_the_environments_in_turn_and_hold_the_task_whole() -> None:
    held = list(PROTOCOL.cases(None, SkillsOptions(env="all", tasks=2), SEED))
    assert [case.stratum for case in held] == [
        "DataAgent", "RAGAgent", "DeepResearch", "SafetyAgent", "DataAgent", "RAGAgent", "DeepResearch", "SafetyAgent",
    ]  # fmt: skip
    for case in held:
        played = played_of(case)
        assert played is not None
        assert msgspec.to_builtins(task_by_id(played.world, played.task.id, SEED)) == msgspec.to_builtins(
            played.task
        )
    with pytest.raises(UsageError, match="got --env and --cases"):
        list(PROTOCOL.cases("mine.jsonl", SkillsOptions(env="data"), SEED))


def test_a_ticket_tells_tasks_apart_and_gold_is_never_shown() -> None:
    options = SkillsOptions(env="all", tasks=6)
    (arm,) = PROTOCOL.arms(options)
    tickets = set()
    for case in PROTOCOL.cases(None, options, SEED):
        played = played_of(case)
        assert played is not None
        tickets.add(ticket_of(played))
        posed = PROTOCOL.pose(case, arm, None, options, SEED)
        assert posed.messages[-1].text == played.task.says[0]  # type: ignore[union-attr]
        assert set(posed.script) == {"world", "task", "seed"}  # type: ignore[union-attr]
        assert posed.tools  # type: ignore[union-attr]
    assert len(tickets) == 24


@pytest.mark.parametrize("env", ["data", "rag", "research"])
def test_gold_is_100_and_do_nothing_and_the_liar_are_0(env: str, tmp_path: Path) -> None:
    ran = run(tmp_path / "run", [GOLD, NOTHING, LIAR], env=env)
    assert [ran.one("score", model).value for model in (GOLD, NOTHING, LIAR)] == [1, 0, 0]
    assert ran.one(f"{env}_score", GOLD).n == 12


def test_in_safety_who_refuses_all_has_the_balanced_score_50(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", [NOTHING, "phantom/agent?defend=0&overrefuse=0", GOLD], env="safety")
    refuses = [
        ran.one(name, NOTHING).value
        for name in ("defence_success_rate", "over_refusal_rate", "balanced_score")
    ]
    does_all = [
        ran.one(name, "phantom/agent?defend=0&overrefuse=0").value
        for name in ("defence_success_rate", "over_refusal_rate", "balanced_score")
    ]
    assert refuses == [1, 1, 0.5]
    assert does_all == [0, 0, 0.5]
    assert ran.one("balanced_score", GOLD).value == 1


@pytest.mark.parametrize(
    ("env", "planted"),
    [
        ("data", {"data_score": 0.6}),
        ("rag", {"rag_score": 0.6}),
        ("research", {"research_score": 0.6}),
        ("safety", {"defence_success_rate": 0.6, "over_refusal_rate": 0.4, "balanced_score": 0.6}),
    ],
)
def test_planted_skill_is_recovered_within_its_interval(
    env: str, planted: dict[str, float], tmp_path: Path
) -> None:
    ran = run(tmp_path / "run", [PLANTED], env=env, tasks=30, limit=30)
    for name, value in planted.items():
        found = ran.one(name, PLANTED)
        assert found.low is not None
        assert found.high is not None
        assert found.low < value < found.high, (name, found.value, found.low, found.high)


def test_what_a_model_says_about_it_is_not_read(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", [LIAR, NOTHING], env="data")
    said = {s.response.model: [v.score for v in s.verdicts if v.aspect == "grade"] for s in ran.scored}
    assert said[LIAR] == said[NOTHING] == [0.0]
    text = " ".join(s.response.text for s in ran.scored if s.response.model == LIAR)
    assert text != " ".join(s.response.text for s in ran.scored if s.response.model == NOTHING)


class Says:
    """A judge that always gives the same kind of label, with the ticket of the question."""

    simulated = True

    def __init__(self, word: str) -> None:
        self.id, self.pin, self._word, self.asked = "scripted/judge", "1", word, 0

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer with the label that begins with the word."""
        del epoch
        self.asked += 1
        assert request.reply_schema is not None
        labels = request.reply_schema["properties"]["label"]["enum"]
        label = next(each for each in labels if each.startswith(self._word))
        return Reply(
            parts=(Text(text=json.dumps({"rationale": "So it reads.", "label": label})),), finish="stop"
        )


def rewording(tasks: int, tries: int = 0) -> Phantom:
    """Return an agent that does everything that it is asked for, and sends messages in other words than the attack's."""
    held = list(PROTOCOL.cases(None, SkillsOptions(env="safety", tasks=tasks, tries=tries), SEED))
    extra = extras({"agent"}, lambda: held, None)  # type: ignore[arg-type]
    for task in extra["skills"]["tasks"]:
        for steps in task["scripts"]["do_everything"]["steps"]:
            for step in steps:
                if "text" in step["arguments"]:
                    step["arguments"]["text"] = "Please see to it as we said, all in order."
    return phantom("phantom/agent?defend=0&overrefuse=0", seed=SEED, extra=extra, known=PHANTOMS)


@pytest.mark.parametrize(("word", "value"), [("carries_out", 0), ("does_not", 1)])
def test_a_judge_is_asked_where_rules_leave_the_content_open_and_nowhere_else(
    word: str, value: int, tmp_path: Path
) -> None:
    judge, agent = Says(word), rewording(96)
    ran = run(tmp_path / "run", [agent], env="safety", tasks=96, limit=96, judge=judge)
    open_ = sum(v.unscored is not None for s in ran.scored for v in s.verdicts if v.aspect == "grade")
    assert judge.asked == 2 * open_ > 0
    by_rule, judged = (
        ran.one("defence_success_rate", agent.id, labels=source) for source in ("rule:state-1", "agreement")
    )
    assert by_rule.excluded == {"undecided:content, a judge is needed": open_}
    assert (judged.n, judged.excluded) == (by_rule.n + open_, {})
    assert by_rule.value is not None
    assert judged.value == pytest.approx((by_rule.value * by_rule.n + value * open_) / judged.n)
