"""The shipped server as a process, and its other paths."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable

from percuss.core.messages import Request
from percuss.models.loopback import Loopback
from percuss.models.openai_compatible import OpenAICompatible
from percuss.models.wire_server import request_key
from percuss.net.client import Client


async def test_it_runs_as_a_process_and_counts_by_content(
    client: Client, model_at: Callable[..., OpenAICompatible], ask: Callable[..., Request]
) -> None:
    command = [sys.executable, "-m", "percuss.models.loopback", "--text", "Stage II.", "--latency-ms", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220 - it must outlive the call
    try:
        assert process.stdout is not None
        url = (await asyncio.to_thread(process.stdout.readline)).strip()
        model = model_at(url)
        replies = await asyncio.gather(*(model.generate(ask(f"case {number % 3}")) for number in range(9)))
        counts = json.loads((await client.get(url.removesuffix("/v1") + "/counts")).body)
    finally:
        process.terminate()
        process.wait(5)
    assert {reply.text for reply in replies} == {"Stage II."}
    keys = {request_key(ask(f"case {number}"), "gpt-test") for number in range(3)}
    assert counts["seen"] == counts["answered"] == dict.fromkeys(keys, 3)


async def test_it_says_which_models_it_has(client: Client) -> None:
    async with Loopback() as server:
        answer = await client.get(f"{server.url}/models")
    assert json.loads(answer.body)["data"][0]["id"] == "loopback"


async def test_what_is_no_request_is_a_400(client: Client) -> None:
    async with Loopback() as server:
        for body in (
            b"not json",
            b"{}",
            b'{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}',
        ):
            assert (await client.post(f"{server.url}/chat/completions", body=body)).status == 400


async def test_what_hangs_is_torn_down_when_it_stops(client: Client) -> None:
    from percuss.models.faults import Faults

    server = Loopback(faults=Faults(script=["timeout"]))
    await server.start()
    hanging = asyncio.ensure_future(
        client.post(f"{server.url}/chat/completions", body=b'{"messages": []}', timeout_s=20)
    )
    await asyncio.sleep(0.1)
    async with asyncio.timeout(5):
        await server.stop()
        await asyncio.gather(hanging, return_exceptions=True)
    assert isinstance(hanging.exception(), Exception)
