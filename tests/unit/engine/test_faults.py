"""One call in five fails, in all the ways of the server: every case ends as a value or as a counted, named failure."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from percuss.core.ports import Roles
from percuss.engine import Journal, Journaled, Limited, Retrying, ask, check, estimate
from percuss.models.endpoints import endpoint
from percuss.models.faults import KINDS, Faults
from percuss.models.loopback import Loopback
from percuss.models.openai_compatible import OpenAICompatible
from percuss.net.client import Client
from tests.tiny import SEED, TINY, TinyOptions, create

CASES = 200
KNOWN = {"refused", "error:transient", "error:bad_reply", "error:bad_request"}


@pytest.mark.slow
async def test_every_case_ends_as_a_value_or_a_named_failure(tmp_path: Path) -> None:
    faults = Faults(dict.fromkeys(KINDS, 0.2 / len(KINDS)), seed=11)
    async with (
        Loopback(lambda body: "It is good. Is it so?", faults=faults, hang_s=0.2) as server,
        Client() as client,
    ):
        bare = OpenAICompatible(
            id="vllm/any", name="any", endpoint=endpoint("vllm", {}, base_url=server.url), client=client
        )
        options = TinyOptions(turns=2)
        with create(tmp_path / "r", options, source=str(CASES)) as store:
            limited = Limited(bare, asyncio.Semaphore(50), timeout_s=0.5)
            model = Journaled(Retrying(limited, wait_s=0.001), Journal(store))
            roles = Roles({}, seed=SEED)
            progress = await ask(store, TINY, options, roles=roles, models=[model], concurrency=50)
            scoring = await check(store, TINY, options, roles=roles)
            made = await estimate(store, TINY, options, scoring=scoring.id, seed=SEED)
            assessed = list(store.view(scoring.id).assessed())
            cells = list(store.cells(scoring.id))
    assert set(server.made) == set(KINDS), "every kind of fault has been met"
    assert sum(server.made.values()) > 0.15 * server.seen.total()
    status = Counter(one.response.status for one in assessed)
    reasons = Counter(one.left_out for one in assessed if one.left_out)
    assert status.total() == progress.total == 2 * CASES
    assert dict(reasons) == progress.failures
    assert set(reasons) <= KNOWN
    assert {"refused", "error:bad_request"} <= set(reasons)
    assert status["done"] + reasons.total() == 2 * CASES
    assert status["done"] > CASES
    posed = {(one.case.id, one.response.arm): max(1, len(one.claims)) for one in assessed}
    assert all(cell.den + sum(cell.excluded.values()) == posed[cell.case_id, cell.arm] for cell in cells)
    assert sum(sum(estimate.excluded.values()) for estimate in made) == reasons.total()
