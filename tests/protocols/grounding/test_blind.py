"""Leak test (reading.md, section 3) on what a judge is shown of the recorded run: two real models, two arms, forty patients."""

import asyncio
import re
from collections.abc import Iterator
from random import Random

import pytest

from percuss.api.report.demo import recorded_run
from percuss.core.messages import Request
from percuss.core.ports import Roles, ScoredResponse
from percuss.judging.leaks import Shown, leaks_of_items
from percuss.models.scripted import Scripted
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.options import GroundingOptions
from percuss.store import RunStore

pytestmark = pytest.mark.slow

ARMS = ("full_multimodal", "ungrounded")
CLAIM = re.compile(r"<claim>.*?</claim>", re.DOTALL)


def prompts(one: ScoredResponse, *, tells: bool) -> Iterator[Shown]:
    """Yield what the judge is shown of one answer's claims beside the claim; `tells` plants what the arm was shown."""
    asked: list[Request] = []

    def answer(request: Request, _epoch: int) -> str:
        asked.append(request)
        return '{"rationale": "r", "label": "supported"}'

    async def read() -> None:
        roles = Roles({"judge": Scripted(answer, id="scripted/judge")}, seed=1)
        async for _ in PROTOCOL.verdicts(one.case, one.response, one.claims, roles, GroundingOptions()):
            pass

    asyncio.run(read())
    for request in asked:
        fields = {f"{m.role} {n}": CLAIM.sub("", m.text) for n, m in enumerate(request.messages)}
        more = {"shown": one.response.arm == ARMS[0]} if tells else {}
        yield Shown(fields=fields | more, arm=one.response.arm, model=one.response.model, case=one.case.id)


@pytest.fixture(scope="module")
def told() -> list[ScoredResponse]:
    with recorded_run() as folder, RunStore.open(folder) as store:
        view = store.view(store.latest_scoring().id)
        return [
            a for a in view.assessed() if a.response.arm in ARMS and a.response.model not in view.simulated
        ]


def test_no_prompt_of_a_judge_tells_arm_or_model(told: list[ScoredResponse]) -> None:
    items = [item for one in told for item in prompts(one, tells=False)]
    Random(1).shuffle(items)
    assert len(items) > 400
    assert {item.arm for item in items} == set(ARMS)
    found = leaks_of_items(items, seed=1)
    assert not [leak for _, leak in found if leak.refused]
    within = {(item.case, str(sorted(item.fields.items()))) for item in items}
    assert len(within) == len({item.case for item in items}), (
        "beside its claim a prompt is the same for all of a case"
    )


def test_a_prompt_that_tells_the_arm_is_refused(told: list[ScoredResponse]) -> None:
    items = [item for one in told[:60] for item in prompts(one, tells=True)]
    assert leaks_of_items(items, seed=1)[0][1].refused
