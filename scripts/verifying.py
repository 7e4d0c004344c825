"""Reads labelled sets that lie beside the project (../shared/data) with a verifier, and keeps what it said row by row.

    scripts/verifying.py --role verifier=embedded/qwen2.5-coder-1.5b-instruct --minutes 30 --out FILE
    scripts/verifying.py --role verifier=onnx:PATH --out FILE
    scripts/verifying.py --medhallu --role .. --out FILE     the sample of tests/reading/medhallu_sample.json alone
    scripts/verifying.py --draw-medhallu                     write that sample (done once, before anything was read)

Sets: MedHallu (thresholds on rows 1-200, figures on rows 201-500), WiCE dev, CliniFact validation. Rows come in a seeded
order, the sets in turn, so that a run that is stopped has read a random sample of each; what FILE holds is not read again.
`scripts/verified.py` makes figures of it.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from percuss.core.verifying import Verifier
from percuss.judging.verifiers.chat import ChatVerifier
from percuss.judging.verifiers.windows import WINDOW_WORDS, verify_in_windows
from percuss.text.sentences import split

SHARED = Path(os.environ.get("PERCUSS_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"
SEED = 1
PLACING = 200
"""Rows of MedHallu on which thresholds are placed; the others give the figures."""
SAMPLE = (32, 64)
"""Rows of MedHallu's sample that place thresholds, and that give figures: together what the embedded model of 1.5B reads in half an hour on two cores."""
SAMPLED = Path(__file__).resolve().parents[1] / "tests" / "reading" / "medhallu_sample.json"
CHAT_WORDS = 600
"""Words of a window of a chat model, whose context holds more than a cross-encoder's."""


class Row(NamedTuple):
    """A claim to be read: `set`, the case (what thresholds count by), the claim, its evidence, what people say."""

    of: str
    case: str
    claim: str
    evidence: str
    label: str


def medhallu() -> Iterator[Row]:
    """Yield the answers of MedHallu, each one claim: people labelled answers, not sentences."""
    lines = (SHARED / "medhallu/pqa_labeled_first500.jsonl").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        row = json.loads(line)
        of = "medhallu placing" if number <= PLACING else "medhallu"
        knowledge = " ".join(row["Knowledge"])
        for name, label in (("Ground Truth", "supported"), ("Hallucinated Answer", "unsupported")):
            yield Row(of, f"row {number}", row[name], knowledge, label)


def draw_medhallu() -> dict[str, Any]:
    """Return the seeded sample of MedHallu: the rows on which thresholds are placed, and those that give the figures."""
    sizes = {"placing": (range(1, PLACING + 1), SAMPLE[0]), "figures": (range(PLACING + 1, 501), SAMPLE[1])}
    rows = {}
    for name, (numbers, n) in sizes.items():
        of = "medhallu placing" if name == "placing" else "medhallu"
        order = np.random.default_rng([SEED, len(of)]).permutation(len(numbers))
        rows[name] = [numbers[int(i)] for i in order[:n]]
    return {"seed": SEED, **rows}


def medhallu_sample() -> Iterator[list[Row]]:
    """Yield the cases of the sample that was written down, a row for thresholds and rows for figures in turn."""
    drawn = json.loads(SAMPLED.read_text(encoding="utf-8"))
    held: dict[str, list[Row]] = {}
    for row in medhallu():
        held.setdefault(row.case, []).append(row)
    for together in zip_longest(drawn["figures"], drawn["placing"]):
        yield from (held[f"row {number}"] for number in together if number is not None)


def wice() -> Iterator[Row]:
    """Yield WiCE's claims; partly supported ones are `partial`."""
    words = {"supported": "supported", "partially_supported": "partial", "not_supported": "unsupported"}
    lines = (SHARED / "reading/wice_dev.jsonl").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        row = json.loads(line)
        yield Row("wice", f"row {number}", row["claim"], row["evidence"], words[row["label"]])


def clinifact() -> Iterator[Row]:
    """Yield CliniFact's claims; the abstract is the case."""
    lines = (SHARED / "reading/clinifact_validation.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        row = json.loads(line)
        label = "supported" if row["label"] == "supported" else "unsupported"
        yield Row("clinifact", f"pmid {row['pmid']}", row["claim"], row["evidence"], label)


def cases() -> Iterator[list[Row]]:
    """Yield the cases of all sets in turn, each set in a seeded order: first come rows of every set, then more of them."""
    sets: dict[str, dict[str, list[Row]]] = {}
    for row in (*medhallu(), *wice(), *clinifact()):
        sets.setdefault(row.of, {}).setdefault(row.case, []).append(row)
    orders = []
    for of, held in sorted(sets.items()):
        names = list(held)
        order = np.random.default_rng([SEED, len(of)]).permutation(len(names))
        orders.append([held[names[int(i)]] for i in order])
    for together in zip_longest(*orders):
        yield from (rows for rows in together if rows)


async def read(verifier: Verifier, order: Iterable[list[Row]], out: Path, seconds: float) -> None:
    """Read until time is up, and append each case as it is read."""
    done = _done(out)
    start = time.monotonic()
    words = WINDOW_WORDS if verifier.at_once else CHAT_WORDS
    with out.open("a", encoding="utf-8") as file:
        for rows in order:
            if (rows[0].of, rows[0].case) in done:
                continue
            if time.monotonic() - start > seconds:
                return
            text = rows[0].evidence
            sentences = [text[a:b] for a, b in split(text)]
            said = await verify_in_windows(verifier, [row.claim for row in rows], sentences, words=words)
            for row, verification in zip(rows, said, strict=True):
                kept: dict[str, Any] = {"of": row.of, "case": row.case, "label": row.label}
                kept |= {"verifier": verifier.id, "read": msgspec.to_builtins(verification)}
                file.write(json.dumps(kept) + "\n")
            file.flush()


def _done(out: Path) -> set[tuple[str, str]]:
    """What a file holds already, as (set, case)."""
    lines = out.read_text(encoding="utf-8").splitlines() if out.is_file() else []
    return {(row["of"], row["case"]) for row in map(json.loads, lines)}


def built(text: str) -> Verifier:
    """Return the verifier of a role's text."""
    if text.startswith("onnx:"):
        from percuss.judging.verifiers.onnx import CrossEncoder

        return CrossEncoder(Path(text.removeprefix("onnx:")))
    from percuss.models.embedded import Embedded

    return ChatVerifier(Embedded.named(text.removeprefix("embedded/")), seed=SEED, questions=("supported",))


def main() -> None:
    """Read."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--role", metavar="verifier=MODEL")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--medhallu", action="store_true")
    parser.add_argument("--draw-medhallu", action="store_true")
    asked = parser.parse_args()
    if asked.draw_medhallu:
        SAMPLED.write_text(json.dumps(draw_medhallu()) + "\n", encoding="utf-8")
        return
    if asked.role is None or asked.out is None:
        parser.error("expected --role verifier=MODEL and --out FILE")
    order = medhallu_sample() if asked.medhallu else cases()
    asyncio.run(read(built(asked.role.partition("=")[2]), order, asked.out, 60 * asked.minutes))


if __name__ == "__main__":
    main()
