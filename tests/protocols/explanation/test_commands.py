"""The protocol's own commands."""

import json
from pathlib import Path

import pytest

from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.commands import Chests, Lint
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.testing import TrialSession

SESSION = TrialSession(Roles({}, seed=1))


async def test_our_knowledge_base_has_no_errors(tmp_path: Path) -> None:
    target = tmp_path / "ours.json"
    done = await PROTOCOL.commands["lint"].run(Lint(write=str(target)), SESSION)
    assert "32 questions, 100 entries, no errors" in done.text
    assert done.files == (target,)
    assert "no errors" in (await PROTOCOL.commands["lint"].run(Lint(knowledge=str(target)), SESSION)).text


async def test_errors_stop_the_linter_with_every_finding(tmp_path: Path) -> None:
    bad = {"questions": {"b05": {"question": "?", "type": "binary", "answers": {"yes": {}, "perhaps": {}}}}}
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(bad), encoding="utf-8")
    with pytest.raises(UsageError, match="neither must_all nor a group") as caught:
        await PROTOCOL.commands["lint"].run(Lint(knowledge=str(path)), SESSION)
    assert "b05 perhaps: the answer is unknown" in str(caught.value)


async def test_written_chests_are_cases_again(tmp_path: Path) -> None:
    done = await PROTOCOL.commands["chests"].run(Chests(out=str(tmp_path / "chests"), number=2), SESSION)
    assert "no patients" in done.text
    found = list(cases(str(tmp_path / "chests" / "cases.jsonl"), ExplanationOptions(), 42))
    assert len(found) == 64
    assert all(case.payload["problem"] is None for case in found)
