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
        r"certificate: (\d+) seeded statements, at most ([\d,]+) calls of the judge, about 0.00 USD", whole
    )
    assert told is not None, text
    assert int(told[1]) >= 4 * 150, "errors and true statements in two arms"
    assert int(told[2].replace(",", "")) == 2 * int(told[1]), "two passes"
    assert "Certificate on openai-api/ward/m: the reader finds 0.0%" in whole, text
    assert "fails the certificate of this run: it finds 0% of seeded errors in one arm" in whole, text
    assert "No index, and no comparison of models: " in whole
