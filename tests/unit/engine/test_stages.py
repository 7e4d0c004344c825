"""The stages: what is missing is asked, what is unchecked is checked, and nothing is lost silently."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import OverBudget, RunError, Transient, UsageError
from percuss.core.messages import Text
from percuss.core.ports import Model, Roles
from percuss.core.records import Case, Reply, Request, Response
from percuss.core.seeds import derive
from percuss.engine import (
    Budget,
    Budgeted,
    Journal,
    Journaled,
    Limited,
    Progress,
    Retrying,
    ask,
    check,
    estimate,
    identity_of,
    plan,
)
from percuss.engine.progress import Tally
from percuss.store import RunStore, survey
from percuss.store.dictionaries import unpack_call
from percuss.store.responses import count_status
from tests.tiny import SEED, TINY, Echo, TinyOptions, arms, create, whole

OPTIONS = TinyOptions()
CAST = Roles({}, seed=SEED)
TIMES = {"finished_at", "latency_s", "attempts", "made_at", "rowid"}
NUMBERED = {
    "manifest",
    "texts",
    "verdict_lists",
    "check_lists",
    "cell_sets",
    "cell_cases",
    "dictionaries",
    "dictionary_use",
}
PACKED = {"request", "reply"}


async def asked(store: RunStore, models: Sequence[Model], **settings: Any) -> Progress:
    return await ask(store, TINY, settings.pop("options", OPTIONS), roles=CAST, models=models, **settings)


def rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return every row of a run but for times, attempts and latency, in an order of their own.

    What rows share is read where it is said, through the views; calls are unpacked, for what they are packed with hangs on
    the order in which they came.
    """
    db = sqlite3.connect(folder / "run.sqlite")
    db.row_factory = sqlite3.Row
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    found = {}
    for name in names:
        if name in NUMBERED or name.endswith(("_rows", "_words")):
            continue
        read = [
            {
                key: unpack_call(db, row[key]) if key in PACKED and row[key] is not None else row[key]
                for key in tuple(row.keys())
                if key not in TIMES
            }
            for row in db.execute(f"SELECT * FROM {name}").fetchall()
        ]
        found[name] = sorted(read, key=repr)
    db.close()
    return found


async def run(folder: Path, concurrency: int, **settings: Any) -> None:
    options = TinyOptions(turns=2, images=True)
    with create(folder, options, source="12") as store:
        journal = Journal(store)
        models = [Journaled(Echo(f"test/{name}"), journal) for name in ("a", "b")]
        await whole(store, models, options, concurrency=concurrency, **settings)


async def test_rows_are_equal_at_concurrency_1_and_100(tmp_path: Path) -> None:
    await run(tmp_path / "one", 1)
    await run(tmp_path / "hundred", 100)
    one, hundred = rows(tmp_path / "one"), rows(tmp_path / "hundred")
    assert len(one["responses"]) == 48
    assert len(one["calls"]) == len(one["uses"]) == 96
    assert one == hundred


async def test_a_pilot_is_paid_once_and_ends_in_the_same_rows(tmp_path: Path) -> None:
    bare = Echo()
    with create(tmp_path / "r", source="12") as store:
        await whole(store, [Journaled(bare, Journal(store))], OPTIONS, limit=5)
        assert len(bare.asked) == 10
        await whole(store, [Journaled(bare, Journal(store))], OPTIONS)
        assert len(bare.asked) == 24
    with create(tmp_path / "full", source="12") as store:
        await whole(store, [Journaled(Echo(), Journal(store))], OPTIONS)
    assert rows(tmp_path / "r") == rows(tmp_path / "full")


