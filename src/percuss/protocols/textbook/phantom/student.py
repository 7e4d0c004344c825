"""A student that knows every item and every passage, and errs, is distracted or recites as planted."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from percuss.core.ids import canonical_json, digest
from percuss.core.messages import Request
from percuss.core.strict import Record
from percuss.phantoms.plan import Plan, Truth, drawing
from percuss.protocols.textbook.items.item import letters

__all__ = ["KEYS", "Student", "Tendencies"]

_PASSAGE = re.compile(r"<passage>\s*(.*?)\s*</passage>", re.DOTALL)
DEFAULTS: Mapping[str, float] = {"closed": 0.4, "passage": 0.1, "wrong": 0.5, "inverse": 0.0, "memorise": 0.0}
KEYS = tuple(DEFAULTS)
NOISE = (
    "The rest of this paragraph goes on with other matters in words of its own and says nothing of that book."
)
WRONG = "It is something else altogether."


class Tendencies(Record):
    """Planted shares.

    Args:
        closed, passage, wrong: share of wrong answers closed book, with the passage, with another one.
        inverse: added for inverse questions, in every arm. memorise: share of passages that are known by heart.
    """

    closed: float
    passage: float
    wrong: float
    inverse: float
    memorise: float

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "Tendencies":
        """Return the shares of a name's keys, the rest as they are by default."""
        return cls(**{**DEFAULTS, **given})


class Student:
    """A model that answers the items that it was constructed with.

    Args:
        tendencies: planted. seed: root of its draws.
        known: `items` (fields of items, by question) and `passages` (text -> the passage whole), handed over and never read
            from a message.
    """

    def __init__(self, tendencies: Tendencies, seed: int, known: Mapping[str, Any]) -> None:
        self._shares, self._seed, self._known = tendencies, seed, known
        self._name = digest(canonical_json(tendencies))

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the answer to the question of a request; what it doesn't recognise it says it doesn't know."""
        text = "\n".join(message.text for message in request.messages if message.role == "user")
        recited = self._recited(text)
        if recited is not None:
            return _plan(recited, "supported")
        shown = _PASSAGE.search(text)
        asked = text if shown is None else text.replace(shown[0], "")
        item = self._item(asked)
        if item is None:
            return _plan("I don't know.", "unsupported")
        share = self._share(item, shown[1] if shown else None)
        draws = drawing(self._seed, "student", self._name, item["id"], self._arm(item, shown), epoch)
        errs = float(draws.random()) < share
        return _plan(_wrong(item, draws) if errs else _right(item), "unsupported" if errs else "supported")

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return (estimate, arm) -> value that the planted shares imply, by the exact scorer."""
        shares = {
            "closed_book": self._shares.closed,
            "passage": self._shares.passage,
            "wrong_passage": self._shares.wrong,
        }
        there = [arm for arm in arms if arm in shares]
        made = {("hallucination_rate", arm): shares[arm] for arm in there}
        made |= {("step_score", arm): 1 - min(1.0, shares[arm] + self._shares.inverse) for arm in there}
        if {"closed_book", "passage"} <= set(there):
            made["hallucination_rate_effect", "passage"] = self._shares.passage - self._shares.closed
            if self._shares.closed:
                made["hdi_pooled", "passage"] = 1 - self._shares.passage / self._shares.closed
        if {"closed_book", "wrong_passage"} <= set(there):
            made["distraction", "wrong_passage"] = self._shares.wrong - self._shares.closed
        if "continuation" in arms:
            made["memorised_share", "continuation"] = self._shares.memorise
        return made

    def _item(self, asked: str) -> Mapping[str, Any] | None:
        """Return the item whose words stand in the question; of a forward and an inverse one, which is put."""
        found = [item for item in self._known.get("items", ()) if item["question"] in asked]
        put = [
            item
            for item in found
            if bool(item["given_answer"])
            == (
                item["given_answer"] in asked
                if item["given_answer"]
                else "wrong answer" in asked or "to a wrong" in asked
            )
        ]
        return max(put or found, key=lambda item: len(item["question"]), default=None)

    def _arm(self, item: Mapping[str, Any], shown: re.Match[str] | None) -> str:
        if shown is None:
            return "closed_book"
        return "passage" if shown[1] == self._passage(item) else "wrong_passage"

    def _passage(self, item: Mapping[str, Any]) -> str:
        return str(self._known.get("passages", {}).get(item["passage"], ""))

    def _share(self, item: Mapping[str, Any], shown: str | None) -> float:
        if shown is None:
            share = self._shares.closed
        else:
            share = self._shares.passage if shown == self._passage(item) else self._shares.wrong
        return share + self._shares.inverse * str(item["type"]).endswith("inverse")

    def _recited(self, text: str) -> str | None:
        """Return what follows the beginning of a passage that stands at the end of the request; None for a question."""
        if "Write on" not in text:
            return None
        end = text.strip()[-60:]
        for name, passage in self._known.get("passages", {}).items():
            at = passage.find(end)
            if at >= 0:
                known = drawing(self._seed, "heart", self._name, name).random() < self._shares.memorise
                return str(passage[at + len(end) :]).strip() if known else NOISE
        return NOISE


def _plan(text: str, label: str) -> Plan:
    return Plan(text, (Truth(0, len(text), label),))


def _letter(item: Mapping[str, Any], option: str) -> str:
    options = tuple(item["options"])
    return letters(options)[options.index(option)]


def _right(item: Mapping[str, Any]) -> str:
    kind = item["type"]
    if kind == "true_false":
        return "True" if item["answer"] == "true" else "False"
    if kind == "multiple_choice":
        return _letter(item, item["answer"])
    if kind == "list":
        entries = (
            [_letter(item, each) for each in item["answers"]] if item["options"] else list(item["answers"])
        )
        return ", ".join(sorted(entries))
    if kind == "multi_hop_inverse":
        return f"Step {item['wrong_step']}. {item['explanation']}"
    return str(item["explanation"] if kind == "short_inverse" else item["answer"])


def _wrong(item: Mapping[str, Any], draws: np.random.Generator) -> str:
    kind = item["type"]
    if kind == "true_false":
        return "False" if item["answer"] == "true" else "True"
    if kind == "multiple_choice":
        others = [option for option in item["options"] if option != item["answer"]]
        return _letter(item, others[int(draws.integers(len(others)))])
    if kind == "list":
        others = [option for option in item["options"] if option not in item["answers"]]
        if not others:
            return WRONG
        right = list(item["answers"])[1:]
        return ", ".join(
            sorted(_letter(item, each) for each in [*right, others[int(draws.integers(len(others)))]])
        )
    if kind == "multi_hop_inverse":
        steps = range(1, len(item["reasoning"]) + 1)
        return f"Step {max(steps, key=lambda step: abs(step - item['wrong_step']))}. {WRONG}"
    return WRONG
