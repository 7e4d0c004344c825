"""docs/python.md is a notebook: its blocks run from top to bottom, and what they print is what the page shows."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```(?:\n```text\n(.*?)```)?", PAGE, flags=re.DOTALL)
SCRIPT = 20
"""Lines of the first block, blank ones left out: a whole evaluation."""


def test_every_block_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas", reason="the page shows pandas frames")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for code, shown in BLOCKS:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert said.getvalue() == shown


def test_the_script_is_twenty_lines_and_shows_all() -> None:
    first = BLOCKS[0][0]
    assert len([line for line in first.splitlines() if line.strip()]) <= SCRIPT
    for word in ("class ", "DataFrame(", ".frame()", "percuss.compare(", "prompt="):
        assert word in first, f"the script shows no {word}"