async def test_models_arms_and_epochs_extend(tmp_path: Path) -> None:
    one, two = Echo("test/one"), Echo("test/two")
    with create(tmp_path / "r", source="3") as store:
        journal = Journal(store)
        await asked(store, [Journaled(one, journal)], arms=arms(OPTIONS)[:1])
        await asked(store, [Journaled(one, journal), Journaled(two, journal)])
        done = await asked(store, [Journaled(one, journal)], epochs=2)
        assert (done.done, done.total, done.calls) == (6, 6, 6)
        assert (len(one.asked), len(two.asked)) == (12, 6)
        assert store.view("").models == ("test/one", "test/two")


async def test_seeds_are_by_name_and_epochs_bound(tmp_path: Path) -> None:
    bare = Echo()
    with create(tmp_path / "r", source="1") as store:
        await asked(store, [bare], epochs=2)
    expected = {
        (derive(SEED, "ask", "test/echo", "c0", arm.name, epoch), epoch)
        for arm in arms(OPTIONS)
        for epoch in (0, 1)
    }
    assert {(request.seed, epoch) for request, epoch in bare.asked} == expected


async def test_failures_are_rows_with_their_reason_and_are_asked_again(tmp_path: Path) -> None:
    failures = [Transient("503"), KeyError("field"), UnicodeError("x")]
    bare = Echo(failures=failures)
    with create(tmp_path / "r", source="4") as store:
        model = Journaled(bare, Journal(store))
        first = await asked(store, [model], concurrency=1)
        assert first.failures == {"error:transient": 1, "error:KeyError": 1, "error:UnicodeError": 1}
        failed = [one.response for one in store.view("").assessed() if one.response.status == "failed"]
        assert {one.artifacts["error"] for one in failed} == {"503", "'field'", "x"}
        second = await asked(store, [model])
        assert (second.total, second.done, second.failures) == (3, 3, {})
        assert all(one.response.status == "done" for one in store.view("").assessed())


async def test_a_refusal_by_finish_is_a_failed_response_with_its_text(tmp_path: Path) -> None:
    class Refusing(Echo):
        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            return Reply(parts=(Text(text="I won't."),), finish="refused")

    with create(tmp_path / "r", source="1") as store:
        progress = await asked(store, [Refusing()])
        assert progress.failures == {"refused": 2}
        assert {(one.response.text, one.left_out) for one in store.view("").assessed()} == {
            ("I won't.", "refused")
        }


async def test_not_applicable_is_a_row_and_a_broken_pose_a_counted_failure(tmp_path: Path) -> None:
    cases = [
        Case(id="c0", cluster="k", payload={"text": "t", "skip": "with"}),
        Case(id="c1", cluster="k", payload={"text": "t", "broken": True}),
    ]
    identity = identity_of(TINY, OPTIONS, survey(cases), seed=SEED)
    with RunStore.create(tmp_path / "r", identity) as store:
        store.add_cases(cases)
        await asked(store, [Echo()])
        found = [(one.case.id, one.response.arm, one.left_out) for one in store.view("").assessed()]
    assert found == [
        ("c0", "with", "not_applicable:no such evidence"),
        ("c0", "without", "not_checkable:not checked"),
        ("c1", "with", "error:KeyError"),
        ("c1", "without", "error:KeyError"),
    ]


async def test_over_budget_stops_cleanly_and_resumes(tmp_path: Path) -> None:
    bare = Echo()
    with create(tmp_path / "r", source="10") as store:
        with pytest.raises(OverBudget, match="7 calls"):
            await asked(store, [Journaled(Budgeted(bare, Budget(calls=7)), Journal(store))], concurrency=3)
        held = list(store.view("").assessed())
        assert len(held) == 7
        assert all(one.response.status == "done" for one in held), "what met the limit is no row"
        await asked(store, [Journaled(bare, Journal(store))])
    assert len(bare.asked) == 20


@pytest.mark.parametrize("error", [UsageError("wrong key"), RunError("disk")])
async def test_failures_of_the_run_end_it_at_once(tmp_path: Path, error: Exception) -> None:
    bare = Echo(failures=[error])
    with create(tmp_path / "r", source="50") as store, pytest.raises(type(error), match=str(error)):
        await asked(store, [Journaled(bare, Journal(store))], concurrency=2)
    assert len(bare.asked) < 10


