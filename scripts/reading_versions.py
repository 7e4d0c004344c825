#!/usr/bin/env python3
"""Hold what every version of a rule says: scripts/reading_versions.py [--write].

The digest of all labels of a reader stands beside its version in tests/reading/versions.json. A label that changes under one
version would be quoted with figures of another reading; so the version rises first (scripts/reading.py, protocol.toml), and
`--write` keeps the new digest. Texts of public data sets are left out, for they need not be here.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reading

FILE = reading.CORPORA / "versions.json"


def digest(reader: reading.Reader, step: int = 1) -> dict[str, Any]:
    """Return a reader's version with the digest of what it says of every row, or of every so many."""
    held = [
        row
        for row in (*reading.rows(reader.corpus), *reading.fresh_rows(reader.corpus))
        if not reader.needs_evidence or "from" not in reading.contexts()[row["context"]]
    ][::step]
    said = "\n".join(f"{row['id']} {reader.says(row) or 'undecided'}" for row in held)
    return {"version": reader.version, "n": len(held), "sha256": hashlib.sha256(said.encode()).hexdigest()}


def made(step: int) -> dict[str, Any]:
    """Return every reader's version and digest."""
    return {f"{reader.name} on {reader.corpus}": digest(reader, step) for reader in reading.READERS}


def changed(kept: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return the readers whose labels changed and whose version didn't."""
    return [
        name
        for name, held in now.items()
        if name in kept and held["version"] == kept[name]["version"] and held != kept[name]
    ]


def main() -> int:
    """Print what changed, or write it."""
    kept: dict[str, Any] = (
        json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {"step": 3, "readers": {}}
    )
    now = made(kept["step"])
    wrong = changed(kept["readers"], now)
    if wrong:
        print(f"labels changed under the version of before: {', '.join(wrong)}; raise the version first")
        return 1
    if "--write" in sys.argv[1:]:
        FILE.write_text(json.dumps({"step": kept["step"], "readers": now}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
