"""The kit's defaults: asking, cases of rows, counting by label source, rates, what people see, and binding by convention."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from percuss.core.errors import BadInput, UsageError
from percuss.core.messages import Tool
from percuss.core.ports import Model, Roles
from percuss.core.protocol import Options, primary_of
from percuss.core.records import Arm, Cell, Message, Posed, Reply, Request, Text, ToolCall
from percuss.kit import ask, cases_from, protocol, with_tools
from percuss.kit.estimating import Counted, Rates
from percuss.measure.quantity import Quantity
from tests.chain import CHAIN, follower

OPTIONS = Options()


class Says:
    """A model that says one reply after another, and keeps what it was asked."""

    id, pin = "test/says", ""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[Request] = []

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.asked.append(request)
        return self.replies.pop(0)


def reply(text: str, finish: Any = "stop", *calls: ToolCall) -> Reply:
    return Reply(parts=(Text(text=text), *calls), finish=finish)


def roles(model: Model) -> Roles:
    return Roles({"model": model}, seed=5)


POSED = Posed(messages=(Message.of("user", "Why?"),))


async def test_one_call_under_the_policy_of_the_run() -> None:
    model = Says(reply("So."))
    transcript = await ask(POSED, roles(model), Options(temperature=0.5, max_tokens=7))
    assert [turn.text for turn in transcript.turns] == ["So."]
    assert transcript.turns[0].finish == transcript.finish == "stop"
    assert (model.asked[0].temperature, model.asked[0].max_tokens, model.asked[0].seed) == (0.5, 7, 5)


async def test_a_script_goes_on_turn_by_turn_and_ends_where_an_answer_is_cut() -> None:
    posed = Posed(messages=POSED.messages, script={"turns": ["And?", "Then?"]})
    model = Says(reply("One."), reply("Two."), reply("Three."))
    transcript = await ask(posed, roles(model), OPTIONS)
    assert [turn.role for turn in transcript.turns] == ["assistant", "user", "assistant", "user", "assistant"]
    assert [turn.index for turn in transcript.turns] == [0, 1, 2, 3, 4]
    assert [message.text for message in model.asked[-1].messages] == ["Why?", "One.", "And?", "Two.", "Then?"]
    cut = await ask(posed, roles(Says(reply("One.", "length"))), OPTIONS)
    assert [turn.text for turn in cut.turns] == ["One.", "And?"]
    assert (cut.finish, cut.turns[0].finish, cut.turns[1].finish) == ("length", "length", None)


@pytest.mark.parametrize(("wanted", "finish"), [(1, "stop"), (9, "limit")])
async def test_tools_are_used_until_it_answers_or_the_limit_is_reached(wanted: int, finish: str) -> None:
    call = ToolCall(id="1", name="look", arguments="{}")
    replies = [reply("", "tool", call)] * wanted + [reply("So.")]
    model = Says(*replies)
    used: list[str] = []

    async def use(asked: ToolCall) -> str:
        used.append(asked.name)
        return "found"

    posed = Posed(messages=POSED.messages, tools=(Tool(name="look", description="", parameters={}),))
    transcript = await with_tools(posed, roles(model), OPTIONS, use, rounds=2)
    assert transcript.finish == finish
    assert len(used) == min(wanted, 2)
    assert transcript.turns[-1].finish == ("stop" if finish == "stop" else "tool")
    assert model.asked[1].messages[-1].role == "tool"


def test_rows_are_cases_and_every_error_names_its_line(tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("id,cluster,question,answer\na,p1,Why?,so\nb,p1,How?,thus\n", encoding="utf-8")
    first, second = cases_from(table, needs=("question", "answer"))
    assert (first.id, first.cluster, second.cluster) == ("a", "p1", "p1")
    assert first.payload == {"question": "Why?", "answer": "so"}
    table.write_text("id,question\na,Why?\na,How?\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"mine\.csv.*3.*second case has the id 'a'"):
        list(cases_from(table))
    table.write_text("id,question\na,\n", encoding="utf-8")
    with pytest.raises(BadInput, match="has no question; each case needs question"):
        list(cases_from(table, needs=("question",)))


async def test_a_chain_is_posed_with_what_came_before() -> None:
    case = next(CHAIN.cases(None, OPTIONS, 1))
    arms = {arm.name: arm for arm in CHAIN.arms(OPTIONS)}
    posed = CHAIN.pose(case, arms["first"], None, OPTIONS, 1)
    assert isinstance(posed, Posed)
    said = await CHAIN.ask(posed, roles(follower()), OPTIONS)
    assert case.payload["wrong"] in said.turns[-1].text


def _package(name: str, folder: Path, **functions: Any) -> None:
    module = ModuleType(name)
    module.__file__ = str(folder / "__init__.py")
    vars(module).update(functions)
    sys.modules[name] = module


def test_what_a_package_lacks_is_named(tmp_path: Path) -> None:
    _package("toy_bare", tmp_path)
    with pytest.raises(UsageError, match=r"has no protocol\.toml"):
        protocol("toy_bare")
    toml = (Path(__file__).parents[2] / "chain.toml").read_text(encoding="utf-8")
    (tmp_path / "protocol.toml").write_text(toml, encoding="utf-8")
    _package("toy_empty", tmp_path, arms=lambda options: (Arm(name="a"),))
    with pytest.raises(UsageError, match=r"the protocol chain has no function cases\("):
        protocol("toy_empty")


def test_a_folder_binds_several_protocols(tmp_path: Path) -> None:
    toml = (Path(__file__).parents[2] / "chain.toml").read_text(encoding="utf-8")
    (tmp_path / "one.toml").write_text(toml, encoding="utf-8")
    (tmp_path / "two.toml").write_text(toml.replace('"chain"', '"other"'), encoding="utf-8")
    parts = {
        name: getattr(CHAIN, name) for name in ("cases", "arms", "pose", "verdicts", "cells", "estimates")
    }
    _package("toy_two", tmp_path, **parts)
    assert [protocol("toy_two", manifest=f"{n}.toml").name for n in ("one", "two")] == ["chain", "other"]
    assert protocol("toy_two", manifest="one.toml", raters=lambda options: ("rule:x",)).raters(OPTIONS) == (
        "rule:x",
    )
    assert protocol("toy_two", manifest="two.toml").raters(OPTIONS) == ("rule:other",)


def test_settings_are_the_one_class_that_the_package_defines_and_else_the_plain_ones(tmp_path: Path) -> None:
    toml = (Path(__file__).parents[2] / "chain.toml").read_text(encoding="utf-8")
    (tmp_path / "protocol.toml").write_text(toml, encoding="utf-8")
    parts = {
        name: getattr(CHAIN, name) for name in ("cases", "arms", "pose", "verdicts", "cells", "estimates")
    }

    class Own(Options):
        """Settings of a toy."""

    class Another(Options):
        """More settings of a toy."""

    Own.__module__ = Another.__module__ = "toy_settings"
    _package("toy_settings", tmp_path, Own=Own, Options=Options, **parts)
    assert protocol("toy_settings").options is Own
    _package("toy_settings", tmp_path, Own=Own, Another=Another, **parts)
    assert protocol("toy_settings").options is Options
    assert protocol("toy_settings", options=Another).options is Another


def test_a_function_is_found_in_the_second_room_that_it_may_lie_in(tmp_path: Path) -> None:
    toml = (Path(__file__).parents[2] / "chain.toml").read_text(encoding="utf-8")
    (tmp_path / "protocol.toml").write_text(toml, encoding="utf-8")
    head = "from percuss.core.records import Arm\n"
    body = "def arms(options):\n    return (Arm(name='only'),)\n"
    (tmp_path / "arms.py").write_text(head + body, encoding="utf-8")
    parts = {name: getattr(CHAIN, name) for name in ("cases", "pose", "verdicts", "cells", "estimates")}
    _package("toy_rooms", tmp_path, **parts)
    sys.modules["toy_rooms"].__path__ = [str(tmp_path)]
    assert [arm.name for arm in protocol("toy_rooms").arms(OPTIONS)] == ["only"]


def test_rates_of_a_single_cell_carry_its_scoring() -> None:
    lead = primary_of(
        {"primary": {"estimate": "r", "labels": "rule:x", "arms": ["a", "b"], "words": "wrong"}}
    )
    made = Rates([Counted(Quantity("r", "wrong", "?", "lower"), "unsupported")], lead)
    cell = Cell(
        name="r", model="m", arm="a", labels="rule:x", case_id="c", cluster="c", num=1, den=2, scoring="s1"
    )
    assert {e.scoring for e in made.estimates([cell], OPTIONS, 1)} == {"s1"}
    with pytest.raises(UsageError, match="nothing was checked"):
        list(made.estimates([], OPTIONS, 1))
