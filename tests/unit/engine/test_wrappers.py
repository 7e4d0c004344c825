"""Retries, slots and budgets: each a model around a model."""

import asyncio
import time

import pytest

from percuss.core.errors import BadReply, BadRequest, ModelError, OverBudget, Refused, Transient, UsageError
from percuss.core.messages import Message
from percuss.core.records import Reply, Request, Text, Usage
from percuss.engine import Budget, Budgeted, Limited, Price, Retrying
from percuss.engine.uses import traced
from tests.tiny import Echo

ASK = Request(messages=(Message.of("user", "x" * 250),), max_tokens=100)


@pytest.mark.parametrize("error", [Transient("503"), BadReply("empty")])
async def test_named_failures_are_asked_again_up_to_three_times(error: ModelError) -> None:
    bare = Echo(failures=[error, error])
    with traced() as trace:
        assert (await Retrying(bare, wait_s=0.001).generate(ASK)).finish == "stop"
    assert trace.attempts == len(bare.asked) == 3
    bare = Echo(failures=[error] * 9)
    with pytest.raises(type(error)):
        await Retrying(bare, wait_s=0.001).generate(ASK)
    assert len(bare.asked) == 3


@pytest.mark.parametrize("error", [Refused("no"), BadRequest("no"), OverBudget("no"), KeyError("bug")])
async def test_other_failures_are_not(error: Exception) -> None:
    bare = Echo(failures=[error])
    with pytest.raises(type(error)):
        await Retrying(bare, wait_s=0.001).generate(ASK)
    assert len(bare.asked) == 1


async def test_the_servers_own_wait_is_kept() -> None:
    bare = Echo(failures=[Transient("429", retry_after_s=0.2)])
    started = time.monotonic()
    await Retrying(bare, wait_s=0.001).generate(ASK)
    assert time.monotonic() - started >= 0.2
    bare = Echo(failures=[Transient("429", retry_after_s=86_400)])
    with pytest.raises(Transient):
        await Retrying(bare, wait_s=0.001).generate(ASK)
    assert len(bare.asked) == 1, "a day is not waited for"


async def test_slots_bound_what_is_under_way() -> None:
    under_way, most = 0, 0

    class Counting(Echo):
        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.002)
            under_way -= 1
            return await super().generate(request, epoch=epoch)

    slots = asyncio.Semaphore(3)
    models = [Limited(Counting(), slots), Limited(Counting(), slots)]
    await asyncio.gather(*(model.generate(ASK) for model in models * 10))
    assert most == 3


async def test_a_silent_model_is_transient() -> None:
    class Silent(Echo):
        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            await asyncio.sleep(60)
            return await super().generate(request, epoch=epoch)

    with pytest.raises(Transient, match=r"test/echo gave no reply within 0.01 s"):
        await Limited(Silent(), asyncio.Semaphore(1), timeout_s=0.01).generate(ASK)


async def test_calls_are_counted_to_the_last() -> None:
    bare = Echo()
    model = Budgeted(bare, Budget(calls=3))
    outcomes = await asyncio.gather(*(model.generate(ASK) for _ in range(5)), return_exceptions=True)
    assert len(bare.asked) == 3
    assert [str(one) for one in outcomes[3:]] == [
        "the budget of 3 calls is used up; raise it and start the same command again"
    ] * 2


async def test_money_is_never_passed_and_waits_for_what_is_under_way() -> None:
    class Costly(Echo):
        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            self.asked.append((request, epoch))
            await asyncio.sleep(0.001)
            return Reply(parts=(Text(text="x"),), finish="stop", tokens_in=50, tokens_out=50)

    bare = Costly()
    price = Price(usd_in=10_000.0, usd_out=10_000.0)  # a call: 1 USD taken, 2 USD at worst
    model = Budgeted(bare, Budget(usd=10.0), price)
    with traced() as trace:
        outcomes = await asyncio.gather(*(model.generate(ASK) for _ in range(30)), return_exceptions=True)
    assert trace.cost_usd == pytest.approx(1.0)
    assert len(bare.asked) == 9, "a tenth could have cost 2 USD"
    assert sum(isinstance(one, OverBudget) for one in outcomes) == 21


async def test_failed_calls_take_no_tokens() -> None:
    model = Budgeted(Echo(failures=[Transient("503")] * 5), Budget(tokens=250))
    for _ in range(5):
        with pytest.raises(Transient):
            await model.generate(ASK)
    assert (await model.generate(ASK)).finish == "stop"


async def test_time_and_what_earlier_starts_took() -> None:
    now = [0.0]
    model = Budgeted(Echo(), Budget(seconds=60, clock=lambda: now[0]))
    await model.generate(ASK)
    now[0] = 61.0
    with pytest.raises(OverBudget, match="60 seconds"):
        await model.generate(ASK)
    with pytest.raises(OverBudget, match="1,000 tokens"):
        await Budgeted(Echo(), Budget(tokens=1000, spent=Usage(tokens_in=900))).generate(ASK)


def test_a_limit_in_money_needs_a_price() -> None:
    with pytest.raises(UsageError, match="no price of test/echo is known"):
        Budgeted(Echo(), Budget(usd=1.0))
