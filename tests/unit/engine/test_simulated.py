"""`simulated` is said once, by the provider: it reaches cells, estimates, views, accounts and rows of old runs."""

from pathlib import Path

import pytest

from percuss.core.ports import Roles, is_simulated
from percuss.engine import Journal, Journaled, ask, check, estimate
from percuss.models import providers
from percuss.models.scripted import Scripted
from percuss.phantoms import names, phantom
from percuss.store import RunStore
from tests.tiny import SEED, TINY, Echo, TinyOptions, create

OPTIONS = TinyOptions()
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "runs_0_1"


class Planted(Echo):
    """A model whose provider says that it is a simulation; its name says nothing."""

    simulated = True


async def test_the_providers_word_reaches_all_that_is_counted(tmp_path: Path) -> None:
    with create(tmp_path / "r", source="3") as store:
        journal = Journal(store)
        models = [
            Journaled(Planted("test/planted"), journal),
            Journaled(Echo("phantom/by-name-only"), journal),
        ]
        roles = Roles({"judge": Planted("test/judge")}, seed=SEED)
        await ask(store, TINY, OPTIONS, roles=roles, models=models)
        scoring = (await check(store, TINY, OPTIONS, roles=roles)).id
        await estimate(store, TINY, OPTIONS, scoring=scoring, seed=SEED)
        assert store.view(scoring).simulated == {"test/planted", "test/judge"}
        for rows in (store.cells(scoring), store.estimates(scoring), store.answers(scoring)):
            assert {(row.model, row.simulated) for row in rows} == {
                ("test/planted", True),
                ("phantom/by-name-only", False),
            }


def test_scripts_and_phantoms_are_simulated_everywhere() -> None:
    assert is_simulated(Scripted(["a"]))
    assert all(is_simulated(phantom(name, seed=1)) for name in names())
    assert all(
        map(providers.is_simulated, ("phantom/x", "phantom:x", "scripted/a.jsonl", "scripted:a.jsonl"))
    )
    assert not any(
        map(providers.is_simulated, ("openai/phantom", "given/scripted", "embedded/x", "phantoms"))
    )


@pytest.mark.parametrize("protocol", ["grounding", "explanation", "stressors"])
def test_a_run_of_0_1_knows_its_phantoms(protocol: str) -> None:
    with RunStore.open(FIXTURES / protocol) as store:
        view = store.view(store.latest_scoring().id)
        assert set(view.models) <= view.simulated
        assert ("phantom/judge" in view.simulated) is (protocol == "grounding")
