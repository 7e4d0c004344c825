"""What a run would still have to do: counted by posing, without asking anyone."""

import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from percuss.core.errors import BadReply, ModelError, OverBudget
from percuss.core.ids import response_id
from percuss.core.ports import Model, Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import (
    Arm,
    Case,
    Earlier,
    Image,
    NotApplicable,
    Posed,
    Record,
    Reply,
    Request,
    Response,
    Text,
    Transcript,
    Turn,
)
from percuss.core.seeds import derive
from percuss.engine.journal import key_of
from percuss.engine.order import waves_of
from percuss.engine.stand_in import TYPICAL_SHARE, reply_for_show
from percuss.store.calls import find_call
from percuss.store.responses import settled
from percuss.store.run import RunStore

__all__ = ["TYPICAL_SHARE", "Plan", "plan"]


EVERY = 1 << 62
"""Past the ordinal of any case."""
LONGEST = 200
"""Calls of one conversation; one that is still not over is waiting for a word that no stand-in says."""


class Plan(Record):
    """What asking would do for one model.

    Args:
        model: its id.
        cases, arms, epochs: what is posed.
        held: responses that the run holds; not_applicable: poses that an arm does not apply to.
        missing: responses to be made; hits: calls of them that the journal answers.
        calls: calls to be made, were each answer of typical length and none asked for a tool; equal calls count once.
        characters_in: length of the texts of those calls' messages; images_in: how many images they carry.
        tokens_out: what those calls may return at most.
        failed: conversations that a recorded failure ends.
        broken: poses or conversations that could not take the stand-in's reply; their calls are counted as far as they went.
    """

    model: str
    cases: int
    arms: int
    epochs: int
    held: int = 0
    not_applicable: int = 0
    missing: int = 0
    hits: int = 0
    calls: int = 0
    characters_in: int = 0
    images_in: int = 0
    tokens_out: int = 0
    failed: int = 0
    broken: int = 0


_FOR_SHOW = Transcript(turns=(Turn(index=0, role="assistant", parts=(Text(text="word"),)),))


async def _nothing_made(kind: str, key: Any, make: Callable[[], Awaitable[bytes]]) -> bytes:
    """Stand in for `Roles.once`: a dry run makes nothing."""
    del kind, key, make
    return b""


