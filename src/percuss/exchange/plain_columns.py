"""Tables with plain column names: a question, what was given, and one column of answers per model."""

import re
from collections.abc import Mapping
from typing import Any

from percuss.exchange.evaluation_sets import Layout

__all__ = ["plain_layout"]

_EVIDENCE = (
    "evidence", "context", "contexts", "retrieved_contexts", "passage", "passages", "source_text", "source", "sources",
    "document", "documents", "note", "notes", "record", "chart", "knowledge", "report",
)  # fmt: skip
_FIELDS = {
    "id": ("id", "case_id", "case", "patient_id", "item_id", "item", "nr", "no", "number", "row"),
    "question": ("question", "query", "prompt", "user_input", "instruction", "input"),
    "cluster": ("cluster", "patient"),
    "stratum": ("stratum",),
    "reference": ("reference", "gold", "ground_truth", "expected_answer", "expected_output"),
    "model": ("model", "model_name"),
    "arm": ("arm",),
}
_ANSWERS = (
    "answer",
    "response",
    "output",
    "completion",
    "prediction",
    "model_answer",
    "model_output",
    "model_response",
)
_OF_MODEL = re.compile(r"(?:answer|response|output)_(?:of_)?(.+)|(.+)_(?:answer|response|output)")
_NOT_A_MODEL = frozenset(
    {"gold", "expected", "reference", "correct", "true", "model", "id", "time", "date", "tokens", "length"}
)
"""What stands where a model's name would and is none (`gold_answer`, `answer_id`)."""


def plain_layout(row: Mapping[str, Any]) -> Layout | None:
    """Return the layout of a table by the names of its columns; None where nothing in it can be the evidence.

    Args:
        row: the first row; names are compared without case, blanks and hyphens. `answer_gpt` and `gpt_answer` are a
            model's answers, `answer` or `response` those of the one model (or of the column `model`).

    >>> layout = plain_layout({"ID": 1, "Question": "?", "Context": "..", "answer_gpt": "a", "answer_llama": "b"})
    >>> dict(layout.responses)
    {'answer_gpt': 'given/gpt', 'answer_llama': 'given/llama'}
    """
    names = {_folded(str(column)): str(column) for column in row}
    evidence = next((names[name] for name in _EVIDENCE if name in names), None)
    if evidence is None:
        return None
    columns = {"evidence": (evidence,)}
    for field, choices in _FIELDS.items():
        column = next((names[name] for name in choices if name in names), None)
        if column is not None:
            columns[field] = (column,)
    return Layout("plain columns", columns, _responses(names))


def _responses(names: Mapping[str, str]) -> dict[str, str]:
    wide = {}
    for name, column in names.items():
        found = _OF_MODEL.fullmatch(name)
        model = (found[1] or found[2]) if found else ""
        if model and model not in _NOT_A_MODEL:
            wide[column] = f"given/{model}"
    if wide:
        return wide
    return next(({names[name]: ""} for name in _ANSWERS if name in names), {})


def _folded(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())
