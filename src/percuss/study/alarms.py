"""What a coordinator should look at: answers given too fast, all alike, or differently the second time."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from percuss.core.records import Record
from percuss.study.design import Design
from percuss.study.items import Prepared
from percuss.study.store.work import Labelled

__all__ = ["Alarm", "alarms"]

FEW = 10  # answers below which nothing is said of a person
FAST_S = 2.0  # median seconds an item below which nobody can have read it (definitions/study.md, section 4)
ALIKE = 0.95  # share of one answer that looks like a straight line, where the others are below OTHERS
OTHERS = 0.8
REPEATS, DIFFER = 4, 0.5  # hidden repeats from which on, and share of them answered differently


class Alarm(Record):
    """One person and what was seen: a sentence with names in braces, and what stands for them, for any language."""

    who: str
    kind: str
    sentence: str
    values: dict[str, str]

    @property
    def words(self) -> str:
        """The sentence in English."""
        return self.sentence.format(**self.values)


def alarms(
    labels: Sequence[Labelled], design: Design, items: Mapping[int, Prepared] | None = None
) -> tuple[Alarm, ...]:
    """Return what should be looked at, person by person.

    Args:
        labels: all. design: of the study.
        items: by number; those that came with `attention`, the answer to the first question that every reader gives, are held
            against it. None: none is.
    """
    expected = {
        number: str(item.hidden["attention"])
        for number, item in (items or {}).items()
        if item.hidden.get("attention") not in (None, "")
    }
    by_rater: dict[str, list[Labelled]] = defaultdict(list)
    for label in labels:
        by_rater[label.rater].append(label)
    found: list[Alarm] = []
    said = {rater: _said(mine, design.primary.name) for rater, mine in by_rater.items()}
    every = sum(said.values(), Counter[str]())
    for rater, mine in sorted(by_rater.items()):
        found += [
            *_fast(rater, mine),
            *_alike(rater, said[rater], every, design),
            *_repeats(rater, mine, design),
            *_attention(rater, mine, design, expected),
        ]
    return tuple(found)


def _attention(
    rater: str, mine: Sequence[Labelled], design: Design, expected: Mapping[int, str]
) -> list[Alarm]:
    asked = [label for label in mine if label.item in expected]
    failed = sum(label.given.answer.get(design.primary.name) != expected[label.item] for label in asked)
    if not failed:
        return []
    values = {"n": str(failed), "total": str(len(asked))}
    return [
        Alarm(
            who=rater, kind="attention", sentence="{n} of {total} attention items were failed", values=values
        )
    ]


def _fast(rater: str, mine: Sequence[Labelled]) -> list[Alarm]:
    seconds = median(label.given.active_ms / 1000 for label in mine)
    if len(mine) < FEW or seconds >= FAST_S:
        return []
    values = {"seconds": f"{seconds:.1f}", "n": str(len(mine))}
    return [Alarm(who=rater, kind="fast", sentence="{seconds} s per item (median of {n})", values=values)]


def _said(labels: Sequence[Labelled], name: str) -> Counter[str]:
    return Counter(str(label.given.answer[name]) for label in labels if name in label.given.answer)


def _most(said: Counter[str]) -> tuple[str, float]:
    """Return the answer given most often, and its share."""
    value, count = said.most_common(1)[0] if said.total() else ("", 0)
    return value, count / (said.total() or 1)


def _alike(rater: str, own: Counter[str], every: Counter[str], design: Design) -> list[Alarm]:
    question = design.primary
    value, share = _most(own)
    rest = every - own
    _, others = _most(rest)
    if own.total() < FEW or share < ALIKE or (rest and others >= OTHERS):
        return []
    label = next((o.label for o in question.option if o.value == value), value)
    return [
        Alarm(
            who=rater,
            kind="alike",
            sentence="{share} % of {n} answers are “{label}”; of the others at most {others} %",
            values={
                "share": f"{100 * share:.0f}",
                "n": str(own.total()),
                "label": label,
                "others": f"{100 * others:.0f}",
            },
        )
    ]


def _repeats(rater: str, mine: Sequence[Labelled], design: Design) -> list[Alarm]:
    name = design.primary.name
    first = {label.item: label.given.answer.get(name) for label in mine if not label.again}
    again = [label for label in mine if label.again and label.item in first]
    differ = sum(label.given.answer.get(name) != first[label.item] for label in again)
    if len(again) < REPEATS or differ / len(again) < DIFFER:
        return []
    return [
        Alarm(
            who=rater,
            kind="repeats",
            sentence="{n} of {total} hidden repeats were answered differently",
            values={"n": str(differ), "total": str(len(again))},
        )
    ]
