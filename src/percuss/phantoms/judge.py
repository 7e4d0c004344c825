"""The fake judge: it knows the truth by a rule given at construction, and errs at planted rates.

It reads evidence and claim between the delimiters of the judge prompt, and answers as the prompt's schema asks.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from percuss.core.messages import Request
from percuss.phantoms.plan import Entry, Given, Plan, drawing, evidence_text, request_key

__all__ = ["PHANTOMS", "FakeJudge", "Rule"]

Rule = Callable[[str, str, str], str]
_SHOWN = re.compile(r"was shown: (.*?)\.$", re.MULTILINE)
_CLAIM = re.compile(r"<claim>\s*(.*?)\s*</claim>", re.DOTALL)
WRONG, RIGHT = "unsupported", "supported"


@dataclass(frozen=True)
class FakeJudge:
    """A judge with planted sensitivity and specificity for unsupported claims.

    Args:
        rule: (evidence, claim, what the writer was shown in the prompt's words) -> true label.
        sensitivity: share of truly unsupported claims that it calls unsupported; the others it calls supported.
        specificity: share of other claims that it labels truly; the others it calls unsupported.
        seed: root of its draws, which are made by request and epoch: passes err independently.
    """

    rule: Rule
    sensitivity: float
    specificity: float
    seed: int

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the judge's reply as JSON; without a claim in the message it says so in words."""
        text = "\n".join(message.text for message in request.messages if message.role == "user")
        found = _CLAIM.search(text)
        if found is None:
            return Plan("There is no claim to judge.")
        shown = _SHOWN.search(text)
        truth = self.rule(evidence_text(request) or "", found.group(1), shown.group(1) if shown else "")
        errs = drawing(self.seed, "judge", request_key(request), epoch).random()
        if truth == WRONG:
            label = WRONG if errs < self.sensitivity else RIGHT
        else:
            label = truth if errs < self.specificity else WRONG
        return Plan(json.dumps({"rationale": f"The evidence was read as {label}.", "label": label}))

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return the planted rates under every arm."""
        return {
            (name, arm): rate
            for arm in arms
            for name, rate in (("sensitivity", self.sensitivity), ("specificity", self.specificity))
        }


def _undecided(evidence: str, claim: str, _shown: str) -> str:
    """Without a rule, a claim is supported where all its words stand in the evidence."""
    return RIGHT if all(word in evidence for word in claim.split()) else WRONG


def _make(given: Given, seed: int, extra: Mapping[str, Any]) -> FakeJudge:
    rule: Rule = extra.get("rule", _undecided)
    return FakeJudge(rule, given.get("sensitivity", 0.9), given.get("specificity", 0.95), seed)


PHANTOMS: dict[str, Entry] = {"judge": Entry(("sensitivity", "specificity"), _make)}
