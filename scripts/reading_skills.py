#!/usr/bin/env python3
"""Score the reader of key points (`skills`) on tests/reading/skills: which points of its item an answer says.

Usage: .venv/bin/python scripts/reading_skills.py [--wrong] [--locked]

Without arguments the dev half is scored and printed; `--wrong` lists its wrong points. `--locked` scores the locked half, adds a
line to tests/reading/skills/locked_log.jsonl, writes the passport that reports use and its part of docs/reading.md.
"""

import datetime as dt
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from percuss.protocols.skills.scorers.points import HIT, MISSED, NAME, OPEN, KeyPoint, points_of, read_points

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_halves import digest_of, score_half, share, two_readers
from reading_textbook import of

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "reading" / "skills"
PASSPORTS = ROOT / "src" / "percuss" / "judging" / "passports_skills.json"
PAGE = CORPUS / "points.md"
VERSION = "1.1"
SENSITIVITY, FALSE_ALARMS, ENOUGH = 0.80, 0.05, 50
"""Floors (as for every reader that says yes or no): points said that are found, points not said that are found none the less,
and points of either kind to show it on."""
LABELS = {"h": HIT, "m": MISSED}


class Pair(NamedTuple):
    """A point of an answer: as it was labelled, as it was read, and where."""

    label: str
    said: str
    row: Mapping[str, Any]
    point: KeyPoint


def items() -> dict[str, tuple[KeyPoint, ...]]:
    """Return item -> its key points."""
    lines = (CORPUS / "items.jsonl").read_text(encoding="utf-8").splitlines()
    held = {row["item"]: points_of(row["points"]) for row in map(json.loads, lines)}
    return {name: points for name, points in held.items() if isinstance(points, tuple)}


def pairs(half: str) -> Iterator[Pair]:
    """Yield every labelled point of a half; what its reader could not tell (`?`) is passed over."""
    points = items()
    for line in (CORPUS / "answers.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["half"] != half:
            continue
        own = points[row["item"]]
        for label, read, point in zip(row["labels"], read_points(row["text"], own), own, strict=True):
            if label != "?":
                yield Pair(LABELS[label], read.label, row, point)


def figures(held: Sequence[Pair]) -> dict[str, Any]:
    """Return how points are read, errors by what is true; a point that is left to a judge is undecided."""
    said = [one for one in held if one.label == HIT]
    unsaid = [one for one in held if one.label == MISSED]
    return {
        "n": len(held),
        "decided": share(sum(one.said != OPEN for one in held), len(held)),
        "right": share(sum(one.said == one.label for one in held), len(held)),
        "sensitivity": share(sum(one.said == HIT for one in said), len(said)),
        "false_unsupported": share(sum(one.said == MISSED for one in said), len(said)),
        "false_supported": share(sum(one.said == HIT for one in unsaid), len(unsaid)),
    }


def met(found: Mapping[str, Any]) -> bool:
    """Say whether the reader is above its floors, on enough points of either kind."""
    enough = min(found["false_unsupported"]["n"], found["false_supported"]["n"]) >= ENOUGH
    return bool(enough and found["sensitivity"]["share"] >= SENSITIVITY and found["false_supported"]["share"] <= FALSE_ALARMS)  # fmt: skip


def scored(half: str, *, wrong: bool) -> list[dict[str, Any]]:
    """Score a half, and print it by origin; the locked one is written down for docs/reading.md."""
    held = list(pairs(half))
    for head in ("", "person", "model"):
        own = figures([one for one in held if one.row["origin"].startswith(head)])
        print(
            f"{NAME}, {half}, {head or 'all'}: n {own['n']}, decided {of(own['decided'])}, right {of(own['right'])}, said and found "
            f"{of(own['sensitivity'])}, said and read missed {of(own['false_unsupported'])}, not said and found {of(own['false_supported'])}"
        )
    for one in held if wrong else ():
        if one.label != one.said:
            print(f"  {one.label} -> {one.said}: {one.point.says!r} in {one.row['text'][:160]!r}")
    found = figures(held)
    parts = {
        name: figures([one for one in held if one.row["origin"].split("|")[0] == name])
        for name in sorted({one.row["origin"].split("|")[0] for one in held})
    }
    whole = {
        "reader": NAME, "version": VERSION, "corpus": "skills_points", "digest": digest_of(CORPUS / "answers.jsonl"), **found,
        "second_labels": second_labels(), "floors_met": met(found),
    }  # fmt: skip
    if half == "locked":
        date = dt.datetime.now(tz=dt.UTC).date().isoformat()
        PAGE.write_text(page({**whole, "by_origin": parts}, date), encoding="utf-8")
    return [whole]


def second_labels() -> dict[str, Any]:
    """Return how far a second reader, who saw neither rule nor labels, agrees with the first, point by point."""
    first, second = (
        {
            row["id"]: row["labels"]
            for row in map(json.loads, (CORPUS / name).read_text(encoding="utf-8").splitlines())
        }
        for name in ("answers.jsonl", "second.jsonl")
    )
    return two_readers(
        [pair for name, said in second.items() for pair in zip(first[name], said, strict=True)]
    )


def page(found: Mapping[str, Any], date: str) -> str:
    """Return the part of docs/reading.md on this reader."""
    head = [
        f"## Key points: `{NAME}` version {VERSION}",
        "",
        (
            f"Answers of a person and of a local model to items over the knowledge base and the literature of `skills` (tests/reading/skills), each key point "
            f"labelled said or not said by one reader of the project, no clinician; scored on the locked half on {date} by scripts/reading_skills.py. "
            f"Floors: {SENSITIVITY:.2f} of the points said are found, at most {FALSE_ALARMS:.2f} of those not said, at least {ENOUGH} of each: "
            f"{'met' if found['floors_met'] else 'missed'}. A second reader labelled {found['second_labels']['n']} points of both halves without seeing rule or labels: "
            f"the same label on {found['second_labels']['agree']['k']}, kappa {found['second_labels']['kappa']:.2f}. A point that lists no wordings is left to a judge where its own words don't stand."
        ),
        "",
        "| origin | points | decided | right | said and found | said, read missed | not said, found |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = {"all": found, **found["by_origin"]}
    columns = ("decided", "right", "sensitivity", "false_unsupported", "false_supported")
    body = [f"| {name} | {own['n']} | {' | '.join(_cell(own[column]) for column in columns)} |" for name, own in rows.items()]  # fmt: skip
    return "\n".join([*head, *body, ""])


def _cell(k: Mapping[str, Any]) -> str:
    return f"{of(k)} ({k['share']:.2f}) [{k['low']:.2f}, {k['high']:.2f}]" if k["n"] else "-"


def main() -> None:
    """Score a half."""
    logged = ("reader", "version", "corpus", "digest", "n", "right", "sensitivity", "false_supported")
    score_half(scored, doc=__doc__, folder=CORPUS, passports=PASSPORTS, logged=logged)


if __name__ == "__main__":
    main()
