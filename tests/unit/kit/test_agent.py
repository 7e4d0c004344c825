"""The agent loop: rounds, calls on the wire and in text, each limit by its name, and every turn kept."""

from typing import Any

import pytest

from percuss.core.messages import Message, Reply, Text, Tool, ToolCall
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed
from percuss.kit.agent import Given, Limits, Played, Read, arguments_of, play
from percuss.models.scripted import Scripted

TOOL = Tool(name="look", description="Look.", parameters={"type": "object"})
POSED = Posed(messages=(Message.of("system", "You look."), Message.of("user", "One?")), tools=(TOOL,))


def calling(*names: str, tokens: int = 1, arguments: str = "{}") -> Reply:
    calls = tuple(ToolCall(id=f"c{i}", name=name, arguments=arguments) for i, name in enumerate(names))
    return Reply(parts=calls, finish="tool", tokens_out=tokens)


class World:
    """Does every call, hears every round; `hand_in` ends a round."""

    def __init__(self, spent: dict[str, float] | None = None) -> None:
        self.heard: list[Any] = []
        self.spent = spent or {}

    async def call(self, tool: str, arguments: dict[str, Any] | None) -> Given:
        self.heard.append((tool, arguments))
        return Given(text=f"{tool} did", spent=self.spent, done=tool == "hand_in")


async def played(model: Scripted, world: World, **settings: Any) -> Played:
    return await play(POSED, Roles({"model": model}, seed=1), Options(), world.call, **settings)


async def test_rounds_go_on_where_the_model_answers_or_hands_in() -> None:
    model, world = Scripted([calling("look"), calling("hand_in"), "Two.", "Three."]), World()
    rounds: list[int] = []
    end = await played(model, world, says=("Second?", "Third?"), on_round=rounds.append)
    assert rounds == [0, 1, 2]
    assert world.heard == [("look", {}), ("hand_in", {})]
    roles = [turn.role for turn in end.transcript.turns]
    assert roles == ["assistant", "tool", "assistant", "tool", "user", "assistant", "user", "assistant"]
    assert [turn.index for turn in end.transcript.turns] == list(range(8))
    assert (end.limit, end.transcript.finish) == ("", "stop")
    assert [message.role for message in model.requests[2].messages][-3:] == ["assistant", "tool", "user"]


async def test_calls_after_the_one_that_ends_a_round_are_not_done() -> None:
    world = World()
    end = await played(Scripted([calling("look", "hand_in", "look")]), world)
    assert [tool for tool, _ in world.heard] == ["look", "hand_in"]
    results = [part.content for part in end.transcript.turns[1].parts]  # type: ignore[union-attr]
    assert results[:2] == ["look did", "hand_in did"]
    assert results[2].startswith("Not done")


@pytest.mark.parametrize(
    ("limits", "name", "calls"),
    [
        (Limits(steps=3), "steps", 3),
        (Limits(tokens=25), "tokens", 2),
        (Limits(tokens=20), "tokens", 2),  # as many as it may have
        (Limits(spent={"rows": 100}), "rows", 3),
        (Limits(spent={"rows": 80}), "rows", 3),
        (Limits(spent={"seconds": 1.0, "rows": 60}), "rows", 2),  # the first that is met
        (Limits(spent={"seconds": 0.5}), "seconds", 1),
    ],
)
async def test_each_limit_ends_all_by_its_name(limits: Limits, name: str, calls: int) -> None:
    model = Scripted(lambda _request, _epoch: calling("look", tokens=10))
    world = World({"rows": 40, "seconds": 0.6})
    end = await played(model, world, says=("Second?",), limits=limits)
    assert (end.limit, end.transcript.finish, len(world.heard)) == (name, "limit", calls)
    assert "user" not in {turn.role for turn in end.transcript.turns}


async def test_the_last_step_may_hand_in() -> None:
    end = await played(Scripted([calling("look"), calling("hand_in")]), World(), limits=Limits(steps=2))
    assert end.limit == ""


async def test_steps_are_counted_anew_in_each_round() -> None:
    model = Scripted([calling("look"), "One.", calling("look"), "Two."])
    end = await played(model, World(), says=("Second?",), limits=Limits(steps=2))
    assert (end.limit, len(end.transcript.turns)) == ("", 7)


async def test_a_provider_without_token_counts_is_counted_by_letters() -> None:
    model = Scripted([calling("look", tokens=0, arguments='{"a": "' + "x" * 400 + '"}'), "So."])
    assert (await played(model, World(), limits=Limits(tokens=90))).limit == "tokens"


def read(text: str) -> Read:
    if text == "CALL":
        return Read(calls=(ToolCall(id="text-0", name="look", arguments='{"a": 1}'),))
    return Read(undecided="odd" if text == "ODD" else "")


async def test_a_call_in_text_is_answered_by_the_user_in_one_message_with_what_follows() -> None:
    model, world = Scripted(["CALL", "ODD", "CALL", "So."]), World()
    end = await played(model, world, says=("Second?",), read=read)
    assert world.heard == [("look", {"a": 1})] * 2
    assert end.undecided == ("odd",)
    said = model.requests[1].messages[-1]
    assert (said.role, said.text) == ("user", "Result of look:\nlook did")
    assert [turn.role for turn in end.transcript.turns] == [
        *("assistant", "tool", "assistant", "user", "assistant", "tool", "assistant")
    ]
    for request in model.requests:
        pairs = zip(request.messages, request.messages[1:], strict=False)
        assert all(one.role != other.role for one, other in pairs)


async def test_text_is_text_without_a_reader_and_a_pose_without_tools_calls_nothing() -> None:
    world = World()
    assert (await played(Scripted(["CALL"]), world)).transcript.finish == "stop"
    bare = Posed(messages=POSED.messages)
    await play(bare, Roles({"model": Scripted([calling("look")])}, seed=1), Options(), world.call)
    assert world.heard == []


@pytest.mark.parametrize("text", ["[1]", "{", '{"a": NaN}', "3", '"x"', '{"a": "\ud800"}', "[" * 100_000])
async def test_arguments_that_are_no_object_are_none(text: str) -> None:
    world = World()
    assert arguments_of(ToolCall(id="1", name="look", arguments=text)) is None
    await played(Scripted([calling("look", arguments=text), "So."]), world)
    assert world.heard == [("look", None)]


async def test_a_refusal_ends_all() -> None:
    model = Scripted([Reply(parts=(Text(text="I can't."),), finish="refused"), "More."])
    end = await played(model, World(), says=("Second?",))
    assert (end.transcript.finish, len(end.transcript.turns)) == ("refused", 1)
