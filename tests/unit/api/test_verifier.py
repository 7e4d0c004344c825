"""The role `verifier`: who may play it, how it is built, and who is refused in one sentence."""

from pathlib import Path

import pytest

from percuss.api.run.factory import ModelFactory, plays_model
from percuss.api.run.independence import family_of, require_independent
from percuss.api.run.session import require_verifying, roles_of
from percuss.api.run.trial import try_model
from percuss.core.errors import BadInput, UsageError
from percuss.engine.budget import Budget
from percuss.judging.verifiers.chat import ChatVerifier
from percuss.models.prices import Prices
from tests.tiny import create


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("openai/gpt-4o", "azure/gpt-4.1-mini", True),
        ("ollama/llama3.2:1b", "openrouter/meta-llama/Llama-3-8B", True),
        ("ollama/llama3", "together/meta-llama-3", True),
        ("embedded/qwen2.5-0.5b", "ollama/qwen3", True),
        ("openai/o3-mini", "openai/gpt-4o", True),
        ("openai/gpt-4o", "anthropic/claude-3", False),
        ("phantom/copier", "phantom/recycler?reuse=0.8", False),
    ],
)
def test_families(one: str, other: str, same: bool) -> None:
    assert (family_of(one) == family_of(other)) is same


def test_a_verifier_is_of_another_family() -> None:
    verifier = {"verifier": "ollama/llama3"}
    require_independent(verifier, ["openai/gpt-4o"], allowed=False)
    require_independent({"verifier": "onnx:here/model.onnx"}, ["openai/gpt-4o"], allowed=False)
    require_independent(verifier, ["ollama/llama3"], allowed=True)
    with pytest.raises(UsageError, match="verify itself"):
        require_independent(verifier, ["ollama/llama3"], allowed=False)
    with pytest.raises(UsageError, match="of the family of vllm/llama-3-8b"):
        require_independent(verifier, ["vllm/llama-3-8b"], allowed=False)
    with pytest.raises(UsageError, match="judge itself"):
        require_independent({"judge": "ollama/llama3"}, ["ollama/llama3"], allowed=False)


async def test_the_factory_builds_it_and_a_model_without_log_probabilities_is_refused(tmp_path: Path) -> None:
    with create(tmp_path / "r", source="1") as store:
        prices = Prices.read(None)
        async with ModelFactory(store, seed=1, budget=Budget(), prices=prices, concurrency=1) as factory:
            roles = roles_of(factory, {"verifier": "phantom/copier"}, seed=1)
            assert isinstance(roles.verifier, ChatVerifier)
            assert dict(roles.models) == {}
            with pytest.raises(BadInput, match="without log-probabilities"):
                await require_verifying(roles)
            with pytest.raises(UsageError, match=r"percuss\[verifier\]|beside it"):
                factory.verifier(f"onnx:{tmp_path / 'none.onnx'}")
    assert plays_model("verifier", "embedded/smollm2-135m-instruct")
    assert not plays_model("verifier", "onnx:model.onnx")


async def test_trying_a_model_says_whether_it_can_verify() -> None:
    assert not (await try_model("phantom/copier")).verifies
