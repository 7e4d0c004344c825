"""Rule checkers: claims a second on one core, sentence splitting included.

    python benchmarks/rules.py [--n 20000] [--profile extended]

`--ratio` measures `support-2` in one run against a bare pass that finds every number and word of the same claims (target of the
spec: 6 times its CPU; a ratio, for machines differ), and counts what one claim costs: function calls and comparisons of statements.

Targets (DESIGN): strict >= 15,000 and extended >= 6,000 claims a second a core. Every claim is another text, so no cache of
parsed claims helps; packets are indexed once a case, as in a run (six claims a packet). CPU seconds, best of three.
"""

import argparse
import cProfile
import json
import os
import pstats
import re
import time
from pathlib import Path
from typing import Any

from percuss.evidence.packet import Packet
from percuss.evidence.rules import extended, strict
from percuss.evidence.rules.checker import RULES, check
from percuss.evidence.rules.support2 import support2
from percuss.text.sentences import split

FOLDER = Path(__file__).parents[1] / "tests" / "golden" / "claims"
TARGETS = {"strict": 15_000, "extended": 6_000}
PER_SUMMARY = 6


def packets(count: int) -> list[Packet]:
    """Return as many packets of the bundled cohort's shape as there are summaries, all different."""
    bodies: dict[str, Any] = json.loads((FOLDER / "packets.json").read_text(encoding="utf-8"))
    made = []
    for number in range(count):
        layers = json.loads(json.dumps(bodies["tcga"]["layers"]))
        layers["clinical"]["age_years"] = 40 + number % 50
        layers["fusion"]["io_score"] = round(number / count, 4)
        made.append(Packet.of_layers(layers))
    return made


def summaries(count: int) -> list[str]:
    """Return summaries of six bulleted claims each; a word makes every claim a text of its own."""
    names = ("paper.jsonl", "labelled.jsonl")
    lines = [line for name in names for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    claims = [
        row["claim"].rstrip(".") for row in map(json.loads, lines) if row["packet"] not in {"trial", "labs"}
    ]
    made = []
    for number in range(count):
        taken = [claims[(number * PER_SUMMARY + k) % len(claims)] for k in range(PER_SUMMARY)]
        made.append("\n".join(f"- {claim} in sample s{number}x{k}." for k, claim in enumerate(taken)))
    return made


def seconds(rules: str, texts: list[str], held: list[Packet]) -> tuple[int, float]:
    """Return (claims checked, CPU seconds)."""
    strict.parse.cache_clear()
    extended.parse.cache_clear()
    claims = 0
    start = time.process_time()
    for text, packet in zip(texts, held, strict=True):
        for low, high in split(text):
            check(text[low:high], packet, layers_shown=("pathology", "clinical"), rules=rules)
            claims += 1
    return claims, time.process_time() - start


NUMBER = re.compile(r"(?<![\w.])[+-]?\d+(?:[.,]\d+)*(?:\s?%)?")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
RATIO = 6.0


def bare(text: str) -> int:
    """Find the numbers and words of a claim with their places."""
    return sum(1 for pattern in (NUMBER, WORD) for _ in pattern.finditer(text))


def ratio(texts: list[str], held: list[Packet]) -> None:
    """Print the CPU of `support-2` as a multiple of a bare pass over the same claims, and its calls a claim; packets are read once each."""
    claims = [
        (text[low:high], packet)
        for text, packet in zip(texts, held, strict=True)
        for low, high in split(text)
    ]
    few, claims = claims[: 50 * PER_SUMMARY], claims[50 * PER_SUMMARY :]
    with cProfile.Profile() as profile:
        for text, packet in few:
            support2(text, packet)
    calls = sum(row[1] for row in pstats.Stats(profile).stats.values())  # type: ignore[attr-defined]
    start = time.process_time()
    for text, packet in claims:
        support2(text, packet)
    spent = time.process_time() - start
    passes = 20
    start = time.process_time()
    for _ in range(passes):
        for text, _packet in claims:
            bare(text)
    once = (time.process_time() - start) / passes
    print(
        f"{len(claims)} claims: support-2 takes {spent / once:.0f} x the CPU of a bare pass (target {RATIO:.0f})"
    )
    print(f"{calls / len(few):,.0f} function calls a claim")


def main() -> None:
    """Print claims a second and the ratio to the target."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=20_000, help="claims")
    parser.add_argument("--profile", choices=RULES)
    parser.add_argument("--ratio", action="store_true", help="support-2 against a bare pass")
    arguments = parser.parse_args()
    count = arguments.n // PER_SUMMARY
    texts, held = summaries(count), packets(count)
    if arguments.ratio:
        ratio(texts, held)
        return
    seconds("extended", texts[:200], held[:200])  # patterns compiled
    if arguments.profile:
        with cProfile.Profile() as profile:
            seconds(arguments.profile, texts, held)
        pstats.Stats(profile).sort_stats("tottime").print_stats(20)
        return
    print(f"{os.cpu_count()} cores; {count * PER_SUMMARY} claims, {PER_SUMMARY} a summary and packet")
    for rules in RULES:
        claims, best = min((seconds(rules, texts, held) for _ in range(3)), key=lambda each: each[1])
        rate = claims / best
        print(
            f"{rules:9} {rate:9,.0f} claims/s  target {TARGETS[rules]:6,}  ratio {rate / TARGETS[rules]:.2f}"
        )


if __name__ == "__main__":
    main()
