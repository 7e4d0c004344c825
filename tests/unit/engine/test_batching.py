"""Checking goes by case, and what its responses ask of a verifier goes together, equal pairs once."""

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from percuss.core.errors import BadInput, OverBudget
from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.core.verifying import Pair, Verification
from percuss.engine import Journal, Journaled, ask, check
from percuss.engine.batching import Batched, Batches
from percuss.judging.verifiers.chat import ChatVerifier
from percuss.judging.verifiers.scripted import ScriptedVerifier
from percuss.store import RunStore
from percuss.store.scorings import unchecked
from tests.tiny import SEED, TINY, Echo, TinyOptions, create

OPTIONS = TinyOptions()


class Noting(ScriptedVerifier):
    """Keeps every batch that it was given; can fail or take its time."""

    def __init__(self, *, at_once: bool = True, fails: Sequence[Exception] = (), slow: float = 0.0) -> None:
        super().__init__(lambda pair: "supported" if "good" in pair.claim else "neither")
        self.at_once = at_once
        self.fails = list(fails)
        self.slow = slow
        self.batches: list[tuple[Pair, ...]] = []

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        self.batches.append(tuple(pairs))
        await asyncio.sleep(self.slow)
        if self.fails:
            raise self.fails.pop(0)
        return await super().verify(pairs)


class Sure:
    """A chat model that is sure of its yes; without log-probabilities where it was told so."""

    id, pin = "test/sure", "1"

    def __init__(self, *, logprobs: bool = True) -> None:
        self.asked = 0
        self.logprobs = logprobs

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.asked += 1
        top = ({"token": "yes", "logprob": math.log(0.9)}, {"token": "no", "logprob": math.log(0.1)})
        told = ({"token": "yes", "top_logprobs": top},) if self.logprobs else None
        return Reply(parts=(Text(text="yes"),), finish="stop", logprobs=told, tokens_in=7, tokens_out=1)


async def verifying(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: TinyOptions
) -> AsyncIterator[Verdict]:
    assert roles.verifier is not None
    read = await roles.verifier.verify([Pair(claim=c.text, premises=(case.payload["text"],)) for c in claims])
    for claim, one in zip(claims, read, strict=True):
        label = "supported" if (one.supported or 0) > 0.5 else "unsupported"
        rater = f"verifier:{roles.verifier.id}"
        yield Verdict(subject=claim.id, response_id=response.id, aspect="support", rater=rater, label=label)


VERIFIED = replace(TINY, verdicts=verifying)


def pair(claim: str) -> Pair:
    return Pair(claim=claim, premises=("x",))


async def asked(folder: Path, models: Sequence[str] = ("test/b", "test/a"), epochs: int = 2) -> RunStore:
    store = create(folder, source="10")
    for name in models:
        await ask(store, TINY, OPTIONS, roles=Roles({}, seed=SEED), models=[Echo(name)], epochs=epochs)
    return store


async def test_checking_goes_by_case_then_model_arm_and_epoch(tmp_path: Path) -> None:
    seen: list[tuple[str, str, str, int]] = []

    async def noting(case: Case, response: Response, roles: Roles, options: TinyOptions) -> tuple[Claim, ...]:
        seen.append((case.id, response.model, response.arm, response.epoch))
        return ()

    with await asked(tmp_path / "r") as store:
        await check(store, replace(TINY, claims=noting), OPTIONS, roles=Roles({}, seed=SEED), concurrency=1)
        order = [
            (one.case_id, one.model, one.arm, one.epoch) for _, _, one in store.read(unchecked, "x", 0, 99)
        ]
    assert len(seen) == 80
    assert order == sorted(order, key=lambda key: (int(key[0][1:]), *key[1:]))
    assert [name for name, *_ in seen] == [name for name, *_ in order]


