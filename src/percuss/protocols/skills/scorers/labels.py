"""Micro-F1: hits, false alarms and misses summed over all items and labels before the ratio is taken."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from percuss.protocols.skills.scorers.score import Score, label_names, text_of, unscored
from percuss.protocols.textbook.scoring.normal import normal
from percuss.protocols.textbook.scoring.parsing import parse_list

__all__ = ["Counts", "labelled", "micro_f1"]


class Counts(NamedTuple):
    """Labels of one item: hit, said and not there, there and not said."""

    hits: int
    extra: int
    missed: int


def labelled(answer: object, allowed: Sequence[str], right: object) -> Counts | Score:
    """Return what an answer's set of labels comes to, or why it can't be read.

    Args:
        answer: a list in any form; "none" is the empty set. allowed: labels that may be said; () for anything.
        right: the right labels; [] for none.

    >>> labelled("rotation, motion blur", ("rotation", "motion blur", "clipping"), ["rotation"])
    Counts(hits=1, extra=1, missed=0)
    """
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    wanted = label_names(right)
    if isinstance(wanted, Score):
        return wanted
    read = parse_list(text, tuple(allowed))
    if read.reason is not None:
        return unscored(read.reason)
    if allowed and read.chosen and not set(read.chosen) & set(allowed):
        return unscored("unparsable:no label of the set")
    said, true = {normal(each) for each in read.chosen}, {normal(each) for each in wanted}
    return Counts(len(said & true), len(said - true), len(true - said))


def micro_f1(counts: Iterable[Counts]) -> Score:
    """Return 200 TP / (2 TP + FP + FN) over all items; not applicable where no item has a label on either side.

    Args:
        counts: of the items; one with both sets empty adds nothing.

    >>> micro_f1([Counts(1, 1, 0), Counts(0, 0, 0)]).value
    66.66666666666667
    """
    held = list(counts)
    hits = sum(one.hits for one in held)
    wrong = sum(one.extra + one.missed for one in held)
    if not hits + wrong:
        return unscored("not_applicable:no label on either side")
    return Score(200 * hits / (2 * hits + wrong), parts={"hits": float(hits), "wrong": float(wrong)})
