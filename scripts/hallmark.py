"""Print what the offline audit finds on HALLMARK's entries, by type: `scripts/hallmark.py FOLDER [--drop 0.3] [--misses]`.

FOLDER holds `dev_public.jsonl` (or the split named by --split) and `authority.jsonl`. The authority holds the truth of the
valid entries, so the figures are not like for like with tools that ask live services.
"""

import argparse
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from percuss.protocols.citations.audit.audit import check_all
from percuss.protocols.citations.audit.library import Library, known_of_row
from percuss.protocols.citations.references.bibtex import from_fields
from percuss.protocols.citations.references.status import FLAGGED, Finding

PLANTED = {
    "near_miss_title": {"title"},
    "chimeric_title": {"title"},
    "swapped_authors": {"author"},
    "placeholder_authors": {"author"},
    "partial_author_list": {"author"},
    "wrong_venue": {"container"},
    "nonexistent_venue": {"container"},
    "preprint_as_published": {"container"},
    "arxiv_version_mismatch": {"container", "year"},
    "future_date": {"year"},
    "fabricated_doi": {"identifier"},
    "merged_citation": {"author", "container"},
    "hybrid_fabrication": {"author", "title"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="dev_public.jsonl")
    parser.add_argument("--drop", type=float, default=0.0, help="share of the authority that is taken away")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    rows = [msgspec.json.decode(line) for line in (given.folder / given.split).read_bytes().splitlines()]
    truth = [
        msgspec.json.decode(line) for line in (given.folder / "authority.jsonl").read_bytes().splitlines()
    ]
    kept = [
        row for row, draw in zip(truth, _draws(len(truth), given.seed), strict=True) if draw >= given.drop
    ]
    started = time.perf_counter()
    library = Library([known_of_row(row) for row in kept], name="authority")
    cited = [
        structs.replace(from_fields(row["bibtex_type"], row["fields"]), key=row["bibtex_key"]) for row in rows
    ]
    findings = check_all(cited, [library])
    seconds = time.perf_counter() - started
    _print(rows, findings, seconds, dropped=len(truth) - len(kept), misses=given.misses)


def _draws(n: int, seed: int) -> list[float]:
    generator = random.Random(seed)
    return [generator.random() for _ in range(n)]


def _print(
    rows: list[dict[str, Any]], findings: list[Finding], seconds: float, *, dropped: int, misses: bool
) -> None:
    table: dict[str, Counter[str]] = {}
    named = right = 0
    for row, finding in zip(rows, findings, strict=True):
        kind = row["hallucination_type"] or "valid"
        counts = table.setdefault(kind, Counter())
        counts["n"] += 1
        counts["flagged"] += finding.status in FLAGGED
        counts[finding.status] += 1
        if kind in PLANTED and finding.status in {"mismatch", "malformed"}:
            named += 1
            right += bool(PLANTED[kind] & set(finding.fields))
        amiss = (finding.status in FLAGGED) == (kind == "valid")
        if misses and (
            amiss or (kind in PLANTED and finding.fields and not PLANTED[kind] & set(finding.fields))
        ):
            print(kind, finding.word, finding.notes, row["fields"])
    print(f"{len(rows)} entries, {dropped} records taken from the authority, {seconds:.2f} s")
    print(f"{'type':26}{'n':>6}{'flagged':>9}  statuses")
    for kind, counts in sorted(table.items()):
        rest = ", ".join(f"{name} {n}" for name, n in counts.most_common() if name not in {"n", "flagged"})
        print(f"{kind:26}{counts['n']:6}{counts['flagged'] / counts['n']:9.3f}  {rest}")
    wrong = [counts for kind, counts in table.items() if kind != "valid"]
    valid = table.get("valid", Counter(n=1))
    print(f"hallucinated flagged {sum(c['flagged'] for c in wrong) / sum(c['n'] for c in wrong):.3f}")
    print(
        f"valid flagged {valid['flagged'] / valid['n']:.3f}; without not_located "
        f"{(valid['flagged'] - valid['not_located']) / valid['n']:.3f}"
    )
    print(f"differing field named right {right / max(1, named):.3f} of {named}")


if __name__ == "__main__":
    main()
