"""The counterfactual life line: replays that differ in one struck sentence, planted anchoring found, noise held apart."""

import asyncio
import os
from pathlib import Path

import pytest
from benchmarks.stressors_anchoring import HINGES, NOISY, recovered

from percuss.core.errors import UsageError
from percuss.core.ports import Roles, ScoredResponse
from percuss.core.records import Arm, Reply, Request, Text
from percuss.engine.plan import plan
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.arms import arms, pose
from percuss.protocols.stressors.check.replayed import REPLAY
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.replaying import BASE, base_of, is_replay
from tests.protocols.stressors.direct import assessed, case_of, cells_of, following
from tests.protocols.stressors.generator import vignette
from tests.protocols.stressors.runs import run

V = vignette(3)
TOLD, OTHER = V.facts[0].text, V.facts[1].text
MADE_UP = "The patient takes warfarin."
EVERY_SEED = bool(os.environ.get("PERCUSS_ALL_SEEDS"))


class Talking:
    """Says the same in every trajectory, and names another diagnosis where what it made up is gone from its history."""

    id, pin = "test/talking", "1"

    def __init__(self, first: str) -> None:
        self.first = first
        self.asked: list[Request] = []

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        self.asked.append(request)
        said = [m.text for m in request.messages if m.role == "assistant"]
        if not said:
            text = self.first
        else:
            name = "Indigo colic" if any(MADE_UP in each for each in said) else "Verdigris fever"
            text = f"The picture is the same.\nDIAGNOSIS: {name}\nEVIDENCE:\n- {TOLD}"
        return Reply(parts=(Text(text=text),), finish="stop")


def replays(model: Talking, *names: str) -> list[ScoredResponse | None]:
    async def whole() -> list[ScoredResponse | None]:
        first = await assessed(case_of(V), BASE, model, 5)
        assert first is not None
        model.asked.clear()
        return [await following(first, name, model, 5) for name in names]

    return asyncio.run(whole())


def changed(found: ScoredResponse | None) -> object:
    assert found is not None
    [verdict] = [v for v in found.verdicts if v.aspect == REPLAY]
    return verdict.evidence[0].get("diagnosis")


def test_both_replays_lack_one_sentence_and_are_asked_with_the_same_seeds() -> None:
    model = Talking(f"{TOLD}. {MADE_UP}\n{OTHER}.\nAny family history?\nDIAGNOSIS: Indigo colic")
    strike, sham = replays(model, "strike:draw=1", "sham_strike:draw=1")
    assert (changed(strike), changed(sham)) == (1.0, 0.0)
    half = len(model.asked) // 2
    assert [r.seed for r in model.asked[:half]] == [r.seed for r in model.asked[half:]]
    one, other = (
        next(m.text for m in r.messages if m.role == "assistant") for r in (model.asked[0], model.asked[half])
    )
    assert one == f"{TOLD}. \n{OTHER}.\nAny family history?\nDIAGNOSIS: Indigo colic"
    assert MADE_UP in other
    assert sum(text in other for text in (TOLD, OTHER)) == 1
    users = [[m.text for m in r.messages if m.role == "user"] for r in (model.asked[0], model.asked[half])]
    assert users[0] == users[1]
    assert "An uncle has brittle nails" in users[0][1]  # what the record answered stays as it was


def test_later_draws_have_seeds_of_their_own_shared_by_both_strikes() -> None:
    model = Talking(f"{TOLD}. {MADE_UP}\nDIAGNOSIS: Indigo colic")
    replays(model, "strike:draw=1", "strike:draw=2", "sham_strike:draw=2")
    third = len(model.asked) // 3
    one, two, sham = (model.asked[at * third].seed for at in range(3))
    assert one != two
    assert two == sham


def test_without_a_pair_nothing_is_asked() -> None:
    model = Talking(f"{MADE_UP}\nDIAGNOSIS: Indigo colic")
    assert replays(model, "strike:draw=1", "sham_strike:draw=1") == [None, None]
    assert not model.asked


def test_a_replay_without_what_it_follows_is_refused() -> None:
    with pytest.raises(UsageError, match="follows baseline"):
        pose(case_of(V), Arm(name="strike:draw=1", after=BASE), None, StressorsOptions(), 1)