async def test_a_model_that_only_fails_is_given_up_and_can_be_asked_again(tmp_path: Path) -> None:
    bare = Echo(failures=[Transient("connection refused")] * 60)
    with create(tmp_path / "r", source="100") as store:
        with pytest.raises(
            RunError, match=r"the first 20 responses of test/echo all failed \(connection refused\)"
        ):
            await asked(store, [Journaled(bare, Journal(store))], concurrency=2)
        assert len(bare.asked) < 30
        bare.failures.clear()
        await asked(store, [Journaled(bare, Journal(store))])
        assert store.read(count_status) == {"done": 200}


async def test_cancelling_leaves_a_run_that_resumes(tmp_path: Path) -> None:
    bare = Echo()
    with create(tmp_path / "r", source="200") as store:
        seen = asyncio.Event()
        task = asyncio.create_task(
            asked(
                store,
                [Journaled(bare, Journal(store))],
                watcher=lambda now: seen.set() if now.done > 20 else None,
            )
        )
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    before = len(bare.asked)
    assert 20 < before < 400
    with create(tmp_path / "r", source="200") as store:
        await asked(store, [Journaled(bare, Journal(store))])
    assert 400 <= len(bare.asked) <= 400 + 20, "at most what was under way is asked again"


async def test_checking_again_adds_nothing_and_other_settings_add_a_scoring(tmp_path: Path) -> None:
    judge = Echo("test/judge", says="supported")
    options = TinyOptions(judged=True)
    with create(tmp_path / "r", options, source="3") as store:
        journal = Journal(store)
        await asked(store, [Journaled(Echo(), journal)], options=options)
        first = await check(store, TINY, options, roles=CAST)
        assert (await check(store, TINY, options, roles=CAST)).id == first.id
        roles = Roles({"judge": Journaled(judge, journal)}, seed=SEED)
        second = await check(store, TINY, options, roles=roles)
        assert [scoring.id for scoring in store.scorings()] == [first.id, second.id]
        assert second.raters == ("rule:strict", "judge:test/judge#1", "judge:test/judge#2")
        assert second.finished_at is not None
        texts = {claim.text for one in store.view(second.id).assessed() for claim in one.claims}
        assert len(judge.asked) == 2 * len(texts), (
            "equal claims are judged once a pass, and two passes are two calls"
        )
        uses = store.read(
            lambda db: db.execute("SELECT DISTINCT stage, role FROM uses ORDER BY 1").fetchall()
        )
        assert uses == [("ask", "model"), ("check", "judge")]
        before = [one.verdicts for one in store.view(first.id).assessed()]
        assert all(v.rater == "rule:strict" for verdicts in before for v in verdicts)


async def test_a_check_that_breaks_is_counted_with_its_claims(tmp_path: Path) -> None:
    class Odd(Echo):
        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            case = request.messages[0].text
            word = "unreadable" if "c0/" in case else "unjudgeable" if "c1/" in case else "plain"
            return Reply(parts=(Text(text=f"This. Is {word}."),), finish="stop")

    with create(tmp_path / "r", source="3") as store:
        await asked(store, [Odd()])
        progress: list[Progress] = []
        scoring = await check(store, TINY, OPTIONS, roles=CAST, watcher=progress.append)
        await estimate(store, TINY, OPTIONS, scoring=scoring.id, seed=SEED)
        found = {
            (one.case.id, one.left_out, len(one.claims), len(one.verdicts))
            for one in store.view(scoring.id).assessed()
        }
        assert found == {
            ("c0", "error:ValueError", 0, 0),
            ("c1", "error:RuntimeError", 2, 0),
            ("c2", None, 2, 2),
        }
        assert progress[-1].failures == {"error:ValueError": 2, "error:RuntimeError": 2}
        cells = list(store.cells(scoring.id))
        posed = {"c0": 1, "c1": 2, "c2": 2}
        assert all(cell.den + sum(cell.excluded.values()) == posed[cell.case_id] for cell in cells)


