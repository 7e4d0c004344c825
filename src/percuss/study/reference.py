"""The human label that machines are held against, and what the machines said."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from percuss.study.answers import Given
from percuss.study.design import Question
from percuss.study.items import Prepared, machine_verdicts
from percuss.study.store import work
from percuss.study.study import Study
from percuss.study.units import Unit, coded

__all__ = ["machines_on", "reference_answers"]


def reference_answers(study: Study) -> dict[int, Given]:
    """Return the human label of each item: what was settled, else what everybody who judged it said alike.

    Items on which people differ and nothing is settled yet are left out.
    """
    with study.database.read() as connection:
        labels = [label for label in work.labelled(connection) if not label.again]
        settled = work.agreed(connection)
    by_item: dict[int, list[Given]] = defaultdict(list)
    for label in labels:
        by_item[label.item].append(label.given)
    found: dict[int, Given] = {}
    for item, given in sorted(by_item.items()):
        if item in settled:
            answer = {**(given[0].answer if len(given) == 1 else {}), **settled[item].given.answer}
            found[item] = Given(answer=answer, cant=settled[item].given.cant)
        elif all(one.answer == given[0].answer and one.cant == given[0].cant for one in given):
            found[item] = given[0]
        else:
            alike = {q: v for q, v in given[0].answer.items() if all(one.answer.get(q) == v for one in given)}
            if alike:
                found[item] = Given(answer=alike)
    return found


def _machine_value(question: Question, verdict: Any, primary: bool) -> Any:
    """Return what a machine said to a question: a bare label belongs to the first question."""
    if isinstance(verdict, dict):
        for key in (question.name, question.aspect, *question.aliases):
            if key and key in verdict:
                return _machine_value(question, verdict[key], primary=True)
        if not primary:
            return None
        return next((verdict[k] for k in ("label", "score") if verdict.get(k) is not None), None)
    return verdict if primary else None


def machines_on(
    question: Question, items: Mapping[int, Prepared], human: Mapping[int, Given], primary: bool
) -> dict[str, dict[Unit, Any]]:
    """Return machine rater -> unit -> what it said to a question, on items that have a human label."""
    found: dict[str, dict[Unit, Any]] = defaultdict(dict)
    for number, item in items.items():
        if number not in human:
            continue
        for rater, verdict in machine_verdicts(item).items():
            value = _machine_value(question, verdict, primary)
            if value is None or isinstance(value, dict | list):
                continue
            text = str(round(value)) if isinstance(value, float) else str(value)
            if text in question.values:
                found[str(rater)][number, ""] = coded(question, text)
    return found