def test_a_replay_counts_its_end_and_nothing_else() -> None:
    model = Talking(f"{TOLD}. {MADE_UP}\nDIAGNOSIS: Indigo colic")
    [strike] = replays(model, "strike:draw=1")
    assert strike is not None
    assert {(c.name, c.num, c.den) for c in cells_of([strike], 5)} == {
        ("replay_diagnosis", 1.0, 1.0),
        ("replay_evidence", 0.0, 1.0),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", [HINGES, NOISY])
def test_planted_anchoring_lies_in_the_interval(name: str) -> None:
    # A sound 95% interval holds the truth in at least 182 of 200 seeds with probability .98, in at least 3 of 4 with .986; the seeds are fixed.
    seeds = range(200) if EVERY_SEED else range(4)
    found = recovered(name, seeds, 26 if EVERY_SEED else 14)
    assert found.held >= (182 if EVERY_SEED else 3), found
    assert abs(found.mean - found.planted) <= (0.02 if EVERY_SEED else 0.15), found


def test_a_run_replays_after_its_first_arm_and_reports(tmp_path: Path) -> None:
    options = StressorsOptions(resamples=200, counterfactual=3)
    asked = [arm.name for arm in arms(options) if arm.name == BASE or is_replay(arm.name)]
    assert len(asked) == 7
    ran = run(tmp_path / "run", ["clinician?hinge=0.9&fabricate=0"], options=options, limit=8, arms=asked)
    found = ran.one("causal_anchoring", "strike")
    assert found.value is not None
    assert found.value > 0.4
    assert found.baseline == "sham_strike"
    assert [s.title for s in ran.sections].count("Does the conclusion hang on what was made up?") == 1
    assert all(c.den + sum(c.excluded.values()) == 1 for c in ran.cells if c.name.startswith("replay_"))


def test_too_few_draws_say_nothing(tmp_path: Path) -> None:
    options = StressorsOptions(resamples=200, counterfactual=2)
    asked = [arm.name for arm in arms(options) if arm.name == BASE or is_replay(arm.name)]
    ran = run(tmp_path / "run", ["clinician?hinge=0.9&fabricate=0"], options=options, limit=5, arms=asked)
    assert "3 or more were expected" in str(ran.one("causal_anchoring", "strike").undefined)


def dry_calls(options: StressorsOptions, *names: str) -> int:
    """Calls that a dry run of one case counts in these arms."""

    chosen = [arm for arm in arms(options) if arm.name in names]
    model = Talking("nobody asks")
    made = asyncio.run(
        plan(PROTOCOL, options, cases=[case_of(V)], roles=Roles({}, seed=5), models=[model], arms=chosen)
    )
    assert not model.asked
    return made[0].calls


def test_a_dry_run_prices_each_replay_as_the_longest_that_there_is() -> None:
    options = StressorsOptions(counterfactual=3)
    replays_of = [arm.name for arm in arms(options) if is_replay(arm.name)]
    alone = dry_calls(options, BASE)
    assert alone == 4
    assert dry_calls(options, BASE, *replays_of) == alone + 3 * len(replays_of)


def test_an_answer_that_was_read_is_never_replayed_as_if_it_had_not_been() -> None:
    """What tells a dry run apart: the check of any answer, even an empty one, leaves rows."""
    first = asyncio.run(assessed(case_of(V), BASE, Talking(""), 5))
    assert first is not None
    assert first.verdicts


def test_another_arm_is_replayed_where_it_is_named(tmp_path: Path) -> None:
    options = StressorsOptions(resamples=200, counterfactual=3, replayed="delay")
    asked = [arm.name for arm in arms(options) if arm.name == "delay" or is_replay(arm.name)]
    assert all(base_of(name) == "delay" for name in asked)
    ran = run(tmp_path / "run", ["clinician?hinge=0.9&fabricate=0"], options=options, limit=6, arms=asked)
    found = ran.one("causal_anchoring", "strike@delay")
    assert found.baseline == "sham_strike@delay"
    assert found.value is not None
    assert found.value > 0.4
