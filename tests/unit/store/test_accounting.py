"""What became of the answers: usable, cut, refused, failed by reason, unchecked; and the sentences that say it."""

from collections.abc import Sequence
from pathlib import Path

from percuss.core.accounting import AnswerAccount, account_lines, no_answer, worst_share
from percuss.core.errors import BadRequest, Refused
from percuss.core.messages import Finish, Text
from percuss.core.ports import Roles
from percuss.core.records import Reply, Request
from percuss.engine import ask, check
from percuss.store import RunStore
from tests.tiny import SEED, TINY, Echo, TinyOptions, create

OPTIONS = TinyOptions()
CAST = Roles({}, seed=SEED)


class Says(Echo):
    """Answers the n-th request with the n-th (text, finish); after the last one it goes on with that."""

    def __init__(self, *replies: tuple[str, Finish]) -> None:
        super().__init__()
        self.replies = list(replies)

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        text, finish = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return Reply(parts=(Text(text=text),), finish=finish)


async def asked(folder: Path, model: Echo, n: int) -> RunStore:
    store = create(folder, source=str(n))
    await ask(store, TINY, OPTIONS, roles=CAST, models=[model], concurrency=1)
    return store


def total(accounts: Sequence[AnswerAccount], name: str) -> int:
    return sum(getattr(account, name) for account in accounts)


async def test_usable_is_done_and_not_cut_before_the_first_sentence(tmp_path: Path) -> None:
    replies: list[tuple[str, Finish]] = [
        ("All is well. And so", "length"),
        ("The mass is 2.", "length"),  # a stop right after a digit may be a cut decimal
        ("I can't help with that.", "stop"),  # a refusal in words is an answer
        ("No", "refused"),
        ("Fine", "stop"),
    ]
    with await asked(tmp_path / "r", Says(*replies), 3) as store:
        accounts = store.answers()
    assert [(account.model, account.arm) for account in accounts] == [
        ("test/echo", "with"),
        ("test/echo", "without"),
    ]
    counts = {name: total(accounts, name) for name in ("asked", "done", "usable", "cut", "refused")}
    assert counts == {"asked": 6, "done": 5, "usable": 4, "cut": 2, "refused": 1}


async def test_failures_carry_the_servers_words(tmp_path: Path) -> None:
    failures = [BadRequest("model not found"), Refused("content filter: self-harm"), BadRequest("other")]
    with await asked(tmp_path / "r", Echo(failures=failures), 2) as store:
        accounts = store.answers()
        assert store.manifest().get("answers") is None, "counted from the rows, never kept beside them"
    assert total(accounts, "refused") == 1
    assert sum(account.failed.get("error:bad_request", 0) for account in accounts) == 2
    assert "model not found" in {said for account in accounts for said in account.words.values()}
    lines = account_lines(accounts, {"with": "with evidence"})
    assert lines[0] == (
        "3 of 4 answers failed (2 of 2 with evidence, 1 of 2 without): "
        '2 rejected by the server ("model not found"), 1 refused by the provider ("content filter: self-harm")'
    )
    assert any("with evidence" in line and '("model not found")' in line for line in lines[1:])


async def test_checks_that_fail_count_as_lost_in_their_scoring(tmp_path: Path) -> None:
    with await asked(tmp_path / "r", Echo(says="unreadable"), 4) as store:
        scoring = await check(store, TINY, OPTIONS, roles=CAST)
        checked, unchecked = store.answers(scoring.id), store.answers()
    assert worst_share(unchecked) == 0
    assert worst_share(checked) == 1
    assert (
        account_lines(checked)[0] == "8 of 8 answers failed (4 of 4 with, 4 of 4 without): 8 error:ValueError"
    )
    assert not account_lines(unchecked)


async def test_an_arm_without_a_usable_answer_is_named(tmp_path: Path) -> None:
    with await asked(tmp_path / "r", Says(("No", "refused")), 2) as store:
        accounts = store.answers()
    assert no_answer(accounts) == accounts
    assert all("no usable answer" in line for line in account_lines(accounts)[1:])
    assert not no_answer([AnswerAccount(model="m", arm="a", asked=0, done=0, usable=0, not_applicable=3)])
