"""The stage `ask`: put every case, in every arm and epoch, to every model; write one response each."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from percuss.core.errors import RunError
from percuss.core.ids import response_id
from percuss.core.ports import Model, Roles, is_simulated
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Blob, Case, Response
from percuss.engine.check import check
from percuss.engine.conditioning import CONDITIONING, conditioning_of, conditioning_roles
from percuss.engine.making import PREDECESSOR, Maker, Outcome, Unit
from percuss.engine.once import JournaledOnce
from percuss.engine.order import followed_for_verdicts, waves_of
from percuss.engine.pool import drain, together
from percuss.engine.progress import Progress, Tally, Watcher
from percuss.store.blobs import has_blob, put_blob
from percuss.store.cases import count_cases, read_cases
from percuss.store.following import earlier_of
from percuss.store.manifest import name_model, name_simulated, put_manifest
from percuss.store.responses import count_settled, put_response, settled
from percuss.store.run import RunStore

__all__ = ["Posing", "ask", "maker_of", "missing"]

PAGE = 64

HOPELESS = 20
"""So many failed calls before the first answer, and the model is not to be had: an hour of retries tells no more."""

_OF_THE_MODEL = frozenset({"error:transient", "error:bad_reply", "error:bad_request"})


@dataclass(frozen=True, slots=True)
class Posing:
    """One case in one arm and epoch, for one model."""

    case: Case
    arm: Arm
    epoch: int


async def ask(
    store: RunStore,
    protocol: Protocol[Any],
    options: Options,
    *,
    roles: Roles,
    models: Sequence[Model],
    arms: Sequence[Arm] | None = None,
    epochs: int = 1,
    limit: int | None = None,
    concurrency: int = 10,
    watcher: Watcher | None = None,
    condition_on: Model | None = None,
) -> Progress:
    """Ask what the run does not hold yet, or holds as failed, and return the final progress.

    A protocol's `ask` gets roles of its own for each response: `roles.models["model"]` is the model under test, epochs
    of all roles count from the response's, and `roles.seed` is derived by name from model, case, arm and epoch: it goes
    into `Request.seed`; `roles.paired` is derived without the arm. `pose` gets the root seed, so that all models meet the
    same pose. Arms that follow others are asked in waves after them; where one needs verdicts, those before it are first
    checked in the conditioning scoring.

    Args:
        store: the run, with its cases added.
        protocol: the protocol; options: its settings.
        roles: roles beside the model under test; `seed` is the root seed.
        models: the models under test, journaled.
        arms: None = all of the protocol's; arms that others follow must be among them.
        epochs: answers to each pose.
        limit: the first so many cases; None = all that the run holds.
        concurrency: calls at a time to one model; twice as many responses are under way.
        watcher: hears of every step.
        condition_on: a judge that rates for the conditioning scoring beside the protocol's rules.

    Raises:
        OverBudget: a budget is used up; what was under way is kept, the same call resumes.
        UsageError, RunError, HostRefused: the run as a whole cannot go on; so too when a model's first answers all fail.
    """
    chosen = tuple(protocol.arms(options)) if arms is None else tuple(arms)
    waves = waves_of(chosen)
    held = store.read(count_cases)
    n_cases = held if limit is None else min(limit, held)
    tally = Tally("ask", await _begin(store, models, chosen, epochs, n_cases), watcher)
    scoring = conditioning_of(protocol, options, roles, chosen, condition_on)
    if scoring is not None:
        told = {"scoring": scoring.id, "raters": list(scoring.raters)}
        await store.write(put_manifest, {CONDITIONING: told})
    maker, chosen_id = maker_of(store, protocol, options, roles), None if scoring is None else scoring.id
    asking = [_Asking(store, maker, model, tally, chosen_id) for model in models]
    for wave in waves:
        wanted = followed_for_verdicts(wave)
        if wanted:
            raters = conditioning_roles(roles, condition_on)
            await check(
                store, protocol, options, roles=raters, concurrency=concurrency, watcher=watcher, arms=wanted
            )
        await together(each.wave(wave, epochs, n_cases, workers=2 * concurrency) for each in asking)
    await asyncio.to_thread(store.write_manifest_file)
    return tally.progress()


async def _begin(
    store: RunStore, models: Sequence[Model], arms: Sequence[Arm], epochs: int, n_cases: int
) -> int:
    """Name the models in the run and return how many responses are to be made."""
    names = [arm.name for arm in arms]
    total = 0
    for model in models:
        await store.write(name_model, model.id, model.pin)
        await store.write(name_simulated, [model.id] if is_simulated(model) else [])
        total += len(names) * epochs * n_cases - store.read(count_settled, model.id, names, epochs, n_cases)
    return total


def maker_of(store: RunStore, protocol: Protocol[Any], options: Options, roles: Roles) -> Maker:
    """Return what makes answers and checks of a run; images go into the run before the model looks at them.

    Of an image with a recipe the run keeps the recipe alone, which its protocol writes with the response.
    """

    async def keep(blob: Blob) -> None:
        if blob.recipe is not None:
            store.blobs.lend(blob)
        elif not store.read(has_blob, blob.digest):
            await store.write(put_blob, blob)

    return Maker(protocol, options, roles, keep=keep, blobs=store.blobs, once=JournaledOnce(store))


async def missing(
    store: RunStore, model: str, arms: Sequence[Arm], *, epochs: int, n_cases: int
) -> AsyncIterator[Posing]:
    """Yield what a model has not answered of the first `n_cases` cases, in order, a page of cases at a time."""
    for start in range(0, n_cases, PAGE):
        stop = min(start + PAGE, n_cases)
        known = await asyncio.to_thread(store.read, settled, model, start, stop)
        for _, case in await asyncio.to_thread(store.read, read_cases, start, stop):
            for arm in arms:
                for epoch in range(epochs):
                    if (case.id, arm.name, epoch) not in known:
                        yield Posing(case, arm, epoch)


@dataclass(slots=True)
class _Asking:
    """Asks one model; `settle` makes one response and writes it with its uses, in one transaction."""

    store: RunStore
    maker: Maker
    model: Model
    tally: Tally
    conditioning: str | None
    answered: bool = False
    failed: int = 0

    async def wave(self, arms: Sequence[Arm], epochs: int, n_cases: int, *, workers: int) -> None:
        wanted = missing(self.store, self.model.id, arms, epochs=epochs, n_cases=n_cases)
        await drain(wanted, self.settle, workers=workers)

    async def settle(self, posing: Posing) -> None:
        outcome: Outcome = await self.maker.answer(self._unit(posing), self.model, self.tally.call)
        assert outcome.response is not None
        await self.store.write(put_response, outcome.response, outcome.uses)
        if outcome.response.status == "not_applicable":
            self.tally.skip()
        else:
            self.tally.step(None if outcome.response.status == "done" else outcome.response.reason)
        self._require_hope(outcome.response)

    def _unit(self, posing: Posing) -> Unit:
        unit = Unit(case=posing.case, arm=posing.arm, epoch=posing.epoch, model=self.model.id)
        if posing.arm.after is None:
            return unit
        scoring = self.conditioning if posing.arm.needs == "verdicts" else None
        before = response_id(self.model.id, posing.case.id, posing.arm.after, posing.epoch)
        earlier = self.store.read(earlier_of, before, scoring)
        if isinstance(earlier, str):
            return replace(unit, lost=earlier)
        return replace(unit, earlier=earlier, after_scoring=scoring)

    def _require_hope(self, response: Response) -> None:
        self.failed += response.reason in _OF_THE_MODEL
        self.answered = self.answered or response.reason not in {*_OF_THE_MODEL, PREDECESSOR}
        if self.failed >= HOPELESS and not self.answered:
            raise RunError(
                f"the first {self.failed} responses of {self.model.id} all failed "
                f"({response.artifacts.get('error', response.reason)}); mend that and start the same command again"
            )
