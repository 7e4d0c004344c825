"""`percuss selftest`: counts and runs of a protocol, put together with the phantoms that it needs."""

from collections.abc import Callable, Mapping
from typing import Any

from percuss.api.catalog import load
from percuss.core.protocol import Protocol
from percuss.core.strict import Record
from percuss.phantoms import Phantom, phantom
from percuss.selftest.counts import Coverage, coverage
from percuss.selftest.plans import Plan, misses_allowed, plan_of
from percuss.selftest.planted import PlantedRow, planted
from percuss.store import RunStore

__all__ = ["Selftest", "selftest"]


class Selftest(Record):
    """What was planted and what was measured.

    Args:
        counts: HDI on simulated counts; None where only runs were tested.
        rows: runs on phantoms; all are simulated.
        misses, intervals, allowed: intervals of the plan's estimates that do not hold the planted value.
    """

    protocol: str
    version: str
    seed: int
    counts: Coverage | None
    rows: tuple[PlantedRow, ...]
    misses: int
    intervals: int
    allowed: int

    @property
    def passed(self) -> bool:
        """Whether counts and runs are within what chance allows."""
        return self.misses <= self.allowed and (self.counts is None or self.counts.passed)


async def selftest(
    name: str,
    *,
    seed: int,
    datasets: int = 200,
    settings: int | None = None,
    counts: bool = True,
    on_counts: Callable[[int, int], None] | None = None,
    on_runs: Callable[[Any], None] | None = None,
) -> Selftest:
    """Test a protocol: plant, measure, compare.

    Args:
        name: the protocol's name or alias.
        seed: root of all draws.
        datasets, settings: of the simulation on counts; None takes the whole grid.
        counts: False leaves the simulation on counts out.
        on_counts, on_runs: hear of progress.

    Raises:
        UsageError: the protocol has no self-test.
    """
    protocol = load(name)
    plan = plan_of(protocol.name)
    found = coverage(seed=seed, datasets=datasets, settings=settings, watcher=on_counts) if counts else None
    arms = plan.arms or tuple(arm.name for arm in protocol.arms(protocol.options()))
    models, expected, opened = _made(protocol, plan, arms, seed)
    rows = await planted(
        protocol,
        models,
        expected,
        seed=seed,
        limit=plan.limit,
        settings=plan.settings,
        arms=plan.arms or None,
        watcher=on_runs,
        opened=opened,
    )
    held = [row.holds for row in rows if row.estimate in plan.estimates and row.holds is not None]
    return Selftest(
        protocol=protocol.name,
        version=protocol.version,
        seed=seed,
        counts=found,
        rows=rows,
        misses=held.count(False),
        intervals=len(held),
        allowed=misses_allowed(len(held)),
    )


Made = tuple[list[Phantom], dict[str, Mapping[tuple[str, str], float]], Callable[[RunStore], None] | None]


def _made(protocol: Protocol[Any], plan: Plan, arms: tuple[str, ...], seed: int) -> Made:
    reads_films = any(text.startswith("phantom/reader") for text in plan.models)
    return _with_films(plan, arms, seed) if reads_films else _plain(protocol, plan, arms, seed)


def _plain(protocol: Protocol[Any], plan: Plan, arms: tuple[str, ...], seed: int) -> Made:
    """Make models that need nothing but, for clinicians, the cases that they will see."""
    clinical = any(text.startswith("phantom/clinician") for text in plan.models)
    cases = protocol.cases(None, protocol.options(), seed) if clinical else ()
    extra = {"clinic": [case.payload for case in cases]}
    models = [phantom(text, seed=seed, extra=extra) for text in plan.models]
    return models, {model.id: model.expected(arms) for model in models}, None


def _with_films(plan: Plan, arms: tuple[str, ...], seed: int) -> Made:
    """Make readers of films: they see the run's pictures, and what they are expected to do hangs on the cases."""
    from percuss.protocols.explanation.phantom import Reader
    from percuss.selftest.films import Films, extras, posed

    films = Films()
    models = [phantom(text, seed=seed, extra=extras(films)) for text in plan.models]
    rows = posed(plan.settings, arms, seed)
    expected = {m.id: m.planner.expected(arms, cases=rows) for m in models if isinstance(m.planner, Reader)}

    def opened(store: RunStore) -> None:
        films.run = store.blobs

    return models, dict(expected), opened
