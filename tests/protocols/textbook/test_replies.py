"""Parsers on real replies of local models, labelled by one reader; every row that is read otherwise is named.

`seen`: the rule of echoed options was written after these. Other halves were labelled before the parsers were run on them.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.items.item import letters
from percuss.protocols.textbook.scoring.parsing import parse_choice, parse_list, parse_true_false

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]
ITEMS = {item.id: item for item in bundled().items}


def read(row: dict[str, str]) -> str:
    """Return what the parser reads of a reply, in the form of its label; `?` where it is undecided."""
    item = ITEMS[row["item"]]
    if row["type"] == "true_false":
        parsed = parse_true_false(row["text"])
        return parsed.chosen[0] if parsed.reason is None else "?"
    parse = parse_choice if row["type"] == "multiple_choice" else parse_list
    parsed = parse(row["text"], item.options)
    if parsed.reason is not None:
        return "?"
    named = dict(zip(item.options, letters(item.options), strict=True))
    return "".join(sorted(named.get(option, "+") for option in parsed.chosen))


@pytest.mark.parametrize("half", sorted({row["half"] for row in ROWS}))
def test_replies_are_read_as_a_person_reads_them(half: str) -> None:
    rows = [row for row in ROWS if row["half"] == half]
    wrong = [
        (row["item"], row["label"], read(row))
        for row in rows
        if row["label"] != "?" and read(row) != row["label"]
    ]
    decided = Counter(row["type"] for row in rows if read(row) != "?")
    assert len(wrong) <= len(rows) // 20, wrong
    assert sum(decided.values()) >= 0.9 * len(rows)
