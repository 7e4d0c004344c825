"""Nothing keeps the event loop busy: what takes long (pictures, embeddings, rules, SQL) goes to a thread."""

import asyncio
import gc
import time
from pathlib import Path
from typing import Any

import pytest

from percuss.api.run.prepare import prepare
from percuss.api.run.request import RunRequest
from percuss.api.run.run import start
from tests.loops import Watched

RUNS = [
    ("grounding", ("phantom/recycler", "phantom/garbler"), {"limit": 12, "judge": "phantom/judge"}),
    ("explanation", ("phantom/reader",), {"limit": 4}),
    ("stressors", ("phantom/clinician",), {"limit": 4}),
]
# A function that turns out to be slow (`engine/pool.py::Offload`) kept the loop once: posing, rules, estimates, one spare;
# and what the first run in a process imports and compiles did so, too, before and during its first call.
LEARNT_ONCE = 7


def busy(loop: Watched, work: Any) -> list[tuple[float, str]]:
    gc.disable()  # the collector's pauses grow with the tests that ran before
    try:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(work)
    finally:
        gc.enable()
    return loop.slow


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "models", "more"), RUNS, ids=[protocol for protocol, *_ in RUNS])
def test_a_whole_run_never_keeps_the_loop_busy(
    tmp_path: Path, protocol: str, models: tuple[str, ...], more: dict[str, Any]
) -> None:
    asked = RunRequest(protocol=protocol, models=models, out=str(tmp_path / "run"), **more)
    slow = busy(Watched(), start(prepare(asked)))
    assert len(slow) <= LEARNT_ONCE, slow


def test_the_guard_sees_what_keeps_the_loop_busy() -> None:
    async def hog() -> None:
        await asyncio.sleep(0)
        end = time.thread_time() + 1.0
        while time.thread_time() < end:
            pass

    loop = Watched()
    [(took, what)] = busy(loop, hog())
    assert took > loop.limit_ms
    assert "hog" in what or "Task" in what
