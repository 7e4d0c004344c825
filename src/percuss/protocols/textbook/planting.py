"""What `percuss selftest textbook` plants, and what simulated students are constructed with."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec

from percuss.core.ports import Blobs
from percuss.core.records import Case
from percuss.phantoms.selftest import SelftestPlan
from percuss.protocols.textbook.case import task_of

__all__ = ["PLAN", "extras"]


def extras(phantoms: Collection[str], held: Callable[[], Iterable[Case]], blobs: Blobs) -> Mapping[str, Any]:
    """Return what `phantom/student` is made with: the items of the run and its passages by id.

    Args:
        phantoms: names in the run. held: the cases of the run. blobs: not used.
    """
    del blobs
    if "student" not in phantoms:
        return {}
    tasks = [task_of(case) for case in held()]
    items = [msgspec.to_builtins(task.item) for task in tasks]
    return {
        "textbook_items": {
            "items": items,
            "passages": {task.item.passage: task.passage for task in tasks if task.passage},
        }
    }


PLAN = SelftestPlan(
    models=(
        "phantom/student",
        "phantom/student?closed=0.6&inverse=0.2&memorise=0.3&passage=0.3&wrong=0.6",
        "phantom/student?closed=0.2&inverse=0.1&memorise=0.8&passage=0.05&wrong=0.4",
    ),
    limit=150,
    arms=("closed_book", "passage", "wrong_passage", "continuation"),
    estimates=("hallucination_rate", "hdi_pooled", "distraction", "step_score", "memorised_share"),
    settings={"resamples": 1_000, "contamination": True},
)
