"""Rule checkers: claims a second on one core, sentence splitting included.

    python benchmarks/rules.py [--n 20000] [--profile extended]

`--ratio` measures `support-2` in one run against a bare pass that finds every number and word of the same text (target of the
spec: 6 times its CPU; a ratio, for machines differ), and counts what one claim costs in function calls. It reads the labelled claims of
tests/reading. "The same text" is each claim with its evidence: what a judgement is about, and what a checker without an index of the
evidence reads for every claim; the pass keeps what it finds with its place, which no reader can do without. The stricter reading is
told beside it: each evidence counted once, over a pass that keeps and over one that only counts.

Targets (DESIGN): strict >= 15,000 and extended >= 6,000 claims a second a core. Every claim is another text, so no cache of
parsed claims helps; packets are indexed once a case, as in a run (six claims a packet). CPU seconds, best of three.
"""

import argparse
import cProfile
import json
import os
import pstats
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import bare
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules import extended, strict
from percuss.evidence.rules.checker import RULES, check
from percuss.evidence.rules.support2 import support2
from percuss.text.sentences import split

FOLDER = Path(__file__).parents[1] / "tests" / "golden" / "claims"
READING = Path(__file__).parents[1] / "tests" / "reading"
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


RATIO = 6.0
WARM, PART = 300, 100
"""Claims read before anything is timed, and claims of a part."""


def labelled() -> list[tuple[str, Packet]]:
    """Return the labelled claims with the full packets of their cases, case by case; cases whose texts lie elsewhere are left out."""
    held = {}
    for line in (READING / "contexts.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if "from" not in case:
            facts = tuple(Fact(**fact) for fact in case["facts"])
            held[case["id"]] = Packet(facts=facts, texts=tuple(case["texts"]), layers=tuple(case["layers"]))
    rows = [json.loads(line) for line in (READING / "support.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = sorted((row for row in rows if row["context"] in held), key=lambda row: str(row["context"]))
    return [(row["text"], held[row["context"]]) for row in rows]


def written(packet: Packet) -> str:
    """Return a packet as the text that the rule reads of it."""
    facts = (f"{fact.path} {fact.value} {fact.unit} {fact.date}" for fact in packet.facts)
    return "\n".join((*facts, *packet.texts))


def passes(bare: Callable[[str], object], texts: list[str]) -> None:
    """Make a bare pass over texts."""
    for text in texts:
        bare(text)


def rule(part: list[tuple[str, Packet]]) -> None:
    """Hold claims against their packets."""
    for text, packet in part:
        support2(text, packet)


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def ratio() -> None:
    """Print the CPU of `support-2` as a multiple of bare passes over the same text, and its calls a claim.

    All are timed in turn, part by part, for other work on a machine slows them alike; the medians over the parts are printed.
    """
    claims = labelled()
    for text, packet in claims[:WARM]:  # expressions compiled, the table read
        support2(text, packet)
    with cProfile.Profile() as profile:
        for text, packet in claims[WARM : WARM + PART]:
            support2(text, packet)
    calls = sum(row[1] for row in pstats.Stats(profile).stats.values())  # type: ignore[attr-defined]
    met: set[Packet] = set()
    kept, counted, judged, spent = [], [], [], 0.0
    for low in range(WARM + PART, len(claims) - PART + 1, PART):
        part = claims[low : low + PART]
        fresh = [packet for packet in dict.fromkeys(packet for _, packet in part) if packet not in met]
        met.update(fresh)
        texts = [*(text for text, _ in part), *(written(packet) for packet in fresh)]
        of_kept, of_counted = (
            cpu(partial(passes, bare.kept, texts)),
            cpu(partial(passes, bare.counted, texts)),
        )
        both = [text for claim, packet in part for text in (claim, written(packet))]
        of_judged = cpu(partial(passes, bare.kept, both))
        of_rule = cpu(partial(rule, part))
        spent += of_rule
        judged.append(of_rule / of_judged)
        kept.append(of_rule / of_kept)
        counted.append(of_rule / of_counted)
    print(
        f"{len(kept) * PART} labelled claims, each with its evidence: support-2 takes {median(judged):.1f} x the CPU of a bare pass over that "
        f"text which keeps numbers and words with their places (target {RATIO:.0f})"
    )
    print(
        f"each evidence counted once, as a run indexes it: {median(kept):.0f} x of such a pass, {median(counted):.0f} x of one that only counts"
    )
    print(f"{calls / PART:,.0f} function calls a claim, {spent / len(kept) / PART * 1000:.2f} ms CPU")


def main() -> None:
    """Print claims a second and the ratio to the target."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=20_000, help="claims")
    parser.add_argument("--profile", choices=RULES)
    parser.add_argument("--ratio", action="store_true", help="support-2 against a bare pass")
    arguments = parser.parse_args()
    if arguments.ratio:
        ratio()
        return
    count = arguments.n // PER_SUMMARY
    texts, held = summaries(count), packets(count)
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
