"""Fixtures: a client, the loopback server's own images, and weights where they can be had."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import PercussError
from percuss.core.messages import Message, Request
from percuss.models.openai_compatible import OpenAICompatible
from percuss.net.client import Client

CANARY = "sk-canary-4f1e9d7c"


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Client() as made:
        yield made


@pytest.fixture
def canary() -> str:
    """A key that must appear nowhere."""
    return CANARY


@pytest.fixture
def ask() -> Callable[..., Request]:
    """Makes a request of one user message."""

    def make(text: str = "Which stage?", **fields: Any) -> Request:
        return Request(messages=(Message.of("user", text),), **fields)

    return make


@pytest.fixture
def model_at(client: Client) -> Callable[..., OpenAICompatible]:
    """Makes a model at a loopback server, with the canary as its key."""
    from percuss.models import registry

    def make(url: str, name: str = "openai/gpt-test", **settings: Any) -> OpenAICompatible:
        environ = {"OPENAI_API_KEY": CANARY, "ANTHROPIC_API_KEY": CANARY, "VLLM_API_KEY": CANARY}
        model = registry.build(name, client=client, base_url=url, environ=environ, **settings)
        assert isinstance(model, OpenAICompatible)
        return model

    return make


@pytest.fixture(scope="session")
def weights() -> Callable[..., Path]:
    """Fetches assets, or skips with the reason when this machine cannot have them."""
    from percuss.models.asset_sources import ensure
    from percuss.models.assets import ASSETS

    def fetch(*names: str) -> Path:
        path = Path()
        for name in names:
            try:
                path = asyncio.run(ensure(ASSETS[name]))
            except PercussError as error:
                pytest.skip(f"weights of {name} cannot be had: {error}")
        return path

    return fetch
