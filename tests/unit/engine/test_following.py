"""Arms that follow arms: order, waves, what a follower is posed with, what the run keeps of it, and killing it anywhere."""

import asyncio
import multiprocessing
import random
import re
import sqlite3
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from percuss.core.errors import OverBudget, Refused, UsageError
from percuss.core.ids import response_id
from percuss.core.messages import Text
from percuss.core.ports import Roles
from percuss.core.protocol import Protocol
from percuss.core.records import (
    Arm,
    Case,
    Claim,
    Earlier,
    NotApplicable,
    Posed,
    Reply,
    Request,
    Response,
    Transcript,
    Turn,
    Verdict,
)
from percuss.engine import Budget, Budgeted, Journal, Journaled, Price, ask, check, plan
from percuss.engine.making import PREDECESSOR
from percuss.engine.order import followed_for_verdicts, waves_of, with_predecessors
from percuss.models.loopback import Loopback
from percuss.store import RunStore, verify
from tests import chain as echo_chain
from tests.chains import ARMS, CHAIN, create, run_in_child, whole
from tests.tiny import SEED, TINY, Echo, TinyOptions
from tests.tiny import create as tiny_create
from tests.unit.engine.test_stages import rows

OPTIONS = TinyOptions()
CAST = Roles({}, seed=SEED)


