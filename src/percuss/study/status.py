"""How a study stands: who has done how much, how long it takes, what needs a third person."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from sqlalchemy import Connection

from percuss.core.records import Record
from percuss.study.answers import any_differ
from percuss.study.store import work
from percuss.study.store.people import Person, everybody
from percuss.study.store.work import Labelled, Progress
from percuss.study.study import Study

__all__ = ["PersonStatus", "Status", "disagreements", "status", "status_on", "unsettled"]


NOTHING = Progress(done=0, total=0)


class PersonStatus(Record):
    """One person's progress. `minutes` is active time over all items, `seconds` the median of one; `again`: invited anew."""

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
    again: bool = False

    @property
    def unfinished(self) -> bool:
        """Whether items are open on this person's list."""
        return self.done < self.total


class Status(Record):
    """The whole study's progress.

    Args:
        labels_total: answers there will be; places that somebody left without one are open to nobody until they are reassigned.
        answered_twice: items on which everybody who was to answer has; disagreements: those of them that differ.
        masked: names of models and makers that were masked.
        seconds: median active time of an answer, over everybody; None before the first.
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
    seconds: float | None
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
        again=person.invitation > 1,
    )


def _complete(study: Study, connection: Connection) -> tuple[int, dict[int, list[Labelled]]]:
    """Return how many items everybody asked has answered, and those on which people differ; kept until a label comes or changes."""
    newest = work.newest(connection)
    known = study.memo.get("complete")
    if known is None or known[0] != newest:
        complete = work.answered_by_all(connection, study.labels(connection))
        differing = {
            n: got for n, got in complete.items() if any_differ(study.design, [one.given for one in got])
        }
        known = study.memo["complete"] = (newest, len(complete), differing)
    return known[1], known[2]


def disagreements(study: Study, connection: Connection) -> dict[int, list[Labelled]]:
    """Return items on which people who have all answered differ, settled ones included."""
    return _complete(study, connection)[1]


def unsettled(study: Study, connection: Connection) -> int:
    """Return on how many items people differ and nobody has settled it."""
    return len(disagreements(study, connection).keys() - work.agreed(connection).keys())


def status(study: Study) -> Status:
    """Return how a study stands."""
    with study.database.read() as connection:
        return status_on(study, connection)


def status_on(study: Study, connection: Connection) -> Status:
    """Return how a study stands, as one view of its database has it."""
    persons = everybody(connection)
    labels = study.labels(connection)
    settled = work.agreed(connection)
    items = study.all_items(connection)
    progress = work.progress_of_all(connection)
    answered, differ = _complete(study, connection)
    by_rater: dict[str, list[Labelled]] = defaultdict(list)
    for one in labels:
        by_rater[one.rater].append(one)
    rows = [
        _person(
            person,
            by_rater[person.code],
            progress.get(person.code, NOTHING),
            len(settled),
            len(differ),
        )
        for person in persons
    ]
    judging = [row for row in rows if row.role in ("rater", "imported")]
    return Status(
        name=study.settings.name,
        design=study.design.name,
        items=len(items),
        labels_done=sum(row.done for row in judging),
        labels_total=sum(row.done if row.left else row.total for row in judging),
        answered_twice=answered,
        disagreements=len(differ),
        settled=len(settled),
        masked=sum(len(item.masks) for item in items.values()),
        seconds=median(label.given.active_ms / 1000 for label in labels) if labels else None,
        people=tuple(rows),
    )
