"""Every task: gold 100, do-nothing and liar 0; what a task looks like; a seed that says all."""

import json
from pathlib import Path

import pytest

from percuss.core.messages import Message, Reply, Request, ToolCall
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed
from percuss.models.scripted import Scripted
from percuss.protocols.skills.playing import final_of, run
from percuss.protocols.skills.worlds.contract import Final, Script, Task
from percuss.protocols.skills.worlds.hospital import Hospital
from percuss.protocols.skills.worlds.hospital.data import hospital_of
from percuss.protocols.skills.worlds.hospital.tasks import KINDS, tasks_of
from percuss.protocols.skills.worlds.hospital.tasks.round import EXACT
from tests.protocols.skills.hospital.databases import SEED, played

WORLD = Hospital()
TASKS = WORLD.tasks(SEED)


async def grades(folder: Path, agent: str, tasks: tuple[Task, ...] = TASKS) -> list[float | None]:
    finals = [
        await played(WORLD, task, WORLD.agents(task, SEED)[agent], folder / f"{agent}-{task.id}")
        for task in tasks
    ]
    return [WORLD.grade(task, final).score for task, final in zip(tasks, finals, strict=True)]


def test_at_least_sixty_tasks_of_three_to_five_rounds_in_all_kinds() -> None:
    assert len(TASKS) >= 60
    assert {len(task.says) for task in TASKS} == {3, 4, 5}
    assert {task.kind for task in TASKS} == set(KINDS)
    assert len({task.id for task in TASKS}) == len(TASKS)
    assert len({task.says for task in TASKS}) == len(TASKS)
    assert all(len(task.says) == len(task.gold) for task in TASKS)
    assert all(gold["rows"] for task in TASKS for gold in task.gold)


def test_the_first_dozen_is_a_fair_sample() -> None:
    kinds = [task.kind for task in TASKS[:12]]
    assert all(2 <= kinds.count(kind) <= 3 for kind in KINDS)


async def test_gold_gets_100_on_every_task(tmp_path: Path) -> None:
    assert await grades(tmp_path, "gold") == [100.0] * len(TASKS)


@pytest.mark.parametrize("agent", ["nothing", "liar", "writer"])
async def test_doing_nothing_lying_and_trying_to_write_get_0_on_every_task(
    tmp_path: Path, agent: str
) -> None:
    assert await grades(tmp_path, agent) == [0.0] * len(TASKS)


async def test_guessing_gets_next_to_nothing(tmp_path: Path) -> None:
    scores = [score or 0.0 for score in await grades(tmp_path, "random")]
    assert sum(scores) / len(scores) < 3


def test_the_liar_says_the_very_rows(tmp_path: Path) -> None:
    task = TASKS[0]
    assert all(
        str(row[0]) in said
        for gold, said in zip(task.gold, WORLD.agents(task, SEED)["liar"].says, strict=True)
        for row in gold["rows"]
    )


def test_a_seed_says_all_and_another_says_otherwise() -> None:
    again = tasks_of.__wrapped__(SEED)
    assert again == TASKS
    assert hospital_of.__wrapped__(SEED).tables == hospital_of(SEED).tables
    assert tasks_of(2) != TASKS
    assert [task.id for task in tasks_of(2)] == [task.id for task in TASKS]


@pytest.mark.parametrize("seed", range(10, 14))
def test_every_seed_finds_its_questions(seed: int) -> None:
    assert len(tasks_of.__wrapped__(seed)) == len(TASKS)


def test_notes_hold_what_gold_says_of_them() -> None:
    data = hospital_of(SEED)
    for patient, allergy in data.allergies.items():
        mine = [note.text for note in data.notes if note.patient_id == patient]
        assert any(allergy in text for text in mine)
        corrected = [text for text in mine if text.startswith("Correction")]
        assert all(f"The allergy is to {allergy}" in text for text in corrected)


def _final(task: Task, **fields: object) -> Final:
    right = tuple(
        [dict(zip([c["name"] for c in gold["columns"]], row, strict=True)) for row in gold["rows"]]
        for gold in task.gold
    )
    return Final(**{"before": "a", "after": "a", "changed": (), "submitted": right, "log": (), **fields})  # type: ignore[arg-type]


