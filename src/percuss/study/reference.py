"""Whom machines are held against: every person, or one source that stands for all of them; and what the machines said."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean, pstdev
from typing import Any, Literal, NamedTuple, get_args

from percuss.core.errors import UsageError
from percuss.study.answers import Given
from percuss.study.design import Question
from percuss.study.items import Prepared, machine_verdicts
from percuss.study.store import work
from percuss.study.store.work import Labelled
from percuss.study.study import Study
from percuss.study.units import Unit, coded, units_of

__all__ = ["SOURCES", "Source", "human_labels", "machines_on", "mean_z", "reference_answers", "source_of"]

Source = Literal["persons", "first", "unanimous", "adjudicated", "mean_z"]
SOURCES: tuple[str, ...] = get_args(Source)
"""What "people" means: each person on all items (the default), each person's first label, the label on which all who were
asked agree, what an adjudicator settled, the mean of the persons' z-scores (scales)."""


def source_of(name: str) -> Source:
    """Return a source by name.

    Raises:
        UsageError: there is none of this name.
    """
    for source in get_args(Source):
        if name in (source, f"human:{source}"):
            return source  # type: ignore[no-any-return]
    raise UsageError(f"no source of people's labels is called {name!r}; there are {', '.join(SOURCES)}")


class _Said(NamedTuple):
    """Labels by item, hidden repeats left out; what was settled; what all who were asked for an item said alike of it."""

    by_item: dict[int, list[Labelled]]
    settled: dict[int, Given]
    alike: dict[int, Given]


def _said(study: Study) -> _Said:
    with study.database.read() as connection:
        labels = study.labels(connection)
        settled = {n: one.given for n, one in work.agreed(connection).items()}
        whole = work.answered(connection, labels)
    found: dict[int, list[Labelled]] = defaultdict(list)
    for label in labels:
        if not label.again:
            found[label.item].append(label)
    alike = {n: _alike([label.given for label in got]) for n, got in whole.items()}
    return _Said(
        dict(sorted(found.items())), settled, {n: one for n, one in alike.items() if one is not None}
    )


def _alike(given: list[Given]) -> Given | None:
    """Return what all said alike, question by question; None where they said nothing alike."""
    if all(one.answer == given[0].answer and one.cant == given[0].cant for one in given):
        return given[0]
    alike = {q: v for q, v in given[0].answer.items() if all(one.answer.get(q) == v for one in given)}
    return Given(answer=alike) if alike else None


def reference_answers(study: Study) -> dict[int, Given]:
    """Return the one human label of each item that has one: what was settled, else what all who were asked said alike."""
    by_item, settled, alike = _said(study)
    found = dict(alike)
    for item, labels in by_item.items():
        if item in settled:
            answer = {**(labels[0].given.answer if len(labels) == 1 else {}), **settled[item].answer}
            found[item] = Given(answer=answer, cant=settled[item].cant)
    return dict(sorted(found.items()))


def human_labels(study: Study, source: Source) -> dict[int, list[tuple[str, Given]]]:
    """Return item -> (rater, answer) of one source; `mean_z` gives those of every person, `mean_z()` makes the means.

    Args:
        study: whose labels are read. source: one of `SOURCES`.
    """
    by_item, settled, alike = _said(study)
    if source == "adjudicated":
        return {n: [("human:adjudicated", given)] for n, given in sorted(settled.items())}
    if source == "unanimous":
        return {n: [("human:unanimous", given)] for n, given in alike.items()}
    first = source == "first"
    return {
        n: [(f"human:{label.rater}", label.first if first else label.given) for label in labels]
        for n, labels in by_item.items()
    }


def mean_z(question: Question, held: Mapping[int, Sequence[tuple[str, Given]]]) -> dict[Unit, float]:
    """Return unit -> mean over persons of each person's own z-score, for scales; a person who always says one thing gives 0."""
    said: dict[str, dict[Unit, float]] = defaultdict(dict)
    for item, labels in held.items():
        for rater, given in labels:
            said[rater].update(
                {unit: float(value) for unit, value in units_of(question, item, given).items()}
            )
    scores: dict[Unit, list[float]] = defaultdict(list)
    for values in said.values():
        middle, spread = mean(values.values()), pstdev(values.values())
        for unit, value in values.items():
            scores[unit].append((value - middle) / spread if spread else 0.0)
    return {unit: mean(found) for unit, found in scores.items()}


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
    question: Question, items: Mapping[int, Prepared], primary: bool
) -> dict[str, dict[Unit, Any]]:
    """Return machine rater -> unit -> what it said to a question, on all items."""
    found: dict[str, dict[Unit, Any]] = defaultdict(dict)
    for number, item in items.items():
        for rater, verdict in machine_verdicts(item).items():
            value = _machine_value(question, verdict, primary)
            if value is None or isinstance(value, dict | list):
                continue
            text = str(round(value)) if isinstance(value, float) else str(value)
            if text in question.values:
                found[str(rater)][number, ""] = coded(question, text)
    return found
