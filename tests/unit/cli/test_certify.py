"""`percuss check --certify`, end to end: a judge over loopback that calls everything supported is caught, and no index is given."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from percuss.models.loopback import Loopback
from percuss.store import RunStore

pytestmark = pytest.mark.slow


def said(body: Any) -> str:
    """Answer as the model under test, or as its judge, by what is asked."""
    told = json.dumps(body["messages"])
    if "<claim>" in told:
        return '{"rationale": "It may well be so.", "label": "supported"}'
    number = sum(told.split("Case ID: ")[1][:14].encode())
    return (
        f"Troponin was {number}. The patient is male."
        if number % 2
        else f"The patient is female. Ferritin is {number}."
    )


async def called(folder: Path, url: str, *words: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "percuss", *words, cwd=folder, stdout=-1, stderr=-1,
        env={**os.environ, "WARD_API_KEY": "none", "WARD_BASE_URL": url},
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode or 0, out.decode() + err.decode()


@pytest.mark.slow
async def test_a_judge_that_sees_no_error_fails_the_certificate_of_the_run(tmp_path: Path) -> None:
    async with Loopback(said) as server:
        code, text = await called(
            tmp_path, server.url, "run", "grounding", "-m", "openai-api/ward/m", "--judge", "openai-api/ward/judge",
            "--allow-self-judge", "--limit", "6", "--out", "r",
        )  # fmt: skip
        assert code == 0, text
        assert (
            "No index, and no comparison of models: the judge openai-api/ward/judge has no card"
            in " ".join(text.split())
        ), text
        code, text = await called(
            tmp_path,
            server.url,
            "check",
            "r",
            "--judge",
            "openai-api/ward/judge",
            "--allow-self-judge",
            "--certify",
        )
    whole = " ".join(text.split())
    assert code == 0, text
    told = re.search(
        r"certificate: ([\d,]+) seeded statements, at most ([\d,]+) calls of the judge, about 0.00 USD", whole
    )
    assert told is not None, text
    assert int(told[1].replace(",", "")) >= 4 * 150, "errors and true statements in two arms"
    assert int(told[2].replace(",", "")) == 2 * int(told[1].replace(",", "")), "two passes"
    assert "Certificate on openai-api/ward/m: the reader finds 0.0%" in whole, text
    assert "fails the certificate of this run: it finds 0% of seeded errors in one arm" in whole, text
    assert "No index, and no comparison of models: " in whole


class Words:
    """Puts a fact into words as asked, every third time with another number; counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, body: Any) -> str:
        told = body["messages"][-1]["content"]
        told = told if isinstance(told, str) else told[0]["text"]
        self.asked += 1
        attribute, value = (re.search(rf"{name}: (.+)", told)[1] for name in ("Attribute", "Value"))  # type: ignore[index]
        return f"The {attribute} of the patient is {value}{' on day 3' if self.asked % 3 == 0 else ''}."


async def test_a_verbaliser_is_priced_asked_once_and_its_sentences_are_seeded(tmp_path: Path) -> None:
    words = Words()
    check = ("check", "r", "--certify", "--role", "verbaliser=openai-api/ward/words")
    async with Loopback(words) as server:
        code, text = await called(
            tmp_path,
            server.url,
            "run",
            "grounding",
            "-m",
            "phantom/confabulator",
            "--limit",
            "4",
            "--out",
            "r",
        )
        assert code == 0, text
        code, first = await called(tmp_path, server.url, *check)
        assert code == 0, first
        made = words.asked
        code, again = await called(tmp_path, server.url, *check)
        assert code == 0, again
    whole = " ".join(first.split())
    told = re.search(r"verbaliser openai-api/ward/words: (\d+) facts, one call each", whole)
    assert told is not None, first
    assert "no price is known for it" in whole
    facts = int(told[1])
    assert 20 <= made <= facts, "equal facts of two patients are one call"
    assert words.asked == made, "the journal answers the second time"
    with RunStore.open(tmp_path / "r") as store:
        scoring = store.latest_scoring()
        assert scoring.config["models"]["verbaliser"][0] == "openai-api/ward/words"
        assert "verbalise" in scoring.config["prompts"], "the prompt is hashed with the scoring"
        kept = next(e for e in store.estimates(scoring.id) if e.name == "certificate_verbalised")
        table = next(s for s in store.sections(scoring.id) if s.title == "Where do the seeded statements come from?")  # fmt: skip
    assert kept.n == facts
    assert kept.value == pytest.approx(2 / 3, abs=0.12)
    assert {"template", "model"} <= {row["source"] for row in table.body["rows"]}
    shares = [row["of_all"] for row in table.body["rows"] if row["arm"] == "with evidence"]
    assert sum(shares) == pytest.approx(1.0)
