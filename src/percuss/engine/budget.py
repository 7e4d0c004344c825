"""Limits that the user sets on calls, tokens, money and time; a run that meets one stops cleanly and can be resumed."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from percuss.core.errors import OverBudget, UsageError
from percuss.core.ports import Model, is_simulated
from percuss.core.price import Price
from percuss.core.records import Image, Reply, Request, Text, Usage
from percuss.engine import uses

__all__ = ["Budget", "Budgeted", "Price"]

CHARACTERS_A_TOKEN = 2.5
"""Few, so that the input of a call is over- rather than underestimated before the provider counts it."""
TOKENS_AN_IMAGE = 1_500


@dataclass
class Spend:
    """Tokens and USD, of a call or of all."""

    tokens: float = 0.0
    usd: float = 0.0


class Budget:
    """What the calls of one start may take together; None sets no limit. Journal hits take nothing.

    A call is let through only if the limits hold should it, and all that are under way, take as much as they can
    (input by length, output up to max_tokens). Calls wait for those under way before they give up.

    Args:
        calls, tokens, usd, seconds: the limits; `seconds` counts from construction.
        spent: what earlier starts took, where the limits are for the whole run.
        clock: seconds of a steady clock.
    """

    def __init__(
        self,
        *,
        calls: int | None = None,
        tokens: int | None = None,
        usd: float | None = None,
        seconds: float | None = None,
        spent: Usage | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.max_calls = calls
        self.max_tokens = tokens
        self.max_usd = usd
        self.max_seconds = seconds
        self._clock = clock
        self._started = clock()
        before = spent or Usage()
        self._calls = before.calls
        self._spent = Spend(before.tokens_in + before.tokens_out, before.cost_usd)
        self._reserved = Spend()
        self._under_way = 0
        self._settled = asyncio.Event()

    async def admit(self, worst: Spend) -> None:
        """Reserve what a call may take.

        Raises:
            OverBudget: it could pass a limit, and nothing under way can change that.
        """
        while True:
            self._settled.clear()
            sentence = self._certain() or self._possible(worst)
            if sentence is None:
                break
            if self._under_way == 0 or self._certain():
                raise OverBudget(f"{sentence}; raise it and start the same command again")
            await self._settled.wait()
        self._calls += 1
        self._under_way += 1
        self._reserved.tokens += worst.tokens
        self._reserved.usd += worst.usd

    def settle(self, worst: Spend, actual: Spend) -> None:
        """Replace what was reserved by what was taken."""
        self._under_way -= 1
        self._reserved.tokens -= worst.tokens
        self._reserved.usd -= worst.usd
        self._spent.tokens += actual.tokens
        self._spent.usd += actual.usd
        self._settled.set()

    def _certain(self) -> str | None:
        if self.max_calls is not None and self._calls + 1 > self.max_calls:
            return f"the budget of {self.max_calls:,} calls is used up"
        if self.max_seconds is not None and self._clock() - self._started > self.max_seconds:
            return f"the budget of {self.max_seconds:g} seconds is used up"
        return None

    def _possible(self, worst: Spend) -> str | None:
        tokens = self._spent.tokens + self._reserved.tokens + worst.tokens
        if self.max_tokens is not None and tokens > self.max_tokens:
            return f"the next call could pass the budget of {self.max_tokens:,} tokens ({self._spent.tokens:,.0f} used)"
        usd = self._spent.usd + self._reserved.usd + worst.usd
        if self.max_usd is not None and usd > self.max_usd:
            return (
                f"the next call could pass the budget of {self.max_usd:.2f} USD ({self._spent.usd:.4f} spent)"
            )
        return None


class Budgeted:
    """A model whose calls count against a budget.

    Args:
        model: who is asked.
        budget: shared by all models of a run.
        price: of the model; None where none is known (its calls then cost 0 USD in the journal).

    Raises:
        UsageError: the budget limits money, and no price of the model is known.
    """

    def __init__(self, model: Model, budget: Budget, price: Price | None = None) -> None:
        if price is None and budget.max_usd is not None:
            raise UsageError(
                f"no price of {model.id} is known, so a limit in USD cannot hold; add it to a price table, or limit "
                "calls or tokens instead"
            )
        self.id = model.id
        self.pin = model.pin
        self.simulated = is_simulated(model)
        self._model = model
        self._budget = budget
        self._price = price or Price(usd_in=0.0, usd_out=0.0)

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer a request.

        Raises:
            OverBudget: the call could pass a limit.
            ModelError: as the model raises.
        """
        tokens_in = _longest(request)
        worst = Spend(tokens_in + request.max_tokens, self._price.of(tokens_in, request.max_tokens))
        await self._budget.admit(worst)
        actual = Spend()
        try:
            reply = await self._model.generate(request, epoch=epoch)
            actual = Spend(
                reply.tokens_in + reply.tokens_out, self._price.of(reply.tokens_in, reply.tokens_out)
            )
            uses.tracing().cost_usd = actual.usd
        finally:
            self._budget.settle(worst, actual)
        return reply


def _longest(request: Request) -> float:
    characters = 0
    images = 0
    for message in request.messages:
        for part in message.parts:
            images += isinstance(part, Image)
            characters += len(part.text) if isinstance(part, Text) else 200
    return characters / CHARACTERS_A_TOKEN + images * TOKENS_AN_IMAGE
