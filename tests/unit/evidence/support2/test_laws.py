"""Laws of reading (spec, reading, section 4) for `support-2`, over the real and written claims of the half that authors may see.

Twins and other forms of a claim are tried in tests/unit/reading/test_laws.py.
"""

import inspect
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

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
