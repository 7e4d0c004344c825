"""Real Inspect logs of a mock model: what several tests and stages compare."""

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["EPOCHS", "SAMPLES", "inspect_log"]

SAMPLES, EPOCHS = 40, 2


def _replies(right: int, shift: int) -> Iterator[Any]:
    """Answer `yes` in `right` of ten calls, from the `shift`-th on; without `usage` Inspect would look for a tokenizer to download."""
    from inspect_ai.model import ModelOutput, ModelUsage

    for number in range(SAMPLES * EPOCHS):
        out = ModelOutput.from_content("mockllm/model", "yes" if (number * 7 + shift) % 10 < right else "no")
        out.usage = ModelUsage(input_tokens=3, output_tokens=1, total_tokens=4)
        yield out


def inspect_log(folder: Path, name: str, right: int, shift: int) -> Path:
    """Run a task of Inspect with its mock model and keep its log as `<name>.eval`."""
    from inspect_ai import Task
    from inspect_ai import eval as run
    from inspect_ai.dataset import Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import includes

    samples = [Sample(id=f"s{i}", input=f"Is it {i}?", target="yes") for i in range(SAMPLES)]
    task = Task(dataset=samples, scorer=includes(), name="mock")
    model = get_model("mockllm/model", custom_outputs=_replies(right, shift), memoize=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a library under Inspect, about itself
        (log,) = run(
            task, model=model, epochs=EPOCHS, log_dir=str(folder / "made"), display="none", max_samples=1
        )
    assert log.status == "success", log.error
    return Path(shutil.move(log.location.removeprefix("file://"), folder / f"{name}.eval"))
