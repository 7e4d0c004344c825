"""Are the readers proven on the run's own cases: the simulated clinician on a sample of them, before their numbers are counted.

reading.md, "Certificate of a run": what it can't recover there is withheld, with the sentence why. The bundled vignettes are those
that the readers were proven on; they need no check.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from percuss.core.errors import PercussError
from percuss.core.ids import b2, response_id
from percuss.core.ports import Model, Roles, RunView, ScoredResponse
from percuss.core.records import Arm, Case, Cell, NotApplicable, Response
from percuss.core.seeds import derive
from percuss.kit.layouts import Read, code_of, compared, remembered, sampled
from percuss.phantoms import phantom
from percuss.protocols.stressors.arms import pose
from percuss.protocols.stressors.ask import ask
from percuss.protocols.stressors.cases.reading import is_bundled
from percuss.protocols.stressors.check import claims, verdicts
from percuss.protocols.stressors.estimate.counting import ON_LAYOUT, response_cells
from percuss.protocols.stressors.estimate.names import FOLLOWS, metric_words
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.record import reading

__all__ = ["CLINICIAN", "Cased", "cells", "proofs", "reasons"]

CLINICIAN = "phantom/clinician?fabricate=0.3&wrong=0.75"
"""What is planted: its usual shares, with more made up and more wrong at first, so that every number has something to count."""
ARMS = ("omission+contradiction+delay", "omission+delay", "baseline")
"""The first of these that a case can be posed in: in the first every number has a denominator."""
CASES, ANSWERS = 48, 96
"""Cases of a layout that are tried at the most, and answers to them: few cases are answered several times."""
_CODE = ("percuss.kit", "percuss.protocols.stressors", "percuss.text", "percuss.evidence")


class Cased(Protocol):
    """What of a run the check reads."""

    @property
    def seed(self) -> int: ...
    def cases(self) -> Iterator[Case]:
        """Yield the cases that were posed."""
        ...


@dataclass(frozen=True)
class _Posing:
    """As much of a run as counting needs."""

    seed: int
    scoring: str = "layout check"


def cells(run: RunView, options: StressorsOptions) -> Iterator[Cell]:
    """Yield the cells of a scoring; what isn't read back on the run's own cases is left out of them by its reason.

    Args:
        run: all rows of one scoring. options: judge's policy, turn of injection, and whether the cases are tried.
    """
    found = {layout: reasons(held) for layout, held in proofs(run, options).items()}
    for model in run.models:
        for assessed in run.assessed(model=model):
            if assessed.response.status != "not_applicable":
                yield from response_cells(assessed, run, options, found.get(layout_of(assessed.case), {}))


def proofs(run: Cased, options: StressorsOptions) -> Mapping[str, Mapping[str, Read]]:
    """Return how the simulated clinician's numbers are read on each layout of a run's cases; none of bundled ones, or where it is off.

    Args:
        run: its cases and seed. options: `layout_check` and what a scenario is made with.
    """
    if not options.layout_check:
        return {}
    return {layout: _proof(held, run.seed, options) for layout, held in sorted(tried(run).items())}


def tried(run: Cased) -> Mapping[str, Sequence[Case]]:
    """Return a run's own cases, those that aren't bundled, by layout."""
    held: dict[str, list[Case]] = {}
    for case in run.cases():
        vignette = reading(case)
        if not vignette.unread and not is_bundled(vignette):
            held.setdefault(layout_of(case), []).append(case)
    return held


def layout_of(case: Case) -> str:
    """Return the layout of a case; "" of a bundled one, whose readers are proven."""
    vignette = reading(case)
    return "" if is_bundled(vignette) else vignette.layout


def reasons(held: Mapping[str, Read]) -> Mapping[str, str]:
    """Return number -> why it is withheld.

    Args:
        held: as the simulated clinician's numbers were read.
    """
    out = {name: ON_LAYOUT + read.words for name, read in held.items() if not read.recovered}
    for name, others in FOLLOWS.items():
        lost = next((other for other in others if other in out and other in held), None)
        if lost is not None and name not in out:
            out[name] = f"{ON_LAYOUT}it is read as the {metric_words(lost)}, of which {held[lost].words}"
    return out


def _proof(cases: Sequence[Case], seed: int, options: StressorsOptions) -> Mapping[str, Read]:
    by_id = {case.id: case for case in cases}
    sample = [by_id[each] for each in sampled(by_id, seed, CASES)]
    plain = StressorsOptions(inject_at=options.inject_at, prompts=options.prompts)
    key = b2("stressors", seed, options.inject_at, sorted(options.prompts.items()), [(case.id, b2(case.payload)) for case in sample], code_of(*_CODE))  # fmt: skip
    return remembered(key, lambda: compared(_apart(lambda: _answers(sample, seed, plain))))


def _apart(make: Callable[[], Any]) -> dict[str, list[tuple[float, float]]]:
    """Run a coroutine to its end in a thread of its own: whoever estimates may have a loop."""
    with ThreadPoolExecutor(1) as pool:
        held: dict[str, list[tuple[float, float]]] = pool.submit(lambda: asyncio.run(make())).result()
        return held


async def _answers(
    sample: Sequence[Case], seed: int, options: StressorsOptions
) -> dict[str, list[tuple[float, float]]]:
    """Return name -> (planted, read) of each answer of the simulated clinician to the cases of a sample."""
    clinic = [msgspec.to_builtins(reading(case)) for case in sample]
    held: dict[str, list[tuple[float, float]]] = {}
    for again in range(-(-ANSWERS // max(len(sample), 1))):
        model = phantom(CLINICIAN, seed=derive(seed, "layout check", again), extra={"clinic": clinic})
        planted = model.expected(ARMS)
        for case in sample:
            answer = await _answer(case, model, seed, options)
            for cell in () if answer is None else response_cells(answer, _Posing(seed), options):
                if cell.labels == RATER and cell.den == 1 and (cell.name, cell.arm) in planted:
                    held.setdefault(cell.name, []).append((planted[cell.name, cell.arm], cell.num))
    return held


async def _answer(case: Case, model: Model, seed: int, options: StressorsOptions) -> ScoredResponse | None:
    """Return an answer in the first arm that a case can be posed in, checked by rule; None where it can't be posed at all."""
    for arm in ARMS:
        try:
            posed = pose(case, Arm(name=arm), None, options, seed)
        except PercussError:
            continue
        if isinstance(posed, NotApplicable):
            continue
        asked = Roles(
            {"model": model}, seed=derive(seed, "ask", model.id, case.id, arm, 0), paired=derive(seed, "ask", model.id, case.id, 0)
        )  # fmt: skip
        told = await ask(posed, asked, options)
        response = Response(
            id=response_id(model.id, case.id, arm, 0), case_id=case.id, arm=arm, model=model.id, turns=told.turns, finish=told.finish,
            artifacts=told.artifacts,
        )  # fmt: skip
        roles = Roles({}, seed=seed)
        stated = await claims(case, response, roles, options)
        rated = tuple([v async for v in verdicts(case, response, stated, roles, options)])
        return ScoredResponse(case=case, response=response, claims=stated, verdicts=rated)
    return None
