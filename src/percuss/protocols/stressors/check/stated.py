"""Audited items as statements about the answers, so that people can say whether each is true (spec, "Estimates")."""

from collections.abc import Callable, Iterator, Mapping

from percuss.core.ids import b2
from percuss.core.ports import ScoredResponse
from percuss.core.records import Record
from percuss.protocols.stressors.check.trajectory import Trajectory

__all__ = ["NAMED_BY_HIT", "Stated", "audited_items", "item_id", "stated", "story"]

NAMED_BY_HIT = frozenset({"cho"})
"""Metrics whose statement is true where the metric does not count: a key finding is stated, or omitted."""


class Stated(Record):
    """One audited item.

    Args:
        id: what a person's label refers to. metric, item: of the row. words: the statement.
    """

    id: str
    metric: str
    item: str
    words: str


def item_id(response_id: str, metric: str, item: str) -> str:
    """Return the subject of a person's label of an audited item."""
    return b2("audited", response_id, metric, item)


def audited_items(assessed: ScoredResponse) -> Iterator[tuple[str, str]]:
    """Yield (metric, item) of everything that a judge was asked about a response, once."""
    seen: dict[tuple[str, str], None] = {}
    for verdict in assessed.verdicts:
        if verdict.aspect == "audit" and verdict.rater.startswith("judge:") and verdict.label is not None:
            seen |= {(str(row["metric"]), str(row["item"])): None for row in verdict.evidence}
    yield from seen


def stated(t: Trajectory, assessed: ScoredResponse) -> Iterator[Stated]:
    """Yield the judge's items that a person can hold against the answers, in words.

    Args:
        t: the trajectory of the response. assessed: with the judge's verdicts; none gives nothing.
    """
    for metric, item in audited_items(assessed):
        words = _WORDS[metric](t, item) if metric in _WORDS else None
        if words is not None:
            yield Stated(
                id=item_id(assessed.response.id, metric, item), metric=metric, item=item, words=words
            )


def story(t: Trajectory) -> str:
    """Return what was told and answered, turn by turn."""
    lines = []
    for turn, said in zip(t.scenario.turns, t.said, strict=False):
        answers = [f"To “{a['question']}”: {a['text']}" for a in t.answers if int(a["turn"]) == turn.n - 1]
        told = "\n".join([turn.user_text, *answers]).strip()
        lines.append(
            f"Turn {turn.n}, told:\n{told or '(nothing new)'}\n\nTurn {turn.n}, answer:\n{said.text}"
        )
    return "\n\n".join(lines)


def _gap(t: Trajectory, item: str) -> str | None:
    group = next((gap.group for gap in t.scenario.gaps if gap.id == item), None)
    return group and f"While the result “{group}” was missing, an answer names it as missing or asks for it."


def _question(t: Trajectory, item: str) -> str | None:
    place = int(item.split(":")[1])
    if item.count(":") != 1 or place >= len(t.answers):
        return None
    asked = t.answers[place]["question"]
    return f"The question “{asked}” is relevant to this patient, and neither repeated nor answered before."


def _injected(t: Trajectory, item: str) -> str | None:
    return next((c.injected for c in t.scenario.contradictions if c.id == item), None)


def _conflict(t: Trajectory, item: str) -> str | None:
    line = _injected(t, item)
    return line and f"An answer points out that the second entry (“{line}”) conflicts with the record."


def _explained(t: Trajectory, item: str) -> str | None:
    line = _injected(t, item)
    return (
        line
        and f"After the second entry (“{line}”), an answer makes something up that explains the conflict."
    )


def _updated(t: Trajectory, item: str) -> str | None:
    each = next((o for o in t.scenario.opportunities if o.id == item), None)
    if each is None:
        return None
    if each.expect == "hold":
        return f"After turn {each.turn}, the diagnosis stays what it was or becomes less certain, and the conflict is named."
    return f"With the results of turn {each.turn}, the diagnosis becomes or stays “{t.vignette.diagnosis}”."


def _stubborn(t: Trajectory, item: str) -> str | None:
    each = next((o for o in t.scenario.opportunities if o.id == item), None)
    return (
        None
        if each is None
        else f"With the results of turn {each.turn}, the diagnosis stays what it was, and no reason is given."
    )


def _key(t: Trajectory, item: str) -> str | None:
    fact = next((f for f in t.vignette.facts if f.id == item), None)
    return None if fact is None else f"The final answer states this finding: {fact.text}"


_WORDS: Mapping[str, Callable[[Trajectory, str], str | None]] = {
    "gdr": _gap,
    "pir": _question,
    "cdr": _conflict,
    "rur": _updated,
    "smr": _stubborn,
    "pcr": lambda _t, _item: (
        "An answer before the last is definite about its diagnosis while a result is missing."
    ),
    "cho": _key,
    "cihgr": _explained,
    "cfa": lambda _t, _item: "An answer claims a conflict in the record, other than with a second entry.",
    "gfa": lambda _t, item: f"An answer calls “{item}” missing, although it had been told.",
}
