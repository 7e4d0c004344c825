"""Laws of reading (spec, reading, sections 3 and 4) on the claims of real answers: neighbours, padding, order and silence change no label.

The answers are those of `tests/reading/answers` to structured cases. Where a law fails, claims are counted and never printed, for
half of the cases are locked.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from scipy.stats import binomtest

from percuss.core.ports import Roles, ScoredResponse
from percuss.core.records import Case, Response, Text, Turn
from percuss.evidence.packet import Fact, Packet
from percuss.protocols.grounding.check import claims, verdicts
from percuss.protocols.grounding.estimate.counting import support_cells
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import Grounding
from percuss.text.sentences import split
from tests.protocols.grounding.ordinary import PADDING

CORPUS = Path(__file__).parents[2] / "reading"
RULE, OPTIONS = "rule:support-2", GroundingOptions()
ENOUGH = 200
MOST_CHANGED = 0.02
REFUSAL = "I can't say anything about this patient."


class Answer(NamedTuple):
    """A real answer: its case, whose it is and how it was asked, the arm, its sentences."""

    case: str
    key: tuple[str, ...]
    arm: str
    sentences: tuple[str, ...]


@cache
def cases() -> dict[str, Case]:
    found = {}
    for line in (CORPUS / "contexts.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if not row.get("facts"):
            continue
        packet = Packet(facts=tuple(Fact(**f) for f in row["facts"]), layers=tuple(row["layers"]))
        record = Grounding(packet=packet, question=row["question"] or "", cohort=row["cohort"] or "")
        found[row["id"]] = Case(id=row["id"], cluster=row["id"], payload=msgspec.to_builtins(record))
    return found


@cache
def answers() -> tuple[Answer, ...]:
    made = []
    for file in sorted((CORPUS / "answers").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(line)
            if row["case"] in cases():
                said = tuple(row["answer"][a:b] for a, b in split(row["answer"]))
                key = (row["model"], row["prompt"], str(row["temperature"]))
                made.append(Answer(row["case"], key, row["arm"], tuple(dict.fromkeys(said))))
    return tuple(made)


def scored(case: str, sentences: Sequence[str], arm: str = "ungrounded") -> ScoredResponse:
    """Put sentences into one answer of an arm and check it as a run does, by rules."""
    response = Response(
        id="r", case_id=case, arm=arm, model="m", finish="stop",
        turns=(Turn(index=0, role="assistant", parts=(Text(text="\n".join(sentences)),)),),
    )  # fmt: skip

    async def read() -> ScoredResponse:
        roles = Roles({}, seed=1)
        found = await claims(cases()[case], response, roles, OPTIONS)
        said = [v async for v in verdicts(cases()[case], response, found, roles, OPTIONS)]
        return ScoredResponse(case=cases()[case], response=response, claims=found, verdicts=tuple(said))

    return asyncio.run(read())


def labels(case: str, sentences: Sequence[str], arm: str = "ungrounded") -> dict[str, list[str]]:
    """Return, per text of a claim, its speech act and the rule's label."""
    one = scored(case, sentences, arm)
    ruled = {v.subject: v.label or v.unscored for v in one.verdicts if v.rater == RULE}
    held: dict[str, list[str]] = {}
    for claim in one.claims:
        act = (claim.payload or {}).get("act")
        held.setdefault(claim.text, []).append(repr((act, ruled.get(claim.id))))
    return {text: sorted(said) for text, said in held.items()}


@cache
def alone() -> tuple[tuple[Answer, dict[str, list[str]]], ...]:
    return tuple((answer, labels(answer.case, answer.sentences)) for answer in answers())


def pairs() -> Iterator[tuple[Answer, Answer, dict[str, list[str]]]]:
    """Answers with their like in the other arm."""
    for answer, held in alone():
        other = next(
            (o for o in answers() if (o.case, o.key) == answer[:2] and (o.arm == "ungrounded") != (answer.arm == "ungrounded")),
            None,
        )  # fmt: skip
        if other is not None:
            yield answer, other, held


def test_a_claim_among_the_other_arms_neighbours_keeps_its_label() -> None:
    changed, n, towards = 0, 0, 0
    for answer, other, held in pairs():
        mixed = [s for both in zip_longest(other.sentences, answer.sentences) for s in both if s]
        again = labels(answer.case, list(dict.fromkeys(mixed)))
        for text, said in held.items():
            n += 1
            if again.get(text) != said:
                changed += 1
                towards += "unsupported" in str(again.get(text))
    assert n >= ENOUGH
    assert changed <= MOST_CHANGED * n, (changed, n)
    assert not changed or binomtest(towards, changed).pvalue > 0.05, (towards, changed)


@pytest.mark.parametrize("law", ["padding", "order", "arm"])
def test_what_says_nothing_of_the_case_the_order_and_the_arm_change_no_label(law: str) -> None:
    changed, n = 0, 0
    for answer, held in alone():
        said = {
            "padding": [s for pair in zip_longest(answer.sentences, PADDING) for s in pair if s],
            "order": answer.sentences[::-1],
            "arm": answer.sentences,
        }[law]
        again = labels(answer.case, said, "full_multimodal" if law == "arm" else "ungrounded")
        n += len(held)
        changed += sum(again.get(text) != before for text, before in held.items())
    assert n >= ENOUGH
    assert changed <= (0 if law == "arm" else MOST_CHANGED * n), (changed, n)


def supported() -> Iterator[tuple[str, str]]:
    for line in (CORPUS / "support.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["label"] == "supported" and row["context"] in cases():
            yield row["context"], row["text"]


def test_silence_is_never_better_than_a_right_answer() -> None:
    """Each claim that is read as supported, as an answer of its own, beside an answer that declines."""

    def cells(case: str, sentences: Sequence[str]) -> dict[str, tuple[float, float]]:
        found = support_cells([scored(case, sentences)], "s", OPTIONS)
        return {c.name: (c.num, c.den) for c in found if c.labels in {RULE, ""}}

    n, silent = 0, {case: cells(case, [REFUSAL]) for case in cases()}
    for case, text in supported():
        right = cells(case, [text]) if n < ENOUGH else {}
        if right.get("supported_rate", (0, 0))[0] == 0:
            continue
        n += 1
        assert max(right["unsupported_rate"][0], silent[case]["unsupported_rate"][0]) == 0
        assert right["answered_clean"] == (1, 1)
        assert silent[case]["answered_clean"][0] <= right["answered_clean"][0]
        assert silent[case]["supported_rate"][1] == 0, "an answer that declines is in no rate"
    assert n >= ENOUGH
