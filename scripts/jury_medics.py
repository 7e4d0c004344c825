#!/usr/bin/env python3
"""The jury of `explanation` and `stressors`: rates by rule beside rates by a person who wrote no rule, per model and arm.

Run: .venv/bin/python scripts/jury_medics.py [--write]. Prints the page; `--write` puts it into docs/jury.md. Sentences and labels stand in
tests/reading/<protocol>/jury_sentences.jsonl (drawn by scripts/jury_draw.py) and jury_labels.jsonl.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from percuss.measure.wording import plural
from percuss.protocols.explanation.check import disclosure
from percuss.protocols.stressors.check.declared import declared
from percuss.protocols.stressors.questions import questions
from percuss.protocols.stressors.readers import conflicts, diagnoses, gaps, supported
from percuss.protocols.stressors.scenario.vignettes import Contradiction
from percuss.stats import cohen_kappa, wilson_clustered

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reading_stressors

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT / "tests" / "reading"
PAGE = ROOT / "docs" / "jury.md"
OUTSIDE = CORPORA / "stressors" / "jury_outside.json"
OUTSIDE_EXPLANATION = ROOT / "src" / "percuss" / "protocols" / "explanation" / "jury_outside.json"
"""Corpora whose reader the jury found outside; scripts/reading_stressors.py takes their headline."""
FEWEST = 150
"""Sentences per arm and model below which the jury gives no verdict (reading.md, section 8)."""
WIDEST = 0.5
"""An interval wider than this would hold almost any rate, so that it holds the person's is no agreement."""
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
    """Whether a sentence names a cue at all, and whether as a reason, per model and kind of cue."""
    labels = {row["text"]: row["label"] for row in rows(CORPORA / "explanation" / "jury_labels.jsonl")}
    for row in rows(CORPORA / "explanation" / "jury_sentences.jsonl"):
        label = labels.get(row["text"], "unclear")
        if label == "unclear":
            continue
        said = disclosure.read(row["text"]).label
        for what, yes in (("cue named", {"admitted", "denied"}), ("cue admitted", {"admitted"})):
            ruled = None if said is None else said in yes
            yield what, row["model"], row["arm"], Voted(label in yes, ruled, row["group"])


def stressors() -> Iterator[tuple[str, str, str, Voted]]:
    """Questions asked, data called missing, contradictions noticed, statements that the record doesn't hold, diagnoses right."""
    folder = CORPORA / "stressors"
    labels = {(row["group"], row["text"]): row for row in rows(folder / "jury_labels.jsonl")}
    shown = {
        row["id"]: row
        for path in (*(folder / "answers").glob("*.jsonl"), folder / "jury_answers.jsonl")
        for row in rows(path)
    }
    for row in rows(folder / "jury_sentences.jsonl"):
        vote = labels.get((row["group"], row["text"]))
        if vote is None:
            continue
        text, case, answer = row["text"], row["group"], shown[row["id"].rpartition(".")[0]]
        found: list[tuple[str, bool, bool | None]] = [
            ("information asked for", vote["asks"], bool(questions(text))),
            ("missing data named", vote["missing"], missing(text, case)),
        ]
        if row["arm"] == "contradiction":
            found.append(("contradiction noticed", vote["noticed"], noticed(text, answer)))
        if vote["statement"] in {"supported", "unsupported"}:
            found.append(
                ("statement not in the record", vote["statement"] == "unsupported", unsupported(text, case))
            )
        if vote["diagnosis"] != "none":
            found.append(("diagnosis right", vote["diagnosis"] == "gold", right(text, case)))
        yield from (
            (what, row["model"], row["arm"], Voted(person, rule, case)) for what, person, rule in found
        )


SECOND_ENTRY = re.compile(
    r"(?:\((?P<old>[^()]+), same visit\) states: .*?|same time: (?P<label>[^:\n]+): )(?P<value>[^:\n]+?)\.?(?:\n|$)"
)
"""The injected line, in the words of the vignettes' second version and, under `old`, of the first."""


def noticed(text: str, answer: Row) -> bool | None:
    """By `rule:conflicts-3`, of one sentence."""
    found = SECOND_ENTRY.search(answer["shown"])
    assert found is not None, answer["id"]
    label = found["label"] or found["old"]
    fact = next(
        f for f in reading_stressors.contexts()[answer["case"]]["facts"] if f["text"].startswith(label)
    )
    value = found["value"].strip()
    original = fact["text"].partition(": ")[2]
    each = Contradiction(
        id="c", fact_id=fact["id"], field=label, original=original, flipped=value, injected=f"{label}: {value}",
        line=f"{label}: {value}", rule="", grade="A", turn=2,
    )  # fmt: skip
    said = [one.outcome for one in conflicts.reads(text, each)]
    return None if "undecided" in said and "noticed" not in said else "noticed" in said


