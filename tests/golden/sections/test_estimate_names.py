"""Every estimate that a protocol makes stands in its manifest, so that a gate can be refused before anything is paid."""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from percuss.api.catalog import load

HERE = Path(__file__).parent
GOLDENS = sorted(path.name for path in HERE.glob("*.estimates.txt"))
PROTOCOLS = {"demo": "grounding"}


@pytest.mark.parametrize("golden", GOLDENS)
def test_the_manifest_lists_every_estimate(golden: str) -> None:
    name = golden.partition(".")[0].partition("_")[0]
    listed = load(PROTOCOLS.get(name, name)).estimate_names
    made = {line.split(" | ")[0] for line in (HERE / golden).read_text(encoding="utf-8").splitlines() if line}
    missing = sorted(one for one in made if not any(fnmatchcase(one, pattern) for pattern in listed))
    assert not missing, f"add to [estimates] names in protocol.toml: {missing}"
