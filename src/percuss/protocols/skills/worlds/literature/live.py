"""Reports from a live source: topics on real drugs, records as PubMed or Crossref gave them, and the grade of both.

The records that an agent saw are part of what is left, so that a grade needs no network. No scripted agent knows them: gold is for the
offline index alone.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from percuss.core import ids
from percuss.core.errors import FetchError
from percuss.core.ports import Hit, Search
from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Final, Grade, Result, Script, Step, Task
from percuss.protocols.skills.worlds.desk import read
from percuss.protocols.skills.worlds.documents import grade_submission, quoted
from percuss.protocols.skills.worlds.literature import elements
from percuss.protocols.skills.worlds.literature.elements import Element
from percuss.protocols.skills.worlds.literature.grading import MOST_CLAIM, fits, graded, unstated
from percuss.protocols.skills.worlds.literature.tasks import Gold, gold_of, wording
from percuss.protocols.skills.worlds.literature.tools import (
    MOST_OPENED,
    MOST_RESULTS,
    MOST_TEXT,
    Evidence,
    LiteratureDesk,
    Opening,
    Searching,
    Submission,
)

__all__ = ["REAL", "LiveDesk", "Seen", "agents", "grade", "tasks"]

REAL = "real"
"""Kind of these tasks."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_RETRACTED = re.compile(r"\s*\[?(?:retracted|withdrawn)\b", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:retract\w*|withdr[ae]w\w*)\b", re.IGNORECASE)


class Seen(Record):
    """A record as the source gave it; `year` 0: it said none."""

    title: str
    text: str
    year: int = 0

    @property
    def is_retracted(self) -> bool:
        """Whether its title says that it was retracted."""
        return _RETRACTED.match(self.title) is not None


class _Submission(Submission, forbid_unknown_fields=False):
    """What was handed in, with the records that were seen."""

    records: dict[str, Seen] = {}


class LiveDesk(LiteratureDesk):
    """A live source as one task's agent reads it.

    Args:
        task: what is asked. seed: of the run. search: the source; what it answered stays in the run.
    """

    def __init__(self, task: Task, seed: int, search: Search) -> None:
        super().__init__(task, seed, None)
        self._source = search
        self._seen: dict[str, Seen] = {}

    def digest(self) -> str:
        """Return the digest of what was seen, noted and handed in."""
        return ids.b2(super().digest(), msgspec.to_builtins(self._seen))

    def submitted(self, round_: int) -> Any:
        """Return what was handed in during a round (`round_` from 0) with the records seen, or None."""
        handed = super().submitted(round_)
        return None if handed is None else {**handed, "records": msgspec.to_builtins(self._seen)}

    async def _search(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, Searching)
        if isinstance(asked, Result):
            return asked
        try:
            hits = await self._source.search(asked.query[:MOST_TEXT], k=max(1, min(asked.k, MOST_RESULTS)))
        except FetchError as error:
            return Result(text=f"The source gave no answer: {error}", outcome="error")
        found = {hit.id: _seen(hit) for hit in hits}
        shown = {
            name: each
            for name, each in found.items()
            if not each.year or asked.first <= each.year <= asked.last
        }
        self._seen.update(shown)
        return Result(text="\n".join(f"{name} | {each.year or 'no year'} | {each.title}" for name, each in shown.items()) or "Nothing was found.")  # fmt: skip

    async def _open(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, Opening)
        if isinstance(asked, Result):
            return asked
        names = list(dict.fromkeys(name for name in (asked.record, *asked.records) if name))[:MOST_OPENED]
        told = [
            f"{name} | {self._seen[name].title}\n{self._seen[name].text}"
            for name in names
            if name in self._seen
        ]
        return Result(
            text="\n\n".join(told) or "Expected ids of records that a search gave.",
            outcome="ok" if told else "error",
        )


def _seen(hit: Hit) -> Seen:
    years = _YEAR.findall(hit.text.splitlines()[0]) if hit.text else []
    return Seen(title=hit.title, text=hit.text, year=int(years[-1]) if years else 0)


