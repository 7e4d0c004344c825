"""Print how much the rule content check decides on real pairs, and how often it is right: `scripts/content_accuracy.py FOLDER`.

FOLDER holds `wice_dev.jsonl` and `clinifact_validation.jsonl`: pairs of claim and evidence that people labelled.
`scripts/verified.py` puts the table into docs/reading.md.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from percuss.protocols.citations.content.rule import check_content
from percuss.stats import wilson

YES = {"supported"}
SETS = ("wice_dev.jsonl", "clinifact_validation.jsonl")
Counts = Counter[tuple[str, str]]
"""(what the rule says, what people say) -> pairs."""


def counted(file: Path) -> Counts:
    """Read every pair of a set."""
    rows = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
    return Counter(
        (check_content(row["claim"], row["evidence"], whole=True).label, row["label"]) for row in rows
    )


def right_of(counts: Counts, label: str) -> tuple[int, int]:
    """Return how often the rule says yes or no, and how often people agree."""
    said = {true: n for (word, true), n in counts.items() if word == label}
    return sum(said.values()), sum(n for true, n in said.items() if (true in YES) == (label == "yes"))


def lines(folder: Path) -> Iterator[str]:
    """Yield a section for a page; a partly supported claim counts as not supported."""
    yield "## The rule content check of citations on WiCE and CliniFact"
    yield ""
    yield (
        "`rule:citations`, one claim against the text of the source that it cites (`scripts/content_accuracy.py`). The threshold of "
        "absence was chosen on these two sets, so they are no held-out proof; what is left undecided is no verdict."
    )
    yield ""
    yield "| set | pairs | yes: decided | yes: right | no: decided | no: right |"
    yield "|---|---|---|---|---|---|"
    for name in SETS:
        counts = counted(folder / name)
        n = counts.total()
        cells = [cell for label in ("yes", "no") for cell in _cells(*right_of(counts, label), n)]
        yield f"| {name.removesuffix('.jsonl').replace('_', ' ')} | {n} | {' | '.join(cells)} |"


def _cells(decided: int, right: int, n: int) -> tuple[str, str]:
    if not decided:
        return f"0/{n}", "-"
    found = wilson(right, decided)
    share = f"{right}/{decided} = {right / decided:.3f} [{found.low:.3f}, {found.high:.3f}]"
    return f"{decided}/{n} = {decided / n:.3f}", share


def main() -> None:
    folder = Path(sys.argv[1])
    for name in SETS:
        counts = counted(folder / name)
        print(f"{name}: {counts.total()} pairs")
        for label in ("yes", "no"):
            n, right = right_of(counts, label)
            share = f" ({right / n:.3f})" if n else ""
            print(f"  {label}: {n} ({n / counts.total():.1%}), right {right}{share}")
        print("  by true label:", {f"{said}/{true}": count for (said, true), count in sorted(counts.items())})


if __name__ == "__main__":
    main()