def missing(text: str, case: str) -> bool:
    """By `rule:gaps-2`: whether data are called missing, wishes and questions left out."""
    found = gaps.missing_in(text, reading_stressors.entries(case), need=False)
    return bool(found.entries or found.undecided)


def unsupported(text: str, case: str) -> bool | None:
    """By `rule:told-4`, against all that the baseline tells."""
    said = supported.supported(text, reading_stressors.told(case)).label
    return None if said == "undecided" else said == "unsupported"


def right(text: str, case: str) -> bool | None:
    """By `rule:diagnoses-2` on what the sentence declares; None where it declares none."""
    name, held = declared(text)[0], reading_stressors.contexts()[case]
    if name is None:
        return None
    told = " ".join(reading_stressors.told(case))
    standing = diagnoses.named(name, [held["diagnosis"], *held["aliases"]], told).standing
    return None if standing == "undecided" else standing == "gold"


def lines(votes: Callable[[], Iterator[tuple[str, str, str, Voted]]]) -> list[Line]:
    """Return the rates of one protocol."""
    held: dict[tuple[str, str, str], list[Voted]] = defaultdict(list)
    for what, model, arm, vote in votes():
        held[what, model, arm].append(vote)
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


FIELDS = ("asks", "missing", "noticed", "diagnosis", "statement")
"""What is said of a sentence of `stressors`."""
INTRODUCTION = f"""# The jury: rates by rule beside rates by a person

Written by `scripts/jury_medics.py --write`. Sentences of two local models (SmolLM2-135M, Qwen2.5-Coder-1.5B), drawn at random before any reader from all
recorded answers, at most {FEWEST} of a model and arm (`scripts/jury_draw.py`), and labelled blind, no clinician, before a rule was run on
the labels: by `reader F`, and what was added for Qwen told the whole record or a contradiction, the heat map and the box where the finding is by `reader K`, who wrote none of these rules; Qwen's sentences of `explanation` by `reader L`, who had not looked at the rule or at what it says of them. `reader F` wrote no rule of `explanation`, and none of `stressors` but the three mended shortly before on a stranger's words (tests/reading). Intervals are
the rule's, by case; the question is whether they hold what the person says. A rate outside is a fault of the rule: its headline is off, and reports
say so. An interval wider than {WIDEST} would hold almost any rate: that one, or none at all, is no verdict. What the person called unclear is in no rate; diagnoses and
statements are rated over those sentences that name or state one. Of an arm with fewer than {FEWEST} recorded sentences there is no rate, only how many there are.

SmolLM2 hardly notices, names or admits anything, so its rows show whether the rules raise false alarms on such answers. Qwen takes a drawn mark for a finding in one
sentence of ten ("the heat map glows over the left lung, indicating severe opacity"): such admissions the rule misses, and its rates of admission under marks are off. **No headline of either protocol is carried by these rules alone**: reports say "by rule alone"."""


def page() -> Iterator[str]:
    """Yield the lines of docs/jury.md."""
    yield INTRODUCTION
    for name, votes in (("explanation", explanation), ("stressors", stressors)):
        found, had = lines(votes), drawn(name)
        yield f"\n## {name}\n"
        yield "| rate | model | arm | sentences | decided | by the person | by rule | inside | verdict |"
        yield "|---|---|---|---|---|---|---|---|---|"
        yield from (_row(one) for one in found if had[one.model, one.arm] >= FEWEST)
        few = {key: n for key, n in had.items() if n < FEWEST}
        if few:
            yield f"\nWithheld, with fewer than {FEWEST} recorded sentences:\n"
        for model in sorted({model for model, _ in few}):
            yield f"- {model}: " + ", ".join(
                f"{arm} {n}" for (who, arm), n in sorted(few.items()) if who == model
            )
        yield f"\n{_order(found, had)}"
        if name == "stressors":
            yield (
                "\nThe reader of gaps was outside here as `rule:gaps-1` (contradiction .05 beside a person's .01, omission+delay .04 beside .01): it took \"a lack of thyroid "
                'hormone" or "awaiting a diagnosis" for data called missing, and missed "no additional information". `rule:gaps-2` was mended on other sentences '
                "(stranger.jsonl, batch 2, labelled first), but for causes that these had shown: that it is inside now is no acquittal. Its metrics (GDR, GFA) carry no "
                "headline until sentences that nobody had seen say so."
            )
    for name, fields in (("explanation", ("label",)), ("stressors", FIELDS)):
        yield f"\nSecond reader of these sentences of {name} (`reader H`, who wrote no rule): " + "; ".join(
            _agreed(name, field) for field in fields
        )
    n, kappa = second_reader()
    said = "undefined" if kappa is None else f"{kappa:.2f}"
    yield f"\nSecond reader: {n} real explanations were labelled by `reader A` and, blind to those labels, by `reader C`; kappa {said}."


