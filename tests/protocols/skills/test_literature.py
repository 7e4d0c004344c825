"""The index of invented records: what it holds, and what the grade of a report can't be talked into."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from percuss.protocols.skills.worlds.contract import Script, Step, Task
from percuss.protocols.skills.worlds.literature import Literature
from percuss.protocols.skills.worlds.literature.index import ROLES, index
from percuss.protocols.skills.worlds.literature.scripted import script
from percuss.protocols.skills.worlds.literature.tasks import gold_of
from percuss.text.concepts import concept
from tests.protocols.skills.offline_worlds import gold_submission, graded, handed, played

WORLD = Literature()
TASKS = WORLD.tasks(0)
DOZEN = TASKS[:12]


def _of_kind(kind: str) -> Task:
    return next(task for task in TASKS if task.kind == kind)


def _with_text(task: Task, text: str) -> dict[str, Any]:
    return {**gold_submission(WORLD, task), "sections": [{"heading": "", "text": text}]}


def test_the_index_holds_what_was_promised() -> None:
    entries = index().entries
    assert len(entries) >= 150
    assert len(TASKS) >= 40
    assert all(re.fullmatch(r"PX-\d{4}", name) for name in entries)
    assert len({entry.text for entry in entries.values()}) == len(entries)
    for topic in index().topics:
        assert {entry.role for entry in entries.values() if entry.topic == topic} == set(ROLES)
        retracted, notice = index().of(topic, "retracted"), index().of(topic, "notice")
        assert retracted.id in notice.text
        assert (retracted.linked, notice.linked) == (notice.id, retracted.id)


@pytest.mark.parametrize("entry", index().entries.values(), ids=lambda entry: entry.id)
def test_an_abstract_reads_as_one(entry: Any) -> None:
    assert entry.finding in entry.text
    assert not re.search(r"[{}\[\]]|\bNone\b|  ", entry.text + entry.title)
    assert entry.text[-1] == "."
    assert entry.text[0].isupper()


def test_outcomes_name_concepts_of_the_table() -> None:
    named = {
        each.concept for topic in index().topics.values() for each in (topic.a, topic.b, topic.c, topic.d)
    } - {""}
    assert named
    assert [name for name in named if concept(name) is None] == []


def test_every_task_expects_an_alert_and_can_be_done_in_its_years() -> None:
    for task in TASKS:
        gold = gold_of(task)
        assert any(each.alert for each in gold.elements)
        for each in gold.elements:
            entry = index().entries[each.records[0]]
            assert gold.in_range(entry)
            assert gold.allowed(entry)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
async def test_the_ends_of_the_scale(task: Task) -> None:
    agents = WORLD.agents(task, 0)
    names = ("gold", "nothing", "liar", "inventor", "reverser", "sibling")
    scores = {name: (await graded(WORLD, task, agents[name])).score for name in names}
    assert scores == {**dict.fromkeys(names, 0.0), "gold": 100.0}


async def test_a_planted_skill_is_recovered() -> None:
    """The mean of 216 elements at 0.6, by task: three standard errors are 0.10."""
    assert {(await graded(WORLD, task, script(task, 3, 0.0))).score for task in DOZEN} == {0.0}
    assert {(await graded(WORLD, task, script(task, 3, 1.0))).score for task in DOZEN} == {100.0}
    grades = [await graded(WORLD, task, script(task, 3, 0.6)) for task in TASKS]
    assert abs(sum(each.score or 0.0 for each in grades) / len(grades) - 60) < 10
    assert [each.score for each in grades] == pytest.approx(
        [each.parts["semantic_recall"] for each in grades]
    )


def test_a_retracted_report_cited_without_a_word_is_an_error() -> None:
    task = _of_kind("benefit")
    believer = WORLD.agents(task, 0)["believer"].steps[0][-1].arguments
    grade = WORLD.grade(task, handed(believer))
    assert grade.reason == "retracted, unnoticed"
    assert grade.parts["retractions_noticed"] == pytest.approx(80.0)  # four of five pieces
    entry = index().of(gold_of(task).topic, "retracted")
    noticed = {"claim": f"{entry.id} was retracted.", "record": entry.id, "quote": entry.finding}
    grade = WORLD.grade(
        task,
        handed(
            {**gold_submission(WORLD, task), "evidence": [*gold_submission(WORLD, task)["evidence"], noticed]}
        ),
    )
    assert (grade.score, grade.reason) == (100.0, "")


def test_an_invented_id_is_an_error() -> None:
    task = _of_kind("safety")
    made_up = {"claim": "It is safe.", "record": "PX-0999", "quote": "It is safe."}
    grade = WORLD.grade(
        task,
        handed(
            {**gold_submission(WORLD, task), "evidence": [*gold_submission(WORLD, task)["evidence"], made_up]}
        ),
    )
    assert (grade.score, grade.parts["real_ids"], grade.reason) == (80.0, 80.0, "invented id")


def test_timeliness_is_cited_records_in_range_over_cited() -> None:
    task = _of_kind("recent")
    entry = index().of(gold_of(task).topic, "benefit")
    old = {"claim": entry.finding, "record": entry.id, "quote": entry.finding}
    grade = WORLD.grade(
        task,
        handed(
            {
                **gold_submission(WORLD, task),
                "evidence": [*gold_submission(WORLD, task)["evidence"], old, old],
            }
        ),
    )
    assert grade.parts["timeliness"] == pytest.approx(100 * 5 / 6)
    assert grade.parts["reliability"] == pytest.approx(100 * 5 / 7)


@pytest.mark.parametrize(
    "change",
    [
        lambda each: {**each, "quote": re.sub(r"\d", "3", each["quote"]) + " "},
        lambda each: {**each, "quote": "It was shown."},
        lambda each: {**each, "quote": ""},
        lambda each: {**each, "claim": ""},
        lambda each: {**each, "claim": each["claim"].replace("%", "7%")},
        lambda each: {**each, "claim": f"marorastat: {each['claim']}"},
        lambda each: {
            **each,
            "claim": each["claim"].replace("raised", "lowered").replace("more often", "less often"),
        },
    ],
    ids=[
        "digits",
        "words",
        "no quote",
        "no claim",
        "number in the claim",
        "drug in the claim",
        "way in the claim",
    ],
)
def test_evidence_that_does_not_carry_its_claim_is_not_reliable(
    change: Callable[[dict[str, str]], Any],
) -> None:
    task = next(task for task in TASKS if task.id == "literature-gralopen-safety")
    right = [each for each in gold_submission(WORLD, task)["evidence"] if "Warning" in each["claim"]]
    assert len(right) == 2
    grade = WORLD.grade(
        task, handed({**gold_submission(WORLD, task), "evidence": [change(each) for each in right]})
    )
    assert (grade.score, grade.parts["citation_precision"]) == (0.0, 0.0)


def test_what_is_said_without_evidence_is_recall_and_no_score() -> None:
    task = _of_kind("safety")
    grade = WORLD.grade(task, handed({**gold_submission(WORLD, task), "evidence": []}))
    assert (grade.score, grade.parts["semantic_recall"], grade.reason) == (0.0, 100.0, "no evidence")


def test_evidence_without_a_report_scores_0() -> None:
    task = _of_kind("safety")
    assert WORLD.grade(task, handed({**gold_submission(WORLD, task), "sections": []})).score == 0.0


def test_saying_everything_both_ways_scores_0() -> None:
    for task in DOZEN:
        agents = WORLD.agents(task, 0)
        texts = [agents[name].steps[0][-1].arguments["sections"][0]["text"] for name in ("gold", "reverser")]
        assert WORLD.grade(task, handed(_with_text(task, " ".join(texts)))).parts["semantic_recall"] == 0.0


async def test_search_keeps_the_years_it_was_given() -> None:
    step = Step(tool="search", arguments={"query": "velorastat", "k": 10, "first": 2022, "last": 2023})
    final = await played(WORLD, DOZEN[0], Script(steps=((step,),), says=("",)))
    years = re.findall(r"^PX-\d{4} \| (\d{4})", final.log[0].text, re.MULTILINE)
    assert set(years) == {"2022", "2023"}


async def test_same_task_and_seed_give_one_digest() -> None:
    one, other = (WORLD.tasks(7)[2] for _ in range(2))
    finals = [await played(WORLD, task, WORLD.agents(task, 1)["gold"], seed=7) for task in (one, other)]
    assert finals[0] == finals[1]
    assert finals[0].before != finals[0].after
    assert finals[0].changed == ("note", "submission")
    assert [task.id for task in WORLD.tasks(8)] != [task.id for task in WORLD.tasks(7)]
    assert {task.id for task in WORLD.tasks(8)} == {task.id for task in WORLD.tasks(7)}