def responses(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of responses and of what they follow, to the byte, in an order of their own."""
    found = rows(folder)
    return [*found["responses"], *found["follows"]]


def by_arm(store: RunStore, arm: str) -> list[Response]:
    return [one.response for one in store.view("").assessed(arm=arm)]


def test_arms_are_sorted_and_bring_those_before_them() -> None:
    assert [[arm.name for arm in wave] for wave in waves_of(ARMS)] == [["first"], ["second"], ["third"]]
    assert [arm.name for arm in with_predecessors([ARMS[0]], ARMS)] == ["third", "first", "second"]
    assert [arm.name for arm in with_predecessors([ARMS[2]], ARMS)] == ["first", "second"]
    assert followed_for_verdicts(ARMS) == ("second",)


@pytest.mark.parametrize(
    ("arms", "words"),
    [
        ([Arm(name="a", after="b"), Arm(name="b", after="a")], "a -> b -> a follow each other in a circle"),
        ([Arm(name="a", after="a")], "a -> a follow each other in a circle"),
        ([Arm(name="a", after="x")], "'a' follows 'x', which is none of the arms a"),
        ([Arm(name="a"), Arm(name="a")], "two arms are called 'a'"),
    ],
)
def test_circles_and_unknown_names_are_refused(arms: list[Arm], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        waves_of(arms)


async def test_a_follower_is_posed_with_what_came_before_and_says_so(tmp_path: Path) -> None:
    with create(tmp_path / "r") as store:
        scoring = await whole(store, [Journaled(Echo(), Journal(store))])
        second, third = by_arm(store, "second"), by_arm(store, "third")
        assert len(second) == len(third) == 6
        for one in second:
            before = response_id("test/echo", one.case_id, "first", 0)
            assert (one.after_response, one.after_scoring) == (before, None)
            assert "Before: It is good." in one.text
            assert "(0)" in one.text, "no claims without need"
        for one in third:
            assert one.after_response == response_id("test/echo", one.case_id, "second", 0)
            assert one.after_scoring == scoring.id, "the rules alone: the scoring that was asked for"
            assert re.search(r"\([1-9]\d*\)", one.text), "with its claims"
        assert all("Kept: Patient" in one.text for one in third if int(one.case_id[1:]) % 2 == 0), (
            "what was supported"
        )
        assert all(one.earlier for one in (*second, *third))
        notes = {estimate.arm: estimate.note for estimate in store.estimates(scoring.id)}
        assert notes == {
            "first": "",
            "second": "",
            "third": "history redacted by rule:strict, labelled by rule:strict",
        }


CHAINS = [
    pytest.param(CHAIN, "3", Echo(), id="tiny"),
    pytest.param(echo_chain.CHAIN, None, echo_chain.follower(), id="echo"),
]
"""A chain, its cases, and a model that answers them: the tests' own small protocol, and echo."""


class _Counted:
    """A model that counts what it is asked, under a name of its own where it is given one."""

    def __init__(self, model: Any, name: str = "") -> None:
        self.id, self.pin, self.model, self.asked = name or model.id, model.pin, model, 0

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.asked += 1
        reply: Reply = await self.model.generate(request, epoch=epoch)
        return reply


@pytest.mark.parametrize(("chain", "source", "model"), CHAINS)
async def test_concurrency_1_and_100_give_equal_responses(
    chain: Protocol[Any], source: str | None, model: Any, tmp_path: Path
) -> None:
    for name, concurrency in (("one", 1), ("hundred", 100)):
        with create(tmp_path / name, source and "12", chain) as store:
            models = [Journaled(_Counted(model, f"test/{m}"), Journal(store)) for m in "ab"]
            await whole(store, models, protocol=chain, concurrency=concurrency, epochs=2)
    assert len(responses(tmp_path / "one")) == 2 * 2 * 12 * (3 + 2)
    assert rows(tmp_path / "one") == rows(tmp_path / "hundred")


@pytest.mark.parametrize(("chain", "source", "model"), CHAINS)
async def test_stopped_at_every_call_and_resumed_it_ends_the_same(
    chain: Protocol[Any], source: str | None, model: Any, tmp_path: Path
) -> None:
    with create(tmp_path / "whole", source, chain) as store:
        await whole(store, [Journaled(model, Journal(store))], protocol=chain)
        cases = len(list(store.cases()))
    counted, stops = _Counted(model), 0
    while True:
        with create(tmp_path / "stopped", source, chain) as store:
            limited = Budgeted(counted, Budget(calls=1), Price(usd_in=0, usd_out=0))
            try:
                await whole(store, [Journaled(limited, Journal(store))], protocol=chain, concurrency=1)
            except OverBudget:
                stops += 1
                continue
            break
    assert stops == 3 * cases - 1
    assert counted.asked == 3 * cases, "no finished call was made twice"
    assert responses(tmp_path / "stopped") == responses(tmp_path / "whole")


async def test_another_judge_asks_nobody_and_changes_no_response(tmp_path: Path) -> None:
    with create(tmp_path / "r") as store:
        bare = Echo()
        first = await whole(store, [Journaled(bare, Journal(store))])
        before, calls = responses(tmp_path / "r"), len(bare.asked)
        again = await whole(
            store, [Journaled(bare, Journal(store))], judge=Echo("test/judge", says="supported")
        )
        assert again.id != first.id
        assert len(bare.asked) == calls
        third = [e for e in store.estimates(again.id) if e.arm == "third"]
        assert all("history redacted by rule:strict" in estimate.note for estimate in third)
    assert responses(tmp_path / "r") == before


async def test_a_predecessor_that_fails_loses_its_followers_until_it_succeeds(tmp_path: Path) -> None:
    class Picky(Echo):
        refuses = True

        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            if self.refuses and "[c1/first]" in request.messages[0].text:
                raise Refused("blocked")
            return await super().generate(request, epoch=epoch)

    bare = Picky()
    with create(tmp_path / "r", "3") as store:
        scoring = await whole(store, [Journaled(bare, Journal(store))])
        lost = [one for arm in ("second", "third") for one in by_arm(store, arm) if one.case_id == "c1"]
        assert {(one.status, one.reason) for one in lost} == {("failed", PREDECESSOR)}
        assert not any(one.after_response for one in lost)
        left = {
            (one.response.arm, one.left_out)
            for one in store.view(scoring.id).assessed()
            if one.case.id == "c1"
        }
        assert left == {("first", "refused"), ("second", "refused"), ("third", "refused")}
        assert {account.arm: account.refused for account in store.answers()} == {
            "first": 1,
            "second": 1,
            "third": 1,
        }
        bare.refuses = False
        await whole(store, [Journaled(bare, Journal(store, retry_failed=True))])
        assert all(one.status == "done" for arm in ("first", "second", "third") for one in by_arm(store, arm))
    with create(tmp_path / "never", "3") as store:
        await whole(store, [Journaled(Echo(), Journal(store))])
    assert responses(tmp_path / "r") == responses(tmp_path / "never")


def _not_for_c1(
    case: Case, arm: Arm, earlier: Earlier | None, options: TinyOptions, seed: int
) -> Posed | NotApplicable:
    if case.id == "c1" and arm.name == "first":
        return NotApplicable(reason="nothing to ask of c1")
    return CHAIN.pose(case, arm, earlier, options, seed)


async def test_what_follows_an_arm_that_does_not_apply_does_not_apply_either(tmp_path: Path) -> None:
    protocol = replace(CHAIN, pose=_not_for_c1)
    with create(tmp_path / "r", "2", protocol) as store:
        await whole(store, [Journaled(Echo(), Journal(store))], protocol=protocol)
        ends = {one.arm: (one.status, one.reason) for arm in ("first", "second", "third") for one in by_arm(store, arm) if one.case_id == "c1"}  # fmt: skip
        assert ends == dict.fromkeys(
            ("first", "second", "third"), ("not_applicable", "not_applicable:nothing to ask of c1")
        )
        assert not any(account.failed for account in store.answers())
        assert {account.arm: account.asked for account in store.answers()} == {"first": 1, "second": 1, "third": 1}  # fmt: skip


async def _verdicts_with_error(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: TinyOptions
) -> AsyncIterator[Verdict]:
    for claim in claims:
        fate: dict[str, Any] = {"unscored": "error:transport"} if case.id == "c0" else {"label": "supported"}
        yield Verdict(
            subject=claim.id, response_id=response.id, aspect="support", rater="rule:strict", **fate
        )


async def _claims_that_raise(
    case: Case, response: Response, roles: Roles, options: TinyOptions
) -> tuple[Claim, ...]:
    if case.id == "c0" and response.arm == "second":
        raise ValueError("cannot be split")
    return await TINY.claims(case, response, roles, options)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"verdicts": _verdicts_with_error}, "error:transport"),
        ({"claims": _claims_that_raise}, "error:ValueError"),
    ],
)
async def test_no_row_of_a_failed_check_reaches_pose(
    tmp_path: Path, parts: dict[str, Any], reason: str
) -> None:
    protocol = replace(CHAIN, **parts)
    with create(tmp_path / "r", "2", protocol) as store:
        await whole(store, [Journaled(Echo(), Journal(store))], protocol=protocol)
        third = {one.case_id: one for one in by_arm(store, "third")}
        assert (third["c0"].reason, third["c0"].artifacts["predecessor"]) == (PREDECESSOR, reason)
        assert third["c1"].status == "done"


