"""Models of Inspect as ours. Needs the extra `inspect`."""

from collections.abc import Callable
from typing import Any

import pytest

from percuss.core.errors import BadReply, BadRequest, Refused, Transient, UsageError
from percuss.core.messages import Blob, Image, Message, Request, Text, Tool, ToolCall, ToolResult
from percuss.models.inspect_provider import InspectModel
from percuss.models.wire_server import Images

# Inspect's own retries use a parameter that tenacity is about to drop.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
inspect_model = pytest.importorskip("inspect_ai.model", reason="the extra `inspect` is not installed")

Ask = Callable[..., Request]


def mock(*outputs: Any) -> InspectModel:
    model = inspect_model.get_model("mockllm/model", custom_outputs=list(outputs), memoize=False)
    return InspectModel("mockllm/model", model=model)


def output(text: str, reason: str = "stop") -> Any:
    return counted(inspect_model.ModelOutput.from_content("mockllm/model", text, stop_reason=reason))


def counted(made: Any) -> Any:
    """Give an output its usage: Inspect's mock would fetch a tokenizer from the network to count."""
    made.usage = inspect_model.ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
    return made


async def test_a_reply_comes_over(ask: Ask) -> None:
    model = mock(output("Stage II."), output("Stage I", "max_tokens"))
    assert model.id == "inspect/mockllm/model"
    reply = await model.generate(ask())
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("Stage II.", 7, 3)
    assert (await model.generate(ask())).finish == "length"


async def test_settings_and_messages_of_every_kind_arrive() -> None:
    seen: list[Any] = []

    def answer(messages: Any, tools: Any, _choice: Any, config: Any) -> Any:
        seen.extend((messages, tools, config))
        return output("ok")

    blob = Blob.of(b"pixels", "image/png")
    kept = Images()
    kept.put(blob)
    inner = inspect_model.get_model("mockllm/model", custom_outputs=answer, memoize=False)
    model = InspectModel("mockllm/model", blobs=kept, model=inner)
    request = Request(
        messages=(
            Message.of("system", "Be brief."),
            Message(
                role="user", parts=(Text(text="Look"), Image(digest=blob.digest, media_type="image/png"))
            ),
            Message(role="assistant", parts=(ToolCall(id="c1", name="lab", arguments='{"name": "K"}'),)),
            Message(role="tool", parts=(ToolResult(id="c1", content="4.1"),)),
            Message.of("user", "So?"),
        ),
        temperature=0.3,
        seed=4,
        max_tokens=77,
        stop=("END",),
        tools=(Tool(name="lab", description="d", parameters={"type": "object", "properties": {}}),),
        reply_schema={"type": "object", "properties": {"label": {"type": "string"}}},
    )
    await model.generate(request)
    messages, tools, config = seen
    assert [message.role for message in messages] == ["system", "user", "assistant", "tool", "user"]
    assert messages[1].content[1].image.startswith("data:image/png;base64,")
    assert messages[2].tool_calls[0].arguments == {"name": "K"}
    assert messages[3].text == "4.1"
    assert tools[0].name == "lab"
    assert (config.temperature, config.seed, config.max_tokens, config.stop_seqs) == (0.3, 4, 77, ["END"])
    assert config.response_schema.json_schema.properties["label"].type == "string"


async def test_tool_calls_come_back(ask: Ask) -> None:
    called = counted(inspect_model.ModelOutput.for_tool_call("mockllm/model", "lab", {"name": "K"}))
    reply = await mock(called).generate(ask())
    assert (reply.finish, reply.tool_calls[0].name, reply.tool_calls[0].arguments) == (
        "tool",
        "lab",
        '{"name":"K"}',
    )


async def test_failures_are_named_and_hold_no_words_of_the_provider(ask: Ask, canary: str) -> None:
    class Failure(Exception):
        def __init__(self, status: int) -> None:
            super().__init__(f"bad key {canary}")
            self.status_code = status

    for status, kind in ((429, Transient), (503, Transient), (400, BadRequest), (401, UsageError)):

        def fail(*_: Any, status: int = status) -> Any:
            raise Failure(status)

        inner = inspect_model.get_model("mockllm/model", custom_outputs=fail, memoize=False)
        with pytest.raises(kind) as caught:
            await InspectModel("mockllm/model", model=inner).generate(ask())
        assert canary not in str(caught.value)
    with pytest.raises(Refused):
        await mock(output("", "content_filter")).generate(ask())
    with pytest.raises(BadReply):
        await mock(output(" ")).generate(ask())


async def test_an_unknown_model_is_a_usage_error(ask: Ask) -> None:
    with pytest.raises(UsageError, match="Inspect cannot make the model"):
        await InspectModel("nonsense/x").generate(ask())
