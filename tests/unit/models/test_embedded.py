"""The model in this process. Needs the extra `embedded`, and the weights (98 MB) from the cache or a network."""

import asyncio
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from percuss.core.errors import BadRequest, UsageError
from percuss.core.messages import Blob, Image, Message, Request
from percuss.models.assets import ASSETS
from percuss.models.embedded import DEFAULT, Embedded

# Not `importorskip`: the library must be imported by our code, which sets how its threads wait.
pytestmark = [
    pytest.mark.embedded,
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="the extra `embedded` is not installed"),
]

Ask = Callable[..., Request]


@pytest.fixture(scope="module")
def model(weights: Callable[..., Path]) -> Embedded:
    return Embedded(name=DEFAULT, weights=weights(DEFAULT), context=1024)


QUESTION = "Describe a lung adenocarcinoma in three sentences."


async def test_same_seed_same_text_whatever_came_between(model: Embedded, ask: Ask) -> None:
    request = ask(QUESTION, temperature=0.8, seed=11, max_tokens=40)
    first = await model.generate(request)
    await model.generate(ask("Something else entirely.", temperature=1.0, seed=5, max_tokens=10))
    second = await model.generate(request)
    assert first == second
    assert first.text
    assert first.tokens_in > 10
    other = await model.generate(ask(QUESTION, temperature=0.8, seed=12, max_tokens=40))
    assert other.text != first.text


async def test_no_seed_is_a_seed_too(model: Embedded, ask: Ask) -> None:
    request = ask(QUESTION, temperature=0.8, max_tokens=15)
    assert await model.generate(request) == await model.generate(request)


async def test_it_neither_blocks_the_loop_nor_answers_two_at_a_time(model: Embedded, ask: Ask) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    requests = [ask(QUESTION, seed=seed, temperature=0.8, max_tokens=15) for seed in (1, 2)]
    alone = [await model.generate(request) for request in requests]
    ticking = asyncio.ensure_future(tick())
    together = await asyncio.gather(*(model.generate(request) for request in requests))
    ticking.cancel()
    assert list(together) == alone
    assert ticks >= 5  # a loop that waited for the model would have ticked once or twice


async def test_a_call_that_was_given_up_ends_at_the_next_token(model: Embedded, ask: Ask) -> None:
    await model.generate(ask("Hi.", max_tokens=1))
    long = asyncio.ensure_future(
        model.generate(ask("Count to a thousand.", max_tokens=900, temperature=0.8, seed=3))
    )
    await asyncio.sleep(0.3)
    long.cancel()
    started = time.perf_counter()
    await model.generate(ask("Hi.", max_tokens=1))
    waited = time.perf_counter() - started
    started = time.perf_counter()
    await model.generate(ask(QUESTION, max_tokens=60))
    # 900 tokens would take fifteen times as long as these 60, however busy the machine is.
    assert waited < 10 * (time.perf_counter() - started)


async def test_a_reply_cut_at_the_limit_says_so(model: Embedded, ask: Ask) -> None:
    reply = await model.generate(ask(QUESTION, max_tokens=5))
    assert reply.finish == "length"
    assert reply.tokens_out == 5


async def test_a_schema_is_kept(model: Embedded, ask: Ask) -> None:
    schema = {
        "type": "object",
        "properties": {"label": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["label"],
    }
    reply = await model.generate(ask("Is the sky blue? Answer in JSON.", reply_schema=schema, max_tokens=30))
    assert msgspec.json.decode(reply.text)["label"] in ("yes", "no")


async def test_logprobs_come_when_asked_for(model: Embedded, ask: Ask) -> None:
    reply = await model.generate(ask("Say yes.", logprobs=True, max_tokens=4))
    assert reply.logprobs is not None
    assert len(reply.logprobs) == 4
    assert all(entry["logprob"] <= 0 for entry in reply.logprobs)


async def test_no_path_of_this_machine_leaves_it(model: Embedded, ask: Ask) -> None:
    reply = await model.generate(ask("Hello.", max_tokens=3))
    assert reply.served_model == model.id == "embedded/smollm2-135m-instruct"
    assert model.pin == ASSETS[DEFAULT].sha256


async def test_a_prompt_longer_than_the_context_is_rejected(model: Embedded, ask: Ask) -> None:
    with pytest.raises(BadRequest, match="context"):
        await model.generate(ask("word " * 3000))


async def test_an_image_is_rejected(model: Embedded) -> None:
    picture = Blob.of(b"x", "image/png")
    message = Message(role="user", parts=(Image(digest=picture.digest, media_type="image/png"),))
    with pytest.raises(BadRequest, match="reads no images"):
        await model.generate(Request(messages=(message,)))


def test_it_listens_on_a_private_socket_and_on_no_port(model: Embedded) -> None:
    asyncio.run(model.generate(Request(messages=(Message.of("user", "Hi."),), max_tokens=1)))
    address = model._server.listening_address
    assert address.startswith("unix://")
    assert Path(address.removeprefix("unix://")).parent.stat().st_mode & 0o077 == 0


async def test_a_file_that_is_no_model_is_a_usage_error(tmp_path: Path, ask: Ask) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + b"\0" * 100)
    with pytest.raises(UsageError, match=r"broken\.gguf could not be loaded"):
        await Embedded.named(str(broken)).generate(ask())


def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERCUSS_CACHE", str(tmp_path))
    (tmp_path / "ward.gguf").write_bytes(b"GGUF")
    assert Embedded.named("Ward").id == "embedded/ward"
    assert Embedded.named(str(tmp_path / "ward.gguf")).id == "embedded/ward"
    assert Embedded.named("SmolLM2-135M-Instruct").id == "embedded/smollm2-135m-instruct"
    with pytest.raises(UsageError, match=r"qwen2\.5-coder-1\.5b-instruct"):
        Embedded.named("none")
