"""Texts to unit vectors."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from percuss.core.errors import BadReply, Transient, UsageError
from percuss.models import embeddings
from percuss.models.assets import ASSETS
from percuss.models.loopback import Loopback
from percuss.net.client import Client


@pytest.fixture
def minilm(weights: Callable[..., Path], client: Client) -> embeddings.MiniLM:
    pytest.importorskip("onnxruntime", reason="the extra `embedded` is not installed")
    weights("minilm-l6-int8", "minilm-l6-vocabulary")
    made = embeddings.build(client=client)
    assert isinstance(made, embeddings.MiniLM)
    return made


@pytest.mark.embedded
async def test_paraphrases_are_near_and_other_things_far(minilm: embeddings.MiniLM) -> None:
    rows = await minilm.embed(
        ["The tumour is stage III.", "Stage III cancer was found.", "The patient likes cycling.", ""]
    )
    assert rows.shape == (4, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    near, far = float(rows[0] @ rows[1]), float(rows[0] @ rows[2])
    # Measured 0.877 and 0.100 (int8 weights, onnxruntime 1.31).
    assert near == pytest.approx(0.877, abs=0.02)
    assert far == pytest.approx(0.100, abs=0.03)


@pytest.mark.embedded
async def test_a_text_has_one_vector_alone_and_in_a_batch(minilm: embeddings.MiniLM) -> None:
    texts = ["word " * count for count in (300, 1, 40, 5)]
    together = await minilm.embed(texts + texts[1:] * 11)
    alone = np.concatenate([await minilm.embed([text]) for text in texts])
    assert len(together) == 37  # more than one batch
    assert np.abs(together[:4] - alone).max() < 1e-5
    assert np.array_equal(together[1:4], together[4:7])


@pytest.mark.embedded
async def test_its_identity_is_its_weights(minilm: embeddings.MiniLM) -> None:
    assert minilm.id == "embedded/minilm-l6-int8"
    assert minilm.pin == ASSETS["minilm-l6-int8"].sha256
    assert (await minilm.embed([])).shape == (0, 384)


async def test_an_endpoint_in_batches_in_order(client: Client, canary: str) -> None:
    texts = [f"text {number}" for number in range(300)]
    async with Loopback(api_key=canary) as server:
        embedder = embeddings.build(
            "openai/text-embedding-3-small",
            client=client,
            base_url=server.url,
            environ={"OPENAI_API_KEY": canary},
        )
        rows = await embedder.embed(texts)
        again = await embedder.embed(texts[250:])
    assert embedder.id == "openai/text-embedding-3-small"
    assert canary not in repr(embedder)
    assert rows.shape == (300, 64)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    assert np.allclose(rows[250:], again)


async def test_failures_of_an_endpoint_are_named(client: Client) -> None:
    embedder = embeddings.build("vllm/e", client=client, base_url="http://127.0.0.1:9/v1", environ={})
    with pytest.raises(Transient, match="nothing answers"):
        await embedder.embed(["x"])
    async with Loopback(api_key="other") as server:
        embedder = embeddings.build("vllm/e", client=client, base_url=server.url, environ={})
        with pytest.raises(UsageError, match="asks for a key"):
            await embedder.embed(["x"])


@pytest.mark.parametrize(
    "data",
    [
        "[]",
        '[{"index": 0, "embedding": []}]',
        '[{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, 2]}]',
        '[{"index": 0, "embedding": [1, "x"]}]',
        '[{"index": 0, "embedding": [1e999]}]',
        "5",
    ],
)
async def test_unreadable_embeddings_are_a_bad_reply(client: Client, data: str) -> None:
    from aiohttp import web

    async def reply(_request: web.Request) -> web.Response:
        return web.Response(text=f'{{"data": {data}}}', content_type="application/json")

    app = web.Application()
    app.router.add_post("/v1/embeddings", reply)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        embedder = embeddings.build("vllm/e", client=client, base_url=url, environ={})
        with pytest.raises(BadReply):
            await embedder.embed(["x"])
    finally:
        await runner.cleanup()


def test_unknown_embedders_are_usage_errors(client: Client) -> None:
    for name in ("embedded/smollm2-135m-instruct", "phantom/x", "nonsense"):
        with pytest.raises(UsageError, match="expected"):
            embeddings.build(name, client=client)
