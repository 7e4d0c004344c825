#!/usr/bin/env python3
"""Score the readers of the protocol stressors on their labelled texts (tests/reading/stressors).

Usage: .venv/bin/python scripts/reading_stressors.py [--wrong] [--locked] [--shared] [--stranger]

Without arguments the dev half is scored; `--wrong` lists its wrong rows. `--locked` scores the locked half, adds its lines to
tests/reading/stressors/locked_log.jsonl and writes docs/reading-stressors.md and the passports that reports quote. `--shared` scores the small
sets beside the checkout (`../shared/data/reading`, or PERCUSS_SHARED) and names every wrong row. `--stranger` scores stranger.jsonl, the half
`dev` with its wrong rows, the locked half as figures alone.
"""

import argparse
import datetime as dt
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from percuss.protocols.stressors.questions import questions
from percuss.protocols.stressors.readers import asked, conflicts, diagnoses, gaps, supported
from percuss.protocols.stressors.scenario.vignettes import Contradiction
from percuss.stats import cohen_kappa
from percuss.stats.intervals import wilson

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT / "tests" / "reading" / "stressors"
PASSPORTS = ROOT / "src" / "percuss" / "judging" / "passports_stressors.json"
VIGNETTES = ROOT / "src" / "percuss" / "protocols" / "stressors" / "data" / "vignettes.jsonl"
PAGE = ROOT / "docs" / "reading-stressors.md"
SHARED = Path(os.environ.get("PERCUSS_SHARED", ROOT.parent / "shared")) / "data" / "reading"
ORDER = ("noticed", "false_conflict", "undecided", "change", "restated", "adopted", "reasoning", "nothing")
ENOUGH = 300
Row = Mapping[str, Any]
Said = tuple[bool, bool, str]  # right, decided, what was said


@cache
def contexts() -> dict[str, Any]:
    """Return the cases as they were when the labels were made."""
    return {
        c["id"]: c
        for c in map(json.loads, (CORPORA / "contexts.jsonl").read_text(encoding="utf-8").splitlines())
    }


@cache
def entries(case: str) -> tuple[asked.Entry, ...]:
    """Return what can be asked of a case."""
    groups: dict[str, list[Row]] = {}
    for fact in contexts()[case]["facts"]:
        groups.setdefault(fact["group"], []).append(fact)
    return tuple(_entry(name, facts) for name, facts in groups.items())


def _entry(name: str, facts: list[Row]) -> asked.Entry:
    names = tuple(dict.fromkeys([name, *(f["label"] for f in facts if f.get("label"))]))
    told = () if any(f.get("objective") for f in facts) else tuple(f["text"] for f in facts)
    return asked.Entry(name, names, facts[0]["kind"], told, bool(facts[0].get("askable")))


def told(case: str) -> tuple[str, ...]:
    """Return all that the baseline tells of a case."""
    held = contexts()[case]
    return (held["opening"], *(f["text"] for f in held["facts"] if not f.get("askable")))


def read_question(row: Row) -> Said:
    """Right: a question is seen as one and finds exactly its groups; what the record doesn't hold finds none."""
    found = asked.asked_for(row["text"], entries(row["context"]))
    seen = bool(questions(row["text"]))
    said = (
        "no_question"
        if not seen
        else "asks"
        if found.entries
        else "undecided"
        if found.undecided
        else "off_record"
    )
    right = said == row["label"] and (said != "asks" or set(found.entries) == set(row["groups"]))
    wrong = seen and bool(set(found.entries) - set(row["groups"]))
    return right, said != "undecided", "wrong entry" if wrong else said


def read_gap(row: Row) -> Said:
    """Right: exactly the groups that are called missing."""
    found = gaps.missing_in(row["text"], entries(row["context"]))
    said = (
        "missing"
        if found.entries
        else "undecided"
        if found.undecided and row["label"] == "missing"
        else "nothing"
    )
    return set(found.entries) == set(row["groups"]), said != "undecided", said


def read_conflict(row: Row) -> Said:
    """Right: noticed or not, and a false conflict or not; the other outcomes are shown."""
    fact = next(f for f in contexts()[row["context"]]["facts"] if f["id"] == row["fact"])
    each = Contradiction(
        id="c", fact_id=row["fact"], field=fact.get("label") or fact["group"], original=row["original"], flipped=row["flipped"],
        injected=row["line"], line=row["line"], rule="", grade="A", turn=2,
    )  # fmt: skip
    said = min(
        (one.outcome for one in conflicts.reads(row["text"], each)), key=ORDER.index, default="nothing"
    )
    counted = ("noticed", "false_conflict")
    right = said == row["label"] if row["label"] in counted else said not in (*counted, "undecided")
    return right, said != "undecided", said


