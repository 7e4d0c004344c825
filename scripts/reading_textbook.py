#!/usr/bin/env python3
"""Score the readers of `textbook` on tests/reading/textbook: what a reply to a closed question answers, and whether a passage supports a generated item.

Usage: .venv/bin/python scripts/reading_textbook.py [--wrong] [--locked]

Without arguments the dev half is scored and printed; `--wrong` lists its wrong rows. `--locked` scores the locked half, adds a
line per reader to tests/reading/textbook/locked_log.jsonl and writes the passports that reports use.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.generate.check import BAD, GOOD, RULED
from percuss.protocols.textbook.generate.options import SUPPORT_RULE
from percuss.protocols.textbook.generate.quoted import support_of
from percuss.protocols.textbook.items.item import Item, letters
from percuss.protocols.textbook.scoring.parsing import (
    NAME,
    Parsed,
    parse_choice,
    parse_list,
    parse_step,
    parse_true_false,
)

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_halves import digest_of, score_half, share, two_readers

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "reading" / "textbook"
PASSPORTS = ROOT / "src" / "percuss" / "judging" / "passports_textbook.json"
DECIDED, RIGHT, ENOUGH = 0.80, 0.95, 50
"""Share of readable replies that a parser decides, share of these that it is to read as the reader did (an aim), and rows below which
nothing is said of floors."""
SENSITIVITY, FALSE_ALARMS = 0.80, 0.05
"""Floors of a yes or no, here whether the answer is right (spec, reading, section 2): both limits must be within them."""
STEP, VERSION = "rule:step-1", "1.3"
GENERATED = "textbook_items"
PASSAGES = {passage.id: passage.text for passage in bundled().passages}
Row = Mapping[str, Any]
ITEMS = {item.id: item for item in bundled().items}


def parsed(row: Row) -> Parsed:
    """Return what the parser of a row's type says of its reply."""
    item = ITEMS[row["item"]]
    if row["type"] == "true_false":
        return parse_true_false(row["text"])
    if row["type"] == "multi_hop_inverse":
        return parse_step(row["text"], len(item.reasoning))
    return (parse_choice if row["type"] == "multiple_choice" else parse_list)(row["text"], item.options)


def read(row: Row) -> str:
    """Return what is read of a reply, in the form of its label."""
    found = parsed(row)
    if found.reason is not None:
        return "?"
    if row["type"] in {"true_false", "multi_hop_inverse"}:
        return found.chosen[0]
    if row["type"] == "multiple_choice" and len(found.chosen) > 1:
        return "several"
    item = ITEMS[row["item"]]
    named = dict(zip(item.options, letters(item.options), strict=True))
    entries = {named.get(option, "+") for option in found.chosen}  # one + however many were not offered
    return "".join(sorted(entries, key=lambda one: (one == "+", one)))


def is_right(item: Item, label: str) -> bool:
    """Say whether an answer, as it was labelled or read, is the right one."""
    if item.type == "true_false":
        return label == item.answer
    if item.type == "multi_hop_inverse":
        return label == str(item.wrong_step)
    wanted = {item.answer} if item.type == "multiple_choice" else set(item.answers)
    named = dict(zip(letters(item.options), item.options, strict=True))
    return {named.get(letter, letter) for letter in label} == wanted if label != "several" else False


def support(row: Row) -> str:
    """Return what the support rule says of a generated item; ? = undecided."""
    item = msgspec.convert({"id": row["id"], **row["item"]}, Item)
    label = RULED.get(support_of(item, PASSAGES[row["passage"]]).label or "")
    return {GOOD: "supported", BAD: "unsupported", None: "?"}[label]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how rows are read; errors by whether the answer was in truth right."""
    return counted([(row["label"], read(row), partial(is_right, ITEMS[row["item"]])) for row in rows])


def counted(pairs: Sequence[tuple[str, str, Callable[[str], bool]]]) -> dict[str, Any]:
    """Return how labels (first) are read (second); the third says whether one of either stands for a right answer."""
    told = [each for each in pairs if each[0] != "?"]
    decided = [each for each in told if each[1] != "?"]
    good = [each for each in decided if each[2](each[0])]
    bad = [each for each in decided if not each[2](each[0])]
    return {
        "n": len(pairs),
        "decided": share(sum(said != "?" for _, said, _ in pairs), len(pairs)),
        "right": share(sum(label == said != "?" for label, said, _ in pairs), len(pairs)),
        "of_decided": share(sum(label == said for label, said, _ in decided), len(decided)),
        "of_told": share(len(decided), len(told)),
        "guessed": share(sum(label == "?" != said for label, said, _ in pairs), len(pairs) - len(told)),
        "false_unsupported": share(sum(not right(said) for _, said, right in good), len(good)),
        "false_supported": share(sum(right(said) for _, said, right in bad), len(bad)),
    }


def met(found: Mapping[str, Any]) -> bool:
    """Say whether a parser is above its floors: what it decides, how often it reads as the reader did, and both errors by class."""
    missed, raised = found["false_unsupported"]["high"], found["false_supported"]["high"]
    if found["n"] < ENOUGH or missed is None or raised is None:
        return False
    reads = (found["of_told"]["share"] or 0) >= DECIDED and (found["of_decided"]["share"] or 0) >= RIGHT
    return bool(reads and missed <= 1 - SENSITIVITY and raised <= FALSE_ALARMS)


def items_met(found: Mapping[str, Any]) -> bool:
    """Say whether the support rule decides enough, and errs in few of what it decides."""
    return bool((found["of_told"]["share"] or 0) >= DECIDED and (found["of_decided"]["share"] or 0) >= RIGHT)


def items_figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how the support of generated items is read."""
    return counted([(row["label"], support(row), "supported".__eq__) for row in rows])


