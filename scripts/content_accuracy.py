"""Print how much the rule content check decides on real pairs, and how often it is right: `scripts/content_accuracy.py FOLDER`.

FOLDER holds `wice_dev.jsonl` and `clinifact_validation.jsonl`: pairs of claim and evidence that people labelled.
"""

import sys
from collections import Counter
from pathlib import Path

import msgspec

from percuss.protocols.citations.content.rule import check_content

YES = {"supported"}
SETS = ("wice_dev.jsonl", "clinifact_validation.jsonl")


def main() -> None:
    folder = Path(sys.argv[1])
    for name in SETS:
        rows = [msgspec.json.decode(line) for line in (folder / name).read_bytes().splitlines()]
        counts: Counter[tuple[str, str]] = Counter()
        for row in rows:
            verdict = check_content(row["claim"], row["evidence"], whole=True)
            counts[verdict.label, row["label"]] += 1
        print(f"{name}: {len(rows)} pairs")
        for label in ("yes", "no"):
            n = sum(count for (said, _), count in counts.items() if said == label)
            right = sum(
                count
                for (said, true), count in counts.items()
                if said == label and (true in YES) == (label == "yes")
            )
            print(
                f"  {label}: {n} ({n / len(rows):.1%}), right {right}" + (f" ({right / n:.3f})" if n else "")
            )
        print("  by true label:", {f"{said}/{true}": count for (said, true), count in sorted(counts.items())})


if __name__ == "__main__":
    main()
