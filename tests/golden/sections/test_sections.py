"""Estimates and section rows of small runs, held line by line.

After a change that is meant, `PERCUSS_WRITE_GOLDENS=1 pytest tests/golden/sections` writes the files anew; read the difference,
and say in the changelog which lines moved and why.
"""

import difflib
import os
from pathlib import Path

import pytest

from tests.golden.sections.readable import estimate_lines, section_lines
from tests.golden.sections.runs import RUNS

HERE = Path(__file__).parent
MOST = 40


@pytest.mark.parametrize("name", RUNS)
def test_estimates_and_sections_are_as_they_were(name: str, tmp_path: Path) -> None:
    estimates, sections = RUNS[name](tmp_path)
    moved = []
    for kind, lines in (("estimates", estimate_lines(estimates)), ("sections", section_lines(sections))):
        path, made = HERE / f"{name}.{kind}.txt", list(lines)
        if os.environ.get("PERCUSS_WRITE_GOLDENS"):
            path.write_text("\n".join(made) + "\n", encoding="utf-8")
        kept = path.read_text(encoding="utf-8").splitlines()
        moved += list(difflib.unified_diff(kept, made, f"{path.name}, kept", "made", lineterm="", n=0))
    assert not moved, "\n".join(line[:400] for line in moved[:MOST])
