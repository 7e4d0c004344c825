"""Asking: one call; a search tool in every arm; cases of plain text from end to end."""

import json
from pathlib import Path

import pytest

from percuss.core.errors import FetchError
from percuss.core.messages import Reply, Request, Text, ToolCall
from percuss.core.ports import Hit, Roles
from percuss.core.records import Arm, Posed
from percuss.protocols.grounding.arms import pose
from percuss.protocols.grounding.ask import ask, wants_literature
from percuss.protocols.grounding.cases import cases
from percuss.protocols.grounding.options import GroundingOptions
from tests.protocols.grounding.runs import run

WITH_TOOL = GroundingOptions(literature=True)
CASE = next(cases(None, GroundingOptions(), 42))


class Searcher:
    """A model that calls the tool whenever it is offered, `rounds` times; then it answers with what it was given."""

    id, pin = "scripted/searcher", ""

    def __init__(self, rounds: int, arguments: str = '{"query": "PD-L1"}') -> None:
        self.rounds = rounds
        self.arguments = arguments
        self.requests: list[Request] = []

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.requests.append(request)
        if request.tools and len(self.requests) <= self.rounds:
            return Reply(
                parts=(
                    ToolCall(id=f"c{len(self.requests)}", name="search_literature", arguments=self.arguments),
                ),
                finish="tool",
            )
        return Reply(parts=(Text(text="It is stage IV."),), finish="stop")


class Broken:
    """A search that fails."""

    id = "broken"

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        raise FetchError("the index is not reachable")


def posed(arm: str, options: GroundingOptions = WITH_TOOL) -> Posed:
    made = pose(CASE, Arm(name=arm), None, options, 42)
    assert isinstance(made, Posed)
    return made


async def test_one_call_with_the_policy_of_the_paper() -> None:
    model = Searcher(0)
    found = await ask(
        posed("ungrounded", GroundingOptions()), Roles({"model": model}, seed=7), GroundingOptions()
    )
    (request,) = model.requests
    assert (request.temperature, request.top_p, request.max_tokens, request.seed) == (0.2, 1.0, 800, 7)
    assert request.tools == ()
    assert found.artifacts == {}
    assert [turn.role for turn in found.turns] == ["assistant"]


async def test_a_search_is_answered_from_the_offline_notes() -> None:
    model = Searcher(1)
    found = await ask(posed("literature"), Roles({"model": model}, seed=7), WITH_TOOL)
    assert found.artifacts["retrieval"] == {"called": True, "queries": ["PD-L1"], "gate": True}
    assert [turn.role for turn in found.turns] == ["assistant", "tool", "assistant"]
    results = json.loads(model.requests[1].messages[-1].parts[0].content)["results"]  # type: ignore[union-attr]
    assert results
    assert all(result["id"].startswith("topic:") for result in results)
    assert found.turns[-1].text == "It is stage IV."


async def test_a_model_that_never_stops_searching_is_stopped() -> None:
    model = Searcher(99)
    await ask(posed("ungrounded"), Roles({"model": model}, seed=7), WITH_TOOL)
    assert len(model.requests) == 4


@pytest.mark.parametrize("arguments", ["not json", "[]", '{"q": 1}'])
async def test_arguments_that_mean_nothing_get_an_answer(arguments: str) -> None:
    model = Searcher(1, arguments)
    found = await ask(posed("ungrounded"), Roles({"model": model}, seed=7), WITH_TOOL)
    assert found.artifacts["retrieval"]["called"] is False
    assert "error" in model.requests[1].messages[-1].parts[0].content  # type: ignore[union-attr]


async def test_a_search_that_fails_is_said_to_the_model() -> None:
    model = Searcher(1)
    await ask(posed("ungrounded"), Roles({"model": model}, seed=7, search=Broken()), WITH_TOOL)
    assert "not reachable" in model.requests[1].messages[-1].parts[0].content  # type: ignore[union-attr]


def test_the_keyword_gate_is_apart_from_the_models_calls() -> None:
    assert wants_literature(posed("literature").messages)
    assert not wants_literature(posed("full_multimodal").messages)
    assert not wants_literature(posed("ungrounded").messages)


def test_retrieval_is_measured_apart_when_asked_and_unasked(tmp_path: Path) -> None:
    arms = ("full_multimodal", "ungrounded", "literature")
    ran = run(tmp_path / "run", ("copier",), options=WITH_TOOL, limit=6, arms=arms)
    assert ran.one("retrieval_on_request", "phantom/copier", "literature").value == 0
    assert ran.one("gate_on_request", "phantom/copier", "literature").value == 1
    assert ran.one("retrieval_false_positive", "phantom/copier").value == 0
    assert ran.one("gate_false_positive", "phantom/copier").value == 0


def test_plain_text_from_end_to_end(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    lines = [
        {
            "id": f"q{i}",
            "question": "What does the note say?",
            "evidence": f"Sodium was {130 + i} mmol/L. The patient takes warfarin. No fever was seen.",
            "cluster": f"p{i // 2}",
        }
        for i in range(12)
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    options = GroundingOptions(rules="extended", resamples=200)
    arms = ("full", "full_multimodal", "ungrounded")
    ran = run(tmp_path / "run", ("copier", "confabulator"), options=options, source=str(file), arms=arms)
    hdi = ran.one("hdi_pooled", "phantom/copier", "full")
    assert hdi.primary
    assert 4 <= hdi.clusters <= 6  # a case counts where both answers hold something that a rule decided
    assert {e.arm for e in ran.estimates} == {"full", "ungrounded"}
    wrong = ran.one("unsupported_rate", "phantom/confabulator", "ungrounded")
    right = ran.one("supported_rate", "phantom/copier", "full")
    assert wrong.value is not None
    assert wrong.value > 0.6
    assert right.value is not None
    assert right.value > 0.9
    assert wrong.decided_share is not None
    assert {s.place for s in ran.sections} >= {"findings", "left_out", "read", "how"}
