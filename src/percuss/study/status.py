"""How a study stands: who has done how much, how long it takes, what needs a third person."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from percuss.core.records import Record
from percuss.study.answers import any_differ
from percuss.study.store import work
from percuss.study.store.people import Person, everybody
from percuss.study.store.work import Labelled, Progress
from percuss.study.study import Study

__all__ = ["PersonStatus", "Status", "status"]


class PersonStatus(Record):
    """One person's progress. `minutes` is active time over all items, `seconds` the median of one."""

    code: str
    role: str
    joined: bool
    practised: int
    done: int
    total: int
    minutes: float
    seconds: float | None
    cant: int
    last: str
    left: bool = False


class Status(Record):
    """The whole study's progress.

    Args:
        answered_twice: items on which everybody who was to answer has; disagreements: those of them that differ.
        masked: names of models and makers that were masked.
    """

    name: str
    design: str
    items: int
    labels_done: int
    labels_total: int
    answered_twice: int
    disagreements: int
    settled: int
    masked: int
    people: tuple[PersonStatus, ...]


def _person(
    person: Person, labels: Sequence[Labelled], progress: Progress, settled: int, differing: int
) -> PersonStatus:
    times = [label.given.active_ms / 1000 for label in labels]
    settles = person.role == "adjudicator"
    return PersonStatus(
        code=person.code,
        role=person.role,
        joined=person.joined,
        practised=person.practised,
        done=settled if settles else progress.done,
        total=differing if settles else progress.total,
        minutes=sum(times) / 60,
        seconds=median(times) if times else None,
        cant=sum(bool(label.given.cant) for label in labels),
        last=progress.saved_at,
        left=person.left,
    )


def status(study: Study) -> Status:
    """Return how a study stands."""
    with study.database.read() as connection:
        persons = everybody(connection)
        labels = study.labels(connection)
        settled = work.agreed(connection)
        complete = work.answered_by_all(connection, labels)
        items = study.all_items(connection)
        progress = {person.code: work.progress(connection, person.code) for person in persons}
    differing = sum(any_differ(study.design, [one.given for one in given]) for given in complete.values())
    by_rater: dict[str, list[Labelled]] = defaultdict(list)
    for one in labels:
        by_rater[one.rater].append(one)
    rows = [
        _person(
            person,
            by_rater[person.code],
            progress[person.code],
            len(settled),
            differing,
        )
        for person in persons
    ]
    judging = [row for row in rows if row.role in ("rater", "imported")]
    return Status(
        name=study.settings.name,
        design=study.design.name,
        items=len(items),
        labels_done=sum(row.done for row in judging),
        labels_total=sum(row.total for row in judging),
        answered_twice=len(complete),
        disagreements=differing,
        settled=len(settled),
        masked=sum(len(item.masks) for item in items.values()),
        people=tuple(rows),
    )
