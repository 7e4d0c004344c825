"""Scripted agents of the index: the ends of the scale, what each rule has to catch, and a dial of skill."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from percuss.core.seeds import generator
from percuss.protocols.skills.worlds.contract import Script, Step, Task
from percuss.protocols.skills.worlds.literature.index import Entry, index, words_of
from percuss.protocols.skills.worlds.literature.tasks import Gold, gold_of

__all__ = ["agents", "script"]

LIES = "The report is handed in: all findings, numbers and risk alerts are in it, every citation was checked, score 100."


def agents(task: Task, seed: int) -> Mapping[str, Script]:
    """Return the agents of a `task`, `seed` being for the random one.

    Beside gold, nothing, liar and random: `reverser` says the opposite of each finding, `sibling` says all of the other drug,
    `inventor` reports from records that don't exist, `believer` adds the retracted report without a word about it.
    """
    gold = gold_of(task)
    right = _report(gold, _roles(gold))
    return {
        "gold": _script(task, right),
        "nothing": Script(steps=((),), says=("",)),
        "liar": Script(steps=((_search(task),),), says=(LIES,)),
        "random": _script(task, _random(generator(seed, "random", task.id))),
        "reverser": _script(task, _report(gold, _roles(gold), "reversed")),
        "sibling": _script(task, _renamed(right, gold)),
        "inventor": _script(
            task, {**right, "evidence": [{**each, "record": "PX-9001"} for each in right["evidence"]]}
        ),
        "believer": _script(task, _believing(gold)),
    }


def script(task: Task, seed: int, skill: float) -> Script:
    """Return an agent that finds each expected element with probability `skill` and backs what it found.

    Its score is the share of elements found, so its expectation over tasks is 100 x skill.

    Args:
        task: of this world. seed: of the draws, which are by task and element. skill: 0 to 1.
    """
    gold = gold_of(task)
    found = [role for role in _roles(gold) if generator(seed, "recall", task.id, role).random() < skill]
    return _script(task, _report(gold, found))


def _roles(gold: Gold) -> list[str]:
    return [each.id for each in gold.elements]


def _search(task: Task) -> Step:
    gold = gold_of(task)
    return Step(
        tool="search", arguments={"query": gold.topic, "k": 10, "first": gold.first, "last": gold.last}
    )


def _script(task: Task, submission: dict[str, Any]) -> Script:
    opened = list(dict.fromkeys(each["record"] for each in submission["evidence"]))
    steps = (
        Step(
            tool="plan", arguments={"plan": "Search the drug, open what is in range, check for retractions."}
        ),
        _search(task),
        *([Step(tool="open", arguments={"records": opened})] if opened else []),
        Step(tool="submit", arguments=submission),
    )
    return Script(steps=(steps,), says=("Done.",))


@cache
def _sentences() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "reports.toml").read_text(encoding="utf-8"))


def _report(gold: Gold, roles: Iterable[str], told: str = "said") -> dict[str, Any]:
    entries = [index().of(gold.topic, role) for role in roles]
    texts = [_sentences()[told][each.role].format(**_words(gold, each)) for each in entries]
    return {
        "sections": [{"heading": "Findings", "text": " ".join(texts)}] if texts else [],
        "evidence": [_evidence(text, entry) for text, entry in zip(texts, entries, strict=True)],
    }


def _words(gold: Gold, entry: Entry) -> dict[str, Any]:
    return {**words_of(index().topics[gold.topic]), "id": entry.id, "linked": entry.linked}


def _evidence(claim: str, entry: Entry) -> dict[str, str]:
    return {"claim": claim, "record": entry.id, "quote": entry.finding}


def _renamed(report: dict[str, Any], gold: Gold) -> dict[str, Any]:
    other = index().topics[gold.topic].other

    def named(text: str) -> str:
        return text.replace(gold.topic, other).replace(gold.topic.capitalize(), other.capitalize())

    sections = [{**each, "text": named(each["text"])} for each in report["sections"]]
    return {
        "sections": sections,
        "evidence": [{**each, "claim": named(each["claim"])} for each in report["evidence"]],
    }


def _believing(gold: Gold) -> dict[str, Any]:
    """Return gold without its word on the retraction, and with the retracted report as one more finding."""
    entry = index().of(gold.topic, "retracted")
    right = _report(gold, [role for role in _roles(gold) if role != "notice"])
    return {
        "sections": [*right["sections"], {"heading": "Survival", "text": entry.finding}],
        "evidence": [*right["evidence"], _evidence(entry.finding, entry)],
    }


def _random(rng: np.random.Generator) -> dict[str, Any]:
    entries = list(index().entries.values())
    drawn = [entries[int(place)] for place in rng.choice(len(entries), size=5, replace=False)]
    return {
        "sections": [{"heading": "Findings", "text": " ".join(each.finding for each in drawn)}],
        "evidence": [_evidence(each.finding, each) for each in drawn],
    }
