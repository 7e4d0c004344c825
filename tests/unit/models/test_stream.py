"""Streams put together again."""

from typing import Any

from percuss.core.messages import ToolCall
from percuss.models.stream import Stream
from percuss.models.wire import read_reply


def chunk(delta: dict[str, Any], reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason, **more}]}


def test_text_logprobs_and_usage() -> None:
    stream = Stream()
    for part in (
        chunk({"role": "assistant", "content": None}),
        chunk({"content": "Stage"}, logprobs={"content": [{"token": "Stage", "logprob": -0.1}]}),
        chunk({"content": " II"}, logprobs={"content": [{"token": " II", "logprob": -0.2}]}),
        chunk({}, "length"),
        {"model": "m", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
    ):
        stream.add(part)
    reply = read_reply(stream.answer())
    assert (reply.text, reply.finish, reply.tokens_in, reply.tokens_out) == ("Stage II", "length", 3, 2)
    assert reply.logprobs == ({"token": "Stage", "logprob": -0.1}, {"token": " II", "logprob": -0.2})


def test_tool_calls_in_pieces() -> None:
    stream = Stream()
    for part in (
        chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "lab", "arguments": ""}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"name":'}}]}),
        chunk({"tool_calls": [{"index": 1, "id": "b", "function": {"name": "note", "arguments": "{}"}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '"K"}'}}]}),
        chunk({}, "tool_calls"),
    ):
        stream.add(part)
    reply = read_reply(stream.answer())
    assert reply.tool_calls == (
        ToolCall(id="a", name="lab", arguments='{"name":"K"}'),
        ToolCall(id="b", name="note", arguments="{}"),
    )


def test_an_error_in_place_of_a_chunk_is_the_answer() -> None:
    stream = Stream()
    stream.add({"error": {"code": 400, "message": "too long"}})
    assert stream.answer() == {"error": {"code": 400, "message": "too long"}}
