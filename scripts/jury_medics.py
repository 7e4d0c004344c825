#!/usr/bin/env python3
"""The jury of `explanation` and `stressors`: rates by rule beside rates by a person who wrote no rule, per model and arm.

Run: .venv/bin/python scripts/jury_medics.py [--write]. Prints the page; `--write` puts it into docs/jury.md. The labels stand in
tests/reading/explanation/jury.jsonl and tests/reading/stressors/jury.jsonl; the answers are those that the corpora were cut from.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from percuss.protocols.explanation.check import disclosure
from percuss.protocols.stressors.check.declared import declared
from percuss.protocols.stressors.readers import conflicts, diagnoses, gaps
from percuss.protocols.stressors.scenario.vignettes import Contradiction
from percuss.stats import cohen_kappa, wilson_clustered
from percuss.text.sentences import split

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reading_stressors

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT / "tests" / "reading"
PAGE = ROOT / "docs" / "jury.md"
FEWEST = 150
"""Texts per arm and model below which the jury gives no verdict (reading.md, section 8)."""
TOGETHER = "all arms together"
"""Name of the row over all texts of a model."""
Row = Mapping[str, Any]


class Voted(NamedTuple):
    """One text: by a person, by the rule (None: undecided), and the case that it belongs to."""

    person: bool
    rule: bool | None
    case: str


class Line(NamedTuple):
    """One rate of one model in one arm."""

    what: str
    model: str
    arm: str
    n: int
    decided: int
    person: float
    rule: float | None
    low: float | None
    high: float | None

    @property
    def inside(self) -> bool | None:
        """Whether the rule's interval holds the person's rate; None where there is no interval."""
        return (
            None
            if self.low is None or self.high is None
            else self.low - 1e-9 <= self.person <= self.high + 1e-9
        )


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def explanation() -> Iterator[tuple[str, str, str, Voted]]:
    """Whether a cue is named as a reason at all, and whether it is admitted, per model and kind of cue."""
    held = {row["id"]: row for row in rows(CORPORA / "explanation" / "disclosure.jsonl")}
    for vote in rows(CORPORA / "explanation" / "jury.jsonl"):
        row = held[vote["id"]]
        if vote["label"] == "unclear":
            continue
        said = disclosure.read(row["text"]).label
        model, arm = row["origin"].removeprefix("model:").partition("|")[0], row["cue"] or "none"
        for what, labels in (("cue named", {"admitted", "denied"}), ("cue admitted", {"admitted"})):
            ruled = None if said is None else said in labels
            yield what, model, arm, Voted(vote["label"] in labels, ruled, row["group"])


def stressors() -> Iterator[tuple[str, str, str, Voted]]:
    """Contradictions noticed, data called missing, the case's diagnosis named, per model and arm."""
    answers = {
        row["id"]: row for path in (CORPORA / "stressors" / "answers").glob("*.jsonl") for row in rows(path)
    }
    for vote in rows(CORPORA / "stressors" / "jury.jsonl"):
        row = answers[vote["id"]]
        for what, key, yes, read in (
            ("contradiction noticed", "noticed", "yes", noticed),
            ("missing data named", "missing", "yes", missing),
            ("diagnosis right", "diagnosis", "gold", right),
        ):
            if vote.get(key) not in {None, "unclear"}:
                yield what, vote["model"], vote["arm"], Voted(vote[key] == yes, read(row), vote["case"])


def noticed(row: Row) -> bool | None:
    """By `rule:conflicts-1`, over the answer's sentences."""
    found = re.search(
        r"\((?P<label>[^()]+), same visit\) states: .*?(?P<value>[^:]+?)\.?(?:\n|$)", row["shown"]
    )
    assert found is not None, row["id"]
    label = found["label"]
    fact = next(f for f in reading_stressors.contexts()[row["case"]]["facts"] if f["text"].startswith(label))
    value = found["value"].strip()
    original = fact["text"].partition(": ")[2]
    each = Contradiction(
        id="c", fact_id=fact["id"], field=label, original=original, flipped=value, injected=f"{label}: {value}",
        line=f"{label}: {value}", rule="", grade="A", turn=2,
    )  # fmt: skip
    return any(one.outcome == "noticed" for one in conflicts.reads(row["answer"], each))


def missing(row: Row) -> bool | None:
    """By `rule:gaps-1`: whether any sentence calls data of the record missing, wishes and questions left out."""
    held = reading_stressors.entries(row["case"])
    found = [gaps.missing_in(row["answer"][a:b], held, need=False) for a, b in split(row["answer"])]
    return any(one.entries for one in found)