class _Dry:
    """A model that answers from the journal, and else says as much as is typical, so that a conversation goes on."""

    def __init__(self, model: Model, store: RunStore | None, epoch: int, asked: dict[str, Request]) -> None:
        self.id = model.id
        self.pin = model.pin
        self.hits = 0
        self._store = store
        self._epoch = epoch
        self._asked = asked
        self._told = 0

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer from the journal, or note the call and answer for show."""
        key = key_of(self, request, self._epoch + epoch)
        call = None if self._store is None else self._store.read(find_call, key)
        if call is not None:
            self.hits += 1
            return call.outcome()
        self._asked[key] = request
        self._told += 1
        if self._told > LONGEST:
            raise BadReply("no reply for show ends this conversation")
        return reply_for_show(request)


async def plan(
    protocol: Protocol[Any],
    options: Options,
    *,
    cases: Iterable[Case],
    roles: Roles,
    models: Sequence[Model],
    store: RunStore | None = None,
    arms: Sequence[Arm] | None = None,
    epochs: int = 1,
    answered: Iterable[tuple[str, str, str, int]] = (),
) -> tuple[Plan, ...]:
    """Count what `ask` would do, without writing a row or asking anyone; one plan a model.

    An arm that follows another is posed on a reply for show: its calls are the most that there can be.

    Args:
        protocol: the protocol; options: its settings.
        cases: what would be posed, limit applied.
        roles: as for `ask`; its roles are not asked either, and answer for show.
        models: the models under test.
        store: the run where it exists; None counts from nothing.
        arms: None = all of the protocol's.
        epochs: answers to each pose.
        answered: (model, case, arm, epoch) of answers made elsewhere, which would enter before asking.
    """
    chosen = tuple(protocol.arms(options)) if arms is None else tuple(arms)
    ordered = [arm for wave in waves_of(chosen) for arm in wave]
    planning = [_Planning(protocol, options, roles, model, store) for model in models]
    elsewhere = tuple(answered)
    for each in planning:
        each.hold(elsewhere)
    n_cases = 0
    for case in cases:
        n_cases += 1
        for each in planning:
            for epoch in range(epochs):
                await each.count(case, ordered, epoch)
    return tuple(
        Plan(model=each.model.id, cases=n_cases, arms=len(chosen), epochs=epochs, **each.counts)
        for each in planning
    )


class _Planning:
    """Counts for one model."""

    def __init__(
        self, protocol: Protocol[Any], options: Options, roles: Roles, model: Model, store: RunStore | None
    ) -> None:
        self.model = model
        self.counts: Counter[str] = Counter()
        self._protocol = protocol
        self._options = options
        self._roles = roles
        self._store = store
        self._seen: set[str] = set()
        self._held = set() if store is None else store.read(settled, model.id, 0, EVERY)

    def hold(self, answered: Iterable[tuple[str, str, str, int]]) -> None:
        """Count these answers as held."""
        self._held |= {key[1:] for key in answered if key[0] == self.model.id}

    async def count(self, case: Case, arms: Sequence[Arm], epoch: int) -> None:
        """Count a case in all arms, those that follow others after them, on replies for show."""
        told: dict[str, Transcript] = {}
        for arm in arms:
            if (case.id, arm.name, epoch) in self._held:
                self.counts["held"] += 1
                continue
            try:
                posed = self._posed(case, arm, epoch, told)
            except Exception:
                if arm.after is None:
                    raise
                self.counts.update(("missing", "broken"))
                continue
            if isinstance(posed, NotApplicable):
                self.counts["not_applicable"] += 1
                continue
            self.counts["missing"] += 1
            transcript = await self._try(case, arm, epoch, posed)
            if transcript is not None:
                told[arm.name] = transcript

    def _posed(
        self, case: Case, arm: Arm, epoch: int, told: Mapping[str, Transcript]
    ) -> Posed | NotApplicable:
        earlier = None
        if arm.after is not None:
            made = told.get(arm.after, _FOR_SHOW)
            response = Response(
                id=response_id(self.model.id, case.id, arm.after, epoch),
                case_id=case.id,
                arm=arm.after,
                model=self.model.id,
                epoch=epoch,
                turns=made.turns,
                finish=made.finish,
                artifacts=made.artifacts,
            )
            earlier = Earlier(response=response)
        return self._protocol.pose(case, arm, earlier, self._options, self._roles.seed)

    async def _try(self, case: Case, arm: Arm, epoch: int, posed: Posed) -> Transcript | None:
        asked: dict[str, Request] = {}
        dry = {
            role: _Dry(model, self._store, epoch, asked)
            for role, model in {**self._roles.models, "model": self.model}.items()
        }
        transcript = None
        with tempfile.TemporaryDirectory(prefix="percuss-") as scratch:
            try:
                roles = self._dry_roles(dry, case, arm, epoch, Path(scratch))
                transcript = await self._protocol.ask(posed, roles, self._options)
            except (BadReply, OverBudget):
                self.counts["broken"] += 1
            except ModelError:
                self.counts["failed"] += 1
            except Exception:  # noqa: BLE001 - a dry run survives whatever a protocol makes of a reply for show
                self.counts["broken"] += 1
        for key, request in asked.items():
            if key not in self._seen:  # askers of one key share its call
                self._seen.add(key)
                self._add(request)
        self.counts["hits"] += sum(each.hits for each in dry.values())
        return transcript

    def _dry_roles(self, dry: Mapping[str, Model], case: Case, arm: Arm, epoch: int, scratch: Path) -> Roles:
        roles, names = self._roles, ("ask", self.model.id, case.id)
        return Roles(
            dry,
            seed=derive(roles.seed, *names, arm.name, epoch),
            paired=derive(roles.seed, *names, epoch),
            embedder=roles.embedder,
            search=roles.search,
            fetch=roles.fetch,
            scratch=scratch,
            once=_nothing_made,
        )

    def _add(self, request: Request) -> None:
        self.counts["calls"] += 1
        self.counts["tokens_out"] += request.max_tokens
        for message in request.messages:
            self.counts["characters_in"] += len(message.text)
            self.counts["images_in"] += sum(isinstance(part, Image) for part in message.parts)