@cache
def tasks() -> tuple[Task, ...]:
    """Return the tasks on real topics, one per drug."""
    told = tomllib.loads((Path(__file__).parent / "real.toml").read_text(encoding="utf-8"))
    return tuple(
        _task(drug, facts, tuple(each for each in told if each != drug)) for drug, facts in told.items()
    )


def _task(drug: str, facts: Mapping[str, Any], others: tuple[str, ...]) -> Task:
    named = [tuple(each["outcome"]) for each in facts["elements"]]
    expected = tuple(
        Element(
            id=each["outcome"][0], drug=drug, drugs=others, outcome=own, way=each["way"], records=(), alert=each.get("alert", False),
            rivals=tuple(name for other in named if other != own for name in other),
        )
        for each, own in zip(facts["elements"], named, strict=True)
    )  # fmt: skip
    gold = Gold(topic=drug, elements=expected, first=facts["first"], last=facts["last"])
    says = wording()["says"][REAL].format(
        drug=drug, condition=facts["condition"], first=gold.first, last=gold.last
    )
    name = f"literature-{REAL}-{drug.replace(' ', '-')}"
    return Task(
        id=name, kind=REAL, says=(f"{says} {wording()['close']['text']}",), gold=(msgspec.to_builtins(gold),)
    )


def grade(task: Task, final: Final) -> Grade:
    """Grade a report on a real topic as one on the index: what it says and backs, times what its evidence is worth.

    Args:
        task: on a real topic. final: what is left, the records that were seen among it.
    """
    return grade_submission(
        final, _Submission(sections=()), fits=fits, worth=lambda one: _worth(gold_of(task), one)
    )


def _worth(gold: Gold, submission: _Submission) -> Grade:
    sections = [f"{each.heading}\n\n{each.text}" for each in submission.sections]
    faults = [_faults(each, gold, submission.records, sections) for each in submission.evidence]
    reliable = [each.claim for each, found in zip(submission.evidence, faults, strict=True) if not found]
    said = [each for each in gold.elements if elements.read(each, sections).label == "said"]
    backed = [
        each for each in said if any(elements.read(each, [claim]).label == "said" for claim in reliable)
    ]
    cited = {each.record for each in submission.evidence}
    inside = sum(_in_range(submission.records[name], gold) for name in cited if name in submission.records)
    return graded(gold, said, backed, faults, timely=100 * inside / len(cited) if cited else None)


def _in_range(seen: Seen, gold: Gold) -> bool:
    return gold.first <= seen.year <= gold.last


def _faults(
    evidence: Evidence, gold: Gold, records: Mapping[str, Seen], sections: list[str]
) -> frozenset[str]:
    seen = records.get(evidence.record)
    if seen is None:
        return frozenset({"invented id"})
    text = f"{seen.title}. {seen.text}"
    noticed = any(_CALLED.search(each) for each in (*sections, evidence.claim))
    found = {
        "out of range": not _in_range(seen, gold),
        "outside the constraints": gold.topic not in text.lower(),
        "no such quote": quoted(evidence.quote, seen.text) is None,
        "retracted, unnoticed": seen.is_retracted and not noticed,
        "claim against record": not 0 < len(evidence.claim.strip()) <= MOST_CLAIM
        or unstated(evidence.claim, text),
    }
    return frozenset(fault for fault, there in found.items() if there)


def agents(task: Task) -> Mapping[str, Script]:
    """Return nothing, liar and random for a `task`; what a source will answer nobody knows, so there is no gold."""
    gold = gold_of(task)
    look = Step(tool="search", arguments={"query": gold.topic, "first": gold.first, "last": gold.last})
    guess = {"sections": [{"heading": "", "text": f"{gold.topic} helps."}], "evidence": []}
    return {
        "nothing": Script(steps=((),), says=("",)),
        "liar": Script(steps=((look,),), says=("The report is handed in, every citation was checked.",)),
        "random": Script(steps=((look, Step(tool="submit", arguments=guess)),), says=("Done.",)),
    }
