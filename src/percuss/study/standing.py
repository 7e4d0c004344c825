"""What the coordinator's page shows, in one piece: of a small study as it is now, of a large one a few seconds old at most.

Counting again what 10,000 labels say takes longer than a page may. Whoever asks gets what was counted last, and the next
count begins beside it, so that neither this page nor the raters who save meanwhile wait for it.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from percuss.core.records import Record
from percuss.study import lifecycle
from percuss.study.agreement import agreement
from percuss.study.alarms import Alarm, alarms
from percuss.study.figures import Report
from percuss.study.status import Status, disagreements, status_on
from percuss.study.store import ledger, work
from percuss.study.study import Study

__all__ = ["Flagged", "Standing", "report_so_far", "standing"]

T = TypeVar("T")
FEW = 1000  # labels up to which everything is counted while the page is asked for
STANDING_S, REPORT_S = 3.0, 15.0  # age at which a large study's figures are counted again
QUICK_B = 200  # resamples of the page's intervals; the command line draws as many as the statistics ask for


class Flagged(Record):
    """An item that somebody could not judge, with the reason."""

    item: str
    who: str
    why: str
    notes: str


class Standing(Record):
    """How a study stands, for its coordinator.

    Args:
        at: when it was counted. state, following: where its life is, and where it may go.
        reserve: items that were offered and not drawn. differing: number and id of items on which people differ.
        settled: numbers of those that are settled. entries, head: of the ledger.
    """

    at: str
    status: Status
    state: str
    following: tuple[str, ...]
    reserve: int
    differing: tuple[tuple[int, str], ...]
    settled: frozenset[int]
    alarms: tuple[Alarm, ...]
    flagged: tuple[Flagged, ...]
    entries: int
    head: str
    newest: tuple[int, int]


def standing(study: Study) -> Standing:
    """Return how a study stands; of a study with many labels it may be a few seconds old, and says of when it is."""
    with study.database.peek() as connection:
        stamp = ledger.head(connection)
    found = _latest(study, "standing", stamp, lambda: _counted(study), STANDING_S, wait=True)
    assert found is not None
    return found


def report_so_far(study: Study, now: Standing) -> Report | None:
    """Return the agreement so far; None where it is being counted for the first time, beside the page.

    Args:
        study: open. now: how it stands.
    """
    stamp = (now.newest, now.settled)
    return _latest(study, "report", stamp, lambda: agreement(study, B=QUICK_B), REPORT_S, wait=False)


def _latest(
    study: Study, key: str, stamp: Any, count: Callable[[], T], age_s: float, *, wait: bool
) -> T | None:
    """Return what was counted last; count anew where it is out of date: at once where that is little work, else beside."""
    memo = (
        study.memo
    )  # an action of the coordinator puts another in its place: what is counted for this one is then lost
    kept = memo.get(key)
    if kept is not None and kept[0] == stamp:
        return kept[2]  # type: ignore[no-any-return]
    if study.held <= FEW or (kept is None and wait):
        memo[key] = (stamp, time.monotonic(), count())
        return memo[key][2]  # type: ignore[no-any-return]
    if kept is None or kept[1] < time.monotonic() - age_s:
        _begin(memo, key, stamp, count)
    return None if kept is None else kept[2]


def _begin(memo: dict[str, Any], key: str, stamp: Any, count: Callable[[], Any]) -> None:
    with BEGINNING:
        if f"{key} under way" in memo:
            return
        memo[f"{key} under way"] = True

    def anew() -> None:
        try:
            memo[key] = (stamp, time.monotonic(), count())
        finally:
            memo.pop(f"{key} under way", None)

    threading.Thread(target=anew, name=f"percuss-study-{key}", daemon=True).start()


BEGINNING = threading.Lock()


def _counted(study: Study) -> Standing:
    with study.database.read() as connection:
        entries, head = ledger.head(connection)
        state, labels = lifecycle.state_of(connection), study.labels(connection)
        differing = tuple((n, study.item(connection, n).id) for n in disagreements(study, connection))
        flagged = tuple(
            Flagged(
                item=study.item(connection, label.item).id,
                who=label.rater,
                why=label.given.cant,
                notes=label.given.notes,
            )
            for label in labels
            if label.given.cant
        )
        return Standing(
            at=ledger.now(),
            status=status_on(study, connection),
            state=state,
            following=lifecycle.NEXT[state],
            reserve=lifecycle.in_reserve(connection),
            differing=differing,
            settled=frozenset(work.agreed(connection)),
            alarms=alarms(labels, study.design, study.all_items(connection)),
            flagged=flagged,
            entries=entries,
            head=head,
            newest=work.newest(connection),
        )
