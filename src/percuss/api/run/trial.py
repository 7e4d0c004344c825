"""One short question to a model, outside any run, and what came back."""

import time

from percuss.api.run.factory import slashed
from percuss.core.messages import Message, Request
from percuss.core.records import Record
from percuss.models import registry
from percuss.models.providers import provider_of
from percuss.net.client import Client
from percuss.phantoms import phantom

__all__ = ["Trial", "try_model"]


class Trial(Record):
    """What came back."""

    model: str
    text: str
    served: str
    tokens_in: int
    tokens_out: int
    seconds: float


async def try_model(text: str, *, base_url: str | None = None) -> Trial:
    """Ask a model to say one word.

    Args:
        text: the model string.
        base_url: address of the endpoint.

    Raises:
        PercussError: the model cannot be built or does not answer.
    """
    question = Request(
        messages=(Message.of("user", "Reply with the one word: ready"),), max_tokens=16, seed=1
    )
    async with Client() as client:
        simulated = provider_of(text) == "phantom"
        model = (
            phantom(slashed(text), seed=1)
            if simulated
            else registry.build(text, client=client, base_url=base_url)
        )
        started = time.perf_counter()
        reply = await model.generate(question)
        return Trial(
            model=model.id,
            text=reply.text,
            served=reply.served_model,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            seconds=time.perf_counter() - started,
        )