async def test_pairs_of_one_case_go_together_and_equal_ones_once(tmp_path: Path) -> None:
    verifier = Noting()
    with await asked(tmp_path / "r") as store:
        scoring = await check(
            store, VERIFIED, OPTIONS, roles=Roles({}, seed=SEED, verifier=verifier), concurrency=10
        )
        raters = {v.rater for one in store.view(scoring.id).assessed() for v in one.verdicts}
        claims = [c.text for one in store.view(scoring.id).assessed() for c in one.claims]
        assert not [one.left_out for one in store.view(scoring.id).assessed() if one.left_out]
    read = [each for batch in verifier.batches for each in batch]
    assert len(read) == len(set(read)) < len(claims)
    assert all(len({each.premises for each in batch}) == 1 for batch in verifier.batches)
    assert len(verifier.batches) < 40
    assert raters == {f"verifier:{verifier.id}"}
    assert scoring.config["verifier"] == [verifier.id, verifier.pin]


async def test_rows_are_equal_whatever_the_concurrency(tmp_path: Path) -> None:
    found = []
    for concurrency in (1, 50):
        with await asked(tmp_path / str(concurrency)) as store:
            model = Sure()
            verifier = ChatVerifier(Journaled(model, Journal(store)), seed=SEED)
            roles = Roles({}, seed=SEED, verifier=verifier)
            scoring = await check(store, VERIFIED, OPTIONS, roles=roles, concurrency=concurrency)
            again = await check(store, VERIFIED, OPTIONS, roles=roles, concurrency=concurrency)
            assert again.id == scoring.id
            rows = store.read(
                lambda db: db.execute(
                    "SELECT response_id, stage, role, key FROM uses WHERE stage = 'check' ORDER BY 1, 4"
                ).fetchall()
            )
            found.append((rows, model.asked, list(store.view(scoring.id).assessed())))
    assert found[0] == found[1]
    rows, calls, assessed = found[0]
    assert {row[2] for row in rows} == {"verifier"}
    assert calls == len({row[3] for row in rows}) < len(rows)
    assert {row[0] for row in rows} == {one.response.id for one in assessed}


async def test_one_by_one_or_all_at_once() -> None:
    for at_once, sizes in ((True, [3]), (False, [1, 1, 1])):
        verifier = Noting(at_once=at_once)
        batched = Batched(Batches(verifier), "c1")
        both = await asyncio.gather(
            batched.verify([pair("a good"), pair("b")]), batched.verify([pair("b"), pair("c")])
        )
        assert [len(batch) for batch in verifier.batches] == sizes
        assert both[0][1] == both[1][0]
        assert (both[0][0].supported or 0) > 0.5 > (both[0][1].supported or 0)
        assert await batched.verify([]) == ()


async def test_a_failure_reaches_all_who_asked_and_is_asked_again() -> None:
    verifier = Noting(fails=[OverBudget("spent")])
    batches = Batches(verifier)
    one, two = Batched(batches, "c1"), Batched(batches, "c1")
    failed = await asyncio.gather(one.verify([pair("a")]), two.verify([pair("a")]), return_exceptions=True)
    assert [type(each) for each in failed] == [OverBudget, OverBudget]
    assert len(await one.verify([pair("a")])) == 1
    assert len(verifier.batches) == 2


async def test_whoever_stops_waiting_takes_nobody_along() -> None:
    verifier = Noting(slow=0.05)
    batches = Batches(verifier)
    gone = asyncio.create_task(Batched(batches, "c1").verify([pair("a")]))
    stays = asyncio.create_task(Batched(batches, "c1").verify([pair("a"), pair("b")]))
    await asyncio.sleep(0.02)
    gone.cancel()
    assert len(await stays) == 2
    assert len(verifier.batches) == 1
    alone = asyncio.create_task(Batched(batches, "c2").verify([pair("z")]))
    await asyncio.sleep(0.02)
    alone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await alone
    assert len(asyncio.all_tasks()) == 1
    assert len(await Batched(batches, "c2").verify([pair("z")])) == 1


async def test_a_model_without_log_probabilities_stops_the_check_with_a_sentence(tmp_path: Path) -> None:
    with await asked(tmp_path / "r") as store:
        model = Journaled(Sure(logprobs=False), Journal(store))
        roles = Roles({}, seed=SEED, verifier=ChatVerifier(model, seed=SEED))
        with pytest.raises(BadInput, match="test/sure answered without log-probabilities"):
            await check(store, VERIFIED, OPTIONS, roles=roles)
