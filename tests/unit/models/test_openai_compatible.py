"""Round trips to the shipped server."""

import asyncio
import io
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from percuss.core.errors import BadReply, BadRequest, ModelError, PercussError, Refused, Transient, UsageError
from percuss.core.messages import Blob, Image, Message, Reply, Request, Text, Tool, ToolCall
from percuss.models.faults import KINDS, Faults
from percuss.models.loopback import Loopback
from percuss.models.openai_compatible import OpenAICompatible
from percuss.models.wire_server import Images, request_key

MakeModel = Callable[..., OpenAICompatible]
Ask = Callable[..., Request]


async def test_the_request_arrives_as_it_was_made(model_at: MakeModel, ask: Ask) -> None:
    async with Loopback(lambda _body: "Stage II.") as server:
        model = model_at(server.url)
        schema = {"type": "object", "properties": {"label": {"type": "string"}}}
        tool = Tool(name="lab", description="d", parameters={"type": "object"})
        request = ask(
            seed=7,
            temperature=0.2,
            top_p=0.9,
            max_tokens=99,
            stop=("END",),
            reply_schema=schema,
            tools=(tool,),
            logprobs=True,
        )
        reply = await model.generate(request, epoch=3)
    assert reply.text == "Stage II."
    assert (reply.finish, reply.tokens_out, reply.served_model) == ("stop", 2, "gpt-test")
    assert server.requests[0] == {
        "model": "gpt-test",
        "messages": [{"role": "user", "content": "Which stage?"}],
        "temperature": 0.2,
        "top_p": 0.9,
        "max_completion_tokens": 99,
        "seed": 7,
        "stop": ["END"],
        "tools": [
            {
                "type": "function",
                "function": {"name": "lab", "description": "d", "parameters": {"type": "object"}},
            }
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": schema},
        },
        "logprobs": True,
    }
    assert server.answered[request_key(request, "gpt-test")] == 1