async def test_peoples_labels_never_reach_pose(tmp_path: Path) -> None:
    with create(tmp_path / "r", "2") as store:
        model = Journaled(Echo(), Journal(store))
        await ask(store, CHAIN, OPTIONS, roles=CAST, models=[model], arms=ARMS[1:])
        scoring = await check(store, CHAIN, OPTIONS, roles=CAST)
        labels = [
            Verdict(
                subject=claim.id,
                response_id=claim.response_id,
                aspect="support",
                rater="human:a",
                label="unsupported",
            )
            for one in store.view(scoring.id).assessed(arm="second")
            for claim in one.claims
        ]
        store.put_human(labels)
        await whole(store, [model])
        texts = [one.text for one in by_arm(store, "third")]
    with create(tmp_path / "without", "2") as store:
        await whole(store, [Journaled(Echo(), Journal(store))])
        assert [one.text for one in by_arm(store, "third")] == texts


async def test_imported_answers_may_come_first(tmp_path: Path) -> None:
    turns = (Turn(index=0, role="assistant", parts=(Text(text="Made elsewhere. Twice."),)),)
    with create(tmp_path / "r", "1") as store:
        store.import_responses(
            [
                Response(
                    id=response_id("given/x", "c0", "first", 0),
                    case_id="c0",
                    arm="first",
                    model="given/x",
                    turns=turns,
                )
            ]
        )
        await whole(store, [Journaled(Echo("given/x"), Journal(store))])
        (second,) = by_arm(store, "second")
        assert "Before: Made elsewhere. Twice." in second.text


