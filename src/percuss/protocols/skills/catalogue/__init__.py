"""The catalogue: all 63 tasks of the paper as data, with track, dimension, formats and metrics."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from percuss.core.errors import UsageError
from percuss.core.strict import Record

__all__ = ["EMPTY", "FORMATS", "METRICS", "SOURCE", "TRACKS", "CatalogueTask", "catalogue", "task_named"]

TRACKS = {
    "LLM": "text (CCR-LLM)", "multimodal": "images and text (CCR-multimodal)", "agent": "interaction (CCR-agent)",
    "MAS": "atomic skills (MAS, executable environments)",
}  # fmt: skip
"""Track -> what it is called (paper, section 2.1)."""
FORMATS = (
    "choice", "multi", "open", "extract", "class", "gen", "boxes", "ocr", "calc", "api", "dialogue", "plan", "environment",
)  # fmt: skip
METRICS = {
    "accuracy": "accuracy", "macro_recall": "macro-recall", "judge": "rubric judge", "micro_f1": "micro-F1", "iou": "IoU",
    "edit": "1 - normalised edit distance", "map": "MAP", "semantic_recall": "semantic recall",
    "defence": "defence success rate",
}  # fmt: skip
"""Metric -> what it is called (paper, appendix A)."""
EMPTY = "safety, ethics and compliance"
"""Dimension of the agent track that the paper names and gives no task; SafetyAgent stands for it."""
SOURCE = (
    "Source: MedBench v5 (2026), section 2.1 and appendix A: 59 tasks of clinical cognitive responsiveness (36 text, 12 "
    "multimodal, 11 agent) and 4 environments; the text of its section 2.1 says 52 datasets and 14 dimensions, the table "
    "lists 59 and 13. Descriptions are ours; the data of that benchmark are not public."
)


class CatalogueTask(Record):
    """One task of the catalogue.

    Args:
        name: as the paper has it. track: `LLM`, `multimodal`, `agent` or `MAS`. dimension: within the track; "" for MAS.
        formats: of its items. metrics: whose mean is its score. says: what it asks, in short.
        environment: what `--env` calls it; "" for tasks of the catalogue.
    """

    name: str
    track: str
    dimension: str
    formats: tuple[str, ...]
    metrics: tuple[str, ...]
    says: str
    environment: str = ""


@cache
def catalogue() -> tuple[CatalogueTask, ...]:
    """Return all tasks in the order of the paper."""
    held = tomllib.loads((Path(__file__).parent / "tasks.toml").read_text(encoding="utf-8"))
    return tuple(msgspec.convert(row, CatalogueTask) for row in held["task"])


def task_named(name: str) -> CatalogueTask:
    """Return a task by its name, however it is cased.

    Raises:
        UsageError: there is no such task.

    >>> task_named("medhg").dimension
    'knowledge'
    """
    found = {task.name.casefold(): task for task in catalogue()}.get(name.strip().casefold())
    if found is None:
        raise UsageError(f"no task is called {name!r}; `percuss skills list` prints all {len(catalogue())}")
    return found
