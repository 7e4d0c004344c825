"""Print how much the rule content check decides on real pairs, and how often it is right: `scripts/content_accuracy.py FOLDER [--passport]`.

FOLDER holds `wice_dev.jsonl` and `clinifact_validation.jsonl`: pairs of claim and evidence that people labelled.
`scripts/verified.py` puts the table into docs/reading.md; `--passport` writes what reports quote.
"""

import datetime as dt
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from percuss.protocols.citations.content.rule import check_content
from percuss.stats import wilson

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_halves import share

PASSPORT = (
    Path(__file__).resolve().parents[1] / "src" / "percuss" / "judging" / "passports_citations_content.json"
)
PRECISION = 0.95
"""Floor of yes and of no among what is decided (definitions/citations, the last section)."""
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


def passport(counts: Counts) -> dict[str, object]:
    """Return what a report quotes of the check: both errors by true class, an undecided pair being not right."""
    decided = {word: right_of(counts, word) for word in ("yes", "no")}
    true = Counter[tuple[str, bool]]()
    for (word, label), n in counts.items():
        true[word, label in YES] += n
    supported, other = (sum(n for (_, is_yes), n in true.items() if is_yes is kind) for kind in (True, False))
    return {
        "reader": "rule:citations",
        "version": "1",
        "corpus": "citations_content",
        "n": counts.total(),
        "decided": share(sum(n for n, _ in decided.values()), counts.total()),
        "right": share(sum(right for _, right in decided.values()), counts.total()),
        "false_unsupported": share(true["no", True], supported),
        "false_supported": share(true["yes", False], other),
        "precision": {word: share(right, n) for word, (n, right) in decided.items()},
        "floors_met": all(n and right / n >= PRECISION for n, right in decided.values()),
    }


def main() -> None:
    """Print both sets; write the passport where asked."""
    folder = Path(sys.argv[1])
    if "--passport" in sys.argv:
        found = passport(sum((counted(folder / name) for name in SETS), Counter()))
        date = dt.datetime.now(tz=dt.UTC).date().isoformat()
        PASSPORT.write_text(json.dumps({"v": 1, "passports": [{"date": date, **found}]}, indent=1) + "\n", encoding="utf-8")  # fmt: skip
        print(json.dumps(found, indent=1))
        return
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
