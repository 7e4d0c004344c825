"""The grade of a report: expected elements that it says and backs, and what its evidence is worth.

score = share of expected elements that are said and backed by reliable evidence x share of the evidence that is reliable
(definitions/skills, sections 3 and 4). Evidence is reliable when the record exists, lies in the years and within the constraints, holds
the quote to the letter and does not speak against the claim, and a retracted report is called retracted.
"""

from collections.abc import Sequence

from percuss.protocols.skills.worlds.contract import Final, Grade, Task
from percuss.protocols.skills.worlds.documents import grade_submission, quoted
from percuss.protocols.skills.worlds.literature.elements import Element, read
from percuss.protocols.skills.worlds.literature.expected import element
from percuss.protocols.skills.worlds.literature.index import Entry, index
from percuss.protocols.skills.worlds.literature.tasks import Gold, gold_of
from percuss.protocols.skills.worlds.literature.tools import (
    MOST_EVIDENCE,
    MOST_SECTIONS,
    MOST_TEXT,
    Evidence,
    Submission,
)
from percuss.text.numbers import numbers

__all__ = ["MOST_CLAIM", "faults_of", "fits", "grade", "graded", "unstated"]

MOST_CLAIM = 600
CARRIED = ("benefit", "pooled", "split", "null", "harm", "alert", "interaction", "notice")
"""Roles whose record carries an element, so that a claim can be held against it."""


def grade(task: Task, final: Final) -> Grade:
    """Grade what was handed in for a `task`; `final` is what is left, of which the log is not needed."""
    return grade_submission(final, Submission(sections=()), fits=fits, worth=lambda one: _worth(task, one))


def fits(submission: Submission) -> bool:
    """Tell whether a `submission` keeps the bounds that the tool states."""
    long = any(len(each.text) > MOST_TEXT or len(each.heading) > MOST_TEXT for each in submission.sections)
    many = len(submission.sections) > MOST_SECTIONS or len(submission.evidence) > MOST_EVIDENCE
    return not (long or many)


def _worth(task: Task, submission: Submission) -> Grade:
    gold = gold_of(task)
    sections = [f"{each.heading}\n\n{each.text}" for each in submission.sections]
    faults = [faults_of(each, gold, sections) for each in submission.evidence]
    reliable = {each.record for each, found in zip(submission.evidence, faults, strict=True) if not found}
    said = [each for each in gold.elements if read(each, sections).label == "said"]
    backed = [each for each in said if reliable & set(each.records)]
    cited, known = {each.record for each in submission.evidence}, index().entries
    inside = sum(name in known and gold.in_range(known[name]) for name in cited)
    return graded(gold, said, backed, faults, timely=100 * inside / len(cited) if cited else None)


def graded(
    gold: Gold,
    said: Sequence[Element],
    backed: Sequence[Element],
    faults: Sequence[frozenset[str]],
    *,
    timely: float | None,
) -> Grade:
    """Return the grade of a report.

    Args:
        gold: of the task. said, backed: expected elements that it says, and that reliable evidence backs too.
        faults: of each piece of evidence; empty: it is reliable. timely: share of cited records in the years, 0 to 100.
    """
    share = sum(not each for each in faults) / len(faults) if faults else 0.0
    grave = sorted(
        {fault for each in faults for fault in each if fault in {"invented id", "retracted, unnoticed"}}
    )
    return Grade(
        score=100 * len(backed) / len(gold.elements) * share,
        parts=_parts(gold, said, backed, faults, timely),
        reason="; ".join(grave) or ("" if faults else "no evidence"),
    )


def _parts(
    gold: Gold,
    said: Sequence[Element],
    backed: Sequence[Element],
    faults: Sequence[frozenset[str]],
    timely: float | None,
) -> dict[str, float | None]:
    alerts = [each for each in gold.elements if each.alert]

    def without(*named: str) -> float | None:
        return 100 * sum(not each & set(named) for each in faults) / len(faults) if faults else None

    return {
        "semantic_recall": 100 * len(said) / len(gold.elements),
        "backed_recall": 100 * len(backed) / len(gold.elements),
        "alerts": 100 * sum(each in said for each in alerts) / len(alerts) if alerts else None,
        "timeliness": timely,
        "citation_precision": without("invented id", "no such quote", "claim against record"),
        "real_ids": without("invented id"),
        "retractions_noticed": without("retracted, unnoticed"),
        "reliability": 100 * sum(not each for each in faults) / len(faults) if faults else None,
    }


def faults_of(evidence: Evidence, gold: Gold, sections: list[str]) -> frozenset[str]:
    """Return what is wrong with a piece of evidence, in words; nothing: it is reliable.

    Args:
        evidence: as handed in. gold: of the task. sections: texts of the report, where a retraction may be told.
    """
    entry = index().entries.get(evidence.record)
    if entry is None:
        return frozenset({"invented id"})
    found = set()
    if not gold.in_range(entry):
        found.add("out of range")
    if not gold.allowed(entry):
        found.add("outside the constraints")
    if quoted(evidence.quote, entry.text) is None:
        found.add("no such quote")
    if entry.role == "retracted" and not _noticed(entry, [*sections, evidence.claim]):
        found.add("retracted, unnoticed")
    if _against(evidence.claim, entry):
        found.add("claim against record")
    return frozenset(found)


def _noticed(entry: Entry, texts: list[str]) -> bool:
    return read(element(index(), entry.topic, "notice"), texts).label == "said"


def _against(claim: str, entry: Entry) -> bool:
    """Tell whether a claim is empty, or says what the record doesn't: another number, another drug, the other way."""
    if not claim.strip() or len(claim) > MOST_CLAIM:
        return True
    text = f"{entry.title}. {entry.text} {entry.id}"
    if unstated(claim, text):
        return True
    names = {name for each in index().topics.values() for name in (each.drug, each.other)}
    low, there = claim.lower(), text.lower()
    if any(name in low and name not in there for name in names):
        return True
    if entry.role not in CARRIED:
        return False
    return read(element(index(), entry.topic, entry.role), [claim]).label in {"other", "contested"}


def unstated(claim: str, text: str) -> bool:
    """Tell whether a `claim` gives a percentage that the `text` of its record doesn't."""
    stated = {(each.value, each.unit) for each in numbers(text)}
    return any((each.value, each.unit) not in stated for each in numbers(claim) if each.unit == "%")
