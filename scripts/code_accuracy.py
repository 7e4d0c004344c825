"""Print how well the static code checks do: planted faults found, sound snippets and real modules accused.

Usage: scripts/code_accuracy.py [--modules N] [--seed S]
"""

import argparse
import importlib.util
import random
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType

from percuss.protocols.citations.code import CodeReading, check_answer
from percuss.protocols.citations.code.python.trees import Folder, site_packages

ROOT = Path(__file__).resolve().parents[1]
# Longer modules take longer and say nothing else.
LARGEST = 40_000


def planted() -> ModuleType:
    """Return the table of planted snippets."""
    path = ROOT / "tests" / "protocols" / "citations" / "code" / "planted.py"
    spec = importlib.util.spec_from_file_location("planted_code", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["planted_code"] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=int, default=40, help="modules of installed packages to read")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    _planted(planted())
    _real(given.modules, given.seed)


def _read(table: ModuleType, code: str) -> CodeReading:
    fenced = "```" in code or code.startswith("Run `")
    return check_answer(code if fenced else f"```python\n{code}\n```", index=table.INDEX)


def _planted(table: ModuleType) -> None:
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for plant in table.MISSING:
        wrong = [f.name for f in _read(table, plant.code).findings if f.status == "nonexistent"]
        totals[plant.kind] += 1
        hits[plant.kind] += any(plant.item in name for name in wrong)
    sound = [*(plant.code for plant in (*table.REAL, *table.UNKNOWABLE)), *table.LONG]
    accused = sum(any(f.status == "nonexistent" for f in _read(table, code).findings) for code in sound)
    for kind in totals:
        print(f"  {kind:16} {hits[kind]:3} of {totals[kind]:3}")
    found, all_faults = sum(hits.values()), sum(totals.values())
    print(f"planted faults found: {found} of {all_faults}, recall {found / all_faults:.3f}")
    print(
        f"sound or unknowable snippets accused: {accused} of {len(sound)}; precision {found / (found + accused):.3f}"
    )


def _real(count: int, seed: int) -> None:
    """Read modules of installed packages as if they were answers: they run, so what is accused is a false alarm."""
    roots = [
        tree.root
        for tree in site_packages()
        if isinstance(tree, Folder) and "site-packages" in str(tree.root)
    ]
    files = [
        path for root in roots for path in sorted(root.rglob("*.py")) if 500 < path.stat().st_size < LARGEST
    ]
    chosen = random.Random(seed).sample(files, min(count, len(files)))
    states: Counter[str] = Counter()
    wrong: list[str] = []
    begun = time.perf_counter()
    for path in chosen:
        text = path.read_text(encoding="utf-8", errors="replace")
        for finding in check_answer(f"```python\n{text}\n```").findings:
            states[finding.status] += 1
            if finding.status == "nonexistent":
                wrong.append(f"{path.name}: {finding.name}: {finding.reason}")
    total = sum(states.values())
    seconds = time.perf_counter() - begun
    print(f"{len(chosen)} real modules: {total:,} imports and calls in {seconds:.0f} s; {dict(states)}")
    print("\n".join(f"  {line}" for line in wrong) or "  none accused")


if __name__ == "__main__":
    main()
