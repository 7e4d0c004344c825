"""Environments as Inspect tasks: the gold calls of an agent of Inspect get 100, words alone nothing, whatever they claim."""

from pathlib import Path
from typing import Any

import pytest

from percuss.bridge.worlds import environment
from percuss.core.errors import UsageError
from percuss.protocols.skills.worlds.contract import Script
from percuss.protocols.skills.worlds.registry import world_named

inspect_model = pytest.importorskip("inspect_ai.model", reason="the extra `inspect` is not installed")


def played(world: str, agent: str, folder: Path) -> Any:
    """Play the first task of an environment by a scripted agent behind Inspect's mock model."""
    from inspect_ai import eval as run

    task = world_named(world).tasks(42)[0]
    script: Script = world_named(world).agents(task, 42)[agent]
    outputs = []
    for steps, words in zip(script.steps, script.says, strict=True):
        outputs += [
            inspect_model.ModelOutput.for_tool_call("mockllm/model", step.tool, step.arguments)
            for step in steps
        ]
        outputs.append(inspect_model.ModelOutput.from_content("mockllm/model", words))
    for output in outputs:  # else Inspect counts tokens by a vocabulary that it fetches
        output.usage = inspect_model.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = inspect_model.get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    logs = run(environment(world, limit=1), model=model, log_dir=str(folder), display="none")
    return logs[0]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what Inspect uses
@pytest.mark.parametrize("world", ["data", "rag", "research", "safety", "fhir"])
def test_gold_is_worth_all_and_a_liar_nothing(world: str, tmp_path: Path) -> None:
    for agent, worth in (("gold", 1), ("liar", 0)):
        log = played(world, agent, tmp_path / agent)
        assert log.status == "success", log.error
        assert log.samples is not None
        assert log.samples[0].scores["percuss_grade"].value == worth, agent


def test_an_unknown_environment_is_named() -> None:
    with pytest.raises(UsageError, match="no environment is called 'sea'"):
        environment("sea")
