"""The protocol's functions one after the other, without a store: fast enough for many trajectories."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from percuss.core import seeds
from percuss.core.ids import response_id
from percuss.core.ports import Embedder, Model, Roles, ScoredResponse
from percuss.core.records import Arm, Case, Cell, Earlier, NotApplicable, Posed, Response
from percuss.phantoms import phantom
from percuss.protocols.stressors.arms import pose
from percuss.protocols.stressors.ask import ask
from percuss.protocols.stressors.check import claims, verdicts
from percuss.protocols.stressors.estimate.counting import response_cells
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.scenario.vignettes import Vignette

OPTIONS = StressorsOptions(resamples=500)


class View:
    """The little of a run that counting reads."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.scoring = "s"


def case_of(vignette: Vignette) -> Case:
    return Case(
        id=vignette.id,
        cluster=vignette.cluster,
        stratum=vignette.stratum,
        payload=msgspec.to_builtins(vignette),
    )


def clinician(name: str, vignettes: Iterable[Vignette], seed: int) -> Any:
    clinic = [msgspec.to_builtins(v) for v in vignettes]
    return phantom(name, seed=seed, extra={"clinic": clinic})


def paired(seed: int, model: str, case: str, epoch: int = 0) -> int:
    """The seed that the engine gives to all arms of one case."""
    return seeds.derive(seed, "ask", model, case, epoch)


async def assessed(
    case: Case, arm: str, model: Model, seed: int, *, judge: Model | None = None, embedder: Embedder | None = None,
    options: StressorsOptions = OPTIONS,
) -> ScoredResponse | None:  # fmt: skip
    posed = pose(case, Arm(name=arm), None, options, seed)
    return await _made(case, arm, posed, model, seed, judge=judge, embedder=embedder, options=options)


async def following(
    first: ScoredResponse, arm: str, model: Model, seed: int, *, options: StressorsOptions = OPTIONS
) -> ScoredResponse | None:
    """The answer of an arm that follows another: posed with its answer, claims and verdicts."""
    earlier = Earlier(response=first.response, claims=first.claims, verdicts=first.verdicts)
    posed = pose(
        first.case, Arm(name=arm, after=first.response.arm, needs="verdicts"), earlier, options, seed
    )
    return await _made(first.case, arm, posed, model, seed, options=options)


async def _made(
    case: Case, arm: str, posed: Posed | NotApplicable, model: Model, seed: int, *, judge: Model | None = None,
    embedder: Embedder | None = None, options: StressorsOptions = OPTIONS,
) -> ScoredResponse | None:  # fmt: skip
    if isinstance(posed, NotApplicable):
        return None
    asked = Roles(
        {"model": model},
        seed=seeds.derive(seed, "ask", model.id, case.id, arm, 0),
        paired=paired(seed, model.id, case.id),
        embedder=embedder,
    )
    transcript = await ask(posed, asked, options)
    response = Response(
        id=response_id(model.id, case.id, arm, 0), case_id=case.id, arm=arm, model=model.id, turns=transcript.turns,
        finish=transcript.finish, artifacts=transcript.artifacts,
    )  # fmt: skip
    roles = Roles({} if judge is None else {"judge": judge}, seed=seed, embedder=embedder)
    found = await claims(case, response, roles, options)
    said = tuple([v async for v in verdicts(case, response, found, roles, options)])
    return ScoredResponse(case=case, response=response, claims=found, verdicts=said)


def trial(
    vignettes: Sequence[Vignette], arms: Sequence[str], model: Model, seed: int, **who: Any
) -> list[ScoredResponse]:
    async def whole() -> list[ScoredResponse]:
        held = [await assessed(case_of(v), arm, model, seed, **who) for v in vignettes for arm in arms]
        return [a for a in held if a is not None]

    return asyncio.run(whole())


def cells_of(found: Iterable[ScoredResponse], seed: int, options: StressorsOptions = OPTIONS) -> list[Cell]:
    view: Any = View(seed)
    return [cell for a in found for cell in response_cells(a, view, options)]