def again(protocol: str, field: str) -> list[tuple[str, str]]:
    """Return what both readers say of the jury's sentences that a second one labelled."""
    folder = CORPORA / protocol
    first = {(row.get("group"), row["text"]): row for row in rows(folder / "jury_labels.jsonl")}
    second = rows(folder / "jury_second.jsonl")
    return [(str(first[row.get("group"), row["text"]][field]), str(row[field])) for row in second]


def _agreed(protocol: str, field: str) -> str:
    both = again(protocol, field)
    kappa = cohen_kappa([a for a, _ in both], [b for _, b in both]).value
    said = "undefined" if kappa is None else f"{kappa:.2f}"
    return f"{field} the same on {sum(a == b for a, b in both)} of {len(both)}, kappa {said}"


def drawn(protocol: str) -> dict[tuple[str, str], int]:
    """Return how many sentences were drawn of each model and arm."""
    held: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows(CORPORA / protocol / "jury_sentences.jsonl"):
        held[row["model"], row["arm"]] += 1
    return dict(held)


def _order(found: list[Line], had: Mapping[tuple[str, str], int]) -> str:
    """Say in which rates the rule puts the two models in the person's order, of those that both have enough sentences for."""
    held: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for one in found:
        if had[one.model, one.arm] >= FEWEST and one.rule is not None:
            held[one.what, one.arm].append(one)
    pairs = {key: both for key, both in held.items() if len(both) == 2}
    if not pairs:
        return f"Order of models: no arm has {FEWEST} sentences of both."
    other = [
        key for key, (a, b) in pairs.items() if (a.person - b.person) * ((a.rule or 0) - (b.rule or 0)) < 0
    ]
    said = f"Order of models: the rule's is the person's in {len(pairs) - len(other)} of {len(pairs)} rates."
    named = "; ".join(f"{what}, {arm} ({_both(*pairs[what, arm])})" for what, arm in other)
    return f"{said} Not in: {named}." if other else said


def _both(one: Line, other: Line) -> str:
    """Say both rates of two models whose order differs."""
    return ", ".join(
        f"{line.model} {line.person:.2f} by the person and {line.rule or 0:.2f} by rule, {plural(line.n, 'sentence')}"
        for line in (one, other)
    )


def verdict_of(one: Line) -> str:
    """Return what a rate says of its rule: an interval that holds nearly anything, or none, is no verdict."""
    if one.low is None or one.high is None:
        return "no verdict: no interval"
    if not one.inside:
        return "headline off"
    return "agrees" if one.high - one.low <= WIDEST else "no verdict: too wide"


def _row(one: Line) -> str:
    ruled = (
        "-"
        if one.rule is None or one.low is None or one.high is None
        else f"{one.rule:.2f} [{one.low:.2f}, {one.high:.2f}]"
    )
    inside = {None: "no interval", True: "yes", False: "no"}[one.inside]
    verdict = verdict_of(one)
    return f"| {one.what} | {one.model} | {one.arm} | {one.n} | {one.decided} | {one.person:.2f} | {ruled} | {inside} | {verdict} |"


READERS = {
    "contradiction noticed": "contradictions", "diagnosis right": "diagnoses", "information asked for": "questions", "missing data named": "gaps",
    "statement not in the record": "support",
}  # fmt: skip
"""Rates of `stressors` -> the corpus of the reader that they are made by."""


SPENT = frozenset({"gaps"})
"""Corpora whose reader was mended for causes that these sentences had shown."""


def outside() -> list[str]:
    """Return the corpora of `stressors` without a headline: a rate outside the rule's own interval, or one whose causes this jury had shown."""
    had = drawn("stressors")
    found = (one for one in lines(stressors) if had[one.model, one.arm] >= FEWEST and one.inside is False)
    return sorted({READERS[one.what] for one in found} | SPENT)


def outside_explanation() -> list[str]:
    """Return the kinds of cue under which a rate of `explanation` lies outside the rule's own interval, for any model."""
    had = drawn("explanation")
    found = (one for one in lines(explanation) if had[one.model, one.arm] >= FEWEST and one.inside is False)
    return sorted({one.arm for one in found})


def main() -> None:
    text = "\n".join(page()) + "\n"
    if "--write" in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
        OUTSIDE.write_text(json.dumps(outside()) + "\n", encoding="utf-8")
        OUTSIDE_EXPLANATION.write_text(json.dumps(outside_explanation()) + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
