"""The cache across runs under the journal: what is kept, for how long, and what never is."""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from percuss.core.errors import BadRequest, OverBudget, RunError, UsageError
from percuss.core.messages import Message, Reply, Request, Text, WebSearchRequest
from percuss.core.price import Price
from percuss.engine.budget import Budget, Budgeted
from percuss.engine.cached import Cached
from percuss.engine.journal import Journal, Journaled
from percuss.models.scripted import Scripted
from percuss.store.calls import Call
from percuss.store.replies import Replies

SECRET = "The patient's name is on the door."
ASKED = Request(messages=(Message.of("user", SECRET),), seed=1)


class Held:
    """The calls of a run, in memory."""

    def __init__(self) -> None:
        self.calls: dict[str, Call] = {}

    def find(self, keys: Sequence[str]) -> dict[str, Call]:
        return {key: self.calls[key] for key in keys if key in self.calls}

    async def append(self, calls: Sequence[Call]) -> None:
        self.calls.update({call.key: call for call in calls})


def _model(*said: str, pin: str = "host") -> Scripted:
    return Scripted([Reply(parts=(Text(text=text),), finish="stop", tokens_out=3) for text in said], pin=pin)


def _on(day: int) -> str:
    return (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)).isoformat()


async def test_another_run_takes_what_one_was_answered(tmp_path: Path) -> None:
    first, second = _model("yes"), _model("no")
    one, two = Held(), Held()
    replies = Replies(tmp_path / "replies.sqlite")
    await Journaled(Cached(first, replies, pinned=True, clock=lambda: _on(3)), Journal(one)).generate(ASKED)
    again = await Journaled(
        Cached(second, replies, pinned=True, clock=lambda: _on(9)), Journal(two)
    ).generate(ASKED)
    assert (again.text, len(first.requests), len(second.requests)) == ("yes", 1, 0)
    (made,), (taken,) = one.calls.values(), two.calls.values()
    assert (made.key, made.attempts) == (taken.key, 1)
    assert (taken.attempts, taken.cost_usd, taken.latency_s, taken.finished_at) == (0, 0.0, 0.0, _on(3))


async def test_another_pin_request_or_epoch_is_another_call(tmp_path: Path) -> None:
    replies, model = Replies(tmp_path / "r"), _model("a", "b", "c")
    cached = Cached(model, replies, pinned=True)
    await cached.generate(ASKED)
    await cached.generate(ASKED, epoch=1)
    await cached.generate(Request(messages=ASKED.messages, seed=2))
    other = _model("d", pin="elsewhere")
    assert (await Cached(other, replies, pinned=True).generate(ASKED)).text == "d"
    assert len(model.requests) == 3


@pytest.mark.parametrize(("days", "pinned", "asked"), [(30, False, 1), (31, False, 2), (300, True, 1)])
async def test_a_model_that_nothing_pins_is_asked_again_after_thirty_days(
    tmp_path: Path, days: int, pinned: bool, asked: int
) -> None:
    replies, model = Replies(tmp_path / "r"), _model("old", "new")
    for day in (0, days):
        await Cached(model, replies, pinned=pinned, clock=lambda day=day: _on(day)).generate(ASKED)  # type: ignore[misc]
    assert len(model.requests) == asked
    last = await Cached(model, replies, pinned=pinned, clock=lambda: _on(days)).generate(ASKED)
    assert last.text == ("old" if asked == 1 else "new")


async def test_failures_and_web_searches_are_not_kept(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r")
    failing = Scripted([BadRequest("no such unit")], pin="host")
    with pytest.raises(BadRequest):
        await Cached(failing, replies, pinned=True).generate(ASKED)
    searching = _model("a", "b")
    for _ in range(2):
        await Cached(searching, replies, pinned=True).generate(WebSearchRequest(messages=ASKED.messages))
    assert len(searching.requests) == 2
    assert replies.held() == ()


async def test_what_the_cache_answers_takes_nothing_of_the_budget(tmp_path: Path) -> None:
    replies, price = Replies(tmp_path / "r"), Price(usd_in=1.0, usd_out=1.0)
    await Cached(_model("yes"), replies, pinned=True).generate(ASKED)
    spent = Cached(Budgeted(_model(), Budget(calls=1, usd=0.0), price), replies, pinned=True)
    assert (await spent.generate(ASKED)).text == "yes"
    with pytest.raises(OverBudget):
        await spent.generate(ASKED, epoch=1)


async def test_the_file_is_its_owners_and_holds_no_request(tmp_path: Path) -> None:
    path = tmp_path / "new" / "replies.sqlite"
    replies = Replies(path)
    await Cached(_model("yes"), replies, pinned=True).generate(ASKED)
    replies.close()
    assert path.stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(path) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(replies)")]
    assert columns == ["key", "model", "reply", "made_at"]
    assert not [file for file in path.parent.iterdir() if SECRET.encode() in file.read_bytes()]


def test_looking_and_clearing(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r")
    assert (replies.held(), replies.clear(), replies.path.exists()) == ((), 0, False)
    for n, (model, day) in enumerate([("a", 0), ("a", 5), ("b", 9)]):
        replies.keep(f"k{n}", model, Reply(parts=(Text(text="x"),), finish="stop"), _on(day))
    assert [(one.model, one.replies, one.oldest) for one in replies.held()] == [
        ("a", 2, _on(0)),
        ("b", 1, _on(9)),
    ]
    assert replies.clear(older_than_days=100_000) == 0
    assert replies.drop(["k1", "none"]) == 1
    assert replies.clear("b") == 1
    assert replies.clear() == 1


def test_another_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, run = tmp_path / "notes.txt", tmp_path / "run.sqlite"
    text.write_text("notes" * 400)
    with sqlite3.connect(run) as db:
        db.execute("CREATE TABLE x (y)")
    for path in (text, run):
        with pytest.raises((UsageError, RunError), match="cache"):
            Replies(path).find("k")
    assert text.read_text() == "notes" * 400
