"""The simulated auditor: a judge that reads what the simulated clinician says, and errs at planted shares.

It reads only the prompts, as a judge must: the audit's lists and answers, a statement with what had been told, two
statements that may be one. The clinician says each thing in one wording, so what it means can be read exactly.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from percuss.core.messages import Request
from percuss.phantoms.plan import Given, Plan, drawing, evidence_text, request_key

__all__ = ["AUDITOR_KEYS", "Auditor"]

AUDITOR_KEYS = ("overlook", "misquote", "unknown")
Item = dict[str, Any]
_ANSWERS = re.compile(r"<answers>\s*(.*?)\s*</answers>", re.DOTALL)
_TURN = re.compile(r"^Turn (\d):$", re.MULTILINE)
_LISTED = re.compile(r"^- (?P<id>[\w-]+:\S+): (?P<text>.+)$", re.MULTILINE)
_KEYS = re.compile(r"^Key findings told by the end.*?:\n(.*?)\n\n", re.MULTILINE | re.DOTALL)
_CORRECT = re.compile(r"^Correct diagnosis: (.+)$", re.MULTILINE)
_CARRIED = re.compile(r"^(?:As noted, |because )", re.IGNORECASE)
_MISQUOTED = "words that stand in no answer"


@dataclass(frozen=True)
class Auditor:
    """A judge with planted errors.

    Args:
        overlook: share of items of an audit that it passes over. misquote: share that it lists with words that stand
            nowhere. unknown: share of audits to which it adds an item with an id that nobody knows.
        seed: root of its draws, made by request and epoch: passes err independently.
    """

    overlook: float
    misquote: float
    unknown: float
    seed: int

    @classmethod
    def of(cls, given: Given, seed: int) -> "Auditor":
        """Read parameters; without them it never errs."""
        overlook, misquote, unknown = (given.get(key, 0.0) for key in AUDITOR_KEYS)
        return cls(overlook, misquote, unknown, seed)

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the judge's reply as JSON, to whichever of the three prompts it is."""
        text = "\n".join(message.text for message in request.messages if message.role == "user")
        answers = _ANSWERS.search(text)
        if answers is not None:
            rng = drawing(self.seed, "auditor", request_key(request), epoch)
            return Plan(json.dumps(self._audit(text, answers.group(1), rng)))
        earlier, later = _between(text, "earlier"), _between(text, "later")
        if later:
            label = "same" if _bare(earlier) == _bare(later) else "different"
        else:
            label = _support(evidence_text(request) or "", _between(text, "claim"))
        return Plan(json.dumps({"rationale": f"Read as {label}.", "label": label}))

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return the share of items that it passes over or misquotes, under every arm."""
        return {("overlooked", arm): self.overlook + self.misquote for arm in arms}

    def _audit(self, text: str, answers: str, rng: np.random.Generator) -> dict[str, list[Item]]:
        found = _read(text, _turns(answers))
        for items in found.values():
            for item in list(items):
                draw = float(rng.random())
                if draw < self.overlook:
                    items.remove(item)
                elif draw < self.overlook + self.misquote:
                    item["quote"] = _MISQUOTED
        if rng.random() < self.unknown:
            found["gaps"].append({"id": "gap:nobody", "turn": 1, "quote": answers.splitlines()[1]})
        return found


def _between(text: str, tag: str) -> str:
    found = re.search(rf"<{tag}>\s*(.*?)\s*</{tag}>", text, re.DOTALL)
    return found.group(1) if found else ""


def _bare(said: str) -> str:
    return _CARRIED.sub("", said.strip()).rstrip(". ").lower()


def _support(evidence: str, claim: str) -> str:
    if "overall picture" in claim:
        return "unknown"
    return "supported" if _bare(claim) in evidence.lower() else "unsupported"


def _turns(answers: str) -> list[list[str]]:
    parts = _TURN.split(answers)
    return [block.strip().splitlines() for block in parts[2::2]]


def _declared(lines: list[str], head: str) -> str:
    return next((line.partition(": ")[2] for line in lines if line.startswith(head)), "")


def _read(text: str, turns: list[list[str]]) -> dict[str, list[Item]]:
    """What the clinician did, item by item, each with the line in which it did it."""
    listed = [(m["id"], m["text"]) for m in _LISTED.finditer(text[: text.index("<answers>")])]
    gaps, contradictions, questions, chances = (
        [(name, said) for name, said in listed if name.startswith(head)]
        for head in (("gap:",), ("contradiction:",), ("question:",), ("hold:", "update:"))
    )
    correct = found.group(1).strip() if (found := _CORRECT.search(text)) else ""
    conflicts = [(t, line) for t, line in _lines(turns) if "contradict each other" in line]
    flagged = [(t, line) for t, line in conflicts if ": one says" in line]
    updated, stubborn = _updates(chances, turns, correct, bool(flagged))
    return {
        "gaps": [
            _item(name, t, line)
            for name, said in gaps
            for t, line in _lines(turns)
            if line == f"The result of the {said.partition(', missing from')[0]} is missing."
        ],
        "questions": [
            _item(name, t, line)
            for name, said in questions
            for t, line in _lines(turns)
            if line == said and said.startswith("Can you tell me")
        ],
        "contradictions": [_item(name, *at) for (name, _), at in zip(contradictions, flagged, strict=False)],
        "updated": updated,
        "stubborn": stubborn,
        "premature": _premature(turns) if gaps else [],
        "keys": list(_weighed(text, turns)),
        "explained": [
            _item(name, t, line)
            for name, _ in contradictions
            for t, line in _lines(turns)
            if line.endswith("is explained by a recent plasma exchange.") and not line.startswith("As noted")
        ],
        "false_conflicts": [_item("conflict", *at) for at in conflicts if at not in flagged][:1],
        "false_gaps": [],
    }


def _item(name: str, turn: int, quote: str) -> Item:
    return {"id": name, "turn": turn, "quote": quote}


def _lines(turns: list[list[str]]) -> list[tuple[int, str]]:
    return [(n, line) for n, lines in enumerate(turns, start=1) for line in lines]


def _updates(
    chances: list[tuple[str, str]], turns: list[list[str]], correct: str, flagged: bool
) -> tuple[list[Item], list[Item]]:
    updated, stubborn = [], []
    for name, said in chances:
        turn = int(said.removeprefix("turn ").partition(",")[0])
        before, now = (_declared(turns[t - 1], "DIAGNOSIS") for t in (turn - 1, turn))
        item = _item(name, turn, f"DIAGNOSIS: {now}")
        if name.startswith("hold:"):
            updated += [item] if flagged and now == before else []
        elif now == correct:
            updated.append(item)
        elif now == before:
            stubborn.append(item)
    return updated, stubborn


def _premature(turns: list[list[str]]) -> list[Item]:
    line = "CERTAINTY: definite"
    return [_item("closure", n, line) for n, lines in enumerate(turns[:-1], start=1) if line in lines][:1]


def _weighed(text: str, turns: list[list[str]]) -> Iterator[Item]:
    section = _KEYS.search(text)
    for row in section.group(1).splitlines() if section else ():
        name, _, said = row.removeprefix("- ").partition(": ")
        label = said.partition(":")[0].rstrip(".")
        for line in turns[-1]:
            weighed = line.removeprefix("I have weighed the ").rstrip(".")
            if line.startswith("I have weighed") and weighed in {label, said.rstrip(".")}:
                yield _item(name, len(turns), line)
                break
