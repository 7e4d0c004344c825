"""The protocol: items of our own, what agents with planted skill come to, and that every law holds."""

from collections import Counter
from pathlib import Path

import pytest

from percuss.core.records import Posed
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.arms import shown
from percuss.protocols.skills.case import item_of, metrics_of
from percuss.protocols.skills.catalogue import FORMATS
from percuss.protocols.skills.estimate.estimating import WITHHELD, is_withheld
from percuss.protocols.skills.items.reading import OWN, read
from percuss.protocols.skills.options import SkillsOptions
from percuss.testing import check
from tests.protocols.skills.runs import SEED, run
from tests.protocols.skills.test_environments import Says

GOLD, NOTHING, RANDOM = "phantom/agent-gold", "phantom/agent-nothing", "phantom/agent-random"
PLAIN = frozenset(FORMATS) - {"environment"}


def test_every_format_and_every_metric_of_items_has_at_least_five_of_our_own() -> None:
    items = [item_of(case) for case in read(OWN, "")]
    formats, metrics = (
        Counter(item.format for item in items),
        Counter(m for i in items for m in metrics_of(i)),
    )
    assert set(formats) == PLAIN
    assert min(formats.values()) >= 5
    assert set(metrics) == {"accuracy", "macro_recall", "judge", "micro_f1", "iou", "edit"}
    assert min(metrics.values()) >= 5
    assert len({item.id for item in items}) == len(items)


def test_no_reference_reaches_the_model() -> None:
    options = SkillsOptions()
    (arm,) = PROTOCOL.arms(options)
    for case in PROTOCOL.cases(None, options, SEED):
        item = item_of(case)
        posed = PROTOCOL.pose(case, arm, None, options, SEED)
        assert isinstance(posed, Posed)
        text = "\n".join(message.text for message in posed.messages)
        assert posed.script == {}
        if item.format in {"open", "gen", "plan", "dialogue", "ocr"}:
            assert shown(item) not in text, item.id


def test_gold_does_everything_do_nothing_nothing_and_planted_skill_is_recovered(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", [GOLD, NOTHING, RANDOM, "phantom/agent?know=0.6"], limit=60)
    gold = ran.one("score", GOLD)
    assert gold.value == 1
    assert gold.excluded["undecided:needs a judge"] == 25
    read_by_rule = [
        cell for cell in ran.cells if cell.name == "macro_recall" and cell.model == GOLD and cell.den
    ]
    assert gold.excluded[WITHHELD] == len(read_by_rule) > 0
    assert ran.one("macro_recall", GOLD).value == 1
    assert ran.one("macro_recall", NOTHING).value == 0
    assert (
        ran.one("score", NOTHING).undefined is not None
    )  # what it says can't be read where a rule may decide alone
    chance = ran.one("score", RANDOM).value
    assert chance is not None
    assert chance < 1
    planted = ran.one("accuracy", "phantom/agent?know=0.6")
    assert planted.low is not None
    assert planted.high is not None
    assert planted.low < 0.6 < planted.high
    assert ran.one("sota_rate", GOLD, "LLM").value == 1


def test_what_an_agent_will_not_answer_is_left_out_where_it_can_not_be_read(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", [NOTHING])
    assert ran.one("accuracy", NOTHING).undefined is not None
    assert not any(cell.num for cell in ran.cells)
    assert all(cell.den + sum(cell.excluded.values()) == 1 for cell in ran.cells if cell.name != "micro_f1")


def test_all_items_of_two_models_of_which_one_leaves_some_unread(tmp_path: Path) -> None:
    """In a resample a task may have no scored item of a model: who is on top is then told by the others."""
    other = "phantom/agent?recall=0.5"
    ran = run(tmp_path / "run", [GOLD, other], limit=70)
    top = [ran.one("top_probability", model, "LLM").value for model in (GOLD, other)]
    assert None not in top
    assert sum(value or 0.0 for value in top) == pytest.approx(1)
    assert ran.one("sota_rate", GOLD, "LLM").value == 1
    assert ran.one("score", GOLD).value == 1  # also where pictures alone tell items apart


def test_a_tracks_score_says_how_many_of_its_tasks_have_data(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", [GOLD], limit=60)
    assert ran.one("track_score", GOLD, "LLM").note.startswith("5 of 36 tasks")


def test_key_points_read_by_a_rule_below_its_floors_carry_no_score_and_with_a_judge_they_do(
    tmp_path: Path,
) -> None:
    ran = run(tmp_path / "run", [GOLD], task="MedHC", limit=5, judge=Says("met"))
    cells = [cell for cell in ran.cells if cell.name == "macro_recall"]
    assert {cell.labels: is_withheld(cell) for cell in cells} == {"rule:skills-1": True, "agreement": False}
    assert ran.one("score", GOLD, labels="rule:skills-1").value is None
    assert ran.one("score", GOLD, labels="agreement").value == 1
    held = ran.one("macro_recall", GOLD, labels="rule:skills-1").read_right
    assert held is not None
    assert (held.corpus, held.floors_met) == ("skills_points", False)


def test_every_law_holds() -> None:
    checked = check(PROTOCOL)
    assert checked.passed, [outcome.line for outcome in checked.failures]


@pytest.mark.parametrize("name", ["MedExam", "medexam"])
def test_one_task_alone(name: str) -> None:
    held = list(PROTOCOL.cases(None, SkillsOptions(task=name), SEED))
    assert {case.stratum for case in held} == {"MedExam"}
    assert len(held) == 5
