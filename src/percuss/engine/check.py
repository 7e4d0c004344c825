"""The stage `check`: split every done response into claims, have them labelled, and write both at once."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from percuss.core.ports import Roles, is_simulated
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Case, Claim, Response, Scoring, Verdict
from percuss.engine.ask import reason_of
from percuss.engine.identity import scoring_of
from percuss.engine.pool import ABORTING, drain
from percuss.engine.progress import Tally, Watcher
from percuss.engine.uses import Player, collecting
from percuss.store.manifest import name_simulated
from percuss.store.run import RunStore
from percuss.store.scorings import (
    Checked,
    count_unchecked,
    find_scoring,
    finish_scoring,
    put_checked,
    put_scoring,
    unchecked,
)

__all__ = ["check"]

PAGE = 64


async def check(
    store: RunStore,
    protocol: Protocol[Any],
    options: Options,
    *,
    roles: Roles,
    concurrency: int = 10,
    watcher: Watcher | None = None,
) -> Scoring:
    """Complete the scoring that these options and these roles make, and return it; other settings make another one.

    What it goes through: done responses that the scoring has not seen, those that could not be checked, and those
    where a rater had an error. A response whose `claims` or `verdicts` raise is written with the reason: its claims,
    where they were found, count as left out by it, and `RunView.assessed` says so.

    Args:
        store: the run.
        protocol: the protocol; options: its settings.
        roles: judges and other roles of checking; `seed` is the root seed, so that equal questions share a call.
        concurrency: calls at a time; twice as many responses are under way.
        watcher: hears of every step.

    Raises:
        OverBudget: a budget is used up; what was under way is kept, the same call resumes.
        UsageError, RunError, HostRefused: the run as a whole cannot go on.
    """
    scoring = scoring_of(protocol, options, roles)
    await store.write(put_scoring, scoring)
    playing = (model.id for model in roles.models.values() if is_simulated(model))
    await store.write(name_simulated, sorted(playing))
    tally = Tally("check", store.read(count_unchecked, scoring.id), watcher)
    checking = _Checking(store, protocol, options, roles, scoring, tally)
    await drain(_unchecked(store, scoring.id), checking.settle, workers=2 * concurrency)
    await store.write(finish_scoring, scoring.id)
    await asyncio.to_thread(store.write_manifest_file)
    return store.read(find_scoring, scoring.id)


async def _unchecked(store: RunStore, scoring: str) -> AsyncIterator[tuple[Case, Response]]:
    after = -1
    while page := await asyncio.to_thread(store.read, unchecked, scoring, after, PAGE):
        for _, case, response in page:
            yield case, response
        after = page[-1][0]


@dataclass(frozen=True, slots=True)
class _Checking:
    """Checks one response at a time; `settle` writes its claims, verdicts and uses in one transaction."""

    store: RunStore
    protocol: Protocol[Any]
    options: Options
    roles: Roles
    scoring: Scoring
    tally: Tally

    async def settle(self, unit: tuple[Case, Response]) -> None:
        case, response = unit
        with collecting(self.tally.call) as collected:
            checked = await self._checked(case, response)
        await self.store.write(put_checked, self.scoring.id, checked, collected.uses())
        self.tally.step(checked.reason)

    async def _checked(self, case: Case, response: Response) -> Checked:
        roles = self._cast()
        claims: tuple[Claim, ...] = ()
        try:
            claims = await self.protocol.claims(case, response, roles, self.options)
            _require_spans(response, claims)
            found = self.protocol.verdicts(case, response, claims, roles, self.options)
            verdicts = [replace(verdict, scoring=self.scoring.id) async for verdict in found]
            _require_once(verdicts)
        except ABORTING:
            raise
        except Exception as error:  # noqa: BLE001 - a failure is a value: counted, by reason
            kept = () if isinstance(error, BadClaims) else claims
            return Checked(response_id=response.id, claims=kept, reason=reason_of(error))
        return Checked(response_id=response.id, claims=claims, verdicts=tuple(verdicts))

    def _cast(self) -> Roles:
        roles = self.roles
        return Roles(
            {role: Player(model, role) for role, model in roles.models.items()},
            seed=roles.seed,
            embedder=roles.embedder,
            search=roles.search,
            fetch=roles.fetch,
            judge_passes=roles.judge_passes,
        )


class BadClaims(ValueError):
    """Claims that break their own law."""


def _require_spans(response: Response, claims: Sequence[Claim]) -> None:
    texts = {turn.index: turn.text for turn in response.turns}
    seen = set()
    for claim in claims:
        if (
            texts.get(claim.turn, "")[claim.start : claim.stop] != claim.text
            or claim.response_id != response.id
        ):
            raise BadClaims(
                f"claim {claim.id} is not what stands at {claim.start}:{claim.stop} of turn {claim.turn}"
            )
        if (claim.id, claim.extractor) in seen or claim.extractor != claims[0].extractor:
            raise BadClaims(
                f"claim {claim.id} is not the only one of its id and its response's only extractor"
            )
        seen.add((claim.id, claim.extractor))


def _require_once(verdicts: Sequence[Verdict]) -> None:
    keys = [(verdict.subject, verdict.aspect, verdict.rater) for verdict in verdicts]
    if len(set(keys)) != len(keys):
        raise ValueError(
            "a rater labels a subject once under each aspect; two verdicts share subject, aspect and rater"
        )