async def test_verify_recomputes_what_followers_were_posed_with(tmp_path: Path) -> None:
    with create(tmp_path / "r", "2") as store:
        await whole(store, [Journaled(Echo(), Journal(store))])
    found = {finding.what: finding for finding in verify(tmp_path / "r")}
    assert (found["followers"].checked, found["followers"].ok) == (4, True)
    db = sqlite3.connect(tmp_path / "r" / "run.sqlite")
    db.execute("UPDATE verdict_words SET rationale = 'edited' WHERE rowid = 1")
    db.commit()
    db.close()
    assert not {finding.what: finding for finding in verify(tmp_path / "r")}["followers"].ok


async def test_a_dry_run_poses_followers_on_a_reply_for_show(tmp_path: Path) -> None:
    with create(tmp_path / "r", "3") as store:
        (found,) = await plan(CHAIN, OPTIONS, cases=store.cases(), roles=CAST, models=[Echo()])
        assert (found.calls, found.missing, found.broken) == (9, 9, 0)
        await ask(store, CHAIN, OPTIONS, roles=CAST, models=[Journaled(Echo(), Journal(store))])
        (after,) = await plan(CHAIN, OPTIONS, cases=store.cases(), roles=CAST, models=[Echo()], store=store)
        assert (after.calls, after.held) == (0, 9)


async def test_a_conversation_that_was_not_ended_is_failed_with_its_turns_to_read(tmp_path: Path) -> None:
    async def broken_off(posed: Posed, roles: Roles, options: TinyOptions) -> Transcript:
        whole = await TINY.ask(posed, roles, options)
        turns = tuple(structs.replace(turn, finish="limit") for turn in whole.turns)
        return Transcript(turns=turns, finish="limit", error="error:no_more_calls")

    protocol = replace(TINY, ask=broken_off)
    with tiny_create(tmp_path / "r", source="2") as store:
        await ask(store, protocol, OPTIONS, roles=CAST, models=[Echo()])
        scoring = await check(store, protocol, OPTIONS, roles=CAST)
        scored = list(store.view(scoring.id).assessed())
        assert {(one.response.status, one.left_out) for one in scored} == {("failed", "error:no_more_calls")}
        assert all(one.response.text.startswith("It is good") and not one.claims for one in scored)
        assert {turn.finish for one in scored for turn in one.response.turns} == {"limit"}
        assert [account.failed for account in store.answers()] == [{"error:no_more_calls": 2}] * 2


@pytest.mark.slow
async def test_killed_at_random_moments_it_ends_as_if_left_alone(tmp_path: Path) -> None:
    moments = random.Random(7)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.chains", "percuss.models.openai_compatible", "aiohttp"])
    async with Loopback(latency_s=0.01) as server:
        for name, kills in (("alone", 0), ("killed", 12)):
            for kill in range(kills + 1):
                child = context.Process(target=run_in_child, args=(tmp_path / name, server.url, "60", 10))
                child.start()
                if kill < kills:
                    await asyncio.sleep(moments.uniform(0.1, 1.2))
                    child.kill()
                while child.exitcode is None:  # noqa: ASYNC110 - a process, no event
                    await asyncio.sleep(0.01)
            assert child.exitcode == 0
    assert responses(tmp_path / "killed") == responses(tmp_path / "alone")
    assert all(finding.ok for finding in verify(tmp_path / "killed"))
