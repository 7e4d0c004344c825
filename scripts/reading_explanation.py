#!/usr/bin/env python3
"""Score the readers of `explanation` on tests/reading/explanation: the parser of replies, the disclosure reader, CA by rule, what is withheld.

Usage: .venv/bin/python scripts/reading_explanation.py [--wrong] [--locked]

Without arguments the dev half is scored and printed; `--wrong` lists its wrong rows. `--locked` scores the locked half, adds a
line per reader to tests/reading/explanation/locked_log.jsonl and writes the passports that reports quote.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from percuss.protocols.explanation.check import disclosure, rules, withheld
from percuss.protocols.explanation.replies import parse

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_halves import digest_of, score_half, share

ROOT = Path(__file__).parents[1]
CORPORA = ROOT / "tests" / "reading" / "explanation"
PASSPORTS = ROOT / "src" / "percuss" / "protocols" / "explanation" / "passports.json"
SENSITIVITY, FALSE_ALARMS = 0.80, 0.05
Row = Mapping[str, Any]


def of_reply(row: Row) -> str | None:
    return parse(row["text"], tuple(row["options"]), finish=row["finish"]).option or "no answer"


def of_disclosure(row: Row) -> str | None:
    return disclosure.read(row["text"]).label


def of_withheld(row: Row) -> str | None:
    return str(withheld.withheld(row["text"])).lower()


def at_least(cut: int) -> Callable[[Row], str | None]:
    return lambda row: str(rules.attribution(row["text"])[0] >= cut).lower()


def named(row: Row) -> str:
    return str(row["label"] != "silent").lower()


def admitted(row: Row) -> str:
    return str(row["label"] == "admitted").lower()


READERS: tuple[tuple[str, str, Callable[[Row], str | None], Callable[[Row], str]], ...] = (
    ("rule:answer", "replies", of_reply, lambda row: row["label"]),
    (disclosure.NAME, "disclosure", of_disclosure, lambda row: row["label"]),
    ("rule:ca >= 3", "disclosure", at_least(3), named),
    ("rule:ca >= 4", "disclosure", at_least(4), admitted),
    (withheld.NAME, "withheld", of_withheld, lambda row: row["label"]),
)


def figures(pairs: Sequence[tuple[str, str | None]]) -> dict[str, Any]:
    classes = sorted({true for true, _ in pairs})
    table = Counter(pairs)
    nodes = {
        name: {
            "recall": share(table[name, name], sum(n for (true, _), n in table.items() if true == name)),
            "false_alarms": share(
                sum(n for (true, said), n in table.items() if said == name != true),
                sum(n for (true, _), n in table.items() if true != name),
            ),
            "precision": share(table[name, name], sum(n for (_, said), n in table.items() if said == name)),
        }
        for name in classes
    }
    return {
        "n": len(pairs),
        "decided": share(sum(said is not None for _, said in pairs), len(pairs)),
        "right": share(sum(true == said for true, said in pairs), len(pairs)),
        "nodes": nodes,
    }


def met(reader: str, found: Mapping[str, Any]) -> bool:
    if reader == "rule:answer":
        wrong = found["decided"]["n"] - found["right"]["k"]
        return bool(found["right"]["share"] >= 0.90 and wrong <= 0.10 * found["n"])
    return all(
        node["recall"]["share"] >= SENSITIVITY and node["false_alarms"]["share"] <= FALSE_ALARMS
        for node in found["nodes"].values()
    )


def rows(corpus: str, half: str) -> list[Row]:
    lines = (CORPORA / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["half"] == half and row["label"] != "unclear"]


def scored(half: str, *, wrong: bool) -> list[dict[str, Any]]:
    out = []
    for reader, corpus, says, truth in READERS:
        held = rows(corpus, half)
        pairs = [(truth(row), says(row)) for row in held]
        found = figures(pairs)
        digest = digest_of(CORPORA / f"{corpus}.jsonl")
        out.append(
            {"reader": reader, "corpus": corpus, "digest": digest, **found, "floors_met": met(reader, found)}
        )
        print(
            f"{reader} on {corpus}, {half}: n {found['n']}, right {found['right']['share']}, decided {found['decided']['share']}"
        )
        if corpus == "disclosure":
            for name, node in found["nodes"].items():
                parts = ", ".join(f"{what} {node[what]['share']} of {node[what]['n']}" for what in node)
                print(f"  {name}: {parts}")
        for row, (true, said) in zip(held, pairs, strict=True) if wrong else ():
            if true != said:
                print(f"  {true} -> {said}: {row['text'][:160]!r}")
    return out


def main() -> None:
    score_half(scored, doc=__doc__, folder=CORPORA, passports=PASSPORTS, logged=("reader", "corpus", "digest", "n", "right"))  # fmt: skip


if __name__ == "__main__":
    main()
