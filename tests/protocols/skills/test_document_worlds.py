"""What holds in every world of documents: garbage is graded, tools say what they expected, and words win nothing."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.protocols.skills.worlds.contract import Script, Step, World
from percuss.protocols.skills.worlds.library import Library
from percuss.protocols.skills.worlds.literature import Literature
from tests.protocols.skills.offline_worlds import gold_submission, graded, handed, played

WORLDS: tuple[World, ...] = (Library(), Literature())
EVERY = pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
PIECES = st.lists(
    st.fixed_dictionaries({name: st.text(max_size=20) for name in ("claim", "record", "quote")}), max_size=3
)
NEAR: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "rag": st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("ranked", "answer", "citations", "followed", "order", "query", "k", "document"), JSON
        ),
    ),
    "research": st.fixed_dictionaries(
        {},
        optional={
            "sections": JSON | st.lists(st.fixed_dictionaries({"text": st.text(max_size=40)}), max_size=3),
            "evidence": JSON | PIECES,
            **dict.fromkeys(("query", "k", "record", "plan"), JSON),
        },
    ),
}
"""World -> submissions and arguments that look nearly right."""


@EVERY
async def test_a_transcript_that_lies_about_success_scores_0(world: World) -> None:
    for task in world.tasks(0)[:12]:
        says = json.dumps({"submitted": gold_submission(world, task), "score": 100})
        assert (await graded(world, task, Script(steps=((),), says=(says,)))).score == 0.0


@EVERY
async def test_chance_is_far_from_skill(world: World) -> None:
    tasks = world.tasks(0)
    scores = [(await graded(world, task, world.agents(task, 5)["random"])).score or 0.0 for task in tasks]
    assert sum(scores) / len(scores) < 15


@EVERY
@pytest.mark.parametrize("limit", ["steps", "tokens"])
def test_a_limit_is_a_failure_by_its_name(world: World, limit: str) -> None:
    task = world.tasks(0)[0]
    grade = world.grade(task, handed(gold_submission(world, task), limit=limit))
    assert (grade.score, grade.reason) == (0.0, f"limit: {limit}")


@EVERY
def test_nothing_and_what_cannot_be_read_are_told_apart(world: World) -> None:
    task = world.tasks(0)[0]
    submissions: tuple[object, ...] = (None, {}, 7)
    reasons = {str(each): world.grade(task, handed(each)).reason for each in submissions}
    unread = "the submission can't be read"
    assert reasons == {"None": "nothing was handed in", "{}": unread, "7": unread}


@EVERY
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_garbage_never_raises(world: World, data: st.DataObject) -> None:
    submission = data.draw(JSON | NEAR[world.name])
    task = data.draw(st.sampled_from(world.tasks(0)[:12]))
    grade = world.grade(task, handed(submission))
    assert grade.score is None or 0 <= grade.score <= 100


@EVERY
@given(data=st.data())
@settings(max_examples=60, deadline=None)
async def test_a_tool_says_what_it_expected(world: World, data: st.DataObject) -> None:
    task = world.tasks(0)[0]
    tool = data.draw(st.sampled_from([*(each.name for each in world.tools(task)), "drop"]))
    arguments = data.draw(NEAR[world.name])
    final = await played(world, task, Script(steps=((Step(tool=tool, arguments=arguments),),), says=("",)))
    assert final.log[0].outcome in {"ok", "error"}
    assert final.log[0].text