async def test_images_arrive_pixel_for_pixel(model_at: MakeModel) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(5).integers(0, 256, (48, 64, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    image.fromarray(pixels).save(buffer, "PNG")
    blob = Blob.of(buffer.getvalue(), "image/png")
    kept = Images()
    kept.put(blob)
    part = Image(digest=blob.digest, media_type=blob.media_type)
    async with Loopback(lambda _body: "A chest.") as server:
        message = Message(role="user", parts=(Text(text="Look:"), part, Text(text="What is it?")))
        await model_at(server.url, blobs=kept).generate(Request(messages=(message,)))
    arrived = server.images.get(blob.digest)
    assert arrived == blob
    assert np.array_equal(np.asarray(image.open(io.BytesIO(arrived.data))), pixels)
    assert [piece["type"] for piece in server.requests[0]["messages"][0]["content"]] == [
        "text",
        "image_url",
        "text",
    ]


async def test_images_go_as_file_urls_where_the_server_takes_them(
    model_at: MakeModel, tmp_path: Path
) -> None:
    blob = Blob.of(b"pixels", "image/png")
    kept = Images()
    kept.put(blob)

    def file_url(found: Blob) -> str:
        path = tmp_path / f"{found.digest}.png"
        path.write_bytes(found.data)
        return path.as_uri()

    async with Loopback(lambda _body: "ok") as server:
        model = model_at(server.url, blobs=kept, image_url=file_url)
        message = Message(role="user", parts=(Image(digest=blob.digest, media_type="image/png"),))
        with pytest.raises(BadRequest):  # the shipped server takes data URLs only; what it got is what counts
            await model.generate(Request(messages=(message,)))
    assert server.requests[0]["messages"][0]["content"][0]["image_url"]["url"].startswith("file://")


async def test_tool_calls_come_back(model_at: MakeModel, ask: Ask) -> None:
    call = ToolCall(id="c1", name="lab", arguments='{"name":"K"}')
    async with Loopback(
        lambda _body: Reply(parts=(call,), finish="tool", tokens_in=5, tokens_out=6)
    ) as server:
        reply = await model_at(server.url).generate(ask())
    assert reply.tool_calls == (call,)
    assert (reply.finish, reply.tokens_in, reply.tokens_out) == ("tool", 5, 6)


async def test_a_model_of_ours_can_be_served(model_at: MakeModel, ask: Ask) -> None:
    from percuss.models.scripted import Scripted

    inner = Scripted(["one", Refused("no"), Transient("later"), BadRequest("never")])
    async with Loopback(inner) as server:
        model = model_at(server.url)
        assert (await model.generate(ask(seed=1))).text == "one"
        for kind in (Refused, Transient, BadRequest):
            with pytest.raises(kind):
                await model.generate(ask())
    assert inner.requests[0] == ask(seed=1)


EXPECTED: dict[str, type[ModelError] | None] = {
    "rate_limit": Transient,
    "server_error": Transient,
    "timeout": Transient,
    "reset": Transient,
    "broken_off": Transient,
    "malformed": BadReply,
    "empty": BadReply,
    "truncation": None,
    "refusal": Refused,
    "content_filter": Refused,
    "bad_request": BadRequest,
}


@pytest.mark.parametrize("fault", KINDS)
async def test_each_fault_is_the_right_error_and_shows_no_key(
    model_at: MakeModel, ask: Ask, canary: str, fault: Any
) -> None:
    faults = Faults(script=[fault])
    async with Loopback(lambda _body: "Stage II, most likely.", faults=faults, retry_after="7") as server:
        model = model_at(server.url, timeout_s=0.3 if fault == "timeout" else 60.0)
        expected = EXPECTED[fault]
        if expected is None:
            reply = await model.generate(ask())
            assert reply.finish == "length"
            assert reply.text == "Stage II, m"
        else:
            with pytest.raises(ModelError) as caught:
                await model.generate(ask())
            assert type(caught.value) is expected
            assert canary not in "".join(traceback.format_exception(caught.value))
            if fault == "rate_limit":
                assert caught.value.retry_after_s == 7.0  # type: ignore[attr-defined]
        assert server.made == {fault: 1}
        assert (await model.generate(ask())).finish == "stop"


async def test_a_wrong_key_ends_the_run_and_is_not_repeated(
    model_at: MakeModel, ask: Ask, canary: str
) -> None:
    async with Loopback(api_key="the right one") as server:
        with pytest.raises(UsageError, match=r"rejected the key \(401\).*OPENAI_API_KEY") as caught:
            await model_at(server.url).generate(ask())
    assert canary not in "".join(traceback.format_exception(caught.value))


def test_no_representation_of_a_model_shows_its_key(model_at: MakeModel, canary: str) -> None:
    model = model_at("http://127.0.0.1:1/v1")
    for shown in (
        repr(model),
        str(model),
        repr(vars(model)),
        str(model._endpoint),
        repr(model._endpoint.key),
    ):
        assert canary not in shown
    assert canary.encode() not in pickle.dumps(model._endpoint)


async def test_what_the_server_rejects_is_left_out_and_recorded(model_at: MakeModel, ask: Ask) -> None:
    async with Loopback(
        lambda _body: "ok", rejects=frozenset({"temperature", "seed", "max_completion_tokens"})
    ) as server:
        model = model_at(server.url)
        assert (await model.generate(ask(seed=1))).text == "ok"
        tried = len(server.requests)
        assert (await model.generate(ask("again", seed=1))).text == "ok"
    assert set(model.dropped) == {"temperature", "seed"}
    assert "Unsupported parameter" in model.dropped["seed"]
    assert tried == 4
    assert len(server.requests) == 5
    assert server.requests[-1].keys() == {"model", "messages", "top_p", "max_tokens"}


async def test_nothing_is_left_out_on_a_guess(model_at: MakeModel, ask: Ask) -> None:
    async with Loopback(faults=Faults(script=["bad_request"])) as server:
        model = model_at(server.url)
        with pytest.raises(BadRequest):
            await model.generate(ask(seed=1))
    assert model.dropped == {}
    assert len(server.requests) == 1


async def test_a_server_that_rejects_everything_ends(model_at: MakeModel, ask: Ask) -> None:
    both = frozenset({"max_tokens", "max_completion_tokens"})
    async with Loopback(rejects=both) as server:
        with pytest.raises(BadRequest, match="max_tokens"):
            await model_at(server.url).generate(ask())
    assert len(server.requests) == 2


async def test_what_a_provider_is_documented_to_ignore_is_not_sent(model_at: MakeModel, ask: Ask) -> None:
    async with Loopback(lambda _body: "ok") as server:
        model = model_at(server.url, "anthropic/claude-test")
        await model.generate(ask(seed=1, reply_schema={"type": "object"}))
    assert server.requests[0].keys() == {"model", "messages", "temperature", "max_tokens"}
    assert set(model.dropped) == {"seed", "response_format"}


async def test_a_place_that_is_no_endpoint_is_the_users_to_mend(model_at: MakeModel, ask: Ask) -> None:
    async with Loopback() as server:
        with pytest.raises(UsageError, match="knows no model 'gpt-test'"):
            await model_at(server.url + "/wrong").generate(ask())


async def test_planted_rates_are_drawn_by_content_so_that_order_changes_nothing(
    model_at: MakeModel, ask: Ask
) -> None:
    async def outcomes(concurrency: int) -> dict[str, str]:
        slots = asyncio.Semaphore(concurrency)
        faults = Faults({"rate_limit": 0.2, "refusal": 0.1, "malformed": 0.1}, seed=3)
        async with Loopback(lambda _body: "fine", faults=faults) as server:
            model = model_at(server.url)

            async def one(text: str) -> tuple[str, str]:
                async with slots:
                    try:
                        return text, (await model.generate(ask(text))).text
                    except PercussError as error:
                        return text, type(error).__name__

            return dict(await asyncio.gather(*(one(f"case {number}") for number in range(150))))

    one_by_one = await outcomes(1)
    assert one_by_one == await outcomes(50)
    assert set(one_by_one.values()) == {"fine", "Transient", "Refused", "BadReply"}
