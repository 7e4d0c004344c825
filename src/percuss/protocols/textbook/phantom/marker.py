"""A judge of open answers: right where the reference stands in the answer word for word, and it errs at planted rates."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from percuss.core.messages import Request
from percuss.phantoms.plan import Plan, drawing, request_key

__all__ = ["Marker"]

_PARTS = {name: re.compile(rf"<{name}>\s*(.*?)\s*</{name}>", re.DOTALL) for name in ("reference", "answer")}


@dataclass(frozen=True)
class Marker:
    """A judge with planted error rates.

    Args:
        sensitivity: share of wrong answers that it calls wrong. specificity: share of right ones that it calls equivalent.
        seed: root of its draws, made by request and epoch.
    """

    sensitivity: float
    specificity: float
    seed: int

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the label as JSON; without an answer in the message it says so in words."""
        text = "\n".join(message.text for message in request.messages if message.role == "user")
        found = {name: pattern.findall(text) for name, pattern in _PARTS.items()}
        if not all(found.values()):
            return Plan("There is no answer to mark.")
        reference, answer = (found[name][-1] for name in ("reference", "answer"))
        right = reference.splitlines()[0].rstrip(".").lower() in answer.lower()
        errs = float(drawing(self.seed, "marker", request_key(request), epoch).random())
        if right:
            label = "equivalent" if errs < self.specificity else "wrong"
        else:
            label = "wrong" if errs < self.sensitivity else "equivalent"
        return Plan(json.dumps({"rationale": f"It was read as {label}.", "label": label}))

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return the planted rates under every arm."""
        return {
            (name, arm): rate
            for arm in arms
            for name, rate in (("sensitivity", self.sensitivity), ("specificity", self.specificity))
        }