def test_a_grade_counts_rounds_and_rows() -> None:
    task = next(task for task in TASKS if len(task.says) == 4)
    whole = _final(task)
    assert WORLD.grade(task, whole).parts == {
        "accuracy": 100.0,
        "f1": 100.0,
        "first_round": 100.0,
        "later_rounds": 100.0,
        "read_only": 100.0,
        "skill": None,
        "carried_over": None,
    }
    half = _final(task, submitted=(*whole.submitted[:2], None, []))
    grade = WORLD.grade(task, half)
    assert (grade.score, grade.parts["accuracy"], grade.parts["later_rounds"]) == (50.0, 50.0, 100 / 3)
    assert "round 3: nothing was handed in" in grade.reason
    limited = WORLD.grade(task, _final(task, submitted=(), limit="steps"))
    assert limited.score == 0
    assert limited.reason.startswith("ended by the limit of steps")


def test_a_changed_table_is_worth_nothing() -> None:
    task = TASKS[0]
    grade = WORLD.grade(task, _final(task, changed=("labs",)))
    assert (grade.score, grade.reason) == (0.0, "changed labs")


@pytest.mark.parametrize(
    "garbage", ["rows", 7, [7], [None], [[]], {"rows": []}, [{"x": float("nan")}], [{}] * 50]
)
def test_garbage_is_a_wrong_answer(garbage: object) -> None:
    for task in TASKS[:5]:
        assert WORLD.grade(task, _final(task, submitted=(garbage,) * len(task.says))).score == 0


def test_tolerances_are_those_of_the_columns() -> None:
    columns = [column for task in TASKS for gold in task.gold for column in gold["columns"]]
    assert {column["tolerance"] for column in columns} == {EXACT, 0.051}
    assert all(column["tolerance"] == EXACT for column in columns if column["kind"] != "number")


async def test_a_limit_of_steps_is_a_scored_failure_by_its_name(tmp_path: Path) -> None:
    from percuss.kit.agent import Limits

    task = TASKS[0]
    gold = WORLD.agents(task, SEED)["gold"]
    looks = Script(steps=((gold.steps[0][0],) * 9, *gold.steps[1:]), says=gold.says)
    final = await played(WORLD, task, looks, tmp_path / "w", limits=Limits(steps=3))
    assert (final.limit, WORLD.grade(task, final).score) == ("steps", 0.0)
    rows = await played(WORLD, task, gold, tmp_path / "r", limits=Limits(spent={"rows": 0}))
    assert (rows.limit, WORLD.grade(task, rows).score) == ("rows", 0.0)


async def test_skill_is_told_from_error_carried_over(tmp_path: Path) -> None:
    """An agent that is right only where it knows the right answer to the round before."""
    task = next(task for task in TASKS if len(task.says) == 4)
    gold = WORLD.agents(task, SEED)["gold"]
    seen: list[Request] = []

    def act(request: Request, _epoch: int) -> Reply:
        seen.append(request)
        texts = [message.text for message in request.messages if message.role == "user"]
        number = len(texts) - 1
        knows = number > 0 and texts[-1].startswith("That was not right")
        step = gold.steps[number][-1]
        arguments = json.dumps(step.arguments if knows else {"rows": [{"wrong": 1}]})
        return Reply(parts=(ToolCall(id=str(number), name="submit", arguments=arguments),), finish="tool")

    posed = Posed(messages=(Message.of("user", task.says[0]),), tools=WORLD.tools(task))
    roles = Roles({"model": Scripted(act)}, seed=1, scratch=_made(tmp_path / "w"))
    transcript = await run(posed, roles, Options(), WORLD, task, seed=SEED)
    final = final_of(transcript.artifacts)
    grade = WORLD.grade(task, final)
    # The second round is right once the first was put right; the third then follows a right answer, and is wrong again.
    assert (grade.score, grade.parts["skill"], grade.parts["carried_over"]) == (0.0, 50.0, 50.0)
    assert [held == gold.steps[n][-1].arguments["rows"] for n, held in enumerate(final.told)] == [
        *(False, True, False, True)
    ]
    said = [
        turn["parts"][0]["text"] for turn in transcript.artifacts["told"]["turns"] if turn["role"] == "user"
    ]
    assert [text.endswith(says) for text, says in zip(said, task.says[1:], strict=True)] == [True] * 3
    assert all(str(value) in said[0] for row in task.gold[0]["rows"] for value in row)
    assert seen[0] == seen[4]  # the first round is the same call, which the journal answers
    assert [turn.role for turn in transcript.turns].count("user") == 3


async def test_where_all_is_right_nothing_is_played_twice(tmp_path: Path) -> None:
    task = TASKS[0]
    final = await played(WORLD, task, WORLD.agents(task, SEED)["gold"], tmp_path / "w")
    assert final.told == final.submitted
    parts = WORLD.grade(task, final).parts
    assert (parts["skill"], parts["carried_over"]) == (100.0, 0.0)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
