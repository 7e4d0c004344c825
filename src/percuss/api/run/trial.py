"""One short question to a model, outside any run, and what came back."""

import time

from percuss.api.run.factory import slashed
from percuss.core.errors import ModelError
from percuss.core.messages import Message, NextTokenRequest, Request
from percuss.core.ports import Model
from percuss.core.records import Record
from percuss.models import registry
from percuss.models.providers import provider_of
from percuss.net.client import Client
from percuss.phantoms import phantom

__all__ = ["Trial", "try_model"]


class Trial(Record):
    """What came back; `verifies` tells whether the model gives log-probabilities of its tokens, as a verifier must."""

    model: str
    text: str
    served: str
    tokens_in: int
    tokens_out: int
    seconds: float
    verifies: bool = False


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
        seconds = time.perf_counter() - started
        return Trial(
            model=model.id,
            text=reply.text,
            served=reply.served_model,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            seconds=seconds,
            verifies=await _verifies(model),
        )


async def _verifies(model: Model) -> bool:
    try:
        reply = await model.generate(
            NextTokenRequest(messages=(Message.of("user", "Say yes or no."),), seed=1)
        )
    except ModelError:
        return False
    return bool(reply.logprobs and reply.logprobs[0].get("top_logprobs"))
