"""Laws of reading (spec, reading, section 4) for `support-2`, over the real and written claims of the half that authors may see."""

import inspect
import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import parts, reference, support2
from percuss.text.concepts.statements import read

CORPUS = Path(__file__).parents[3] / "reading"
ENOUGH = 200
UNSUPPORTED = {"contradicted", "absent", "partial"}

Row = dict[str, Any]


@cache
def contexts() -> dict[str, Row]:
    lines = (CORPUS / "contexts.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


@cache
def packet(context: str) -> Packet:
    held = contexts()[context]
    return Packet(
        facts=tuple(Fact(**fact) for fact in held["facts"]),
        texts=tuple(held["texts"]),
        layers=tuple(held["layers"]),
    )


def claims() -> Iterator[tuple[str, str, str]]:
    for line in (CORPUS / "support.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["half"] == "dev":
            yield row["text"], row["context"], f"{row['question']}\n{contexts()[row['context']]['cohort']}"


@cache
def labelled() -> tuple[tuple[str, str, str, str], ...]:
    found = tuple(
        (text, context, asked, support2(text, packet(context), asked).label)
        for text, context, asked in claims()
    )
    assert len(found) >= ENOUGH
    return found


def negated(text: str) -> str | None:
    changed = re.sub(r"\b(is|was|are|were)\b(?! not)", r"\1 not", text, count=1)
    return changed if changed != text else None


def other_number(text: str) -> str | None:
    match = re.search(r"(?<![\w.-])(\d+)(\.\d+)?(?![\w-])", text)
    if match is None or re.search(
        r"type |stage |tier |T|CD", text[max(0, match.start() - 6) : match.start()], re.IGNORECASE
    ):
        return None
    whole = str(int(match[1]) * 3 + 41)
    return text[: match.start()] + whole + (match[2] or "") + text[match.end() :]


def swapped(pairs: dict[str, str]) -> Callable[[str], str | None]:
    both = {one.lower(): other for one, other in (*pairs.items(), *((b, a) for a, b in pairs.items()))}
    pattern = re.compile(rf"\b({'|'.join(both)})\b", re.IGNORECASE)

    def change(text: str) -> str | None:
        changed = pattern.sub(lambda m: both[m[1].lower()], text)
        return changed if changed != text else None

    return change


TWINS = {
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


@pytest.mark.parametrize("kind", sorted(TWINS))
def test_a_twin_of_a_supported_claim_is_never_supported(kind: str) -> None:
    tried = 0
    for text, context, asked, label in labelled():
        changed = TWINS[kind](text) if label == "supported" else None
        if changed is not None:
            tried += 1
            assert support2(changed, packet(context), asked).label != "supported", (text, changed)
    assert tried, kind


NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}
FORMS: dict[str, Callable[[str], str]] = {
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
    "unit": lambda text: text.replace(" mg", "mg").replace("micrograms", "mcg"),
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_form_never_makes_a_supported_claim_unsupported(form: str) -> None:
    for text, context, asked, label in labelled():
        if label == "supported":
            assert support2(FORMS[form](text), packet(context), asked).label not in UNSUPPORTED, FORMS[form](
                text
            )


def test_identity_with_caches_off_and_in_another_order() -> None:
    before = {(text, context): label for text, context, _, label in labelled()}
    shuffled = list(claims())
    random.Random(7).shuffle(shuffled)
    for cached in (parts.parts_of, reference.reference, read):
        cached.cache_clear()
    for text, context, asked in shuffled:
        assert support2(text, packet(context), asked).label == before[text, context]


def test_the_order_of_facts_changes_no_label() -> None:
    for text, context, asked, label in labelled():
        held = packet(context)
        turned = Packet(facts=tuple(reversed(held.facts)), texts=held.texts, layers=held.layers)
        again = support2(text, turned, asked).label
        assert {label, again} != {"supported", "contradicted"}, text


def test_a_hedge_never_makes_a_supported_claim_unsupported() -> None:
    for text, context, asked, label in labelled():
        if label == "supported":
            assert (
                support2(f"Possibly {text[:1].lower()}{text[1:]}", packet(context), asked).label
                not in UNSUPPORTED
            ), text


def test_what_the_question_says_is_no_invention() -> None:
    for text, context, _, _ in labelled():
        assert support2(text, packet(context), text).label != "absent", text


def test_the_rule_is_blind_to_arm_model_and_what_was_shown() -> None:
    assert list(inspect.signature(support2).parameters) == ["claim_text", "packet", "question"]


def test_text_is_never_called_absent() -> None:
    for text, context, asked, label in labelled():
        if not packet(context).facts:
            assert label != "absent", (text, asked)