async def test_claims_that_break_their_law_are_an_error_of_the_check(tmp_path: Path) -> None:
    from dataclasses import replace as changed

    async def shifted(case: Case, response: Response, roles: Roles, options: TinyOptions) -> Any:
        from msgspec.structs import replace

        return tuple(
            replace(claim, start=claim.start + 1)
            for claim in await TINY.claims(case, response, roles, options)
        )

    with create(tmp_path / "r", source="1") as store:
        await asked(store, [Echo()])
        scoring = await check(store, changed(TINY, claims=shifted), OPTIONS, roles=CAST)
        assert {one.left_out for one in store.view(scoring.id).assessed()} == {"error:BadClaims"}


async def test_estimating_again_gives_the_same_bytes(tmp_path: Path) -> None:
    with create(tmp_path / "r", source="5") as store:
        await whole(store, [Echo()], OPTIONS)
        scoring = store.latest_scoring().id
        first = store.read(lambda db: db.execute("SELECT body FROM estimates").fetchall())
        made = await estimate(store, TINY, OPTIONS, scoring=scoring, seed=SEED)
        assert store.read(lambda db: db.execute("SELECT body FROM estimates").fetchall()) == first
        assert store.estimates(scoring) == made
        assert len(store.sections(scoring)) == 1


async def test_a_plan_counts_and_asks_no_one(tmp_path: Path) -> None:
    bare = Echo()
    options = TinyOptions(turns=2)
    with create(tmp_path / "r", options, source="4") as store:
        model = Journaled(bare, Journal(store))
        (fresh,) = await plan(TINY, options, cases=store.cases(), roles=CAST, models=[model])
        assert (fresh.missing, fresh.calls, fresh.hits, fresh.held) == (8, 16, 0, 0)
        assert fresh.characters_in > 100
        assert fresh.tokens_out == 16 * 800
        assert bare.asked == []
        await asked(store, [model], options=options, limit=1)
        store.write_now(
            lambda db: [
                db.execute("DELETE FROM use_rows"),
                db.execute("DELETE FROM response_rows WHERE id = 1"),
            ]
        )
        (later,) = await plan(TINY, options, cases=store.cases(), roles=CAST, models=[model], store=store)
        assert (later.held, later.missing, later.hits, later.calls) == (1, 7, 2, 12)


async def test_progress_tells_calls_tokens_and_hits(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with create(tmp_path / "r", source="2") as store:
        last = await asked(store, [Journaled(Echo(), Journal(store))], watcher=seen.append)
    assert [one.done for one in seen if one.done][-1] == last.total == 4
    assert (last.calls, last.hits, last.tokens_in, last.tokens_out) == (4, 0, 40, 20)
    assert all(one.stage == "ask" for one in seen)


async def test_the_whole_stack_together(tmp_path: Path) -> None:
    bare = Echo(failures=[Transient("503")])
    with create(tmp_path / "r", source="3") as store:
        slots, budget = asyncio.Semaphore(2), Budget(calls=100)
        model = Journaled(Budgeted(Retrying(Limited(bare, slots), wait_s=0.001), budget), Journal(store))
        await whole(store, [model], OPTIONS)
        attempts = store.read(lambda db: db.execute("SELECT sum(attempts) FROM calls").fetchone()[0])
    assert attempts == len(bare.asked) == 7


def test_a_pose_that_does_not_apply_is_neither_work_nor_a_failure() -> None:
    seen: list[Progress] = []
    tally = Tally("ask", 3, seen.append)
    tally.step()
    tally.skip()
    tally.step("refused")
    assert [(one.done, one.total, sum(one.failures.values())) for one in seen] == [
        (1, 3, 0),
        (1, 2, 0),
        (2, 2, 1),
    ]
