"""The stage `check`: split every done response into claims, have them labelled, and write both at once."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from percuss.core.ports import Roles, is_simulated
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Case, Response, Scoring
from percuss.engine.identity import scoring_of
from percuss.engine.making import Maker, Unit
from percuss.engine.once import JournaledOnce
from percuss.engine.pool import drain
from percuss.engine.progress import Tally, Watcher
from percuss.engine.uses import collecting
from percuss.store.cases import count_cases
from percuss.store.manifest import name_simulated
from percuss.store.responses import Use
from percuss.store.run import RunStore
from percuss.store.scorings import (
    add_verdicts,
    count_unchecked,
    find_scoring,
    finish_scoring,
    put_checked,
    put_scoring,
    unchecked,
)

__all__ = ["check"]

PAGE = 8
"""Cases read at a time, with all of their answers."""


async def check(
    store: RunStore,
    protocol: Protocol[Any],
    options: Options,
    *,
    roles: Roles,
    concurrency: int = 10,
    watcher: Watcher | None = None,
    arms: Sequence[str] | None = None,
) -> Scoring:
    """Complete the scoring that these options and these roles make, and return it; other settings make another one.

    It goes by case, then model, arm and epoch. What it goes through: done responses that the scoring has not seen, those that could not be checked, and those
    where a rater had an error. A response whose `claims` or `verdicts` raise is written with the reason: its claims,
    where they were found, count as left out by it, and `RunView.assessed` says so.

    Args:
        store: the run.
        protocol: the protocol; options: its settings.
        roles: judges and other roles of checking; `seed` is the root seed, so that equal questions share a call.
        concurrency: calls at a time; twice as many responses are under way.
        watcher: hears of every step.
        arms: names of the arms whose responses are checked now, the scoring then staying unfinished; None = all.

    Raises:
        OverBudget: a budget is used up; what was under way is kept, the same call resumes.
        UsageError, RunError, HostRefused: the run as a whole cannot go on.
    """
    scoring = scoring_of(protocol, options, roles)
    await store.write(put_scoring, scoring)
    raters = (*roles.models.values(), *(() if roles.verifier is None else (roles.verifier,)))
    playing = {rater.id for rater in raters if is_simulated(rater)}
    await store.write(name_simulated, sorted(playing))
    tally = Tally("check", store.read(count_unchecked, scoring.id, arms), watcher)
    maker = Maker(protocol, options, roles, blobs=store.blobs, once=JournaledOnce(store))
    checking = _Checking(store, maker, scoring, tally)
    await drain(_unchecked(store, scoring.id, arms), checking.settle, workers=2 * concurrency)
    if arms is None:
        await _compare(store, protocol, options, roles, scoring)
        await store.write(finish_scoring, scoring.id)
    await asyncio.to_thread(store.write_manifest_file)
    return store.read(find_scoring, scoring.id)


async def _compare(
    store: RunStore, protocol: Protocol[Any], options: Options, roles: Roles, scoring: Scoring
) -> None:
    """Have a protocol hold checked answers against each other, where it does; what it yields belongs to one response each."""
    if protocol.compared is None:
        return
    found = aiter(protocol.compared(store.view(scoring.id), roles, options))
    while True:
        with collecting() as collected:
            verdicts = await anext(found, None)
        if verdicts is None:
            return
        uses = tuple(Use(role="verifier", key=key) for _, key in sorted(collected.calls))
        await store.write(add_verdicts, scoring.id, verdicts[0].response_id, verdicts, uses)


async def _unchecked(
    store: RunStore, scoring: str, arms: Sequence[str] | None
) -> AsyncIterator[tuple[Case, Response]]:
    for start in range(0, store.read(count_cases), PAGE):
        page = await asyncio.to_thread(store.read, unchecked, scoring, start, start + PAGE, arms)
        for _, case, response in page:
            yield case, response


@dataclass(frozen=True, slots=True)
class _Checking:
    """Checks one response at a time; `settle` writes its claims, verdicts and uses in one transaction."""

    store: RunStore
    maker: Maker
    scoring: Scoring
    tally: Tally

    async def settle(self, unit: tuple[Case, Response]) -> None:
        case, response = unit
        made = Unit(
            case=case,
            arm=Arm(name=response.arm),
            epoch=response.epoch,
            model=response.model,
            response=response,
            scoring=self.scoring.id,
        )
        outcome = await self.maker.check(made, self.tally.call)
        assert outcome.checked is not None
        await self.store.write(put_checked, self.scoring.id, outcome.checked, outcome.uses)
        self.tally.step(outcome.checked.reason)
