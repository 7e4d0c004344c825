"""Niche papers out of OpenAlex's format, and an index that nothing made up may stand in."""

import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from percuss.core.errors import BadInput
from percuss.core.ports import Roles
from percuss.core.protocol import CommandResult
from percuss.protocols.citations.case import reading
from percuss.protocols.citations.cases import cases
from percuss.protocols.citations.commands import COMMANDS
from percuss.protocols.citations.library.short import read_niche
from percuss.protocols.citations.niche import NicheOptions, niche_rows
from percuss.protocols.citations.options import CitationsOptions
from percuss.testing.sessions import TrialSession


def _work(number: int, **other: object) -> dict[str, object]:
    return {
        "display_name": f"A small study of the things that number {number} counted", "publication_year": 2000 + number,
        "doi": f"https://doi.org/10.5555/niche.{number}", "type": "article", "cited_by_count": number, "is_retracted": False,
        "authorships": [{"author": {"display_name": "Lucía García Márquez"}, "institutions": [{"display_name": "Hillside University"}]}],
        "primary_location": {"source": {"display_name": "Annals of Small Things"}}, **other,
    }  # fmt: skip


WORKS = [_work(0), _work(1), _work(2), _work(3), _work(4), _work(5, is_retracted=True), _work(60), _work(7, display_name="Editorial"),
         "no work", _work(8)]  # fmt: skip


def test_each_of_the_five_questions_in_turn_and_only_of_works_that_are_niche() -> None:
    rows = list(niche_rows(WORKS, 99))
    assert [row["template"] for row in rows] == [
        "paper-authors", "paper-affiliation", "paper-year", "paper-doi", "paper-journal", "paper-authors",
    ]  # fmt: skip
    golds = [
        ["Márquez"],
        ["Hillside University"],
        ["2002"],
        ["10.5555/niche.3"],
        ["Annals of Small Things"],
    ]
    assert [row["gold"] for row in rows[:5]] == golds
    assert "number 8" in rows[5]["item"]
    assert len(list(niche_rows(WORKS, 2))) == 2


async def _asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: object, *, dry: bool = False) -> tuple[CommandResult, list[dict[str, str]]]:  # fmt: skip
    seen: list[dict[str, str]] = []

    async def works(request: web.Request) -> web.Response:
        seen.append(dict(request.query))
        return web.json_response(answer)

    app = web.Application()
    app.router.add_get("/works", works)
    async with TestServer(app) as server:
        monkeypatch.setenv("OPENALEX_BASE_URL", str(server.make_url("")))
        options = NicheOptions(out=str(tmp_path / "niche.jsonl"), count=5)
        result = await COMMANDS["niche"].run(options, TrialSession(Roles({}, seed=7), dry_run=dry))
    return result, seen


async def test_the_command_asks_once_and_what_it_writes_can_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, seen = await _asked(tmp_path, monkeypatch, {"results": WORKS})
    assert len(seen) == 1
    assert "cited_by_count:<50" in seen[0]["filter"]
    assert (seen[0]["seed"], seen[0]["sample"]) == ("7", "10")
    assert result.data == {"written": 5}
    assert len(read_niche(tmp_path / "niche.jsonl")) == 5
    options = CitationsOptions(domain="short_form", short_items=1, niche=str(tmp_path / "niche.jsonl"))
    assert [reading(case).short for case in cases(None, options, 1)].count("niche") == 5


async def test_nothing_is_asked_before_it_is_said_and_an_empty_answer_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, seen = await _asked(tmp_path, monkeypatch, {"results": WORKS}, dry=True)
    assert not seen
    assert "would ask" in result.text
    with pytest.raises(BadInput, match="without a work to ask about"):
        await _asked(tmp_path, monkeypatch, {"results": [_work(99)]})


def test_nothing_made_up_stands_in_the_index(tmp_path: Path) -> None:
    def items(**settings: Any) -> list[str]:
        options = CitationsOptions(domain="short_form", short_items=3, **settings)
        return [reading(case).question for case in cases(None, options, 7)]

    first = items()
    title = first[0].split("'")[1]
    index = tmp_path / "index.jsonl"
    index.write_text(
        json.dumps({"bibtex_type": "article", "fields": {"title": title.upper()}}), encoding="utf-8"
    )
    second = items(short_index=str(index))
    assert len(second) == len(first)
    assert not [question for question in second if title in question]
    assert set(first[1:]) <= set(second)
