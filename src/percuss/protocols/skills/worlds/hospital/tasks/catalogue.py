"""All tasks of a seed: each family written four times, with rounds that all have an answer."""

from functools import lru_cache

import msgspec

from percuss.core.ids import canonical_json
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.hospital.data import Draw
from percuss.protocols.skills.worlds.hospital.tasks import anomaly, conditions, extraction, time
from percuss.protocols.skills.worlds.hospital.tasks.round import Asked, Book, Family, book_of

__all__ = ["KINDS", "tasks_of"]

EACH = 4
ATTEMPTS = 200
MOST = 60
"""Rows of a right answer at the most: more is no question that anybody would answer by hand."""
KINDS: dict[str, tuple[Family, ...]] = {
    "extraction": (
        extraction.patient_file,
        extraction.report_sheet,
        extraction.drug_chart,
        extraction.note_and_file,
    ),
    "recent": (time.latest_pair, time.last_encounter, time.latest_of_all),
    "trend": (time.series, time.fall_over_time, time.emergency_quarters),
    "conditions": (conditions.diagnosis_and_drug, conditions.two_drugs, conditions.without_labs),
    "anomaly": (anomaly.misplaced_decimal, anomaly.sent_twice, anomaly.impossible_dates, anomaly.wrong_bed),
}
"""Kind -> its families (papers/3 section 2.1 and appendix A: extraction, most recent, multi-condition, trend, anomaly)."""


@lru_cache(maxsize=4)
def tasks_of(seed: int) -> tuple[Task, ...]:
    """Return all tasks of a seed; kinds and families take turns, so that any beginning is a fair sample.

    Args:
        seed: of the hospital, its questions included.
    """
    written: dict[str, list[Task]] = {kind: [] for kind in KINDS}
    for kind, families in KINDS.items():
        seen: set[bytes] = set()
        for number in range(EACH * len(families)):
            family = families[number % len(families)]
            written[kind].append(_task(book_of(seed), kind, family, number, seed, seen))
    longest = max(len(tasks) for tasks in written.values())
    turns = (tasks[i] for i in range(longest) for tasks in written.values() if i < len(tasks))
    return tuple(turns)


def _task(book: Book, kind: str, family: Family, number: int, seed: int, seen: set[bytes]) -> Task:
    for attempt in range(ATTEMPTS):
        draw = Draw(seed, "task", kind, number, attempt)
        rounds = [book.asked(each) for each in family(book, draw)]
        if all(0 < len(each.gold.rows) <= MOST for each in rounds):
            key = canonical_json([each.says for each in rounds])
            if key not in seen:
                seen.add(key)
                return _made(kind, number, rounds)
    raise ValueError(f"{family.__name__} found no question with an answer for seed {seed}; take another seed")


def _made(kind: str, number: int, rounds: list[Asked]) -> Task:
    return Task(
        id=f"data-{kind}-{number + 1:02d}",
        kind=kind,
        says=tuple(each.says for each in rounds),
        gold=tuple(msgspec.to_builtins(each.gold) for each in rounds),
        setting={"steps": [msgspec.to_builtins(each.step) for each in rounds]},
    )
