"""The stage `ask`: put every case, in every arm and epoch, to every model; write one response each."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from percuss.core.errors import PercussError, Refused, RunError
from percuss.core.ids import response_id
from percuss.core.labels import Reason, reason_head
from percuss.core.ports import Model, Roles, is_simulated
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Case, NotApplicable, Posed, Response
from percuss.core.seeds import derive
from percuss.engine.pool import ABORTING, Offload, drain, together
from percuss.engine.progress import Progress, Tally, Watcher
from percuss.engine.uses import Player, collecting
from percuss.store.blobs import has_blob, put_blob
from percuss.store.cases import count_cases, read_cases
from percuss.store.manifest import name_model, name_simulated
from percuss.store.responses import count_settled, put_response, settled
from percuss.store.run import RunStore

__all__ = ["Posing", "ask", "missing", "not_applicable", "reason_of"]

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
) -> Progress:
    """Ask what the run does not hold yet, or holds as failed, and return the final progress.

    A protocol's `ask` gets roles of its own for each response: `roles.models["model"]` is the model under test, epochs
    of all roles count from the response's, and `roles.seed` is derived by name from model, case, arm and epoch: it goes
    into `Request.seed`; `roles.paired` is derived without the arm. `pose` gets the root seed, so that all models meet the same pose.

    Args:
        store: the run, with its cases added.
        protocol: the protocol; options: its settings.
        roles: roles beside the model under test; `seed` is the root seed.
        models: the models under test, journaled.
        arms: None = all of the protocol's.
        epochs: answers to each pose.
        limit: the first so many cases; None = all that the run holds.
        concurrency: calls at a time to one model; twice as many responses are under way.
        watcher: hears of every step.

    Raises:
        OverBudget: a budget is used up; what was under way is kept, the same call resumes.
        UsageError, RunError, HostRefused: the run as a whole cannot go on; so too when a model's first answers all fail.
    """
    chosen = tuple(protocol.arms(options)) if arms is None else tuple(arms)
    names = [arm.name for arm in chosen]
    held = store.read(count_cases)
    n_cases = held if limit is None else min(limit, held)
    total = 0
    for model in models:
        await store.write(name_model, model.id, model.pin)
        await store.write(name_simulated, [model.id] if is_simulated(model) else [])
        total += len(names) * epochs * n_cases - store.read(count_settled, model.id, names, epochs, n_cases)
    tally = Tally("ask", total, watcher)
    await together(
        drain(
            missing(store, model.id, chosen, epochs=epochs, n_cases=n_cases),
            _Asking(store, protocol, options, roles, model, tally).settle,
            workers=2 * concurrency,
        )
        for model in models
    )
    await asyncio.to_thread(store.write_manifest_file)
    return tally.progress()


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


def reason_of(error: Exception) -> str:
    """Return the reason of a response that ended in an exception: `refused`, or `error` and what kind of it."""
    if isinstance(error, Refused):
        return Reason.REFUSED.value
    name = type(error).__name__
    return f"{Reason.ERROR.value}:{_snake(name) if isinstance(error, PercussError) else name}"


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def not_applicable(reason: str) -> str:
    """Return a protocol's reason with `not_applicable` before it, unless it begins with a known word."""
    try:
        reason_head(reason)
    except ValueError:
        return f"{Reason.NOT_APPLICABLE.value}:{reason}"
    return reason


@dataclass(slots=True)
class _Asking:
    """Asks one model; `settle` makes one response and writes it with its uses, in one transaction."""

    store: RunStore
    protocol: Protocol[Any]
    options: Options
    roles: Roles
    model: Model
    tally: Tally
    posing: Offload = field(default_factory=Offload)
    answered: bool = False
    failed: int = 0

    async def settle(self, unit: Posing) -> None:
        with collecting(self.tally.call) as collected:
            response = await self._response(unit)
        await self.store.write(put_response, replace(response, usage=collected.usage()), collected.uses())
        self.tally.step(None if response.status == "done" else response.reason)
        self._require_hope(response)

    def _require_hope(self, response: Response) -> None:
        self.failed += response.reason in _OF_THE_MODEL
        self.answered = self.answered or response.reason not in _OF_THE_MODEL
        if self.failed >= HOPELESS and not self.answered:
            raise RunError(
                f"the first {self.failed} responses of {self.model.id} all failed "
                f"({response.artifacts.get('error', response.reason)}); mend that and start the same command again"
            )

    async def _response(self, unit: Posing) -> Response:
        blank = Response(
            id=response_id(self.model.id, unit.case.id, unit.arm.name, unit.epoch),
            case_id=unit.case.id,
            arm=unit.arm.name,
            model=self.model.id,
            epoch=unit.epoch,
        )
        try:
            posed = await self.posing(
                self.protocol.pose, unit.case, unit.arm, None, self.options, self.roles.seed
            )
            if isinstance(posed, NotApplicable):
                return replace(blank, status="not_applicable", reason=not_applicable(posed.reason))
            return await self._answer(blank, unit, posed)
        except ABORTING:
            raise
        except Exception as error:  # noqa: BLE001 - a failure is a value: counted, by reason
            return replace(blank, status="failed", reason=reason_of(error), artifacts={"error": str(error)})

    async def _answer(self, blank: Response, unit: Posing, posed: Posed) -> Response:
        for blob in posed.blobs:
            if not self.store.read(has_blob, blob.digest):
                await self.store.write(put_blob, blob)
        transcript = await self.protocol.ask(posed, self._cast(unit), self.options)
        answered = replace(
            blank, turns=transcript.turns, finish=transcript.finish, artifacts=transcript.artifacts
        )
        if transcript.finish == "refused":
            return replace(answered, status="failed", reason=Reason.REFUSED.value)
        if transcript.error is not None:
            return replace(answered, status="failed", reason=transcript.error)
        return answered

    def _cast(self, unit: Posing) -> Roles:
        roles = self.roles
        players = {**roles.models, "model": self.model}
        names = ("ask", self.model.id, unit.case.id)
        return Roles(
            {role: Player(model, role, unit.epoch) for role, model in players.items()},
            seed=derive(roles.seed, *names, unit.arm.name, unit.epoch),
            paired=derive(roles.seed, *names, unit.epoch),
            embedder=roles.embedder,
            search=roles.search,
            fetch=roles.fetch,
            judge_passes=roles.judge_passes,
        )
