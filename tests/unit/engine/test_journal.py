"""The journal: equal calls have equal keys, are paid once, and are finished when they are on disk."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from percuss.core.errors import BadReply, BadRequest, ModelError, OverBudget, Refused, Transient
from percuss.core.messages import Image, Message, Text, Tool, ToolCall, ToolResult
from percuss.core.records import Reply, Request
from percuss.engine import Journal, Journaled, key_of
from percuss.engine.uses import Player, collecting
from percuss.store import RunStore
from percuss.store.calls import find_call
from tests.tiny import Echo, create

GOLDEN = Path(__file__).parents[2] / "golden" / "engine" / "journal_keys.json"
ASK = Request(messages=(Message.of("user", "Stage?"),), seed=7)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with create(tmp_path / "r", source="1") as made:
        yield made


def count(store: RunStore) -> int:
    return int(store.read(lambda db: db.execute("SELECT count(*) FROM calls").fetchone()[0]))


async def test_a_call_is_paid_once(store: RunStore) -> None:
    bare = Echo()
    model = Journaled(bare, Journal(store))
    first = await model.generate(ASK)
    assert await model.generate(ASK) == first
    assert await Journaled(bare, Journal(store)).generate(ASK) == first
    assert len(bare.asked) == 1


async def test_pass_k_is_epoch_k(store: RunStore) -> None:
    bare = Echo()
    model = Journaled(bare, Journal(store))
    await model.generate(ASK, epoch=1)
    await model.generate(ASK, epoch=2)
    assert [epoch for _, epoch in bare.asked] == [1, 2]


async def test_a_finished_call_is_on_disk(store: RunStore) -> None:
    model = Journaled(Echo(), Journal(store))
    reply = await model.generate(ASK)
    call = store.read(find_call, key_of(model, ASK))
    assert call is not None
    assert call.outcome() == reply


async def test_askers_of_one_key_share_a_call(store: RunStore) -> None:
    bare = Echo()
    model = Journaled(bare, Journal(store))
    replies = await asyncio.gather(*(model.generate(ASK) for _ in range(50)))
    assert len(bare.asked) == 1
    assert len(set(map(str, replies))) == 1


async def test_a_cancelled_leader_hands_over(store: RunStore) -> None:
    class Slow(Echo):
        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            await asyncio.sleep(0.02)
            return await super().generate(request, epoch=epoch)

    bare = Slow()
    model = Journaled(bare, Journal(store))
    leader = asyncio.create_task(model.generate(ASK))
    await asyncio.sleep(0)
    follower = asyncio.create_task(model.generate(ASK))
    await asyncio.sleep(0)
    leader.cancel()
    assert (await follower).finish == "stop"
    assert len(bare.asked) == 1


@pytest.mark.parametrize("error", [Refused("the filter said no"), BadRequest("too long")])
async def test_terminal_failures_are_rows(store: RunStore, error: ModelError) -> None:
    bare = Echo(failures=[error])
    for _ in range(2):
        with pytest.raises(type(error), match=str(error)):
            await Journaled(bare, Journal(store)).generate(ASK)
    assert len(bare.asked) == 1
    assert (await Journaled(bare, Journal(store, retry_failed=True)).generate(ASK)).finish == "stop"
    assert (await Journaled(bare, Journal(store)).generate(ASK)).finish == "stop"
    assert len(bare.asked) == 2


async def test_retry_failed_asks_once_a_start(store: RunStore) -> None:
    bare = Echo(failures=[Refused("no")] * 3)
    with pytest.raises(Refused):
        await Journaled(bare, Journal(store)).generate(ASK)
    model = Journaled(bare, Journal(store, retry_failed=True))
    for _ in range(3):
        with pytest.raises(Refused):
            await model.generate(ASK)
    assert len(bare.asked) == 2


@pytest.mark.parametrize(
    "error", [Transient("503"), BadReply("empty"), OverBudget("used up"), RuntimeError("bug")]
)
async def test_other_failures_are_no_rows_and_reach_all_who_share(store: RunStore, error: Exception) -> None:
    bare = Echo(failures=[error])
    model = Journaled(bare, Journal(store))
    outcomes = await asyncio.gather(*(model.generate(ASK) for _ in range(3)), return_exceptions=True)
    assert outcomes == [error] * 3
    assert count(store) == 0
    assert (await model.generate(ASK)).finish == "stop"


async def test_uses_are_noted_with_role_once_and_hits_told_apart(store: RunStore) -> None:
    told = []
    model = Journaled(Echo(), Journal(store))
    with collecting(lambda call, hit: told.append(hit)) as collected:
        await Player(model, "model").generate(ASK)
        await asyncio.create_task(Player(model, "user").generate(ASK))
        await Player(model, "model").generate(ASK)
    assert [(use.role, use.key) for use in collected.uses()] == [
        ("model", key_of(model, ASK)),
        ("user", key_of(model, ASK)),
    ]
    assert told == [False, True, True]
    assert collected.usage().calls == 1
    assert collected.usage().tokens_out == 5


async def test_a_request_that_is_no_json_is_a_bad_request(store: RunStore) -> None:
    model = Journaled(Echo(), Journal(store))
    for request in (
        Request(messages=(Message.of("user", "\ud800"),)),
        Request(messages=(), temperature=float("nan")),
    ):
        with pytest.raises(BadRequest):
            await model.generate(request)


def twenty() -> list[tuple[str, str, int, Request]]:
    """Requests that between them hold every field, and values that a careless key would confuse."""
    say = Message.of
    image = Message(
        role="user", parts=(Text(text="What is shown?"), Image(digest="0" * 32, media_type="image/png"))
    )
    tool = Tool(
        name="lookup",
        description="Find a value.",
        parameters={"type": "object", "properties": {"b": {}, "a": {}}},
    )
    called = Message(role="assistant", parts=(ToolCall(id="c1", name="lookup", arguments='{"a": 1}'),))
    result = Message(role="tool", parts=(ToolResult(id="c1", content="12.5"),))
    plain = (say("user", "Stage?"),)
    requests = [
        Request(messages=plain),
        Request(messages=plain, temperature=1),
        Request(messages=plain, temperature=0.2),
        Request(messages=plain, top_p=0.9),
        Request(messages=plain, max_tokens=160),
        Request(messages=plain, seed=42),
        Request(messages=plain, stop=("\n\n", "END")),
        Request(messages=plain, tools=(tool,)),
        Request(messages=plain, reply_schema={"type": "object", "required": ["label"]}),
        Request(messages=plain, logprobs=True),
        Request(messages=(say("system", "Be brief."), *plain)),
        Request(messages=(*plain, called, result), tools=(tool,)),
        Request(messages=(image,)),
        Request(messages=(say("user", "Größe ≥ 3 mm, naïve, 患者, \u2028 and \u0000"),)),
        Request(messages=(say("user", ""),)),
        Request(messages=()),
    ]
    rows = [("openai/gpt-4o-mini", "api.openai.com", 0, request) for request in requests]
    return [
        *rows,
        ("openai/gpt-4o-mini", "api.openai.com", 1, requests[0]),
        ("openai/gpt-4o-mini", "proxy.example.org", 0, requests[0]),
        ("embedded/smollm2", "b179c952", 0, requests[0]),
        ("phantom/recycler?reuse=0.8", "1", 2, requests[2]),
    ]


class Named(Echo):
    """A model of any name."""

    def __init__(self, id: str, pin: str) -> None:  # noqa: A002
        super().__init__(id)
        self.pin = pin


def test_keys_are_those_of_version_one() -> None:
    """Made by this test's own `twenty` with version 1 of the key; an unequal key means that every user pays again."""
    keys = [key_of(Named(name, pin), request, epoch) for name, pin, epoch, request in twenty()]
    assert len(set(keys)) == 20
    assert keys == json.loads(GOLDEN.read_text())["keys"]
