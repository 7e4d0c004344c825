#!/usr/bin/env python3
"""Try the laws of reading on claims that people labelled supported: scripts/reading_laws.py [--broken].

A twin (one thing changed, so that the evidence no longer holds it) is never read supported; another form of the same claim never turns
it into unsupported. Prints how many claims each law ran on and the share of which it holds, and writes tests/reading/laws.md, which
docs/reading.md holds. `--broken` lists what breaks a law; claims of the recorded run are only counted.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import reading
import reading_elsewhere
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import RATER, support2
from percuss.protocols.grounding.cohort import facts
from percuss.protocols.grounding.cohort import packet_of as cohort_packet

PAGE = reading.CORPORA / "laws.md"
DEMO = reading.CORPORA / "demo" / "labels.jsonl"
UNSUPPORTED = frozenset({"contradicted", "absent", "partial"})

HOLDS = """Nothing of these sets breaks a law. What did before has its rows in tests/unit/evidence/support2/test_twins_and_forms.py: a denied
likelihood ("not likely that about three fifths .."), a share by digit ("3 quarters"), the other sex before a bare age, a denial of one side
where the record names both, a denied age by year of birth.""".replace("\n", " ")
Change = Callable[[str], str | None]


class Claim(NamedTuple):
    """A claim that people labelled supported, its evidence, and what the question says of the case."""

    text: str
    packet: Packet
    asked: str


def negated(text: str) -> str | None:
    """Deny what a claim says."""
    changed = re.sub(r"\b(is|was|are|were)\b(?! not)", r"\1 not", text, count=1)
    return changed if changed != text else None


def other_number(text: str) -> str | None:
    """Put a higher number in the place of the first one that is no part of a name; an upper bound that rises holds all the more."""
    if re.search(r"\b(?:below|under|less|exceeds?|at most|up to|fewer|lower)\b", text, re.IGNORECASE):
        return None
    match = re.search(r"(?<![\w.-])(\d+)(\.\d+)?(?![\w-])", text)
    if match is None or re.search(
        r"type |stage |tier |T|CD", text[max(0, match.start() - 6) : match.start()], re.IGNORECASE
    ):
        return None
    whole = str(int(match[1]) * 3 + 41)
    return text[: match.start()] + whole + (match[2] or "") + text[match.end() :]


def swapped(pairs: Mapping[str, str]) -> Change:
    """Return a change of words into their opposites or into others of their kind."""
    both = {one.lower(): other for one, other in (*pairs.items(), *((b, a) for a, b in pairs.items()))}
    pattern = re.compile(rf"\b({'|'.join(both)})\b", re.IGNORECASE)

    def change(text: str) -> str | None:
        changed = pattern.sub(lambda m: both[m[1].lower()], text)
        return changed if changed != text else None

    return change


TWINS: Mapping[str, Change] = {
    "negation": negated,
    "number": other_number,
    "side": swapped({"left": "right"}),
    "experiencer": swapped({"man": "woman", "male": "female"}),
    "direction": swapped({"high": "low", "raised": "reduced", "elevated": "decreased"}),
    "unit": swapped({"mg": "g", "mmol/L": "mg/dL", "kg": "g"}),
    "drug": swapped(
        {
            "metformin": "gliclazide",
            "methotrexate": "azathioprine",
            "apixaban": "edoxaban",
            "linagliptin": "pioglitazone",
        }
    ),
    "frequency": swapped({"once": "four times", "twice": "six times", "weekly": "daily"}),
    "status": lambda text: f"{text.rstrip('.')} in the past, but no longer.",
}
NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}
FORMS: Mapping[str, Callable[[str], str]] = {
    "case": str.lower,
    "stop": lambda text: text.rstrip("."),
    "space": lambda text: text.replace(" ", "  "),
    "list": lambda text: f"- {text}",
    "bold": lambda text: f"**{text}**",
    "number words": lambda text: re.sub(
        r"(?<!-)\b(two|three|four|five|ten)\b(?!-)", lambda m: NUMBERS[m[1]], text
    ),
    "abbreviation": lambda text: (
        text.replace("hemoglobin A1c", "HbA1c")
        .replace("twice a day", "b.i.d.")
        .replace("blood pressure", "BP")
    ),
    "per cent": lambda text: text.replace("%", " percent"),
    "unit written": lambda text: text.replace(" mg", "mg").replace("micrograms", "mcg"),
}


@cache
def claims() -> Mapping[str, tuple[Claim, ...]]:
    """Return the claims labelled supported, by set; a set whose evidence is not there is left out."""
    held = {
        "structured, dev": tuple(_of_corpus(structured=True)),
        "recorded run": tuple(_of_the_recorded_run()),
        "texts, dev": tuple(_of_corpus(structured=False)),
        "sets of others": tuple(
            Claim(text, packet, asked)
            for _, label, text, packet, asked in reading_elsewhere.rows()
            if label == "supported"
        ),
    }
    return {name: found for name, found in held.items() if found}


def _of_corpus(*, structured: bool) -> Iterator[Claim]:
    rows = [row for row in reading.rows("support") if row["half"] == "dev"]
    for row in (*rows, *reading.more_rows("support")):
        case = reading.contexts()[row["context"]]
        if row["label"] != "supported" or row.get("given") or not reading.is_there(row):
            continue
        if bool(case["facts"]) == structured:
            packet = Packet(
                facts=tuple(Fact(**f) for f in case["facts"] or ()),
                texts=tuple(case["texts"]),
                layers=tuple(case["layers"]),
            )
            yield Claim(row["text"], packet, f"{reading.question_of(row) or ''}\n{case['cohort'] or ''}")


def _of_the_recorded_run() -> Iterator[Claim]:
    cases = {row["case_id"]: row for row in facts()}
    for line in DEMO.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["label"] == "supported" and row["act"] in {"assertion", "hedged"}:
            yield Claim(row["text"], cohort_packet(cases[row["case"]]), reading_elsewhere.COHORT)


class Tried(NamedTuple):
    """One law on one claim: of which kind, the text as it was changed, the claim, what the rule says of both."""

    kind: str
    changed: str
    claim: Claim
    before: str
    after: str


@cache
def _said(text: str, packet: Packet, asked: str) -> str:
    return support2(text, packet, asked).label


def twins(of: str) -> tuple[Tried, ...]:
    """Return every twin of every claim of a set."""
    return tuple(_tried(TWINS, of))


def forms(of: str) -> tuple[Tried, ...]:
    """Return every other form of the claims of a set that the rule reads as supported."""
    return tuple(one for one in _tried(FORMS, of) if one.before == "supported")


def _tried(changes: Mapping[str, Change], of: str) -> Iterator[Tried]:
    for claim in claims()[of]:
        before = _said(claim.text, claim.packet, claim.asked)
        for kind, change in changes.items():
            changed = change(claim.text)
            if changed is not None and changed != claim.text:
                yield Tried(kind, changed, claim, before, _said(changed, claim.packet, claim.asked))


def broken(of: str) -> Counter[str]:
    """Count, by kind, what breaks a law in a set: a twin read as supported, another form of a supported claim read as unsupported."""
    return Counter(
        [f"twin: {one.kind}" for one in twins(of) if one.after == "supported"]
        + [f"form: {one.kind}" for one in forms(of) if one.after in UNSUPPORTED]
    )


def page() -> str:
    """Return the table of both laws, by set and kind."""
    lines = [
        f"## Laws of reading: `{RATER}`",
        "",
        (
            "Every claim that people labelled supported, with one thing changed. A *twin* says what the evidence no longer holds (it is never to be "
            "read supported, and is best read unsupported); another *form* says the same (what was read supported is never to be read unsupported, and is best read "
            "supported again). Claims of models in the recorded run, and of people and models in the half that authors see; made by "
            "`scripts/reading_laws.py`. Silence: tests/protocols/grounding/test_laws_of_reading.py holds 200 right claims against an "
            "answer that declines, which is never better."
        ),
        "",
        "| law | set | claims | tried | holds | read right | undecided after the change |",
        "|---|---|---|---|---|---|---|",
    ]
    for law, made, against, keeps in (
        ("twin", twins, {"supported"}, UNSUPPORTED),
        ("form", forms, UNSUPPORTED, {"supported"}),
    ):
        for of in claims():
            tried = made(of)
            n, bad = len(tried), sum(one.after in against for one in tried)
            kept = sum(one.after in keeps for one in tried)
            of_claims = len({(one.claim.text, id(one.claim.packet)) for one in tried})
            lines.append(
                f"| {law} | {of} | {of_claims} | {n} | {n - bad}/{n} ({(n - bad) / n:.3f}) | {kept}/{n} ({kept / n:.2f}) | "
                f"{n - bad - kept}/{n} |"
            )
    breaches = sum((broken(of) for of in claims()), Counter[str]())
    found = ", ".join(f"{kind} {count}" for kind, count in sorted(breaches.items()))
    return "\n".join([*lines, "", f"What breaks a law: {found}." if found else HOLDS]) + "\n"


def main() -> int:
    """Print and write the table."""
    if "--broken" in sys.argv[1:]:
        for one in (one for of in claims() if of != "recorded run" for one in (*twins(of), *forms(of))):
            if one.after in ({"supported"} if one.kind in TWINS else UNSUPPORTED):
                print(f"{one.kind}: {one.claim.text} -> {one.changed}: {one.after}")
    print(page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
