"""Replies from a script."""

from collections.abc import Callable
from pathlib import Path

import pytest

from percuss.core.errors import BadInput, BadRequest, Refused
from percuss.core.messages import Reply, Request, Text
from percuss.models.scripted import Scripted

Ask = Callable[..., Request]


async def test_replies_come_in_order_and_then_run_out(ask: Ask) -> None:
    model = Scripted(["one", Reply(parts=(Text(text="two"),), finish="length"), Refused("no")])
    assert (await model.generate(ask("a"))).text == "one"
    assert (await model.generate(ask("b"))).finish == "length"
    with pytest.raises(Refused):
        await model.generate(ask("c"))
    with pytest.raises(BadRequest, match="no reply left"):
        await model.generate(ask("d"))
    assert [request.messages[0].text for request in model.requests] == ["a", "b", "c", "d"]


async def test_a_function_sees_request_and_epoch(ask: Ask) -> None:
    model = Scripted(lambda request, epoch: f"{request.messages[0].text} {epoch}", id="scripted/echo")
    assert (await model.generate(ask("hi"), epoch=4)).text == "hi 4"


async def test_a_file_answers_by_content_and_its_digest_is_the_pin(tmp_path: Path, ask: Ask) -> None:
    script = tmp_path / "ward.jsonl"
    script.write_text(
        '{"text": "II", "when": "stage"}\n\n{"text": "any", "repeat": true}\n{"error": "refused", "when": "never"}\n'
    )
    model = Scripted.from_file(script)
    assert model.id == "scripted/ward"
    assert [(await model.generate(ask(text))).text for text in ("x", "the stage?", "the stage?")] == [
        "any",
        "II",
        "any",
    ]
    pin = model.pin
    script.write_text('{"text": "other"}\n')
    assert Scripted.from_file(script).pin != pin


@pytest.mark.parametrize("line", ["no json", '{"tekst": "x"}', '{"error": "boom"}', "5"])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    script = tmp_path / "s.jsonl"
    script.write_text('{"text": "ok"}\n' + line + "\n")
    with pytest.raises(BadInput, match=r"s\.jsonl, line 2"):
        Scripted.from_file(script)


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        Scripted.from_file(tmp_path / "none.jsonl")