def read_diagnosis(row: Row) -> Said:
    """Right: the case's diagnosis or not."""
    case = contexts()[row["context"]]
    said = diagnoses.named(
        row["text"], [case["diagnosis"], *case["aliases"]], " ".join(told(row["context"]))
    ).standing
    return said != "undecided" and (said == "gold") == (row["label"] == "gold"), said != "undecided", said


def read_support(row: Row) -> Said:
    """Right: supported or not."""
    said = supported.supported(row["text"], told(row["context"])).label
    return said == row["label"], said != "undecided", said


READERS: dict[str, tuple[str, Callable[[Row], Said]]] = {
    "questions": (asked.READER, read_question),
    "gaps": (gaps.READER, read_gap),
    "contradictions": (conflicts.READER, read_conflict),
    "diagnoses": (diagnoses.READER, read_diagnosis),
    "support": (supported.READER, read_support),
}


def rows(corpus: str, half: str) -> Iterator[Row]:
    """Yield the labelled rows of a half."""
    for line in (CORPORA / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["half"] == half:
            yield row


def share(hits: int, n: int) -> dict[str, Any]:
    """Return a share with its Wilson interval."""
    made = wilson(hits, n) if n else None
    low, high = (made.low, made.high) if made else (None, None)
    return {
        "k": hits,
        "n": n,
        "share": round(hits / n, 4) if n else None,
        "low": low and round(low, 4),
        "high": high and round(high, 4),
    }


def score(corpus: str, half: str, *, wrong: bool) -> dict[str, Any]:
    """Score one reader on one half."""
    reader, read = READERS[corpus]
    said: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    origins: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    n = right = decided = 0
    for row in rows(corpus, half):
        good, sure, label = read(row)
        n, right, decided = n + 1, right + good, decided + sure
        said[row["label"]][label] += 1
        kind = row["origin"].partition("|")[0]
        origins[kind][0] += good
        origins[kind][1] += 1
        if wrong and not good:
            print(f"  {corpus}: {row['label']} read {label}: {row['context']}: {row['text']}")
    held: dict[str, Any] = {"reader": reader, "version": reader.rpartition("-")[2], "corpus": f"stressors_{corpus}", "layout": "", "language": "en",
            "date": dt.datetime.now(tz=dt.UTC).date().isoformat(), "n": n, "decided": share(decided, n), "right": share(right, n),
            "said": {k: dict(sorted(v.items())) for k, v in sorted(said.items())},
            "by_origin": {k: share(*v) for k, v in sorted(origins.items())}}  # fmt: skip
    return held | {"jury_outside": corpus in _outside()} | floors(corpus, held["said"])


@cache
def _outside() -> frozenset[str]:
    """Return the corpora whose reader has a rate outside its interval by the jury (scripts/jury_medics.py)."""
    return frozenset(json.loads((CORPORA / "jury_outside.json").read_text(encoding="utf-8")))


def floors(corpus: str, said: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Return the figures that the floors are about, and whether they hold."""
    total = {label: sum(each.values()) for label, each in said.items()}

    def count(labels: tuple[str, ...], outcomes: tuple[str, ...]) -> tuple[int, int]:
        return sum(said.get(label, {}).get(o, 0) for label in labels for o in outcomes), sum(
            total.get(label, 0) for label in labels
        )

    if corpus == "questions":
        understood, wrong = (
            share(*count(("asks",), ("asks",))),
            share(*count(("asks", "off_record"), ("wrong entry",))),
        )
        return {
            "understood": understood,
            "wrong_answers": wrong,
            "floors_met": understood["share"] >= 0.90 and wrong["share"] <= 0.02,
        }
    if corpus == "diagnoses":
        others = count(("gold",), ("gold",))[0] + count(("partial", "other"), ("partial", "other"))[0]
        right = share(others, sum(total.values()))
        return {"gold_or_other": right, "floors_met": right["share"] >= 0.95}
    if corpus == "support":
        lost, kept = (
            share(*count(("supported",), ("unsupported",))),
            share(*count(("unsupported",), ("supported",))),
        )
        enough = min(total.values()) >= ENOUGH
        met = enough and lost["share"] <= 0.01 and kept["share"] <= 0.02
        return {"false_unsupported": lost, "false_supported": kept, "enough": enough, "floors_met": met}
    yes = "missing" if corpus == "gaps" else "noticed"
    rest = tuple(label for label in total if label != yes)
    found, false = share(*count((yes,), (yes,))), share(*count(rest, (yes,)))
    return {
        "sensitivity": found,
        "false_alarms": false,
        "floors_met": found["share"] >= 0.80 and false["share"] <= 0.05,
    }


def page(held: list[dict[str, Any]]) -> str:
    """Return the page on what the readers were shown to do."""
    lines = [
        "# How right the readers of stressors are", "",
        "Written by `scripts/reading_stressors.py --locked`; what the labels mean and who made them stands in tests/reading/stressors/README.md.",
        "Who labelled a row first (`reader A`, of later rows `reader D`) also wrote or changed its rule; a second reader labelled a part of four corpora",
        "again, blind (below). The locked half holds other cases than the rules were tuned on, not words of somebody else.", "",
        "| reader | texts | n | decided | right | floor | met |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    lines += [
        f"| `{one['reader']}` | {one['corpus'].removeprefix('stressors_')} | {one['n']} | {one['decided']['share']:.3f} | {one['right']['share']:.3f} | "
        f"{floor_words(one)} | {'no' if not one['floors_met'] else 'yes, but outside by the jury: no headline' if one['jury_outside'] else 'yes'} |"
        for one in held
    ]
    lines += ["", "## Right by origin", "", "| texts | origin | right | n |", "|---|---|---|---|"]
    lines += [
        f"| {one['corpus'].removeprefix('stressors_')} | {origin} | {each['share']:.3f} | {each['n']} |"
        for one in held for origin, each in one["by_origin"].items()
    ]  # fmt: skip
    lines += ["", "## What was read, by true label", ""]
    for one in held:
        lines.append(f"- {one['corpus'].removeprefix('stressors_')}: " + "; ".join(
            f"{label}: {', '.join(f'{said} {n}' for said, n in each.items())}" for label, each in one["said"].items()) + ".")  # fmt: skip
    return "\n".join([*lines, "", *stranger(), *agreement(), "", *consequences()]) + "\n"


def agreement() -> Iterator[str]:
    """Yield how far the second reader's blind labels (second.jsonl) agree with the first ones, per corpus."""
    second: dict[str, dict[str, str]] = defaultdict(dict)
    for line in (CORPORA / "second.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        second[row["corpus"]][row["id"]] = row["label"]
    yield "## Two readers"
    yield ""
    for corpus, labels in second.items():
        held = (row for half in ("dev", "locked") for row in rows(corpus, half))
        both = [(row["label"], labels[row["id"]]) for row in held if row["id"] in labels]
        scale = sorted({label for pair in both for label in pair})
        kappa = cohen_kappa([a for a, _ in both], [b for _, b in both], scale=scale).value
        same = sum(a == b for a, b in both)
        yield f"- {corpus}: {len(both)} rows, the same label in {same}, kappa {'undefined' if kappa is None else format(kappa, '.2f')}."


def consequences() -> Iterator[str]:
    """Yield what the author and a second reader, blind, say that contradicting a finding would change, and kappa of them."""
    vignettes = {v["id"]: v for v in map(json.loads, VIGNETTES.read_text(encoding="utf-8").splitlines())}
    both, left = [], {(v["id"], fact) for v in vignettes.values() for fact in v["consequences"]}
    for line in (CORPORA / "consequences.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        vignette = vignettes[row["vignette"]]
        named = vignette["consequences"].get(row["fact"])
        same = any(fact["id"] == row["fact"] and fact["text"] == row["text"] for fact in vignette["facts"])
        if named and same:
            both.append((named, row["would_change"]))
            left.discard((row["vignette"], row["fact"]))
    kinds = ["diagnosis", "urgent action", "drug or dose", "procedure", "nothing"]
    five = cohen_kappa([a for a, _ in both], [b for _, b in both], scale=kinds)
    some = sum(b != "nothing" for _, b in both)
    yield "## What a contradiction would change, labelled twice"
    yield ""
    yield (
        f"The vignettes' author named the consequence of contradicting {len(both)} findings; `reader D`, and of those rewritten since `reader P`, said it again, blind, among as many findings "
        f"without one{f'; {len(left)} more nobody labelled' if left else ''}. That it changes something: {some} of {len(both)}. Which of {len(kinds)} kinds: the same in {sum(a == b for a, b in both)}, "
        f"kappa {'undefined' if five.value is None else format(five.value, '.2f')}. Below .70 the kinds are no sound division: `cdr_diagnosis` .. `cdr_procedure` are a first look, no finding."
    )


def floor_words(one: Row) -> str:
    """Return the figures of a floor in words."""
    names = {
        "understood": "understood {:.3f} (>= .90)", "wrong_answers": "wrong answers {:.3f} (<= .02)", "gold_or_other": "right {:.3f} (>= .95)",
        "sensitivity": "found {:.3f} (>= .80)", "false_alarms": "false alarms {:.3f} (<= .05)", "false_unsupported": "false unsupported {:.3f} (<= .01)",
        "false_supported": "false supported {:.3f} (<= .02)",
    }  # fmt: skip
    said = [words.format(one[name]["share"]) for name, words in names.items() if name in one]
    return ", ".join([*said, *(["fewer than 300 of a class"] if one.get("enough") is False else [])])


def shared() -> None:
    """Score the small sets beside the checkout, and name every wrong row."""
    if not SHARED.is_dir():
        print(f"no small sets at {SHARED}; set PERCUSS_SHARED to the folder that holds data/reading")
        return
    wanted = {"asks_for_withheld": "asks", "flagged": "noticed", "not_flagged": "nothing"}
    fixed = {"fact": "f15", "original": "4.1 mEq/L", "flipped": "5.5 mEq/L", "line": ""}
    for corpus, text in (
        ("questions", "question"),
        ("contradictions", "text"),
        ("diagnoses", "named"),
        ("support", "text"),
    ):
        n = right = 0
        for line in (SHARED / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            made = {
                **fixed,
                "text": row[text],
                "context": row["vignette"],
                "label": wanted.get(row["label"], row["label"]),
                "groups": (),
            }
            good, _, label = READERS[corpus][1](made)
            if corpus == "questions":  # the set doesn't say which group: one entry, and a question
                found = asked.asked_for(row[text], entries(row["vignette"]))
                good, label = bool(questions(row[text])) and len(found.entries) == 1, str(found.entries)
            n, right = n + 1, right + good
            if not good:
                print(f"  {corpus}: {row['label']} read {label}: {row['vignette']}: {row[text]}")
        print(f"{corpus}: {right} of {n} right")


def strangers(*, wrong: bool = False) -> dict[tuple[str, str, str], list[bool]]:
    """Return whether each row of a stranger's words (stranger.jsonl) is read right, by batch, corpus and half; `wrong` prints wrong rows of `dev`."""
    held: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for line in (CORPORA / "stranger.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        good, _, said = READERS[row["corpus"]][1](row)
        held[str(row.get("batch", 1)), row["corpus"], row["half"]].append(good)
        if wrong and not good and row["half"] == "dev":
            print(f"  {row['corpus']}: {row['label']} read {said}: {row['context']}: {row['text']}")
    return held


def stranger() -> Iterator[str]:
    """Yield how the readers do on a stranger's words, at their first sight and now."""
    first = json.loads((CORPORA / "stranger_first.json").read_text(encoding="utf-8"))
    yield "## A stranger's words"
    yield ""
    yield (
        "Rows of kinds that the corpora lack (stranger.jsonl), batch 1 by one who had read no rule, batch 2 in the manner of larger models' replies by one who had read the "
        "rule of gaps: right at the first run, before any rule was changed for them, and now. "
        "What is wrong on `dev` was looked at and mended by its cause; `locked` is only scored, and says how such words fare."
    )
    yield ""
    for (batch, corpus, half), found in sorted(strangers().items()):
        then, n = first[batch][corpus][half]
        yield f"- batch {batch}, {corpus}, {half}: {then} of {n} at first, {sum(found)} of {len(found)} now."
    yield ""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for flag in ("--wrong", "--locked", "--shared", "--stranger"):
        parser.add_argument(flag, action="store_true")
    given = parser.parse_args()
    if given.shared:
        shared()
        return
    if given.stranger:
        strangers(wrong=True)
        print("\n".join(stranger()))
        return
    half = "locked" if given.locked else "dev"
    held = [score(corpus, half, wrong=given.wrong and not given.locked) for corpus in READERS]
    for one in held:
        print(
            f"{half} {one['corpus']}: n {one['n']}, decided {one['decided']['share']}, right {one['right']['share']}; {floor_words(one)}; met: {one['floors_met']}"
        )
    if given.locked:
        with (CORPORA / "locked_log.jsonl").open("a", encoding="utf-8") as log:
            log.writelines(
                json.dumps({k: v for k, v in one.items() if k not in {"said", "by_origin"}}) + "\n"
                for one in held
            )
        PAGE.write_text(page(held), encoding="utf-8")
        # A reader that the jury found outside carries no headline, whatever its corpus says (docs/jury.md).
        held = [one | {"floors_met": one["floors_met"] and not one.get("jury_outside")} for one in held]
        PASSPORTS.write_text(json.dumps({"v": 1, "passports": held}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
