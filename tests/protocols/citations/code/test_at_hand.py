"""What registries said reaches the code of a run: asked name by name into a file, read from it ever after."""

import json
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from percuss.core.errors import BadInput
from percuss.core.ports import Roles
from percuss.models.scripted import Scripted
from percuss.protocols.citations.asking_registries import PackagesOptions
from percuss.protocols.citations.code.at_hand import at_hand
from percuss.protocols.citations.commands import COMMANDS, CodeOptions
from percuss.testing.sessions import TrialSession
from tests.protocols.citations.conversations import run

ANSWER = "```bash\npip install flask==9.9 madeuptools\n```\n```python\nimport madeuptools\n```"
NOBODY = TrialSession(Roles({}, seed=1))


async def _filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[str], str]:
    """Ask a registry twice about an answer; return the file, what was asked, and what was said the second time."""
    seen: list[str] = []

    async def reply(request: web.Request) -> web.Response:
        seen.append(request.path)
        known = request.path == "/pypi/flask/json"
        return web.json_response({"releases": {"3.0.0": []}} if known else {}, status=200 if known else 404)

    app = web.Application()
    app.router.add_get("/{path:.*}", reply)
    (tmp_path / "answer.md").write_text(ANSWER, encoding="utf-8")
    options = PackagesOptions(answers=str(tmp_path / "answer.md"), index=str(tmp_path / "packages.jsonl"))
    async with TestServer(app) as server:
        monkeypatch.setenv("PYPI_BASE_URL", str(server.make_url("")).rstrip("/"))
        planned = await COMMANDS["packages"].run(options, TrialSession(Roles({}, seed=1), dry_run=True))
        assert planned.text.startswith("would ask about 2 names at 127.0.0.1")
        assert not seen
        await COMMANDS["packages"].run(options, NOBODY)
        again = await COMMANDS["packages"].run(options, NOBODY)
    return tmp_path / "packages.jsonl", seen, again.text


async def test_each_name_is_asked_once_and_the_answer_is_dated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, seen, again = await _filled(tmp_path, monkeypatch)
    assert sorted(seen) == ["/pypi/flask/json", "/pypi/madeuptools/json"]
    assert again.startswith("0 of 0 names answered, 2 were at hand")
    rows = {row["name"]: row for row in map(json.loads, index.read_text().splitlines())}
    assert (rows["flask"]["exists"], rows["madeuptools"]["exists"]) == (True, False)
    assert all(len(row["date"]) == 10 for row in rows.values())
    said = await COMMANDS["code"].run(
        CodeOptions(answer=str(tmp_path / "answer.md"), index=str(index)), NOBODY
    )
    assert "install madeuptools: nonexistent" in said.text
    assert "install flask ==9.9: nonexistent" in said.text


def test_a_run_of_coding_questions_reads_the_same_file(tmp_path: Path) -> None:
    index = tmp_path / "packages.jsonl"
    row = {"ecosystem": "pypi", "name": "madeuptools", "exists": False, "date": "2026-02-03"}
    index.write_text(json.dumps(row) + "\n", encoding="utf-8")
    rows = {"with": str(index), "without": ""}
    rates = {
        name: run(
            tmp_path / name, Scripted(lambda _r, _e: ANSWER.replace("flask==9.9 ", "")), turns=1, domain="coding", package_index=path
        ).one("code_hallucination", stratum=None)
        for name, path in rows.items()
    }  # fmt: skip
    assert rates["with"].value == 1.0
    assert rates["without"].value is None, "nobody was asked, so nothing is known"


@pytest.mark.parametrize("given", [("gone.jsonl", ""), ("", "gone")])
def test_what_is_not_there_is_refused(given: tuple[str, str]) -> None:
    with pytest.raises(BadInput, match="is not there; expected a"):
        at_hand(*given)
