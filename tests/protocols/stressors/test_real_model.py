"""A real local model, recorded: what a run of it defines, counted again from its very replies.

`recorded/qwen2.5-coder-1.5b-instruct.jsonl` holds every reply of `percuss run stressors --prompts closing --limit 3 --arms
baseline,contradiction,delay --max-tokens 40` with that model (weights of the asset list, seed 42), by the digest of what was shown;
`recorded/smollm2-135m-instruct.jsonl` those of `--arms delay` on all bundled vignettes, as both were told them then (`recorded/vignettes.jsonl`).
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from percuss.core.ids import canonical_json, digest
from percuss.core.ports import Roles
from percuss.core.records import Estimate, Reply, Request, Text
from percuss.core.sections import Panel
from percuss.engine import ask, check, estimate, identity_of, load_prompts
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.check.declared import declared
from percuss.protocols.stressors.options import StressorsOptions
from percuss.store import RunStore, survey

SEED = 42
RECORDED = Path(__file__).parent / "recorded"
LARGER, SMALLER = "qwen2.5-coder-1.5b-instruct", "smollm2-135m-instruct"
ARMS = ("baseline", "contradiction", "delay")
CASES, BUNDLED = 3, 40


class Recorded:
    """The model as it answered then; what it was never shown is an error."""

    pin = "recorded"

    def __init__(self, name: str) -> None:
        self.id = f"embedded/{name}"
        rows = map(json.loads, (RECORDED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        self.replies = {row["asked"]: row for row in rows}
        self.used: set[str] = set()

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        shown = digest(canonical_json([[message.role, message.text] for message in request.messages]))
        row = self.replies[shown]
        self.used.add(shown)
        return Reply(parts=(Text(text=row["reply"]),), finish=row["finish"], tokens_in=row["tokens_in"], tokens_out=row["tokens_out"])  # fmt: skip


@pytest.fixture(scope="module")
def estimates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Estimate, ...]:
    return asyncio.run(_run(tmp_path_factory.mktemp("real") / "run", Recorded(LARGER), ARMS, CASES))


async def _run(folder: Path, model: Recorded, arms: Sequence[str], limit: int) -> tuple[Estimate, ...]:
    options = StressorsOptions(resamples=300, max_tokens=40, prompts=load_prompts(PROTOCOL.folder, "closing"))
    cases = list(PROTOCOL.cases(str(RECORDED / "vignettes.jsonl"), options, SEED))
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    roles = Roles({}, seed=SEED)
    chosen = [arm for arm in PROTOCOL.arms(options) if arm.name in arms]
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases), limit=limit)
        await ask(store, PROTOCOL, options, roles=roles, models=[model], arms=chosen, limit=limit)
        scoring = await check(store, PROTOCOL, options, roles=roles)
        made = await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)
        panel = next(section.record for section in store.sections(scoring.id) if section.kind == "panel")
        assert isinstance(panel, Panel)
        assert panel.lines[0].startswith(f"{model.id} leaves undefined in every arm: "), panel.lines
    assert model.used == set(model.replies), "every reply was shown again"
    return tuple(made)


def _one(estimates: tuple[Estimate, ...], name: str, arm: str) -> Estimate:
    return next(e for e in estimates if (e.name, e.arm, e.stratum, e.versus) == (name, arm, None, None))


@pytest.mark.parametrize(
    ("name", "arms"),
    [
        ("final_accuracy", ARMS), ("accuracy_turn_1", ARMS), ("trap_taken", ARMS), ("brier", ARMS), ("rur", ("contradiction", "delay")),
        ("cdr", ("contradiction",)), ("pcr", ("delay",)), ("gdr", ("delay",)),
    ],
)  # fmt: skip
def test_accuracy_updating_closure_and_traps_are_defined(
    estimates: tuple[Estimate, ...], name: str, arms: tuple[str, ...]
) -> None:
    for arm in arms:
        made = _one(estimates, name, arm)
        assert made.undefined is None, (name, arm, made.undefined)
        assert made.value is not None
        assert not made.simulated
        assert made.n == CASES


def test_what_it_said_is_read_as_a_person_reads_it(estimates: tuple[Estimate, ...]) -> None:
    """Read by hand: it calls the infarction by its broader name, the pericarditis an infarction, the stenosis a cardiomyopathy."""
    for arm in ARMS:
        assert _one(estimates, "final_accuracy", arm).value == 0.0
    assert _one(estimates, "cdr", "contradiction").value == 0.0


def test_a_name_is_read_where_a_small_model_repeats_the_form_inside_a_sentence() -> None:
    """85 answers of the smaller model, the first 82 read by a person of the project before the reader was mended (20 were right then).

    Its wrong rows: a test named as the disease, two names in one answer, a name behind the wrong label.
    """
    rows = [
        json.loads(line) for line in (RECORDED / "declared.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    wrong = []
    for row in rows:
        said, _ = declared(row["reply"])
        if said is None or row["name"] is None:
            wrong += [] if said is row["name"] else [said]
        elif row["name"].casefold() not in said.casefold():
            wrong.append(said)
    assert (len(rows), sorted(map(str, wrong))) == (85, ["ANCIULITIS", "Full Blood Count (FBC)", "None"])


@pytest.mark.slow
def test_a_small_model_on_all_bundled_vignettes_has_accuracy_updating_and_traps(tmp_path: Path) -> None:
    """Its turns hardly declare a certainty, so closure and the Brier score stay undefined, with the reason."""
    made = asyncio.run(_run(tmp_path / "run", Recorded(SMALLER), ("delay",), BUNDLED))
    for name in ("final_accuracy", "accuracy_turn_1", "rur", "trap_taken", "gdr"):
        found = _one(made, name, "delay")
        assert found.value is not None, (name, found.undefined)
        assert found.n + sum(found.excluded.values()) == BUNDLED
    assert _one(made, "trap_taken", "delay").n == BUNDLED
    assert _one(made, "brier", "delay").undefined is not None
