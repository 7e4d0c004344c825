"""The wire format, there and back."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.core.errors import BadReply, Refused
from percuss.core.messages import Blob, Image, Message, Reply, Request, Text, Tool, ToolCall, ToolResult
from percuss.models.wire import read_reply, write_request
from percuss.models.wire_server import Images, body_key, read_request, write_reply

texts = st.text(min_size=1, max_size=40).filter(str.strip)
images = Images()
PICTURE = Blob.of(b"\x89PNG not really", "image/png")
images.put(PICTURE)

user_parts = st.lists(
    st.one_of(
        st.builds(Text, text=texts), st.just(Image(digest=PICTURE.digest, media_type=PICTURE.media_type))
    ),
    min_size=1,
    max_size=4,
)


def joined(message: Message) -> tuple[Any, ...]:
    """Return a message's parts with neighbouring texts joined, as the wire does where there are only texts."""
    if all(isinstance(part, Text) for part in message.parts):
        return (message.role, message.text)
    return (message.role, message.parts)


@given(
    st.lists(st.tuples(st.sampled_from(["system", "user"]), user_parts), min_size=1, max_size=4),
    st.floats(0, 2),
    st.integers(1, 5000),
    st.none() | st.integers(0, 2**31 - 1),
    st.lists(texts, max_size=2),
)
def test_a_request_survives_the_wire(
    spec: list[tuple[Any, list[Any]]], temperature: float, longest: int, seed: int | None, stop: list[str]
) -> None:
    request = Request(
        messages=tuple(Message(role=role, parts=tuple(parts)) for role, parts in spec),
        temperature=temperature,
        max_tokens=longest,
        seed=seed,
        stop=tuple(stop),
    )
    arrived = read_request(write_request(request, "m", blobs=images), Images())
    assert [joined(message) for message in arrived.messages] == [
        joined(message) for message in request.messages
    ]
    assert (arrived.temperature, arrived.max_tokens, arrived.seed, arrived.stop) == (
        temperature,
        longest,
        seed,
        tuple(stop),
    )


def test_tools_calls_results_and_schema_survive_the_wire() -> None:
    request = Request(
        messages=(
            Message.of("user", "What is the potassium?"),
            Message(
                role="assistant",
                parts=(Text(text="Looking."), ToolCall(id="c1", name="lab", arguments='{"name": "K"}')),
            ),
            Message(
                role="tool", parts=(ToolResult(id="c1", content="4.1"), ToolResult(id="c2", content="x"))
            ),
        ),
        tools=(Tool(name="lab", description="A value", parameters={"type": "object", "properties": {}}),),
        reply_schema={"type": "object"},
        logprobs=True,
    )
    body = write_request(request, "m", blobs=None)
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "tool", "tool"]
    arrived = read_request(body, Images())
    assert arrived.tools == request.tools
    assert arrived.reply_schema == request.reply_schema
    assert arrived.logprobs
    assert arrived.messages[1] == request.messages[1]
    assert arrived.messages[2].parts == request.messages[2].parts[:1]


def test_both_names_of_the_token_limit_are_one_request() -> None:
    request = Request(messages=(Message.of("user", "x"),))
    old = write_request(request, "m", blobs=None)
    new = write_request(request, "m", blobs=None, limit_name="max_completion_tokens")
    assert old != new
    assert body_key(old) == body_key(new)


@given(texts, st.integers(0, 10**6), st.sampled_from(["stop", "length"]))
def test_a_reply_survives_the_wire(text: str, tokens: int, finish: Any) -> None:
    reply = Reply(
        parts=(Text(text=text), ToolCall(id="a", name="f", arguments="{}")),
        finish="tool" if finish == "stop" else finish,
        served_model="m-1",
        fingerprint="fp",
        tokens_in=tokens + 1,
        tokens_out=tokens + 2,
        logprobs=({"token": "a", "logprob": -0.5},),
    )
    assert read_reply(write_reply(reply, "m", tokens_in=0)) == reply


def answer(message: dict[str, Any], reason: str | None = "stop") -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": reason}]}


def test_shapes_that_servers_send() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes"}]
    assert read_reply(answer({"content": parts})).text == "Yes"
    call = {"function": {"name": "f", "arguments": {"a": 1}}}
    reply = read_reply(answer({"content": None, "tool_calls": [call]}))
    assert reply.tool_calls == (ToolCall(id="call_0", name="f", arguments='{"a":1}'),)
    assert reply.finish == "tool"
    assert read_reply(answer({"content": "x"}, None)).finish == "stop"
    assert read_reply(answer({"content": "x"}, "max_tokens")).finish == "length"


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        {"choices": []},
        {"choices": [{}]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": 5}}]},
        {"choices": [{"message": {"content": "x", "tool_calls": [{}]}}]},
        {"choices": [{"message": {"content": ["x"]}}]},
        {"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": "many"}},
    ],
)
def test_what_is_no_reply_is_a_bad_reply(body: Any) -> None:
    with pytest.raises(BadReply):
        read_reply(body)


@pytest.mark.parametrize("content", [None, "", " \n "])
def test_an_empty_reply_is_a_bad_reply(content: str | None) -> None:
    with pytest.raises(BadReply, match="empty"):
        read_reply(answer({"content": content}))


def test_an_empty_reply_at_the_limit_says_what_to_do() -> None:
    with pytest.raises(BadReply, match="--max-tokens"):
        read_reply(answer({"content": ""}, "length"))


def test_filter_and_refusal_field_are_refusals() -> None:
    with pytest.raises(Refused, match="filter"):
        read_reply(answer({"content": "partial"}, "content_filter"))
    with pytest.raises(Refused, match="I cannot"):
        read_reply(answer({"content": None, "refusal": "I cannot"}))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "choices",
                        "message",
                        "content",
                        "usage",
                        "tool_calls",
                        "logprobs",
                        "finish_reason",
                        "function",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_reply_or_a_named_error(body: Any) -> None:
    with contextlib.suppress(BadReply, Refused):
        assert read_reply(body).parts
