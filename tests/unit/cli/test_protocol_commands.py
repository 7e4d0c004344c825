"""A protocol's own commands are commands: `percuss explanation lint`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import OverBudget
from percuss.engine.pool import each
from percuss.store import RunStore
from tests.protocols.stressors.test_prepare import REPLY, TEXT

Percuss = Callable[..., Any]


def test_own_commands_by_name_and_alias(percuss: Percuss) -> None:
    for name in ("explanation", "cot"):
        said = percuss(name, "lint")
        assert said.code == 0
        assert "32 questions" in said.out


def test_their_options_are_the_fields(percuss: Percuss) -> None:
    said = percuss("explanation", "chests", "--number", "1", "--out", "drawn")
    assert said.code == 0
    assert len(list(Path("drawn").glob("*.png"))) == 1


def test_a_value_that_does_not_fit_is_one_sentence(percuss: Percuss) -> None:
    said = percuss("explanation", "chests", "--number", "0")
    assert said.code == 2
    assert said.err.count("percuss:") == 1


PREPARE = ("stressors", "prepare", "case.txt", "--role")


@pytest.fixture
def builder(percuss: Percuss) -> str:
    """A scripted builder and a case, in the folder that commands run in."""
    del percuss
    Path("case.txt").write_text(TEXT)
    Path("b.jsonl").write_text("\n".join([json.dumps({"text": json.dumps(REPLY)})] * 2))
    return "builder=scripted/b.jsonl"


def _journals() -> list[Path]:
    return sorted(path for path in Path().iterdir() if ".journal-" in path.name)


def test_calls_are_journaled_beside_the_output_and_paid_once(percuss: Percuss, builder: str) -> None:
    first = percuss(*PREPARE, builder, "--json")
    assert first.code == 0, first.err
    said = json.loads(first.out)
    assert said["files"] == ["case.jsonl"]
    assert said["data"]["facts"] == 6
    (journal,) = _journals()
    assert journal.name.startswith("case.jsonl.journal-")
    made = Path("case.jsonl").read_bytes()
    Path("case.jsonl").unlink()
    assert percuss(*PREPARE, builder).code == 0
    assert Path("case.jsonl").read_bytes() == made
    assert _journals() == [journal]
    with RunStore.open(journal) as store:
        assert store.read(lambda db: db.execute("SELECT count(*) FROM calls").fetchone()) == (1,)


def test_other_content_is_another_journal_and_what_is_written_is_no_input(
    percuss: Percuss, builder: str
) -> None:
    percuss(*PREPARE, builder)
    percuss(*PREPARE, builder)
    assert len(_journals()) == 1
    Path("case.txt").write_text(TEXT + " She is well.")
    assert percuss(*PREPARE, builder).code == 0
    assert len(_journals()) == 2


def test_a_dry_run_asks_and_writes_nothing(percuss: Percuss, builder: str) -> None:
    said = percuss(*PREPARE, builder, "--dry-run")
    assert said.code == 0
    assert said.out.startswith("would ask scripted/b.jsonl once")
    assert sorted(path.name for path in Path().iterdir()) == ["b.jsonl", "case.txt"]
    assert percuss("explanation", "chests", "--out", "drawn", "--dry-run").code == 0
    assert not Path("drawn").exists()


def test_unknown_roles_and_budgets_are_said(percuss: Percuss, builder: str) -> None:
    said = percuss(*PREPARE, "bilder=phantom/copier")
    assert said.code == 2
    assert "stressors has no role 'bilder'; its roles are builder" in said.err
    said = percuss(*PREPARE, builder, "--max-calls", "0")
    assert (said.code, Path("case.jsonl").exists()) == (2, False)
    assert "0 is not in the range x>=1" in said.err


def test_offline_is_offline(builder: str) -> None:
    del builder  # only its folder; the hook lasts as long as its process
    words = (*PREPARE, "builder=vllm/any", "--base-url", "http://198.51.100.7:1", "--offline")
    done = subprocess.run(
        [sys.executable, "-m", "percuss", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "198.51.100.7" in done.stderr


async def test_each_keeps_the_order_and_ends_what_is_under_way() -> None:
    steps: list[int] = []

    async def work(number: int) -> int:
        if number == 7:
            raise OverBudget("enough")
        return number * number

    made = await each(range(7), work, workers=3, watcher=lambda step: steps.append(step.done))
    assert made == tuple(n * n for n in range(7))
    assert steps == list(range(1, 8))
    with pytest.raises(OverBudget):
        await each(range(20), work, workers=3)
