"""Making apart from writing: two processes without a run give the rows of one with it, and repeat no committed call."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from percuss.api.run.elsewhere import Spec
from percuss.api.run.prepare import Prepared, prepare, read_cases
from percuss.api.run.request import RunRequest
from percuss.api.run.run import cast_of, crew_of, start
from percuss.engine.ask import missing
from percuss.engine.identity import scoring_of
from percuss.engine.making import Unit
from percuss.store import RunStore
from percuss.store.manifest import name_model
from percuss.store.scorings import put_scoring, unchecked
from tests.executors import Executor
from tests.unit.engine.test_stages import rows

pytestmark = pytest.mark.slow

TABLES = ("calls", "responses", "uses", "claims", "checks", "verdicts", "blobs")
MODELS = {
    "grounding": "phantom/confabulator",
    "explanation": "phantom/reader",
    "stressors": "phantom/clinician",
}
ARMS = {
    "grounding": ("full_multimodal", "ungrounded"), "explanation": ("none", "tb_rad:misleading"),
    "stressors": ("baseline", "contradiction"),
}  # fmt: skip


def _prepared(protocol: str, folder: Path) -> Prepared:
    judge = "phantom/judge" if protocol == "grounding" else None
    request = RunRequest(
        protocol=protocol, models=(MODELS[protocol],), judge=judge, limit=2, arms=ARMS[protocol], out=str(folder),
        settings={"resamples": 200},
    )  # fmt: skip
    return prepare(request)


async def _units(store: RunStore, prepared: Prepared, model: str) -> list[Unit]:
    wanted = missing(store, model, prepared.arms, epochs=1, n_cases=2)
    return [Unit(case=p.case, arm=p.arm, epoch=p.epoch, model=model) async for p in wanted]


async def _scoring(store: RunStore, prepared: Prepared) -> str:
    async with crew_of(store, prepared) as factory:
        scoring = scoring_of(prepared.protocol, prepared.options, cast_of(factory, prepared))
        model = factory.model(prepared.models[0])
    store.write_now(put_scoring, scoring)
    store.write_now(name_model, model.id, model.pin)
    return scoring.id


def _through(folder: Path, protocol: str, *, patience: int | None = None) -> list[str]:
    """Ask and check with two processes; return the keys of the calls that were made, in order."""
    prepared = _prepared(protocol, folder)
    with RunStore.create(folder, prepared.identity) as store:
        store.add_cases(read_cases(prepared.protocol, prepared.request, prepared.options), limit=2)
        scoring = asyncio.run(_scoring(store, prepared))
        spec = Spec(
            protocol=protocol,
            options=msgspec.to_builtins(prepared.options),
            models={"model": prepared.models[0], **prepared.roles},
            seed=prepared.request.seed,
            cases=tuple(store.cases()),
        )
        executor = Executor(store, spec, patience=patience)
        executor.run(asyncio.run(_units(store, prepared, prepared.models[0])))
        by_name = {arm.name: arm for arm in prepared.arms}
        executor.run(
            [
                Unit(case=case, arm=by_name[one.arm], model=one.model, response=one, scoring=scoring)
                for _, case, one in store.read(unchecked, scoring, -1, 1_000)
            ]
        )
        assert not executor.repeated, "a committed call is never made again"
        return executor.appended


def _rows(folder: Path) -> dict[str, list[dict[str, object]]]:
    found = rows(folder)
    return {name: found[name] for name in TABLES}


@pytest.mark.parametrize(
    "protocol",
    ["grounding", *(pytest.param(n, marks=pytest.mark.slow) for n in ("explanation", "stressors"))],
)
def test_two_processes_write_the_rows_of_one(tmp_path: Path, protocol: str) -> None:
    asyncio.run(start(_prepared(protocol, tmp_path / "one")))
    made = _through(tmp_path / "two", protocol)
    assert made
    assert _rows(tmp_path / "two") == _rows(tmp_path / "one")


def test_a_maker_that_dies_repeats_no_committed_call(tmp_path: Path) -> None:
    asyncio.run(start(_prepared("grounding", tmp_path / "one")))
    first = _through(tmp_path / "two", "grounding", patience=2)
    second = _through(tmp_path / "two", "grounding")
    assert first
    assert not set(first) & set(second)
    assert _rows(tmp_path / "two") == _rows(tmp_path / "one")
