"""The arms and what a question looks like in each: closed book, with its passage, with another one, and the probe."""

from collections.abc import Mapping

from percuss.core.prompts import fill, neutralise
from percuss.core.records import Arm, Case, Earlier, Message, NotApplicable, Posed
from percuss.protocols.textbook.case import Task, task_of
from percuss.protocols.textbook.contamination import beginning_of
from percuss.protocols.textbook.items.item import Item, letters
from percuss.protocols.textbook.options import TextbookOptions, prompt

__all__ = ["CLOSED", "CONTINUATION", "PASSAGE", "WRONG", "arms", "pose"]

CLOSED, PASSAGE, WRONG, CONTINUATION = "closed_book", "passage", "wrong_passage", "continuation"


def arms(options: TextbookOptions) -> tuple[Arm, ...]:
    """Return the arms; the probe only where it is asked for.

    Args:
        options: `contamination` adds the arm that asks for the passage's continuation.
    """
    made = (Arm(name=CLOSED, baseline=True), Arm(name=PASSAGE), Arm(name=WRONG))
    return (*made, Arm(name=CONTINUATION)) if options.contamination else made


def pose(
    case: Case, arm: Arm, earlier: Earlier | None, options: TextbookOptions, seed: int
) -> Posed | NotApplicable:
    """Put a question under a condition.

    Args:
        case: a question. arm: the condition. earlier: not used, no arm follows another. options: prompts. seed: not used.
    """
    del earlier, seed
    task = task_of(case)
    if arm.name == CONTINUATION:
        return _continuation(task, options)
    shown = {CLOSED: None, PASSAGE: task.passage, WRONG: task.wrong_passage}[arm.name]
    if shown == "":
        words = (
            "no passage is held for this question"
            if arm.name == PASSAGE
            else "no other passage of the book is held"
        )
        return NotApplicable(reason=words)
    text = fill(prompt(options, template_of(task.item)), fields_of(task.item))
    if shown is not None:
        text = f"{fill(prompt(options, 'passage'), {'passage': neutralise(shown)})}\n\n{text}"
    return _posed(text, options)


def _posed(text: str, options: TextbookOptions) -> Posed:
    return Posed(messages=(Message.of("system", prompt(options, "system")), Message.of("user", text)))


def _continuation(task: Task, options: TextbookOptions) -> Posed | NotApplicable:
    beginning = beginning_of(task.passage)
    if not task.first:
        return NotApplicable(reason="asked with the first question of this passage")
    if not beginning:
        return NotApplicable(reason="half of the passage has fewer than 30 tokens")
    return Posed(
        messages=(Message.of("user", fill(prompt(options, "continuation"), {"beginning": beginning})),)
    )


def template_of(item: Item) -> str:
    """Return the name of the prompt that an item is put by."""
    return "list_open" if item.type == "list" and not item.options else item.type


def fields_of(item: Item) -> Mapping[str, str]:
    """Return what an item's prompt may be filled with; no reference is among it."""
    lines = (
        f"{letter}. {option}" for letter, option in zip(letters(item.options), item.options, strict=True)
    )
    steps = (
        step if step.lower().startswith("step") else f"Step {number}: {step}"
        for number, step in enumerate(item.reasoning, start=1)
    )
    return {
        "question": item.question, "options": "\n".join(lines), "given_answer": item.given_answer,
        "steps": "\n".join(steps) if item.type == "multi_hop_inverse" else "",
    }  # fmt: skip
