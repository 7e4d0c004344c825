"""A knowledge base in the released layout, brought to ours: question wordings to ids, answers to options."""

import re
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.protocols.explanation.answers import option_of
from percuss.protocols.explanation.cases.tables import question_id
from percuss.protocols.explanation.knowledge import Base, read_base
from percuss.protocols.explanation.knowledge.layout import read_knowledge
from percuss.protocols.explanation.questions import BY_ID

__all__ = ["import_base"]


def import_base(path: Path) -> tuple[Base, tuple[str, ...]]:
    """Read a knowledge base in the layout of papers/1 appendix C.

    Args:
        path: JSON by question wording; trailing commas are mended.

    Returns:
        The base and warnings: what was mended, unknown keys, answers that are only other words for an option.

    Raises:
        BadInput: not of that layout, or a key that carries meaning and is unknown. A question that is none of the 32 is
            reported and left out; two wordings of one question are one.
    """
    read, warnings = read_knowledge(path.read_text(encoding="utf-8"), source=path.name)
    questions: dict[str, Any] = {}
    found = list(warnings)
    for wording, body in read.items():
        try:
            name = question_id({"question": wording, "type": body["type"]}, path.name, 1)
        except BadInput as error:
            found.append(f"left out: {error}")
            continue
        answers: dict[str, Any] = dict(questions.get(name, {}).get("answers", {}))
        if answers:
            found.append(
                f"{name}: {wording!r} is a second wording of it; its answers stand beside the first's"
            )
        for answer, entry in body["answers"].items():
            option = option_of(answer, BY_ID[name].options)
            if option is None:
                raise BadInput(f"the answer {answer!r} to {name} is no option", source=path.name)
            if option != answer:
                found.append(f"{name}: the answer {answer!r} was read as {option!r}")
            answers.setdefault(option, entry)
            caps = [cap for cap in entry["caps"] if re.search(r"(==|!=)", cap["when"])]
            found += [
                f"{name} {option}: a cap without a condition was left out" for _ in entry["caps"][len(caps) :]
            ]
            entry["caps"] = caps
        questions[name] = {**questions.get(name, body), "answers": answers}
    if not questions:
        raise BadInput("none of its questions is one of the 32", source=path.name)
    return read_base({"questions": questions, "title": path.name}), tuple(found)
