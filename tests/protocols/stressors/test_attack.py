"""A case whose diagnosis several models name while a gap is open is out of gap detection and closure, and counted."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from percuss.core.errors import UsageError
from percuss.core.ports import Model, Roles
from percuss.core.records import Reply, Request, Text
from percuss.engine import ask, identity_of
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.attack import AttackOptions
from percuss.protocols.stressors.attacking import attacks, told_before
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.check.nodes import NOT_NEEDED
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.readers.diagnoses import named
from percuss.protocols.stressors.record import reading
from percuss.store import RunStore, survey
from percuss.testing import TrialSession
from tests.protocols.stressors.direct import case_of, clinician, trial

SEED = 42
HELD = list(cases(None, StressorsOptions(), 0))[:2]
FIRST, SECOND = (reading(case) for case in HELD)


class Says:
    """A model that names one diagnosis, always as sure."""

    pin = "1"

    def __init__(self, name: str, diagnosis: str, certainty: str) -> None:
        self.id = name
        self._text = f"DIAGNOSIS: {diagnosis}\nCERTAINTY: {certainty}"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del request, epoch
        return Reply(parts=(Text(text=self._text),), finish="stop")


def attack(
    folder: Path, models: Sequence[Model], *, epochs: int = 1, arms: Sequence[str] = ("omission", "delay")
) -> str:
    async def made() -> str:
        options = StressorsOptions(resamples=100)
        roles = Roles({}, seed=SEED)
        identity = identity_of(PROTOCOL, options, survey(iter(HELD)), seed=SEED, roles={})
        with RunStore.create(folder / "run", identity) as store:
            store.add_cases(iter(HELD))
            chosen = [arm for arm in PROTOCOL.arms(options) if arm.name in arms]
            await ask(store, PROTOCOL, options, roles=roles, models=models, arms=chosen, epochs=epochs)
        wanted = AttackOptions(run=str(folder / "run"), out=str(folder / "attacked.jsonl"))
        return str((await PROTOCOL.commands["attack"].run(wanted, TrialSession(roles))).text)

    return asyncio.run(made())


def test_two_families_that_name_it_mark_the_case_and_one_does_not(tmp_path: Path) -> None:
    models = [
        Says("vllm/qwen3-8b", FIRST.diagnosis, "probable"),
        Says("vllm/qwen2.5-72b", FIRST.diagnosis, "definite"),
        Says("ollama/llama3.2", FIRST.diagnosis, "definite"),
        Says("openai/gpt-5", SECOND.diagnosis, "probable"),
        Says("mistral/mixtral", SECOND.diagnosis, "possible"),
    ]
    said = attack(tmp_path, models)
    assert "2 vignettes attacked by gpt, llama, mixtral, qwen, at least 2 answers of each" in said
    assert f"gap not needed in 1, {FIRST.id}" in said
    assert "a whole attack takes 3 families and 5 answers of each" in said
    rows = [
        json.loads(line) for line in (tmp_path / "attacked.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [row["gap_not_needed"] for row in rows] == [["llama", "qwen"], ["gpt"]]
    again = [reading(case) for case in cases(str(tmp_path / "attacked.jsonl"), StressorsOptions(), 0)]
    assert [one.needs_no_gap for one in again] == [True, False]


def test_five_answers_of_three_families_are_a_whole_attack(tmp_path: Path) -> None:
    models = [Says(name, "Measles", "definite") for name in ("openai/gpt-5", "vllm/qwen3", "ollama/llama3.2")]
    said = attack(tmp_path, models, epochs=5, arms=("delay",))
    assert said.endswith("at least 5 answers of each; gap not needed in 0")


def test_without_an_answer_in_an_arm_with_a_gap_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no answer about a vignette"):
        attack(tmp_path, [Says("openai/gpt-5", "Measles", "definite")], arms=("baseline",))
    assert not (tmp_path / "attacked.jsonl").exists()


def direct(folder: Path, name: str, diagnosis: str, certainty: str, source: str = "") -> dict[str, object]:
    session = TrialSession(Roles({"model": Says(name, diagnosis, certainty)}, seed=SEED))
    wanted = AttackOptions(cases=source, out=str(folder / f"{name.rpartition('/')[2]}.jsonl"))
    return dict(asyncio.run(PROTOCOL.commands["attack"].run(wanted, session)).data)


def test_models_asked_one_after_another_add_up(tmp_path: Path) -> None:
    found = direct(tmp_path, "vllm/qwen3", FIRST.diagnosis, "probable")
    assert (found["vignettes"], found["answers"], found["right"]) == (40, 200, 5)
    assert (found["settled"], found["marked"]) == ([FIRST.id], [])
    found = direct(tmp_path, "openai/gpt-5", FIRST.diagnosis, "definite", str(tmp_path / "qwen3.jsonl"))
    assert found["marked"] == [FIRST.id]
    found = direct(tmp_path, "ollama/llama3", SECOND.diagnosis, "possible", str(tmp_path / "gpt-5.jsonl"))
    assert (found["settled"], found["marked"]) == ([], [FIRST.id])
    again = [reading(case) for case in cases(str(tmp_path / "llama3.jsonl"), StressorsOptions(), 0)]
    assert {one.id: one.gap_not_needed for one in again if one.gap_not_needed} == {FIRST.id: ("gpt", "qwen")}


def test_an_attacker_gets_all_but_what_is_withheld() -> None:
    for v in (FIRST, SECOND):
        told = [told_before(v, draw) for draw in range(1, 6)]
        assert len(set(told)) == 2, "each of the two decisive units is withheld in some draw"
        for text in told:
            assert all(fact.text in text for fact in v.facts if fact.askable)
            assert not v.settled_by([fact.id for fact in v.facts if fact.text in text])
    assert len(list(attacks([FIRST], 5))) == 5


def test_what_a_reader_would_settle_is_counted_as_the_readme_says() -> None:
    lines = (Path(__file__).parents[2] / "reading/stressors/attacked.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["vignette"] for row in rows} == {case.id for case in cases(None, StressorsOptions(), 0)}
    either = [{row["first_unit_told"], row["second_unit_told"]} for row in rows]
    assert not any("definite" in one for one in either), "no unit alone settles a diagnosis"
    assert sum("probable" in one for one in either) == 12
    assert all(row["neither_told"] == "possible" for row in rows)
    assert sum(row["both_told"] == "definite" for row in rows) == 16
    assert {row["both_told"] for row in rows} == {"definite", "probable"}
    names = {
        (v := reading(case)).id: (v.diagnosis, *v.aliases) for case in cases(None, StressorsOptions(), 0)
    }
    right = [r["vignette"] for r in rows if named(r["best_guess"], names[r["vignette"]]).standing == "gold"]
    assert right == ["nerve-3"]


def test_a_marked_case_is_out_of_gaps_and_closure_alone() -> None:
    made = [msgspec.structs.replace(FIRST, gap_not_needed=("llama", "qwen")), SECOND]
    found = trial(made, ("omission",), clinician("phantom/clinician", made, 1), 3)
    marked, plain = (
        {row["metric"]: row["reason"] for v in item.verdicts if v.aspect == "audit" for row in v.evidence}
        for item in found
    )
    assert marked["gdr"] == marked["pcr"] == NOT_NEEDED
    assert plain["gdr"] is None
    assert {name for name in marked if marked[name] == NOT_NEEDED} == {"gdr", "pcr"}


def test_a_case_that_nobody_attacked_is_the_case_that_it_was() -> None:
    assert all("gap_not_needed" not in case.payload for case in HELD)
    assert case_of(FIRST).payload["gap_not_needed"] in ((), [])