def rows_of(half: str, file: str = "replies.jsonl") -> list[Row]:
    """Return the rows of a half."""
    lines = (CORPUS / file).read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["half"] == half]


def second_labels(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how far the second reader, who saw neither rule nor labels, agrees with the first; n 0 where none of the rows was read."""
    lines = (CORPUS / "second.jsonl").read_text(encoding="utf-8").splitlines()
    said = {row["id"]: row["label"] for row in map(json.loads, lines)}
    return two_readers([(row["label"], said[row["id"]]) for row in rows if row["id"] in said])


def all_rows(file: str) -> list[Row]:
    """Return the rows of both halves."""
    return [*rows_of("dev", file), *rows_of("locked", file)]


def of(k: Mapping[str, Any]) -> str:
    """Return a share in words."""
    return f"{k['k']}/{k['n']}"


def scored(half: str, *, wrong: bool) -> list[dict[str, Any]]:
    """Score and print a half."""
    rows, out = rows_of(half), []
    digest = digest_of(CORPUS / "replies.jsonl")
    for reader, corpus, kinds in (
        (NAME, "textbook_replies", ("true_false", "multiple_choice", "list")),
        (STEP, "textbook_steps", ("multi_hop_inverse",)),
    ):
        found = figures([row for row in rows if row["type"] in kinds])
        again = second_labels([row for row in all_rows("replies.jsonl") if row["type"] in kinds])
        out.append({"reader": reader, "version": VERSION, "corpus": corpus, "digest": digest, **found, "second_labels": again, "floors_met": met(found)})  # fmt: skip
        print(
            f"{corpus}, two readers: {again['n']} rows, the same label in {again['agree']['k']}, kappa {again['kappa']}"
        )
        for kind in (kinds, *((one,) for one in kinds)):
            part = figures([row for row in rows if row["type"] in kind])
            print(
                f"{reader}, {half}, {' + '.join(kind)}: n {part['n']}, decided {of(part['decided'])}, right of decided {of(part['of_decided'])}, "
                f"right answers read wrong {of(part['false_unsupported'])}, wrong ones read right {of(part['false_supported'])}, "
                f"guessed where nobody can tell {of(part['guessed'])}"
            )
    out.append(scored_items(half, wrong=wrong))
    for row in rows if wrong else ():
        if read(row) != row["label"]:
            print(f"  {row['item']}: {row['label']} -> {read(row)}: {row['text'][:200]!r}")
    return out


def scored_items(half: str, *, wrong: bool) -> dict[str, Any]:
    """Score and print the support of generated items, all and those that are valid in form."""
    rows = rows_of(half, "items.jsonl")
    for words, some in (("all", rows), ("valid in form", [row for row in rows if not row["faults"]])):
        part = items_figures(some)
        print(
            f"{SUPPORT_RULE}, {half}, {words}: n {part['n']}, decided {of(part['of_told'])} of those labelled, right of decided {of(part['of_decided'])}, "
            f"supported ones read unsupported {of(part['false_unsupported'])}, unsupported ones read supported {of(part['false_supported'])}"
        )
    for row in rows if wrong else ():
        if support(row) not in {row["label"], "?"}:
            print(f"  {row['passage']}: {row['label']} -> {support(row)}: {row['item']}")
    digest = digest_of(CORPUS / "items.jsonl")
    found = items_figures(rows)
    again = second_labels(all_rows("items.jsonl"))
    print(
        f"{GENERATED}, two readers: {again['n']} rows, the same label in {again['agree']['k']}, kappa {again['kappa']}"
    )
    return {
        "reader": SUPPORT_RULE,
        "version": "1",
        "corpus": GENERATED,
        "digest": digest,
        **found,
        "second_labels": again,
        "floors_met": items_met(found),
    }


def main() -> None:
    """Score a half."""
    score_half(scored, doc=__doc__, folder=CORPUS, passports=PASSPORTS, logged=("reader", "corpus", "digest", "n", "right", "of_decided"))  # fmt: skip


if __name__ == "__main__":
    main()
