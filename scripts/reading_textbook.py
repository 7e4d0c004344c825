#!/usr/bin/env python3
"""Score the parsers of `textbook` on tests/reading/textbook: what a reply to a closed question answers.

Usage: .venv/bin/python scripts/reading_textbook.py [--wrong] [--locked]

Without arguments the dev half is scored and printed; `--wrong` lists its wrong rows. `--locked` scores the locked half, adds a
line per reader to tests/reading/textbook/locked_log.jsonl and writes the passports that reports use.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from percuss.protocols.textbook.corpus import bundled
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

from reading_halves import digest_of, score_half, share

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "reading" / "textbook"
PASSPORTS = ROOT / "src" / "percuss" / "judging" / "passports_textbook.json"
DECIDED, RIGHT, ENOUGH = 0.80, 0.95, 50
"""Floors of a parser: share of readable replies that it decides, share of these that it reads right, and rows to show it on."""
STEP = "rule:step-1"
Row = Mapping[str, str]
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
    return "".join(sorted((named.get(option, "+") for option in found.chosen), key=lambda one: (one == "+", one)))  # fmt: skip


def is_right(item: Item, label: str) -> bool:
    """Say whether an answer, as it was labelled or read, is the right one."""
    if item.type == "true_false":
        return label == item.answer
    if item.type == "multi_hop_inverse":
        return label == str(item.wrong_step)
    wanted = {item.answer} if item.type == "multiple_choice" else set(item.answers)
    named = dict(zip(letters(item.options), item.options, strict=True))
    return {named.get(letter, letter) for letter in label} == wanted if label != "several" else False


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how rows are read; errors by whether the answer was in truth right."""
    pairs = [(ITEMS[row["item"]], row["label"], read(row)) for row in rows]
    told = [each for each in pairs if each[1] != "?"]
    decided = [each for each in told if each[2] != "?"]
    good = [each for each in decided if is_right(each[0], each[1])]
    bad = [each for each in decided if not is_right(each[0], each[1])]
    return {
        "n": len(pairs),
        "decided": share(sum(said != "?" for *_, said in pairs), len(pairs)),
        "right": share(sum(label == said for _, label, said in pairs), len(pairs)),
        "of_decided": share(sum(label == said for _, label, said in decided), len(decided)),
        "of_told": share(len(decided), len(told)),
        "guessed": share(sum(label == "?" != said for _, label, said in pairs), len(pairs) - len(told)),
        "false_unsupported": share(sum(not is_right(item, said) for item, _, said in good), len(good)),
        "false_supported": share(sum(is_right(item, said) for item, _, said in bad), len(bad)),
    }


def met(found: Mapping[str, Any]) -> bool:
    """Say whether a parser is above its floors."""
    return bool((found["of_told"]["share"] or 0) >= DECIDED and (found["of_decided"]["share"] or 0) >= RIGHT)


def rows_of(half: str) -> list[Row]:
    """Return the rows of a half."""
    lines = (CORPUS / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["half"] == half]


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
        out.append({"reader": reader, "version": "1.1", "corpus": corpus, "digest": digest, **found, "floors_met": met(found)})  # fmt: skip
        for kind in (kinds, *((one,) for one in kinds)):
            part = figures([row for row in rows if row["type"] in kind])
            print(
                f"{reader}, {half}, {' + '.join(kind)}: n {part['n']}, decided {of(part['decided'])}, right of decided {of(part['of_decided'])}, "
                f"right answers read wrong {of(part['false_unsupported'])}, wrong ones read right {of(part['false_supported'])}, "
                f"guessed where nobody can tell {of(part['guessed'])}"
            )
    for row in rows if wrong else ():
        if read(row) != row["label"]:
            print(f"  {row['item']}: {row['label']} -> {read(row)}: {row['text'][:200]!r}")
    return out


def main() -> None:
    """Score a half."""
    score_half(scored, doc=__doc__, folder=CORPUS, passports=PASSPORTS, logged=("reader", "corpus", "digest", "n", "right", "of_decided"))  # fmt: skip


if __name__ == "__main__":
    main()
