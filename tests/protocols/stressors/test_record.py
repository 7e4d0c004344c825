"""The simulated record: what it tells, what it holds back, and what it never lets through."""

import asyncio
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.ports import Model, Roles
from percuss.core.records import Arm, NotApplicable, Posed, Reply, Request, Text
from percuss.engine import Journal, Journaled, identity_of
from percuss.engine import ask as put
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.arms import pose
from percuss.protocols.stressors.ask import ask
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.questions import questions
from percuss.protocols.stressors.record import scenario_of
from percuss.protocols.stressors.scenario.vignettes import Vignette
from percuss.protocols.stressors.scenario.wording import restates
from percuss.protocols.stressors.simulated import NOT_AVAILABLE, NOT_RECORDED, PENDING
from percuss.store import RunStore, survey
from tests.protocols.stressors.direct import case_of
from tests.protocols.stressors.generator import vignette

OPTIONS = StressorsOptions()
SEED = 5
ALL = "omission+contradiction+delay"


class Asking:
    """A model that says what it was told to say, turn by turn."""

    id, pin = "test/asking", "1"

    def __init__(self, *says: str) -> None:
        self.says = says

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        turn = sum(m.role == "assistant" for m in request.messages)
        return Reply(parts=(Text(text=self.says[min(turn, len(self.says) - 1)]),), finish="stop")


def told(v: Vignette, arm: str, *says: str) -> tuple[list[str], list[dict[str, object]]]:
    posed = pose(case_of(v), Arm(name=arm), None, OPTIONS, 5)
    assert isinstance(posed, Posed)
    transcript = asyncio.run(ask(posed, Roles({"model": Asking(*says)}, seed=1), OPTIONS))
    users = [m.text for m in posed.messages] + [t.text for t in transcript.turns if t.role == "user"]
    return users, list(transcript.artifacts["answers"])


def test_what_is_asked_for_is_told_once_and_repeats_are_named() -> None:
    users, answers = told(
        vignette(1), "baseline", "Any family history?", "Any family history?", "Hm.", "Done."
    )
    assert [a["kind"] for a in answers] == ["told", "repeated"]
    assert "An uncle has brittle nails." in users[-3]


def test_omitted_is_not_available_and_delayed_is_pending_until_it_comes() -> None:
    v = vignette(2)
    scenario = scenario_of(case_of(v), ALL, 5, 2)
    groups = {gap.cause: gap.group for gap in scenario.gaps}
    ask_both = f"What did the {groups['omission']} show? What did the {groups['delay']} show?"
    users, answers = told(
        v, ALL, ask_both, "Nothing new.", f"And what did the {groups['delay']} tell?", "Done."
    )
    assert [a["text"] for a in answers[:2]] == [NOT_AVAILABLE, PENDING]
    assert [a["kind"] for a in answers] == ["unavailable", "pending", "known"]
    assert any(groups["delay"] in text and "Results:" in text for text in users)


def test_what_nobody_wrote_down_is_never_called_normal() -> None:
    users, answers = told(vignette(3), "baseline", "Which pet lives in the garden?")
    assert answers[0]["text"] == NOT_RECORDED
    assert not any("normal" in text.lower() for text in users[2:])


def test_the_ungrounded_record_knows_nothing() -> None:
    _, answers = told(
        vignette(3), "ungrounded", "Any family history? What did the Quartz marker show?", "Done."
    )
    assert {a["text"] for a in answers} == {NOT_RECORDED}


@pytest.mark.slow
def test_an_omitted_fact_never_appears_under_a_thousand_question_sequences() -> None:
    rng = random.Random(11)
    stems = (
        "What about the {}?",
        "Please provide the {}.",
        "Could you tell me the {}?",
        "Is the {} known, and its value?",
        "Any {}?",
    )
    for number in range(1000):
        v = vignette(number % 25)
        words = [f.group for f in v.facts] + [f.text for f in v.facts] + ["weather", v.diagnosis]
        says = [
            " ".join(rng.choice(stems).format(rng.choice(words)) for _ in range(rng.randint(1, 4)))
            for _ in range(3)
        ]
        arm = rng.choice(("omission", "omission+delay", ALL))
        scenario = scenario_of(case_of(v), arm, 5, 2)
        users, _ = told(v, arm, *says, "Done.")
        hidden = [v.fact(i).text for gap in scenario.gaps if gap.cause == "omission" for i in gap.facts]
        lines = [line for text in users for line in text.splitlines()]
        assert not any(restates(line, text) for line in lines for text in hidden)


class Counting(Asking):
    """The same, and it keeps what it was asked."""

    def __init__(self, *says: str) -> None:
        super().__init__(*says)
        self.asked: list[Request] = []

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.asked.append(request)
        return await super().generate(request, epoch=epoch)


def test_arms_share_calls_and_randomness_until_their_prompts_differ(tmp_path: Path) -> None:
    """Eight arms begin in four ways (with or without two groups), and part at the addendum and at the results."""
    model = Counting("Hm.", "Hm.", "Hm.", "Done.")
    asked_of_a_fresh_run(tmp_path / "r", model)
    # First turns 4, second 8, third 8 (what was withheld keeps apart), fourth 8.
    assert len(model.asked) == 28
    assert len({request.seed for request in model.asked}) == 1


def asked_of_a_fresh_run(folder: Path, model: Model) -> None:
    identity = identity_of(PROTOCOL, OPTIONS, survey(iter([case_of(vignette(1))])), seed=SEED, roles={})
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter([case_of(vignette(1))]))
        journaled = Journaled(model, Journal(store))
        asyncio.run(put(store, PROTOCOL, OPTIONS, roles=Roles({}, seed=SEED), models=[journaled]))


def test_nothing_omitted_is_in_any_part_of_the_pose() -> None:
    for number in range(25):
        v = vignette(number)
        scenario = scenario_of(case_of(v), ALL, 5, 2)
        posed = pose(case_of(v), Arm(name=ALL), None, OPTIONS, 5)
        assert not isinstance(posed, NotApplicable)
        for gap in scenario.gaps:
            if gap.cause == "omission":
                assert not any(v.fact(i).value and v.fact(i).value in str(posed) for i in gap.facts)


def test_a_model_written_answer_passes_only_with_what_may_be_told() -> None:
    v = vignette(4)
    posed = pose(case_of(v), Arm(name="baseline"), None, OPTIONS, 5)
    assert isinstance(posed, Posed)
    for says, kind in (("The patient works as a baker.", "told"), ("The potassium is 9.9 mEq/L.", "off_record"),
                       ("The patient works as a baker of 47 loaves.", "off_record")):  # fmt: skip
        roles = Roles({"model": Asking("How are the days spent?", "Done."), "record": Asking(says)}, seed=1)
        transcript = asyncio.run(ask(posed, roles, OPTIONS))
        assert transcript.artifacts["answers"][0]["kind"] == kind


@given(st.lists(st.text(max_size=60), max_size=6))
@settings(max_examples=60, deadline=None)
def test_questions_lie_where_they_say(parts: list[str]) -> None:
    text = "? ".join(parts)
    for q in questions(text):
        assert text[q.start : q.stop] == q.text


@pytest.mark.parametrize(("text", "n"), [("Fever is high.", 0), ("Any fever? Any rash?", 2), ("Please provide the ECG.", 1), ("I need more details on diet.", 1)])  # fmt: skip
def test_questions_and_requests(text: str, n: int) -> None:
    assert len(questions(text)) == n
