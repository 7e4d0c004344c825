"""Small runs of a protocol for laws about it: real store and stages, twelve cases, a model that does what a law asks for."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as with_parts
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from percuss.core.accounting import AnswerAccount
from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Model, Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Case, Cell, Estimate, NotApplicable, Posed, Scoring, Transcript
from percuss.core.sections import Section
from percuss.engine import stages
from percuss.engine.identity import identity_of
from percuss.engine.journal import Journal, Journaled
from percuss.engine.prompts import load_prompts
from percuss.phantoms import Phantom, phantom
from percuss.store import RunStore, survey
from percuss.store.accounting import answer_accounts

__all__ = ["CASES", "SEED", "Answering", "Ran", "Trial", "Where"]

CASES = 12
SEED = 11
_RESAMPLES = 100
PLAIN = "It is so."


@dataclass(frozen=True)
class Where:
    """Where an answer is given: its case (and which one, counted from 0) and its arm."""

    case: str
    number: int
    arm: str


Answering = Callable[[Where, Request, Reply], Reply]
"""Changes the reply that the model would have given, or raises a `ModelError` in its place."""


@dataclass
class Ran:
    """What a small run came to."""

    store: RunStore
    scoring: Scoring
    options: Options
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    sections: tuple[Section, ...]
    accounts: tuple[AnswerAccount, ...]
    calls: int


@dataclass
class Trial:
    """A protocol on its first cases, with a model of its own plan where it has one.

    Args:
        protocol: under test. arms: names that are asked; () takes the primary pair.
    """

    protocol: Protocol[Any]
    arms: tuple[str, ...] = ()
    held: tuple[Case, ...] = ()
    _places: dict[int, tuple[Posed, Where]] = field(default_factory=dict)
    calls: int = 0

    def __post_init__(self) -> None:
        plan = self.protocol.selftest
        made = self.options(**({} if plan is None else plan.settings))
        self.held = tuple(islice(self.protocol.cases(None, made, SEED), CASES))
        self.numbers = {case.id: number for number, case in enumerate(self.held)}
        self.text = plan.models[0] if plan is not None else ""
        self.arms = self.arms or tuple(dict.fromkeys(self.protocol.primary.arms))

    def options(self, **settings: Any) -> Options:
        """Return options with the prompts of the folder and few resamples."""
        known = set(self.protocol.options.__struct_fields__)
        if "resamples" in known:
            settings = {**settings, "resamples": _RESAMPLES}
        made: Options = replace(self.protocol.options(), prompts=self.prompts(), **settings)
        return made

    def prompts(self) -> dict[str, str]:
        """Return the prompts of the protocol's folder; none where it keeps none."""
        return dict(load_prompts(self.protocol.folder)) if (self.protocol.folder / "prompts").is_dir() else {}

    def chosen(self, options: Options) -> list[Arm]:
        """Return the arms that are asked, and those that they follow."""
        every = {arm.name: arm for arm in self.protocol.arms(options)}
        wanted = dict.fromkeys(self.arms)
        for name in [*wanted]:
            before = every[name].after
            while before is not None:
                wanted[before] = None
                before = every[before].after
        return [arm for name, arm in every.items() if name in wanted]

    def placed(self) -> Protocol[Any]:
        """Return the protocol with poses that are remembered, so that a model can be told where it answers."""

        def pose(case: Case, arm: Arm, earlier: Any, options: Any, seed: int) -> Posed | NotApplicable:
            made = self.protocol.pose(case, arm, earlier, options, seed)
            if isinstance(made, Posed):
                self._places[id(made)] = (made, Where(case.id, self.numbers[case.id], arm.name))
            return made

        async def ask(posed: Posed, roles: Roles, options: Any) -> Transcript:
            _, where = self._places[id(posed)]
            model = roles.models["model"]
            there = _There(model, where, self)
            return await self.protocol.ask(posed, _with_model(roles, there), options)

        return with_parts(
            self.protocol, pose=pose, ask=ask, cases=lambda source, options, seed: iter(self.held)
        )

    @contextmanager
    def opened(self, protocol: Protocol[Any], options: Options) -> Iterator[RunStore]:
        """Open a run with the cases in a folder that is thrown away."""
        with tempfile.TemporaryDirectory(prefix="percuss-check-") as folder:
            identity = identity_of(protocol, options, survey(iter(self.held)), seed=SEED)
            with RunStore.create(Path(folder) / "run", identity) as store:
                store.add_cases(iter(self.held))
                yield store

    @contextmanager
    def asked(
        self, answering: Answering | None = None, *, name: str = "test/model", **settings: Any
    ) -> Iterator[tuple[RunStore, Protocol[Any], Options, Model]]:
        """Open a run and make the model under test, which answers as its plan does, changed by `answering`.

        Args:
            answering: None leaves the answers as they are. name: id of the model. settings: of the protocol.
        """
        self.answering = answering or (lambda where, request, reply: reply)
        self.calls = 0
        protocol, options = self.placed(), self.options(**settings)
        with self.opened(protocol, options) as store:
            planned = self._planned(store) if self.text else None
            yield store, protocol, options, Journaled(_Named(planned, name), Journal(store))

    def _planned(self, store: RunStore) -> Phantom:
        known, planting = self.protocol.phantoms, self.protocol.planting
        name = self.text.removeprefix("phantom/").partition("?")[0]
        extra = planting.extras({name}, lambda: self.held, store.blobs) if hasattr(planting, "extras") else {}
        return phantom(self.text, seed=SEED, extra=extra, known=known)

    async def through(
        self,
        store: RunStore,
        protocol: Protocol[Any],
        options: Options,
        model: Model,
        limit: int | None = None,
    ) -> Ran:
        """Ask, check and estimate."""
        roles = Roles({}, seed=SEED)
        await stages.ask(
            store, protocol, options, roles=roles, models=[model], arms=self.chosen(options), limit=limit
        )
        scoring = await stages.check(store, protocol, options, roles=roles)
        return await self.estimated(store, protocol, options, scoring)

    async def estimated(
        self, store: RunStore, protocol: Protocol[Any], options: Options, scoring: Scoring
    ) -> Ran:
        """Estimate a scoring of an open run."""
        found = await stages.estimate(store, protocol, options, scoring=scoring.id, seed=SEED)
        return Ran(
            store,
            scoring,
            options,
            tuple(store.cells(scoring.id)),
            tuple(found),
            tuple(store.sections(scoring.id)),
            store.read(answer_accounts, scoring.id),
            self.calls,
        )


class _Named:
    """The plan's model under another id: no simulation to the eye of a report."""

    def __init__(self, planned: Any, name: str) -> None:
        self.id, self.pin, self.planned = name, "1", planned

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        if self.planned is None:
            return Reply(parts=(Text(text=PLAIN),), finish="stop")
        reply: Reply = await self.planned.generate(request, epoch=epoch)
        return reply


class _There:
    """The model at one place of the run."""

    def __init__(self, model: Model, where: Where, trial: Trial) -> None:
        self.id, self.pin = model.id, model.pin
        self.model, self.where, self.trial = model, where, trial

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.trial.calls += 1
        reply = await self.model.generate(request, epoch=epoch)
        return self.trial.answering(self.where, request, reply)


def _with_model(roles: Roles, model: Model) -> Roles:
    return Roles(
        {**roles.models, "model": model},
        seed=roles.seed,
        paired=roles.paired,
        embedder=roles.embedder,
        search=roles.search,
        fetch=roles.fetch,
        judge_passes=roles.judge_passes,
        scratch=roles.scratch,
        blobs=roles.blobs,
        once=roles.once,
    )
