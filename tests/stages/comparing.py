"""Runs and logs to compare: docs/compare.md and docs/ci.md."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.documented import environment
from tests.logs import inspect_log
from tests.stages.playing import HANGS, Stage, shell
from tests.stages.served import chatting
from tests.studies import jsonl

__all__ = ["ci", "compare"]

GOOD, BAD = "phantom/copier", "phantom/confabulator?with=0.4&without=0.6"
"""On the loopback: one that copies its evidence, one that makes up four in ten of what it says beside it."""
CASES = 40
RUN = "percuss run grounding --cases cases.jsonl --model openai/gpt-4o-mini --judge openai/gpt-4.1-mini --no-report --out runs/{}"


@contextmanager
def compare(folder: Path) -> Iterator[Stage]:
    """Runs of two models that a server holds, as runs/a and runs/new, runs/b and runs/old; logs of a good and a bad answerer."""
    _cases(folder)
    for name, again, served in (("a", "new", GOOD), ("b", "old", BAD)):
        with _serving(served) as room:
            shell(RUN.format(name), folder, room)
        shutil.copytree(folder / "runs" / name, folder / "runs" / again)
    for name, right in (("a", 9), ("b", 8), ("c", 4), ("new", 9), ("old", 4)):
        inspect_log(folder, name, right, 0)
    yield Stage(python=_tested)


@contextmanager
def ci(folder: Path) -> Iterator[Stage]:
    """Cases, a run of last week, and a better model that is served now."""
    _cases(folder)
    with _serving(BAD) as room:
        shell(RUN.format("old"), folder, room)
    with _serving(GOOD) as room:
        yield Stage(environment={**room, "GITHUB_STEP_SUMMARY": str(folder / "step.md")})


@contextmanager
def _serving(model: str) -> Iterator[dict[str, str]]:
    with chatting({"gpt-4.1-mini": "phantom/judge", "": model}) as url:
        yield {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}


def _cases(folder: Path) -> None:
    rows = [
        {"id": f"bed-{n}", "question": "How are the values?", "evidence": _values(n)}
        for n in range(1, CASES + 1)
    ]
    jsonl(folder / "cases.jsonl", rows)


def _values(number: int) -> str:
    return f"Haemoglobin is {9 + number / 10:.1f} g/dL. Potassium is {3 + number / 20:.1f} mmol/L. The stage is IB."


def _tested(text: str, folder: Path) -> None:
    """Give the block to pytest, which knows the plugin by its entry point."""
    (folder / "test_prompt.py").write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_prompt.py"]
    done = subprocess.run(
        words, cwd=folder, env=environment(), capture_output=True, text=True, check=False, timeout=HANGS
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr
