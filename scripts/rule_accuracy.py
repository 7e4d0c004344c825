"""Print how often each rule set gives the label that a reader gives, on the labelled claims of tests/golden/claims.

Usage: .venv/bin/python scripts/rule_accuracy.py [--wrong]
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.checker import RULES, check

FOLDER = Path(__file__).parents[1] / "tests" / "golden" / "claims"


def packets() -> dict[str, Packet]:
    """Read the packets that the claims are held against."""
    bodies: dict[str, Any] = json.loads((FOLDER / "packets.json").read_text(encoding="utf-8"))
    return {name: _packet(body) for name, body in bodies.items()}


def rows() -> list[dict[str, Any]]:
    """Read the labelled claims, the paper's first."""
    return [
        {"held_out": False, "source": name, **json.loads(line)}
        for name in ("paper", "labelled")
        for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def _packet(body: dict[str, Any]) -> Packet:
    if "facts" in body:
        return Packet(facts=tuple(Fact(**fact) for fact in body["facts"]))
    return Packet.of_layers(body["layers"]) if "layers" in body else Packet.of_text(*body["texts"])


def main() -> None:
    """Print one line a set of claims and rule set, then topics, then (--wrong) the claims that differ."""
    held = packets()
    table = rows()
    parts = {
        "paper's 19": [row for row in table if row["source"] == "paper"],
        "ours": [row for row in table if row["source"] == "labelled" and not row["held_out"]],
        "held out": [row for row in table if row["held_out"]],
    }
    said = {
        rules: {
            row["id"]: check(row["claim"], held[row["packet"]], layers_shown=row["shown"], rules=rules)
            for row in table
        }
        for rules in RULES
    }
    print(f"{'claims':12}{'n':>5}  " + "  ".join(f"{rules:>9} right / decided" for rules in RULES))
    for name, part in parts.items():
        cells = []
        for rules in RULES:
            labels = [(said[rules][row["id"]].label, row["meaning"]) for row in part]
            decided = sum(label is not None for label, _ in labels)
            right = sum(label == meaning for label, meaning in labels)
            cells.append(f"{right:>9} / {decided} = {right / decided:5.1%}")
        print(f"{name:12}{len(part):>5}  " + "     ".join(cells))
    for rules in RULES:
        errors = Counter(
            (row["meaning"], (said[rules][row["id"]].label or "undecided"))
            for row in table
            if said[rules][row["id"]].label != row["meaning"]
        )
        print(f"\n{rules}: meaning -> said")
        for (meaning, label), count in errors.most_common():
            print(f"  {meaning:12} -> {label:12} {count}")
    if "--wrong" in sys.argv:
        for row in table:
            finding = said["extended"][row["id"]]
            if finding.label != row["meaning"]:
                print(
                    f"{row['id']} {row['claim']!r} meaning {row['meaning']}: {finding.label} ({finding.rationale})"
                )


if __name__ == "__main__":
    main()
