"""`percuss selftest`: counts and runs of a protocol, put together with the phantoms that it needs."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace as change

from percuss.api.catalog import load, protocols
from percuss.api.run.certify import certify
from percuss.api.run.extras import extras_of
from percuss.core.errors import UsageError
from percuss.core.ports import Blobs
from percuss.core.protocol import Protocol
from percuss.core.records import Blob
from percuss.core.strict import Record
from percuss.phantoms import Phantom, phantom
from percuss.phantoms.selftest import SelftestPlan
from percuss.selftest.counts import Coverage, coverage
from percuss.selftest.plans import misses_allowed
from percuss.selftest.planted import PlantedRow, planted
from percuss.selftest.trapped import TrapRow, trapped
from percuss.store import RunStore

__all__ = ["Selftest", "selftest"]


class Selftest(Record):
    """What was planted and what was measured.

    Args:
        counts: HDI on simulated counts; None where only runs were tested.
        rows: runs on phantoms; all are simulated.
        misses, intervals, allowed: intervals of the plan's estimates that do not hold the planted value.
        traps: what games the measure, and what the panel says of it; () where the protocol sets none.
    """

    protocol: str
    version: str
    seed: int
    counts: Coverage | None
    rows: tuple[PlantedRow, ...]
    misses: int
    intervals: int
    allowed: int
    traps: tuple[TrapRow, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether counts and runs are within what chance allows, and every trap is caught."""
        sound = self.misses <= self.allowed and (self.counts is None or self.counts.passed)
        return sound and all(trap.caught for trap in self.traps)


async def selftest(
    name: str,
    *,
    seed: int,
    datasets: int = 200,
    settings: int | None = None,
    counts: bool = True,
    runs: bool = True,
    on_counts: Callable[[int, int], None] | None = None,
    on_runs: Callable[[Any], None] | None = None,
    on_traps: Callable[[int, int], None] | None = None,
) -> Selftest:
    """Test a protocol: plant, measure, compare.

    Args:
        name: the protocol's name or alias.
        seed: root of all draws.
        datasets, settings: of the simulation on counts; None takes the whole grid.
        counts: False leaves the simulation on counts out. runs: False leaves the planted rates out.
        on_counts, on_runs, on_traps: hear of progress.

    Raises:
        UsageError: the protocol has no self-test.
    """
    protocol = load(name)
    plan = _plan_of(protocol)
    found = coverage(seed=seed, datasets=datasets, settings=settings, watcher=on_counts) if counts else None
    rows = await _rows(protocol, plan, seed, on_runs) if runs else ()
    own = getattr(protocol.planting, "traps", None)
    caught = await trapped(protocol, own(seed), seed=seed, certify=certify, watcher=on_traps) if own else ()
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
        traps=caught,
    )


async def _rows(
    protocol: Protocol[Any], plan: SelftestPlan, seed: int, watcher: Callable[[Any], None] | None
) -> tuple[PlantedRow, ...]:
    arms = plan.arms or tuple(arm.name for arm in protocol.arms(protocol.options()))
    models, expected, opened = _made(protocol, plan, arms, seed)
    return await planted(
        protocol,
        models,
        expected,
        seed=seed,
        limit=plan.limit,
        settings=plan.settings,
        arms=plan.arms or None,
        watcher=watcher,
        opened=opened,
    )


def _plan_of(protocol: Protocol[Any]) -> SelftestPlan:
    plan: SelftestPlan | None = protocol.selftest
    if plan is None:
        have = ", ".join(each.name for each in protocols() if each.selftest is not None)
        raise UsageError(
            f"{protocol.name} plants nothing, so it has no self-test; those that have are {have}"
        )
    return plan


Made = tuple[list[Phantom], dict[str, Mapping[tuple[str, str], float]], Callable[[RunStore], None]]


def _made(protocol: Protocol[Any], plan: SelftestPlan, arms: tuple[str, ...], seed: int) -> Made:
    """Make the models of a plan, what is expected of them, and what hears of the run that they will look into."""
    options = change(protocol.options(), **plan.settings)
    late = _LateBlobs()
    extra = extras_of(plan.models, lambda: protocol.cases(None, options, seed), late)
    models = [phantom(text, seed=seed, extra=extra) for text in plan.models]
    own = getattr(protocol.planting, "expected", None)
    expected = own(models, arms, plan, seed) if own else {model.id: model.expected(arms) for model in models}

    def opened(store: RunStore) -> None:
        late.run = store.blobs

    return models, expected, opened


class _LateBlobs:
    """Pictures of a run that is not there yet: models are made first, the run's folder after them."""

    def __init__(self) -> None:
        self.run: Blobs | None = None

    def get(self, digest: str) -> Blob:
        """Return the blob, or raise `KeyError`."""
        if self.run is None:
            raise KeyError(digest)
        return self.run.get(digest)

    def put(self, blob: Blob) -> None:
        """Keep the blob in the run."""
        if self.run is not None:
            self.run.put(blob)
