"""A task played: the trajectory, the final state, and the same end after a kill at every step."""

from pathlib import Path

import pytest

from percuss.core.messages import Message, Reply, Request
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed, Transcript
from percuss.models.scripted import Scripted
from percuss.protocols.skills.acting import Actor
from percuss.protocols.skills.playing import final_of, run
from tests.protocols.skills.toy import Toy

WORLD = Toy()
TASK = WORLD.tasks(10)[0]
POSED = Posed(messages=(Message.of("user", TASK.says[0]),), tools=WORLD.tools(TASK))


def folder(tmp_path: Path, name: str) -> Path:
    (tmp_path / name).mkdir()
    return tmp_path / name


async def scripted(tmp_path: Path, agent: str) -> Transcript:
    roles = Roles({}, seed=1, scratch=folder(tmp_path, agent))
    script = WORLD.agents(TASK, 10)[agent]
    return await run(POSED, roles, Options(), WORLD, TASK, seed=10, script=script)


async def test_scripted_agents_go_through_the_loop_and_the_state_grades(tmp_path: Path) -> None:
    gold, liar = await scripted(tmp_path, "gold"), await scripted(tmp_path, "liar")
    final = final_of(gold.artifacts)
    assert WORLD.grade(TASK, final).score == 100
    assert (final.changed, final.submitted, final.limit) == (("count",), (13, 15), "")
    assert [(action.round, action.tool, action.index) for action in final.log] == [
        *((0, "add", 0), (0, "submit", 1), (1, "add", 2), (1, "submit", 3))
    ]
    assert final.before != final.after
    lied = final_of(liar.artifacts)
    assert (WORLD.grade(TASK, lied).score, lied.before == lied.after) == (0, True)
    assert "It is 13." in liar.turns[0].text


async def test_unknown_tools_and_unreadable_arguments_are_errors_in_the_log(tmp_path: Path) -> None:
    from percuss.core.messages import ToolCall

    calls = (ToolCall(id="1", name="burn", arguments="{}"), ToolCall(id="2", name="add", arguments="{"))
    model = Scripted([Reply(parts=calls, finish="tool"), "One.", "Two."])
    roles = Roles({"model": model}, seed=1, scratch=folder(tmp_path, "w"))
    final = final_of((await run(POSED, roles, Options(), WORLD, TASK, seed=10)).artifacts)
    assert [action.outcome for action in final.log] == ["error", "error"]
    assert "the tools are add, submit" in final.log[0].text
    assert final.changed == ()


class Killed(BaseException):
    """The process ends here."""


class Journal:
    """Gives kept replies; asks for the rest, and dies after so many new ones."""

    id, pin = "test/journal", ""

    def __init__(self, kept: list[Reply], dies_after: int) -> None:
        self.actor = Actor(WORLD.agents(TASK, 10)["gold"])
        self.kept, self.asked, self.dies_after = kept, 0, dies_after

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        if self.asked == len(self.kept):
            if self.asked == self.dies_after:
                raise Killed
            self.kept.append(await self.actor.generate(request))
        self.asked += 1
        return self.kept[self.asked - 1]


@pytest.mark.parametrize("step", [1, 2, 3])
async def test_killed_after_any_step_it_ends_the_same(tmp_path: Path, step: int) -> None:
    kept: list[Reply] = []
    roles = Roles({"model": Journal(kept, step)}, seed=1, scratch=folder(tmp_path, "first"))
    with pytest.raises(Killed):
        await run(POSED, roles, Options(), WORLD, TASK, seed=10)
    assert len(kept) == step
    again = Roles({"model": Journal(kept, 99)}, seed=1, scratch=folder(tmp_path, "again"))
    resumed = await run(POSED, again, Options(), WORLD, TASK, seed=10)
    whole = await scripted(tmp_path, "gold")
    assert resumed.artifacts == whole.artifacts
    assert len(kept) == 4


async def test_a_world_needs_a_folder() -> None:
    with pytest.raises(ValueError, match=r"roles\.scratch"):
        await run(POSED, Roles({}, seed=1), Options(), WORLD, TASK, seed=10)


async def test_a_call_in_text_is_done_and_what_is_undecided_is_kept(tmp_path: Path) -> None:
    said = ['```json\n{"tool": "add", "arguments": {"by": 3}}\n```', '{"tool": "submit", "val', "Two."]
    roles = Roles({"model": Scripted(said)}, seed=1, scratch=folder(tmp_path, "w"))
    transcript = await run(POSED, roles, Options(), WORLD, TASK, seed=10)
    final = final_of(transcript.artifacts)
    assert [(action.tool, action.outcome) for action in final.log] == [("add", "ok")]
    assert transcript.artifacts["undecided"] == ["a call that is cut or no JSON"]
