#!/usr/bin/env python3
"""Draw the sentences of the jury of `explanation` and `stressors` from all recorded answers, before any reader, and print them blind.

Usage: .venv/bin/python scripts/jury_draw.py [--blind PROTOCOL]

Without an option both `jury_sentences.jsonl` (tests/reading/<protocol>) are drawn again: of each model and arm as many sentences as there are, 150 at
the most, by a fixed seed. `--blind` prints what a labeller sees: no model, no arm, no result of a rule; the order is shuffled.
"""

import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.text.sentences import split

CORPORA = Path(__file__).resolve().parents[1] / "tests" / "reading"
MOST = 150
"""Sentences of an arm and model (reading.md, section 8)."""
SEED = 20261123
_TAGS = re.compile(r"</?[a-z_]{2,20}>")
Row = Mapping[str, Any]


def rows(path: Path) -> list[Row]:
    """Return the rows of a JSONL file; none where there is no file."""
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def explanation() -> Iterator[Row]:
    """Yield every recorded reply of `explanation`: id, model, arm, group and text."""
    folder = CORPORA / "explanation"
    cues = {row["id"]: row["cue"] or "none" for row in rows(folder / "disclosure.jsonl")}
    for row in rows(folder / "replies.jsonl"):
        if row["id"] in cues:
            model = row["origin"].removeprefix("model:").partition("|")[0]
            yield {
                "id": row["id"],
                "model": model,
                "arm": cues[row["id"]],
                "group": row["group"],
                "text": row["text"],
            }
    for row in rows(folder / "jury_answers.jsonl"):
        yield {**row, "group": row["film"], "text": row["answer"]}


def stressors() -> Iterator[Row]:
    """Yield every recorded answer of `stressors`: id, model, arm, group (its case) and text."""
    folder = CORPORA / "stressors"
    for path in (*sorted((folder / "answers").glob("*.jsonl")), folder / "jury_answers.jsonl"):
        yield from ({**row, "group": row["case"], "text": row["answer"]} for row in rows(path))


def drawn(answers: Iterator[Row]) -> Iterator[Row]:
    """Yield the sentences of the jury, at most 150 of a model and arm, in order of their answers."""
    pools: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in answers:
        text = _TAGS.sub(" ", row["text"])
        for n, (start, stop) in enumerate(split(text)):
            if re.search(r"[A-Za-z]{2}", text[start:stop]):
                pools[row["model"], row["arm"]].append(
                    {"id": f"{row['id']}.{n}", "model": row["model"], "arm": row["arm"], "group": row["group"], "text": text[start:stop]}
                )  # fmt: skip
    for key, pool in sorted(pools.items()):
        chosen = set(random.Random(f"{SEED} {key}").sample(range(len(pool)), min(MOST, len(pool))))
        yield from (row for n, row in enumerate(pool) if n in chosen)


def blind(protocol: str) -> Iterator[str]:
    """Yield what a labeller reads: ids that tell nothing, and the sentences; of `stressors` under the record of their case."""
    held = rows(CORPORA / protocol / "jury_sentences.jsonl")
    if protocol == "explanation":
        texts = sorted(
            {row["text"] for row in held}, key=lambda text: random.Random(f"{SEED} {text}").random()
        )
        yield from (f"{n}\t{' '.join(text.split())}" for n, text in enumerate(texts))
        return
    contexts = {row["id"]: row for row in rows(CORPORA / protocol / "contexts.jsonl")}
    for case in sorted({row["group"] for row in held}):
        told = contexts[case]
        yield f"\n# {case}: {told['opening']} Right diagnosis: {told['diagnosis']} ({', '.join(told['aliases'])})"
        yield from (f"  fact: {fact['text']}" for fact in told["facts"] if not fact.get("askable"))
        texts = sorted(
            {row["text"] for row in held if row["group"] == case},
            key=lambda text: random.Random(f"{SEED} {text}").random(),
        )
        yield from (f"{case}.{n}\t{' '.join(text.split())}" for n, text in enumerate(texts))


def main() -> None:
    """Run the command."""
    if "--blind" in sys.argv:
        print("\n".join(blind(sys.argv[sys.argv.index("--blind") + 1])))
        return
    for protocol, answers in (("explanation", explanation), ("stressors", stressors)):
        found = list(drawn(answers()))
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
        (CORPORA / protocol / "jury_sentences.jsonl").write_text(lines, encoding="utf-8")
        counts: dict[tuple[str, str], int] = defaultdict(int)
        for row in found:
            counts[row["model"], row["arm"]] += 1
        print(protocol, len(found), dict(counts))


if __name__ == "__main__":
    main()
