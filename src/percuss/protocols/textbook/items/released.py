"""The layout that the benchmark released: JSON lists of items by type, read with its conventions and written again."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from percuss.core.errors import BadInput
from percuss.exchange.rows import rows
from percuss.protocols.textbook.items.item import TYPES, Item, item_id
from percuss.protocols.textbook.items.valid import faults

__all__ = ["FILES", "Loaded", "item_of", "load_released", "released_row", "step_of"]

FILES: Mapping[str, str] = {
    "true_false": "TF.json", "list": "list.json", "multiple_choice": "MC.json", "short_answer": "short.json",
    "multi_hop": "multi_hop.json", "short_inverse": "short_inverse.json", "multi_hop_inverse": "multi_hop_inverse.json",
}  # fmt: skip
"""Type -> name of its file."""
EXPLANATION_ONLY = "explanation only"
_STEP = re.compile(r"\bstep\s+(\d{1,3})\b", re.IGNORECASE)
_BULLET = re.compile(r"^\s*[-*•]?\s*(?:explanation\s*:\s*)?", re.IGNORECASE)


class Loaded(NamedTuple):
    """What was loaded: items, what is wrong with rows that could not be, and notes on conventions.

    `errors` and `notes` are (file, line or number, words).
    """

    items: tuple[Item, ...]
    errors: tuple[tuple[str, int, str], ...]
    notes: tuple[tuple[str, int, str], ...]


def load_released(path: Path) -> Loaded:
    """Load a file of the released layout, or a folder of them.

    Args:
        path: `MC.json` and its like; of a folder every `.json` whose rows are items.

    Raises:
        BadInput: no file there holds items.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    items, errors, notes = list[Item](), list[tuple[str, int, str]](), list[tuple[str, int, str]]()
    for file in files:
        for number, row in rows(file):
            if "question" not in row or row.get("type") not in TYPES:
                if not path.is_dir():
                    errors.append(
                        (
                            file.name,
                            number,
                            f"is no item: type {row.get('type')!r}, expected one of {', '.join(TYPES)}",
                        )
                    )
                continue
            try:
                item = item_of(row)
            except (ValueError, msgspec.ValidationError) as error:
                errors.append((file.name, number, str(error)))
                continue
            if item.reference == EXPLANATION_ONLY:
                notes.append((file.name, number, "reference: explanation only"))
            errors += [(file.name, number, fault) for fault in faults(item)]
            items.append(item)
    if not items and not errors:
        raise BadInput("holds no items; expected lists of objects with question and type", source=str(path))
    return Loaded(tuple(items), tuple(errors), tuple(notes))


def item_of(row: Mapping[str, Any]) -> Item:
    """Return a row of the released layout as an item.

    Args:
        row: question, answer or correct_answer, options, reasoning, incorrect_reasoning_step, false_answer,
            incorrect_explanation, source, type.

    A short_inverse whose answer is its false answer holds the truth in its explanation alone: that is the layout's
    convention, and no fault.

    Raises:
        ValueError: a field has another form than the layout's.
    """
    kind, question = row["type"], str(row["question"]).strip()
    source = dict(row.get("source") or {})
    base: dict[str, Any] = {
        "id": str(row.get("id") or item_id(kind, question, str(source.get("paragraph_id", "")))), "type": kind, "question": question,
        "source": source, "passage": str(row.get("passage") or ""), "domain": str(row.get("domain") or ""),
        "options": tuple(map(str, row.get("options") or ())), "reasoning": tuple(map(str, row.get("reasoning") or ())),
    }  # fmt: skip
    answer = row.get("correct_answer", row.get("answer", ""))
    if kind == "list":
        if not isinstance(answer, list):
            raise ValueError(f"the answer of a list is {type(answer).__name__}; expected a list")
        return Item(**base, answers=tuple(map(str, answer)))
    answer = str(answer).strip()
    if kind == "true_false":
        return Item(**base, answer=answer.lower())
    if kind == "short_inverse":
        given = str(row.get("false_answer", answer)).strip()
        alone = answer == given
        return Item(
            **base, answer="" if alone else answer, given_answer=given, explanation=str(row.get("incorrect_explanation", "")).strip(),
            reference=EXPLANATION_ONLY if alone else "answer",  # type: ignore[arg-type]
        )  # fmt: skip
    if kind == "multi_hop_inverse":
        number, words = step_of(row.get("incorrect_reasoning_step"))
        return Item(
            **base,
            given_answer=answer,
            answer=str(row.get("true_answer") or ""),
            wrong_step=number,
            explanation=words,
        )
    return Item(**base, answer=answer)


def step_of(told: Any) -> tuple[int | None, str]:
    """Return the wrong step and its explanation of `incorrect_reasoning_step`.

    Args:
        told: bullets such as ["- Step 3 is wrong.", "- Explanation: .."], or one text.

    >>> step_of(["- Step 3 contains the error.", "- Explanation: It is not so."])
    (3, 'It is not so.')
    """
    lines = [str(line) for line in told] if isinstance(told, list) else [str(told or "")]
    match = next((found for line in lines if (found := _STEP.search(line))), None)
    explained = [line for line in lines if re.match(r"\s*[-*•]?\s*explanation\s*:", line, re.IGNORECASE)]
    words = " ".join(_BULLET.sub("", line).strip() for line in explained or lines)
    return (int(match[1]) if match else None), words


def released_row(item: Item) -> dict[str, Any]:
    """Return an item as a row of the released layout, so that other tools read it."""
    row: dict[str, Any] = {"id": item.id, "question": item.question}
    if item.type == "multiple_choice":
        row |= {"correct_answer": item.answer, "options": list(item.options)}
    elif item.type == "list":
        row |= {"answer": list(item.answers), "options": list(item.options)}
    elif item.type == "true_false":
        row["answer"] = item.answer.capitalize()
    elif item.type == "short_inverse":
        answer = item.given_answer if item.reference == EXPLANATION_ONLY else item.answer
        row |= {
            "answer": answer,
            "false_answer": item.given_answer,
            "incorrect_explanation": item.explanation,
        }
    elif item.type == "multi_hop_inverse":
        told = [
            f"- Step {item.wrong_step} contains the incorrect inference.",
            f"- Explanation: {item.explanation}",
        ]
        row |= {
            "answer": item.given_answer,
            "reasoning": list(item.reasoning),
            "incorrect_reasoning_step": told,
        }
        if item.answer:
            row["true_answer"] = item.answer
    else:
        row["answer"] = item.answer
        if item.reasoning:
            row["reasoning"] = list(item.reasoning)
    return {**row, "source": item.source, "type": item.type, **_ours(item)}


def _ours(item: Item) -> dict[str, Any]:
    return {key: value for key, value in (("passage", item.passage), ("domain", item.domain)) if value}


def by_type(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Return type -> its items, in the order of types."""
    return {kind: [item for item in items if item.type == kind] for kind in TYPES}
