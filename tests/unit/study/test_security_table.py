"""docs/security.md: every row that is met names a test that is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_every_row_that_is_met_names_a_test_that_exists() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    met = text.partition("## Met")[2].partition("## Not met")[0]
    rows = [line for line in met.splitlines() if line.startswith("| ") and not line.startswith("| row")]
    rooms = (ROOT / "tests" / "unit" / "study", ROOT / "tests" / "browser")
    known = "".join(path.read_text(encoding="utf-8") for room in rooms for path in room.glob("test_*.py"))
    assert len(rows) > 30
    for row in rows:
        found = re.search(r"`(test_\w+)` \|$", row)
        assert found, row
        assert f"def {found.group(1)}(" in known, row
