"""Most of three passes is the label, or the score, in every protocol: a judge that says 4, 4 and 3 has said 4."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import percuss
from percuss.api.catalog import protocols
from percuss.protocols.stressors.check.audit import LISTS
from tests.citing_people import nearest
from tests.protocols.citations.conversations import answer, document, entry

SAID_AND_OTHER = (
    ("supported", "unsupported"),
    ("supported", "contradicts"),
    ("same", "different"),
    ("partial", "wrong"),
    ("abstains", "commits"),
)
QUOTED = (("hit", "missed"), ("met", "not met"))


def between(text: str, name: str) -> str:
    """Return what stands between two marks."""
    return text.partition(f"<{name}>\n")[2].partition(f"\n</{name}>")[0]


class FourFourThree:
    """A judge that says the same in two passes and something else in the third, by what each prompt asks for."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, text: str) -> str:
        """Answer one pass."""
        self.asked[text] += 1
        return json.dumps(self.reply(text, third=self.asked[text] == 3))

    def reply(self, text: str, *, third: bool) -> dict[str, Any]:
        """Return the reply's object."""
        if '"score": 1-5' in text:
            quote = between(text, "reasoning").split(". ")[0]
            return {
                "abstain": False, "abstain_reason": None, "score": 3 if third else 4, "quotes": [quote], "rationale": "r",
            }  # fmt: skip
        if "ten keys" in text:
            quote = re.split(r"[.\n]", between(text, "answers").partition("\n")[2])[0]
            known = re.findall(r"^- (contradiction:\S+): ", text, re.MULTILINE)
            noticed = [] if third else [{"id": each, "turn": 1, "quote": quote} for each in known]
            return {name: noticed if name == "contradictions" else [] for name in LISTS}
        if "`hallucination`" in text:
            quote = nearest(text.partition("said to say: ")[2].partition("\n")[0], between(text, "passages"))
            return {
                "reference_reason": "", "reference": "no" if third else "yes", "content_reason": "", "quote": quote,
                "content": "yes", "subtype": "", "abstention": False, "hallucination": third, "insufficient": False,
            }  # fmt: skip
        pairs = [p for p in SAID_AND_OTHER if all(f"- {word}:" in text for word in p)]
        pairs += [p for p in QUOTED if f'"label": "{p[0]}" or "{p[1]}"' in text]
        return {"rationale": "r", "label": pairs[0][third]}


HELD = document("PEL-0001")
CITED = answer((HELD.facts[0].sentence, entry(HELD)), (HELD.facts[1].sentence, entry(HELD)))
WORDS: dict[str, dict[str, Any]] = {
    "grounding": {"model": "phantom/confabulator", "limit": 1, "arms": "full_multimodal"},
    "explanation": {"model": "phantom/reader", "chests": 1, "limit": 2, "arms": "tb_rad:misleading"},
    "stressors": {"model": "phantom/clinician", "limit": 1, "arms": "contradiction"},
    "citations": {
        "model": lambda _: CITED,
        "name": "writer",
        "limit": 1,
        "arms": "closed_book",
        "turns": 1,
        "search": "corpus",
    },
    "textbook": {"model": "phantom/student", "limit": 15, "arms": "closed_book"},
    "textbook-generate": {"model": "phantom/author", "limit": 1},
    "skills": {"model": "phantom/agent-gold", "limit": 2, "task": "MedHC"},
}
"""What is run of each protocol."""
FOUR: dict[str, tuple[str, float]] = {
    "grounding": ("unsupported_rate", 0.0),
    "explanation": ("ca", 0.75),
    "stressors": ("cdr", 1.0),
    "citations": ("hallucination_pooled", 0.0),
    "textbook": ("partial_rate", 8 / 15),
    "textbook-generate": ("hallucination_rate", 0.0),
    "skills": ("macro_recall", 1.0),
}
"""Number of each protocol, and what it is where the first two passes count."""


NAMES = [pytest.param(name, marks=[pytest.mark.slow] * (name == "citations")) for name in sorted(WORDS)]


@pytest.mark.parametrize("name", NAMES)
def test_two_of_three_passes_are_the_label_under_majority(name: str, tmp_path: Path) -> None:
    judge = FourFourThree()
    run = percuss.run(
        name, judge=percuss.own.Model(judge, name="four-four-three"), judge_policy="majority", resamples=100,
        out=tmp_path / "run", report=False, progress=False, **WORDS[name],
    )  # fmt: skip
    assert set(judge.asked.values()) == {3}, "three passes are paid for"
    judged = [e for e in run.estimates if e.labels == "majority"]
    assert not {reason for e in judged for reason in e.excluded if reason.startswith("conflict")}
    number, four = FOUR[name]
    found = [e.value for e in judged if e.name == number and e.stratum is None and e.versus is None]
    assert set(found) == {four}


def test_no_protocol_with_a_judge_is_forgotten() -> None:
    judged = {each.name for each in protocols() if each.roles.get("judge")}
    assert judged == set(WORDS)