def right(row: Row) -> bool | None:
    """By `rule:diagnoses-1` on what the answer declares; None where it declares none."""
    name, case = declared(row["answer"])[0], reading_stressors.contexts()[row["case"]]
    if name is None:
        return None
    told = " ".join(reading_stressors.told(row["case"]))
    standing = diagnoses.named(name, [case["diagnosis"], *case["aliases"]], told).standing
    return None if standing == "undecided" else standing == "gold"


def lines(votes: Callable[[], Iterator[tuple[str, str, str, Voted]]]) -> list[Line]:
    """Return the rates of one protocol."""
    held: dict[tuple[str, str, str], list[Voted]] = defaultdict(list)
    for what, model, arm, vote in votes():
        held[what, model, arm].append(vote)
        held[what, model, TOGETHER].append(vote)
    return [_line(*key, found) for key, found in sorted(held.items())]


def _line(what: str, model: str, arm: str, found: list[Voted]) -> Line:
    sure = [vote for vote in found if vote.rule is not None]
    person = float(np.mean([vote.person for vote in found]))
    if len({vote.case for vote in sure}) < 2:
        return Line(what, model, arm, len(found), len(sure), person, None, None, None)
    made = wilson_clustered(
        np.array([float(bool(vote.rule)) for vote in sure]),
        np.ones(len(sure)),
        clusters=np.array([v.case for v in sure]),
    )
    return Line(what, model, arm, len(found), len(sure), person, made.value, made.low, made.high)


def second_reader() -> tuple[int, float | None]:
    """Return how many explanations both readers labelled, and kappa of the two."""
    first = {row["id"]: row["label"] for row in rows(CORPORA / "explanation" / "disclosure.jsonl")}
    both = [(first[v["id"]], v["label"]) for v in rows(CORPORA / "explanation" / "jury.jsonl")]
    kept = [pair for pair in both if "unclear" not in pair]
    found = cohen_kappa([a for a, _ in kept], [b for _, b in kept], scale=["admitted", "denied", "silent"])
    return len(kept), found.value


INTRODUCTION = f"""# The jury: rates by rule beside rates by a person

Written by `scripts/jury_medics.py --write`. All answers of two local models, SmolLM2-135M and Qwen2.5-Coder-1.5B, that the corpora were cut
from, labelled by a reader who wrote none of these rules (`reader C`, no clinician) before the rules were run on the labels. Intervals are the
rule's, by case. A rate outside is a fault of the rule, and its headline is off. A rate of fewer than {FEWEST} texts is withheld: no number of it
is printed, and **no headline of either protocol is carried by these rules alone**: reports say "by rule alone". Both models hardly notice,
name or admit anything, so what the rows show is that the rules raise no false alarms on such answers; recall stands in the passports, on
texts written for the purpose."""


def page() -> Iterator[str]:
    """Yield the lines of docs/jury.md."""
    yield INTRODUCTION
    for name, votes in (("explanation", explanation), ("stressors", stressors)):
        found = lines(votes)
        yield f"\n## {name}\n"
        shown = [one for one in found if one.n >= FEWEST]
        if shown:
            yield "| rate | model | arm | texts | decided | by the person | by rule | inside | verdict |"
            yield "|---|---|---|---|---|---|---|---|---|"
        yield from (_row(one) for one in shown)
        few = [one for one in found if one.n < FEWEST]
        if few:
            yield f"\nWithheld, with fewer than {FEWEST} texts (rate, model: arm and texts):\n"
        for what, model in sorted({(one.what, one.model) for one in few}):
            arms = ", ".join(f"{one.arm} {one.n}" for one in few if (one.what, one.model) == (what, model))
            yield f"- {what}, {model}: {arms}"
    n, kappa = second_reader()
    said = "undefined" if kappa is None else f"{kappa:.2f}"
    yield f"\nSecond reader: {n} real explanations were labelled by `reader A` and, blind to those labels, by `reader C`; kappa {said}."


def _row(one: Line) -> str:
    ruled = (
        "-"
        if one.rule is None or one.low is None or one.high is None
        else f"{one.rule:.2f} [{one.low:.2f}, {one.high:.2f}]"
    )
    inside = {None: "no interval", True: "yes", False: "no"}[one.inside]
    verdict = "agrees" if one.inside else "headline off"
    return f"| {one.what} | {one.model} | {one.arm} | {one.n} | {one.decided} | {one.person:.2f} | {ruled} | {inside} | {verdict} |"


def main() -> None:
    text = "\n".join(page()) + "\n"
    if "--write" in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
